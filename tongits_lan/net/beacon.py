"""What a session does with discovery: it lets its table be found, looks for tables, and for seats it misses.

Owns the way from lobby or table to an announcement. Must not know how announcements travel, nor links.
Switched off, everything here does nothing.
"""

from collections.abc import Callable

import trio

from tongits_lan import __version__
from tongits_lan.errors import UserError
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.rules import Rules
from tongits_lan.net.announcements import Notice
from tongits_lan.net.config import SessionConfig
from tongits_lan.net.discovery import Announcer, Browser, looking
from tongits_lan.net.interfaces import Interface
from tongits_lan.net.transport import Door

MISSED_SECONDS = 2.0  # a seat that is missed for so long is looked for


class Beacon:
    """One session's word on the network, and its ear. `changed` is called when `problem` is another one."""

    def __init__(self, config: SessionConfig, name: str, door: Door, changed: Callable[[], None]) -> None:
        self._name = name
        self._door = door
        self._look = looking(config.interface, config.bind)
        self._mark = config.entropy(4).hex() if config.discovery else ""
        self._announcer = (
            Announcer(self._look, self._mark, v6=6 in door.families, changed=changed)
            if config.discovery
            else None
        )

    @property
    def on(self) -> bool:
        """Whether this session announces and looks at all."""
        return self._announcer is not None

    def interfaces(self) -> tuple[Interface, ...]:
        """The interfaces this session uses; none where they cannot be told."""
        try:
            return self._look()
        except (OSError, UserError):
            return ()

    @property
    def problem(self) -> str | None:
        """Why the table cannot be announced now, one sentence; None while all is well."""
        return None if self._announcer is None else self._announcer.problem

    def say(self, tag: bytes, seats: int, rules: Rules) -> None:
        """The table with that tag is here, with so many seats taken. Inside trio only."""
        if self._announcer is not None:
            notice = Notice(tag, self._name, seats, rules_name(rules), self._door.port, __version__)
            self._announcer.announce(notice)

    async def run(self) -> None:
        """Announces what `say` was given until cancelled."""
        if self._announcer is not None:
            await self._announcer.run()

    def browser(self, *, pings: bool = True) -> Browser:
        """A list of the others' tables, to be run by the caller."""
        return Browser(self._look, mine=(self._mark,) if self._mark else (), pings=pings)

    async def seek(
        self, tag: bytes, missing: Callable[[], bool], found: Callable[[tuple[str, ...]], None]
    ) -> None:
        """Whenever seats have been `missing` for MISSED_SECONDS, tells where that table's tag is heard, until
        none is missing; for ever. Looks for nothing while everybody is there."""
        while self.on:
            await trio.sleep(MISSED_SECONDS)
            if not missing():
                continue
            browser = self.browser(pings=False)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(browser.run)
                while missing():
                    found(next((row.addresses for row in browser.found if row.tag == tag), ()))
                    with trio.move_on_after(MISSED_SECONDS):
                        await browser.wait_changed()
                nursery.cancel_scope.cancel()
