"""A table that continues another one, and somebody who lies about where that one stood.

The three of an unfinished table sit down again (docs/protocol.md, "Descriptor"): what stood there is carried
over. Whoever is told otherwise than his own copy says refuses by name, before anything is signed.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cheating import body_now
from tests.hostile.stage import TAG, Wire, lay_down, open_link, waiting
from tests.hostile.test_hosts import agreed, bent, honest, signed_by_guest, somebody, two_sits
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.sessions import Runner, at_table, config, free_port, lobby, runner, until
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.accept import outcome
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.chain import SeatEntry, nonce_commitment, rules_digest
from tongits_lan.ledger.messages import Entries, Lobby, SetReady, TableOffer, TakeSeat
from tongits_lan.ledger.state import Phase
from tongits_lan.net.config import Again
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.identity import Identity
from tongits_lan.store.journal import pending_tables

GUEST = 2
"""The seat of the honest guest; the bad host sits at 0."""


def told_of(script: Script) -> list[object]:
    """Where the old table stands, as a descriptor says it."""
    match = outcome(script.state)
    return [list(match.chips), match.pot, match.streak_seat, match.streak_length, match.dealer]


def reference(script: Script, height: int | None = None) -> list[bytes]:
    """`previous` of a table that continues the script's, as it stood at that height."""
    book = Book(script.descriptor, script.entries[:height])
    return [script.descriptor.table_id, book.state.head]


Seats = list[SeatEntry]


def with_start(place: int, value: object) -> Callable[[Script, Seats], bytes]:
    """The table with another value at that place of the start."""

    def make(script: Script, seats: Seats) -> bytes:
        start = told_of(script)
        assert start[place] != value
        start[place] = value
        return bent(seats, start=start, previous=reference(script))

    return make


def turned(script: Script, seats: Seats) -> bytes:
    """Everybody has what his left neighbour won."""
    start = told_of(script)
    chips = outcome(script.state).chips
    assert len(set(chips)) > 1
    start[0] = [chips[1], chips[2], chips[0]]
    return bent(seats, start=start, previous=reference(script))


def pot_into_pocket(script: Script, seats: Seats) -> bytes:
    match = outcome(script.state)
    assert match.pot > 0
    chips = [match.chips[0] + match.pot, *match.chips[1:]]
    return bent(seats, start=[chips, 0, *told_of(script)[2:]], previous=reference(script))


ZERO = [[0, 0, 0], 0, None, 0, None]
ELSEWHERE = "another point than your copy"
NOT_THERE = "not unfinished here"
OTHERWISE = "does not start where the old one stands"
LIES: dict[str, tuple[str, Callable[[Script, Seats], bytes]]] = {
    "the chips of others": (OTHERWISE, turned),
    "the pot into the host's pocket": (OTHERWISE, pot_into_pocket),
    "another dealer": (OTHERWISE, lambda s, seats: with_start(4, other_dealer(s))(s, seats)),
    "all back to zero": (OTHERWISE, lambda s, seats: bent(seats, start=ZERO, previous=reference(s))),
    "before the hand was counted": (
        ELSEWHERE,
        lambda s, seats: bent(seats, start=ZERO, previous=reference(s, first_counted(s))),
    ),
    "the chips of now and a head of before": (
        ELSEWHERE,
        lambda s, seats: bent(seats, start=told_of(s), previous=reference(s, first_counted(s))),
    ),
    "a head nobody has": (
        ELSEWHERE,
        lambda s, seats: bent(seats, start=told_of(s), previous=[s.descriptor.table_id, bytes(32)]),
    ),
    "a table nobody has": (
        NOT_THERE,
        lambda s, seats: bent(seats, start=told_of(s), previous=[bytes(32), reference(s)[1]]),
    ),
}


def other_dealer(script: Script) -> int:
    dealer = outcome(script.state).dealer
    assert dealer is not None
    return (dealer + 1) % 3


def first_counted(script: Script) -> int:
    """A height at which no hand was counted yet."""
    return script.state.records[-1].last_height


def cast(script: Script) -> list[tuple[str, Identity]]:
    """The people of the old table."""
    return [
        (NAMES[seat], Identity(key, script.descriptor.seats[seat].pk)) for seat, key in enumerate(script.keys)
    ]


def tables(folder: Path, name: str) -> list[str]:
    return sorted(path.name for path in (folder / name / "tables").glob("*"))


@pytest.mark.parametrize("what", LIES)
async def test_a_host_that_lies_about_the_table_before_is_refused_by_name(tmp_path: Path, what: str) -> None:
    script = standing(Phase.SETTLE)
    host_, other, (name, _) = cast(script)
    lay_down(tmp_path, script, GUEST, script.entries)
    before = tables(tmp_path, name)
    why, make = LIES[what]
    async with agreed(tmp_path, host_, other, guest=name) as (host, guest, seats):
        wire = host.wires[0]
        wire.say(TableOffer(make(script, seats)))
        with waiting():
            await host.run.ended(guest)
            await wire.gone()
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.NO_TABLE
        assert why in error.text
        assert "othing was signed" in error.text
        assert wire.of(Entries) == []
    assert tables(tmp_path, name) == before
    (kept,) = pending_tables(tmp_path / name, script.descriptor.seats[GUEST].pk)
    assert kept.descriptor.raw == script.descriptor.raw, "the old table can still go on"


@pytest.mark.parametrize("strangers", [False, True], ids=["other seats", "another player"])
async def test_other_people_or_seats_start_from_zero(tmp_path: Path, strangers: bool) -> None:
    """The lobby agreed to may seat them so; what stood at the old table is not carried over to them."""
    script = standing(Phase.SETTLE)
    first, second, (name, _) = cast(script)
    people = (first, ("Xavier", somebody(b"x"))) if strangers else (second, first)
    lay_down(tmp_path, script, GUEST, script.entries)
    async with agreed(tmp_path, *people, guest=name) as (host, guest, seats):
        wire = host.wires[0]
        wire.say(TableOffer(bent(seats, start=told_of(script), previous=reference(script))))
        with waiting():
            await host.run.ended(guest)
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert "other people or seats: nothing was signed" in error.text
        assert wire.of(Entries) == []


async def test_a_host_that_tells_the_truth_is_believed(tmp_path: Path) -> None:
    """The same tables without a lie are signed, so that it is the lie which is refused above."""
    script = standing(Phase.SETTLE)
    host_, other, (name, _) = cast(script)
    lay_down(tmp_path, script, GUEST, script.entries)
    async with agreed(tmp_path, host_, other, guest=name) as (host, _guest, seats):
        raw = bent(seats, start=told_of(script), previous=reference(script))
        assert raw != honest(seats)
        wire = host.wires[0]
        wire.say(TableOffer(raw), Entries(0, two_sits(host, raw)))
        with waiting():
            while not signed_by_guest(host):
                await wire.news.wait()
        assert host.run.errors == {}


async def test_a_guest_that_kept_the_end_of_the_hand_from_the_host(tmp_path: Path) -> None:
    """The last reveal went to the honest guest alone: the host does not know that the hand counts, and would
    begin where the table stood before it. The honest guest refuses, and the old table can go on."""
    script = standing(Phase.REVEAL)
    while script.state.done < 2:
        script.write(body_now(script))
    bad = script.writer()
    host_, honest_ = (seat for seat in range(3) if seat != bad)
    lay_down(tmp_path, script, host_, script.entries)
    path = next((tmp_path / NAMES[host_] / "tables").glob("*.tongits"))
    script.write(body_now(script))
    lay_down(tmp_path, script, honest_, script.entries)
    keys = tuple(seat.pk for seat in script.descriptor.seats)
    async with runner() as run:
        again = Again(path=path, seats=keys, tag=TAG, addresses=(), port=free_port())
        made = replace(config(tmp_path, NAMES[host_], words=True), fresh=True, again=again)
        host = run.start(host_session(made))
        address = host.listening[0]
        guest = run.start(
            join_session(replace(config(tmp_path, NAMES[honest_], address=address, words=True), fresh=True))
        )
        wire = await in_the_lobby(run, host, cast(script)[bad])
        with waiting():
            await until(guest, lambda s: len(lobby(s).seats) == 3)
        for session in (host, guest):
            session.set_ready(True)
        wire.say(SetReady(rules_digest(lobby(host).rules or script.rules)))
        with waiting():
            await run.ended(guest)
            await until(host, at_table)
        error = run.errors.pop(guest)
        assert isinstance(error, UserError)
        assert ELSEWHERE in error.text
        assert len(tables(tmp_path, NAMES[honest_])) == 1
        for seat in (host_, honest_):
            kept = pending_tables(tmp_path / NAMES[seat], keys[seat])
            assert script.descriptor.raw in [one.descriptor.raw for one in kept], "the old table can go on"
        assert run.errors == {}


async def in_the_lobby(run: Runner, host: Session, who: tuple[str, Identity]) -> Wire:
    """A modified guest takes a seat."""
    name, identity = who
    link = await open_link(host, identity, name)
    wire = Wire(link)
    run.nursery.start_soon(link.run, wire)
    wire.say(TakeSeat(nonce_commitment(identity.pk, bytes(32))))
    with waiting():
        while not any(len(heard.seats) == 3 for heard in wire.of(Lobby)):
            await wire.news.wait()
    return wire
