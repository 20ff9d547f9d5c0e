"""The player's choices: a file people can read and edit, kept as they wrote it."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from tongits_lan.errors import Exit, UserError
from tongits_lan.store.settings import COMMENTS, SIZE_MAX, Settings, keep, load


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "config.toml") == Settings()


def test_every_key_has_its_comment_above_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    keep(path, Settings(name="Ana"))
    lines = path.read_text("utf-8").splitlines()
    assert set(COMMENTS) == {field.name for field in fields(Settings)}
    for key, comment in COMMENTS.items():
        at = next(at for at, line in enumerate(lines) if line.startswith(f"{key} ="))
        assert lines[at - 1] == f"# {comment}"
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["Ana", 'A "B" \\ C', "Añá 国", "x" * 24, "é\u0301"])
def test_what_is_kept_comes_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / "config.toml"
    chosen = Settings(name=name, four_colors=True, bell=False, tips=False, muted=f"{7:064x} {8:064x}")
    keep(path, chosen)
    assert load(path) == chosen
    keep(path, replace(chosen, bell=True))
    assert load(path) == replace(chosen, bell=True)


def test_what_a_player_wrote_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\nbell = false # hush\nlater_option = 7\nname="Ben"', "utf-8")
    settings = load(path)
    assert settings == Settings(name="Ben", bell=False)
    keep(path, replace(settings, four_colors=True))
    text = path.read_text("utf-8")
    assert text.startswith("# mine\nbell = false # hush\n")
    assert "later_option = 7\n" in text
    assert load(path) == Settings(name="Ben", bell=False, four_colors=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bell = 1", "bell must be true or false"),
        ("name = true", "name must be a text in quotes"),
        ("bell", "one a line"),
        ("a = " + "[" * 5_000, "one a line"),
        ("#" * (SIZE_MAX + 1), "larger than"),
    ],
)
def test_what_cannot_be_understood_is_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UserError, match=told) as caught:
        load(path)
    assert str(path) in caught.value.text
    assert caught.value.exit_code is Exit.USAGE


def test_bytes_that_are_no_text_and_a_folder_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(UserError, match="UTF-8"):
        load(path)
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        load(folder)
    with pytest.raises(UserError):
        keep(folder, Settings())
