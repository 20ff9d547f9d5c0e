"""What people expect beside the table, one promise a test; the number is that of the promise."""

import json
import shutil
from pathlib import Path

import pytest

from tests.make_screens import SCREENS
from tests.system import ROOT
from tongits_lan.cli import arguments, main, places, preferences
from tongits_lan.cli.arguments import COMMANDS
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.speech import speaking
from tongits_lan.errors import Exit

LEDGERS = ROOT / "protocol" / "ledgers"


@pytest.mark.parametrize(
    ("name", "code"),
    [("honest", 0), ("pending", 1), ("another-first-line", 2), ("cheat-a-forged-signature", 4)],
)
def test_item_24_a_fourth_machine_checks_a_game_and_says_it_with_its_exit_code(
    name: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(shutil.copy(LEDGERS / f"{name}.tongits", tmp_path / "friends.tongits"))
    fourth = ["--data-dir", str(tmp_path / "nobody"), "--json"]
    assert main.main(["verify", file, *fourth]) == code
    said = capsys.readouterr()
    if code == Exit.USAGE:
        assert len(said.err.splitlines()) == 1
    else:
        assert json.loads(said.out)["status"] == {0: "fair", 1: "incomplete", 4: "faulty"}[code]
    assert not (tmp_path / "nobody").exists(), "who only checks needs no identity"


_TERMS = {
    "en": ("draw", "discard", "meld", "sapaw", "burned", "fight"),
    "fil": ("bunot", "tapon", "bahay", "sapaw", "sunog", "laban"),
}


@pytest.mark.parametrize("language", list(_TERMS))
def test_item_26_the_words_of_the_game_in_both_languages_and_in_help(language: str) -> None:
    with speaking(language):
        shown = " ".join(SCREENS[name](LETTERS, (120, 40)).lower() for name in ("options", "help", "play"))
        helped = SCREENS["help"](LETTERS, (120, 40)).lower()
    assert [word for word in _TERMS[language] if word not in shown] == []
    assert {"en": "draw from the stock", "fil": "bumunot"}[language] in helped
    other = "bunot" if language == "en" else "draw from the stock"
    assert other not in shown


def test_item_28_common_options_for_every_command_and_a_code_for_every_end() -> None:
    values = {
        "name": "Ana",
        "port": 15300,
        "interface": "lo",
        "lang": "fil",
        "data_dir": "x",
        "log_file": "y",
    }
    flags = ("no_discovery", "ascii", "no_color", "plain", "json", "auto", "verbose", "version")
    common = [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]
    common += [f"--{name.replace('_', '-')}" for name in flags]
    for command in COMMANDS:
        needs = {"show": ["f"], "replay": ["f"], "verify": ["f"], "completion": ["bash"]}.get(command, [])
        for words in ([command, *needs, *common], [*common, command, *needs]):
            parsed = vars(arguments.parse(words))
            assert {name: parsed[name] for name in values} == values, words
            assert all(parsed[name] for name in flags), words
    assert {code.name: int(code) for code in Exit} == {
        "DONE": 0,
        "FAILED": 1,
        "USAGE": 2,
        "NO_TABLE": 3,
        "FAULT": 4,
    }


def test_item_28_files_lie_where_the_system_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    options = arguments.parse(["doctor"])
    assert preferences.path(options) == tmp_path / "CONFIG" / "tongits" / "config.toml"
    assert places.data_dir(options) == tmp_path / "DATA" / "tongits"
    assert places.log_path(options) == tmp_path / "STATE" / "tongits" / "tongits.log"
    assert main.main(["--version", "-v"]) == 0
    assert str(places.log_path(options)) in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_item_28_shells_complete_and_a_page_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    page = (ROOT / "docs" / "tongits.1").read_text("utf-8")
    for command in COMMANDS:
        assert command in script
        assert command in page
