"""A guest's way to a host: a typed address, or the live list of tables until one of them is chosen.

Owns when a table is taken without asking. Must not know what is said over a link: what is announced is a
hint where to dial, who answers there is for others to prove.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import trio

from tongits_lan.errors import Refused
from tongits_lan.game.sentences import phrase
from tongits_lan.net.announcements import Found
from tongits_lan.net.base import Base
from tongits_lan.net.causes import PATIENCE_SECONDS, nothing_found
from tongits_lan.net.events import Herald, LobbyChanged
from tongits_lan.net.handshake import Peer, Terms
from tongits_lan.net.interfaces import Interface
from tongits_lan.net.joining import reach, reach_first, reach_one
from tongits_lan.net.link import Link
from tongits_lan.net.lobby import LobbyView

ONLY_SECONDS = 2.0  # a table that is the only one for so long is joined


class LiveList(Protocol):
    """A list of tables while it runs; discovery's Browser is one."""

    problem: str | None

    @property
    def found(self) -> tuple[Found, ...]:
        """The tables there are now."""

    @property
    def nothing_for(self) -> float:
        """Seconds without a single table."""

    async def wait_changed(self) -> None:
        """Returns after the next change of `found`."""

    async def run(self) -> None:
        """Keeps the list until cancelled."""


class Chooser:
    """Looks for tables and settles on one: the only one there is, or the one the player picks.

    `known` lists the interfaces of this machine, for the causes named when nothing is found. The table with
    the tag `mine` has a seat for this player, however full it is."""

    def __init__(
        self,
        browser: LiveList,
        known: Callable[[], tuple[Interface, ...]],
        herald: Herald,
        mine: bytes | None = None,
    ) -> None:
        self._browser = browser
        self._known = known
        self._herald = herald
        self._mine = mine
        self._chosen: Found | None = None
        self._settled = trio.Event()
        self._hints: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Found, ...]:
        """The tables to choose from, numbered from 1 on a screen."""
        return self._browser.found

    @property
    def hints(self) -> tuple[str, ...]:
        """Lines to show: the likely causes when nothing is found for long, or why nothing can be."""
        problem = self._browser.problem
        return (problem,) if problem is not None else self._hints

    def choose(self, tag: bytes) -> None:
        """Settles on the table with that tag. Raises Refused with a sentence."""
        table = next((found for found in self.tables if found.tag == tag), None)
        if table is None:
            raise Refused("That table is not announced any more: choose another one.")
        if not table.fits:
            raise Refused(
                phrase(
                    "{name} has version {version}, which cannot play with yours: update the older one.",
                    name=table.host,
                    version=table.version,
                )
            )
        if not self._has_room(table):
            raise Refused(phrase("{name}'s table is full: choose another one.", name=table.host))
        self._chosen = table
        self._settled.set()

    def _has_room(self, table: Found) -> bool:
        return not table.full or table.tag == self._mine

    async def choice(self) -> Found:
        """Waits until there is one."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._browser.run)
            nursery.start_soon(self._tell)
            nursery.start_soon(self._give_hints)
            nursery.start_soon(self._take_the_only_one)
            await self._settled.wait()
            nursery.cancel_scope.cancel()
        assert self._chosen is not None
        return self._chosen

    async def _tell(self) -> None:
        while True:
            await self._browser.wait_changed()
            self._herald.tell(LobbyChanged())

    async def _give_hints(self) -> None:
        while True:
            await trio.sleep(max(0.5, PATIENCE_SECONDS - self._browser.nothing_for))
            hints: tuple[str, ...] = ()
            if self._browser.nothing_for >= PATIENCE_SECONDS:
                hints = self._hints or nothing_found(self._known())
            if hints != self._hints:
                self._hints = hints
                self._herald.tell(LobbyChanged())

    async def _take_the_only_one(self) -> None:
        while True:
            open_ones = [found.tag for found in self.tables if found.fits and self._has_room(found)]
            if len(self.tables) == 1 and len(open_ones) == 1:
                with trio.move_on_after(ONLY_SECONDS) as alone:
                    while [found.tag for found in self.tables] == open_ones:
                        await self._browser.wait_changed()
                if alone.cancelled_caught:
                    self.choose(open_ones[0])
                    return
            else:
                await self._browser.wait_changed()


class Way:
    """How one guest gets to its host. `looks`: without an address it looks for tables, of which one may be
    `mine`, by its tag."""

    def __init__(self, base: Base, *, looks: bool, mine: Callable[[], bytes | None]) -> None:
        self._base = base
        config = base.config
        known = config.address is not None or config.again is not None or config.found
        self._looks = looks and not known and base.beacon.on
        self._mine = mine
        self._chooser: Chooser | None = None
        self._addresses = config.found

    def shown(self, view: LobbyView) -> LobbyView:
        """The view of a guest that has no lobby yet, with the tables to choose from."""
        if self._chooser is None:
            return view
        return replace(view, looking=True, tables=self._chooser.tables, hints=self._chooser.hints)

    def choose(self, tag: bytes) -> None:
        """Settles on one of the tables found. Raises Refused."""
        if self._chooser is None:
            raise Refused("There is no table to choose now.")
        self._chooser.choose(tag)

    async def find(self) -> None:
        """Returns when it is known where to go; at once where nothing is to be looked for."""
        if not self._looks:
            return
        beacon = self._base.beacon
        self._chooser = Chooser(beacon.browser(), beacon.interfaces, self._base.herald, self._mine())
        self._addresses = (await self._chooser.choice()).addresses
        self._chooser = None
        self._base.herald.tell(LobbyChanged())

    async def reach(self, terms: Terms) -> tuple[Link, Peer]:
        """A link to the host up to `welcome`. Raises NoAnswerError, UserError, Asks."""
        config = self._base.config
        if config.again is not None:
            typed = () if config.address is None else (config.address,)
            known = (*typed, *config.again.addresses)
            return await reach_one(self._base.me, known, terms, config.again.tag)
        if self._addresses:
            return await reach_first(self._base.me, self._addresses, config.expect_pk, terms)
        return await reach(self._base.me, config.address, config.expect_pk, terms)
