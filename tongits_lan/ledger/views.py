"""What one seat may see of its table: one frozen value for a screen, a bot or a line of output.

Owns the shape of the view and how it is made from the public state and what this seat knows. Must not know:
seeds, keys, links, time beyond the seconds it is given.
"""

import msgspec

from tongits_lan.game.engine import Position
from tongits_lan.game.moves import Move
from tongits_lan.game.rules import Rules
from tongits_lan.game.scoring import Match
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.ledger.state import Due, HandRecord, Phase


class TableView(msgspec.Struct, frozen=True):
    """Everything seat `me` may know now, and everything it may do now."""

    me: int
    table_id: bytes
    rules: Rules
    names: tuple[str, str, str]
    """Cleaned for display."""
    bots: tuple[bool, bool, bool]
    """Seats run by a program of somebody else's machine."""
    height: int
    head: bytes
    phase: Phase
    due: Due | None
    hand_no: int
    """The running or just settled hand; 0 before the first."""
    match: Match
    """Outcome after the last counted hand, or where the table stopped; after closing the pot is split."""
    ante_pot: int
    """The pot to show: what stood in it and the antes of the running hand."""
    dealer: int | None
    position: Position | None
    faces: dict[int, int]
    """Slot -> card code, for every slot this seat may know."""
    legal: tuple[Move, ...]
    """Moves this seat may submit now."""
    words: tuple[str, str, str, str] | None
    words_confirmed: bool
    proofs: tuple[bool, bool, bool]
    """Seats whose proofs of this hand hold."""
    record: HandRecord | None
    """The last counted hand."""
    records_count: int
    closed: bool
    stopped: Stop | None
    links: tuple[Reach, Reach, Reach]
    awaited_since: float | None
    """Seconds of the caller's clock; None while nobody is missed."""
    grace_over: bool
    can_confirm_words: bool
    can_go_on: bool
    can_leave: bool
    can_give_up: bool
    giving_up: bool
    """The hand is given up as soon as this seat's turn to write comes."""
    level: bool
    """Every linked seat holds the same head."""
    secrets_lost: bool = False
    """This seat's stored secrets do not fit the ledger: it signs nothing more in this hand."""
