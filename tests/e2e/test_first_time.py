"""From `tongits` to a dealt hand: three people who know no command, each at an own terminal."""

import re
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal, which Windows has not", allow_module_level=True)

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow


def start(folder: Path, name: str) -> Terminal:
    """Tables are announced and looked for on the loopback interface alone."""
    return Terminal("tongits_lan", "--interface", "lo", "--data-dir", str(folder / name))


def named(window: Terminal, name: str) -> Terminal:
    window.wait("Your name: ")
    window.press("\x7f" * 24)
    window.press(f"{name}\r")
    window.wait(f"{name}, what now")
    return window


def say_ready(window: Terminal) -> None:
    """Enter, once more where it came too soon after another page to be meant."""
    window.press("\r")
    while window.wait("not ready after all", "begins in", "Read this to each other", r"Wait\.") == r"Wait\.":
        window.settle()
        window.press("\r")


def test_item_1_three_people_reach_a_hand_from_the_menu(tmp_path: Path) -> None:
    with ExitStack() as stack:
        ana, ben, carlo = (stack.enter_context(start(tmp_path, name)) for name in ("Ana", "Ben", "Carlo"))
        named(ana, "Ana").press("1")
        ana.wait("open the table")
        ana.press("\r")
        ana.wait(r"Code  \d\d-[A-Z]+-[A-Z]+")
        code = re.search(r"Code  (\S+)", ana.text)
        assert code is not None
        for window, name in ((ben, "Ben"), (carlo, "Carlo")):
            named(window, name).wait("found: Ana's table")
            window.press("2")
            window.wait(r"1  Ana's table \(\d/3\)")
            window.settle()
            window.press("1")
            window.wait("Code: _")
            window.press(f"{code[1].lower()}\r")
            window.wait(rf"{name} \(you\)")
        for window in (ana, ben, carlo):
            window.wait(r"3  (Ben|Carlo)")
            window.settle()
            say_ready(window)
        for window in (ana, ben, carlo):
            window.wait("Read this to each other")
            window.settle(1.0)
            window.press("\r")
        for window in (ana, ben, carlo):
            window.wait("you owe")
            window.press("qk")
            assert window.end() == 0
            assert window.restored
    for name in ("Ana", "Ben", "Carlo"):
        assert f'name = "{name}"' in (tmp_path / name / "config.toml").read_text("utf-8")


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
