"""The terminal is as it was, however the program ends; what ends it is told in one sentence."""

import os
from pathlib import Path
from typing import cast

import pytest

from tests.e2e.stage import Stage, play
from tests.e2e.terminal import Terminal
from tongits_lan.console.bridge import Bridge, Front
from tongits_lan.errors import Exit, UserError

STAGE = "tests.e2e.stage"


def stage(kind: str) -> Terminal:
    return Terminal(STAGE, kind)


def test_item_13_leaving_by_key() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN")
        window.press("q")
        window.wait("LEAVE")
        window.press("k")
        assert window.end() == 0
        assert window.restored
        assert b"stays pending" in window.raw


def test_a_terminal_that_goes_away_ends_the_program() -> None:
    window = stage("calm")
    window.wait("YOUR TURN")
    os.close(window.child.child_fd)
    _, status = os.waitpid(window.child.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 129


def test_ctrl_c_asks_and_the_second_one_closes() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN")
        window.press("\x03")
        window.wait("LEAVE")
        window.press("\x03")
        assert window.end() == 130
        assert window.restored


@pytest.mark.parametrize("kind", ["run", "at once", "event", "picture", "loop", "later"])
def test_item_13_T3_a_mistake_in_any_task_restores_the_terminal(kind: str) -> None:
    with stage(kind) as window:
        assert window.end() == 1
        assert window.restored
        assert b"has made a mistake" in window.raw
        assert b"Traceback" not in window.raw.split(b"\x1b[?1049l")[-1]
        assert b"secret" not in window.raw


def test_a_mistake_behind_a_key_restores_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "tongits.log"
    with Terminal(STAGE, "key", str(log)) as window:
        window.wait("YOUR TURN")
        window.press("d")
        assert window.end() == 1
        assert window.restored
        told = b"".join(window.raw.split(b"\x1b[?1049l")[-1].split())
        assert b"hasmadeamistake" in told
        assert str(log).encode() in told
    assert "BrokenError" in log.read_text("utf-8")


def test_no_table_is_one_sentence_and_its_code() -> None:
    with stage("no table") as window:
        assert window.end() == 3
        assert window.restored
        assert b"Nobody answers" in window.raw.split(b"\x1b[?1049l")[-1]


def test_a_stopped_table_stays_on_the_screen_until_a_key() -> None:
    with stage("stopped") as window:
        window.wait("shuffle proof does not hold")
        window.settle(1.0)
        window.press("\r")
        assert window.end() == 4
        assert window.restored


def test_a_session_that_ends_slowly_is_waited_for() -> None:
    with stage("stubborn") as window:
        window.wait("YOUR TURN")
        window.press("qk")
        assert window.end() == 0
        assert window.restored


def test_item_10_11_a_plain_turn_two_keys_and_one_write() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN: draw")
        window.press("d\r")
        window.wait("play or discard")
        window.settle()
        assert "play or discard" in window.text  # Enter came with `d`, before the card was seen
        window.press("\r")
        window.wait("Ana's turn")
        assert "You threw" in window.text


def test_T1_an_escape_waits_a_twentieth_of_a_second_for_the_rest_of_a_key() -> None:
    app = Bridge(cast("Front", None), color=False)._app
    assert app.ttimeoutlen == app.timeoutlen == 0.05


def test_T1_escape_is_quick_and_arrows_are_one_key() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN: draw")
        window.press("?")
        window.wait("KEYS THAT WORK")
        window.press("\x1b")
        window.wait("YOUR TURN: draw")
        window.press("d")
        window.wait("Enter  discard")
        before = window.text
        window.press("\x1b[C")
        window.settle()
        assert "Enter  discard" in window.text
        assert window.text != before
        window.press("\x1b[200~dq\x1b[201~")  # pasted, not typed
        window.settle()
        assert "play or discard" in window.text


def test_the_window_can_change_its_size() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN")
        window.resize(120, 40)
        window.wait("SCORE")
        window.resize(50, 10)
        window.wait("too small")
        assert "YOUR TURN" not in window.text
        window.resize(60, 16)
        window.wait("YOUR TURN")
        window.settle()
        assert "too small" not in window.text
        assert len(window.text.splitlines()) == 16


def test_suspend_leaves_the_screen_and_comes_back() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN")
        window.press("\x1a")  # nobody can stop the only process of a terminal, so it comes back at once
        window.settle()
        left = window.raw.find(b"\x1b[?1049l")
        assert 0 < left < window.raw.rfind(b"\x1b[?1049h")
        window.press("d")
        window.wait("Enter  discard")


def test_item_20_T16_bell_and_title_tell_whose_turn_it_is() -> None:
    with stage("calm") as window:
        window.wait("YOUR TURN")
        window.settle()
        assert b"\x1b]2;* Tongits: YOUR TURN\x07" in window.raw
        window.press("d")
        window.wait("Enter  discard")
        window.settle()
        window.press("\r")
        window.wait("Ana's turn")
        window.settle()
        assert b"\x1b]2;Tongits: hand 1\x07" in window.raw


def test_item_12_T9_no_colour_and_ascii_only() -> None:
    environ = {
        "NO_COLOR": "1",
        "TERM": "vt100",
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
    }
    with Terminal(STAGE, "calm", environ=environ) as window:
        window.wait("YOUR TURN")
        window.settle()
        assert window.text.isascii()
        assert not [code for code in range(30, 38) if b"\x1b[%d" % code in window.raw]
        assert b"\x1b[38;" not in window.raw
        for suit in "SHDC":
            assert f"9{suit}" in window.text or f"7{suit}" in window.text or f"K{suit}" in window.text


def test_without_a_terminal_there_is_one_sentence() -> None:
    read, write = os.pipe()
    saved = os.dup(0)
    os.dup2(read, 0)
    try:
        with pytest.raises(UserError, match="--plain") as caught:
            play(Stage("calm"))
    finally:
        os.dup2(saved, 0)
        for handle in (read, write, saved):
            os.close(handle)
    assert caught.value.exit_code is Exit.USAGE
