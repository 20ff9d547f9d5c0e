"""Field reports about rules on the screen and about terminals: what went wrong elsewhere, not here.

The letter and number is that of the report. Others of these tests stand beside what they are about.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from prompt_toolkit.utils import get_cwidth

from tests.make_screens import GOLDEN
from tests.screens import Player, Seat, cards, dealt, player, shown
from tests.system import ROOT
from tests.test_product_items import own_turns
from tongits_lan.console.arrange import split
from tongits_lan.console.bridge import Front, _bridge
from tongits_lan.console.choices import slots_of, takes
from tongits_lan.console.keys import Mode
from tongits_lan.console.skins import SYMBOLS
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.engine import check
from tongits_lan.game.moves import Discard, Meld, Move, Sapaw
from tongits_lan.game.position import Position
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.state import Phase


def test_C1_a_count_is_exact_where_greedy_ones_are_not() -> None:
    seat = Seat(faces=dealt(2, 0, "QC QD QH QS JC JD JH JS 8C 9C TC 3H"))
    assert split(seat.view).owed == 3


@pytest.mark.parametrize("preset", list(PRESETS))
def test_C4_taking_is_offered_exactly_when_the_engine_says_so(preset: str) -> None:
    offered = set()
    for one in (turn for seed in range(4) for turn in own_turns(preset, seed)):
        if one.mode() is not Mode.START:
            continue
        legal = bool(takes(one.seat.view))
        text = shown(one, 120, 40)
        assert ("take" in text.split("YOUR TURN:")[1].splitlines()[0]) == legal
        assert ("take " in "".join(choice.label for choice in one.desk.ui.choices)) == legal
        offered.add(legal)
    assert offered == {True, False}


def test_C7_two_lay_offs_in_a_row_on_one_end() -> None:
    one = player("4H 5H 6H 7H 3H 2H 9C JD KS AD TC 8S", stock="8C 8D")
    one.press("d")
    faces = one.seat.faces

    def find(kind: type[Move], *codes: int) -> Move:
        return next(
            move
            for move in one.seat.view.legal
            if isinstance(move, kind) and {faces[slot] for slot in slots_of(move)} == set(codes)
        )

    one.seat.move(2, find(Meld, *cards("4H 5H 6H 7H")))
    one.seat.move(2, find(Sapaw, *cards("3H")))
    one.seat.move(2, find(Sapaw, *cards("2H")))
    one.follow()
    assert "2H 3H 4H 5H 6H 7H" in shown(one)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_C8_every_card_is_in_one_place_at_every_moment(preset: str) -> None:
    moments = 0
    for one in own_turns(preset, 12):
        assert places(one.seat.position) == list(range(one.seat.rules.n))
        moments += 1
    assert moments


def places(position: Position) -> list[int]:
    """Every slot of the table, as often as it lies somewhere."""
    slots = [slot for hand in position.hands for slot in hand]
    slots += [slot for meld in position.melds for slot in meld.slots]
    slots += [slot for slot, _ in position.discards]
    return sorted([*slots, *position.stock])


@pytest.mark.parametrize("key", ["f", "q"])
def test_C12_a_costly_key_does_nothing_alone_and_is_a_letter_in_the_chat(key: str) -> None:
    one = player("3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S")
    one.press("d", "1", "enter")
    one.others()
    height = one.seat.height
    one.press(key)
    assert one.seat.height == height
    assert one.mode() in (Mode.CONFIRM, Mode.QUIT) or one.note
    one.press("escape", "c", key, "enter")
    assert one.seat.done[-1] == f"chat {key}"
    assert one.seat.height == height


def test_C15_a_refusal_is_a_sentence_on_every_path_of_the_screen() -> None:
    one = player()
    one.press("t", "f", "y", "n", "0", "escape")
    one.press("/", "8", "h")
    assert "You do not hold 8H" in one.note
    one.press("d", "d", "t", "f")
    position = one.seat.position
    reason = check(position, 2, Discard((999, 0)))
    assert reason is not None


def test_T6_a_window_that_is_no_console_is_told_with_what_to_do() -> None:
    class NoConsoleScreenBufferError(Exception):
        """As the screen library calls it on Windows."""

    class NoConsole:
        """Raises as the library does on Windows."""

        def __bool__(self) -> bool:
            raise NoConsoleScreenBufferError

    with pytest.raises(UserError, match="Windows Terminal, or put winpty in front") as caught:
        _bridge(cast(Front, None), color=cast(bool, NoConsole()), keys=())
    assert caught.value.exit_code is Exit.USAGE


def test_T8_no_wide_suits_and_no_emoji_forms() -> None:
    assert all(get_cwidth(suit) == 1 for suit in SYMBOLS.suits + SYMBOLS.lines)
    for path in GOLDEN.glob("*.txt"):
        text = path.read_text("utf-8")
        assert "\ufe0f" not in text
        assert not any(0x1F0A0 <= ord(letter) <= 0x1F0FF for letter in text)
        suits = re.findall(r"[♣♦♥♠♧♢♡♤](.)", text)
        assert set(suits) <= set(" *.,:|│+"), "a blank or the end of a sentence stands behind each suit"
        assert ("♠" in text) == ("unicode" in path.name)


def test_T17_keys_typed_while_the_deck_is_made_are_not_kept_for_later() -> None:
    one = player()
    one.seat.show(phase=Phase.PROVE, position=None, legal=(), proofs=(True, False, False))
    one.follow()
    text = shown(one)
    assert "SHUFFLING" in text
    assert "Shuffle proofs checked here: Ana." in text
    one.press("d", "enter", "1", "f")
    assert one.seat.done == []
    assert one.note == "Wait."
    one.press("c", "h", "i", "enter")
    assert one.seat.done == ["chat hi"], "what needs no card works meanwhile"
    one.seat.show()
    one.follow(wait=5.0)
    assert one.seat.position.drew is None


@pytest.mark.parametrize("size", range(3, 13))
def test_C10_melds_of_every_size_are_laid_and_shown(size: int) -> None:
    run = ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS"][:size]
    rest = ["AC", "3C", "5C", "7D", "9D", "JD", "KH", "2H", "4H", "6H", "8H", "TH"][: 12 - size]
    one = player(" ".join([*run, *rest]), stock="QC QD")
    one.press("d")
    wanted = set(cards(" ".join(run)))
    faces = one.seat.faces
    one.seat.move(
        2,
        next(
            move
            for move in one.seat.view.legal
            if isinstance(move, Meld) and {faces[slot] for slot, _ in move.cards} == wanted
        ),
    )
    one.follow()
    text = shown(one)
    assert re.search(r"\[1\] AS (2S 3S|to) ", text)
    assert all(len(line) <= 80 for line in text.splitlines())


def test_C10_a_dealer_may_lay_all_thirteen_at_once() -> None:
    run = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    dealer = Player(Seat(me=2, dealer=2, faces=dealt(2, 2, run)))
    sizes = {len(move.cards) for move in dealer.seat.view.legal if isinstance(move, Meld)}
    assert sizes == set(range(3, 14))


@pytest.mark.slow
def test_T12_plain_mode_has_no_boxes_and_nothing_for_terminals(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tongits_lan",
            "play",
            "--plain",
            "--auto",
            "--hands",
            "1",
            "--data-dir",
            tmp_path,
        ],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "won hand 1" in done.stdout or "had no winner" in done.stdout
    assert not set("\x1b\r│─┌┐└┘├┤┬┴┼") & set(done.stdout)
    assert "+-" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 200


def test_T18_the_program_starts_as_a_module_and_the_readme_says_how() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tongits_lan", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.startswith("tongits ")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "py -m tongits_lan" in readme
    assert "uvx" in readme
