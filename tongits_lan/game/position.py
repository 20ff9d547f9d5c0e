"""The public position of a hand, the same on every machine, and a seat's view of it.

Owns the shapes; decides nothing. Holds slots only: a face is here when all three players know it.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

import msgspec

from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.moves import EndKind, Word
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import MeldKind

Hands = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class Faces(Protocol):
    """The card of each slot: a dict or a list."""

    def __getitem__(self, slot: int, /) -> int: ...


class Phase(StrEnum):
    """What the seat on turn may do (rules.md 3)."""

    SPREAD = "spread"
    START = "start"
    ACTION = "action"
    ANSWERS = "answers"
    OVER = "over"


class TableMeld(msgspec.Struct, frozen=True, gc=False):
    """A meld on the table; the tuples run in parallel, in ascending order of `stands`.

    Face down: `cards` is four times None and `stands` is empty.
    """

    owner: int
    kind: MeldKind
    slots: tuple[int, ...]
    cards: tuple[int | None, ...]
    stands: tuple[int, ...]
    """The natural card each one is or stands for."""
    by: tuple[int, ...]
    """The seat that laid each card."""
    face_down: bool = False

    @property
    def wild(self) -> tuple[int, ...]:
        """What the jokers stand for, in the order of the jokers in `cards`."""
        return (
            tuple(s for c, s in zip(self.cards, self.stands, strict=True) if c is not None and c >= NATURALS)
            if not self.face_down
            else ()
        )


class Lock(msgspec.Struct, frozen=True, gc=False):
    """Why a seat may not call: `by` laid `cards` at meld `meld`; `lasting` = to the end of the hand.

    `new_meld` = the meld itself is the cause (`meld4_is_self_sapaw`), not a lay-off on it. `meld` -1: the
    cause is not known (a position set up by hand).
    """

    by: int
    meld: int
    cards: tuple[int, ...]
    lasting: bool = False
    new_meld: bool = False


Locks = tuple[Lock | None, Lock | None, Lock | None]


class Suspect(msgspec.Struct, frozen=True, gc=False):
    """A discard that fitted an exposed meld; only the opened cards tell whether it was allowed.

    `hand` = the slots held at that moment with the discarded one; `fits` = bit c set: card c fitted.
    """

    seat: int
    slot: int
    hand: tuple[int, ...]
    fits: int


class Position(msgspec.Struct, frozen=True, gc=False):
    """All that the three players know together; a new one for every move."""

    rules: Rules
    dealer: int
    turn: int | None
    """The seat that moves next; in `answers` the seat asked; None when play is over."""
    phase: Phase
    hands: Hands
    """The slots each seat holds, ascending."""
    melds: tuple[TableMeld, ...]
    discards: tuple[Laid, ...]
    """Bottom to top."""
    stock: tuple[int, ...]
    """Next card first."""
    last_drawer: int | None = None
    """The seat that drew the latest stock card."""
    drew: int | None = None
    """The slot drawn from the stock in this turn."""
    melds_at_draw: int = 0
    """How many melds lay on the table when this turn's card was drawn."""
    caller: int | None = None
    answers: tuple[tuple[int, Word, bool], ...] = ()
    """(seat, word, automatic) in the order given."""
    locks: Locks = (None, None, None)
    own_turns: tuple[int, int, int] = (0, 0, 0)
    """Completed turns of each seat."""
    passes: int = 0
    """Seats that have claimed no spread."""
    shown: tuple[Laid, ...] = ()
    """Cards still in hands that were shown with a call, an answer or a spread."""
    sagasas: tuple[int, ...] = ()
    """The seats that completed a trio with a drawn card, once for each time."""
    suspects: tuple[Suspect, ...] = ()
    end: EndKind | None = None
    end_seat: int | None = None

    @property
    def locked(self) -> tuple[bool, bool, bool]:
        """Whether each seat has the sapaw lock set (rules.md 4.3)."""
        a, b, c = self.locks
        return (a is not None, b is not None, c is not None)

    def opened(self, seat: int) -> bool:
        """Whether the seat owns a meld on the table, face up or face down."""
        return any(meld.owner == seat for meld in self.melds)


class View(msgspec.Struct, frozen=True, gc=False):
    """What one seat sees: the position and the faces of the slots in its own hand."""

    seat: int
    position: Position
    faces: Mapping[int, int]
