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
from tongits_lan.ledger.phases import due
from tongits_lan.ledger.state import Due, HandRecord, Phase, State
from tongits_lan.limits import SEATS


class Mine(msgspec.Struct, frozen=True):
    """What a seat's own table adds to the public state."""

    match: Match
    """Outcome after the last counted hand, or where the table stopped; after closing the pot is split."""
    faces: dict[int, int]
    """Slot -> card code, for every slot this seat may know."""
    legal: tuple[Move, ...]
    """Moves this seat may submit now."""
    words_confirmed: bool
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
    called_off: int | None
    """The seat whose player says that the table words differ: nothing is begun here. None: nobody."""
    secrets_lost: bool
    """This seat's stored secrets do not fit the ledger: it signs nothing more in this hand."""


class TableView(Mine, frozen=True):
    """Everything seat `me` may know now, and everything it may do now."""

    me: int
    table_id: bytes
    rules: Rules
    names: tuple[str, str, str]
    """Cleaned for display."""
    keys: tuple[bytes, bytes, bytes]
    """The public keys of the seats (32 bytes), by which a player is known whatever the name."""
    bots: tuple[bool, bool, bool]
    """Seats run by a program of somebody else's machine."""
    height: int
    head: bytes
    phase: Phase
    due: Due | None
    hand_no: int
    """The running or just settled hand; 0 before the first."""
    ante_pot: int
    """The pot to show: what stood in it and the antes of the running hand."""
    dealer: int | None
    position: Position | None
    words: tuple[str, str, str, str] | None
    proofs: tuple[bool, bool, bool]
    """Seats whose proofs of this hand hold."""
    record: HandRecord | None
    """The last counted hand."""
    records_count: int
    records: tuple[HandRecord, ...]
    """Every counted hand of this table, the first one first."""
    closed: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """The seats as turns go, this one first."""
        return self.me, (self.me + 1) % SEATS, (self.me + 2) % SEATS

    @property
    def is_over(self) -> bool:
        """Nothing moves here any more: it is closed, has stopped, or was called off."""
        return self.closed or self.stopped is not None or self.called_off is not None


def make_view(state: State, me: int, mine: Mine) -> TableView:
    """The view of seat `me`."""
    hand, (a, b, c) = state.hand, state.descriptor.seats
    return TableView(
        me=me,
        table_id=state.table_id,
        rules=state.descriptor.rules,
        names=state.descriptor.names,
        keys=(a.pk, b.pk, c.pk),
        bots=(a.operator_pk != a.pk, b.operator_pk != b.pk, c.operator_pk != c.pk),
        height=state.height,
        head=state.head,
        phase=state.phase,
        due=due(state),
        hand_no=0 if hand is None else hand.number,
        ante_pot=shown_pot(state, mine.match),
        dealer=None if hand is None else hand.dealer,
        position=None if hand is None else hand.position,
        words=state.words,
        proofs=(False, False, False) if hand is None else hand.proved,
        record=state.records[-1] if state.records else None,
        records_count=len(state.records),
        records=state.records,
        closed=state.closed,
        **msgspec.structs.asdict(mine),
    )


def shown_pot(state: State, outcome: Match) -> int:
    """The pot, with the antes of a running hand in it: they are paid when the hand counts."""
    if state.hand is None or state.phase in (Phase.SETTLE, Phase.CLOSED):
        return outcome.pot
    return outcome.pot + SEATS * state.hand.ante
