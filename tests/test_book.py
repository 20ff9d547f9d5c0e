"""A ledger in memory, and what a strange entry means beside it."""

import pytest

from tests.circle import height_of, recorded, writer_of
from tongits_lan.errors import Code, PeerFault
from tongits_lan.ledger.book import Book, Elsewhere, Noise, Proven, Same, trust
from tongits_lan.ledger.chain import parse_entry, sign_entry
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import ForfeitHand, Sit
from tongits_lan.ledger.verify import verify


def book(height: int | None = None) -> Book:
    record = recorded()
    return Book(record.cast.descriptor, record.shelves[0].entries[:height])


def entry(height: int, seat: int, prev: bytes | None = None) -> bytes:
    """A forfeit signed for that height."""
    record = recorded()
    before = parse_entry(record.shelves[0].entries[height]).prev if prev is None else prev
    table_id = record.cast.descriptor.table_id
    return sign_entry(record.cast.keys[seat], table_id, seat, height, before, ForfeitHand())


def test_heads_are_those_of_every_beginning() -> None:
    held = book()
    assert len(held.heads) == held.height + 1
    assert held.heads[0] == held.state.table_id
    assert held.heads[-1] == held.state.head
    for height in (0, 3, 40, held.height):
        assert held.beginning(height).head == held.heads[height]
        assert held.holds(height, held.heads[height])
    assert not held.holds(held.height + 1, held.state.head)
    assert not held.holds(3, bytes(32))


def test_entries_that_are_no_ledger_are_refused() -> None:
    record = recorded()
    with pytest.raises(PeerFault) as caught:
        Book(record.cast.descriptor, [record.shelves[0].entries[0], record.shelves[0].entries[2]])
    assert caught.value.height == 1


def test_refused_entry_changes_nothing() -> None:
    held = book(10)
    before = held.state
    with pytest.raises(PeerFault):
        held.append(b"\x90", trust)
    assert held.state is before
    assert (held.height, len(held.heads)) == (10, 11)


def test_own_entry_is_the_same_whatever_its_signature_bytes() -> None:
    held = book()
    own = held.entries[30]
    assert held.compare(30, own) == Same()


@pytest.mark.parametrize("spoil", ["bytes", "signature", "height"])
def test_what_nobody_signed_for_this_height_is_noise(spoil: str) -> None:
    held = book()
    own = parse_entry(held.entries[30])
    raw = {
        "bytes": b"\xc1",
        "signature": pack([own.payload, bytes(64)]),
        "height": held.entries[29],
    }[spoil]
    assert isinstance(held.compare(30, raw), Noise)


def test_entry_after_another_beginning_points_lower() -> None:
    held = book()
    assert isinstance(held.compare(30, entry(30, 0, bytes(32))), Elsewhere)
    short = book(30)
    assert short.stray(entry(30, 0, bytes(32)))
    assert not short.stray(entry(30, 0))
    assert not short.stray(entry(31, 0, bytes(32)))
    assert not short.stray(b"\xc1")


def test_second_entry_of_the_writer_is_a_fork() -> None:
    height = height_of("discard")
    held, seat = book(), writer_of(height)
    found = held.compare(height, entry(height, seat))
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat, found.height) == (Code.FORK, seat, height)
    report = verify(parse_file(found.evidence), proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat, report.fault.height) == (Code.FORK, seat, height)


def test_entry_of_a_seat_that_was_not_due_convicts_it() -> None:
    height = height_of("discard")
    held, seat = book(), (writer_of(height) + 1) % 3
    found = held.compare(height, entry(height, seat))
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat) == (Code.WRITER, seat)
    report = verify(parse_file(found.evidence), proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.WRITER, seat)


def test_fork_in_the_first_entries() -> None:
    record = recorded()
    table_id = record.cast.descriptor.table_id
    raw = sign_entry(record.cast.keys[0], table_id, 0, 0, table_id, Sit(bytes(32)))
    found = book().compare(0, raw)
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat) == (Code.FORK, 0)
