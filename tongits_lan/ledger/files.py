"""The bytes of ledger and evidence files.

Owns their framing (docs/protocol.md, "Files"): a first line, then length-prefixed frames. Must not know
where files lie, nor judge a single entry.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.limits import FRAME_MAX

LEDGER_HEADER = b"tongits-lan/1 ledger\n"
EVIDENCE_HEADER = b"tongits-lan/1 evidence\n"
DIVIDER = b"\xc0"
"""The frame (nil) between the good beginning and the offending entries of an evidence file."""


class ParsedFile(Struct, frozen=True):
    """A file in its frames. `good_length` is the bytes up to the end of the last whole frame."""

    kind: Literal["ledger", "evidence"]
    descriptor_raw: bytes | None
    """None where the file ends before the end of its first frame."""
    entries: tuple[bytes, ...]
    offending: tuple[bytes, ...]
    """What follows the divider of an evidence file: one entry or the two of a fork, if it is whole."""
    torn: bool
    """The file ends inside a frame, or before its descriptor."""
    good_length: int
    oversize: bool
    """The frame after the last whole one announces more bytes than a frame may have: no torn tail."""


def ledger_bytes(descriptor_raw: bytes, entries: Iterable[bytes]) -> bytes:
    """The whole bytes of a ledger file."""
    return LEDGER_HEADER + b"".join(map(frame_bytes, [descriptor_raw, *entries]))


def evidence_bytes(descriptor_raw: bytes, good_entries: Iterable[bytes], offending: Iterable[bytes]) -> bytes:
    """The whole bytes of an evidence file against the writer of the offending entry, or of the two."""
    frames = [descriptor_raw, *good_entries, DIVIDER, *offending]
    return EVIDENCE_HEADER + b"".join(map(frame_bytes, frames))


def parse_file(data: bytes) -> ParsedFile:
    """The frames of a ledger or evidence file; raises Fault(HEADER) for a first line of neither."""
    kind: Literal["ledger", "evidence"]
    if data.startswith(LEDGER_HEADER):
        kind, header = "ledger", LEDGER_HEADER
    elif data.startswith(EVIDENCE_HEADER):
        kind, header = "evidence", EVIDENCE_HEADER
    else:
        raise Fault(Code.HEADER, "the first line is that of no ledger and no evidence file")
    frames, end, oversize = _frames(data, len(header))
    entries = frames[1:]
    offending: list[bytes] = []
    if kind == "evidence" and DIVIDER in entries:
        split = entries.index(DIVIDER)
        entries, offending = entries[:split], entries[split + 1 :]
    return ParsedFile(
        kind=kind,
        descriptor_raw=frames[0] if frames else None,
        entries=tuple(entries),
        offending=tuple(offending),
        torn=not oversize and (end < len(data) or not frames),
        good_length=end,
        oversize=oversize,
    )


def _frames(data: bytes, start: int) -> tuple[list[bytes], int, bool]:
    """Whole frames from `start` on, where they end, and whether the next one is too long to be one."""
    frames: list[bytes] = []
    while start + 4 <= len(data):
        length = int.from_bytes(data[start : start + 4])
        if length > FRAME_MAX:
            return frames, start, True
        end = start + 4 + length
        if end > len(data):
            if frames and _whole_entry(data[start + 4 :]):
                # A torn tail is the beginning of an entry; a whole one behind a length that does not fit
                # is a changed length. Kept with its length bytes, it is judged as one frame that is no entry.
                return [*frames, data[start:]], len(data), False
            break
        frames.append(data[start + 4 : end])
        start = end
    return frames, start, False


def _whole_entry(data: bytes) -> bool:
    """Whether the bytes begin with a whole `[bin, bin 64]`, as every entry is written."""
    if data[:2] == b"\x92\xc4":
        end = 3 + data[2] if len(data) > 2 else len(data)
    elif data[:2] == b"\x92\xc5":
        end = 4 + int.from_bytes(data[2:4])
    else:
        return False
    return data[end : end + 2] == b"\xc4\x40" and len(data) >= end + 66
