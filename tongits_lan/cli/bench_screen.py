"""Figures of the screen: how soon the menu is there, how soon a key shows while a deck is proved, a picture.

The first two are measured from outside, with this program in a pseudo-terminal; systems without one leave
them out.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tongits_lan.cli import timing
from tongits_lan.console.follow import follow
from tongits_lan.console.render import render
from tongits_lan.console.ui import Screen, Ui
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.chain import parse_descriptor
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.files import ParsedFile
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.views import Mine, TableView, make_view

STARTS = 5
LETTERS = b"jzqx" * 8  # typed into the chat line, one after the other
PICTURES = 50
_SIZE = (40, 120)  # rows, columns
_PATIENCE = 60.0


def screen_figures(parsed: ParsedFile) -> dict[str, object]:
    """`redraw_ms`, and where there are pseudo-terminals `menu_ms` and `key_echo_ms`."""
    figures: dict[str, object] = {}
    if sys.platform != "win32":
        echoes = key_echo_ms()
        figures["menu_ms"] = round(menu_ms(), 1)
        figures["key_echo_ms"] = {
            "p50": round(timing.percentile(echoes, 0.5), 1),
            "p90": round(timing.percentile(echoes, 0.9), 1),
        }
    figures["redraw_ms"] = round(redraw_ms(parsed), 2)
    return figures


@contextmanager
def _window(*words: str) -> Iterator[int]:
    """This program in a terminal of 120x40; the file descriptor of the terminal's other side."""
    import fcntl
    import pty
    import signal
    import termios

    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "tongits_lan", *words])
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *_SIZE, 0, 0))
        yield terminal
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _until(terminal: int, sign: bytes) -> None:
    """Reads what is written until `sign` is among it. Raises TimeoutError."""
    import select

    end = time.monotonic() + _PATIENCE
    read = b""
    while sign not in read:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        if ready:
            read = read[-64:] + os.read(terminal, 65_536)
        elif time.monotonic() > end:
            raise TimeoutError(f"the screen never showed {sign!r}")


def menu_ms() -> float:
    """Milliseconds from the start of the program to its menu, the median of several starts."""
    times = []
    with tempfile.TemporaryDirectory(prefix="tongits-bench-") as folder:
        (Path(folder) / "config.toml").write_text('name = "Ana"\n', "utf-8")
        for _ in range(STARTS):
            started = time.perf_counter()
            with _window("--no-discovery", "--data-dir", folder) as terminal:
                _until(terminal, b"what now")
                times.append(1000 * (time.perf_counter() - started))
    return timing.percentile(times, 0.5)


def key_echo_ms() -> list[float]:
    """Milliseconds from each letter typed into the chat line to its picture, while a deck is proved."""
    times = []
    with (
        tempfile.TemporaryDirectory(prefix="tongits-bench-") as folder,
        _window("play", "--ascii", "--data-dir", folder, "--name", "Ana") as terminal,
    ):
        _until(terminal, b"SHUFFLING")
        os.write(terminal, b"c")
        _until(terminal, b"CHAT")
        for letter in LETTERS:
            sign = bytes([letter])
            started = time.perf_counter()
            os.write(terminal, sign)
            _until(terminal, sign)
            times.append(1000 * (time.perf_counter() - started))
    return times


def redraw_ms(parsed: ParsedFile) -> float:
    """Milliseconds of one picture of a table at 120x40."""
    view = played_view(parsed)
    ui = follow(Ui(), None, view).ui
    started = time.perf_counter()
    for _ in range(PICTURES):
        render(Screen(_SIZE[1], _SIZE[0], ui, view))
    return 1000 * (time.perf_counter() - started) / PICTURES


def played_view(parsed: ParsedFile) -> TableView:
    """What seat 0 sees in the middle of the first hand of a ledger."""
    assert parsed.descriptor_raw is not None
    descriptor = parse_descriptor(parsed.descriptor_raw)
    for count in range(len(parsed.entries), 0, -1):
        state = Book(descriptor, parsed.entries[:count]).state
        if state.hand is not None and state.phase is Phase.PLAY and state.hand.position is not None:
            break
    position = state.hand.position if state.hand is not None else None
    assert position is not None
    known = {slot: slot % descriptor.rules.n for slot in position.hands[0]}
    known.update(dict(position.discards))
    links = (Reach("me"), Reach("direct"), Reach("direct"))
    mine = Mine(
        match=state.match,
        faces=known,
        legal=(),
        words_confirmed=True,
        stopped=None,
        links=links,
        awaited_since=None,
        grace_over=False,
        can_confirm_words=False,
        can_go_on=False,
        can_leave=False,
        can_give_up=True,
        giving_up=False,
        level=True,
        called_off=None,
        secrets_lost=False,
    )
    return make_view(state, 0, mine)
