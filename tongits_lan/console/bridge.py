"""The bridge: prompt_toolkit's asyncio loop hosts a screen, trio runs what works behind it as its guest.

Owns the terminal from the first picture to the last byte: however the program ends (a key, a signal, an
exception in any task) trio is cancelled first, then the screen is left and the terminal is as it was. Trio is
loaded and begins behind the first picture, so that this one is there at once. What is shown and what a key
does is the front's; the bridge knows no game.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol, TextIO, assert_never, cast

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.styles import DynamicStyle

from tongits_lan.console.boxes import Line, fits, spelled
from tongits_lan.console.keys import special_keys
from tongits_lan.console.outlet import outlet
from tongits_lan.console.styles import Look, require_terminal, style
from tongits_lan.console.wants import Want
from tongits_lan.errors import Exit, TongitsError, UserError
from tongits_lan.game.sentences import Phrase, in_a_row, phrase

if TYPE_CHECKING:
    import trio
    from outcome import Outcome

_log = logging.getLogger(__name__)

HANGUP = 129
INTERRUPTED = 130
_ESCAPE_SECONDS = 0.05  # how long an Escape waits for the rest of a key sequence
_PATIENCE_SECONDS = 5.0  # how long the work behind the screen may take to end
_AS_BEFORE = "\x1b[?1049l\x1b[?25h\x1b[?2004l\x1b[?7h\x1b[?1l\x1b[0m"
"""Out of the alternate screen, cursor shown, no bracketed paste, lines wrapped, plain arrow keys."""
_DRAIN_SECONDS = 1.0  # how long the terminal may take for the last bytes
_SIGNALS = {"SIGINT": INTERRUPTED, "SIGTERM": 143, "SIGHUP": HANGUP}
_OPENING_SECONDS = 0.02
_ENTERS = ("c-j",)
_UNSEEN = frozenset({"c-c", "<sigint>", "c-l", "c-z"})  # keys that need nothing to be read


class Front(Protocol):
    """What a screen shows and does; every method but `work` is called inside the asyncio loop or by it."""

    @property
    def look(self) -> Look:
        """The colours its player has chosen."""

    @property
    def stays(self) -> bool:
        """Whether the screen stays open after the work behind it has ended."""

    def picture(self, columns: int, rows: int) -> Sequence[Line]:
        """Exactly `rows` lines of `columns` cells."""

    def state(self) -> object:
        """What the picture depends on, to compare with the one before; kept alive until the next."""

    def title(self) -> str | None:
        """The title of the window, None for none of the program's."""

    def key(self, name: str, now: float) -> None:
        """A key was pressed; `now` is in seconds of a monotonic clock."""

    def paste(self, text: str) -> None:
        """Text was pasted."""

    def take_wants(self) -> tuple[Want, ...]:
        """What the front asks of the program since it was last asked."""

    async def work(self, show: Callable[[], None]) -> None:
        """What runs in trio behind the screen; calls `show` after every change."""

    def exit_code(self) -> int:
        """What the shell is told when nothing else decides it."""


_KEYS = special_keys()


def run_front(front: Front, *, color: bool, keys: Sequence[str] = _KEYS) -> int:
    """Shows a front until it closes; the exit code. `keys` are those it hears that are not one printable
    character. Raises UserError: USAGE when there is no usable terminal,
    and whatever UserError the work behind it ends with; the terminal is restored by then."""
    require_terminal()
    code = asyncio.run(_bridge(front, color=color, keys=keys).main())
    if code == HANGUP:
        _forget_output()
    return code


def _forget_output() -> None:
    """What was written for a terminal that is gone goes nowhere, so that flushing it cannot fail at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _bridge(front: Front, *, color: bool, keys: Sequence[str]) -> Bridge:
    try:
        return Bridge(front, color=color, keys=keys)
    except Exception as failure:
        if type(failure).__name__ != "NoConsoleScreenBufferError":  # a class that exists on Windows only
            raise
        raise UserError(
            "This window is no Windows console: use Windows Terminal, or put winpty in front.", Exit.USAGE
        ) from failure


class _Screen(Application[None]):
    """Draws no picture while the one before is still on its way: the next one is then the newest."""

    def __init__(self, clogged: Callable[[], bool], **how: Any) -> None:
        super().__init__(**how)
        self._clogged = clogged
        self.late = False
        """Whether a picture is due as soon as there is a way for it."""

    def invalidate(self) -> None:
        """Has the picture drawn anew, now or when the terminal takes it."""
        self.late = self._clogged()
        if not self.late:
            super().invalidate()


class Bridge:
    """One run of the full screen."""

    def __init__(self, front: Front, *, color: bool, keys: Sequence[str] = _KEYS) -> None:
        self._front = front
        self._outlet = outlet(sys.stdout, self._emptied, self._lost)
        self._app: _Screen = self._make_app(keys, colored=color and not os.environ.get("NO_COLOR"))
        self._scope: trio.CancelScope | None = None
        """Of everything that runs in trio; None before that begins."""
        self._guest_done: asyncio.Future[Outcome[None]] | None = None
        self._closing = False
        self._begun = False
        self._left = False
        self._code: int | None = None
        self._failure: BaseException | None = None
        self._title = ""
        self._rings = False
        self._drawn: object = None

    async def main(self) -> int:
        """Runs until the player closes the screen; returns the exit code."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._loop_failed)
        self._catch_signals(loop)
        self._guest_done = loop.create_future()
        self._app.after_render += self._begin
        try:
            await self._app.run_async(handle_sigint=False, set_exception_handler=False)
        except (EOFError, OSError) as failure:  # the terminal itself is gone
            self._left = True
            self._lost(failure)
        except Exception as failure:  # the screen has restored the terminal on its way out
            self._left = True
            self._fail(failure)
        finally:
            self._left = True
            if self._scope is not None:
                self._scope.cancel()
            if self._begun and not self._guest_done.done():
                await asyncio.wait((self._guest_done,), timeout=_PATIENCE_SECONDS)
            await self._put_back()
        return self._exit_code()

    async def _put_back(self) -> None:
        """The last bytes: where nobody reads the terminal, they replace the pictures before them."""
        output = self._app.output
        if self._outlet is not None:
            drained = await self._outlet.drain(_DRAIN_SECONDS)
            if not drained or self._outlet.lost:
                self._outlet.start_over()
                output.write_raw(_AS_BEFORE)
        with suppress(OSError):
            output.clear_title()
            output.flush()

    def _exit_code(self) -> int:
        """What the shell is told. Raises the UserError the work ended with."""
        if self._code == HANGUP:
            return self._code  # nobody is there to read why anything else went wrong
        if isinstance(self._failure, UserError):
            raise self._failure
        if self._failure is not None:
            raise UserError(_crashed(), Exit.FAILED) from self._failure
        return self._front.exit_code() if self._code is None else self._code

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

    def _lost(self, failure: Exception) -> None:
        """The terminal is gone."""
        _log.info("the terminal was lost: %s", type(failure).__name__)
        self._close(HANGUP)

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
        if self._scope is not None:
            self._scope.cancel()
        assert self._guest_done is not None
        if self._guest_done.done() or not self._begun:
            self._leave_screen()
        else:
            self._guest_done.add_done_callback(lambda _: self._leave_screen())
            asyncio.get_running_loop().call_later(_PATIENCE_SECONDS, self._leave_screen)

    def _leave_screen(self) -> None:
        if not self._app.is_running:
            if not self._left:  # the screen is still being opened
                asyncio.get_running_loop().call_later(_OPENING_SECONDS, self._leave_screen)
        elif self._app.future is not None and not self._app.future.done():
            if self._outlet is not None:
                self._outlet.keeps_all = True
            self._app.exit()

    # the guest

    def _begin(self, app: Application[None]) -> None:
        """After the first picture: loads and starts what works behind the screen."""
        if self._begun or self._closing:
            return
        self._begun = True
        import trio

        self._scope = trio.CancelScope()
        trio.lowlevel.start_guest_run(
            self._guest,
            run_sync_soon_threadsafe=asyncio.get_running_loop().call_soon_threadsafe,
            done_callback=self._guest_ended,
            host_uses_signal_set_wakeup_fd=True,
        )

    async def _guest(self) -> None:
        """Everything that runs in trio, until it ends or the scope is cancelled."""
        assert self._scope is not None
        with self._scope:
            await self._front.work(self._show)
        self._show()

    def _guest_ended(self, ended: Outcome[None]) -> None:
        from outcome import Error

        assert self._guest_done is not None
        if not self._guest_done.done():
            self._guest_done.set_result(ended)
        if isinstance(ended, Error):
            self._fail(_first(ended.error))
        elif not self._closing:
            if self._front.stays:
                self._show()
            else:
                self._close(None)

    # the screen

    def _clogged(self) -> bool:
        """Whether the terminal has not yet taken what was drawn before."""
        return self._outlet is not None and self._outlet.clogged

    def _emptied(self) -> None:
        """The terminal has taken everything after it had not been read for a while."""
        assert self._outlet is not None
        if self._closing or self._left:
            return  # the last bytes are another matter
        if self._outlet.lost:
            self._outlet.lost = False
            self._redraw()
        self._show()
        if self._app.late:
            self._app.invalidate()

    def _redraw(self) -> None:
        """The next picture is drawn whole, whatever the terminal shows now."""
        self._app.renderer.clear()
        self._drawn, self._title = None, ""

    def _show(self) -> None:
        """Does what the front wants, then has the picture drawn anew if it is another one."""
        for want in self._front.take_wants():
            self._do(want)
        if self._clogged():
            return  # and comes back when the terminal is read again
        if self._rings:
            self._rings = False
            self._app.output.bell()
        state = self._front.state()
        if state == self._drawn:
            return
        self._drawn = state
        title = self._front.title() or ""
        if title != self._title:
            self._title = title
            self._app.output.set_title(title)
            self._app.output.flush()
        self._app.invalidate()

    def _do(self, want: Want) -> None:
        match want:
            case Want.BELL:
                self._rings = True
            case Want.REDRAW:
                self._redraw()
            case Want.SUSPEND:
                if not self._clogged():  # else the way out of the screen would be lost on the way
                    self._app.suspend_to_background()
            case Want.CLOSE:
                self._close(None)
            case Want.INTERRUPT:
                self._close(INTERRUPTED)
            case _:
                assert_never(want)

    def _fragments(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        encoding = self._app.output.encoding()
        fragments: StyleAndTextTuples = []
        for content in self._front.picture(size.columns, size.rows):
            fragments.extend((style, spelled(text, encoding)) for style, text in content)
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _key(self, name: str, event: KeyPressEvent) -> None:
        size = self._app.output.get_size()
        if name not in _UNSEEN and not fits(size.columns, size.rows):
            return  # nobody acts on what the window is too small to show
        try:
            if name == Keys.BracketedPaste:
                self._front.paste(event.data)
            else:
                self._front.key(event.data if name == Keys.Any else name, time.monotonic())
            self._show()
        except Exception as failure:  # any mistake of a key's handler must still restore the terminal
            self._fail(failure)

    def _make_app(self, keys: Sequence[str], *, colored: bool) -> _Screen:
        bindings = KeyBindings()
        for name in (*keys, Keys.Any, Keys.BracketedPaste):
            bindings.add(name)(partial(self._key, name))
        for name in _ENTERS:
            bindings.add(name)(partial(self._key, "enter"))
        control = FormattedTextControl(self._fragments, focusable=True, show_cursor=False)
        looked = cache(partial(style, colored=colored))
        app = _Screen(
            self._clogged,
            layout=Layout(Window(control, wrap_lines=False, always_hide_cursor=True)),
            key_bindings=bindings,
            full_screen=True,
            mouse_support=False,
            color_depth=None if colored else ColorDepth.DEPTH_1_BIT,
            style=DynamicStyle(lambda: looked(self._front.look)),
            include_default_pygments_style=False,
            input=create_input(),
            output=create_output(cast("TextIO", self._outlet) if self._outlet else sys.stdout),
        )
        app.ttimeoutlen = app.timeoutlen = _ESCAPE_SECONDS
        return app


def _crashed() -> Phrase:
    """What a mistake of the program means for its player, and the log file, if the program keeps one."""
    handlers = logging.getLogger("tongits_lan").handlers
    paths = [path for handler in handlers if (path := getattr(handler, "baseFilename", None))]
    crashed = phrase(
        "The program has made a mistake and had to stop; the table is kept and goes on when you start it"
        " again."
    )
    told = [phrase("What happened is written in {path}.", path=path) for path in paths[:1]]
    return in_a_row([crashed, *told])


def _first(failure: BaseException) -> BaseException:
    """The one sentence for the player out of a group of exceptions, else the group's first."""
    while isinstance(failure, BaseExceptionGroup):
        found = failure.subgroup(UserError)
        failure = (found or failure).exceptions[0]
    return failure
