"""What a seat can tell from its view: its split, which cards may still come, what the others may hold.

Owns the guesses of a bot as plain numbers; decides nothing.
"""

from collections.abc import Iterable

import msgspec

from tongits_lan.game.cards import NATURALS, RANKS, points
from tongits_lan.game.engine import Phase, Position, View
from tongits_lan.game.melds import Arrangement, arrange, deadwood

_MEAN_POINTS = 6.5  # of a card nobody has seen
_KEPT_AT_LEAST = 0.4  # of the points of a hand, however long it was sorted
_SHED_PER_TURN = 0.06


class Sight(msgspec.Struct, frozen=True):
    """A view with what follows from it: the own cards, their best split, and the cards not seen yet."""

    view: View
    hand: frozenset[int]
    split: Arrangement
    unseen: frozenset[int]

    @property
    def position(self) -> Position:
        """The public position."""
        return self.view.position

    @property
    def opened(self) -> bool:
        """Whether the own seat has laid a meld."""
        return self.position.opened(self.view.seat)

    def without(self, cards: Iterable[int]) -> int:
        """The count (points) of the own hand without some cards."""
        return deadwood(self.hand.difference(cards), self.position.rules)


def look(view: View) -> Sight:
    """The sight of a view."""
    position = view.position
    hand = frozenset(view.faces.values())
    seen = set(hand)
    seen.update(card for _, card in position.discards)
    for meld in position.melds:
        seen.update(card for card in meld.cards if card is not None)
    seen.update(card for _, card in position.shown)
    unseen = frozenset(range(position.rules.n)) - seen
    return Sight(view, hand, arrange(hand, position.rules), unseen)


def partners(card: int, cards: Iterable[int], unseen: frozenset[int]) -> int:
    """How many unseen natural cards would make a meld of a loose card and one of these others."""
    if card >= NATURALS:
        return RANKS  # a joker goes with nearly everything
    outs: set[int] = set()
    for other in cards:
        if other == card or other >= NATURALS:
            continue
        if (other - card) % RANKS == 0:
            outs.update(c for c in range(card % RANKS, NATURALS, RANKS) if c not in (card, other))
        elif other // RANKS == card // RANKS and abs(other - card) <= 2:
            low, high = min(card, other), max(card, other)
            span = {low + 1} if high - low == 2 else {low - 1, high + 1}
            outs.update(c for c in span if 0 <= c < NATURALS and c // RANKS == card // RANKS)
    return len(outs & unseen)


def guessed_count(position: Position, seat: int) -> float:
    """A guess at what another seat's hand counts (points), from its size and the turns it has had."""
    kept = max(_KEPT_AT_LEAST, 0.85 - _SHED_PER_TURN * position.own_turns[seat])
    return len(position.hands[seat]) * _MEAN_POINTS * kept


def is_late(position: Position) -> bool:
    """Whether few stock cards are left."""
    return position.phase is not Phase.SPREAD and len(position.stock) <= 4


def worth(card: int, joker: int) -> int:
    """What a loose card counts (points)."""
    return points(card) if card < NATURALS else joker
