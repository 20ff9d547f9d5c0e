"""ledger.files: framing of ledgers and evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vectors import Vector, load
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.files import (
    DIVIDER,
    EVIDENCE_HEADER,
    LEDGER_HEADER,
    evidence_bytes,
    ledger_bytes,
    parse_file,
)

FRAMES = st.lists(st.binary(max_size=40).filter(lambda raw: raw != DIVIDER), max_size=6)


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


@given(st.binary(max_size=40), FRAMES)
@settings(deadline=None)
def test_a_ledger_comes_back(descriptor: bytes, entries: list[bytes]) -> None:
    data = ledger_bytes(descriptor, entries)
    found = parse_file(data)
    assert (found.kind, found.descriptor_raw, found.entries) == ("ledger", descriptor, tuple(entries))
    assert (found.offending, found.torn, found.oversize, found.good_length) == ((), False, False, len(data))


@given(st.binary(max_size=40), FRAMES, st.lists(st.binary(max_size=40), min_size=1, max_size=2))
@settings(deadline=None)
def test_evidence_comes_back(descriptor: bytes, entries: list[bytes], offending: list[bytes]) -> None:
    found = parse_file(evidence_bytes(descriptor, entries, offending))
    assert (found.kind, found.entries, found.offending) == ("evidence", tuple(entries), tuple(offending))


@given(st.binary(max_size=20), FRAMES, st.data())
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
