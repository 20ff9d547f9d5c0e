"""From `tongits` to a hand of practice, and back from a wrong turn: the menu for who knows no command.

Three people who find each other from there: test_first_hand.py.
"""

from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow


def named(window: Terminal, name: str) -> Terminal:
    window.wait("Your name: ")
    window.press("\x15")  # Ctrl-U
    window.press(f"{name}\r")
    window.wait(f"{name}, what now")
    return window


def test_item_15_practice_from_the_menu_and_back_to_the_same_hand(tmp_path: Path) -> None:
    arguments = ("tongits_lan", "--no-discovery", "--data-dir", str(tmp_path))
    with Terminal(*arguments) as window:
        named(window, "Ana").press("3")
        window.wait("you and two bots")
        window.press("\r")
        window.wait("you owe")
        window.press("qk")
        assert window.end() == 0
        assert window.restored
    with Terminal(*arguments) as window:
        window.wait("1  Go on practising with")
        window.press("1")
        window.wait("you owe")
        window.press("\x03\x03")
        assert window.end() == 130
        assert window.restored


def test_a_wrong_address_comes_back_to_the_menu_with_a_sentence(tmp_path: Path) -> None:
    with Terminal("tongits_lan", "--no-discovery", "--data-dir", str(tmp_path)) as window:
        named(window, "Ana").press("2")
        window.wait("Address: ")
        window.press("127.0.0.1:9\r")
        window.wait("Nobody hosts a table at 127.0.0.1:9")
        window.wait("what now")
        window.press("q")
        assert window.end() == 0
        assert window.restored
