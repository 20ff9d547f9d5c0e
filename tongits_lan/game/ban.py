"""Which cards fit an exposed meld right now: what `discard_fit_ban` asks (rules.md 3.7)."""

from collections.abc import Iterable

from tongits_lan.game.cards import NATURALS
from tongits_lan.game.position import Position
from tongits_lan.game.shapes import extensions, mask_of

_NATURAL_MASK = (1 << NATURALS) - 1
_JOKER = (NATURALS,)  # both jokers fit alike


def fits_of(position: Position) -> int:
    """A bit mask of the cards, jokers included, any of which alone could be laid off on an exposed meld."""
    rules = position.rules
    fits = 0
    for meld in position.melds:
        if meld.face_down:
            continue
        has = sum(c is not None and c >= NATURALS for c in meld.cards)
        for cards, _ in extensions(meld.kind, meld.stands, has, _NATURAL_MASK, (), rules):
            if len(cards) == 1:
                fits |= 1 << cards[0]
        if rules.jokers:
            joker = extensions(meld.kind, meld.stands, has, 0, _JOKER, rules)
            if any(len(cards) == 1 for cards, _ in joker):
                fits |= 3 << NATURALS
    return fits


def banned(hand: Iterable[int], fits: int) -> int:
    """A bit mask of the cards of a hand that may not be discarded; none while all of them fit."""
    mask = mask_of(hand)
    return mask & fits if mask & ~fits else 0
