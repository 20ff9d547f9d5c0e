"""People at terminals of their own: what they read on the screen and which keys they press, counted.

Nothing here knows a command of the program: everybody starts from its menu.
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.terminal import Terminal

NAMES = ("Ana", "Ben", "Carlo")
READ_SECONDS = 1.0  # longer than a page that has just appeared takes no key for


class Person:
    """Somebody who has started `tongits` with these options, perhaps on a computer of their own (`on`)."""

    def __init__(self, folder: Path, name: str, *options: str, on: Sequence[str] = ()) -> None:
        self.name = name
        self.data = folder / name
        self.window = Terminal("tongits_lan", *options, "--data-dir", str(self.data), on=on)
        self.keys = 0
        """Keys pressed, without the letters of a name, a code or an address."""

    def __enter__(self) -> "Person":
        return self

    def __exit__(self, *_: object) -> None:
        self.window.__exit__()

    def press(self, *keys: str) -> None:
        """Presses each key once."""
        self.keys += len(keys)
        self.window.press("".join(keys))

    def enters(self, text: str) -> None:
        """Types a text letter by letter, and Enter."""
        self.window.press(text)
        self.press("\r")

    def says_name(self) -> None:
        """To the first question of the program."""
        self.window.wait("Your name: ")
        self.enters(self.name)
        self.window.wait(f"{self.name}, what now")

    def hosts(self) -> str:
        """Opens a table; the code to be said aloud."""
        self.press("1")
        self.window.wait("open the table")
        self.press("\r")
        self.window.wait(r"Code  \d\d-[A-Z]+-[A-Z]+")
        code = re.search(r"Code  (\S+)", self.window.text)
        assert code is not None
        return code[1].lower()

    def joins(self, host: str, code: str, address: str | None = None) -> None:
        """Chooses the host's table in the list, or, where nothing comes up there, types an address; then the
        code as heard."""
        if address is None:
            self.window.wait(f"found: {host}'s table")
            self.press("2")
            self.window.wait(rf"1  {host}'s table \(\d/3\)")
            self.window.settle()
            self.press("1")
        else:
            self.press("2")
            self.window.wait("A firewall keeps the others out")
            assert f"{host}'s table" not in self.window.text
            self.press("a")
            self.window.wait("Address: ")
            self.enters(address)
        self.window.wait("Code: _")
        self.enters(code)
        self.window.wait(rf"{self.name} \(you\)")

    def leaves(self) -> None:
        """The hand stays pending."""
        self.press("q", "k")
        assert self.window.end() == 0
        assert self.window.restored
        assert b"stays pending" in self.window.raw


def read(windows: Sequence[Terminal]) -> None:
    """They have had time to read what has just appeared on all of them."""
    end = time.monotonic() + READ_SECONDS
    while time.monotonic() < end:
        for window in windows:
            window.read(0.05)


def table_words(window: Terminal) -> str:
    """The four words that are to be compared."""
    found = re.search(r"Read this to each other:\W+([a-z]+ +[a-z]+ +[a-z]+ +[a-z]+)", window.text)
    assert found is not None, window.text
    return found[1]


def begin(people: Sequence[Person]) -> None:
    """The three of a lobby are ready, read the same words, and are dealt a hand."""
    windows = [person.window for person in people]
    for person in people:
        person.window.wait("3  (Ana|Ben|Carlo)")
    read(windows)
    for person in people:
        person.press("\r")
    for window in windows:
        window.wait("Read this to each other")
    read(windows)
    assert len({table_words(window) for window in windows}) == 1
    for person in people:
        person.press("\r")
    for window in windows:
        window.wait("you owe")
        assert "fair: 3/3 proofs" in window.text
