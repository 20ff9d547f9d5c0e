"""The bridge: prompt_toolkit's asyncio loop hosts the screen, trio runs the session as its guest.

Owns the terminal from the first picture to the last byte: however the program ends (a key, a signal, an
exception in any task) trio is cancelled first, then the screen is left and the terminal is as it was.
"""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import trio
from outcome import Error, Outcome
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth, create_output

from tongits_lan.console.control import Desk, Want
from tongits_lan.console.keys import Mode, special_keys
from tongits_lan.console.notices import farewell
from tongits_lan.console.press import paste, press
from tongits_lan.console.render import render, window_title
from tongits_lan.console.skins import skin_for
from tongits_lan.console.styles import require_terminal, style
from tongits_lan.console.ui import Screen, table_mode
from tongits_lan.errors import Exit, TongitsError, UserError
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import Session

_log = logging.getLogger(__name__)

_CRASHED = (
    "The program has made a mistake and had to stop; the table is kept and goes on when you start it again."
)
_TICK_SECONDS = 0.5
_ESCAPE_SECONDS = 0.05  # how long an Escape waits for the rest of a key sequence
_PATIENCE_SECONDS = 5.0  # how long the session may take to end
_SIGNALS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
_OPENING_SECONDS = 0.02
_ENTERS = ("c-j",)


@dataclass(frozen=True, slots=True)
class ConsoleOptions:
    """How the screen looks; `color` True means allowed, the environment may still forbid it."""

    ascii: bool = False
    color: bool = True
    bell: bool = True


def run_fullscreen(
    session: Session, options: ConsoleOptions, *, run: Callable[[], Awaitable[None]] | None = None
) -> int:
    """Plays the session on the full screen and returns the exit code.

    `run` is awaited in place of `session.run()`. Raises UserError: USAGE when there is no usable terminal,
    and whatever UserError the session ends with; the terminal is restored by then.
    """
    require_terminal()
    code = asyncio.run(_program(session, options, run or session.run).main())
    if code == _SIGNALS["SIGHUP"]:
        _forget_output()
        return code
    view = session.view
    words = farewell(view) if isinstance(view, TableView) else None
    if words is not None:
        sys.stdout.write(f"{words}\n")
    return code


def _forget_output() -> None:
    """What was written for a terminal that is gone goes nowhere, so that flushing it cannot fail at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _program(session: Session, options: ConsoleOptions, run: Callable[[], Awaitable[None]]) -> "Program":
    try:
        return Program(session, options, run)
    except Exception as failure:
        if type(failure).__name__ != "NoConsoleScreenBufferError":  # a class that exists on Windows only
            raise
        raise UserError(
            "This window is no Windows console: use Windows Terminal, or put winpty in front.", Exit.USAGE
        ) from failure


class Program:
    """One run of the full screen."""

    def __init__(self, session: Session, options: ConsoleOptions, run: Callable[[], Awaitable[None]]) -> None:
        self._session = session
        self._options = options
        self._run = run
        skin = skin_for(sys.stdout.encoding, os.environ, ascii_only=options.ascii)
        self._desk = Desk(session, skin)
        self._app: Application[None] = self._make_app()
        self._scope = trio.CancelScope()
        self._guest_done: asyncio.Future[Outcome[None]] | None = None
        self._closing = False
        self._left = False
        self._code: int | None = None
        self._failure: BaseException | None = None
        self._away: int | None = None
        self._title = ""
        self._drawn: tuple[object, ...] = ()
        self._drawn_from: Screen | None = None

    async def main(self) -> int:
        """Runs until the player closes the screen; returns the exit code."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._loop_failed)
        self._catch_signals(loop)
        self._guest_done = loop.create_future()
        trio.lowlevel.start_guest_run(
            self._guest,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=self._guest_ended,
            host_uses_signal_set_wakeup_fd=True,
        )
        try:
            await self._app.run_async(handle_sigint=False, set_exception_handler=False)
        except (EOFError, OSError) as failure:  # the terminal itself is gone
            _log.info("the terminal was lost: %s", type(failure).__name__)
            self._left = True
            self._close(_SIGNALS["SIGHUP"])
        except Exception as failure:  # the screen has restored the terminal on its way out
            self._left = True
            self._fail(failure)
        finally:
            self._left = True
            self._scope.cancel()
            if not self._guest_done.done():
                await asyncio.wait((self._guest_done,), timeout=_PATIENCE_SECONDS)
            with suppress(OSError):
                self._app.output.clear_title()
                self._app.output.flush()
        return self._exit_code()

    def _exit_code(self) -> int:
        """What the shell is told. Raises the UserError the session ended with."""
        if self._code == _SIGNALS["SIGHUP"]:
            return self._code  # nobody is there to read why anything else went wrong
        if isinstance(self._failure, UserError):
            raise self._failure
        if self._failure is not None:
            raise UserError(f"{_CRASHED}{_where_it_is_told()}", Exit.FAILED) from self._failure
        if self._code is not None:
            return self._code
        view = self._session.view
        stopped = isinstance(view, TableView) and view.stopped is not None
        return int(Exit.FAULT if stopped else Exit.DONE)

    # signals and failures

    def _catch_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        for name, code in _SIGNALS.items():
            number = getattr(signal, name, None)
            if number is None:
                continue
            try:
                loop.add_signal_handler(number, partial(self._close, code))
            except NotImplementedError:  # Windows: Ctrl-C comes as a key there
                return

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        self._fail(
            failure if isinstance(failure, BaseException) else RuntimeError(str(context.get("message")))
        )

    def _fail(self, failure: BaseException) -> None:
        if self._failure is None:
            self._failure = failure
            if not isinstance(failure, TongitsError):
                _log.error("the screen has failed", exc_info=failure)
        self._close(None)

    def _close(self, code: int | None) -> None:
        """Leaves: trio first, then the screen. May be called more than once, and before anything runs."""
        if self._code is None:
            self._code = code
        if self._closing:
            return
        self._closing = True
        self._scope.cancel()
        assert self._guest_done is not None
        if self._guest_done.done():
            self._leave_screen()
        else:
            self._guest_done.add_done_callback(lambda _: self._leave_screen())
            asyncio.get_running_loop().call_later(_PATIENCE_SECONDS, self._leave_screen)

    def _leave_screen(self) -> None:
        if not self._app.is_running:
            if not self._left:  # the screen is still being opened
                asyncio.get_running_loop().call_later(_OPENING_SECONDS, self._leave_screen)
        elif self._app.future is not None and not self._app.future.done():
            self._app.exit()

    # the guest

    async def _guest(self) -> None:
        """Everything of the session; the nursery ends with the session or with the scope."""
        events = self._session.subscribe()
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                nursery.start_soon(self._tick)
                nursery.start_soon(self._listen, events)
                await self._run()
                await trio.lowlevel.checkpoint()
                nursery.cancel_scope.cancel()
        self._see()

    def _guest_ended(self, ended: "Outcome[None]") -> None:
        assert self._guest_done is not None
        if not self._guest_done.done():
            self._guest_done.set_result(ended)
        if isinstance(ended, Error):
            self._fail(_first(ended.error))
        elif not self._closing:
            view = self._session.view
            if isinstance(view, TableView) and table_mode(view) is Mode.CLOSED:
                self._see()
            else:
                self._close(None)

    async def _listen(self, events: trio.MemoryReceiveChannel[Any]) -> None:
        async for event in events:
            self._desk.heard(event, time.monotonic())
            self._after()

    async def _watch(self) -> None:
        while True:
            self._see()
            await self._session.wait_changed()

    async def _tick(self) -> None:
        while True:
            view = self._session.view
            since = view.awaited_since if isinstance(view, TableView) else None
            self._away = None if since is None else max(0, int(time.monotonic() - since))
            self._desk.tick(time.monotonic())
            self._see()
            await trio.sleep(_TICK_SECONDS)

    def _see(self) -> None:
        self._desk.changed(time.monotonic())
        self._after()

    # the screen

    def _after(self) -> None:
        """Does what the desk wants, then has the picture drawn anew."""
        output = self._app.output
        for want in self._desk.take_wants():
            match want:
                case Want.BELL:
                    if self._options.bell:
                        output.bell()
                case Want.REDRAW:
                    self._app.renderer.clear()
                    self._drawn = ()
                case Want.SUSPEND:
                    self._app.suspend_to_background()
                case Want.CLOSE:
                    self._close(None)
                case Want.INTERRUPT:
                    self._close(_SIGNALS["SIGINT"])
        screen = self._screen()
        seconds = (screen.away_seconds, screen.turn_seconds)
        drawn = (id(screen.ui), id(screen.view), seconds, screen.rtt_ms)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._drawn_from = screen  # kept alive, so that no other value gets the same id
        title = window_title(screen)
        if title != self._title:
            self._title = title
            output.set_title(title)
            output.flush()
        self._app.invalidate()

    def _screen(self) -> Screen:
        size = self._app.output.get_size()
        view = self._desk.view
        rtt: tuple[float | None, ...] = ()
        if isinstance(view, TableView):
            rtt = tuple(None if ms is None else round(ms) for ms in map(self._session.rtt_ms, range(3)))
        return Screen(size.columns, size.rows, self._desk.ui, view, self._away, self._desk.turn_seconds, rtt)

    def _fragments(self) -> StyleAndTextTuples:
        fragments: StyleAndTextTuples = []
        for content in render(self._screen()):
            fragments.extend(content)
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _key(self, name: str, event: KeyPressEvent) -> None:
        try:
            if name == Keys.BracketedPaste:
                paste(self._desk, event.data)
            else:
                press(self._desk, event.data if name == Keys.Any else name, time.monotonic())
            self._after()
        except Exception as failure:  # any mistake of a key's handler must still restore the terminal
            self._fail(failure)

    def _make_app(self) -> Application[None]:
        bindings = KeyBindings()
        for name in (*special_keys(), Keys.Any, Keys.BracketedPaste):
            bindings.add(name)(partial(self._key, name))
        for name in _ENTERS:
            bindings.add(name)(partial(self._key, "enter"))
        colored = self._options.color and not os.environ.get("NO_COLOR")
        control = FormattedTextControl(self._fragments, focusable=True, show_cursor=False)
        app: Application[None] = Application(
            layout=Layout(Window(control, wrap_lines=False, always_hide_cursor=True)),
            key_bindings=bindings,
            full_screen=True,
            mouse_support=False,
            color_depth=None if colored else ColorDepth.DEPTH_1_BIT,
            style=style(colored=colored),
            include_default_pygments_style=False,
            input=create_input(),
            output=create_output(sys.stdout),
        )
        app.ttimeoutlen = app.timeoutlen = _ESCAPE_SECONDS
        return app


def _where_it_is_told() -> str:
    """Names the log file, if the program keeps one."""
    paths = [getattr(handler, "baseFilename", None) for handler in logging.getLogger("tongits_lan").handlers]
    return next((f" What happened is written in {path}." for path in paths if path), "")


def _first(failure: BaseException) -> BaseException:
    """The one sentence for the player out of a group of exceptions, else the group's first."""
    while isinstance(failure, BaseExceptionGroup):
        found = failure.subgroup(UserError)
        failure = (found or failure).exceptions[0]
    return failure
