"""The page of a guest who looks for a table: rows and causes at every size, and the keys that choose."""

from dataclasses import replace

import pytest

from tests.tables import PKS
from tests.test_press import Door
from tongits_lan import __version__
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import press
from tongits_lan.console.render import text_of
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Screen
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.announcements import Found
from tongits_lan.net.causes import nothing_found
from tongits_lan.net.lobby import Lobby, LobbyView

ANA = Found(b"table A.", "Ana", 1, "pagat", __version__, "tongits-lan/1", ("192.168.1.20:15213",), 3.0)
BEN = Found(b"table B.", "Ben", 3, "house", __version__, "tongits-lan/1", ("192.168.1.21:15213",))
LATER = Found(b"table C.", "Dina", 2, "joker", "9.9", "tongits-lan/9", ("192.168.1.22:15213",), 40.0)
SIZES = [(60, 16), (80, 24), (120, 40)]


def looking(*tables: Found, hints: tuple[str, ...] = ()) -> LobbyView:
    view = Lobby(PRESETS["pagat"]).view(me=PKS[1], host=PKS[0], addresses=(), message=None)
    return replace(view, rules=None, looking=True, tables=tables, hints=hints)


def picture(view: LobbyView, columns: int = 80, rows: int = 24) -> str:
    desk = Desk(Door(view), LETTERS)
    return text_of(Screen(columns, rows, desk.ui, desk.view))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_tables_are_numbered_with_what_one_must_know(columns: int, rows: int) -> None:
    lines = picture(looking(ANA, BEN, LATER), columns, rows).splitlines()
    assert len(lines) == rows
    assert any("1  Ana's table (1/3)" in line for line in lines)
    assert any("2  Ben's table (3/3)" in line for line in lines)
    later = next(line for line in lines if "3  Dina's table (2/3)" in line)
    for fact in ("joker", "9.9", __version__):
        assert fact in later, "both versions are seen in every window"
    assert "~" not in later


def test_a_long_name_leaves_room_for_the_seats() -> None:
    for columns, rows in SIZES:
        lines = picture(looking(replace(ANA, host="W" * 24), replace(LATER, host="国" * 24)), columns, rows)
        assert "'s table (1/3)" in lines
        assert "'s table (2/3)" in lines
        assert "9.9" in lines


def test_N14_version_rules_and_ping_are_seen_before_joining() -> None:
    text = picture(looking(ANA, BEN, LATER), 120, 40)
    assert f"version {__version__}  3 ms" in text
    assert "no answer" in text
    assert f"version 9.9, you have {__version__}, which cannot play with yours  40 ms" in text
    assert "house" in text


@pytest.mark.parametrize(("columns", "rows"), SIZES[1:])
def test_N6_the_causes_stand_on_the_page_in_order(columns: int, rows: int) -> None:
    text = picture(looking(hints=nothing_found(system="linux")), columns, rows)
    places = [text.index(word) for word in ("keeps its computers apart", "A VPN", "A firewall")]
    assert places == sorted(places)


def test_a_number_joins_and_a_wrong_one_says_so() -> None:
    door = Door(looking(ANA, BEN))
    desk = Desk(door, LETTERS)
    assert desk.mode is Mode.TABLES
    press(desk, "2", 1.0)
    assert door.done == [BEN.tag]
    press(desk, "3", 2.0)
    assert desk.ui.note == "There is no table with that number."
    press(desk, "enter", 3.0)
    press(desk, "c", 3.0)
    assert desk.mode is Mode.TABLES
    assert door.done == [BEN.tag]


def test_a_key_meant_for_a_row_that_just_moved_does_nothing() -> None:
    door = Door(looking(ANA, BEN))
    desk = Desk(door, LETTERS)
    door.view = looking(BEN)
    desk.changed(10.0)
    press(desk, "1", 10.1)
    assert door.done == []
    press(desk, "1", 11.0)
    assert door.done == [BEN.tag]
    door.view = looking(replace(BEN, ping_ms=5.0), LATER)
    desk.changed(12.0)
    press(desk, "1", 12.1)
    assert door.done == [BEN.tag, BEN.tag]


class FullDoor(Door):
    """A session that refuses the choice."""

    def choose(self, tag: bytes) -> None:
        raise Refused("Ben's table is full: choose another one.")


def test_a_refused_choice_is_told_on_the_page() -> None:
    desk = Desk(FullDoor(looking(BEN)), LETTERS)
    press(desk, "1", 1.0)
    assert "Ben's table is full" in text_of(Screen(80, 24, desk.ui, desk.view))


def test_help_and_leaving_work_while_looking() -> None:
    desk = Desk(Door(looking(ANA)), LETTERS)
    press(desk, "?", 1.0)
    shown = text_of(Screen(80, 24, desk.ui, desk.view))
    assert "join the table with this number" in shown
    assert "say that you are ready" not in shown
    press(desk, "?", 2.0)
    press(desk, "q", 3.0)
    assert "stop looking and close the program" in text_of(Screen(80, 24, desk.ui, desk.view))
    press(desk, "k", 4.0)
    assert [str(want) for want in desk.take_wants()] == ["close"]
