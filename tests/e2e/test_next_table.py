"""Real programs that play on: another table with the same people in one key, and one put aside."""

from pathlib import Path

import pytest

from tests.e2e.processes import Line, Program, table

pytestmark = pytest.mark.slow


def answer(program: Program, wanted: str, seen: int = 0) -> int:
    """Answers questions with their first choice until `wanted` is offered, then takes that; how many
    questions there were."""
    while True:
        asked: Line = program.wait_event("choices", seen + 1)
        seen += 1
        does = [choice["does"] for choice in asked["choices"]]
        if wanted in does and "go_on" not in does:
            program.say(f"{asked['number']}:{does.index(wanted) + 1}")
            return seen
        program.say(f"{asked['number']}:1")


def test_practice_goes_on_at_the_next_table_when_one_is_closed(tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        ana = programs.start("Ana", "play", "--hands", "1")
        seen = answer(ana, "play_again")
        ana.wait_event("listening", 2)
        first_end = next(line for line in ana.lines if "ledger" in line)
        assert first_end["pending"] is False
        answer(ana, "quit", seen)
        assert ana.end() == 0
        began = [line["names"][1:] for line in ana.lines if line["event"] == "table_began"]
        assert len(began) == 2
        numbers = [line["number"] for line in ana.lines if line["event"] == "choices"]
        assert numbers == list(range(1, len(numbers) + 1)), "no answer can be taken for one at the next table"
        assert sorted(began[0]) == sorted(began[1])  # the same neighbours
        ledgers = sorted((tmp_path / "ana" / "tables").glob("*.tongits"))
        assert len(ledgers) == 2
