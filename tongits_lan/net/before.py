"""The table before this one: the same three sit down again, and what stood there is carried over.

Owns what a new table may continue (docs/protocol.md, "Descriptor"): a table of the same keys in the same
seats that is not closed, at the head its own copy has. Must not know links or lobbies.
"""

from dataclasses import dataclass
from pathlib import Path

from tongits_lan.errors import Fault, PeerFault, Refused
from tongits_lan.game.scoring import Match, start_match
from tongits_lan.ledger.accept import outcome
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.chain import Descriptor, parse_descriptor
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.state import SeedCommitted
from tongits_lan.store.journal import pending_tables, supersede


@dataclass(frozen=True, slots=True)
class Before:
    """An unclosed table as this seat's own copy has it."""

    table_id: bytes
    head: bytes
    seats: tuple[tuple[bytes, bytes], ...]
    """Key and operator key of each seat."""
    outcome: Match

    @property
    def reference(self) -> tuple[bytes, bytes]:
        """`previous` of a table that continues this one."""
        return self.table_id, self.head


def load_before(path: Path, head: bytes | None = None) -> Before | None:
    """The table in that ledger file, as it stands or as it stood at `head`; None for one that is closed or
    cannot be read, and where there is no such head."""
    try:
        parsed = parse_file(path.read_bytes())
        if parsed.descriptor_raw is None:
            return None
        descriptor = parse_descriptor(parsed.descriptor_raw)
        book = Book(descriptor, parsed.entries)
        if book.state.closed or (head is not None and head not in book.heads):
            return None
        at = book.height if head is None else book.heads.index(head)
        state = Book(descriptor, parsed.entries[:at]).state
    except (OSError, Fault, PeerFault):
        return None
    seats = tuple((seat.pk, seat.operator_pk) for seat in descriptor.seats)
    return Before(descriptor.table_id, state.head, seats, _carried(outcome(state)))


def _carried(match: Match) -> Match:
    """The outcome as a descriptor says it. Which ante was due is not among that: where the pot is empty a new
    table begins with the first one."""
    return start_match(match.chips, match.pot, match.streak_seat, match.streak_length, match.dealer)


def check_start(descriptor: Descriptor, data_dir: Path, me: bytes) -> None:
    """Whether a table that continues another starts where that one stands in the own copy. Raises Refused."""
    assert descriptor.previous is not None
    table_id, head = descriptor.previous
    path = next((t.path for t in pending_tables(data_dir, me) if t.descriptor.table_id == table_id), None)
    before = None if path is None else load_before(path)
    if before is None:
        raise Refused("The new table continues one that is not unfinished here: nothing was signed.")
    assert path is not None
    there = load_before(path, head)
    if there is None or there.outcome != before.outcome:  # own entries after it may confirm a hand, no more
        raise Refused(
            "The new table continues the old one at another point than your copy of it: nothing was signed."
            " Go on at the old table until all three are level, then open the new one."
        )
    if before.seats != tuple((seat.pk, seat.operator_pk) for seat in descriptor.seats):
        raise Refused("The new table continues one with other people or seats: nothing was signed.")
    if before.outcome != descriptor.start:
        raise Refused("The new table does not start where the old one stands: nothing was signed.")


def took_place(event: object, descriptor: Descriptor, data_dir: Path, me: bytes) -> None:
    """This player has compared the table words and begun: the table that this one continues is over. Until
    then a host in the middle could only have cost the new table. Raises UserError."""
    begun = isinstance(event, SeedCommitted) and descriptor.seats[event.seat].pk == me
    if begun and descriptor.previous is not None:
        supersede(data_dir, me, descriptor.previous[0])
