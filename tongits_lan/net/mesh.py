"""The links of one seat of a begun table to the two others.

Owns who dials whom and when, which of two links of a pair stays, and the roster. Must not know what is
played.
"""

import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import trio

from tongits_lan.errors import Fault, LinkLost
from tongits_lan.ledger.chain import Descriptor
from tongits_lan.ledger.messages import Bye, Message, Presence, Roster, TableOffer
from tongits_lan.limits import DIAL_SECONDS, HANDSHAKE_SECONDS, SEATS
from tongits_lan.net.addresses import AddressBook
from tongits_lan.net.base import Base
from tongits_lan.net.handshake import Declined, greet_server
from tongits_lan.net.link import Link, Owner
from tongits_lan.net.transport import dial, join_address, parse_address, secure

DELAYS = (0.0, 1.0, 2.0, 4.0)  # seconds before each try; the last one goes on for ever
CROSSING_SECONDS = DIAL_SECONDS + HANDSHAKE_SECONDS  # that links of seats which dial each other may lie apart

_log = logging.getLogger(__name__)


class Ends(Protocol):
    """What the mesh tells the table."""

    def linked(self, seat: int) -> None:
        """A link to `seat` is up, or took the place of an older one."""

    def unlinked(self, seat: int) -> None:
        """No link to `seat` any more."""

    def wanted(self, seat: int) -> bool:
        """Whether a link to `seat` has a purpose."""

    def owner(self, seat: int) -> Owner:
        """Who gets the messages of a link to `seat`."""


@dataclass(frozen=True, slots=True)
class _Held:
    link: Link
    dialler: int
    since: float
    """Seconds of trio's clock."""


class Mesh:
    """At most one live link to each other seat."""

    def __init__(self, base: Base, descriptor: Descriptor, me: int, book: AddressBook, ends: Ends) -> None:
        self._base = base
        self._descriptor = descriptor
        self._me = me
        self._book = book
        self._ends = ends
        self._held: dict[int, _Held] = {}
        self._wake = {seat: trio.Event() for seat in range(SEATS)}
        self._nursery: trio.Nursery | None = None
        self.on_addresses: Callable[[], None] | None = None
        """Called when there is something new to remember."""

    def seat_of(self, pk: bytes) -> int | None:
        """Which seat the key holds."""
        return next((s for s, seat in enumerate(self._descriptor.seats) if seat.pk == pk), None)

    def linked(self) -> tuple[int, ...]:
        """The seats with a live link, ascending."""
        return tuple(sorted(self._held))

    def rtt(self, seat: int) -> float | None:
        """Seconds of the last ping over the link to `seat`."""
        held = self._held.get(seat)
        return None if held is None else held.link.rtt

    def post(self, seat: int, message: Message) -> None:
        """Sends over the link to `seat`, if there is one."""
        held = self._held.get(seat)
        if held is not None:
            held.link.post(message)

    def end(self, seat: int, reason: str) -> None:
        """Ends the link to `seat` for what it sent."""
        held = self._held.get(seat)
        if held is not None:
            held.link.end(reason, Bye("protocol", reason))

    def adopt(self, seat: int, link: Link, *, dialler: int) -> None:
        """Takes in a link that reached the table; of two of a pair that dialled each other the one dialled by
        the lower seat stays, else the newer one. Inside trio only."""
        held, now = self._held.get(seat), trio.current_time()
        crossing = held is not None and held.dialler != dialler and now < held.since + CROSSING_SECONDS
        if crossing and dialler != min(seat, self._me):
            link.end("another link to this seat stays", Bye("closing", "another link stays"))
            return
        self._held[seat] = _Held(link, dialler, now)
        if held is not None:
            held.link.end("a newer link took its place", Bye("closing", "a newer link took its place"))
        link.post(self._roster(link))
        self._ends.linked(seat)

    def dropped(self, seat: int, link: Link) -> None:
        """A link to `seat` ended."""
        held = self._held.get(seat)
        if held is not None and held.link is link:
            del self._held[seat]
            self._knock(seat)
            if link.last_words == "left" and link.owner is not None:
                link.owner.heard(link, Presence(seat, "quit"))  # its program was closed, not cut off
            self._ends.unlinked(seat)

    def heard(self, seat: int, roster: Roster) -> None:
        """A linked seat told where the seats are."""
        if not self._book.heard(seat, roster, self.linked()):
            return
        for held in self._held.values():
            held.link.post(self._roster(held.link))
        for other in range(SEATS):
            self._knock(other)
        if self.on_addresses is not None:
            self.on_addresses()

    def misses(self) -> bool:
        """Whether a seat is without a link."""
        return len(self._held) < SEATS - 1

    def announced(self, addresses: tuple[str, ...]) -> None:
        """This table's tag is heard at these addresses; whose they are a dial will tell."""
        if self._book.announced(addresses):
            for seat in range(SEATS):
                self._knock(seat)

    def say_bye(self, bye: Bye) -> None:
        """Ends every link with these last words."""
        for held in tuple(self._held.values()):
            held.link.end("this session ended", bye)

    def run(self, nursery: trio.Nursery) -> None:
        """Dials the seats that are not linked, until cancelled; links live in `nursery`."""
        self._nursery = nursery
        for seat in range(SEATS):
            if seat != self._me:
                nursery.start_soon(self._seek_with, seat, self._try)

    def _roster(self, link: Link) -> Roster:
        own = self._base.addresses()
        if link.own_host is not None:
            here = join_address(link.own_host, self._base.door.port)
            own = tuple(dict.fromkeys((here, *own))) if self._base.door.everywhere else own
        return self._book.roster(own, on_loopback=link.on_loopback)

    def _knock(self, seat: int) -> None:
        self._wake[seat].set()
        self._wake[seat] = trio.Event()

    async def _seek_with(self, seat: int, attempt: Callable[[int], Awaitable[None]]) -> None:
        """Calls `attempt(seat)` whenever the seat is missed, more and more slowly until there is news."""
        tries, last = 0, -math.inf
        while True:
            if seat in self._held:
                tries = 0
                await self._wake[seat].wait()
                continue
            pause = DELAYS[min(tries, len(DELAYS) - 1)]
            tries += 1
            with trio.move_on_after(pause):
                await self._wake[seat].wait()
                tries = 1  # lost just now, or another address: at once, then slower again
            await trio.sleep_until(last + DELAYS[1])  # news may come in a flood
            if seat not in self._held and self._ends.wanted(seat):
                last = trio.current_time()
                await attempt(seat)

    async def _try(self, seat: int) -> None:
        """Dials every address of `seat` at once; the first that reaches the table wins."""
        async with trio.open_nursery() as nursery:
            for address in self._book.to_dial(seat, self.linked()):
                nursery.start_soon(self._try_one, seat, address, nursery.cancel_scope)

    async def _try_one(self, wanted: int, address: str, tries: trio.CancelScope) -> None:
        stream: trio.abc.Stream | None = None
        adopted = False
        try:
            with trio.fail_after(DIAL_SECONDS):
                stream = await dial(*parse_address(address))
            with trio.fail_after(HANDSHAKE_SECONDS):
                link = Link(await secure(stream, server=False), server=False)
                seat = await self._reach_table(link)
            if seat is not None:
                assert self._nursery is not None
                adopted = True
                link.owner = self._ends.owner(seat)
                self.adopt(seat, link, dialler=self._me)
                self._nursery.start_soon(link.run, link.owner)
                tries.cancel()
        except (OSError, trio.TooSlowError, LinkLost, Fault) as error:
            if isinstance(error, Declined) and error.code == "version":
                self._base.hearsay(str(error))
            _log.debug("no link to seat %d: %s", wanted, error)
        finally:
            if stream is not None and not adopted:
                await trio.aclose_forcefully(stream)

    def _is_missed(self, pk: bytes) -> bool:
        """Whether the key holds a seat that is not linked: a second link would only replace the first."""
        seat = self.seat_of(pk)
        return seat is not None and seat != self._me and seat not in self._held

    async def _reach_table(self, link: Link) -> int | None:
        """Greets as a client and compares tables; the seat at the other end, None for anything else."""
        peer = await greet_server(link, self._base.me, self._is_missed)
        seat = self.seat_of(peer.pk)
        offer = await link.receive()
        if not isinstance(offer, TableOffer) or offer.descriptor != self._descriptor.raw:
            return None
        return seat
