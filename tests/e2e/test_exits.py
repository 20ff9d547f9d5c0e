"""However a full screen ends, the terminal is as it was: each screen, each way; and where nobody reads it."""

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.terminal import PATIENCE, Terminal

pytestmark = pytest.mark.slow

MODULE = "tests.e2e.scenes"
SHOWN = {"menu": "what now", "lobby": "Ana", "table": "YOUR TURN: draw", "replay": "step 0 of"}
LEAVING = {"menu": "q", "lobby": "qk", "table": "qk", "replay": "q"}
STOPPING = {"menu": "\x03", "lobby": "\x03\x03", "table": "\x03\x03", "replay": "\x03"}
STOPPED = {"menu": 0, "lobby": 130, "table": 130, "replay": 130}

Way = Callable[[Terminal, str], int]
"""Ends a screen in a window: the exit code to expect."""


def _signalled(number: signal.Signals) -> Way:
    def way(window: Terminal, scene: str) -> int:
        os.kill(window.child.pid, number)
        return 128 + number

    return way


def _left(window: Terminal, scene: str) -> int:
    window.press(LEAVING[scene])
    return 0


def _stopped(window: Terminal, scene: str) -> int:
    window.press(STOPPING[scene])
    return STOPPED[scene]


WAYS: dict[str, Way] = {
    "SIGHUP": _signalled(signal.SIGHUP),
    "SIGTERM": _signalled(signal.SIGTERM),
    "SIGINT": _signalled(signal.SIGINT),
    "q": _left,
    "Ctrl-C": _stopped,
}


@pytest.mark.parametrize("scene", SHOWN)
@pytest.mark.parametrize("way", WAYS)
def test_item_13_T3_the_terminal_is_as_it_was(scene: str, way: str) -> None:
    with Terminal(MODULE, scene, "calm") as window:
        window.wait(SHOWN[scene])
        code = WAYS[way](window, scene)
        assert window.end() == code
        assert window.restored


@pytest.mark.parametrize("scene", SHOWN)
def test_item_13_T3_the_terminal_is_as_it_was_after_a_mistake_in_a_task(scene: str) -> None:
    with Terminal(MODULE, scene, "mistake") as window:
        assert window.end() == 1
        assert window.restored
        assert b"has made a mistake" in window.raw
        assert b"secret" not in window.raw


def _size(beats: Path) -> int:
    return beats.stat().st_size if beats.exists() else 0


def _grows(beats: Path, by: int) -> None:
    """Until so much more has gone on behind the screen."""
    goal = _size(beats) + by
    end = time.monotonic() + PATIENCE
    while _size(beats) < goal:
        assert time.monotonic() < end, "the work behind the screen stands still"
        time.sleep(0.02)


def _leave_unread(window: Terminal, beats: Path, scene: str) -> None:
    """Pictures for a terminal that nobody reads, more than any system keeps for it."""
    flips = {"menu": "4q", "table": "?q", "replay": "??"}[scene]
    for key in flips * 40:
        window.press(key)
        _grows(beats, 1)


@pytest.mark.parametrize("scene", ["menu", "table", "replay"])
def test_a_terminal_that_is_not_read_stops_no_work_and_no_exit(scene: str, tmp_path: Path) -> None:
    beats = tmp_path / "beats"
    with Terminal(MODULE, scene, "busy", str(beats)) as window:
        window.wait("TONGITS|REPLAY")
        _leave_unread(window, beats, scene)
        os.kill(window.child.pid, signal.SIGTERM)
        end = time.monotonic() + PATIENCE
        while window.child.isalive():
            assert time.monotonic() < end, "the exit waits for a terminal that nobody reads"
            time.sleep(0.05)
        assert window.end() == 143
        assert window.restored


def test_a_terminal_that_is_read_again_shows_the_newest_picture(tmp_path: Path) -> None:
    beats = tmp_path / "beats"
    with Terminal(MODULE, "table", "busy", str(beats)) as window:
        window.wait("YOUR TURN")
        _leave_unread(window, beats, "table")
        for columns, rows in ((100, 30), (80, 24)):
            window.resize(columns, rows)
            _grows(beats, 2)
        hand = _size(beats)
        window.wait(rf"hand ({'|'.join(str(number) for number in range(hand, hand + 40))}) ")
        window.wait("YOUR TURN")
        lines = window.text.splitlines()
        assert len(lines) == 24
        assert all(line.endswith(("+", "|")) for line in lines[1:-1])
        window.press("\x03\x03")
        assert window.end() == 130
        assert window.restored


@pytest.mark.parametrize("scene", ["menu", "table", "replay"])
def test_in_a_window_that_is_too_small_no_key_acts_unseen(scene: str) -> None:
    with Terminal(MODULE, scene, "calm", columns=50, rows=10) as window:
        window.wait("Window too small")
        window.press("d\r1nq\x1b[200~pasted\x1b[201~ \x1b[C\x0c")
        window.settle()
        assert "Window too small" in window.text
        window.resize(80, 24)
        window.wait(SHOWN[scene])
        window.settle()
        assert re.search(SHOWN[scene], window.text)
        window.resize(50, 10)
        window.wait("Window too small")
        window.press(STOPPING[scene])
        assert window.end() == STOPPED[scene]
        assert window.restored


def test_the_bell_rings_in_a_window_that_is_too_small() -> None:
    with Terminal(MODULE, "table", "turn", columns=50, rows=10) as window:
        window.wait("Window too small")
        while b"YOUR TURN" not in window.raw:  # in the title
            assert window.read()
        assert re.search(rb"(?<!hand 1)\x07\x1b\]2;\* Tongits: YOUR TURN", window.raw)
        window.press("\x03\x03")
        assert window.end() == 130
