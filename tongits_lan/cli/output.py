"""What a command says: results to stdout, everything else to stderr, a line at a time.

Owns the two streams and the JSON form of a line; knows no room.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping


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


def emit(value: Mapping[str, object]) -> None:
    """One JSON object on one line of stdout."""
    say(json.dumps(value, ensure_ascii=True, separators=(", ", ": ")))


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
