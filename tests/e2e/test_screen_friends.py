"""Three full screens on three terminals: lobby, table words, a deal, one who falls out and comes back."""

import os
import re
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal, which Windows has not", allow_module_level=True)

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Ben", "Carlo")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def sit(folder: Path, name: str, port: int) -> Terminal:
    command = ("host", "--port", str(port)) if name == "Ana" else ("join", f"127.0.0.1:{port}")
    alone = ("--bind", "127.0.0.1")
    return Terminal(
        "tongits_lan", *command, *alone, "--name", name, "--ascii", "--open", "--data-dir", str(folder / name)
    )


def words_in(window: Terminal) -> str:
    found = re.search(r"Read this to each other:\W+([a-z]+ +[a-z]+ +[a-z]+ +[a-z]+)", window.text)
    assert found is not None, window.text
    return found[1]


def test_three_friends_sit_down_and_one_falls_out(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as stack:
        ana = stack.enter_context(sit(tmp_path, "Ana", port))
        ana.wait(f"127.0.0.1:{port}")
        ben = stack.enter_context(sit(tmp_path, "Ben", port))
        carlo = stack.enter_context(sit(tmp_path, "Carlo", port))
        friends = [ana, ben, carlo]
        for window in friends:
            window.wait(r"(?s)Ana.*Ben|Ana.*Carlo")
            window.wait(r"3  (Ben|Carlo)")
            window.press("\r")
        carlo.press("chi there\r")
        ana.wait("Carlo: hi there")
        for window in friends:
            window.wait("Read this to each other")
            window.settle(1.0)
        assert len({words_in(window) for window in friends}) == 1
        for window in friends:
            window.press("\r")
        for window in friends:
            window.wait("you owe")
            assert "fair: 3/3 proofs" in window.text
        os.kill(carlo.child.pid, signal.SIGKILL)
        for window in (ana, ben):
            window.wait("out of reach")
            window.wait(r"\| Carlo (is out of reach|closed the program)")  # in the log, once it has lasted
        again = stack.enter_context(sit(tmp_path, "Carlo", port))
        again.wait("you owe")
        for window in (ana, ben):
            window.wait(r"Carlo is (back|connected|reached)")
            window.press("qk")
            assert window.end() == 0
            assert window.restored
            assert b"stays pending" in window.raw
