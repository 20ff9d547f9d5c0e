"""Entries that come late, twice, out of order, damaged or false."""

from collections.abc import Callable, Iterable

import pytest

from tests.circle import CHAIN, Circle, encoded, height_of, recorded, resumed, writer_of
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import parse_entry, sign_entry, sign_payload
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import (
    Body,
    Entries,
    ForfeitHand,
    Get,
    Have,
    LockDeck,
    NextHand,
    Ready,
    Reject,
    ReleaseKey,
    RevealSeed,
    ShuffleDeck,
    Sit,
    encode_message,
)
from tongits_lan.ledger.table import TableMessage
from tongits_lan.ledger.verify import verify
from tongits_lan.limits import ENTRY_MAX


class DropOne:
    """A wire that loses the message of one number."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.seen = 0

    def __call__(self, source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        self.seen += 1
        return () if self.seen == self.number else encoded(source, to, message)


@pytest.mark.parametrize("kind", ["sit", "commit", "lock", "prove", "deal", "draw", "key", "end", "reveal"])
@pytest.mark.parametrize("number", [1, 5, 13, 19])
def test_any_one_message_may_be_lost(kind: str, number: int) -> None:
    wire = DropOne(number)
    circle = resumed(height_of(kind), wire=wire)
    circle.settle()
    circle.pass_time(4.1)
    circle.assert_level()
    before = circle.view(0).height
    while wire.seen < number or circle.view(0).height == before:
        circle.step()
        circle.settle()
    circle.pass_time(4.1)
    circle.assert_level()
    assert all(circle.view(seat).stopped is None for seat in range(3))


def test_everything_twice_is_no_fault() -> None:
    def twice(source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        return (encode_message(message),) * 2

    circle = resumed(height_of("commit"), wire=twice)
    circle.play_hand()
    circle.assert_level()
    assert not circle.closed
    assert len(circle.shelves[0].entries) == len(set(circle.shelves[0].entries))


def fresh_proof_height() -> tuple[int, int]:
    """The height of a `prove` and a seat that did not write it."""
    height = height_of("prove")
    return height, (writer_of(height) + 1) % 3


def unjudged() -> tuple[Circle, int, int, int]:
    """A seat with a proof it has not judged: (circle, seat, other seat, height)."""
    height, seat = fresh_proof_height()
    record = recorded()
    circle = Circle(
        "slow",
        cast=record.cast,
        shelves=[record.shelf(place, height) for place in range(3)],
        links=(),
        verdicts={},
    )
    writer = writer_of(height)
    other = 3 - seat - writer
    circle.puppet(writer)
    circle.puppet(other)
    table = circle.tables[seat]
    head = circle.view(seat).head
    for peer in (writer, other):
        table.receive(peer, Have(height, head), circle.now)
    table.take()
    return circle, seat, other, height


def test_entries_behind_a_proof_wait_for_its_verdict() -> None:
    circle, seat, other, height = unjudged()
    table, entries = circle.tables[seat], recorded().shelves[0].entries
    circle.say(writer_of(height), seat, Entries(height, (entries[height],)))
    effects = table.take()
    jobs = [job for job in effects.jobs if hasattr(job, "claim")]
    assert len(jobs) == 2
    assert not effects.store
    circle.say(other, seat, Entries(height + 1, (entries[height + 1],)))
    circle.say(other, seat, Get(0))
    circle.say(other, seat, Have(height + 2, bytes(32)))
    effects = table.take()
    assert not effects.store
    assert [type(message) for _, message in effects.send] == [Entries]
    table.finish(jobs[0], jobs[0](), circle.now)
    assert not table.take().store
    table.finish(jobs[1], jobs[1](), circle.now)
    effects = table.take()
    assert [op.raw for op in effects.store if hasattr(op, "raw")] == [entries[height]]
    assert len([job for job in effects.jobs if hasattr(job, "claim")]) == 2
    for job in effects.jobs:
        table.finish(job, job(), circle.now)
    stored = [op.raw for op in table.take().store if hasattr(op, "raw")]
    assert stored[0] == entries[height + 1]


def test_a_second_proof_for_one_height_is_a_fork_even_while_the_first_is_judged() -> None:
    circle, seat, other, height = unjudged()
    writer = writer_of(height)
    entries = recorded().shelves[0].entries
    prev = parse_entry(entries[height]).prev
    second = sign_entry(
        circle.cast.keys[writer], circle.cast.descriptor.table_id, writer, height, prev, ForfeitHand()
    )
    circle.say(writer, seat, Entries(height, (entries[height],)))
    circle.say(other, seat, Entries(height, (second,)))
    circle.settle()
    stop = circle.view(seat).stopped
    assert stop is not None
    assert (stop.code, stop.seat, stop.height) == (Code.FORK, writer, height)


def test_garbage_in_front_of_the_real_entry_is_replaced() -> None:
    """A damaged proof that came first does not keep the good one out."""
    circle, seat, other, height = unjudged()
    entries = recorded().shelves[0].entries
    circle.say(writer_of(height), seat, Entries(height, (entries[height],)))
    effects = circle.tables[seat].take()
    broken = entries[height + 1][:-1] + bytes([entries[height + 1][-1] ^ 1])
    circle.say(other, seat, Entries(height + 1, (broken, entries[height + 2])))
    circle.say(writer_of(height), seat, Entries(height + 1, (entries[height + 1],)))
    for job in effects.jobs:
        circle.tables[seat].finish(job, job(), circle.now)
    circle.settle()
    assert circle.shelves[seat].entries[height : height + 2] == entries[height : height + 2]
    assert [(closer, peer) for closer, peer, _ in circle.closed] == [(seat, other)]
    assert circle.view(seat).stopped is None


def test_what_is_too_large_for_an_entry_is_not_kept_behind_a_proof() -> None:
    """Nor does it take the place of one that is none."""
    circle, seat, other, height = unjudged()
    entries = recorded().shelves[0].entries
    circle.say(writer_of(height), seat, Entries(height, (entries[height],)))
    effects = circle.tables[seat].take()
    for number in range(3):
        circle.say(other, seat, Entries(height + 1, (bytes([number]) * (ENTRY_MAX + 1),)))
    circle.say(writer_of(height), seat, Entries(height + 1, (entries[height + 1],)))
    for job in effects.jobs:
        circle.tables[seat].finish(job, job(), circle.now)
    circle.settle()
    assert circle.shelves[seat].entries[height : height + 2] == entries[height : height + 2]


def damage(kind: str, raw: bytes, circle: Circle) -> bytes:
    """The entry as a relay may spoil it."""
    entry = parse_entry(raw)
    match kind:
        case "size":
            return bytes(20_000)
        case "decode":
            return raw[:-1]
        case "canonical":
            return b"\x92\xc5\x00" + raw[2:] if raw[1] == 0xC4 else b"\xdc\x00\x02" + raw[1:]
        case "seat":
            payload = pack([7, entry.height, entry.prev, entry.body_value])
            return sign_payload(circle.cast.keys[entry.seat], circle.cast.descriptor.table_id, payload)
        case "signature":
            return raw[:-1] + bytes([raw[-1] ^ 1])
        case _:
            return recorded().shelves[0].entries[entry.height - 1]


@pytest.mark.parametrize("kind", ["size", "decode", "canonical", "seat", "signature", "chain"])
def test_what_nobody_signed_ends_the_link_and_not_the_table(kind: str) -> None:
    height = height_of("discard")
    writer = writer_of(height)
    seat, relay = (writer + 1) % 3, (writer + 2) % 3
    circle = resumed(height)
    circle.settle()
    good = recorded().shelves[0].entries[height]
    circle.puppet(relay)
    circle.say(relay, seat, Entries(height, (damage(kind, good, circle), good)))
    circle.settle()
    assert circle.view(seat).stopped is None
    assert circle.shelves[seat].evidence is None
    assert circle.view(seat).height == height
    assert [(closer, peer) for closer, peer, _ in circle.closed] == [(seat, relay)]
    rejects = [m for source, to, m in circle.sent if (source, to) == (seat, relay) and isinstance(m, Reject)]
    assert [reject.code for reject in rejects] == [kind]
    circle.step()
    circle.settle()
    assert circle.view(seat).height > height


def test_relay_that_flips_bits_is_cut_off_and_another_path_is_used() -> None:
    flipping = [True]

    def wire(source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        if flipping[0] and (source, to) == (1, 2) and isinstance(message, Entries) and message.entries:
            raw = message.entries[-1]
            spoiled = (*message.entries[:-1], raw[:-3] + bytes([raw[-3] ^ 16]) + raw[-2:])
            message = Entries(message.first, spoiled)
        return encoded(source, to, message)

    circle = Circle("relay", links=CHAIN, wire=wire, verdicts={})
    circle.settle()
    assert (2, 1) in [(closer, peer) for closer, peer, _ in circle.closed]
    assert all(circle.view(seat).stopped is None for seat in range(3))
    circle.join(0, 2)
    circle.play_hand()
    circle.assert_level()


def test_entry_of_another_table_is_no_entry() -> None:
    height = height_of("draw")
    writer = writer_of(height)
    relay, seat = (writer + 1) % 3, (writer + 2) % 3
    circle = resumed(height)
    circle.settle()
    circle.puppet(relay)
    entry = parse_entry(recorded().shelves[0].entries[height])
    elsewhere = sign_payload(circle.cast.keys[writer], bytes(32), entry.payload)
    circle.say(relay, seat, Entries(height, (elsewhere,)))
    circle.settle()
    assert circle.view(seat).stopped is None
    assert [(closer, peer) for closer, peer, _ in circle.closed] == [(seat, relay)]


Cheat = Callable[[list[object]], Body]
CHEATS: dict[str, tuple[str, Code, Cheat]] = {
    "another kind": ("commit", Code.PHASE, lambda _: Ready()),
    "bit 255": ("shuffle", Code.ELEMENT, lambda body: ShuffleDeck(high_bit(body[1]))),
    "twice the same": ("lock", Code.DECK, lambda body: LockDeck(doubled(body[1]))),
    "wrong digest": ("sit", Code.BODY, lambda _: Sit(bytes(32))),
    "wrong key": ("key", Code.KEY, lambda body: ReleaseKey(number(body[1]), b"\x01" + bytes(31))),
    "wrong slot": ("key", Code.SLOT, lambda body: ReleaseKey(number(body[1]) + 1, key(body[2]))),
    "zero key": ("key", Code.SCALAR, lambda body: ReleaseKey(number(body[1]), bytes(32))),
    "wrong seed": ("reveal", Code.SEED, lambda _: RevealSeed(bytes(32))),
    "wrong result": ("next", Code.RESULT, lambda _: NextHand(bytes(32))),
    "late forfeit": ("end", Code.PHASE, lambda _: ForfeitHand()),
}


def high_bit(deck: object) -> bytes:
    assert isinstance(deck, bytes)
    return deck[:31] + bytes([deck[31] | 0x80]) + deck[32:]


def doubled(deck: object) -> bytes:
    assert isinstance(deck, bytes)
    return deck[:32] * 2 + deck[64:]


def key(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def number(value: object) -> int:
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize("name", CHEATS)
def test_what_a_seat_signed_falsely_stops_the_table(name: str) -> None:
    kind, code, cheat = CHEATS[name]
    height = height_of(kind)
    writer = writer_of(height)
    seat, third = (writer + 1) % 3, (writer + 2) % 3
    good = parse_entry(recorded().shelves[0].entries[height])
    circle = resumed(height)
    circle.puppet(writer)
    chips = circle.view(seat).match.chips
    bad = sign_entry(
        circle.cast.keys[writer],
        circle.cast.descriptor.table_id,
        writer,
        height,
        good.prev,
        cheat(good.body_value),
    )
    circle.say(writer, seat, Entries(height, (bad,)))
    circle.settle()
    for honest in (seat, third):  # the third hears of it from the second
        stop = circle.view(honest).stopped
        assert stop is not None
        assert (stop.code, stop.seat, stop.height) == (code, writer, height)
        assert circle.view(honest).match.chips == chips
        assert len(circle.shelves[honest].entries) == height
        evidence = circle.shelves[honest].evidence
        assert evidence is not None
        report = verify(parse_file(evidence), proofs=False)
        assert report.fault is not None
        assert (report.fault.code, report.fault.seat) == (code, writer)


def stray(circle: Circle, height: int) -> bytes:
    """An entry of that height after a beginning that nobody has, by who did not write the one below."""
    seat = (writer_of(height - 1) + 1) % 3
    table_id = circle.cast.descriptor.table_id
    return sign_entry(circle.cast.keys[seat], table_id, seat, height, bytes(32), ForfeitHand())


@pytest.mark.parametrize("held", [0, 3])
def test_other_beginning_is_looked_for_lower(held: int) -> None:
    """Of a seat that may be on another chain; `held` entries below the end."""
    height = height_of("draw")
    seat, relay = 0, 1
    circle = resumed(height)
    circle.settle()
    circle.puppet(relay)
    circle.say(relay, seat, Entries(height - held, (stray(circle, height - held),)))
    circle.settle()
    asked = [m.first for source, to, m in circle.sent if (source, to) == (seat, relay) and isinstance(m, Get)]
    assert asked[-1] == height - held - 8
    assert not circle.closed
    assert circle.view(seat).stopped is None


@pytest.mark.parametrize("held", [0, 3])
def test_seat_that_contradicts_its_own_have_is_cut_off(held: int) -> None:
    height = height_of("draw")
    seat, relay = 0, 1
    circle = resumed(height)
    circle.settle()
    circle.puppet(relay)
    circle.say(relay, seat, Have(height, circle.view(seat).head))
    circle.say(relay, seat, Entries(height - held, (stray(circle, height - held),)))
    circle.settle()
    assert [(closer, peer) for closer, peer, _ in circle.closed] == [(seat, relay)]
    assert circle.view(seat).stopped is None


def test_entries_far_ahead_of_a_proof_are_not_kept() -> None:
    circle, seat, other, height = unjudged()
    entries = recorded().shelves[0].entries
    circle.say(other, seat, Entries(height, (entries[height],) * 256))
    circle.say(other, seat, Entries(height + 1, (b"\xc1",) * 256))
    circle.say(other, seat, Get(0))
    effects = circle.tables[seat].take()
    assert [job for job in effects.jobs if hasattr(job, "claim")]
    for job in effects.jobs:
        circle.tables[seat].finish(job, job(), circle.now)
    circle.settle()
    assert circle.view(seat).height == height + 1
    assert (seat, other) in [(closer, peer) for closer, peer, _ in circle.closed]
