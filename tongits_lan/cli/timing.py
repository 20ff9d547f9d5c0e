"""Figures from the lines that the programs of one table printed: how long a deal took, when a move was seen.

Times are those the programs put on their lines (`at`, one clock for the whole machine). Reads no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Lines = Sequence[dict[str, Any]]

# Lines that tell an entry of the ledger: in the same order in every program of a table.
_NOT_IN_LEDGER = frozenset(
    {
        "listening",
        "lobby_changed",
        "table_began",
        "chat_heard",
        "link_note",
        "link_changed",
        "awaited",
        "returned",
        "grace_over",
        "rejected_by_peer",
        "loaded",
        "cards",
        "choices",
        "submitted",
        "refused",
        "ended",
    }
)
_MOVES = frozenset(
    {
        "drew",
        "took",
        "melded",
        "hid",
        "sapawed",
        "discarded",
        "called",
        "answered",
        "spread_claimed",
        "passed",
    }
)


def ledger_lines(lines: Lines) -> list[dict[str, Any]]:
    """The lines that tell ledger events, in order."""
    return [line for line in lines if line["event"] not in _NOT_IN_LEDGER]


def deal_ms(outputs: Sequence[Lines]) -> list[float]:
    """Milliseconds of each hand from its first commit (as first seen) to its last deal (seen by all)."""
    begun: list[list[float]] = []
    dealt: list[list[float]] = []
    for lines in outputs:
        begun.append([])
        dealt.append([])
        fresh = True
        for line in lines:
            if line["event"] == "seed_committed" and fresh:
                begun[-1].append(line["at"])
                fresh = False
            elif line["event"] == "hand_dealt":
                dealt[-1].append(line["at"])
                fresh = True
    return [
        round(1000 * (max(ends) - min(starts)), 1)
        for starts, ends in zip(zip(*begun, strict=True), zip(*dealt, strict=True), strict=False)
    ]


def move_ms(outputs: Sequence[Lines]) -> list[float]:
    """Milliseconds from a program's bot choosing a move to each other program telling of it."""
    told = [ledger_lines(lines) for lines in outputs]
    found: list[float] = []
    for seat, lines in enumerate(outputs):
        for submitted, index in _own_moves(lines):
            found.extend(
                1000 * (others[index]["at"] - submitted)
                for other, others in enumerate(told)
                if other != seat and index < len(others)
            )
    return found


def _own_moves(lines: Lines) -> Iterator[tuple[float, int]]:
    """(when it was submitted, place among the ledger lines) of each move this program made."""
    index = 0
    waiting: float | None = None
    for line in lines:
        if line["event"] == "submitted":
            waiting = line["at"]
        elif line["event"] not in _NOT_IN_LEDGER:
            if waiting is not None and line["event"] in _MOVES:
                yield waiting, index
                waiting = None
            index += 1


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie (nearest rank); 0.0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
