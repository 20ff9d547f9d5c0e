"""Tells seats that were away how their table ended, while any session of this player runs.

Owns the way from a closed ledger to the program of a seat that still waits at that table. It signs nothing
and takes in nothing: what the other end believes is the ledger. Must not know lobbies, nor the table that is
being played.
"""

import logging
from dataclasses import replace

import trio

from tongits_lan.errors import Fault, LinkLost, UserError
from tongits_lan.ledger.chain import head_after, parse_entry
from tongits_lan.ledger.effects import one_message
from tongits_lan.ledger.messages import Bye, Entries, Get, Have, Ping, Pong, TableOffer
from tongits_lan.limits import DIAL_SECONDS, HANDSHAKE_SECONDS
from tongits_lan.net.base import Base
from tongits_lan.net.handshake import greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.transport import dial, parse_address, secure
from tongits_lan.store.journal import ClosedTable, note_untold, read_addresses

TABLES = 4  # the newest ones
DELAYS = (0.5, 2.0, 4.0, 8.0, 15.0)  # seconds before each round of dialling; the last goes on
_TELLING_SECONDS = 30.0

_log = logging.getLogger(__name__)


class Messenger:
    """Carries the end of one closed table to the seats it has yet to be told."""

    def __init__(self, base: Base, table: ClosedTable) -> None:
        self._base = base
        self._table = table
        self._announced: tuple[str, ...] = ()
        self._news = trio.Event()
        last = parse_entry(table.entries[-1])
        self._end = (len(table.entries), head_after(table.descriptor.table_id, last.payload))

    async def run(self) -> None:
        """Until all are told, or cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._base.beacon.seek, self._table.tag, self._has_work, self._hear)
            tries = 0
            while self._has_work():
                with trio.move_on_after(DELAYS[min(tries, len(DELAYS) - 1)]):
                    await self._news.wait()
                tries += 1
                await self._round()
            nursery.cancel_scope.cancel()

    def _has_work(self) -> bool:
        return bool(self._table.untold)

    def _hear(self, addresses: tuple[str, ...]) -> None:
        """The table's tag is heard at these addresses: somebody waits there."""
        if not set(addresses) <= set(self._announced):
            self._news.set()
            self._news = trio.Event()
        self._announced = addresses

    async def _round(self) -> None:
        """Dials where the untold seats were last, and where their table is announced."""
        kept = read_addresses(self._table.path).seats
        known = [kept.get(self._table.descriptor.seats[seat].pk, ()) for seat in self._table.untold]
        addresses = dict.fromkeys((*self._announced, *(address for row in known for address in row)))
        for address in addresses:
            try:
                seat = await self._tell(address)
            except (OSError, LinkLost, Fault, UserError, trio.TooSlowError) as error:
                _log.debug("nobody to tell: %s", error)
                continue
            if seat is not None:
                self._told(seat)

    def _told(self, seat: int) -> None:
        table = self._table
        self._table = replace(table, untold=tuple(other for other in table.untold if other != seat))
        try:
            note_untold(table.path, table.descriptor, table.me, table.tag, self._table.untold)
        except OSError as error:  # it will be told once more
            _log.info("not noted that seat %d is told: %s", seat, error)
        _log.info("seat %d was told how its table ended", seat)

    def _seat_of(self, pk: bytes) -> int | None:
        seats = self._table.descriptor.seats
        return next((seat for seat in self._table.untold if seats[seat].pk == pk), None)

    async def _tell(self, address: str) -> int | None:
        """Tells whoever of the untold sits at that table there; the seat that has it all now."""
        with trio.fail_after(DIAL_SECONDS):
            stream: trio.abc.Stream = await dial(*parse_address(address))
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                link = Link(await secure(stream, server=False), server=False)
                peer = await greet_server(link, self._base.me, lambda pk: self._seat_of(pk) is not None)
                offer = await link.receive()
            if not isinstance(offer, TableOffer) or offer.descriptor != self._table.descriptor.raw:
                return None
            with trio.fail_after(_TELLING_SECONDS):
                await self._answer(link)
                await link.send(Bye("closing", "the table is closed"))
            return self._seat_of(peer.pk)
        finally:
            await trio.aclose_forcefully(stream)

    async def _answer(self, link: Link) -> None:
        """Answers until the other end has the whole ledger. Raises LinkLost, Fault."""
        await link.send(Have(*self._end))
        while True:
            match await link.receive():
                case Get(first=first):
                    await link.send(Entries(first, one_message(self._table.entries, first)))
                case Have(height=height, head=head) if (height, head) == self._end:
                    return
                case Ping(n=n):
                    await link.send(Pong(n))
                case Bye():
                    raise LinkLost("it left")
                case _:
                    pass
