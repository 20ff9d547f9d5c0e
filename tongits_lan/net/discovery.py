"""Tables that find their players: announcing one, and listening for those of others, by mDNS/DNS-SD.

Owns what is announced and which rows a list shows. Must not know sessions or tables. Nothing needs
discovery: an address typed by hand always works.
"""

import contextlib
import itertools
import logging
import math
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import trio

from tongits_lan.game.sentences import phrase
from tongits_lan.limits import ADDRESSES_PER_SEAT
from tongits_lan.net.announcements import SERVICE, Found, Heard, Notice, Rows, parse
from tongits_lan.net.engine import PACE, Look, Pace, keep_open
from tongits_lan.net.interfaces import Interface, interfaces, make_interface, own_hosts, usable
from tongits_lan.net.transport import EVERYWHERE, dial, parse_address

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

__all__ = ["Announcer", "Browser", "Found", "Look", "Notice", "Pace", "looking"]

_WAITING_MAX = 256  # announcements on their way from the library's thread; the oldest are dropped
_PING_SECONDS = 1.5  # for a port to answer
_PINGS = 16  # ports asked at once

_log = logging.getLogger(__name__)


def looking(only: str | None = None, bind: str | None = None) -> Look:
    """How a session looks at this machine: at the interface `only` (name or address), at the one that has the
    address it listens on, or at all that can lead to others."""

    def look() -> tuple[Interface, ...]:
        if only is not None:
            return interfaces(only)
        if bind is None or bind in EVERYWHERE:
            return usable(interfaces())
        (holder,) = interfaces(bind)
        bound = [address for address in holder.addresses if str(address.ip) == bind]
        return (make_interface(holder.name, holder.index, bound),)

    return look


class Announcer:
    """Says that a table of this machine is there, on every interface `look` lists.

    `mark` (a few random characters) tells this machine's announcement from others of the same table.
    `changed` is called when `problem` is another one."""

    def __init__(
        self,
        look: Look,
        mark: str,
        *,
        v6: bool = False,
        pace: Pace = PACE,
        changed: Callable[[], None] | None = None,
    ) -> None:
        self._look = look
        self._tell = changed
        self._mark = mark
        self._v6 = v6
        self._pace = pace
        self._notice: Notice | None = None
        self._news = trio.Event()
        self._out = trio.Event()
        self.problem: str | None = None
        """Why nothing is announced now: one sentence, None while all is well."""

    def announce(self, notice: Notice | None) -> None:
        """What is to be said from now on; None: nothing. Inside trio only."""
        if notice != self._notice:
            self._notice = notice
            self._news.set()
            self._out = trio.Event()

    async def said(self) -> None:
        """Returns when what `announce` was last given is out on the network."""
        while not (out := self._out).is_set():
            await out.wait()

    async def run(self) -> None:
        """Announces until cancelled, then says goodbye. Never raises."""
        await keep_open(self._look, self._pace, self._serve, self._note)

    async def _serve(self, engine: "Zeroconf", known: tuple[Interface, ...]) -> None:
        said: ServiceInfo | None = None
        while True:
            self._news, out = trio.Event(), self._out
            wanted = None if self._notice is None else self._info(self._notice, known)
            if said is not None and (wanted is None or wanted.name != said.name):
                await trio.to_thread.run_sync(engine.unregister_service, said)
                said = None
            if wanted is not None:
                publish = (
                    partial(engine.register_service, cooperating_responders=True)
                    if said is None
                    else engine.update_service
                )
                await trio.to_thread.run_sync(publish, wanted)
                said = wanted
            out.set()
            await self._news.wait()

    def _info(self, notice: Notice, known: tuple[Interface, ...]) -> "ServiceInfo":
        from zeroconf import ServiceInfo

        hosts = own_hosts(known, v6=self._v6)[:ADDRESSES_PER_SEAT]
        return ServiceInfo(
            SERVICE,
            f"{notice.tag.hex()}-{self._mark}.{SERVICE}",
            port=notice.port,
            properties=notice.texts(),
            server=f"tongits-{self._mark}.local.",
            parsed_addresses=[host.partition("%")[0] for host in hosts],
        )

    def _note(self, problem: str | None) -> None:
        before, self.problem = self.problem, None
        if problem:
            self.problem = phrase(
                "The table cannot be announced ({why}): tell the others the address.", why=problem
            )
        if self._tell is not None and before != self.problem:
            self._tell()


class Browser:
    """The live list of the tables that are announced on the interfaces `look` lists.

    `mine`: marks of announcers of this very program, which are left out. `pings`: whether each table's port
    is asked now and then if it answers."""

    def __init__(
        self, look: Look, *, mine: tuple[str, ...] = (), pings: bool = True, pace: Pace = PACE
    ) -> None:
        self._look = look
        self._mine = mine
        self._pings = pings
        self._pace = pace
        self._known: tuple[Interface, ...] = ()
        self._rows = Rows(pace.stale)
        self._waiting: deque[Heard | str] = deque(maxlen=_WAITING_MAX)
        self._found: tuple[Found, ...] = ()
        self._answers: set[bytes] = set()
        self._changed = trio.Event()
        self._subscribers: list[trio.MemorySendChannel[tuple[Found, ...]]] = []
        self._new_rows = trio.Event()
        self._rearm = trio.Event()
        self._empty_since = math.inf
        self.problem: str | None = None
        """Why nothing can be heard now: one sentence, None while all is well."""

    @property
    def found(self) -> tuple[Found, ...]:
        """The tables there are now, in the order they were first heard."""
        return self._found

    @property
    def nothing_for(self) -> float:
        """Seconds of looking without a single table to show. Inside trio only."""
        return 0.0 if self._found else max(0.0, trio.current_time() - self._empty_since)

    def subscribe(self) -> trio.MemoryReceiveChannel[tuple[Found, ...]]:
        """Every new state of the list from now on; ends with `run`."""
        send, receive = trio.open_memory_channel[tuple[Found, ...]](math.inf)
        self._subscribers.append(send)
        return receive

    async def wait_changed(self) -> None:
        """Returns after the next change of `found`."""
        await self._changed.wait()

    async def run(self) -> None:
        """Listens and asks until cancelled. Never raises."""
        self._empty_since = trio.current_time()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._expire)
                if self._pings:
                    nursery.start_soon(self._ping)
                await keep_open(self._look, self._pace, self._serve, self._note)
        finally:
            for subscriber in self._subscribers:
                subscriber.close()

    async def _serve(self, engine: "Zeroconf", known: tuple[Interface, ...]) -> None:
        from tongits_lan.net.listening import Listener, question

        self._known = known
        token = trio.lowlevel.current_trio_token()

        def hear(what: Heard | str) -> None:  # in the library's thread
            self._waiting.append(what)
            with contextlib.suppress(trio.RunFinishedError):
                token.run_sync_soon(self._take_in, idempotent=True)

        engine.add_listener(Listener(hear), None)
        for pause in itertools.chain(self._pace.questions, itertools.repeat(self._pace.questions[-1])):
            engine.send(question())
            await trio.sleep(pause)

    def _take_in(self) -> None:
        now = trio.current_time()
        while self._waiting:
            what = self._waiting.popleft()
            if isinstance(what, str):
                self._rows.goodbye(what, now)
            elif not what.instance.split(".")[0].endswith(tuple(f"-{mark}" for mark in self._mine)):
                said = parse(what, self._known)
                if said is not None:
                    self._rows.heard(said, now)
        self._publish()

    def _publish(self) -> None:
        self._rearm.set()
        before, self._found = self._found, self._rows.found()
        if before == self._found:
            return
        if {row.tag for row in self._found} - {row.tag for row in before}:
            self._new_rows.set()
        if not self._found:
            self._empty_since = trio.current_time()
        self._changed.set()
        self._changed = trio.Event()
        for subscriber in tuple(self._subscribers):
            try:
                subscriber.send_nowait(self._found)
            except trio.BrokenResourceError:
                self._subscribers.remove(subscriber)

    async def _expire(self) -> None:
        while True:
            self._rearm = trio.Event()
            deadline = self._rows.next_deadline()
            with trio.move_on_at(math.inf if deadline is None else deadline) as pause:
                await self._rearm.wait()
            if pause.cancelled_caught:
                self._rows.expire(trio.current_time())
                self._publish()

    async def _ping(self) -> None:
        """Asks every row's port whether it answers, new rows at once."""
        limiter = trio.CapacityLimiter(_PINGS)
        while True:
            self._new_rows = trio.Event()
            async with trio.open_nursery() as nursery:
                for row in self._found:
                    nursery.start_soon(self._ping_row, row, limiter)
            with trio.move_on_after(self._pace.ping):
                await self._new_rows.wait()

    async def _ping_row(self, row: Found, limiter: trio.CapacityLimiter) -> None:
        self._answers.discard(row.tag)
        async with limiter:
            with trio.move_on_after(_PING_SECONDS):
                async with trio.open_nursery() as nursery:
                    for address in row.addresses:
                        nursery.start_soon(self._ping_one, row, address, nursery.cancel_scope)
        if row.tag not in self._answers:
            self._rows.silent(row.tag)
        self._publish()

    async def _ping_one(self, row: Found, address: str, tries: trio.CancelScope) -> None:
        asked = trio.current_time()
        try:
            stream = await dial(*parse_address(address))
        except OSError:
            return
        now = trio.current_time()
        self._answers.add(row.tag)
        self._rows.answered(row.tag, address, float(round((now - asked) * 1000)), now)
        tries.cancel()
        await trio.aclose_forcefully(stream)

    def _note(self, problem: str | None) -> None:
        self.problem = None
        if problem:
            self.problem = phrase(
                "Tables cannot be looked for ({why}): type the host's address.", why=problem
            )
