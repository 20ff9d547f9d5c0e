"""Figures from printed lines: what is counted as a deal, what as a move, on lines written by hand."""

from typing import Any

import pytest

from tongits_lan.cli.timing import deal_ms, ledger_lines, move_ms, percentile

Lines = list[dict[str, Any]]


def line(event: str, at: float) -> dict[str, Any]:
    return {"event": event, "at": at}


def test_a_deal_lasts_from_the_first_commit_anybody_saw_to_the_last_deal_anybody_saw() -> None:
    outputs = [
        [line("seed_committed", 1.0), line("seed_committed", 1.1), line("hand_dealt", 1.3)],
        [line("seed_committed", 0.9), line("seed_committed", 1.2), line("hand_dealt", 1.25)],
        [line("seed_committed", 1.05), line("seed_committed", 1.1), line("hand_dealt", 1.4)],
    ]
    assert deal_ms(outputs) == [500.0]


def test_each_hand_has_its_own_deal_and_an_unfinished_one_has_none() -> None:
    hands: Lines = []
    for start in (0.0, 10.0):
        hands += [
            line("seed_committed", start),
            line("seed_committed", start + 1),
            line("hand_dealt", start + 2),
        ]
    hands.append(line("seed_committed", 20.0))
    assert deal_ms([hands, hands, hands]) == [2000.0, 2000.0]


def test_a_move_lasts_until_each_other_program_tells_of_it() -> None:
    mover = [
        line("listening", 0.0),
        line("seed_committed", 0.5),
        line("cards", 0.6),
        line("submitted", 1.0),
        line("discarded", 1.001),
        line("drew", 2.0),
    ]
    other = [
        line("seed_committed", 0.5),
        line("discarded", 1.004),
        line("link_changed", 1.5),
        line("drew", 1.9),
    ]
    late = [line("seed_committed", 0.5), line("discarded", 1.010), line("drew", 2.2)]
    assert move_ms([mover, other, late]) == pytest.approx([4.0, 10.0])


def test_lines_that_tell_no_entry_are_left_out() -> None:
    lines = [
        line(event, 0.0) for event in ("listening", "seated", "cards", "choices", "hand_settled", "ended")
    ]
    assert [kept["event"] for kept in ledger_lines(lines)] == ["seated", "hand_settled"]


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [
        ([], 0.5, 0.0),
        ([7.0], 0.99, 7.0),
        ([3.0, 1.0, 2.0], 0.5, 2.0),
        ([float(n) for n in range(100)], 0.9, 90.0),
    ],
)
def test_percentiles(values: list[float], share: float, found: float) -> None:
    assert percentile(values, share) == found
