"""One seat of a begun table, at work: what comes in goes to the table, what the table asks for is done.

Owns the order "store durably, then send", the worker threads for proofs, the clock of the table and its
end. Must not know what entries mean nor how links are made.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from tongits_lan.errors import LinkLost, Refused, UserError
from tongits_lan.game.moves import Move
from tongits_lan.ledger.effects import CalledOff, Effects, Job, LinkChanged, Stopped, TableEvent
from tongits_lan.ledger.messages import (
    Bye,
    Chat,
    Differ,
    Entries,
    Get,
    Have,
    Message,
    Presence,
    Reject,
    Roster,
    SetReady,
    TableOffer,
)
from tongits_lan.ledger.playback import PlayedHand
from tongits_lan.ledger.state import TableClosed
from tongits_lan.ledger.table import Table
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.addresses import AddressBook
from tongits_lan.net.base import Base
from tongits_lan.net.before import took_place
from tongits_lan.net.config import Again
from tongits_lan.net.ending import Ending
from tongits_lan.net.events import TableBegan
from tongits_lan.net.flood import Allowance
from tongits_lan.net.link import Link
from tongits_lan.net.mesh import Mesh
from tongits_lan.net.parting import Parting
from tongits_lan.net.settling import Settling
from tongits_lan.net.talk import UNHEARD, Talk, worth_saying
from tongits_lan.store.journal import Addresses, Journal

WORKERS = 2  # threads for proofs

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Port:
    """The owner of a link to one seat."""

    node: "Node"
    seat: int

    def heard(self, link: Link, message: Message) -> None:
        self.node.heard(self.seat, link, message)

    def drained(self, link: Link) -> None:
        self.node.pump()

    def ended(self, link: Link, reason: str) -> None:
        _log.info("link to seat %d ended: %s", self.seat, reason)
        self.node.mesh.dropped(self.seat, link)


class Node:
    """The pump around one table and its journal."""

    def __init__(
        self, base: Base, journal: Journal, table: Table, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._base = base
        self._journal = journal
        self._clock = clock
        self._table = table
        self._nursery: trio.Nursery | None = None
        self._limiter = trio.CapacityLimiter(WORKERS)
        self._waiting_jobs: list[Job] = []
        self._view: TableView | None = None
        self._armed = float("inf")
        self._rearm = trio.Event()
        self._broken = False
        self._gossip = Allowance()
        descriptor, me = journal.descriptor, journal.me
        self._ending = Ending(me, descriptor, self._table)
        pks = tuple(seat.pk for seat in descriptor.seats)
        self._book = book = AddressBook(pks, me, journal.addresses.seats, base.config.address)
        self.mesh = Mesh(base, descriptor, me, book, self)
        self._talk = Talk(me, self.mesh, base.herald, clock, self._later)
        self._settling = Settling(base.herald.tell, self._later)
        self.parting = Parting(base, journal, self._table, self._ending, self.view, self.mesh.linked)
        self.mesh.on_addresses = lambda: self._remember(book)
        self._remember(book)

    @property
    def path(self) -> Path:
        """The ledger file."""
        return self._journal.path

    @property
    def tag(self) -> bytes:
        """The 8 bytes by which the seats find this table again."""
        return self._journal.tag

    @property
    def descriptor_raw(self) -> bytes:
        """The table's descriptor as it is signed."""
        return self._journal.descriptor.raw

    # what the player says

    def view(self) -> TableView:
        """What this seat may see now."""
        if self._view is None:
            self._view = self._table.view(self._clock())
        return self._view

    def played(self) -> PlayedHand | None:
        """The last settled hand with open cards."""
        return self._table.played()

    def submit(self, move: Move) -> None:
        """Makes a move. Raises Refused."""
        self._table.submit(move, self._clock())
        self._acted()

    def confirm_words(self) -> None:
        """The words are the same. Raises Refused."""
        self._table.confirm_words(self._clock())
        self._acted()

    def words_differ(self) -> None:
        """Calls the table off before its first hand. Raises Refused later."""
        self._table.words_differ(self._clock())
        self._acted()

    def go_on(self) -> None:
        """Confirms the result. Raises Refused."""
        self._table.go_on(self._clock())
        self._acted()

    def leave(self) -> None:
        """Closes the table. Raises Refused."""
        self._table.leave(self._clock())
        self._acted()

    def give_up(self) -> None:
        """Forfeits the hand. Raises Refused."""
        self._table.give_up(self._clock())
        self._acted()

    def keep_waiting(self) -> None:
        """Waits on for an absent seat."""
        self._table.wait(self._clock())
        self._acted()

    def chat(self, text: str) -> None:
        """Says something to the others. Raises Refused for nothing to say, and where nobody would hear it."""
        said = worth_saying(text)
        if not self.mesh.linked():
            raise Refused(UNHEARD)
        self._base.bridge.soon(lambda: self._talk.say(said))

    def rtt_ms(self, seat: int) -> float | None:
        """Milliseconds of the last ping to that seat over a direct link."""
        rtt = self.mesh.rtt(seat)
        return None if rtt is None else rtt * 1000.0

    # what links say

    async def receive_link(self, link: Link, pk: bytes) -> None:
        """A link this seat accepted, greeted already: tells the table and runs it to its end."""
        self.offer(link, pk)
        if link.owner is None:
            await link.close()
        else:
            await link.run(link.owner)

    def offer(self, link: Link, pk: bytes) -> None:
        """Tells the other end the table and takes the link in; it may be running already."""
        seat = self.mesh.seat_of(pk)
        if seat is None or seat == self._journal.me:
            link.end("it holds no seat here", Bye("closing", "this key holds no seat at this table"))
            return
        link.owner = self.owner(seat)
        link.post(TableOffer(self.descriptor_raw))
        self.mesh.adopt(seat, link, dialler=seat)

    def adopt_server(self, link: Link, pk: bytes) -> None:
        """Takes in a link this seat dialled, after the other end has told this very table."""
        seat = self.mesh.seat_of(pk)
        assert seat is not None
        link.owner = self.owner(seat)
        self.mesh.adopt(seat, link, dialler=self._journal.me)

    def owner(self, seat: int) -> _Port:
        """Who gets the messages of a link to `seat`."""
        return _Port(self, seat)

    def linked(self, seat: int) -> None:
        """A link to `seat` is up, or took the place of another."""
        self._ending.linked(seat)
        self._talk.link_up(seat)
        self._table.link_up(seat, self._clock())
        self.pump()

    def wanted(self, seat: int) -> bool:
        """Whether a link to `seat` has a purpose: not at a closed table that it has left, holding it all."""
        view = self.view()
        return not (view.closed and self._ending.is_done(seat, view))

    def unlinked(self, seat: int) -> None:
        """No link to `seat` any more."""
        self._table.link_down(seat, self._clock())
        self.pump()

    def heard(self, seat: int, link: Link, message: Message) -> None:
        """One message from `seat`; `pump` follows when all that came with it is heard. Raises LinkLost."""
        gossip = isinstance(message, Reject | Presence | Roster | Differ)
        if gossip and not self._gossip.allows(seat, self._clock()):
            return  # nobody signed it, each one shows on the screen or goes to the disk
        match message:
            case Have() | Get() | Entries() | Reject() | Presence() | Differ():
                self._table.receive(seat, message, self._clock())
                self._ending.heard(seat, message)
            case Roster():
                self.mesh.heard(seat, message)
            case Chat():
                self._talk.hear(seat, message)
            case SetReady() if link.server:
                pass  # it was said in the lobby and crossed the beginning of the table
            case _:
                raise LinkLost(f"{type(message).__name__} has no place at a table")

    # the pump

    def pump(self) -> None:
        """Does what the table asks for: stores, sends, closes, computes, tells. Inside trio only."""
        while not self._broken and (effects := self._table.take()):
            self._carry_out(effects)
        self._view = None
        deadline = self._table.next_deadline()
        if deadline is not None and deadline < self._armed:
            self._rearm.set()
        if self.parting.over.is_set():
            self._base.herald.wake()  # who waits for the others to be level

    def _acted(self) -> None:
        self._view = None
        self._base.bridge.soon(self.pump)

    def _carry_out(self, effects: Effects) -> None:
        try:
            if effects.store:
                self._journal.apply(effects.store)
        except UserError as error:
            self._broken = True  # what is not stored must not be sent
            self._base.fail(error)
            return
        for seat, message in effects.send:
            self.mesh.post(seat, message)
        for seat, reason in effects.close:
            self.mesh.end(seat, reason)
        self._start_jobs(effects.jobs)
        self._view = None
        for event in effects.events:
            if isinstance(event, LinkChanged):
                self._settling.heard(event)
                continue
            self._base.herald.tell(event)
            _chronicle(self._base, self._journal, event)
            if isinstance(event, TableClosed):
                self._say_level()
            if isinstance(event, TableClosed | Stopped | CalledOff):
                self.parting.over.set()
        self._base.herald.wake()

    def _say_level(self) -> None:
        """Tells the others at once that the last entry is held here: they may be waiting for that to
        leave."""
        view = self.view()
        for seat in self.mesh.linked():
            self.mesh.post(seat, Have(view.height, view.head))

    def _start_jobs(self, jobs: tuple[Job, ...]) -> None:
        if self._nursery is None:
            self._waiting_jobs += jobs
            return
        for job in jobs:
            self._nursery.start_soon(self._work, job)

    async def _work(self, job: Job) -> None:
        result = await trio.to_thread.run_sync(job, limiter=self._limiter)
        self._table.finish(job, result, self._clock())
        self.pump()

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        """Does something in a while. Inside trio only, after `begin`."""

        async def wait() -> None:
            await trio.sleep(seconds)
            act()

        assert self._nursery is not None
        self._nursery.start_soon(wait)

    async def _keep_time(self) -> None:
        """Ticks the table at its own deadlines."""
        while True:
            self._rearm = trio.Event()
            deadline = self._table.next_deadline()
            self._armed = float("inf") if deadline is None else deadline
            with trio.move_on_after(max(0.0, self._armed - self._clock())) as pause:
                await self._rearm.wait()
            if pause.cancelled_caught:
                self._table.tick(self._clock())
                self.pump()
                self._base.herald.wake()

    # beginning and end

    def begin(self, nursery: trio.Nursery) -> None:
        """Starts the seat's work in `nursery`. Inside trio, once."""
        self._nursery = nursery
        jobs, self._waiting_jobs = self._waiting_jobs, []
        self._start_jobs(tuple(jobs))
        self._base.herald.tell(TableBegan(self.path))
        self._table.start(self._clock())
        self.mesh.run(nursery)
        nursery.start_soon(self._keep_time)
        self._base.beacon.say(self.tag, SEATS, self.view().rules)
        nursery.start_soon(self._base.beacon.seek, self.tag, self.mesh.misses, self.mesh.announced)
        self.pump()
        if self.view().is_over:
            self.parting.over.set()

    async def finished(self) -> None:
        """Returns when the table is over and this seat has parted from it."""
        await self.parting.finished()
        if self.parting.is_final:
            self._table.quit(self._clock())
            self.pump()
        self.mesh.say_bye(Bye("closing", ""))

    def again(self) -> Again:
        """What the next table with the same people needs to know of this one."""
        seats = tuple(seat.pk for seat in self._journal.descriptor.seats)
        known = [self._book.of(seat) for seat in range(SEATS)]
        addresses = dict.fromkeys(address for row in known for address in row)
        return Again(self.path, seats, self.tag, tuple(addresses), self._base.door.port)

    def close(self) -> None:
        """Gives the files back."""
        self._journal.close()

    def _remember(self, book: AddressBook) -> None:
        self._journal.remember(Addresses(self._base.door.port, book.kept()))


def _chronicle(base: Base, journal: Journal, event: TableEvent) -> None:
    """What an event at the table means for the people known, and for the table that it continues."""
    base.company.heard(event, journal.descriptor, journal.me)
    try:
        took_place(event, journal.descriptor, base.config.data_dir, base.identity.pk)
    except UserError as error:
        base.note(str(error))
