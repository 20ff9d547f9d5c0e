"""The menu of a player who gives no command: name, what now, a new table, the live list, pages to read."""

from dataclasses import replace
from typing import Any

import pytest

from tongits_lan import __version__
from tongits_lan.console.boxes import cells
from tongits_lan.console.door import (
    KEYS,
    Chosen,
    Door,
    Page,
    Unfinished,
    help_lines,
    items,
    looked,
    opened,
    paste,
    placed,
    press,
    renumbered,
    reported,
)
from tongits_lan.console.door_page import picture, text_of
from tongits_lan.console.skins import LETTERS, SYMBOLS, Skin
from tongits_lan.console.speech import LANGUAGES, speaking, spoken
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.sentences import mark, phrase
from tongits_lan.limits import NAME_MAX
from tongits_lan.net.announcements import Found

HERE = ("192.168.1.20:15213", "[fe80::20%eth0]:15213")
ANA = Found(b"table A.", "Ana", 2, "pagat", __version__, "tongits-lan/1", HERE, 3.0)
BEN = Found(b"table B.", "Mang Ben", 1, "joker", "9.9", "tongits-lan/9", ("192.168.1.21:15213",))
GOING_ON = Unfinished("Go on with Ana and Ben", Chosen("join", fresh=False))
SIZES = [(60, 16), (80, 24), (120, 40), (200, 60)]


def home(**changes: Any) -> Door:
    return replace(opened("Carlo", "", LETTERS), **changes)


def keys(door: Door, *names: str) -> Door:
    for name in names:
        door = press(door, name)
    return door


def test_the_name_is_asked_once_with_a_guess_typed_already() -> None:
    door = opened("", "Root", LETTERS)
    assert "Your name: Root_" in text_of(door)
    assert keys(door, "enter").name == "Root"
    assert keys(door, "backspace", *"e", "enter").name == "Rooe"
    door = keys(door, *"Ana", "enter")
    assert (door.page, door.name) == (Page.HOME, "Ana")
    assert opened("Ana", "Root", LETTERS).page is Page.HOME
    for before in (door, keys(opened("", "Root", LETTERS), "enter")):
        changed = keys(before, "6", *"Bea", "enter")
        assert (changed.page, changed.name) == (Page.HOME, "Bea"), "as the page says: type another"
    assert keys(door, "6", "backspace", *"e", "enter").name == "Ane"
    assert keys(door, "6", "c-u").typed == ""
    assert keys(door, "6", *"Mang Ben", "c-w", *"Carlo", "enter").name == "Mang Carlo"
    assert "Esc back" in text_of(keys(door, "6"))
    assert "Esc back" not in text_of(opened("", "Root", LETTERS))
    assert keys(door, "6", "x", "escape").name == "Ana"


def test_a_name_is_needed_and_cleaned_and_cut() -> None:
    door = keys(opened("", "", LETTERS), "enter")
    assert door.page is Page.NAME
    assert "Type a name" in text_of(door)
    assert keys(door, "escape").page is Page.NAME
    hostile = paste(door, "A\x1b[2J\u202eb" + "x" * 99)
    assert len(hostile.typed) == NAME_MAX
    assert "\x1b" not in hostile.typed
    assert "\u202e" not in hostile.typed


def test_every_line_of_the_menu_has_its_number() -> None:
    door = home(unfinished=(GOING_ON,))
    for number, item in enumerate(items(door), 1):
        assert f"{number}  {item.label}" in text_of(door)
    assert keys(door, "1").chosen == GOING_ON.chosen
    assert keys(door, "enter").chosen == GOING_ON.chosen
    assert keys(door, "down", "enter").page is Page.SETUP
    assert keys(door, "up", "enter").page is Page.OPTIONS
    assert keys(door, "up", "up", "enter").page is Page.NAME
    assert keys(door, "9") == replace(door, note=None)


def test_a_table_is_hosted_with_two_keys_or_with_other_rules() -> None:
    assert keys(home(), "1", "enter").chosen == Chosen("host")
    door = keys(home(), "1", "r", "r", "t", "n", "b")
    assert "[house]" in text_of(door)
    assert "30 s a turn" in text_of(door)
    assert keys(door, "enter").chosen == Chosen("host", "house", 1, 30, 5)
    read = keys(door, "v")
    assert "worth" in text_of(read) or "pays" in text_of(read)
    assert keys(read, "escape").page is Page.SETUP
    assert keys(read, "?", "escape", "escape").page is Page.SETUP
    for _ in PRESETS:
        door = press(door, "r")
    assert door.setup.rules == "house"


def test_item_15_practice_is_two_keys() -> None:
    assert keys(home(), "3", "enter").chosen == Chosen("play", bots=2)
    assert "two bots" in (keys(home(), "3", "b").note or "")


def test_item_25_the_live_list_shows_host_seats_rules_version_and_ping() -> None:
    door = looked(home(), (ANA, BEN), ())
    text = text_of(door, 120, 40)
    assert "found: Ana's table (2/3)" in text
    assert "Mang Ben's table (1/3, version 9.9)" in text
    assert "found: Ana (2/3)   Mang Ben (1/3, version 9.9)" in text_of(door, 80, 24), "the version is not cut"
    for language in LANGUAGES:
        with speaking(language):
            small = text_of(door, 60, 16)
            assert "Ana (2/3)   Mang" in small
            assert "(v9.9)" in small, "names give way before a version"
    listed = keys(door, "2")
    text = text_of(listed, 120, 40)
    for fact in ("Ana's table (2/3)", "pagat", f"version {__version__}", "3 ms", "Mang Ben's table (1/3)"):
        assert fact in text
    assert keys(listed, "1").chosen == Chosen("join", found=ANA.addresses, fresh=False)
    assert "cannot play with yours" in (keys(listed, "2").note or "")
    assert keys(listed, "down", "enter").chosen is None
    assert "no table with that number" in (keys(listed, "7").note or "")


def test_the_chosen_row_stays_chosen_when_the_list_changes() -> None:
    door = keys(looked(home(), (ANA, BEN), ()), "2", "down")
    moved = looked(door, (BEN, ANA), ())
    assert moved.at == 0
    assert renumbered(door, moved)
    assert not renumbered(door, looked(door, (ANA, BEN), ()))
    assert looked(moved, (ANA,), ()).at == 0


def test_after_a_while_without_a_table_the_causes_are_named() -> None:
    door = keys(looked(home(), (), ("The Wi-Fi keeps its computers apart.",)), "2")
    assert "keeps its computers apart" in text_of(door)
    assert "looking" not in text_of(looked(home(), (), ("x",)))


def test_item_2_an_address_can_be_typed() -> None:
    door = keys(home(), "2", "a", *"192.168.1.20", "enter")
    assert door.chosen == Chosen("join", address="192.168.1.20", fresh=False)
    wrong = keys(home(), "2", "a", *"a b", "enter")
    assert wrong.chosen is None
    assert "is no address" in text_of(wrong)
    assert keys(wrong, "escape").page is Page.TABLES
    assert keys(home(looks=False), "2").page is Page.ADDRESS


def test_how_to_play_is_read_and_scrolled() -> None:
    door = keys(home(), "4")
    assert "three or more in a row" in text_of(door)
    assert text_of(keys(door, "pagedown")) != text_of(door)
    assert text_of(keys(door, "pagedown", "pageup")) == text_of(door)
    assert keys(door, "up").scroll == 0
    end = door
    for _ in range(100):
        end = press(end, "pagedown")
    assert "pot" in text_of(end)
    assert keys(door, "q").page is Page.HOME


def test_the_network_is_looked_at_when_asked() -> None:
    door = keys(home(), "5")
    assert "a few seconds" in text_of(door)
    told = reported(door, ("ok    network    eth0 192.0.2.2", "BAD   port       in use: " + "x " * 60))
    assert "ok    network    eth0 192.0.2.2" in text_of(told)
    assert "eth0  192.0.2.2" in text_of(placed(home(), "eth0  192.0.2.2"))
    assert keys(told, "enter", "5").report is None, "it is looked at anew"


@pytest.mark.parametrize("page", [page for page in Page if page not in (Page.NAME, Page.HELP)])
def test_item_27_help_lists_exactly_the_keys_of_the_page(page: Page) -> None:
    asked = keys(home(page=page), "?")
    assert asked.page is Page.HELP
    for text in help_lines(page):
        assert text.strip() in text_of(asked, 100, 40)
    assert keys(asked, "escape").page is page


def test_item_26_the_language_is_chosen_in_the_menu() -> None:
    with speaking("en"):
        going_on = phrase("Go on with {one} and {other}  ({day})", one="Ana", other="Ben", day="1 May")
        door = placed(home(unfinished=(replace(GOING_ON, label=going_on),)), "no network")
        assert "(language / wika)" in text_of(door)
        door = keys(door, "o")
        assert "6  language / wika" in text_of(door)
        assert "English" in text_of(door)
        door = keys(door, "6")
        assert door.settings.lang == "fil"
        assert spoken() == "fil"
        assert "Filipino" in text_of(door)
        text = text_of(keys(door, "escape"))
        assert not [word for word in ("Go on with", "what now", "no network", "Options") if word in text]
        door = keys(door, "2", "9", "6")
        assert (door.settings.lang, door.settings.bell, spoken()) == ("en", False, "en")
        assert keys(door, "q").page is Page.HOME


def test_leaving() -> None:
    assert keys(home(), "q").left
    for page in Page:
        assert keys(home(page=page), "c-c").left
    assert not keys(home(page=Page.SETUP), "q").left


def test_no_key_has_two_lines_on_a_page() -> None:
    for page in Page:
        listed = [key for pages, names, _, _ in KEYS if page in pages for key in names]
        assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (100, 30)])
def test_a_table_to_go_on_with_is_read_to_its_end(columns: int, rows: int, language: str) -> None:
    text = mark("Go on practising with {one} and {other}  ({day})")
    label = phrase(text, one="Mang Berto", other="Maria Clara dela Cruz", day="09 Dec, 21:14")
    door = home(unfinished=(replace(GOING_ON, label=label),))
    with speaking(language):
        shown = text_of(door, columns, rows)
        assert "Mang Berto" in shown
        assert "09 Dec, 21:14)" in shown
        assert "~" not in shown
        last = items(door)[-1].label
        assert last in shown
        crowded = text_of(replace(door, unfinished=door.unfinished * 2), columns, rows)
        assert last in crowded, "a line is rather cut than the menu"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("skin", [LETTERS, SYMBOLS])
def test_every_page_fills_every_window(columns: int, rows: int, skin: Skin) -> None:
    shown = home(unfinished=(GOING_ON,), skin=skin, report=("x" * 300,), note="y" * 200)
    shown = looked(shown, (ANA, replace(BEN, host="国" * 24)), ())
    for page in Page:
        lines = picture(replace(shown, page=page, typed="z" * 64), columns, rows)
        assert len(lines) == rows
        assert {cells(content) for content in lines} == {columns}


def test_a_window_too_small_says_so() -> None:
    assert "too small" in text_of(home(), 59, 24)
