"""The computer player: legal in every rule set, sees only its own cards, and beats chance clearly."""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from types import FrameType

import pytest
from msgspec.structs import replace

from tests.hands import Chooser, any_move, hand_of, play_on, random_rules, shuffled
from tongits_lan.bots import choose
from tongits_lan.bots.estimate import worth
from tongits_lan.game import engine, scoring
from tongits_lan.game.engine import View
from tongits_lan.game.melds import deadwood
from tongits_lan.game.moves import Answer, Discard, Draw, Meld, Move, Pass, Sapaw
from tongits_lan.game.rules import PRESETS, Rules


def _league(
    rules: Rules, players: Sequence[Chooser], hands: int, seed: int
) -> tuple[Counter[str], list[int]]:
    rng = random.Random(seed)
    match = replace(scoring.fresh_match(), dealer=0)
    ends: Counter[str] = Counter()
    net = [0, 0, 0]
    for hand in range(hands):
        position, settlement = hand_of(rules, match, players, rng)
        assert position.turn is None
        assert not settlement.fouls
        ends[settlement.end] += 1
        net = [a + b for a, b in zip(net, settlement.net, strict=True)]
        match = replace(settlement.match, dealer=hand % 3)
    return ends, net


def _always_legal(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    move = choose(view, legal, rng)
    assert move in legal
    return move


@pytest.mark.parametrize("name", list(PRESETS))
def test_C7_three_bots_play_whole_games_legally(name: str) -> None:
    ends, _ = _league(PRESETS[name], [_always_legal] * 3, 40, 1)
    assert sum(ends.values()) == 40
    assert ends["tongits"]
    assert ends["draw"]


def test_bots_play_under_any_rules() -> None:
    rng = random.Random(2)
    for _ in range(60):
        rules = random_rules(rng)
        match = replace(scoring.fresh_match(), dealer=rng.randrange(3))
        position, settlement = hand_of(rules, match, [_always_legal] * 3, rng)
        assert position.turn is None
        assert not settlement.fouls


@pytest.mark.parametrize("name", list(PRESETS))
def test_C14_a_bot_beats_chance(name: str) -> None:
    """Two hundred hands against two random players: the bot gains, each of them loses."""
    _, net = _league(PRESETS[name], [choose, any_move, any_move], 200, 3)
    assert net[0] > 0
    assert net[0] > 2 * max(net[1], net[2], 1)


def _greedy(_view: View, legal: Sequence[Move], _rng: random.Random) -> Move:
    """Lays what it can, the longest first; never takes, never fights; throws its dearest card."""
    lays = [move for move in legal if isinstance(move, Meld | Sapaw)]
    throws = [move for move in legal if isinstance(move, Discard)]
    if lays:
        return max(lays, key=lambda move: len(move.cards))
    if throws:
        return max(throws, key=lambda move: (worth(move.card[1], 0), move.card))
    return next((move for move in (Draw(), Answer("fold"), Pass()) if move in legal), legal[0])


@pytest.mark.parametrize("name", list(PRESETS))
def test_C14_a_bot_beats_greed(name: str) -> None:
    """Two hundred hands against two players who lay all they can and throw the dearest card."""
    _, net = _league(PRESETS[name], [choose, _greedy, _greedy], 200, 3)
    assert net[0] > 0 > max(net[1], net[2])


@pytest.mark.parametrize("name", list(PRESETS))
def test_C14_a_bot_breaks_no_meld_and_thinks_within_bounds(name: str) -> None:
    """The limit is one of work, in calls, as a clock would judge the machine and not the bot."""
    rules, most = PRESETS[name], 0

    def watched(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
        nonlocal most
        calls = 0

        def count(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            move = choose(view, legal, rng)
        finally:
            sys.setprofile(before)
        most = max(most, calls)
        if isinstance(move, Discard):
            held = [view.faces[slot] for slot in view.position.hands[view.seat]]
            kept = [card for card in held if card != move.card[1]]
            assert deadwood(kept, rules) <= deadwood(held, rules), "a finished meld was broken"
        return move

    _league(rules, [watched] * 3, 30, 5)
    assert 20 < most < 20_000, "calls for the longest thought"


def test_a_bot_is_not_swayed_by_cards_it_cannot_see() -> None:
    """With the hidden cards shuffled among themselves and the same generator it does the same."""
    rng = random.Random(4)
    rules = PRESETS["pagat"]
    faces = shuffled(rules, rng)
    positions, _ = play_on(engine.deal(rules, 0), faces, [choose] * 3, random.Random(9))
    for position in positions[:-1]:
        seat = position.turn
        assert seat is not None
        known = {*position.hands[seat], *(s for s, _ in position.discards)}
        known |= {s for m in position.melds for s in m.slots if not m.face_down}
        hidden = [s for s in range(rules.n) if s not in known]
        other = [*faces]
        for slot, card in zip(hidden, rng.sample([faces[s] for s in hidden], len(hidden)), strict=True):
            other[slot] = card
        one, two = engine.view(position, seat, faces), engine.view(position, seat, other)
        first = choose(one, engine.legal_moves(one), random.Random(1))
        assert first == choose(two, engine.legal_moves(two), random.Random(1))


def test_equal_seeds_play_equal_games() -> None:
    rules = PRESETS["house"]
    faces = shuffled(rules, random.Random(6))
    one = play_on(engine.deal(rules, 1), faces, [choose] * 3, random.Random(5))
    two = play_on(engine.deal(rules, 1), faces, [choose] * 3, random.Random(5))
    assert one == two
