"""Finished hands played again: the same positions and events, and no hidden card in what a seat saw."""

import random
from collections.abc import Sequence

import pytest

from tests.circle import Circle
from tests.scripted import Script
from tongits_lan.bots import choose
from tongits_lan.game.engine import View
from tongits_lan.game.moves import Discarded, Move
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.messages import ForfeitHand
from tongits_lan.ledger.playback import PlayedHand, played_hands, seen_by
from tongits_lan.ledger.state import HandDealt, HandSettled, LedgerEvent, Phase, Played


def _chooser(seed: int) -> "_Bots":
    return _Bots(random.Random(seed))


class _Bots:
    """The program's own player at every seat."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def __call__(self, view: View, legal: Sequence[Move]) -> Move:
        return choose(view, legal, self._rng)


def match(preset: str, hands: int = 2) -> Script:
    script = Script(f"playback {preset}", rules=PRESETS[preset])
    choose_move = _chooser(5)
    for hand in range(hands):
        if hand:
            script.next_hand()
        script.play_hand(choose_move)
    return script


def replayed(script: Script) -> tuple[PlayedHand, ...]:
    return played_hands(script.rules, script.entries, script.state.records)


@pytest.fixture(scope="module", params=list(PRESETS))
def played(request: pytest.FixtureRequest) -> tuple[Script, tuple[PlayedHand, ...]]:
    script = match(request.param)
    return script, replayed(script)


def test_the_last_position_is_the_one_that_was_settled(
    played: tuple[Script, tuple[PlayedHand, ...]],
) -> None:
    script, hands = played
    assert [hand.record for hand in hands] == list(script.state.records)
    for hand in hands:
        assert hand.frames[-1].position == hand.record.position
        assert hand.frames[-1].events == (HandSettled(hand.record),)
        assert hand.frames[0].events == (HandDealt(hand.record.number),)


def test_every_move_of_the_ledger_is_a_frame_with_what_it_brought_about(
    played: tuple[Script, tuple[PlayedHand, ...]],
) -> None:
    script, hands = played
    told: list[LedgerEvent] = [
        event
        for hand in hands
        for frame in hand.frames
        for event in frame.events
        if isinstance(event, Played)
    ]
    assert told == [event for event in script.events if isinstance(event, Played)]
    assert any(isinstance(event, Played) and isinstance(event.event, Discarded) for event in told)


def test_heights_lead_back_to_the_entries(played: tuple[Script, tuple[PlayedHand, ...]]) -> None:
    script, hands = played
    for hand in hands:
        heights = [frame.height for frame in hand.frames if frame.height is not None]
        assert heights == sorted(heights)
        assert heights[-1] == hand.record.last_height < len(script.entries)


def test_no_card_is_lost_or_doubled_on_the_way(played: tuple[Script, tuple[PlayedHand, ...]]) -> None:
    script, hands = played
    for hand in hands:
        for frame in hand.frames:
            position = frame.position
            slots = [*position.stock, *(slot for slot, _ in position.discards)]
            slots += [slot for seat in position.hands for slot in seat]
            slots += [slot for meld in position.melds for slot in meld.slots]
            assert sorted(slots) == list(range(script.rules.n))


def test_what_a_seat_saw_is_its_own_hand_only(played: tuple[Script, tuple[PlayedHand, ...]]) -> None:
    _, hands = played
    for frame in hands[0].frames:
        for seat in range(3):
            assert set(seen_by(frame, seat).faces) == set(frame.position.hands[seat])


def test_a_hand_that_was_given_up_is_left_out() -> None:
    script = match("pagat", hands=1)
    script.next_hand()
    script.until(Phase.PLAY)
    script.write(ForfeitHand())
    assert script.state.records[-1].faces is None
    assert [hand.record.number for hand in replayed(script)] == [1]


def test_a_table_gives_its_last_settled_hand() -> None:
    circle = Circle("playback", verdicts={})
    assert circle.tables[0].played() is None
    circle.play_hand()
    played = circle.tables[1].played()
    assert played is not None
    assert played.record == circle.view(1).record
    assert played.frames[-1].position == played.record.position
    assert circle.tables[2].played() == played
