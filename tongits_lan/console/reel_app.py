"""The terminal of a replay: keys in, pictures out, and a step by itself while it runs.

Owns the terminal from the first picture to the last byte; a signal restores it too. Needs no session and no
trio: the one loop is the screen library's own.
"""

import os
import signal
import sys
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth, create_output

from tongits_lan.console.reel import Reel, press, special_keys, tick
from tongits_lan.console.reel_page import picture
from tongits_lan.console.styles import require_terminal, style

_ESCAPE_SECONDS = 0.05  # how long an Escape waits for the rest of a key sequence
_SIGNALS = {"SIGTERM": 143, "SIGHUP": 129}
_INTERRUPTED = 130


def run_reel(reel: Reel, *, color: bool) -> int:
    """Shows the replay until it is closed; returns the exit code (0, or 128 and the number of a signal).

    Raises UserError(USAGE) when there is no usable terminal."""
    require_terminal()
    return Theatre(reel, color=color).run()


class Theatre:
    """The one changing thing of a replay, `reel`, and the screen that follows it."""

    def __init__(self, reel: Reel, *, color: bool) -> None:
        self.reel = reel
        self._due = 0  # counts the steps that were set for later, so that only the newest is made
        self._app = self._make_app(color=color and not os.environ.get("NO_COLOR"))

    def run(self) -> int:
        """Until the replay is closed."""
        code = self._app.run(pre_run=self._catch_signals, handle_sigint=False)
        self._app.output.clear_title()
        self._app.output.flush()
        return code

    def _make_app(self, *, color: bool) -> Application[int]:
        bindings = KeyBindings()
        for name in (*special_keys(), Keys.Any):
            bindings.add(name)(partial(self._key, name))
        bindings.add("c-j")(partial(self._key, "enter"))
        bindings.add("c-l")(lambda event: event.app.renderer.clear())
        bindings.add("c-z")(lambda event: event.app.suspend_to_background())
        control = FormattedTextControl(self._fragments, focusable=True, show_cursor=False)
        app: Application[int] = Application(
            layout=Layout(Window(control, wrap_lines=False, always_hide_cursor=True)),
            key_bindings=bindings,
            full_screen=True,
            mouse_support=False,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            style=style(colored=color),
            include_default_pygments_style=False,
            input=create_input(),
            output=create_output(sys.stdout),
        )
        app.ttimeoutlen = app.timeoutlen = _ESCAPE_SECONDS
        return app

    def _catch_signals(self) -> None:
        assert self._app.loop is not None
        for name, code in _SIGNALS.items():
            number = getattr(signal, name, None)
            if number is None:
                continue
            try:
                self._app.loop.add_signal_handler(number, self._close, code)
            except NotImplementedError:  # Windows has no such handlers, and no such signals from outside
                return
        self._app.output.set_title("Tongits: replay")

    def _close(self, code: int) -> None:
        if self._app.is_running and self._app.future is not None and not self._app.future.done():
            self._app.exit(result=code)

    def _fragments(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        fragments: StyleAndTextTuples = []
        for content in picture(self.reel, size.columns, size.rows):
            fragments.extend(content)
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _key(self, name: str, event: KeyPressEvent) -> None:
        self.reel = press(self.reel, event.data if name == Keys.Any else name)
        if self.reel.closed:
            self._close(_INTERRUPTED if name in ("c-c", "<sigint>") else 0)
        self._set_clock()

    def _set_clock(self) -> None:
        """The next step by itself counts from now, whatever was set before."""
        self._due += 1
        seconds = self.reel.due_seconds
        if seconds is not None and self._app.loop is not None:
            self._app.loop.call_later(seconds, self._step, self._due)

    def _step(self, due: int) -> None:
        if due == self._due and self.reel.running:
            self.reel = tick(self.reel)
            self._app.invalidate()
            self._set_clock()
