"""The table on the full screen: a session followed by a desk, keys and pictures of it.

Owns what runs in trio behind the table's screen and when it is over. The terminal is the bridge's.
"""

import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import trio

from tongits_lan.console.boxes import LEAST, Line
from tongits_lan.console.bridge import HANGUP, run_front
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.notices import farewell
from tongits_lan.console.press import paste, press
from tongits_lan.console.render import extent, render, window_title
from tongits_lan.console.skins import skin_for
from tongits_lan.console.styles import Look, require_terminal
from tongits_lan.console.ui import Screen, Ui, table_mode
from tongits_lan.console.wants import Want
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import Session
from tongits_lan.store.known import Person
from tongits_lan.store.settings import Settings

_TICK_SECONDS = 0.5


def _kept_nowhere(settings: Settings) -> None:
    """Where nobody keeps settings."""


@dataclass(frozen=True, slots=True)
class ConsoleOptions:
    """How the screen looks; `color` True means allowed, the environment may still forbid it."""

    ascii: bool = False
    color: bool = True
    settings: Settings = Settings()
    keep: Callable[[Settings], None] = _kept_nowhere
    """Called with the settings after the player has changed one; may raise UserError."""


def run_fullscreen(
    session: Session, options: ConsoleOptions, *, run: Callable[[], Awaitable[None]] | None = None
) -> int:
    """Plays the session on the full screen and returns the exit code.

    `run` is awaited in place of `session.run()`. Raises UserError: USAGE when there is no usable terminal,
    and whatever UserError the session ends with; the terminal is restored by then.
    """
    require_terminal()
    code = run_front(TableFront(session, options, run or session.run), color=options.color)
    view = session.view
    ended = isinstance(view, TableView) and code != HANGUP and session.next_config is None
    words = farewell(view) if ended and isinstance(view, TableView) else None
    if words is not None:
        sys.stdout.write(f"{words}\n")
    return code


class TableFront:
    """One session on the full screen."""

    def __init__(self, session: Session, options: ConsoleOptions, run: Callable[[], Awaitable[None]]) -> None:
        self._session = session
        self._options = options
        self._run = run
        settings = options.settings
        skin = skin_for(sys.stdout.encoding, os.environ, ascii_only=options.ascii or settings.letters)
        self._desk = Desk(session, skin, settings, lambda: extent(self._screen(*self._size)))
        self._size = LEAST
        self._kept = settings
        self._away: int | None = None

    # what the bridge asks

    @property
    def look(self) -> Look:
        """As the player has chosen."""
        settings = self._desk.ui.settings
        return Look(settings.four_colors, settings.turn_color)

    @property
    def stays(self) -> bool:
        """A table that is over stays on the screen until a key."""
        view = self._session.view
        return isinstance(view, TableView) and table_mode(view) is Mode.CLOSED

    def picture(self, columns: int, rows: int) -> Sequence[Line]:
        """The picture of this moment."""
        self._size = (columns, rows)
        return render(self._screen(columns, rows))

    def state(self) -> object:
        """Compared by identity where values are large."""
        screen = self._screen(0, 0)
        seconds = (screen.away_seconds, screen.turn_seconds)
        return (_Same(screen.ui), _Same(screen.view), seconds, screen.rtt_ms)

    def title(self) -> str | None:
        """Whose turn it is, unless the player wants the title left alone."""
        return window_title(self._screen(0, 0)) if self._desk.ui.settings.title else None

    def key(self, name: str, now: float) -> None:
        """A key of the table."""
        press(self._desk, name, now)
        self._keep()

    def paste(self, text: str) -> None:
        """Pasted text."""
        paste(self._desk, text)

    def take_wants(self) -> tuple[Want, ...]:
        """What the desk wants."""
        return self._desk.take_wants()

    def exit_code(self) -> int:
        """4 where the table stopped for a fault."""
        view = self._session.view
        stopped = isinstance(view, TableView) and view.stopped is not None
        return int(Exit.FAULT if stopped else Exit.DONE)

    async def work(self, show: Callable[[], None]) -> None:
        """The session, and what follows it; ends with the session."""
        events = self._session.subscribe()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, show)
            nursery.start_soon(self._tick, show)
            nursery.start_soon(self._listen, events, show)
            await self._run()
            await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
        self._desk.changed(time.monotonic())

    # behind it

    async def _listen(self, events: trio.MemoryReceiveChannel[Any], show: Callable[[], None]) -> None:
        async for event in events:
            self._desk.heard(event, time.monotonic(), f"{datetime.now():%H:%M:%S}")
            show()

    async def _watch(self, show: Callable[[], None]) -> None:
        while True:
            self._desk.changed(time.monotonic())
            show()
            await self._session.wait_changed()

    async def _tick(self, show: Callable[[], None]) -> None:
        while True:
            view = self._session.view
            since = view.awaited_since if isinstance(view, TableView) else None
            self._away = None if since is None else max(0, int(time.monotonic() - since))
            self._desk.tick(time.monotonic())
            self._desk.changed(time.monotonic())
            self._keep()
            show()
            await trio.sleep(_TICK_SECONDS)

    def _keep(self) -> None:
        """Has changed settings written; what goes wrong becomes a note."""
        ui: Ui = self._desk.ui
        if ui.settings == self._kept:
            return
        self._kept = ui.settings
        try:
            self._options.keep(ui.settings)
        except UserError as error:
            self._desk.note(error.text)

    def _screen(self, columns: int, rows: int) -> Screen:
        desk = self._desk
        view = desk.view
        rtt: tuple[float | None, ...] = ()
        known: tuple[Person | None, ...] = ()
        if isinstance(view, TableView):
            known = tuple(map(self._session.person, range(3)))
            rtt = tuple(None if ms is None else round(ms) for ms in map(self._session.rtt_ms, range(3)))
        path = self._session.ledger_path
        kept = None if path is None else str(path)
        return Screen(columns, rows, desk.ui, view, self._away, desk.turn_seconds, rtt, kept, known)


class _Same:
    """Equal to another one exactly if it holds the very same value, which it keeps alive."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)
