"""Tables that were called off before anything was dealt: they are remembered, so that nobody waits there.

Owns `private/<name of the ledger>.dropped` (0600), which stands in place of the table's other files: what it
takes to know the table again, and which seats have yet to hear it. Must not know links.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from tongits_lan.errors import Fault
from tongits_lan.ledger.chain import Descriptor, parse_descriptor
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.limits import SEATS
from tongits_lan.store.files import remove, replace_private

SUFFIX = ".dropped"
_MARK = "tongits-lan/1 dropped"


@dataclass(frozen=True, slots=True)
class DroppedTable:
    """A table that was called off by the seat `by`; the seats `untold` may not know that. `path` is that of
    its ledger, which is gone, without the ending."""

    path: Path
    descriptor: Descriptor
    me: int
    tag: bytes
    by: int
    untold: tuple[int, ...]

    def keep(self) -> None:
        """Keeps it, durably. Raises OSError."""
        fields = [_MARK, self.descriptor.raw, self.me, self.tag, self.by, list(self.untold)]
        replace_private(mark_path(self.path), pack(fields))
        if not self.untold:
            remove(mark_path(self.path).with_suffix(".addresses"))


def mark_path(ledger: Path) -> Path:
    """Where it is kept that the table of that ledger file was called off."""
    return ledger.parent.parent / "private" / (ledger.stem + SUFFIX)


def dropped_tables(data_dir: Path, pk: bytes) -> list[DroppedTable]:
    """Those of the identity `pk`, newest first. What cannot be read is left out."""
    found = []
    for kept in (data_dir / "private").glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError, Fault):
            table = _table(data_dir / "tables" / kept.stem, unpack(kept.read_bytes()))
            if table is not None and table.descriptor.seats[table.me].pk == pk:
                found.append(table)
    return sorted(found, key=lambda table: table.descriptor.unix_seconds, reverse=True)


def _table(path: Path, kept: object) -> DroppedTable | None:
    """The table that is kept so. Raises Fault."""
    match kept:
        case [str(mark), bytes(raw), int(me), bytes(tag), int(by), list(untold)] if mark == _MARK:
            if {me, by} <= set(range(SEATS)):
                seats = tuple(seat for seat in range(SEATS) if seat != me and seat in untold)
                return DroppedTable(path, parse_descriptor(raw), me, tag, by, seats)
    return None
