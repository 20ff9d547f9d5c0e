"""The menu on the full screen: what is typed, what the network tells meanwhile, what was chosen at the end.

Owns what runs in trio behind the menu: the live list of tables and the look at the own network. The terminal
is the bridge's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tongits_lan.console import door as doors
from tongits_lan.console import door_page
from tongits_lan.console.boxes import LEAST, Line
from tongits_lan.console.bridge import run_front
from tongits_lan.console.door import Door, Page, Reading
from tongits_lan.console.speech import told
from tongits_lan.console.styles import USUAL
from tongits_lan.console.wants import Want
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import mark

if TYPE_CHECKING:
    import trio

    from tongits_lan.net.announcements import Found
    from tongits_lan.net.interfaces import Interface

_DEAF_SECONDS = 0.3  # a number means nothing right after the list has changed under it
_TICK_SECONDS = 0.5


class Browsing(Protocol):
    """A live list of tables; discovery's Browser is one."""

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


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the menu may ask of the machine; each is called in a worker thread but `browser`."""

    known: Callable[[], tuple[Interface, ...]]
    """The interfaces of this machine; may raise UserError."""
    browser: Callable[[], Browsing] | None
    """Makes the list of tables; None: tables are not looked for."""
    report: Callable[[], Sequence[str]]
    """Looks at this machine and its network; takes seconds."""


def run_door(door: Door, around: Surroundings, *, color: bool) -> tuple[Door, int]:
    """Shows the menu until something is chosen or the player leaves: the menu then, and an exit code.

    Raises UserError(USAGE) when there is no usable terminal."""
    front = DoorFront(door, around)
    code = run_front(front, color=color)
    return front.door, code


class DoorFront:
    """The one changing thing of the menu, `door`, and what changes it."""

    look = USUAL
    stays = False

    def __init__(self, door: Door, around: Surroundings) -> None:
        self.door = door
        self._around = around
        self._size = LEAST
        self._wants: list[Want] = []
        self._deaf_until = float("-inf")
        self._asked: trio.Event | None = None
        """Set when the network is to be looked at; there once trio runs."""

    # what the bridge asks

    def picture(self, columns: int, rows: int) -> Sequence[Line]:
        """The picture of this moment."""
        self._size = (columns, rows)
        return door_page.picture(self.door, columns, rows)

    def state(self) -> object:
        """The whole menu is one value."""
        return self.door

    def title(self) -> str | None:
        """The name of the program."""
        return "Tongits"

    def key(self, name: str, now: float) -> None:
        """A key of the menu."""
        match name:
            case "c-l":
                self._wants.append(Want.REDRAW)
                return
            case "c-z":
                self._wants.append(Want.SUSPEND)
                return
        if self.door.page is Page.TABLES and name.isdigit() and now < self._deaf_until:
            return
        self._set(doors.press(self.door, name, door_page.extent(self.door, *self._size)))

    def paste(self, text: str) -> None:
        """Pasted text."""
        self._set(doors.paste(self.door, text))

    def take_wants(self) -> tuple[Want, ...]:
        """What is asked of the program since it was last asked."""
        wants, self._wants = tuple(self._wants), []
        return wants

    def exit_code(self) -> int:
        """Leaving a menu is no failure."""
        return int(Exit.DONE)

    def _set(self, door: Door) -> None:
        self.door = door
        if door.page is Page.READ and door.reading is Reading.NETWORK and door.report is None:
            self._look_at_network()
        if door.left or door.chosen is not None:
            self._wants.append(Want.CLOSE)

    def _look_at_network(self) -> None:
        if self._asked is not None:
            self._asked.set()

    # behind it

    async def work(self, show: Callable[[], None]) -> None:
        """Until the menu is closed. What this needs is loaded when the menu can be seen already."""
        import trio

        self._asked = trio.Event()
        self._set(self.door)  # a page may have been opened meanwhile
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._place, show)
            nursery.start_soon(self._report, show)
            if self._around.browser is not None:
                nursery.start_soon(self._look, self._around.browser, show)
            await trio.sleep_forever()

    async def _place(self, show: Callable[[], None]) -> None:
        """Says how this machine is on the network."""
        from tongits_lan.net.interfaces import own_hosts

        known = await self._known()
        hosts = own_hosts(known)
        near = [one for one in known if any(host in one.hosts() for host in hosts[:1])]
        words = f"{near[0].name}  {hosts[0]}" if near else mark("no network")
        self.door = doors.placed(self.door, words)
        show()

    async def _known(self) -> tuple[Interface, ...]:
        import trio

        try:
            return await trio.to_thread.run_sync(self._around.known, abandon_on_cancel=True)
        except (OSError, UserError):
            return ()

    async def _report(self, show: Callable[[], None]) -> None:
        """Looks at the network whenever that page is opened."""
        import trio

        assert self._asked is not None
        while True:
            await self._asked.wait()
            self._asked = trio.Event()
            try:
                lines = tuple(await trio.to_thread.run_sync(self._around.report, abandon_on_cancel=True))
            except UserError as error:
                lines = (told(error.text),)
            self.door = doors.reported(self.door, lines)
            show()

    async def _look(self, make: Callable[[], Browsing], show: Callable[[], None]) -> None:
        import trio

        browser = make()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(browser.run)
            nursery.start_soon(self._give_hints, browser, show)
            while True:
                self._heard(browser.found, self.door.hints if not browser.found else ())
                show()
                await browser.wait_changed()

    async def _give_hints(self, browser: Browsing, show: Callable[[], None]) -> None:
        import trio

        from tongits_lan.net import causes

        while True:
            await trio.sleep(_TICK_SECONDS)
            hints: tuple[str, ...] = ()
            if browser.problem is not None:
                hints = (browser.problem,)
            elif browser.nothing_for >= causes.PATIENCE_SECONDS:
                hints = self.door.hints or causes.nothing_found(await self._known())
            if hints != self.door.hints:
                self._heard(browser.found, hints)
                show()

    def _heard(self, found: tuple[Found, ...], hints: tuple[str, ...]) -> None:
        before, self.door = self.door, doors.looked(self.door, found, hints)
        if doors.renumbered(before, self.door):
            self._deaf_until = time.monotonic() + _DEAF_SECONDS
