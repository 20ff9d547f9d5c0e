"""A cheat is convicted by one honest seat while the other is away: that one learns it when it comes back.

It would else wait for ever at a table that has stopped. Whoever convicted tells it, in any later session.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from tests.hostile.stage import Stage, judged, lay_down, waiting
from tests.hostile.test_forks import two_discards, two_turns
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.sessions import Runner, at_table, config, free_port, lobby, runner, table, until, until_kept
from tongits_lan.errors import Code
from tongits_lan.ledger.messages import EndHand, Entries
from tongits_lan.ledger.state import Phase
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.journal import Addresses, Journal, PendingTable, closed_tables, pending_tables

Cheat = tuple[Code, list[tuple[int, bytes]]]
"""What it is called, and the entries by which it comes to light, with their heights above the ledger."""


def an_end_in_mid_hand(script: Script) -> Cheat:
    return Code.PHASE, [(0, script.sign(EndHand()))]


def two_at_one_height(script: Script) -> Cheat:
    (one,), (other,) = two_discards(script)
    return Code.FORK, [(0, one), (0, other)]


def two_at_heights_that_follow(script: Script) -> Cheat:
    long, short = two_turns(script)
    return Code.FORK, [(0, short[0]), (1, long[1])]


@dataclass
class Case:
    """One honest seat at the table with the bad one, the other honest one away."""

    run: Runner
    folder: Path
    script: Script
    cheat: Cheat
    deaf: bool = False
    """Whether the seat that convicts does not know where the other one is."""
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    """Where the programs of the two honest seats listen, however often they are started."""

    def __post_init__(self) -> None:
        self.bad = self.script.writer()
        self.judge, self.late = (self.bad + 1) % 3, (self.bad + 2) % 3
        for seat in (self.judge, self.late):
            lay_down(self.folder, self.script, seat, self.script.entries)
            (found,) = self.pending(seat)
            journal = Journal.open(found.path)
            where = {self.late: self.ports[1], self.judge: self.ports[0]}
            if seat == self.judge and self.deaf:
                where = {}
            journal.remember(
                Addresses(
                    None, {self.pk(s): (f"127.0.0.1:{port}",) for s, port in where.items() if s != seat}
                )
            )
            journal.close()

    def pk(self, seat: int) -> bytes:
        return self.script.descriptor.seats[seat].pk

    def pending(self, seat: int, *, stopped: bool = False) -> list[PendingTable]:
        return pending_tables(self.folder / NAMES[seat], self.pk(seat), stopped=stopped)

    def untold(self, seat: int) -> list[tuple[int, ...]]:
        return [kept.untold for kept in closed_tables(self.folder / NAMES[seat], self.pk(seat))]

    def start(self, seat: int) -> Session:
        port = self.ports[seat == self.late]
        return self.run.start(host_session(replace(config(self.folder, NAMES[seat]), port=port)))

    async def convict(self) -> Session:
        """The bad seat shows `judge` alone what convicts it."""
        session = self.start(self.judge)
        height = self.script.state.height
        scene = Stage(self.run, self.folder, self.script, self.bad, height, self.script.state.match)
        with waiting():
            await until(session, at_table)
            wire = await scene.wire(session)
            for above, raw in self.cheat[1]:
                wire.say(Entries(height + above, (raw,)))
            await until(session, lambda s: table(s).stopped)
        return session

    def explains(self, session: Session) -> None:
        """Its screen says who did what, and what the chips are."""
        view = table(session)
        assert view.stopped is not None
        assert (view.stopped.code, view.stopped.seat) == (self.cheat[0], self.bad)
        assert view.match == self.script.state.match

    def both_can_prove_it(self) -> None:
        one, other = (
            [path.read_bytes() for path in (self.folder / NAMES[seat] / "tables").glob("*.evidence")]
            for seat in (self.judge, self.late)
        )
        assert len(one) == 1
        assert one == other
        fault = judged(one[0]).fault
        assert fault is not None
        assert (fault.code, fault.seat) == (self.cheat[0], self.bad)
        assert self.pending(self.judge, stopped=True) == self.pending(self.late, stopped=True) == []


@asynccontextmanager
async def case(folder: Path, make: Callable[[Script], Cheat], *, deaf: bool = False) -> AsyncIterator[Case]:
    script = standing(Phase.PLAY)
    async with runner() as run:
        yield Case(run, folder, script, make(script), deaf)
        assert run.errors == {}


async def test_who_was_away_is_told_in_a_later_session(tmp_path: Path) -> None:
    """Who convicted has left that table, and opens another one."""
    ways = (an_end_in_mid_hand, two_at_one_height, two_at_heights_that_follow)
    told: list[str] = []
    async with trio.open_nursery() as nursery:  # several at once, for they spend their time waiting
        for make in ways:
            nursery.start_soon(told_later, tmp_path / make.__name__, make, told)
    assert sorted(told) == sorted(make.__name__ for make in ways)


async def told_later(folder: Path, make: Callable[[Script], Cheat], told: list[str]) -> None:
    async with case(folder, make) as it:
        await it.run.ended(await it.convict())
        assert it.untold(it.judge) == [(it.late,)]
        assert it.pending(it.judge, stopped=True) == []
        host, back = it.start(it.judge), it.start(it.late)
        with waiting():
            await it.run.ended(back)
            await until_kept(lambda: not it.untold(it.judge))
        it.explains(back)
        it.both_can_prove_it()
        assert it.untold(it.late) == []
        assert len(lobby(host).seats) == 1
    told.append(make.__name__)


async def test_a_program_that_was_killed_while_it_told_explains_again_and_tells(tmp_path: Path) -> None:
    async with case(tmp_path, two_at_heights_that_follow) as it:
        await it.run.stop(await it.convict())
        assert it.pending(it.judge) == []
        assert [found.stopped for found in it.pending(it.judge, stopped=True)] == [True]
        again = it.start(it.judge)
        with waiting():
            await until(again, at_table)
        it.explains(again)
        back = it.start(it.late)
        with waiting():
            await it.run.ended(back)
            await it.run.ended(again)
        it.explains(back)
        it.both_can_prove_it()
        assert it.untold(it.judge) == it.untold(it.late) == []


async def test_who_comes_by_himself_is_told_though_there_is_no_place_for_him(tmp_path: Path) -> None:
    """The one who convicted cannot reach the other, and hosts a full table with a code by now; the other only
    has its address, and no code."""
    async with case(tmp_path, two_at_one_height, deaf=True) as it:
        await it.run.ended(await it.convict())
        made = replace(config(it.folder, NAMES[it.judge]), port=it.ports[0], open_table=False)
        host = it.run.start(host_session(made))
        for name in ("Dora", "Eli"):
            code = lobby(host).code
            join = replace(config(it.folder, name, address=host.listening[0]), code=code, open_table=False)
            it.run.start(join_session(join))
        with waiting():
            await until(host, lambda s: len(lobby(s).seats) == 3)
            back = it.start(it.late)
            await it.run.ended(back)
        it.explains(back)
        it.both_can_prove_it()
        assert it.untold(it.judge) == it.untold(it.late) == []
        assert len(lobby(host).seats) == 3
