"""A ledger in memory, and what a strange entry means beside it."""

import pytest

from tests.circle import height_of, recorded, writer_of
from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.book import Book, Elsewhere, Noise, Proven, Same, trust
from tongits_lan.ledger.chain import parse_entry, sign_entry
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.files import evidence_bytes, ledger_bytes, parse_file
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


UNFIT = Fault(Code.CHAIN, "not the one due")


@pytest.mark.parametrize("held", [31, 30])
def test_entry_after_another_beginning_points_lower(held: int) -> None:
    stray = entry(30, (writer_of(29) + 1) % 3, bytes(32))
    own = book(held)
    found = own.compare(30, stray) if held > 30 else own.unlinked(stray, UNFIT)
    assert isinstance(found, Elsewhere)


@pytest.mark.parametrize("held", [31, 30])
def test_entry_after_another_beginning_by_the_writer_of_the_one_below_is_a_fork(held: int) -> None:
    """Its own last entry is no ancestor of it, whatever lies between."""
    own, seat = book(held), writer_of(29)
    stray = entry(30, seat, bytes(32))
    found = own.compare(30, stray) if held > 30 else own.unlinked(stray, UNFIT)
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat, found.height) == (Code.FORK, seat, 29)
    assert found.shown == ((29, own.entries[29]), (30, stray))
    evidence = parse_file(own.evidence(found))
    report = verify(evidence, proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat, report.fault.height) == (Code.FORK, seat, 29)
    again = own.convicted_by(evidence)
    assert (again.height, again.shown, str(again.fault)) == (29, found.shown, str(found.fault))


def test_what_does_not_follow_and_was_not_signed_for_the_next_height_is_noise() -> None:
    own = book(30)
    for raw in (
        entry(30, 0),
        entry(31, 0, bytes(32)),
        b"\xc1",
        pack([parse_entry(entry(30, 0)).payload, bytes(64)]),
    ):
        assert isinstance(own.unlinked(raw, UNFIT), Noise)


def test_second_entry_of_the_writer_is_a_fork() -> None:
    height = height_of("discard")
    held, seat = book(), writer_of(height)
    found = held.compare(height, entry(height, seat))
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat, found.height) == (Code.FORK, seat, height)
    report = verify(parse_file(held.evidence(found)), proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat, report.fault.height) == (Code.FORK, seat, height)


def test_entry_of_a_seat_that_was_not_due_convicts_it() -> None:
    height = height_of("discard")
    held, seat = book(), (writer_of(height) + 1) % 3
    found = held.compare(height, entry(height, seat))
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat) == (Code.WRITER, seat)
    report = verify(parse_file(held.evidence(found)), proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.WRITER, seat)


def test_fork_in_the_first_entries() -> None:
    record = recorded()
    table_id = record.cast.descriptor.table_id
    raw = sign_entry(record.cast.keys[0], table_id, 0, 0, table_id, Sit(bytes(32)))
    found = book().compare(0, raw)
    assert isinstance(found, Proven)
    assert (found.fault.code, found.fault.seat) == (Code.FORK, 0)


@pytest.mark.parametrize("lost", [0, 5])
def test_evidence_convicts_again_even_where_a_crash_took_the_end_of_the_ledger(lost: int) -> None:
    height = height_of("discard")
    held, seat = book(height), (writer_of(height) + 1) % 3
    with pytest.raises(PeerFault) as caught:
        held.append(entry(height, seat), trust)
    found = Proven(caught.value, height, (entry(height, seat),))
    again = book(height - lost).convicted_by(parse_file(held.evidence(found)))
    assert (again.fault.code, again.fault.seat, again.height) == (Code.WRITER, seat, height)


def test_evidence_that_convicts_nobody_is_refused() -> None:
    held, height = book(), height_of("discard")
    good = Proven(PeerFault(Code.WRITER, "", seat=0, height=height), height, (held.entries[height],))
    with pytest.raises(Fault, match="sound"):
        held.convicted_by(parse_file(held.evidence(good)))
    with pytest.raises(Fault, match="another beginning"):
        book(height_of("draw")).convicted_by(parse_file(forked_beginning(held)))
    with pytest.raises(Fault, match="not an evidence file"):
        held.convicted_by(parse_file(ledger_bytes(held.descriptor.raw, held.entries)))


def forked_beginning(held: Book) -> bytes:
    """An evidence file whose good beginning is not that of the ledger."""
    return evidence_bytes(held.descriptor.raw, [held.entries[1], *held.entries[1:5]], [held.entries[5]])
