"""A whole hand at the keyboard in an 80x24 window against two bots, and the file it leaves."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.terminal import PATIENCE, Terminal
from tests.system import ROOT

pytestmark = pytest.mark.slow

OVER = r"hand \d+ is over"
TURN = r"YOUR TURN: draw"
PLAY = r"Enter  discard|Left Right  choose"
FIGHT = r"CALLS A FIGHT"
ANY = (OVER, TURN, PLAY, FIGHT)
COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?3[0-8][0-9;]*m")
WAYS = {  # what a player looks for in the box, the first first
    TURN: ("t  take", "1  take", "f  fight", "d  draw"),
    PLAY: ("1  lay", "1  sapaw", "Enter  discard"),
    FIGHT: ("y  fight back", "n  fold"),
}


def play(folder: Path, *more: str, environ: dict[str, str] | None = None) -> Terminal:
    arguments = ("tongits_lan", "play", "--data-dir", str(folder), *more)
    return Terminal(*arguments, environ=environ)


def ledger_of(folder: Path) -> Path:
    (path,) = (folder / "tables").glob("*.tongits")
    return path


def verify(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tongits_lan", "verify", "--proofs", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def one_act(window: Terminal, seen: str) -> None:
    """Answers what the screen asks with the keys it names, and waits until it asks something else."""
    before = window.text
    key = next(way.split()[0] for way in WAYS[seen] if re.search(rf"^\W {way}", before, re.MULTILINE))
    window.press("\r" if key == "Enter" else key)
    while window.text == before:
        assert window.read(1.0), window.text
    window.settle(0.35)
    if "ARE YOU SURE" in window.text:
        window.press("f" if "f again" in window.text else "\r")
        window.settle(0.35)


def practise(folder: Path) -> Terminal:
    """Who has started the program, says a name and wants to practise."""
    window = Terminal("tongits_lan", "--no-discovery", "--data-dir", str(folder))
    window.wait("Your name: ")
    window.press("\x7f" * 24 + "Nene\r")
    window.wait("3  Practice with bots")
    window.press("3")
    window.wait("you and two bots")
    window.press("\r")
    return window


def to_the_end(window: Terminal) -> int:
    """Plays until the hand is over; how many acts it took."""
    for acts in range(200):
        seen = window.wait(*ANY)
        if seen == OVER:
            return acts
        one_act(window, seen)
    raise AssertionError(f"no end in sight:\n{window.text}")


def test_one_hand_to_its_end_and_the_file_it_leaves(tmp_path: Path) -> None:
    with practise(tmp_path) as window:
        assert to_the_end(window) > 0
        window.wait("Enter  next hand")
        assert re.search(r"pays?( the pot)? ", window.text)
        window.press("l")
        window.wait("Enter  leave the table for good")
        window.settle(1.0)  # a bot may be heard meanwhile, and then keys count for nothing once more
        window.press("\r")
        window.wait("the table is closed")
        window.settle(1.0)
        assert "c chat" not in window.text
        window.press("c")
        window.wait("nobody would hear it")
        assert "a new table with the same three" in window.text
        assert "Enter  close this table" in window.text
        window.press("\r")
        window.wait("The table is closed. You ended it with")
        window.press("q")
        assert window.end() == 0
        assert window.restored
    checked = verify(ledger_of(tmp_path))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_hand_is_left_pending_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with play(tmp_path) as window:
        seen = window.wait(*ANY)
        if seen == OVER:
            pytest.fail("the bots ended the hand before the player had a turn; this deal is not of use")
        hand = cards_of(window)
        window.press("q")
        window.wait("LEAVE")
        window.press("k")
        assert window.end() == 0
        assert window.restored
        assert b"stays pending" in window.raw
        assert COLOUR.search(window.raw)
    assert verify(ledger_of(tmp_path)).returncode == 1
    with play(tmp_path, "--no-color") as window:
        window.wait(*ANY)
        assert cards_of(window) == hand
        assert not COLOUR.search(window.raw)
        os.kill(window.child.pid, signal.SIGTERM)
        assert window.end() == 143
        assert window.restored


def cards_of(window: Terminal) -> list[str]:
    """The own hand as the window shows it: the row above the one with the cursor."""
    rows = window.text.splitlines()
    at = next(i for i, row in enumerate(rows) if re.search(r"(YOUR TURN|CALLS A FIGHT|'s turn)", row))
    return sorted(re.findall(r"(?:10|[2-9AJQK])[♣♦♥♠SHDC]", rows[at - 2]))


def test_letters_and_no_colour_where_the_terminal_has_neither(tmp_path: Path) -> None:
    environ = {
        "NO_COLOR": "1",
        "TERM": "vt100",
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
    }
    with play(tmp_path, environ=environ) as window:
        window.wait(*ANY)
        window.settle()
        assert window.text.isascii()
        assert not COLOUR.search(window.raw)
        assert len({card[-1] for card in cards_of(window)}) >= 2
        window.press("\x03")
        window.wait("LEAVE")
        window.press("\x03")
        assert window.end() == 130
        assert window.restored
