"""The screens in Filipino: every word is Filipino, nothing is cut off, and the switch works in a hand."""

import re
from pathlib import Path

import pytest

from tests.make_catalogue import read
from tests.make_screens import SCREENS, SIZES, SKINS, USUAL
from tests.screens import player
from tongits_lan.console.options import switches
from tongits_lan.console.render import text_of, window_title
from tongits_lan.console.speech import LANGUAGES, speaking, spoken
from tongits_lan.console.ui import Screen
from tongits_lan.errors import UserError
from tongits_lan.ledger.words import WORDS
from tongits_lan.store import settings

WORD = re.compile(r"[^\W\d_]{2,}")
MARK = re.compile(r"\[[0-9a-f]{8}\]")  # of a rule set
DATA = """
ana ben mang carlo dagat mangga bituin walis kalabaw manika manok wlan nov home games tables evidence
tongits pagat wikipedia house joker man ms proof chain verify language wika filipino
enter esc ctrl left right up down space pageup backspace shift tab
naman bilis teka lang ang galing sayang
jc qc kc ac jd qd kd ad jh qh kh ah js qs ks as
"""  # names, table words and codes, commands, keys, what players say, cards: the same in every language
CUT = {"menu", "tables"}  # lists of names that may be longer than any line


def words_of_catalogue() -> set[str]:
    texts = [
        text
        for message in read("fil")
        for text in ((message.string,) if isinstance(message.string, str) else message.string or ())
    ]
    return {word.lower() for text in texts for word in WORD.findall(re.sub(r"\{\w+(:\w+)?\}", " ", text))}


def pictures(size: tuple[int, int]) -> dict[str, str]:
    with speaking("fil"):
        return {name: make(SKINS["ascii"], size) for name, make in SCREENS.items()}


@pytest.mark.parametrize("size", USUAL, ids=str)
def test_every_word_of_every_screen_is_filipino(size: tuple[int, int]) -> None:
    known = words_of_catalogue() | set(DATA.split()) | set(WORDS)
    strange = {
        (name, word)
        for name, picture in pictures(size).items()
        for word in WORD.findall(MARK.sub("", picture))
        if word.lower() not in known
    }
    assert strange == set()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_cut_off(size: tuple[int, int]) -> None:
    for name, picture in pictures(size).items():
        lines = picture.splitlines()
        assert len(lines) <= size[1]
        assert max(map(len, lines)) <= size[0]
        assert name in CUT | ({"name", "code"} if size not in USUAL else set()) or not [
            text for text in lines if "~" in text
        ]


def test_the_table_shows_all_its_keys_on_the_smallest_usual_window() -> None:
    for language in LANGUAGES:
        with speaking(language):
            foot = SCREENS["draw"](SKINS["ascii"], (80, 24)).splitlines()[-1]
            assert [key for key in "?hsgvcroq" if f" {key} " in f" {foot} "] == list("?hsgvcroq")


def test_the_switch_turns_the_language_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    with speaking("en"):
        one = player()
        one.others()
        one.press("d")
        before = text_of(Screen(80, 24, one.desk.ui, one.desk.view))
        assert "YOUR TURN: play or discard" in before
        drawn = re.findall(r"You drew (\w+)\.", before)[-1]
        number = str([s.label for s in switches(one.desk.ui, one.desk.view)].index("language / wika") + 1)
        one.press("o", number)
        assert spoken() == "fil"
        assert one.desk.ui.settings.lang == "fil"
        one.press("escape")
        after = text_of(Screen(80, 24, one.desk.ui, one.desk.view))
        assert "TIRA MO: magbaba o magtapon" in after
        assert "ibaba straight 3D 4D 5D" in after
        assert "lay run" not in after
        assert f"Nabunot mo ang {drawn}." in after
        assert "You drew" not in after
        assert window_title(Screen(80, 24, one.desk.ui, one.desk.view)) == "* Tongits: TIRA MO"
        one.press("?")
        assert "MGA KEY NA GUMAGANA RITO" in text_of(Screen(80, 24, one.desk.ui, one.desk.view))
        one.press("escape", "o", number)
        assert spoken() == "en"


def test_the_choice_is_kept_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    settings.keep(file, settings.Settings(lang="fil"))
    assert settings.load(file).lang == "fil"
    assert '"fil" Filipino' in file.read_text("utf-8")
    file.write_text('lang = "tlh"\n')
    with pytest.raises(UserError, match="lang must be en or fil, not 'tlh'"):
        settings.load(file)
