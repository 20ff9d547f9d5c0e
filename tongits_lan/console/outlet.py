"""The way of pictures to a terminal that nobody may read for a while (a stalled line, text being selected).

Owns what the terminal has not taken yet: a write never waits, and while one is on its way no other begins.
Knows no picture; must be used inside a running asyncio loop.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

_AGAIN_SECONDS = 0.02  # between two tries while the terminal takes nothing


class Outlet:
    """Stands in for `file`, a terminal, as the screen library writes to it: every write is one whole picture
    or command, which goes out in full or not at all."""

    def __init__(self, file: TextIO, emptied: Callable[[], None], failed: Callable[[OSError], None]) -> None:
        self._file = file
        self._emptied = emptied
        self._failed = failed
        self._waiting = b""
        self._again: asyncio.TimerHandle | None = None
        self._gone = False
        self.keeps_all = False
        """Whether a write goes behind one that is still on its way, instead of nowhere."""
        self.lost = False
        """Whether something went nowhere: the next picture has to be drawn whole."""

    @property
    def encoding(self) -> str:
        """As of the file."""
        return self._file.encoding or "utf-8"

    @property
    def clogged(self) -> bool:
        """Whether the terminal has not yet taken what was written."""
        return bool(self._waiting)

    def fileno(self) -> int:
        """The terminal."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """As of the file."""
        return self._file.isatty()

    def write(self, text: str) -> int:
        """Takes the text, and writes what the terminal takes at once."""
        if self._gone:
            return len(text)
        if self._waiting and not self.keeps_all:
            self.lost = True
        else:
            self._waiting += text.encode(self.encoding, "replace")
            if self._again is None:
                self._send()
        return len(text)

    def flush(self) -> None:
        """What can be written has been written."""

    async def drain(self, seconds: float) -> bool:
        """Waits so long at most for the terminal to take everything; whether it has."""
        tries = int(seconds / _AGAIN_SECONDS)
        while self._waiting and tries > 0:
            await asyncio.sleep(_AGAIN_SECONDS)
            tries -= 1
        return not self._waiting

    def start_over(self) -> None:
        """Forgets what is on its way, here and in the system, so that a few bytes more find room."""
        import termios

        self._waiting = b""
        self.keeps_all = True
        if self._again is not None:
            self._again.cancel()
            self._again = None
        with suppress(OSError, termios.error):  # a terminal that is gone has no room, and needs none
            termios.tcflush(self.fileno(), termios.TCOFLUSH)

    def _send(self) -> None:
        """Writes without waiting; what is left is tried again in a moment. The terminal's mode is put back
        each time, as it belongs to all that share it, the shell above all."""
        self._again = None
        terminal = self.fileno()
        try:
            blocking = os.get_blocking(terminal)
            os.set_blocking(terminal, False)
            try:
                while self._waiting:
                    self._waiting = self._waiting[os.write(terminal, self._waiting) :]
            finally:
                os.set_blocking(terminal, blocking)
        except BlockingIOError:
            self._again = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._try_again)
        except OSError as failure:
            self._waiting, self._gone = b"", True
            self._failed(failure)

    def _try_again(self) -> None:
        self._send()
        if not self._waiting and not self._gone:
            self._emptied()


def outlet(file: TextIO, emptied: Callable[[], None], failed: Callable[[OSError], None]) -> Outlet | None:
    """An outlet to this terminal; None on Windows, whose consoles are no files that could be written to
    without waiting."""
    return None if sys.platform == "win32" else Outlet(file, emptied, failed)
