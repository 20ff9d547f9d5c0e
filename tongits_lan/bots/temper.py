"""How boldly a computer player plays, and the neighbours that are called in for practice.

Owns the numbers of each temperament and the names; decides nothing (player.py does).
"""

import msgspec


class Temper(msgspec.Struct, frozen=True):
    """What one player makes of equal cards. Shares are of a guess at a rival's count."""

    call_always: int = 5
    """Points: with so few a fight is called whatever the others may hold."""
    call_share: float = 0.9
    """Of the lowest guess at a rival's count: below it a fight is called."""
    challenge_share: float = 0.45
    """Of the guess at the caller's count, who holds less than most: below it a call is answered."""
    open_worth: int = 8
    """Points given up gladly for the first own meld."""
    card_worth: int = 3
    """Points given up for one card fewer in hand, which brings tongits nearer."""
    out_worth: float = 6.0
    """Points for each unseen card that would complete a meld, early in the hand."""
    lock_worth: int = 9
    """Points: below this a call next turn is wanted, so the own melds are left alone."""


STEADY = Temper()
CAREFUL = Temper(
    call_always=2,
    call_share=0.6,
    challenge_share=0.28,
    open_worth=5,
    card_worth=1,
    out_worth=3.5,
    lock_worth=6,
)
BOLD = Temper(
    call_always=9,
    call_share=1.15,
    challenge_share=0.65,
    open_worth=12,
    card_worth=5,
    out_worth=8,
    lock_worth=13,
)
SOUND = Temper(
    call_always=12,
    call_share=1.15,
    challenge_share=0.9,
    open_worth=10,
    card_worth=4,
    out_worth=6,
    lock_worth=13,
)
"""What the coach advises: of those tried it won the most chips from each of the others."""


class Neighbour(msgspec.Struct, frozen=True):
    """Somebody from next door: a name and a temper."""

    name: str
    temper: Temper


NEIGHBOURS: tuple[Neighbour, ...] = (
    Neighbour("Mang Berto", STEADY),
    Neighbour("Aling Nena", CAREFUL),
    Neighbour("Kuya Jun", BOLD),
)
"""All of them; any two sit at a practice table."""


def temper_of(name: str) -> Temper:
    """The temper of the neighbour of that name; of anybody else a steady one."""
    return next((one.temper for one in NEIGHBOURS if one.name == name), STEADY)
