"""Plain lines are the same game: the keys of the full screen, its questions, its clock, all it tells."""

import io
import math
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import msgspec
import pytest

from tests.screens import HAND, NAMES, Seat, dealt, finished
from tests.system import on_posix
from tests.test_control import with_trio
from tongits_lan.cli.lines import Countdown, LineTable
from tongits_lan.cli.menu import menu
from tongits_lan.cli.output import Straight
from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
from tongits_lan.console.control import DEAF_SECONDS
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.speech import speaking
from tongits_lan.console.text import Voice
from tongits_lan.errors import Refused
from tongits_lan.game.cards import card_text
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.state import HandBegan, ProofsAccepted
from tongits_lan.net.session import Session
from tongits_lan.store.settings import Settings

pytestmark = on_posix


class Typed(io.StringIO):
    """Input that somebody types at a terminal."""

    def __init__(self, terminal: int, text: str = "") -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.terminal


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    ends = os.openpty()
    monkeypatch.setattr(sys, "stdin", Typed(ends[1]))
    yield ends[1]
    for end in ends:
        os.close(end)


class Table:
    """Seat 2 in plain lines, at the start of its first turn."""

    def __init__(self, seat: Seat) -> None:
        async def never() -> None:
            raise AssertionError

        self.seat = seat
        self.kept: list[Settings] = []
        self.out = Straight()
        printer = PlainPrinter(self.out)
        self.lines = LineTable(
            cast(Session, seat), never, printer, LETTERS, None, Settings(), self.kept.append
        )
        self.lines._ask()

    def type(self, *lines: str) -> None:
        """Lines that come when the question has been read."""
        for line in lines:
            self.lines._take(line, self.lines.asked)
            self.lines._ask()

    def number_of(self, words: str) -> str:
        """Of the choice that says so."""
        assert self.lines.asked is not None
        return next(str(at) for at, one in enumerate(self.lines.asked.choices, 1) if words in one.text)

    def thrown(self) -> str:
        return card_text(self.seat.position.discards[-1][1])


def at_turn(hand: str = HAND, stock: str = "8D 8C 5H", **rules: object) -> Table:
    kit = msgspec.structs.replace(PRESETS["pagat"], **rules)
    seat = Seat(faces=dealt(2, 0, hand, stock), rules=kit)
    seat.others()
    return Table(seat)


def test_the_keys_of_the_full_screen_play_a_turn() -> None:
    table = at_turn()
    table.type("d", "KD")
    assert table.thrown() == "KD"
    assert table.seat.done == ["submit", "submit"]


def test_a_letter_that_cannot_be_done_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn()
    for letter, why in (("t", "at least two cards"), ("f", "before you have completed a turn")):
        with pytest.raises(Refused, match=why):
            table.type(letter)
    assert table.seat.done == []


@pytest.mark.parametrize("line", ["0", "9" * 9, "9" * 5000, "1" * 5000 + ":1", "1:" + "1" * 5000])
def test_a_number_of_any_length_is_only_refused(line: str) -> None:
    table = at_turn()
    with pytest.raises(Refused, match="type a number from 1 to"):
        table.type(line)
    assert table.seat.done == []


def test_several_ways_to_take_are_asked_by_number() -> None:
    table = at_turn("8S 8H 8C 7D 9D TS AC 2H KD QH JC 7S", "8D")
    with pytest.raises(Refused, match="several ways"):
        table.type("t")


@pytest.mark.parametrize(("letter", "word"), [("y", "challenge"), ("n", "fold")])
def test_a_fight_is_answered_with_the_same_letter(letter: str, word: str) -> None:
    table = Table(with_trio(HAND).seat)
    table.type(letter)
    assert (2, word, False) in table.seat.position.answers


def test_item_19_a_card_of_a_meld_is_thrown_after_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn()
    table.type("d", "4d")
    assert "4D is part of your 3D 4D 5D: without it you owe" in capsys.readouterr().out
    assert table.seat.done == ["submit"]
    table.type("n")
    assert table.seat.position.turn == 2
    table.type("4d", "y")
    assert table.thrown() == "4D"


def test_item_19_a_script_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    table = at_turn()
    table.type("d", "4d")
    assert table.thrown() == "4D"


def test_item_19_a_fight_is_asked_twice_with_its_price(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn()
    table.type("d")
    table.type(table.number_of("3D 4D 5D"), "KD")
    table.seat.others()
    table.lines._ask()
    table.type("f")
    assert "Nobody can fight back: you win 6 chips" in capsys.readouterr().out
    assert table.seat.position.caller is None
    table.type("y")
    assert table.seat.position.caller == 2


def test_leaving_and_a_new_table_are_asked_about_too(capsys: pytest.CaptureFixture[str]) -> None:
    one = finished()
    table = Table(one.seat)
    table.type("l", "n", "a", "n")
    said = capsys.readouterr().out
    assert "Leave the table for good? It ends for all three." in said
    assert "Begin a new table with the same three?" in said
    table.seat.done.clear()
    table.type("l", "y")
    assert table.seat.done == ["leave_table"]


def test_what_came_before_the_question_is_no_answer(monkeypatch: pytest.MonkeyPatch, terminal: int) -> None:
    table = at_turn()
    monkeypatch.setattr(sys, "stdin", Typed(terminal, "1\n1\n1\n"))
    line, seen = table.lines._next_line()
    with pytest.raises(Refused, match="before the question"):
        table.lines._take(line.strip(), seen)
    assert table.seat.done == []
    table.out.marked_at = math.inf  # the terminal has not taken the question yet
    assert table.lines._next_line()[1] is None
    table.out.marked_at = time.monotonic() - DEAF_SECONDS
    line, seen = table.lines._next_line()
    table.lines._take(line.strip(), seen)
    assert table.seat.done == ["submit"]


def test_everything_a_screen_tells_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn()
    remarks = table.lines.remarks
    remarks.hear(HandBegan(1, 0), table.seat.view)
    remarks.hear(ProofsAccepted(0), table.seat.view)
    for event in table.seat.heard:
        remarks.hear(event, table.seat.view)
    capsys.readouterr()
    told = {}
    for letter in ("p", "r", "v", "l", "o", "h", "?", "!"):
        table.type(letter)
        told[letter] = capsys.readouterr().out
    assert "Ana's shuffle is proved; the proof was checked on this machine at" in told["p"]
    assert "Table words: dagat mangga bituin walis." in told["p"]
    assert "No hand is over yet." in told["r"]
    assert "thrown, newest first: 8D" in told["v"]
    assert "Ben drew and threw 8D." in told["l"]
    assert "o 2  bell when your turn begins: on" in told["o"]
    assert "There is no clock" in told["o"]
    assert "Perhaps: " in told["h"]
    assert "Hand 1, pot 6" in told["?"]
    assert "p the proofs." in told["?"]
    assert "4 Sayang." in told["!"]
    assert table.seat.done == []


def test_after_a_hand_the_score_and_the_coach(capsys: pytest.CaptureFixture[str]) -> None:
    one = finished()
    table = Table(one.seat)
    table.type("r", "h")
    said = capsys.readouterr().out
    assert "You won hand 1" in said
    assert "you +" in said.lower()
    assert "discards cost you" in said


def test_phrases_and_options_by_number(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn()
    table.type("!3", "! 1", "o 2")
    assert table.seat.done == ["chat Ang galing!", "chat Bilis naman!"]
    assert table.kept == [Settings(bell=False)]
    assert "o 2  bell when your turn begins: off" in capsys.readouterr().out


def test_the_language_is_turned_at_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("en"):
        table = at_turn()
        table.type("o 6", "v")
        assert table.kept == [Settings(lang="fil")]
        assert "thrown, newest first" not in capsys.readouterr().out


def test_item_18_plain_lines_say_and_keep_the_time_of_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    table = at_turn(turn_seconds=30)
    capsys.readouterr()
    countdown = Countdown(PlainPrinter())
    view = table.seat.view
    assert countdown.count(view, 100.0) is None
    away = table.seat.seen(links=(Reach("away"), Reach("direct"), Reach("me")))
    assert countdown.count(away, 101.0) is None
    assert countdown.count(away, 500.0) is None
    assert countdown.count(view, 518.5) is None
    assert countdown.count(view, 520.5) is None
    assert capsys.readouterr().out.splitlines() == [
        "30 seconds left for this turn.",
        "10 seconds left for this turn.",
    ]
    move = countdown.count(view, 531.0)
    assert move in view.legal
    assert capsys.readouterr().out == "The time for this turn is over.\n"
    assert countdown.count(view, 532.0) is None, "a move is made once"


def test_item_18_time_that_is_over_draws_and_throws() -> None:
    table = at_turn(turn_seconds=30)
    for _ in range(2):
        clock = replace(table.lines.countdown._clock, left=-1.0, at=time.monotonic(), seat=2)
        table.lines.countdown._clock = clock
        table.lines._count()
    assert table.seat.position.turn == 0
    assert table.thrown()[0] in "JQK"


def test_item_18_programs_are_told_the_time_too(capsys: pytest.CaptureFixture[str]) -> None:
    Countdown(JsonPrinter()).count(at_turn(turn_seconds=30).seat.view, 1.0)
    assert '"event": "turn_time", "seconds": 30' in capsys.readouterr().out


def test_every_question_of_a_menu_has_one_choice_for_a_letter() -> None:
    for seat in (at_turn().seat, with_trio(HAND).seat):
        asked = menu(seat.view, Voice(NAMES, 2))
        assert asked is not None
        letters = [one.letter for one in asked.choices if one.letter and one.letter not in "tfy"]
        assert len(letters) == len(set(letters))
