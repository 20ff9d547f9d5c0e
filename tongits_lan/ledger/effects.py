"""What one seat's table asks its caller to do: bytes to store, messages to send, links to close, jobs to run.

Owns the shapes of these orders, the events a table tells, and the box they are collected in. Must not know:
how a store, a link or a worker does its part, time, the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.messages import Differ, Entries, Get, Have, Presence, Reject
from tongits_lan.ledger.private import HandSecret
from tongits_lan.ledger.state import LedgerEvent
from tongits_lan.limits import CHAT_MAX, ENTRIES_PER_MESSAGE, FRAME_MAX

TableMessage = Have | Get | Entries | Reject | Presence | Differ
"""The link messages a table takes and sends."""


class AppendEntry(msgspec.Struct, frozen=True):
    """Append one accepted entry to the ledger file."""

    raw: bytes


class SaveSecret(msgspec.Struct, frozen=True):
    """Keep this (0600) in place of what is kept for the same hand."""

    secret: HandSecret


class EraseSecrets(msgspec.Struct, frozen=True):
    """Forget the secrets of every hand up to and including `up_to_hand`."""

    up_to_hand: int


class SaveEvidence(msgspec.Struct, frozen=True):
    """Write this evidence file (whole bytes) beside the ledger."""

    data: bytes


StoreOp = AppendEntry | SaveSecret | EraseSecrets | SaveEvidence


class Job(Protocol):
    """Work for a worker thread, to be run once: pure CPU, no entropy drawn, safe to drop."""

    @property
    def id(self) -> int:
        """Unique among the jobs of one table."""

    def __call__(self) -> object:
        """What `Table.finish` is to be given; it may hold secrets."""


class Reach(msgspec.Struct, frozen=True):
    """How a seat can be reached from here: `via` is the seat in between for "through"; `left` says of one
    that is away that its player closed the program, else the connection was lost."""

    kind: Literal["me", "direct", "through", "away"]
    via: int | None = None
    left: bool = False


class Stop(msgspec.Struct, frozen=True):
    """Why the table stopped for good; `seat` is None when nobody is convicted.

    `hand` is None before the first. `text` is for developers: lower case.
    """

    code: Code
    text: str
    seat: int | None
    hand: int | None
    height: int


class Awaited(msgspec.Struct, frozen=True):
    """The one who has to write is out of reach or silent; `since` is in seconds of the caller's clock."""

    seat: int
    kinds: tuple[str, ...]
    since: float


class Returned(msgspec.Struct, frozen=True):
    """A seat that was awaited is back or has written."""

    seat: int


class GraceOver(msgspec.Struct, frozen=True):
    """An awaited seat stayed away for the grace time: keep waiting, or leave the table pending."""

    seat: int


class LinkChanged(msgspec.Struct, frozen=True):
    """A seat is now reached in another way."""

    seat: int
    how: Reach


class Stopped(msgspec.Struct, frozen=True):
    """The table stopped for a fault; nothing moves any more."""

    fault: Stop


class CalledOff(msgspec.Struct, frozen=True):
    """The player of `seat` says that the table words differ: nothing is begun here, nothing was dealt."""

    seat: int


class RejectedByPeer(msgspec.Struct, frozen=True):
    """The program of `seat` refused an entry it was sent: for the log and the screen only."""

    seat: int
    code: str
    text: str


class Loaded(msgspec.Struct, frozen=True):
    """A table from the store was compared with the others; this seat signs again from this height on."""

    height: int


class SecretsLost(msgspec.Struct, frozen=True):
    """This seat's stored secrets and the ledger do not fit each other: it signs nothing more in this hand."""

    hand: int
    text: str


TableEvent = (
    LedgerEvent
    | Awaited
    | Returned
    | GraceOver
    | LinkChanged
    | Stopped
    | CalledOff
    | RejectedByPeer
    | Loaded
    | SecretsLost
)


@dataclass(frozen=True, slots=True)
class Effects:
    """All a table asks for since it was last asked.

    The caller performs every store op durably and in order before it sends anything of the same Effects.
    `send` holds (seat, message), `close` holds (seat, reason).
    """

    store: tuple[StoreOp, ...] = ()
    send: tuple[tuple[int, TableMessage], ...] = ()
    close: tuple[tuple[int, str], ...] = ()
    jobs: tuple[Job, ...] = ()
    events: tuple[TableEvent, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.store or self.send or self.close or self.jobs or self.events)


_MESSAGE_BYTES = 32  # kind, first height and array header of an `entries` message, generously
_ENTRY_BYTES = 5  # the longest header of a bin


def fits(entries: Sequence[bytes]) -> bool:
    """Whether these entries can travel in one `entries` message."""
    size = _MESSAGE_BYTES + sum(len(raw) + _ENTRY_BYTES for raw in entries)
    return len(entries) <= ENTRIES_PER_MESSAGE and size <= FRAME_MAX


def one_message(entries: Sequence[bytes], first: int) -> tuple[bytes, ...]:
    """As many of `entries` from height `first` on as can travel in one `entries` message."""
    size = _MESSAGE_BYTES
    for end in range(first, min(first + ENTRIES_PER_MESSAGE, len(entries))):
        size += len(entries[end]) + _ENTRY_BYTES
        if size > FRAME_MAX:
            return tuple(entries[first:end])
    return tuple(entries[first : first + ENTRIES_PER_MESSAGE])


class Outbox:
    """Collects orders in the order they are given; entries for one seat go together where they can."""

    def __init__(self) -> None:
        self.store: list[StoreOp] = []
        self.close: list[tuple[int, str]] = []
        self.jobs: list[Job] = []
        self.events: list[TableEvent] = []
        self._send: list[tuple[int, TableMessage]] = []

    def send(self, seat: int, message: TableMessage) -> None:
        """Order `message` to be sent to `seat`."""
        self._send.append((seat, message))

    def send_entry(self, seat: int, height: int, raw: bytes) -> None:
        """Order one entry to be sent, in the same message as the one before it where that is possible."""
        for place in range(len(self._send) - 1, -1, -1):
            to, last = self._send[place]
            if to != seat:
                continue
            if isinstance(last, Entries) and last.first + len(last.entries) == height:
                together = (*last.entries, raw)
                if fits(together):
                    self._send[place] = (seat, Entries(last.first, together))
                    return
            break
        self._send.append((seat, Entries(height, (raw,))))

    def reject(self, seat: int, height: int, fault: Fault | PeerFault) -> None:
        """Order the sender of an entry to be told why it was refused."""
        self._send.append((seat, Reject(height, fault.code, fault.text[:CHAT_MAX])))

    def take(self) -> Effects:
        """Everything ordered so far, leaving the box empty."""
        effects = Effects(
            tuple(self.store), tuple(self._send), tuple(self.close), tuple(self.jobs), tuple(self.events)
        )
        for kept in (self.store, self._send, self.close, self.jobs, self.events):
            kept.clear()
        return effects
