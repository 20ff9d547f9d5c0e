"""How far something that takes long has come: nothing in its first second, then a bar on stderr.

Owns the bar and its patience. Must not know what takes so long; the clock comes in.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType

from tongits_lan.cli.output import complain
from tongits_lan.console.speech import tr

PATIENCE_SECONDS = 1.0
_BAR = 30  # characters


class Progress:
    """Enter it, call it with what is done and of how much, leave it: the bar is gone then.

    Where stderr is no terminal, `elsewhere` is said once instead of the bar, if it is given.
    """

    def __init__(
        self, clock: Callable[[], float], terminal: bool, elsewhere: Callable[[], str] | None = None
    ) -> None:
        self._clock = clock
        self._terminal = terminal
        self._elsewhere = elsewhere
        self._began = clock()
        self._shown = -1
        """Percent that the bar on the screen says."""

    def __enter__(self) -> Progress:
        return self

    def __call__(self, done: int, total: int) -> None:
        """So much of so much is done."""
        percent = min(100, 100 * done // max(1, total))
        if percent == self._shown or self._clock() - self._began < PATIENCE_SECONDS:
            return
        if self._terminal:
            full = _BAR * percent // 100
            bar = "#" * full + "." * (_BAR - full)
            sys.stderr.write("\r" + tr("Checking [{bar}] {percent}%", bar=bar, percent=percent) + " ")
            sys.stderr.flush()
        elif self._shown < 0 and self._elsewhere is not None:
            complain(self._elsewhere())
        self._shown = percent

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown >= 0 and self._terminal:
            sys.stderr.write("\r" + " " * (_BAR + 40) + "\r")
            sys.stderr.flush()
