"""A replay in a real terminal: keys, running by itself, resizing, and a terminal left as it was."""

from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal
from tests.system import ROOT

pytestmark = pytest.mark.slow

LEDGER = ROOT / "protocol" / "ledgers" / "joker.tongits"


def replay(*more: str, columns: int = 80, rows: int = 24, path: Path = LEDGER) -> Terminal:
    return Terminal("tongits_lan", "replay", str(path), *more, columns=columns, rows=rows)


def test_a_hand_is_stepped_through_and_left() -> None:
    with replay() as window:
        window.wait("step 0 of")
        assert "checked: fair" in window.text
        window.press("\x1b[C")
        window.wait("step 1 of")
        window.press("b")
        window.wait("step 0 of")
        window.press("7\r")
        window.wait("step 7 of")
        window.press("\x1b[F")
        window.wait("HOW IT ENDED")
        window.press("?")
        window.wait("KEYS OF A REPLAY")
        window.press("\x1b")
        window.wait("HOW IT ENDED")
        window.press("q")
        assert window.end() == 0
        assert window.restored


def test_it_runs_by_itself_until_it_is_stopped() -> None:
    with replay("--ascii") as window:
        window.wait("step 0 of")
        window.press("++a")
        window.wait(r"step [2-9] of \d+  running")
        window.press("a")
        window.wait(r"step \d+ of \d+ +checked")
        window.press("q")
        assert window.end() == 0
        assert not set("".join(window.text)) - set(map(chr, range(128)))


def test_another_size_is_drawn_anew() -> None:
    with replay() as window:
        window.wait("step 0 of")
        window.child.setwinsize(16, 60)
        window.picture.resize(16, 60)
        window.wait("step 0 of")
        window.settle(0.3)
        assert "? help" in window.text.splitlines()[-1]
        window.press("q")
        assert window.end() == 0
