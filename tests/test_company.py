"""The people a player knows: how they get known, how their hands are counted, who is only doubted."""

from pathlib import Path

import msgspec
import pytest

from tests.scripted import Script
from tests.tables import PKS, descriptor
from tongits_lan.ledger.effects import Returned, TableEvent
from tongits_lan.ledger.state import HandForfeited, HandRecord, HandSettled, TableOpened
from tongits_lan.net.company import Company
from tongits_lan.store.known import load_known

ME = 1
TABLE = descriptor()


def company(folder: Path, now: float = 1000.0) -> Company:
    return Company(folder, wall=lambda: now)


def opened() -> TableEvent:
    return TableOpened(("a", "b", "c", "d"), 0)


def test_who_sat_at_an_opened_table_is_known_from_then_on(tmp_path: Path) -> None:
    us = company(tmp_path)
    assert not us.is_known(PKS[0])
    us.heard(Returned(0), TABLE, ME)
    assert not us.is_known(PKS[0])
    us.heard(opened(), TABLE, ME)
    assert us.is_known(PKS[0])
    assert us.is_known(PKS[2])
    assert not us.is_known(PKS[ME])
    again = company(tmp_path, now=2000.0)
    person = again.person(PKS[0])
    assert person is not None
    assert (person.name, person.first_met) == (TABLE.seats[0].name, 1000)
    again.heard(opened(), TABLE, ME)
    person = again.person(PKS[0])
    assert person is not None
    assert (person.first_met, person.last_met) == (1000, 2000)


def test_a_name_is_doubted_until_the_player_says_yes(tmp_path: Path) -> None:
    us = company(tmp_path)
    us.heard(opened(), TABLE, ME)
    name = TABLE.seats[0].name
    assert us.is_doubted(name, bytes(31) + b"\x05")
    us.accept(bytes(31) + b"\x05")
    assert not us.is_doubted(name, bytes(31) + b"\x05")
    assert us.is_doubted(name, bytes(31) + b"\x06")
    assert not us.is_doubted(name, PKS[0])
    assert company(tmp_path).is_doubted(
        name, bytes(31) + b"\x05"
    )  # a yes is for one session, a table for good


def record(forfeited_by: int | None) -> HandRecord:
    script = Script()
    script.play_hand()
    made = script.state.records[-1]
    return msgspec.structs.replace(made, forfeited_by=forfeited_by)


def test_hands_are_counted_for_the_others(tmp_path: Path) -> None:
    us = company(tmp_path)
    us.heard(opened(), TABLE, ME)
    settled, given_up, mine = record(None), record(2), record(ME)
    for event in (HandSettled(settled), HandSettled(settled), HandForfeited(given_up), HandForfeited(mine)):
        us.heard(event, TABLE, ME)
    known = load_known(tmp_path)
    first, third = known.of(PKS[0]), known.of(PKS[2])
    assert first is not None
    assert third is not None
    assert (first.finished, first.forfeited) == (2, 0)
    assert (third.finished, third.forfeited) == (2, 1)


def test_a_hand_left_for_long_is_counted_once(tmp_path: Path) -> None:
    us = company(tmp_path)
    us.heard(opened(), TABLE, ME)
    for _ in range(3):
        us.left_unfinished(TABLE, 2, 4)
    us.left_unfinished(TABLE, 2, 5)
    person = company(tmp_path).person(PKS[2])
    assert person is not None
    assert person.left == 2


def test_a_folder_that_cannot_be_written_ends_no_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    us = company(tmp_path / "file")
    us.heard(opened(), TABLE, ME)
    assert us.is_known(PKS[0])
    assert "could not be kept" in caplog.text
