"""What a command says: results to stdout, everything else to stderr, a line at a time.

Owns the two streams, the JSON form of a line and what it takes to say one; knows no room.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Protocol


class Out(Protocol):
    """The way of lines to whoever reads them."""

    def say(self, text: str) -> None:
        """One more line of result."""

    def mark(self) -> None:
        """What has been said by now is what `marked_at` tells of."""

    @property
    def marked_at(self) -> float:
        """When that was out, in seconds of a monotonic clock; infinity before."""

    def hurry(self) -> None:
        """The program is ended by somebody who will not wait for a reader."""

    async def watch(self) -> None:
        """Raises OSError as soon as a line cannot get out, unless `say` does."""


class Straight:
    """Every line is out when it has been said: the way to a file, or to a reader who is waited for."""

    def __init__(self) -> None:
        self.marked_at = 0.0

    def say(self, text: str) -> None:
        """Raises OSError."""
        say(text)

    def mark(self) -> None:
        """All is out."""
        self.marked_at = time.monotonic()

    def hurry(self) -> None:
        """Nothing is on its way."""

    async def watch(self) -> None:
        """Whoever says a line hears of it."""


def prepare() -> None:
    """A terminal or pipe that cannot show a character gets a question mark, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def say(text: str) -> None:
    """One line of result; it is out when this returns."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def json_line(value: Mapping[str, object]) -> str:
    """One JSON object as one line."""
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


def emit(value: Mapping[str, object]) -> None:
    """One JSON object on one line of stdout."""
    say(json_line(value))


def complain(text: str) -> None:
    """One sentence on stderr; a closed stderr is nobody's trouble."""
    try:
        sys.stderr.write(text.rstrip() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def drop_stdout() -> None:
    """After a broken pipe: nothing more is written, and the interpreter does not complain at its end."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
