"""A sensible player: opens early, keeps what may become a meld, lays off, and fights with a low count.

Owns the decisions; takes only moves it is given, so it can never make an illegal one.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

from tongits_lan.bots.estimate import (
    Sight,
    guessed_count,
    is_late,
    look,
    partners,
    worth,
)
from tongits_lan.bots.temper import STEADY, Temper
from tongits_lan.game.cards import NATURALS
from tongits_lan.game.engine import View
from tongits_lan.game.entitle import may_challenge
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Hide, Meld, Move, Pass, Sapaw, Spread, Take

_M = TypeVar("_M", bound=Move)


def choose(view: View, legal: Sequence[Move], rng: random.Random, temper: Temper = STEADY) -> Move:
    """One of the legal moves; `rng` breaks ties, so equal seeds play equal games."""
    if len(legal) == 1:
        return legal[0]
    sight = look(view)
    first = legal[0]
    match first:
        case Spread():
            return first
        case Answer() | Pass():
            return _answer(sight, legal, temper)
        case _:
            pass
    starts = any(isinstance(move, Draw | Take | Call) for move in legal)
    return _start(sight, legal, temper) if starts else _act(sight, legal, rng, temper)


def _of(legal: Sequence[Move], kind: type[_M]) -> list[_M]:
    return [move for move in legal if isinstance(move, kind)]


def _answer(sight: Sight, legal: Sequence[Move], temper: Temper) -> Move:
    position = sight.position
    assert position.caller is not None
    challenge = next((m for m in _of(legal, Answer) if m.word == "challenge"), None)
    fold = next(m for m in _of(legal, Answer) if m.word == "fold")
    bar = max(temper.call_always, guessed_count(position, position.caller) * temper.challenge_share)
    return challenge if challenge is not None and sight.split.count <= bar else fold


def _start(sight: Sight, legal: Sequence[Move], temper: Temper) -> Move:
    calls = _of(legal, Call)
    if calls and _wants_call(sight, temper):
        return calls[0]
    takes = _of(legal, Take)
    if takes:
        best = min(takes, key=lambda take: sight.without(c for _, c in take.cards))
        left = sight.without(c for _, c in best.cards)
        gain = temper.card_worth if sight.opened else temper.open_worth
        if left <= sight.split.count + gain:
            return best
    draws = _of(legal, Draw)
    return draws[0] if draws else legal[0]


def _wants_call(sight: Sight, temper: Temper) -> bool:
    position = sight.position
    count = sight.split.count
    rivals = [seat for seat in range(3) if seat != sight.view.seat and may_challenge(position, seat)]
    if not rivals or count <= temper.call_always:
        return True
    lowest = min(guessed_count(position, seat) for seat in rivals)
    return count < lowest * temper.call_share


def _act(sight: Sight, legal: Sequence[Move], rng: random.Random, temper: Temper) -> Move:
    lay = _lay(sight, legal)
    if lay is not None:
        return lay
    off = _lay_off(sight, legal, temper)
    if off is not None:
        return off
    discards = _of(legal, Discard)
    return max(discards, key=lambda move: (_price(sight, move.card[1], temper), rng.random()))


def _lay(sight: Sight, legal: Sequence[Move]) -> Move | None:
    """A meld of the best split: to open, or all of them when that empties the hand."""
    split = sight.split
    if not split.melds or (sight.opened and not _goes_out(sight, legal)):
        return None
    wanted = {tuple(sorted(meld)) for meld in split.melds}
    hides = [m for m in _of(legal, Hide) if tuple(sorted(sight.view.faces[s] for s in m.slots)) in wanted]
    if hides:
        return hides[0]
    lays = [m for m in _of(legal, Meld) if tuple(sorted(c for _, c in m.cards)) in wanted]
    # a set of four stays in hand for its bonus while another meld can open
    return min(lays, key=lambda m: _is_secret_set([c for _, c in m.cards]), default=None)


def _is_secret_set(cards: Sequence[int]) -> bool:
    naturals = [c for c in cards if c < NATURALS]
    return len(naturals) == 4 and len({c % 13 for c in naturals}) == 1


def _goes_out(sight: Sight, legal: Sequence[Move]) -> bool:
    """Whether at most one card would stay if every meld and every lay-off of loose cards were laid."""
    off = {c for m in _of(legal, Sapaw) for _, c in m.cards}
    return sum(card not in off for card in sight.split.loose) <= 1


def _lay_off(sight: Sight, legal: Sequence[Move], temper: Temper) -> Move | None:
    """Loose cards onto the table; onto an own meld only when no call is wanted next turn."""
    position = sight.position
    loose = set(sight.split.loose)
    best: Sapaw | None = None
    saved = 0
    for move in _of(legal, Sapaw):
        cards = [c for _, c in move.cards]
        if not loose.issuperset(cards):
            continue
        rest = sight.without(cards)
        own = position.melds[move.meld].owner == sight.view.seat
        locks = own and position.rules.lock_by_self != "none"
        if locks and rest <= temper.lock_worth and not is_late(position) and not _goes_out(sight, legal):
            continue
        if sight.split.count - rest + len(cards) > saved:
            best, saved = move, sight.split.count - rest + len(cards)
    return best


def _price(sight: Sight, card: int, temper: Temper) -> float:
    """How gladly a card is thrown: its points, less what it may still become."""
    position = sight.position
    joker = position.rules.joker_deadwood
    if card not in sight.split.loose:
        return sight.split.count - sight.without([card]) - 10.0
    late = min(1.0, len(position.stock) / 10)
    hope = partners(card, sight.split.loose, sight.unseen) * temper.out_worth * late
    return worth(card, joker) - hope
