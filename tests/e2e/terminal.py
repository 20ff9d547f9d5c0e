"""A terminal of a given size with a real program in it, and what its window shows."""

import os
import re
import sys
import time
from collections.abc import Mapping, Sequence

import pytest

from tests.system import NO_TERMINAL, ROOT

if sys.platform == "win32":
    pytest.skip(NO_TERMINAL, allow_module_level=True)

import termios

import pexpect
import pyte

PATIENCE = 60.0  # seconds until a test gives up; never how long something may take


class Terminal:
    """`python -m MODULE ARGUMENTS` in a window of `columns` x `rows`, perhaps run by the command `on`."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        environ: Mapping[str, str] | None = None,
        on: Sequence[str] = (),
    ) -> None:
        kept = {
            "PATH",
            "HOME",
            "TMPDIR",
            "LANG",
            "LC_ALL",
            "PYTHONPATH",
            "VIRTUAL_ENV",
        }
        env = {name: value for name, value in os.environ.items() if name in kept}
        env.update({"TERM": "xterm-256color", "PYTHONUTF8": "1", **(environ or {})})
        self.picture = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.picture)
        self.raw = b""
        command = [*on, sys.executable, "-m", *arguments]
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            cwd=str(ROOT),
            env=env,
            dimensions=(rows, columns),
            timeout=PATIENCE,
        )
        self.child.delaybeforesend = None
        self._modes = termios.tcgetattr(self.child.child_fd)
        """How the terminal was before the program changed anything."""
        self._left = self._modes

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    @property
    def text(self) -> str:
        """What the window shows now."""
        return "\n".join(text.rstrip() for text in self.picture.display)

    def read(self, seconds: float = 0.1) -> bool:
        """Takes in what the program has written; False at its end."""
        try:
            data = self.child.read_nonblocking(65_536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self.stream.feed(data)
        return True

    def wait(self, *patterns: str) -> str:
        """Until the window shows one of the patterns: which one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for pattern in patterns:
                if re.search(pattern, self.text):
                    return pattern
            if not self.read():
                break
        raise AssertionError(f"none of {patterns} in\n{self.text}\n{self.raw[-800:]!r}")

    def press(self, keys: str) -> None:
        """Writes the keys in one piece."""
        self.child.send(keys)

    def settle(self, seconds: float = 0.4) -> None:
        """Takes in what comes until the program has been silent for a moment."""
        while True:
            before = len(self.raw)
            self.read(seconds)
            if len(self.raw) == before:
                return

    def end(self) -> int:
        """Waits for the program's end: its exit code."""
        limit = time.monotonic() + PATIENCE
        while self.read(0.5):
            assert time.monotonic() < limit, f"still there:\n{self.text}"
        self._left = termios.tcgetattr(self.child.child_fd)
        self.child.close()
        if self.child.exitstatus is None:
            return 128 + int(self.child.signalstatus)
        return int(self.child.exitstatus)

    def resize(self, columns: int, rows: int) -> None:
        """The window gets another size."""
        self.picture.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    @property
    def restored(self) -> bool:
        """The last bytes left the alternate screen and showed the cursor, nothing entered it again, and the
        terminal hears lines, signals and echo as before."""
        left, entered = self.raw.rfind(b"\x1b[?1049l"), self.raw.rfind(b"\x1b[?1049h")
        shown, hidden = self.raw.rfind(b"\x1b[?25h"), self.raw.rfind(b"\x1b[?25l")
        pasted = self.raw.rfind(b"\x1b[?2004l") >= self.raw.rfind(b"\x1b[?2004h")
        return left > entered >= 0 and shown > hidden and pasted and self._left == self._modes
