"""The entries of a file that is being read: parsed once, from the one that is due to some way ahead.

Owns how far ahead a file is read, so that a ledger of any length takes the memory of a few hands. Must not
know what entries say, nor judge them.
"""

from collections.abc import Iterable, Iterator

from tongits_lan.errors import Fault
from tongits_lan.ledger.chain import Entry, parse_entry
from tongits_lan.ledger.messages import Body, decode_body

AHEAD = 512
"""Entries held at once at the most. A hand has less than 150: 33 around the play and for a call, three for
each card of the stock, and one for each card that is laid or thrown."""


class Reading:
    """Entries by height; those below `pass_to` are forgotten."""

    def __init__(self, raws: Iterable[bytes]) -> None:
        self._raws = iter(raws)
        self._start = 0
        self._entries: list[Entry | Fault] = []
        self._bodies: dict[int, Body | None] = {}

    def at(self, height: int) -> Entry | Fault | None:
        """The entry at a height, or what is wrong with its bytes; None behind the end of the file."""
        while height >= self._start + len(self._entries):
            raw = next(self._raws, None)
            if raw is None:
                return None
            self._entries.append(parsed(raw))
        return self._entries[height - self._start]

    def body(self, height: int) -> Body | None:
        """The body of the entry at a height, decoded once; None where acceptance will refuse it."""
        if height not in self._bodies:
            entry = self.at(height)
            self._bodies[height] = _decoded(entry) if isinstance(entry, Entry) else None
        return self._bodies[height]

    def ahead(self, start: int) -> Iterator[tuple[Entry, Body]]:
        """Entries and bodies from a height on, up to the first that cannot be read or is too far ahead."""
        for height in range(start, self._start + AHEAD):
            entry, body = self.at(height), self.body(height)
            if not isinstance(entry, Entry) or body is None:
                return
            yield entry, body

    def pass_to(self, height: int) -> None:
        """Nothing below this height will be asked for any more."""
        del self._entries[: height - self._start]
        for gone in range(self._start, height):
            self._bodies.pop(gone, None)
        self._start = height


def parsed(raw: bytes) -> Entry | Fault:
    """An entry, or what is wrong with its bytes."""
    try:
        return parse_entry(raw)
    except Fault as fault:
        return fault


def _decoded(entry: Entry) -> Body | None:
    try:
        return decode_body(entry.body_value)
    except Fault:
        return None
