"""The table before this one: the same three sit down again, and what stood there is carried over.

Owns what a new table may continue (docs/protocol.md, "Descriptor"): a table of the same keys in the same
seats that is not closed, at the head its own copy has. Must not know links or lobbies.
"""

from dataclasses import dataclass
from pathlib import Path

from tongits_lan.errors import Fault, PeerFault, Refused
from tongits_lan.game.scoring import Match, start_match
from tongits_lan.ledger.accept import outcome
from tongits_lan.ledger.book import Book, trust
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


@dataclass(frozen=True, slots=True)
class Past:
    """An unclosed table in its own copy, walked through once: `heads[h]` and `outcomes[h]` are those after
    its first h entries."""

    table_id: bytes
    seats: tuple[tuple[bytes, bytes], ...]
    heads: tuple[bytes, ...]
    outcomes: tuple[Match, ...]

    def at(self, height: int) -> Before:
        """The table as it stood at that height."""
        return Before(self.table_id, self.heads[height], self.seats, self.outcomes[height])

    def as_it_stands(self) -> Before:
        """The table at its end."""
        return self.at(len(self.heads) - 1)


def load_past(path: Path) -> Past | None:
    """The table in that ledger file, None for one that is closed or cannot be read. Takes some milliseconds
    for each of its entries."""
    try:
        parsed = parse_file(path.read_bytes())
        if parsed.descriptor_raw is None:
            return None
        descriptor = parse_descriptor(parsed.descriptor_raw)
        book = Book(descriptor, ())
        outcomes = [_carried(outcome(book.state))]
        for raw in parsed.entries:
            counted = len(book.state.records)
            book.append(raw, trust)
            again = len(book.state.records) == counted
            outcomes.append(outcomes[-1] if again else _carried(outcome(book.state)))
    except (OSError, Fault, PeerFault):
        return None
    if book.state.closed:
        return None
    seats = tuple((seat.pk, seat.operator_pk) for seat in descriptor.seats)
    return Past(descriptor.table_id, seats, tuple(book.heads), tuple(outcomes))


def _carried(match: Match) -> Match:
    """The outcome as a descriptor says it. Which ante was due is not among that: where the pot is empty a new
    table begins with the first one."""
    return start_match(match.chips, match.pot, match.streak_seat, match.streak_length, match.dealer)


def continued(descriptor: Descriptor, data_dir: Path, me: bytes) -> Path | None:
    """The own copy of the table that this one says it continues, if it can go on here."""
    assert descriptor.previous is not None
    before = descriptor.previous[0]
    return next((t.path for t in pending_tables(data_dir, me) if t.descriptor.table_id == before), None)


def check_start(descriptor: Descriptor, past: Past | None) -> None:
    """Whether a table that continues another starts where that one stands in the own copy, `past`. Raises
    Refused."""
    assert descriptor.previous is not None
    if past is None:
        raise Refused("The new table continues one that is not unfinished here: nothing was signed.")
    head = descriptor.previous[1]
    before = past.as_it_stands()
    there = past.at(past.heads.index(head)) if head in past.heads else None
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
