"""Tells seats that were away how their table ended, while any session of this player runs.

Owns the way from a ledger that is over, closed or stopped, to the program of a seat that still waits at that
table. It signs nothing and takes in nothing: what the other end believes is the ledger. Must not know
lobbies, nor the table that is being played.
"""

import logging
from dataclasses import replace

import trio

from tongits_lan.errors import Code, Exit, Fault, LinkLost, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.book import FORKED
from tongits_lan.ledger.chain import head_after, parse_entry
from tongits_lan.ledger.effects import one_message
from tongits_lan.ledger.messages import (
    Bye,
    Differ,
    Entries,
    Get,
    Have,
    Message,
    Ping,
    Pong,
    Reject,
    TableOffer,
)
from tongits_lan.limits import DIAL_SECONDS, HANDSHAKE_SECONDS
from tongits_lan.net.base import Base
from tongits_lan.net.handshake import greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.transport import dial, parse_address, secure
from tongits_lan.store.dropped import DroppedTable, dropped_tables
from tongits_lan.store.journal import ClosedTable, read_addresses, read_offending

TABLES = 4  # the newest ones
DELAYS = (0.5, 2.0, 4.0, 8.0, 15.0)  # seconds before each round of dialling; the last goes on
_TELLING_SECONDS = 30.0

_log = logging.getLogger(__name__)


class Tidings:
    """The end of one table as messages: its last entries, or what it stopped for (docs/protocol.md, "Proof").

    Raises Fault where the entries are none."""

    def __init__(self, table: ClosedTable) -> None:
        self._entries = table.entries
        head = table.descriptor.table_id
        if table.entries:
            head = head_after(table.descriptor.table_id, parse_entry(table.entries[-1]).payload)
        self._end = Have(len(table.entries), head)
        offending = read_offending(table.path)
        self._proof = tuple(Entries(parse_entry(raw).height, (raw,)) for raw in offending)
        self._offending = frozenset(offending)
        self._fault_height = min((entries.first for entries in self._proof), default=None)
        self._held = Reject(self._fault_height or 0, Code.FORK, FORKED)

    def __bool__(self) -> bool:
        return bool(self._entries or self._proof)

    def first(self) -> tuple[Message, ...]:
        """What to say unasked."""
        return (self._end, *self._proof)

    def answer(self, message: Message) -> tuple[Message, ...]:
        """What to answer a seat that asks."""
        match message:
            case Get(first=first):
                raws = one_message(self._entries, first)
                reached = first + len(raws)
                shown = self._fault_height is not None and reached >= self._fault_height
                return (Entries(first, raws), *(self._proof if shown else ()))
            case Entries(entries=raws) if len(self._proof) > 1 and not self._offending.isdisjoint(raws):
                return (self._held,)  # whoever shows a fork cannot tell from it that the other end knew it
            case Ping(n=n):
                return (Pong(n),)
            case _:
                return ()

    def are_known(self, message: Message) -> bool:
        """Whether a seat that says this knows it all."""
        match message:
            case Reject(height=height):
                return height == self._fault_height
            case Have():
                return self._fault_height is None and message == self._end
            case _:
                return False


class CallOff:
    """The word that a table was called off before anything was dealt there."""

    def __init__(self, table: DroppedTable) -> None:
        self._word = Differ(table.by)

    def first(self) -> tuple[Message, ...]:
        """What to say unasked."""
        return (self._word,)

    def answer(self, message: Message) -> tuple[Message, ...]:
        """What to answer a seat that asks: there is nothing more to tell."""
        return (Pong(message.n),) if isinstance(message, Ping) else ()

    def are_known(self, message: Message) -> bool:
        """Whether a seat that says this knows it."""
        return isinstance(message, Differ)


class Messenger:
    """Carries the end of one table to the seats it has yet to be told."""

    def __init__(self, base: Base, table: ClosedTable | DroppedTable, tidings: Tidings | CallOff) -> None:
        self._base = base
        self._table = table
        self._tidings = tidings
        self._announced: tuple[str, ...] = ()
        self._news = trio.Event()

    def waits_for(self, pk: bytes) -> bool:
        """Whether the seat of that key has yet to be told."""
        return self._seat_of(pk) is not None

    async def receive(self, link: Link, pk: bytes) -> None:
        """Tells that seat over a link it made itself, to the link's end. Raises LinkLost, Fault."""
        seat = self._seat_of(pk)
        if seat is None:
            return
        await link.send(TableOffer(self._table.descriptor.raw))
        with trio.move_on_after(_TELLING_SECONDS):
            await self._speak(link)
            self._told(seat)

    async def _speak(self, link: Link) -> None:
        await converse(link, self._tidings)
        await link.send(Bye("closing", "the table is over"))

    async def run(self) -> None:
        """Until all are told, or cancelled. Meanwhile those who come by themselves are told, too."""
        self._base.tellers.append(self)
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
            self._table.keep()
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
                await self._speak(link)
            return self._seat_of(peer.pk)
        finally:
            await trio.aclose_forcefully(stream)


async def tell_if_dropped(base: Base, link: Link, offer: Message) -> None:
    """Where a host offers a table that was called off, it is told so, and the player what that means. Raises
    UserError(NO_TABLE) then; LinkLost, Fault."""
    if not isinstance(offer, TableOffer):
        return
    tables = dropped_tables(base.config.data_dir, base.identity.pk)
    dropped = next((table for table in tables if table.descriptor.raw == offer.descriptor), None)
    if dropped is None:
        return
    await converse(link, CallOff(dropped))
    if dropped.by == dropped.me:
        text: str = phrase(
            "You said that the words of this table differ, so it is over, and the host knows it now: join "
            "the next one."
        )
    else:
        who = dropped.descriptor.names[dropped.by]
        text = phrase(
            "{who} said that the words of this table differ, so it is over, and the host knows it now: join "
            "the next one.",
            who=who,
        )
    raise UserError(text, Exit.NO_TABLE)


async def converse(link: Link, tidings: Tidings | CallOff) -> None:
    """Speaks until the other end knows it all. Raises LinkLost, Fault."""
    for message in tidings.first():
        await link.send(message)
    while not tidings.are_known(heard := await link.receive()):
        if isinstance(heard, Bye):
            raise LinkLost("it left")
        for answer in tidings.answer(heard):
            await link.send(answer)
