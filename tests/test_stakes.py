"""What a fight may cost: positions known by heart, and every fight of many random hands paid as foretold."""

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from tests import scenarios
from tests.hands import any_move, play_on, random_rules, shuffled
from tongits_lan.game import engine, scoring
from tongits_lan.game.engine import Phase, Position, View
from tongits_lan.game.moves import Answer, Call, EndKind
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.showdown import challengers, folders
from tongits_lan.game.stakes import Price, Stakes, stakes

PAGAT, HOUSE, JOKER = PRESETS["pagat"], PRESETS["house"], PRESETS["joker"]
FRESH = replace(scoring.fresh_match(), dealer=0)
PLAIN = {"ace_bonus": 0, "secret_bonus": 0}


def _asked(rules: Rules, said: str | None = None, *, alone: bool = False, opened: bool = True) -> Stakes:
    """Seat 2 with a count of 38 is asked, after seat 0 has called and seat 1 has `said` something."""
    melds = [{"owner": 0, "cards": ["6C", "6D", "6H"]}]
    melds += [] if alone else [{"owner": 1, "cards": ["TC", "TD", "TH"]}]
    melds += [{"owner": 2, "cards": ["9C", "9H", "9S"]}] if opened else []
    state = {
        "hands": [["KC", "KD"], ["5S", "5D"], ["8H", "QH", "JC", "KS"]],
        "turn": 0,
        "phase": "start",
        "melds": melds,
        "rest": "stock",
        "own_turns": [1, 1, 1],
    }
    position = scenarios.position_of(state, rules)
    position, _ = engine.apply(position, 0, Call())
    if said is not None:
        position, _ = engine.apply(position, 1, Answer("challenge" if said == "challenge" else "fold"))
    assert position.turn == (2 if said is not None or alone else 1)
    return stakes(engine.view(replace(position, turn=2), 2, range(54)), FRESH)


@pytest.mark.parametrize(
    ("change", "fold", "alone", "lost"),
    [
        ({}, (3, None), (1, None), (3, None)),
        (PLAIN, (3, 3), (1, 1), (3, 3)),
        ({"challenged_rate_applies_to": "challengers_and_caller", **PLAIN}, (1, 1), (1, 1), (3, 3)),
        ({"fold_fee": 2}, (2, 2), (2, 2), (3, None)),
        ({"base_payers": "last_place", **PLAIN}, (0, 0), (0, 0), (0, 3)),
        ({"variable_payout": "difference", **PLAIN}, (3, 40), (1, 38), (3, 40)),
        ({"long_run_bonus": 2, **PLAIN}, (3, None), (1, None), (3, None)),
    ],
)
def test_an_answer_costs_what_the_rules_say(
    change: dict[str, Any], fold: tuple[int, int], alone: tuple[int, int], lost: tuple[int, int]
) -> None:
    found = _asked(replace(PAGAT, **change))
    assert found == Stakes(Price(*lost), Price(*fold), Price(*alone))


def test_what_the_third_has_said_or_cannot_say_leaves_one_price() -> None:
    plain = replace(PAGAT, **PLAIN)
    assert _asked(plain, "challenge") == Stakes(Price(3, 3), Price(3, 3))
    assert _asked(plain, "fold") == Stakes(Price(3, 3), None, Price(1, 1))
    assert _asked(plain, alone=True) == Stakes(Price(3, 3), None, Price(1, 1))


def test_who_never_opened_pays_for_being_burned() -> None:
    anyone = replace(PAGAT, challenge_requirement="anyone", **PLAIN)
    assert _asked(anyone, opened=False).fold_alone == Price(2, 2)


def _caller(rules: Rules, *melds: int, hand: tuple[str, ...] = ("AC", "2D")) -> Stakes:
    """Seat 0 may call; the seats in `melds` have opened."""
    cards = (["6C", "6D", "6H"], ["TC", "TD", "TH"], ["9C", "9H", "9S"])
    state = {
        "hands": [list(hand), ["5S", "5D"], ["8H", "QH", "JC", "KS"]],
        "turn": 0,
        "phase": "start",
        "melds": [{"owner": seat, "cards": cards[seat]} for seat in (0, *melds)],
        "rest": "stock",
        "own_turns": [1, 1, 1],
    }
    return stakes(engine.view(scenarios.position_of(state, rules), 0, range(54)), FRESH)


def test_a_call_wins_with_the_own_bonuses_and_from_the_burned() -> None:
    assert _caller(PAGAT, 1, 2) == Stakes(lost=Price(3, None), unchallenged=Price(4, 4))
    assert _caller(PAGAT, 1) == Stakes(lost=Price(3, None), unchallenged=Price(5, 5))


def test_a_call_that_nobody_may_take_up_cannot_be_lost() -> None:
    assert _caller(PAGAT) == Stakes(lost=None, unchallenged=Price(6, 6))


def test_a_second_straight_win_is_part_of_the_price() -> None:
    rules = replace(PAGAT, jackpot_wins=3, jackpot_second_win_bonus=7, **PLAIN)
    lucky = replace(FRESH, streak_seat=0, streak_length=1)
    view = engine.view(scenarios.position_of(_CALLING, rules), 0, range(54))
    assert stakes(view, lucky).unchallenged == Price(2 + 14, 2 + 14)
    assert stakes(view, FRESH).unchallenged == Price(2, 2)


_CALLING = {
    "hands": [["2C", "2D"], ["5S", "5D"], ["8H", "QH"]],
    "turn": 0,
    "phase": "start",
    "melds": [
        {"owner": 0, "cards": ["6C", "6D", "6H"]},
        {"owner": 1, "cards": ["TC", "TD", "TH"]},
        {"owner": 2, "cards": ["9C", "9H", "9S"]},
    ],
    "rest": "stock",
    "own_turns": [1, 1, 1],
}


def _within(price: Price | None, chips: int) -> bool:
    return price is not None and price.least <= chips and (price.most is None or chips <= price.most)


def _foretold(position: Position, seat: int, view: View, end: Position, net: int, winner: int) -> str:
    """Which of the stakes came true; fails if the chips are not within it."""
    found = stakes(view, FRESH)
    if winner == seat:
        if position.caller is None and not challengers(end):
            assert _within(found.unchallenged, net)
            return "unchallenged"
        return "won"
    if seat not in folders(end):
        assert _within(found.lost, -net)
        return "lost"
    if challengers(end):
        assert _within(found.fold, -net)
        return "fold"
    assert _within(found.fold_alone, -net)
    return "fold alone"


@pytest.mark.parametrize("name", [*PRESETS, "random"])
def test_every_fight_is_paid_as_foretold(name: str) -> None:
    rng = random.Random(23)
    seen: Counter[str] = Counter()
    for _ in range(150):
        rules = random_rules(rng) if name == "random" else PRESETS[name]
        faces = shuffled(rules, rng)
        positions, _ = play_on(engine.deal(rules, 0), faces, [any_move] * 3, rng)
        end = positions[-1]
        if end.end is not EndKind.DRAW:
            continue
        settled = scoring.settle(rules, FRESH, end, faces)
        if settled.winner is None or settled.fouls:
            continue
        sagasa = [0, 0, 0]
        for line in settled.lines:
            if line.reason == "sagasa" and line.from_ is not None and line.to is not None:
                sagasa[line.from_] -= line.chips
                sagasa[line.to] += line.chips
        for position in positions:
            seat = position.turn
            called = position.phase is Phase.START and seat == end.caller and position is positions[-2]
            if seat is None or not (called or position.phase is Phase.ANSWERS):
                continue
            net = settled.net[seat] - sagasa[seat]
            view = engine.view(position, seat, faces)
            seen[_foretold(position, seat, view, end, net, settled.winner)] += 1
    assert sum(seen.values()) > 20, seen
    assert {"lost", "fold alone"} & set(seen)
