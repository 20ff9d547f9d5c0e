"""A modified client in the middle: an honest table of its own, but what it sends is bent on the way out.

Both honest seats are linked to it alone, so everything one of them hears of the other comes through here.
"""

import os
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.hostile.stage import TAG, Stage, answer, lay_down, secrets_of, waiting
from tests.scripted import NAMES, Script
from tests.sessions import config, runner, table, until
from tongits_lan.bots import choose
from tongits_lan.errors import Fault, LinkLost
from tongits_lan.game.engine import view as seat_view
from tongits_lan.ledger.effects import Job
from tongits_lan.ledger.messages import Entries, Get, Have, Message, Presence, Reject, Roster, TableOffer
from tongits_lan.ledger.table import Table, TableMessage
from tongits_lan.limits import SEATS
from tongits_lan.net.handshake import Me, greet_client
from tongits_lan.net.link import Link
from tongits_lan.net.session import join_session
from tongits_lan.net.transport import join_address

Bend = Callable[[int, TableMessage], Iterable[Message]]
"""What is sent to a seat in place of a message."""


def straight(_: int, message: TableMessage) -> Iterable[Message]:
    """Passes everything on."""
    return (message,)


@dataclass(frozen=True)
class Port:
    """The owner of the link to one honest seat."""

    relay: "Relay"
    seat: int

    def heard(self, link: Link, message: Message) -> None:
        self.relay.heard(self.seat, message)

    def drained(self, link: Link) -> None:
        self.relay.pump()

    def ended(self, link: Link, reason: str) -> None:
        self.relay.ended(self.seat, link, reason)


@dataclass
class Relay:
    """The bad seat at work; `bend` may be changed at any time."""

    scene: Stage
    bend: Bend = straight
    ends: list[tuple[int, str]] = field(default_factory=list)
    """Links that ended: (seat, why)."""
    addresses: dict[int, Roster] = field(default_factory=dict)
    """The roster each honest seat told; never passed on unless a test does."""
    pending: int = 0

    def __post_init__(self) -> None:
        script, bad = self.scene.script, self.scene.bad
        self.nursery = self.scene.run.nursery
        self.links: dict[int, Link] = {}
        self.table = Table(
            me=bad,
            key=script.keys[bad],
            descriptor=script.descriptor,
            nonce=script.nonces[bad],
            entropy=os.urandom,
            entries=script.entries,
            secrets=secrets_of(script, bad),
            waits_for_words=False,
        )
        self.rng = random.Random(bad)
        self.table.start(time.monotonic())

    async def serve(self, stream: trio.SocketStream) -> None:
        """One link of an honest seat, from its first byte to its end."""
        seats = self.scene.script.descriptor.seats
        me = Me(self.scene.identity, NAMES[self.scene.bad], os.urandom)
        link = await answer(stream)
        try:
            peer = await greet_client(link, me, TAG, lambda pk: None)
        except (LinkLost, Fault):
            await link.close()
            return
        seat = next(number for number, entry in enumerate(seats) if entry.pk == peer.pk)
        self.links[seat] = link
        link.post(TableOffer(self.scene.script.descriptor.raw))
        self.table.link_up(seat, time.monotonic())
        self.pump()
        await link.run(Port(self, seat))

    def heard(self, seat: int, message: Message) -> None:
        match message:
            case Have() | Get() | Entries() | Reject() | Presence():
                self.table.receive(seat, message, time.monotonic())
            case Roster():
                self.addresses[seat] = message
            case _:
                pass

    def ended(self, seat: int, link: Link, reason: str) -> None:
        self.ends.append((seat, reason))
        if self.links.get(seat) is link:
            del self.links[seat]
            self.table.link_down(seat, time.monotonic())
            self.pump()

    def say(self, seat: int, *messages: Message) -> None:
        """Sends these as they are."""
        if seat in self.links:
            for message in messages:
                self.links[seat].post(message)

    def pump(self) -> None:
        """Does what the table asks for, bent."""
        self._play()
        while effects := self.table.take():
            for seat, message in effects.send:
                self.say(seat, *self.bend(seat, message))
            for job in effects.jobs:
                self.nursery.start_soon(self._work, job)
            self._play()

    async def _work(self, job: Job) -> None:
        result = await trio.to_thread.run_sync(job)
        self.table.finish(job, result, time.monotonic())
        self.pump()

    def _play(self) -> None:
        now = time.monotonic()
        view = self.table.view(now)
        if view.legal and view.position is not None:
            mine = seat_view(view.position, view.me, view.faces)
            self.table.submit(choose(mine, view.legal, self.rng), now)
        elif view.can_leave and view.records_count:
            self.table.leave(now)

    async def keep_time(self) -> None:
        while True:
            await trio.sleep(0.2)
            self.table.tick(time.monotonic())
            self.pump()


@asynccontextmanager
async def star(folder: Path, script: Script, bad: int, bend: Bend = straight) -> AsyncIterator[Relay]:
    """Both honest sessions joined to the relay, and to nobody else."""
    async with runner() as run:
        scene = Stage(run, folder, script, bad, script.state.height, script.state.match)
        relay = Relay(scene, bend)
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        address = join_address(*listener.socket.getsockname()[:2])
        run.nursery.start_soon(trio.serve_listeners, relay.serve, [listener])
        run.nursery.start_soon(relay.keep_time)
        for seat in range(SEATS):
            if seat == bad:
                continue
            lay_down(folder, script, seat, script.entries)
            made = config(folder, NAMES[seat], address=address)
            scene.honest[seat] = run.start(join_session(made))
        with waiting():
            for session in scene.honest.values():
                await until(session, lambda s: hasattr(s.view, "links"))
                await until(session, lambda s: table(s).links[bad].kind == "direct")
        yield relay
