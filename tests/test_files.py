"""ledger.files: framing of ledgers and evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vectors import Vector, load
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.files import (
    DIVIDER,
    EVIDENCE_HEADER,
    LEDGER_HEADER,
    FileReader,
    evidence_bytes,
    ledger_bytes,
    parse_file,
)
from tongits_lan.ledger.frames import ZEROS

FRAME = st.binary(min_size=1, max_size=40).filter(lambda raw: raw != DIVIDER and not raw.endswith(ZEROS))
FRAMES = st.lists(FRAME, max_size=6)


@pytest.mark.parametrize("vector", load("ledger/files.json"), ids=str)
def test_vectors(vector: Vector) -> None:
    data = vector.bytes("file")
    if vector.expect == "header":
        with pytest.raises(Fault) as caught:
            parse_file(data)
        assert caught.value.code == Code.HEADER
        return
    assert vector.expect == "ok"
    found = parse_file(data)
    assert found.kind == vector.fields["kind"]
    assert len(found.entries) == vector.fields["entries"]
    assert len(found.offending) == vector.fields["offending"]
    assert found.good_length == vector.fields["good_length"]
    assert (found.torn, found.oversize) == (vector.flag("torn"), vector.flag("oversize"))


@given(FRAME, FRAMES)
@settings(deadline=None)
def test_a_ledger_comes_back(descriptor: bytes, entries: list[bytes]) -> None:
    data = ledger_bytes(descriptor, entries)
    found = parse_file(data)
    assert (found.kind, found.descriptor_raw, found.entries) == ("ledger", descriptor, tuple(entries))
    assert (found.offending, found.torn, found.oversize, found.good_length) == ((), False, False, len(data))


@given(FRAME, FRAMES, st.lists(FRAME, min_size=1, max_size=2))
@settings(deadline=None)
def test_evidence_comes_back(descriptor: bytes, entries: list[bytes], offending: list[bytes]) -> None:
    found = parse_file(evidence_bytes(descriptor, entries, offending))
    assert (found.kind, found.entries, found.offending) == ("evidence", tuple(entries), tuple(offending))


@given(FRAME, FRAMES, st.data())
@settings(deadline=None)
def test_a_cut_ledger_keeps_its_whole_frames(
    descriptor: bytes, entries: list[bytes], data: st.DataObject
) -> None:
    whole = ledger_bytes(descriptor, entries)
    end = data.draw(st.integers(len(LEDGER_HEADER), len(whole)))
    found = parse_file(whole[:end])
    assert found.entries == tuple(entries)[: len(found.entries)]
    assert found.torn == (found.descriptor_raw is None or found.good_length < end)
    again = parse_file(whole[: found.good_length])
    assert (again.descriptor_raw, again.entries) == (found.descriptor_raw, found.entries)


@given(st.sampled_from([b"", LEDGER_HEADER, EVIDENCE_HEADER]), st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_are_a_file_or_a_fault(header: bytes, rest: bytes) -> None:
    data = header + rest
    if data.startswith((LEDGER_HEADER, EVIDENCE_HEADER)):
        assert parse_file(data).good_length <= len(data)
    else:
        with pytest.raises(Fault, match="header"):
            parse_file(data)


@given(FRAME, FRAMES, st.integers(1, 5000), st.data())
@settings(deadline=None)
def test_zeros_in_place_of_what_a_crash_came_before_are_a_torn_tail(
    descriptor: bytes, entries: list[bytes], zeros: int, data: st.DataObject
) -> None:
    """From any byte of a frame on, whether or not the file is as long as it was to be."""
    good = ledger_bytes(descriptor, entries)
    frame = frame_bytes(data.draw(st.binary(min_size=40, max_size=300).map(lambda raw: raw + b"\x01" * 8)))
    written = data.draw(st.integers(0, len(frame) - len(ZEROS)))
    found = parse_file(good + frame[:written] + bytes(zeros))
    assert (found.descriptor_raw, found.entries) == (descriptor, tuple(entries))
    assert (found.torn, found.oversize, found.good_length) == (True, False, len(good))


@pytest.mark.parametrize("gap", [4, 7, 8, 4096, 4097, 20_000])
def test_zeros_with_anything_behind_them_are_no_torn_tail(gap: int) -> None:
    good = ledger_bytes(b"descriptor", [b"one"])
    found = parse_file(good + bytes(gap) + b"\x01")
    assert found.entries[:2] == (b"one", b"")
    assert found.good_length > len(good)
    ending = parse_file(ledger_bytes(b"descriptor", [b"x" + ZEROS, b"two"]))
    assert (ending.entries, ending.torn) == ((b"x" + ZEROS, b"two"), False)


def test_a_file_is_read_a_frame_at_a_time() -> None:
    """However long it is: what has been asked for, and no more, has been read."""
    asked: list[int] = []
    frames = iter([LEDGER_HEADER, *(part for _ in range(1001) for part in (bytes([0, 0, 0, 4]), b"four"))])

    def read(size: int) -> bytes:
        asked.append(size)
        return next(frames) if size else b""

    file = FileReader(read)
    entries = iter(file.entries)
    assert (next(entries), next(entries)) == (b"four", b"four")
    assert sum(asked) == len(LEDGER_HEADER) + 3 * len(frame_bytes(b"four"))
