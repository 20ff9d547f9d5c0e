"""Random rule sets, shuffles and hands for the tests of the game, all from seeded generators."""

import random
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from tongits_lan.game import engine, scoring
from tongits_lan.game.cards import NATURALS
from tongits_lan.game.engine import Position, View
from tongits_lan.game.moves import Event, Move
from tongits_lan.game.rules import OPTIONS, PRESETS, Rules, values_of
from tongits_lan.game.scoring import Match, Settlement
from tongits_lan.game.shapes import jokers_fit, kind_of

Chooser = Callable[[View, Sequence[Move], random.Random], Move]


def random_rules(rng: random.Random) -> Rules:
    """A rule set with every option drawn by lot; amounts are small, so that sums can be read."""
    row: dict[str, Any] = {}
    for option in OPTIONS:
        values = values_of(option)
        row[option] = rng.choice(values if len(values) < 100 else range(10))
    if rng.random() < 0.5:
        row["fold_fee"] = None
    return replace(PRESETS["pagat"], **row)


def shuffled(rules: Rules, rng: random.Random) -> list[int]:
    """The card of every slot."""
    faces = list(range(rules.n))
    rng.shuffle(faces)
    return faces


def any_move(_view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    """A player without a plan."""
    return rng.choice(legal)


def play_on(
    position: Position,
    faces: Sequence[int],
    choosers: Sequence[Chooser],
    rng: random.Random,
    most: int = 400,
) -> tuple[list[Position], list[Event]]:
    """Plays to the end, at most so many moves: every position on the way and every event."""
    positions = [position]
    events: list[Event] = []
    for _ in range(most):
        seat = position.turn
        if seat is None:
            break
        view = engine.view(position, seat, faces)
        move = choosers[seat](view, engine.legal_moves(view), rng)
        position, happened = engine.apply(position, seat, move)
        positions.append(position)
        events += happened
    return positions, events


def hand_of(
    rules: Rules, match: Match, choosers: Sequence[Chooser], rng: random.Random
) -> tuple[Position, Settlement]:
    """One hand dealt, played and settled."""
    assert match.dealer is not None
    faces = shuffled(rules, rng)
    positions, _ = play_on(engine.deal(rules, match.dealer), faces, choosers, rng)
    assert positions[-1].turn is None, "the hand did not end"
    return positions[-1], scoring.settle(rules, match, positions[-1], faces)


def readings(cards: Sequence[int], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Every `wild` with which the cards, as laid from a hand, are one meld under the rules."""
    jokers = [c for c in cards if c >= NATURALS]
    naturals = [c for c in cards if c < NATURALS]
    if not jokers_fit(len(naturals), len(jokers), rules):
        return ()
    free = [c for c in range(NATURALS) if c not in naturals]
    return tuple(
        wild for wild in permutations(free, len(jokers)) if kind_of(sorted([*naturals, *wild])) is not None
    )
