"""The neighbours: named in one place, different at the table, and each a fair player."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest
from msgspec.structs import replace

from tests.hands import Chooser, any_move, hand_of
from tongits_lan.bots import NEIGHBOURS, Neighbour, choose, temper_of
from tongits_lan.bots.temper import BOLD, CAREFUL, SOUND, STEADY, Temper
from tongits_lan.game import scoring
from tongits_lan.game.engine import View
from tongits_lan.game.moves import Answer, Call, Move
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX

HANDS = 120


class Counting:
    """A player of a temper who counts what it had a choice of, and what it chose."""

    def __init__(self, temper: Temper) -> None:
        self.temper = temper
        self.did: Counter[str] = Counter()

    def __call__(self, view: View, legal: Sequence[Move], rng: random.Random) -> Move:
        move = choose(view, legal, rng, self.temper)
        assert move in legal
        if any(isinstance(other, Call) for other in legal):
            self.did["could call"] += 1
            self.did["called"] += isinstance(move, Call)
        if any(isinstance(other, Answer) and other.word == "challenge" for other in legal):
            self.did["could challenge"] += 1
            self.did["challenged"] += isinstance(move, Answer) and move.word == "challenge"
        return move

    def share(self, did: str, could: str) -> float:
        return self.did[did] / self.did[could]


def net_of(players: Sequence[Chooser], hands: int = HANDS, seed: int = 11) -> list[int]:
    rng = random.Random(seed)
    match = replace(scoring.fresh_match(), dealer=0)
    net = [0, 0, 0]
    for hand in range(hands):
        _, settlement = hand_of(PRESETS["pagat"], match, players, rng)
        net = [a + b for a, b in zip(net, settlement.net, strict=True)]
        match = replace(settlement.match, dealer=hand % 3)
    return net


def test_the_bold_fight_more_and_the_careful_less() -> None:
    careful, steady, bold = (Counting(temper) for temper in (CAREFUL, STEADY, BOLD))
    net_of([careful, steady, bold])
    for did, could in (("called", "could call"), ("challenged", "could challenge")):
        assert careful.share(did, could) < steady.share(did, could) < bold.share(did, could), did


@pytest.mark.parametrize("neighbour", NEIGHBOURS, ids=lambda one: one.name)
def test_every_neighbour_beats_chance(neighbour: Neighbour) -> None:
    net = net_of([partial(choose, temper=neighbour.temper), any_move, any_move], hands=100)
    assert net[0] > 2 * max(net[1], net[2], 1)


@pytest.mark.parametrize("temper", [CAREFUL, STEADY, BOLD], ids=["careful", "steady", "bold"])
def test_what_the_coach_advises_wins_from_every_neighbour(temper: Temper) -> None:
    """One seat follows the advice, each seat in turn, against two of one temper."""
    won = 0
    for seat in range(3):
        players = [partial(choose, temper=temper)] * 3
        players[seat] = partial(choose, temper=SOUND)
        won += net_of(players, hands=100, seed=60 + seat)[seat]
    assert won > 0


def test_item_32_three_neighbours_with_names_and_tempers() -> None:
    names = [one.name for one in NEIGHBOURS]
    assert len(set(names)) == len(names) == 3
    assert all(clean(name, NAME_MAX) == name for name in names)
    assert len({one.temper for one in NEIGHBOURS}) == 3


def test_a_temper_is_found_by_name_and_a_stranger_is_steady() -> None:
    assert {temper_of(one.name) for one in NEIGHBOURS} == {STEADY, CAREFUL, BOLD}
    assert temper_of("Carlo") == STEADY
