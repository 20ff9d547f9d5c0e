"""The way of lines to a reader who may not read for a while: a pager, a terminal after Ctrl-S, a stopped log.

Owns the lines that are not out yet and the thread that writes them, so that no table ever waits for a reader.
Knows no line but the one that stands for lines nobody read.
"""

from __future__ import annotations

import io
import math
import os
import signal
import stat
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import NoReturn, TextIO, cast

import trio

from tongits_lan.cli.lines import SIGNALS
from tongits_lan.cli.output import Out, Straight

WAITING_MAX = 4 << 20  # bytes kept for a reader: hundreds of hands
PATIENCE_SECONDS = 60.0  # at the end, for a reader who takes nothing: he may be reading the page before
_HURRY_SECONDS = 0.5  # for all that is left, where somebody ends the program
_SLICE_SECONDS = 0.1  # Windows lets no signal through while a lock is waited for
_AGAIN_SECONDS = 0.02  # between two tries at a stream that others have set not to wait


class Spool:
    """Lines on their way to `stream`, in order. Beyond `room` bytes the oldest give way to the line that
    `left_out` makes of their number."""

    def __init__(
        self,
        stream: TextIO,
        left_out: Callable[[int], str],
        *,
        room: int = WAITING_MAX,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        stream.flush()
        # Below its buffer, whose lock a thread that is stuck would hold against the end of the interpreter.
        self._file = cast(io.RawIOBase, getattr(stream.buffer, "raw", stream.buffer))
        self._encoding = stream.encoding
        self._notice = left_out
        self._room = room
        self._patience = patience
        self._news = threading.Condition()
        """Guards all that follows, and is notified of each change."""
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._said = 0
        self._gone = 0
        """Lines that are out or left out."""
        self._missing = 0
        """Lines left out that were not yet told of."""
        self._mark = 0
        self._marked_at = 0.0
        self._failure: OSError | None = None
        self._failed: Callable[[], None] | None = None
        self._hurried = False
        self._ended = False
        threading.Thread(target=self._write, name="spool", daemon=True).start()

    def say(self, text: str) -> None:
        """Takes one line, and waits for nobody; one said after a failure goes nowhere."""
        line = self._bytes(text)
        with self._news:
            if self._failure is not None:
                return
            self._waiting.append(line)
            self._said += 1
            self._size += len(line)
            while self._size > self._room and len(self._waiting) > 1:
                self._size -= len(self._waiting.popleft())
                self._missing += 1
                self._pass()
            self._news.notify_all()

    def mark(self) -> None:
        """What has been said by now is what `marked_at` tells of."""
        with self._news:
            self._mark, self._marked_at = self._said, math.inf
            if self._gone >= self._mark:
                self._marked_at = time.monotonic()

    @property
    def marked_at(self) -> float:
        """When that was out, in seconds of a monotonic clock; infinity before."""
        with self._news:
            return self._marked_at

    def hurry(self) -> None:
        """The program is ended by somebody who will not wait for a reader."""
        with self._news:
            self._hurried = True

    async def watch(self) -> None:
        """Waits for the stream to fail. Raises its OSError, as BrokenPipeError where nobody can read it."""
        failed = trio.Event()
        token = trio.lowlevel.current_trio_token()
        with self._news:
            failure = self._failure
            self._failed = lambda: token.run_sync_soon(failed.set)
        try:
            if failure is None:
                await failed.wait()
        finally:
            with self._news:
                failure, self._failed = self._failure, None
        assert failure is not None
        raise failure

    def drain(self) -> bool:
        """Takes no more lines and waits until all are out, or the reader has taken none for too long: whether
        all are out, or nobody would wait. Raises the OSError of a failed stream."""
        with self._news:
            self._ended = True
            self._news.notify_all()
            until = time.monotonic() + (_HURRY_SECONDS if self._hurried else self._patience)
            while self._gone < self._said and self._failure is None:
                left = until - time.monotonic()
                if left <= 0:
                    self._waiting.clear()
                    return self._hurried
                gone = self._gone
                self._news.wait(min(left, _SLICE_SECONDS))
                if self._gone > gone and not self._hurried:
                    until = time.monotonic() + self._patience
            if self._failure is not None and not self._hurried:
                raise self._failure
            return True

    def _bytes(self, text: str) -> bytes:
        return f"{text}{os.linesep}".encode(self._encoding, "replace")

    def _pass(self) -> None:
        """One more line is out, or left out."""
        self._gone += 1
        if self._gone >= self._mark and self._marked_at == math.inf:
            self._marked_at = time.monotonic()

    def _next(self) -> tuple[bytes, bool] | None:
        """What is to be written, and whether it was said; None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._ended)
            if not self._waiting:
                return None
            if self._missing:
                missing, self._missing = self._missing, 0
                return self._bytes(self._notice(missing)), False
            line = self._waiting.popleft()
            self._size -= len(line)
            return line, True

    def _write(self) -> None:
        """The thread."""
        try:
            while (following := self._next()) is not None:
                line, said = following
                while line:
                    line = line[self._take(line) :]
                if said:
                    with self._news:
                        self._pass()
                        self._news.notify_all()
        except OSError as failure:
            with self._news:
                self._failure = failure
                if self._failed is not None:
                    self._failed()
                self._news.notify_all()

    def _take(self, line: bytes) -> int:
        """How many bytes the stream has taken; waits for it to take some."""
        while (taken := self._file.write(line)) is None:
            time.sleep(_AGAIN_SECONDS)
        return taken


@contextmanager
def way_out(
    stream: TextIO, left_out: Callable[[int], str], *, patience: float = PATIENCE_SECONDS
) -> Iterator[Out]:
    """The way of lines to `stream`; at its end all are out. Raises BrokenPipeError if nobody reads them, or
    can, and SystemExit for a signal while a reader is waited for."""
    if not _may_stall(stream):
        yield Straight()
        return
    spool = Spool(stream, left_out, patience=patience)
    try:
        yield spool
    except BaseException:
        with suppress(OSError):  # what has happened first counts
            _drained(spool)
        raise
    if not _drained(spool):
        raise BrokenPipeError


def _drained(spool: Spool) -> bool:
    with ExitStack() as stack:
        for number in SIGNALS:
            stack.callback(signal.signal, number, signal.signal(number, _stop))
        return spool.drain()


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _may_stall(stream: TextIO) -> bool:
    """Whether somebody reads along, who can stop doing so; a file or a text in memory takes all at once."""
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False
