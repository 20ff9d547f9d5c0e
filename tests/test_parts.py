"""The parts of the table: what is said of an opponent keeps its count, state and chips in any window."""

import re

import msgspec
import pytest

from tests.screens import NAMES, Seat, cards, dealt
from tongits_lan.console import parts
from tongits_lan.console.boxes import cells, plain, width
from tongits_lan.console.speech import LANGUAGES, speaking, tr
from tongits_lan.console.text import Voice
from tongits_lan.game.position import Lock, Phase, Position, TableMeld
from tongits_lan.game.shapes import MeldKind
from tongits_lan.ledger.effects import Reach

HAND = "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S"


def _at_the_table(seat: Seat, state: str) -> Position:
    """Ana holds ten cards: she has opened, or may not fight next; or twelve and no meld."""
    position = seat.position
    if state == "NOT OPENED":
        return position
    codes = tuple(cards("2C 2D"))
    melds = (TableMeld(0, MeldKind.SET, position.hands[0][:2], codes, codes, (0, 0)),)
    locks = (Lock(1, 0, codes[:1]) if state == "no fight next" else None, None, None)
    hands = (position.hands[0][2:], *position.hands[1:])
    return msgspec.structs.replace(position, melds=melds, hands=hands, locks=locks)


@pytest.mark.parametrize("room", [26, 27, 36, 37, 40])
@pytest.mark.parametrize("state", ["NOT OPENED", "opened", "no fight next"])
@pytest.mark.parametrize("away", [False, True])
def test_an_opponent_has_a_count_of_cards_a_state_and_chips_in_any_window(
    room: int, state: str, away: bool
) -> None:
    seat = Seat(faces=dealt(2, 0, HAND, "8D 8C 5H"))
    seat.others()
    seat.position = _at_the_table(seat, state)
    links = (Reach("away" if away else "direct"), Reach("direct"), Reach("me"))
    match = msgspec.structs.replace(seat.view.match, chips=(-8, 4, 4))
    view = seat.show(links=links, match=match)
    facts = plain(parts.opponent(view, Voice(NAMES, 2), 0, room, brief=room < 30)[0])
    assert width(facts) == room
    assert re.search(r"^(12|10) cards ", facts) or (away and room < 30)
    states = {"NOT OPENED": "NOT OPENED|UNOPENED", "opened": "opened", "no fight next": "no fight next"}
    assert re.search(f"^(12|10) .*({states[state]}) ", facts)
    assert re.search(" (chips )?-8$", facts)
    assert away == bool(re.search(" (away|out of reach) ", facts))
    assert away or state == "no fight next" or "chips -8" in facts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reach", [Reach("away"), Reach("away", left=True)])
@pytest.mark.parametrize("chips", [-8, 1234, 10**9, 10**20])
def test_that_a_player_is_away_is_the_last_thing_to_go(language: str, reach: Reach, chips: int) -> None:
    """At 60 columns the word for the cards goes before his state, and his state before that."""
    seat = Seat(faces=dealt(2, 0, HAND, "8D 8C 5H"))
    seat.others()
    begun = seat.position
    with speaking(language):
        for state in ("NOT OPENED", "opened", "no fight next"):
            seat.position = begun
            seat.position = _at_the_table(seat, state)
            match = msgspec.structs.replace(seat.view.match, chips=(chips, 4, 4))
            view = seat.show(links=(reach, Reach("direct"), Reach("me")), match=match)
            facts = plain(parts.opponent(view, Voice(NAMES, 2), 0, 26)[0])
            assert width(facts) == 26
            assert any(f" {tr(text)} " in facts for text in ("away", "out of reach", "gone home"))
            said = (tr(text) for text in (state, "UNOPENED"))
            assert chips > 10**4 or any(f" {text} " in facts for text in said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lock_is_told_of_the_turn_it_is_for(language: str) -> None:
    """Next turn while it waits, now while it holds; the own row says it in any window."""
    seat = Seat(faces=dealt(2, 0, HAND, "8D 8C 5H"))
    seat.others(until=1)
    seat.position = _at_the_table(seat, "no fight next")
    mine = tuple(msgspec.structs.replace(meld, owner=2) for meld in seat.position.melds)
    locks = (None, None, seat.position.locks[0])
    voice = Voice(("Ana", "Ben", "Mang Carlo"), 2)
    with speaking(language):
        for turn, phase, said, locked in (
            (1, Phase.START, "no fight next", True),
            (2, Phase.START, "no fight now", True),
            (2, Phase.ACTION, "no fight next", True),
            (2, Phase.START, "fight ok", False),
        ):
            seat.position = msgspec.structs.replace(
                seat.position, melds=mine, turn=turn, phase=phase, locks=locks if locked else (None,) * 3
            )
            view = seat.show()
            assert parts.standing(view, 2) == tr(f"opened  {said}")
            for room in (32, 40, 60):
                row = plain(parts.own_title(view, voice, room))
                assert any(text in row for text in (tr(f"opened  {said}"), tr(said if locked else "opened")))
                assert cells(parts.own_title(view, voice, room)) <= room
                assert f"{tr('YOU {name}', name='Ma')}"[:6] in row
