"""What a terminal gets: no mouse, nothing lost to storms of resizing, hostile words and slow lines."""

import re
import time
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

STAGE = "tests.e2e.stage"
MOUSE = (b"?1000h", b"?1002h", b"?1003h", b"?1006h", b"?1015h")


def test_T3_T13_the_mouse_stays_the_terminals_own() -> None:
    with Terminal(STAGE, "calm") as window:
        window.wait("YOUR TURN")
        window.press("qk")
        assert window.end() == 0
        assert window.restored
        assert not [code for code in MOUSE if code in window.raw]


def test_T11_T16_without_colours_every_state_has_a_word() -> None:
    with Terminal(STAGE, "calm", environ={"NO_COLOR": "1"}) as window:
        window.wait("YOUR TURN: draw")
        for word in ("NOT OPENED", "STOCK", "DISCARD", "you owe", "fair: 3/3 proofs"):
            assert word in window.text


TITLES = re.compile(rb"\x1b\](?:0|1|2);(.*?)(?:\x07|\x1b\\)", re.DOTALL)
"""What the program has called the window, and the bell that may end it, which is none to be heard."""


@pytest.mark.parametrize(("key", "bells"), [("", 1), ("m", 0)], ids=["heard", "muted"])
def test_item_20_one_bell_when_the_turn_comes_back(key: str, bells: int) -> None:
    with Terminal(STAGE, "turns", environ={"NO_COLOR": "1"}) as window:
        window.wait("YOUR TURN: draw")
        window.settle()
        window.press(key)
        window.settle(0.2)
        heard = len(window.raw)
        window.press("d")
        window.wait("Enter  discard")
        window.settle()
        window.press("\r")
        window.wait("You threw")
        window.wait("YOUR TURN: draw")
        window.settle()
        since = window.raw[heard:]
        assert TITLES.findall(since), "the title tells it, too"
        assert TITLES.sub(b"", since).count(b"\x07") == bells


def test_item_20_a_title_that_is_switched_off_is_taken_back() -> None:
    with Terminal(STAGE, "turns") as window:
        window.wait("YOUR TURN: draw")
        window.settle()
        assert TITLES.findall(window.raw)[-1] == b"* Tongits: YOUR TURN"
        window.press("o3")
        window.wait("title says whose turn it is +off")
        window.press("q")
        window.wait("YOUR TURN: draw")
        window.settle()
        assert TITLES.findall(window.raw)[-1] == b""
        window.press("d")
        window.wait("Enter  discard")
        window.settle()
        window.press("\r")
        window.wait("You threw")
        window.settle()
        assert TITLES.findall(window.raw)[-1] == b"", "and not set again"


def test_a_storm_of_resizing_leaves_a_whole_picture() -> None:
    with Terminal(STAGE, "calm") as window:
        window.wait("YOUR TURN")
        for columns, rows in [(120, 40), (60, 16), (20, 5), (200, 60), (59, 16), (1, 1), (80, 24)] * 3:
            window.resize(columns, rows)
            window.read(0.02)
        window.press("\x0c")
        window.wait("YOUR TURN: draw")
        window.settle()
        lines = window.text.splitlines()
        assert len(lines) == 24
        assert all(line.endswith(("+", "|")) for line in lines[1:-1])
        window.press("d")
        window.wait("Enter  discard")


HOSTILE = pytest.mark.parametrize(
    "words",
    [
        "\x1b[2J\x1b]0;owned\x07",
        "\u202eevil\u202c",
        "e\u0301" * 80,
        "\U0001f0a1" * 40,
        "国" * 200,
        "a\u200bb",
    ],
    ids=["escapes", "turned", "accents", "cards", "wide", "no width"],
)


def assert_unmoved(window: Terminal) -> None:
    """The title is the program's own, nothing steers the terminal, and the frames stand."""
    titles = TITLES.findall(window.raw)
    assert titles
    assert not [title for title in titles if re.fullmatch(rb"(\* )?Tongits: [A-Za-z0-9 ]+", title) is None]
    for sign in ("\u202e", "\u202c", "\u200b"):
        assert sign.encode() not in window.raw
    lines = window.text.splitlines()
    assert len(lines) == 24
    assert lines[0].startswith("TONGITS")
    assert all(line.endswith(("+", "|")) for line in lines[1:-1])


@HOSTILE
def test_item_22_hostile_chat_cannot_move_a_picture(words: str, tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.write_text(words, "utf-8")
    with Terminal(STAGE, "chat", str(tmp_path / "log"), str(said)) as window:
        window.wait("Ben drew and threw 8D")  # told after the chat
        window.settle()
        assert_unmoved(window)
        assert re.search("Ana: |é|国", window.text), "what was said is shown"


@HOSTILE
def test_item_22_hostile_names_cannot_move_a_picture(words: str, tmp_path: Path) -> None:
    called = tmp_path / "called"
    called.write_text(words, "utf-8")
    with Terminal(STAGE, "names", str(tmp_path / "log"), str(called)) as window:
        window.wait("YOUR TURN: draw")
        window.settle()
        assert_unmoved(window)
        window.press("d")
        window.wait("Enter  discard")
        window.settle()
        assert_unmoved(window)


def test_item_12_a_name_that_letters_cannot_spell_moves_no_frame(tmp_path: Path) -> None:
    called = tmp_path / "called"
    called.write_text("Niño 国", "utf-8")
    ascii_only = {"TERM": "vt100", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    with Terminal(STAGE, "names", str(tmp_path / "log"), str(called), environ=ascii_only) as window:
        window.wait("YOUR TURN: draw")
        window.settle()
        assert "Ni?o ??" in window.text
        assert_unmoved(window)


def test_T16_a_hand_is_played_with_the_keys_that_the_screen_names(tmp_path: Path) -> None:
    with Terminal(STAGE, "hand", str(tmp_path / "log")) as window:
        window.wait("YOUR TURN: draw or take")
        for key, what in (
            (r"(t)  take 8S, lay set 8C 8H 8S", "you owe"),
            (r"(\d)  sapaw 6S on Ana \[1\]", r"6C 6D 6H 6S"),
            (r"(Enter)  discard \w+ \(10 points\)", "YOUR TURN: draw or fight"),
            (r"(f)  fight", "ARE YOU SURE"),
            (r"(f) again  call a fight", "hand 1 is over"),
        ):
            window.wait(key)
            window.settle()
            found = re.search(key, window.text)
            assert found is not None
            window.press("\r" if found[1] == "Enter" else found[1])
            window.wait(what)
        assert "You won hand 1 by a fight that nobody took up." in window.text
        assert "Enter  next hand" in window.text


def test_a_slow_line_shows_the_end_not_every_step() -> None:
    with Terminal(STAGE, "calm") as window:
        window.wait("YOUR TURN")
        for _ in range(200):
            window.press("s")
        time.sleep(0.5)  # nobody reads meanwhile
        window.press("?")
        window.wait("KEYS THAT WORK HERE")
        assert len(window.raw) < 400_000


@pytest.mark.slow
def test_T17_keys_are_heard_while_the_deck_is_proved(tmp_path: Path) -> None:
    arguments = ("tongits_lan", "play", "--data-dir", str(tmp_path), "--ascii")
    with Terminal(*arguments) as window:
        window.wait("SHUFFLING", "before the table")
        window.press("?")
        window.wait("KEYS THAT WORK HERE")
        window.press("?")
        window.wait("SHUFFLING", "you owe")
        window.wait("you owe")
        window.press("\x03\x03")
        assert window.end() == 130
        assert window.restored
