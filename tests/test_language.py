"""Which language the commands speak: as asked, as chosen before, as the system speaks."""

from pathlib import Path

import pytest

from tests.screens import player
from tongits_lan.cli import arguments, main, preferences, replay
from tongits_lan.console.speech import speaking
from tongits_lan.errors import UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.net.events import ChatHeard, LinkNote, TableBegan
from tongits_lan.store.settings import Settings, keep


def spoken(folder: Path, *words: str, **environ: str) -> str:
    options = arguments.parse(["--data-dir", str(folder), *words, "rules"])
    return preferences.language(options, environ)


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_PH.UTF-8"}, "en"),
        ({"LANG": "fil_PH.UTF-8"}, "fil"),
        ({"LANG": "tl_PH"}, "fil"),
        ({"LANG": "fil"}, "fil"),
        ({"LANG": "fil_PH.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "fil_PH.UTF-8"}, "fil"),
        ({"LANG": "fil_PH", "LC_ALL": ""}, "fil"),
        ({"LANG": "film"}, "en"),
    ],
)
def test_the_system_decides_where_nobody_has_chosen(
    environ: dict[str, str], language: str, tmp_path: Path
) -> None:
    assert spoken(tmp_path, **environ) == language


def test_what_was_chosen_counts_more_and_what_is_asked_counts_most(tmp_path: Path) -> None:
    keep(tmp_path / "config.toml", Settings(lang="fil"))
    assert spoken(tmp_path, LANG="C") == "fil"
    assert spoken(tmp_path, "--lang", "en", LANG="fil_PH") == "en"
    keep(tmp_path / "config.toml", Settings(lang="en"))
    assert spoken(tmp_path, LANG="fil_PH") == "en"


def test_json_is_english_unless_asked(tmp_path: Path) -> None:
    assert spoken(tmp_path, "--json", LANG="fil_PH") == "en"
    assert spoken(tmp_path, "--json", "--lang", "fil") == "fil"


def test_broken_settings_are_left_to_whoever_needs_them(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("lang = 7\n")
    assert spoken(tmp_path, LANG="fil_PH") == "en"


def test_rules_are_read_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("en"):
        assert main.main(["--lang", "fil", "rules", "house"]) == 0
        shown = capsys.readouterr().out
        assert "Ang mga baraha" in shown
        assert "iba sa pagat" in shown
        assert "The " not in shown
    with speaking("en"):
        assert main.main(["--lang", "fil", "rules", "--diff", "pagat", "joker"]) == 0
        assert "Sa joker lang:" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["--lang", "fil", "verify", "{absent}"],
        ["--lang=fil", "verify", "{absent}"],
        ["verify", "{absent}", "--lang", "fil"],
        ["verify", "{absent}", "--data-dir", "{folder}"],
        ["--data-dir={folder}", "verify", "{absent}"],
    ],
    ids=" ".join,
)
def test_a_refusal_is_in_the_language_wherever_it_is_asked_for(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path / "config.toml", Settings(lang="fil"))
    absent = tmp_path / "absent.tongits"
    with speaking("en"):
        assert main.main([word.format(absent=absent, folder=tmp_path) for word in words]) == 1
        assert capsys.readouterr().err == f"Walang file na {absent}: tingnan kung tama ang pangalan.\n"


def test_what_an_exception_says_stays_english_for_the_log(tmp_path: Path) -> None:
    with speaking("fil"), pytest.raises(UserError) as raised:
        replay.read(tmp_path / "absent")
    assert str(raised.value) == f"There is no file {tmp_path / 'absent'}: check the name."


def test_another_language_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--lang", "tlh", "rules"]) == 2
    told = capsys.readouterr().err
    assert "tlh" in told
    assert "fil" in told


def test_item_26_the_log_is_read_in_the_language_of_now() -> None:
    with speaking("en"):
        one = player()
        one.press("d")
        one.desk.heard(TableBegan(Path("a.tongits")), one.now)
        one.desk.heard(ChatHeard(0, "hello", None), one.now)
        wrong = phrase("{name} gave a wrong join code and was not let in.", name="Ben")
        one.desk.heard(LinkNote(wrong), one.now)
        english = [entry.text for entry in one.desk.ui.log]
        assert "Ben drew and threw 8D." in english
        one.press("o", "6")
        assert one.desk.ui.settings.lang == "fil"
        filipino = [entry.text for entry in one.desk.ui.log]
        assert [text for text in filipino if text in english] == ["Ana: hello"], "what people say stays"
        assert [text for text in filipino if text.startswith("Nabunot mo ang")] != []
        one.press("6")
        assert [entry.text for entry in one.desk.ui.log] == english
