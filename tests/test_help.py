"""`?` wherever no letter is being typed: the keys of what is asked there, and the way back to that."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.screens import Player, shown
from tests.test_lobby_screen import ANA, BOT, CARLO, asked, hosting, keys
from tests.test_lobby_screen import shown as in_lobby
from tests.test_press import Door as Session
from tests.test_small_windows import leaving, pressed
from tongits_lan.console import door as doors
from tongits_lan.console.control import Desk
from tongits_lan.console.door import Page, opened
from tongits_lan.console.door_page import text_of
from tongits_lan.console.keys import Act, Mode, act_of, help_lines
from tongits_lan.console.press import press
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Overlay

TYPED = (Mode.CHAT, Mode.TYPING)
RUN = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
AT_THE_TABLE: dict[Mode, Callable[[], Player]] = {
    Mode.CONFIRM: leaving,
    Mode.QUIT: pressed("q"),
    Mode.PHRASE: pressed("!"),
    Mode.LIST: pressed("d", "0", hand=RUN, stock="KC"),
    Mode.OVERLAY: pressed("l"),
    Mode.OPTIONS: pressed("o"),
}
BEFORE_IT = {Mode.KICK: "k", Mode.RULES: "r", Mode.QUIT: "q", Mode.OPTIONS: "o"}


@pytest.mark.parametrize("mode", list(Mode))
def test_help_is_a_key_away_wherever_no_letter_is_typed(mode: Mode) -> None:
    assert (act_of(mode, "?") is Act.HELP) == (mode not in TYPED)


@pytest.mark.parametrize("mode", sorted(AT_THE_TABLE))
@pytest.mark.parametrize("back", ["?", "escape", "enter", "q"])
def test_help_lies_over_a_question_and_leads_back_to_it(mode: Mode, back: str) -> None:
    one = AT_THE_TABLE[mode]()
    assert one.mode() is mode
    before, done = shown(one), list(one.seat.done)
    one.press("?")
    assert one.desk.ui.overlay is Overlay.HELP
    text = shown(one, 100, 50)
    for line in help_lines(mode):
        assert line.strip() in text or "give this hand up" in line
    one.press("down", "y", "g", "1", "f")
    assert one.seat.done == done, "nothing is done that cannot be seen"
    one.press(back)
    assert one.mode() is mode
    assert shown(one) == before


def test_the_enter_that_closes_the_help_is_no_answer() -> None:
    one = leaving()
    one.press("?")
    one.press("enter", "enter", every=0.05)
    assert one.mode() is Mode.CONFIRM
    assert "leave_table" not in one.seat.done
    one.press("enter")
    assert "leave_table" in one.seat.done


def test_ctrl_c_asks_how_to_leave_from_under_the_help() -> None:
    one = leaving()
    one.press("?", "c-c")
    assert one.mode() is Mode.QUIT
    assert "stay" in shown(one)


@pytest.mark.parametrize("mode", sorted(BEFORE_IT))
def test_help_in_the_lobby_is_on_what_is_open_there(mode: Mode) -> None:
    desk = keys(Desk(Session(hosting(CARLO, ANA, BOT)), LETTERS), BEFORE_IT[mode])
    before = in_lobby(desk)
    assert desk.mode is mode
    press(desk, "?", 200.0)
    text = in_lobby(desk, 100, 50)
    for line in help_lines(mode):
        assert line.strip() in text or "give this hand up" in line
    assert "give this hand up" not in text
    press(desk, "escape", 201.0)
    assert desk.mode is mode
    assert in_lobby(desk) == before


def test_a_code_begins_with_no_question_mark() -> None:
    desk = keys(Desk(Session(asked("code")), LETTERS), "?")
    assert desk.mode is Mode.OVERLAY
    assert "complete the word being typed" in in_lobby(desk)
    keys(desk, "?")
    assert (desk.mode, desk.ui.code) == (Mode.CODE, "")
    assert keys(desk, "4", "?").ui.code == "4?"
    assert "? help" in in_lobby(desk)


def test_nor_does_an_address() -> None:
    door = replace(opened("Carlo", "", LETTERS), page=Page.ADDRESS)
    assert "? help" in text_of(door)
    helped = doors.press(door, "?")
    assert helped.page is Page.HELP
    assert "clear what is typed" in text_of(helped)
    assert doors.press(helped, "?").page is Page.ADDRESS
    typed = doors.press(doors.press(door, "1"), "?")
    assert (typed.page, typed.typed) == (Page.ADDRESS, "1?")
    named = doors.press(replace(door, page=Page.NAME), "?")
    assert (named.page, named.typed) == (Page.NAME, "?")
