"""A terminal shows the golden pictures letter by letter: every screen in both usual sizes and both skins."""

import os
import signal
import time

import pytest

from tests.e2e.album import PAGES, page
from tests.e2e.terminal import PATIENCE, Terminal
from tests.make_screens import USUAL

pytestmark = pytest.mark.slow


def lines_of(window: Terminal) -> list[str]:
    """What the window shows, without blanks at the ends and blank lines below."""
    lines = window.text.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return lines


def test_every_golden_screen_is_what_a_terminal_shows() -> None:
    with Terminal("tests.e2e.album", columns=USUAL[0][0], rows=USUAL[0][1]) as window:
        for at, (size, _, title) in enumerate(PAGES):
            if size != (window.picture.columns, window.picture.lines):
                window.resize(*size)
            wanted, end = page(at), time.monotonic() + PATIENCE
            while lines_of(window) != wanted:
                assert time.monotonic() < end, f"{title} is shown otherwise:\n{window.text}"
                window.read()
            window.press(" ")
        os.kill(window.child.pid, signal.SIGTERM)
        assert window.end() == 143
        assert window.restored
