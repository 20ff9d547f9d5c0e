"""The bytes of ledger and evidence files.

Owns their framing (docs/protocol.md, "Files"): a first line, then length-prefixed frames. Must not know
where files lie, nor judge a single entry.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Literal, Protocol

from msgspec import Struct

from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.frames import FrameReader, Read

LEDGER_HEADER = b"tongits-lan/1 ledger\n"
EVIDENCE_HEADER = b"tongits-lan/1 evidence\n"
DIVIDER = b"\xc0"
"""The frame (nil) between the good beginning and the offending entries of an evidence file."""
Kind = Literal["ledger", "evidence"]


class LedgerFile(Protocol):
    """A ledger or evidence file, read already (`ParsedFile`) or being read (`FileReader`)."""

    @property
    def kind(self) -> Kind:
        """Which of the two the first line says."""

    @property
    def descriptor_raw(self) -> bytes | None:
        """None where the file ends before the end of its first frame."""

    @property
    def entries(self) -> Iterable[bytes]:
        """Of a ledger all of them, of evidence the good beginning."""

    @property
    def offending(self) -> Iterable[bytes]:
        """What follows the divider of an evidence file: one entry or the two of a fork, if it is whole."""

    @property
    def torn(self) -> bool:
        """The file ends inside a frame or before its descriptor, or in zeros that a crash left."""

    @property
    def oversize(self) -> bool:
        """The frame after the last whole one announces more bytes than a frame may have: no torn tail."""


class ParsedFile(Struct, frozen=True):
    """A file in its frames (the fields of `LedgerFile`)."""

    kind: Kind
    descriptor_raw: bytes | None
    entries: tuple[bytes, ...]
    offending: tuple[bytes, ...]
    torn: bool
    oversize: bool
    good_length: int
    """The bytes up to the end of the last whole frame."""


class FileReader:
    """A `LedgerFile` of any length, read frame by frame: iterate `entries` to their end, then `offending`.

    Each can be iterated once; `torn`, `oversize` and `good_length` are true after that. Raises Fault(HEADER)
    for a first line of neither kind.
    """

    def __init__(self, read: Read) -> None:
        self._reader = FrameReader(read)
        self.kind: Kind = self._first_line()
        self._frames = iter(self._reader)
        self.descriptor_raw = next(self._frames, None)
        self.offending = self._all()
        self.entries = self._beginning() if self.kind == "evidence" else self.offending
        self._judged = 0

    def _first_line(self) -> Kind:
        line = self._reader.take(len(LEDGER_HEADER))
        if line == LEDGER_HEADER:
            return "ledger"
        line += self._reader.take(len(EVIDENCE_HEADER) - len(LEDGER_HEADER))
        if line == EVIDENCE_HEADER:
            return "evidence"
        raise Fault(Code.HEADER, "the first line is that of no ledger and no evidence file")

    def _all(self) -> Iterator[bytes]:
        yield from self._frames
        rest = self._reader.rest
        too_long = int.from_bytes(rest[:4]) > len(rest[4:])
        if self.descriptor_raw is not None and too_long and _whole_entry(rest[4:]):
            # A torn tail is the beginning of an entry; a whole one behind a length that does not fit is a
            # changed length. Kept with its length bytes, it is judged as one frame that is no entry.
            self._judged = len(rest)
            yield rest

    def _beginning(self) -> Iterator[bytes]:
        for raw in self.offending:
            if raw == DIVIDER:
                return
            yield raw

    @property
    def torn(self) -> bool:
        """The file ends inside a frame or before its descriptor, or in zeros that a crash left."""
        reader = self._reader
        return not reader.oversize and not self._judged and (reader.torn or self.descriptor_raw is None)

    @property
    def oversize(self) -> bool:
        """The frame after the last whole one announces more bytes than a frame may have."""
        return self._reader.oversize

    @property
    def good_length(self) -> int:
        """The bytes up to the end of the last whole frame."""
        header = LEDGER_HEADER if self.kind == "ledger" else EVIDENCE_HEADER
        return len(header) + self._reader.end + self._judged


def ledger_bytes(descriptor_raw: bytes, entries: Iterable[bytes]) -> bytes:
    """The whole bytes of a ledger file."""
    return LEDGER_HEADER + b"".join(map(frame_bytes, [descriptor_raw, *entries]))


def evidence_bytes(descriptor_raw: bytes, good_entries: Iterable[bytes], offending: Iterable[bytes]) -> bytes:
    """The whole bytes of an evidence file against the writer of the offending entry, or of the two."""
    frames = [descriptor_raw, *good_entries, DIVIDER, *offending]
    return EVIDENCE_HEADER + b"".join(map(frame_bytes, frames))


def parse_file(data: bytes) -> ParsedFile:
    """The frames of a ledger or evidence file; raises Fault(HEADER) for a first line of neither."""
    return read_whole(FileReader(BytesIO(data).read))


def read_whole(file: FileReader) -> ParsedFile:
    """All that a file holds, read to its end."""
    entries, offending = tuple(file.entries), tuple(file.offending)
    return ParsedFile(
        kind=file.kind,
        descriptor_raw=file.descriptor_raw,
        entries=entries,
        offending=offending,
        torn=file.torn,
        oversize=file.oversize,
        good_length=file.good_length,
    )


def _whole_entry(data: bytes) -> bool:
    """Whether the bytes begin with a whole `[bin, bin 64]`, as every entry is written."""
    if data[:2] == b"\x92\xc4":
        end = 3 + data[2] if len(data) > 2 else len(data)
    elif data[:2] == b"\x92\xc5":
        end = 4 + int.from_bytes(data[2:4])
    else:
        return False
    return data[end : end + 2] == b"\xc4\x40" and len(data) >= end + 66
