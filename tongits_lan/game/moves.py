"""Moves (what a player may do) and events (what has happened), as closed unions of frozen structs.

Owns their shapes; knows no rule. A laid card is a pair (slot, card). The canonical form of a move names
the slots in ascending order and states in `wild` one natural card per joker laid now, in slot order
(in `Take` a taken joker comes first). Exactly the canonical form is legal. Sources: rules.md 3 to 5, 8.
"""

from enum import StrEnum
from typing import Literal

import msgspec

from tongits_lan.game.cards import Laid

Word = Literal["challenge", "fold"]


class EndKind(StrEnum):
    """How play of a hand ended."""

    TONGITS = "tongits"
    DRAW = "draw"
    STOCK = "stock"
    SPREAD = "spread"


class Draw(msgspec.Struct, frozen=True, gc=False):
    """Draw the top card of the stock (from an empty stock, where the rules allow it: end the hand)."""


class Take(msgspec.Struct, frozen=True, gc=False):
    """Take the top discard with `cards` of the hand: as a new meld (`meld` None) or onto meld `meld`."""

    meld: int | None
    cards: tuple[Laid, ...]
    wild: tuple[int, ...] = ()


class Meld(msgspec.Struct, frozen=True, gc=False):
    """Lay a new meld face up."""

    cards: tuple[Laid, ...]
    wild: tuple[int, ...] = ()


class Hide(msgspec.Struct, frozen=True, gc=False):
    """Lay a secret set of four face down; the others see four slots."""

    slots: tuple[int, ...]


class Sapaw(msgspec.Struct, frozen=True, gc=False):
    """Lay off cards on the table meld with this index."""

    meld: int
    cards: tuple[Laid, ...]
    wild: tuple[int, ...] = ()


class Discard(msgspec.Struct, frozen=True, gc=False):
    """Throw one card and end the turn."""

    card: Laid


class Call(msgspec.Struct, frozen=True, gc=False):
    """Call a Draw; `cards` is what entitles the caller, empty where the public position does."""

    cards: tuple[Laid, ...] = ()


class Answer(msgspec.Struct, frozen=True, gc=False):
    """Answer a Draw; `cards` is the special a challenger without an own meld shows."""

    word: Word
    cards: tuple[Laid, ...] = ()


class Spread(msgspec.Struct, frozen=True, gc=False):
    """Claim a spread, showing the whole hand."""

    cards: tuple[Laid, ...]


class Pass(msgspec.Struct, frozen=True, gc=False):
    """Claim no spread."""


Move = Draw | Take | Meld | Hide | Sapaw | Discard | Call | Answer | Spread | Pass


class Dealt(msgspec.Struct, frozen=True, gc=False):
    """The cards are dealt; `dealer` begins."""

    dealer: int


class Drew(msgspec.Struct, frozen=True, gc=False):
    """A seat drew a stock slot."""

    seat: int
    slot: int


class Took(msgspec.Struct, frozen=True, gc=False):
    """A seat took the top discard; `Melded` or `Sapawed` with all the cards follows."""

    seat: int
    slot: int
    card: int
    meld: int


class Melded(msgspec.Struct, frozen=True, gc=False):
    """A new meld lies face up at index `meld`; `wild` is what its jokers stand for, in slot order."""

    seat: int
    meld: int
    cards: tuple[Laid, ...]
    wild: tuple[int, ...]


class Hid(msgspec.Struct, frozen=True, gc=False):
    """Four slots lie face down as the meld with index `meld`."""

    seat: int
    meld: int
    slots: tuple[int, ...]


class Sapawed(msgspec.Struct, frozen=True, gc=False):
    """A seat laid off cards on the meld with index `meld`."""

    seat: int
    meld: int
    cards: tuple[Laid, ...]
    wild: tuple[int, ...]


class SagasaPaid(msgspec.Struct, frozen=True, gc=False):
    """A seat completed its trio with the card just drawn: each of the others pays it `chips`."""

    seat: int
    chips: int


class Discarded(msgspec.Struct, frozen=True, gc=False):
    """A seat threw a card."""

    seat: int
    slot: int
    card: int


class LockSet(msgspec.Struct, frozen=True, gc=False):
    """`seat` may not call a Draw at its next turn, because of what `by` laid at meld `meld`."""

    seat: int
    by: int
    meld: int


class Called(msgspec.Struct, frozen=True, gc=False):
    """A seat called a Draw, showing these cards."""

    seat: int
    shown: tuple[Laid, ...]


class Answered(msgspec.Struct, frozen=True, gc=False):
    """A seat answered; `automatic` where it had no choice and nobody asked it."""

    seat: int
    word: Word
    automatic: bool
    shown: tuple[Laid, ...]


class SpreadClaimed(msgspec.Struct, frozen=True, gc=False):
    """A seat showed a hand that is all melds right after the deal."""

    seat: int
    shown: tuple[Laid, ...]


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A seat claimed no spread."""

    seat: int


class Ended(msgspec.Struct, frozen=True, gc=False):
    """Play has ended; `seat` went out (tongits, spread) or called (draw), None for an empty stock."""

    kind: EndKind
    seat: int | None


Event = (
    Dealt
    | Drew
    | Took
    | Melded
    | Hid
    | Sapawed
    | SagasaPaid
    | Discarded
    | LockSet
    | Called
    | Answered
    | SpreadClaimed
    | Passed
    | Ended
)
