"""Whole hands under every rule set: all the ways a hand ends, three level tables, and a spread for real."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.circle import Circle
from tests.hands import play_on, shuffled
from tests.scripted import Spreading
from tongits_lan.bots import choose
from tongits_lan.errors import Code, PeerFault
from tongits_lan.game import engine, scoring
from tongits_lan.game.cards import parse_card
from tongits_lan.game.engine import View
from tongits_lan.game.moves import Call, Move, Pass, Spread
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.messages import ClaimSpread
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.verify import verify
from tongits_lan.ledger.views import TableView
from tongits_lan.store import house_rules

HANDS = 200
TEN = """
preset = "wikipedia"
next_dealer = "rotate"
discard_take = "new_meld_or_any"
discard_fit_ban = true
lock_by_others = "rest_of_round"
stock_end = "on_failed_draw"
sagasa_bonus = 2
jackpot_wins = 3
jackpot_second_win_bonus = 4
fold_fee = 5
fold_fee_to = "pot"
"""
RULES: dict[str, Rules] = {**PRESETS, "ten": house_rules.parse(TEN, "ten.toml")}
_SPREAD = ("AS", "2S", "3S", "7H", "7D", "7C", "TC", "JC", "QC", "KD", "KH", "KS")
_MELDED = [parse_card(c) for c in _SPREAD]


def _calm(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    """A bot that calls no draw, so that the stock runs out."""
    return choose(view, [move for move in legal if not isinstance(move, Call)], rng)


def _with_a_spread(rules: Rules, dealer: int, rng: random.Random) -> list[int]:
    """A shuffle in which the seat to the dealer's right is dealt nothing but melds."""
    faces = shuffled(rules, rng)
    for slot, card in zip(engine.deal(rules, dealer).hands[(dealer + 1) % 3], _MELDED, strict=True):
        other = faces.index(card)
        faces[slot], faces[other] = faces[other], faces[slot]
    return faces


@pytest.mark.parametrize("name", list(RULES))
def test_every_way_to_end_comes_up_and_no_chip_is_lost(name: str) -> None:
    """Two hundred hands of one match: bots, now and then patient ones, and one deal that is a spread."""
    rules, rng = RULES[name], random.Random(17)
    match = replace(scoring.fresh_match(), dealer=0)
    ends: Counter[str] = Counter()
    for hand in range(HANDS):
        assert match.dealer is not None
        faces = _with_a_spread(rules, match.dealer, rng) if hand == 100 else shuffled(rules, rng)
        chooser = _calm if hand % 4 == 0 else choose
        positions, _ = play_on(engine.deal(rules, match.dealer), faces, [chooser] * 3, rng)
        settlement = scoring.settle(rules, match, positions[-1], faces)
        how = {True: " challenged", False: " unchallenged"}[settlement.challenged]
        ends[settlement.end + (how if settlement.end == "draw" else "")] += 1
        match = settlement.match
        assert sum(match.chips) + match.pot == 0
        assert not settlement.fouls
        if rules.fold_fee_to != "pot":
            assert sum(settlement.net) == 0
    spread = {"spread"} if rules.spread == "jackpot" else set()
    assert set(ends) == {"tongits", "draw challenged", "draw unchallenged", "stock"} | spread


def _bot(view: TableView, rng: random.Random) -> Move:
    assert view.position is not None
    return choose(engine.view(view.position, view.me, view.faces), view.legal, rng)


@pytest.mark.parametrize("name", list(RULES))
def test_three_tables_stay_level_under_every_rule_set(name: str) -> None:
    circle = Circle(f"endings {name}", rules=RULES[name], choose=_bot, verdicts={})
    for _ in range(2):
        circle.play_hand()
    circle.leave()
    circle.assert_level()
    views = [circle.view(seat) for seat in range(3)]
    assert all(view.closed and view.stopped is None and view.rules == RULES[name] for view in views)
    report = verify(
        parse_file(ledger_bytes(circle.cast.descriptor.raw, circle.shelves[2].entries)), proofs=False
    )
    assert (report.status, len(report.records), report.closed) == ("fair", 2, True)
    assert report.chips == views[0].match.chips == views[1].match.chips == views[2].match.chips


def test_a_spread_is_claimed_accepted_settled_and_verified() -> None:
    script = Spreading()
    script.until(Phase.SPREAD)
    asked = []
    while script.state.phase is Phase.SPREAD:
        seat = script.writer()
        asked.append(seat)
        legal = engine.legal_moves(script.view(seat))
        claims = [move for move in legal if isinstance(move, Spread)]
        script.move(claims[0] if claims else Pass())
    assert asked == [1, 2]
    script.play_hand()
    settlement = script.state.records[-1].settlement
    assert (settlement.end, settlement.winner, settlement.burned) == ("spread", 2, ())
    assert settlement.counts is not None
    # joker: the difference of the counts, and ten more as for tongits
    for loser in (0, 1):
        bonus = sum(
            line.chips for line in settlement.lines if line.from_ == loser and line.reason == "secret"
        )
        assert settlement.net[loser] == -(max(1, settlement.counts[loser]) + 10 + bonus)
    assert settlement.pot_paid == 6
    assert settlement.match.streak_seat is None
    report = verify(parse_file(ledger_bytes(script.descriptor.raw, script.entries)), proofs=False)
    assert (report.status, len(report.records)) == ("fair", 1)


def test_a_spread_that_is_none_is_refused_by_everybody() -> None:
    script = Spreading()
    script.until(Phase.SPREAD)
    seat = script.writer()
    hand = script.state.hand
    assert hand is not None
    assert hand.position is not None
    keys = b"".join(script.secrets(seat).k[slot] for slot in hand.position.hands[seat])
    with pytest.raises(PeerFault) as fault:
        script.write(ClaimSpread(keys))
    assert (fault.value.code, fault.value.seat) == (Code.RULES, seat)
