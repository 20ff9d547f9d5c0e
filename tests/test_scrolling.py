"""Pages longer than their window: each key leads where it says and never beyond the ends."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.screens import Player, finished, player
from tests.test_lobby_screen import ANA, BEN, CARLO, hosting
from tests.test_press import Door as Session
from tongits_lan.console import door as doors
from tongits_lan.console import door_page
from tongits_lan.console.boxes import line
from tongits_lan.console.control import Desk
from tongits_lan.console.door import Page, opened
from tongits_lan.console.keys import BINDINGS, Act, Mode
from tongits_lan.console.press import press
from tongits_lan.console.render import extent, text_of
from tongits_lan.console.scrolling import WAYS, Extent, windowed
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Overlay, Screen

DOWN = [key for key, way in WAYS.items() if way in ("down", "pagedown", "end")]
UP = [key for key, way in WAYS.items() if way in ("up", "pageup", "top")]
SIZES = [(60, 16), (80, 24)]


@given(st.lists(st.sampled_from(sorted(WAYS))), st.integers(0, 40), st.integers(1, 20), st.integers(0, 99))
def test_a_page_never_moves_beyond_its_ends(pressed: list[str], last: int, page: int, at: int) -> None:
    for key in pressed:
        at = Extent(last, page).moved(at, key)
        assert 0 <= at <= last


def test_each_key_leads_where_it_says() -> None:
    read = Extent(30, 8)
    assert [read.moved(10, key) for key in ("up", "k", "down", "j")] == [9, 9, 11, 11]
    assert [read.moved(10, key) for key in ("pageup", "pagedown", " ")] == [2, 18, 18]
    assert [read.moved(10, key) for key in ("home", "end")] == [0, 30]
    assert read.moved(99, "up") == 29, "a window that has grown shows less beyond it"


def test_every_key_that_scrolls_is_known_and_in_both_tables() -> None:
    listed = {key for binding in BINDINGS if binding.act is Act.SCROLL for key in binding.keys}
    assert listed == set(WAYS)
    for mode in (Mode.OVERLAY, Mode.OPTIONS, Mode.LIST, Mode.RULES):
        assert {k for b in BINDINGS if b.act is Act.SCROLL and mode in b.modes for k in b.keys} == set(WAYS)
    assert all(doors.works(page, key) for page in doors.READ for key in WAYS)


def test_a_window_says_which_part_it_shows() -> None:
    lines = [line(f"{number}") for number in range(1, 31)]
    assert windowed(lines, 10, 5).told == "  6-15 of 30"
    assert windowed(lines, 10, 99).told == "  21-30 of 30"
    assert windowed(lines, 10, 0, from_end=True).told == "  21-30 of 30"
    assert windowed(lines, 10, 99, from_end=True).told == "  1-10 of 30"
    assert windowed(lines, 30, 5).told == ""
    assert windowed(lines, 0, 5).lines == []


def sized(one: Player, size: tuple[int, int]) -> Player:
    """The same player, whose window has this size."""
    one.desk.extent = lambda: extent(Screen(*size, one.desk.ui, one.desk.view))
    return one


def drawn(one: Player, size: tuple[int, int]) -> str:
    return text_of(Screen(*size, one.desk.ui, one.desk.view))


def talkative() -> Player:
    one = player()
    for number in range(60):
        one.desk.ui = one.desk.ui.logged("table", f"line {number}".strip)
    one.press("l")
    return one


def opened_by(key: str) -> Callable[[], Player]:
    def made() -> Player:
        one = player()
        one.press(key)
        return one

    return made


PAGES = {"options": opened_by("o"), "log": talkative, "proofs": opened_by("p"), "result": finished}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_key_too_many_at_an_end_has_not_to_be_taken_back(page: str, size: tuple[int, int]) -> None:
    """All pages of the table: one step back from the end is seen at once, however often Down was pressed."""
    one = sized(PAGES[page](), size)
    if extent(Screen(*size, one.desk.ui, one.desk.view)).last == 0:
        assert (page, size) in {("proofs", (80, 24)), ("result", (80, 24))}
        return
    one.press(*["down"] * 3, "end", *["down", " ", "pagedown"] * 9)
    end = drawn(one, size)
    one.press("up")
    assert drawn(one, size) != end
    one.press("down")
    assert drawn(one, size) == end
    one.press("home", *["up", "pageup"] * 9)
    top = drawn(one, size)
    one.press("down")
    assert drawn(one, size) not in (top, end)
    one.press("home")
    assert drawn(one, size) == top
    one.press(" ")
    assert drawn(one, size) != top


def test_the_log_begins_at_its_end_and_its_beginning_is_a_key_away() -> None:
    one = sized(talkative(), (80, 24))
    assert one.desk.ui.overlay is Overlay.LOG
    assert "line 59" in drawn(one, (80, 24))
    one.press("home")
    assert "You drew" not in drawn(one, (80, 24))
    assert "1-21 of" in drawn(one, (80, 24))
    one.press("end")
    assert "line 59" in drawn(one, (80, 24))


def test_the_rules_of_a_lobby_scroll_alike() -> None:
    session = Session(hosting(CARLO, ANA, BEN))
    desk = Desk(session, LETTERS, extent=lambda: extent(Screen(60, 16, desk.ui, desk.view)))
    for at, key in enumerate(("o", "end", *["down"] * 9)):
        press(desk, key, 100.0 + at)
    end = text_of(Screen(60, 16, desk.ui, desk.view))
    press(desk, "up", 200.0)
    assert text_of(Screen(60, 16, desk.ui, desk.view)) != end


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", doors.READ)
def test_the_pages_of_the_menu_scroll_alike(page: Page, size: tuple[int, int]) -> None:
    door = replace(opened("Carlo", "", LETTERS), page=page, helped=Page.READ)
    reach = door_page.extent(door, *size)
    for key in DOWN * 30:
        door = doors.press(door, key, door_page.extent(door, *size))
        assert door.scroll <= reach.last
    assert door.scroll == reach.last
    end = door_page.text_of(door, *size)
    door = doors.press(door, "up", reach)
    assert (door_page.text_of(door, *size) != end) == (reach.last > 0)
    for key in UP * 30:
        door = doors.press(door, key, reach)
    assert door.scroll == 0
