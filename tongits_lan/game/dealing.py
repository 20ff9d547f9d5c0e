"""Which slots are dealt to whom (docs/protocol.md, "Keys and openings").

Owns the order of the deal. Must not know cards or rules: what lies in a slot is nobody's matter here.
"""

from tongits_lan.limits import SEATS

ROUND = 36
"""Slots 0..35 go round, one at a time, from the dealer on."""
DEALT = ROUND + 1
"""Slot 36 is the dealer's thirteenth card; the slots from 37 on are the stock."""


def dealt_round(dealer: int, seat: int) -> range:
    """The twelve slots that a seat gets in turn, ascending."""
    return range((seat - dealer) % SEATS, ROUND, SEATS)


def dealt_to(dealer: int, seat: int) -> tuple[int, ...]:
    """All slots that a seat is dealt, ascending: 13 for the dealer, 12 for the others."""
    return (*dealt_round(dealer, seat), *range(ROUND, DEALT if seat == dealer else ROUND))
