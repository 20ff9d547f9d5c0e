"""The line modes on a real practice table in this process: what is told, in which order, and how it ends."""

import io
import json
import random
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
import trio

from tongits_lan.cli import arguments, seats
from tongits_lan.cli.lines import LineTable, Printer, plainest
from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
from tongits_lan.console.skins import LETTERS
from tongits_lan.errors import Exit, UserError


def practice(folder: Path, printer: Printer, *, hands: int = 1, auto: bool = True) -> LineTable:
    parsed: Namespace = arguments.parse(
        [
            "play",
            "--hands",
            str(hands),
            "--data-dir",
            str(folder),
            "--name",
            "Ana",
            *(["--auto"] if auto else []),
        ]
    )
    session, play = seats.open_table(parsed, seats.table_rules(parsed), 2)
    return LineTable(session, play, printer, LETTERS, random.Random(1) if auto else None)


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


async def test_json_lines_tell_a_whole_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with trio.fail_after(60):
        code = await practice(tmp_path, JsonPrinter()).run()
    lines = told(capsys)
    assert code == 0
    events = [line["event"] for line in lines]
    assert events[0] == "listening"
    assert events[-1] == "ended"
    assert lines[-1]["code"] == 0
    assert lines[-1]["ledger"].startswith(str(tmp_path))
    assert lines[-1]["max_rss_mb"] > 10
    assert all(isinstance(line["at"], float) for line in lines)
    for earlier, later in [
        ("table_began", "table_opened"),
        ("hand_dealt", "cards"),
        ("hand_settled", "table_closed"),
    ]:
        assert events.index(earlier) < events.index(later)
    me = next(line["me"] for line in lines if line["event"] == "table_began")
    deals = [line for line in lines if line["event"] == "cards" and len(line["slots"]) > 1]
    assert len(deals) == 1
    drawn = [line["slot"] for line in lines if line["event"] == "drew" and line["seat"] == me]
    cards = [line["slots"][0] for line in lines if line["event"] == "cards" and len(line["slots"]) == 1]
    assert cards == drawn, "each card drawn here is told, in order"


async def test_plain_lines_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with trio.fail_after(60):
        await practice(tmp_path, PlainPrinter()).run()
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("This program can be reached at 127.0.0.1:")
    assert any(line.startswith("Your cards: ") for line in said)
    assert any(line.startswith("Chips: you ") for line in said)
    assert said[-1].startswith("The game is kept in ")
    assert "\x1b" not in "".join(said)


async def test_what_is_typed_is_taken_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\nnonsense\nc hello there\n" + "1\n" * 400))
    with trio.fail_after(60):
        code = await practice(tmp_path, JsonPrinter(), auto=False).run()
    lines = told(capsys)
    assert code == 0
    refused = [line["text"] for line in lines if line["event"] == "refused"]
    assert len([text for text in refused if "number" in text]) == 2
    asked = [line for line in lines if line["event"] == "choices"]
    assert asked
    assert all(line["choices"][0]["n"] == 1 for line in asked)
    assert [line["number"] for line in asked] == list(range(1, len(asked) + 1))
    assert [line["event"] for line in lines].count("hand_settled") == 1


async def test_an_answer_to_a_certain_question_is_taken_for_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2:1\n1:1\n1:1\n9:1\n2:99\n2:1\n"))
    with trio.fail_after(60):
        await practice(tmp_path, JsonPrinter(), auto=False).run()
    lines = told(capsys)
    refused = [line["text"] for line in lines if line["event"] == "refused"]
    early, late, unknown, none = refused
    for text in (early, late, unknown):
        assert "settled" in text
    assert "from 1 to " in none
    assert max(line["number"] for line in lines if line["event"] == "choices") == 3


async def test_the_end_of_input_leaves_the_hand_pending_and_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with trio.fail_after(60):
        code = await practice(tmp_path, JsonPrinter(), auto=False).run()
    first = told(capsys)
    assert code == 0
    assert "hand_settled" not in [line["event"] for line in first]
    with trio.fail_after(60):
        assert await practice(tmp_path, JsonPrinter()).run() == 0
    second = told(capsys)
    assert second[-1]["ledger"] == first[-1]["ledger"]
    events = [line["event"] for line in second]
    assert "loaded" in events
    assert "hand_dealt" not in events, "the same hand, dealt before"
    assert "hand_settled" in events
    assert any(line["event"] == "cards" and len(line["slots"]) > 1 for line in second), (
        "the hand is told again"
    )


async def test_giving_up_is_asked_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = GivesUp(capsys)
    monkeypatch.setattr(sys, "stdin", player)
    with trio.fail_after(60):
        code = await practice(tmp_path, JsonPrinter(), auto=False).run()
    assert code == 0
    (forfeit,) = [line for line in [*player.seen, *told(capsys)] if line["event"] == "hand_forfeited"]
    assert forfeit["faces"] is None


class GivesUp:
    """Input of a player who answers each question with what gives the hand up, else with the first choice."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.seen: list[dict[str, Any]] = []

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        self.seen += told(self.capsys)
        choices = [line for line in self.seen if line["event"] == "choices"][-1]["choices"]
        number = next((choice["n"] for choice in choices if choice["does"] == "give_up"), 1)
        return f"{number}\n"


def test_the_plainest_exception_of_a_group() -> None:
    user = UserError("x", Exit.FAILED)
    group = BaseExceptionGroup("a", [ValueError(), ExceptionGroup("b", [BrokenPipeError(), user])])
    assert plainest(group) is user
    assert isinstance(plainest(BaseExceptionGroup("a", [ValueError(), BrokenPipeError()])), BrokenPipeError)
    bug = BaseExceptionGroup("a", [ValueError()])
    assert plainest(bug) is bug
