"""Which cards fit an exposed meld right now: what `discard_fit_ban` asks (rules.md 3.7)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tongits_lan.game.cards import NATURALS, RANKS
from tongits_lan.game.position import Position
from tongits_lan.game.shapes import MeldKind, jokers_fit, mask_of

_JOKERS = 3 << NATURALS  # both jokers fit alike
_KEPT = 4_096  # answers remembered


def fits_of(position: Position) -> int:
    """A bit mask of the cards, jokers included, any of which alone could be laid off on an exposed meld."""
    rules = position.rules
    fits = 0
    for meld in position.melds:
        if meld.face_down:
            continue
        places = _places(meld.kind, meld.stands)
        fits |= places
        if rules.jokers and places:
            has = sum([c is not None and c >= NATURALS for c in meld.cards])
            if jokers_fit(len(meld.cards) - has, has + 1, rules):
                fits |= _JOKERS
    return fits


@lru_cache(_KEPT)
def _places(kind: MeldKind, stands: Sequence[int]) -> int:
    """The natural cards that extend a meld by one: those next to a run, the missing fourth of a set."""
    low, high = stands[0], stands[-1]
    if kind is MeldKind.SET:
        return mask_of(c for c in range(low % RANKS, NATURALS, RANKS) if c not in stands)
    below = 1 << low - 1 if low % RANKS else 0
    above = 1 << high + 1 if (high + 1) % RANKS else 0
    return below | above


def banned(hand: Iterable[int], fits: int) -> int:
    """A bit mask of the cards of a hand that may not be discarded; none while all of them fit."""
    mask = mask_of(hand)
    return mask & fits if mask & ~fits else 0
