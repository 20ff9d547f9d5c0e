"""What a report says: every kind of verdict as a sentence, and texts filled with names."""

import dataclasses
import functools

import pytest

from tests.scripted import Script
from tongits_lan.errors import UNSIGNED_CODES, Code
from tongits_lan.ledger.phases import KEY_ROW, PLAY_ROWS, ROWS, kind_name
from tongits_lan.ledger.report import FaultFound, Pending, Report, as_json, sentences
from tongits_lan.ledger.state import Due


def _report() -> Report:
    script = Script("report")
    script.play_hand()
    match = script.state.match
    return Report(
        kind="ledger",
        status="fair",
        height=script.state.height,
        head=script.state.head,
        closed=False,
        chips=match.chips,
        pot=match.pot,
        words=script.state.words,
        names=("Ana", "Ben", "Carlo"),
        pending=None,
        fault=None,
        records=script.state.records,
        torn=False,
    )


REPORT = _report()


changed = functools.partial(dataclasses.replace, REPORT)


def _verdict(report: Report) -> str:
    return sentences(report)[-1]


def test_a_fair_report_tells_hand_chips_words_and_verdict() -> None:
    told = sentences(REPORT)
    winner = REPORT.records[0].settlement.winner
    assert winner is not None
    assert told[0].startswith("Hand 1: ")
    assert f"{('Ana', 'Ben', 'Carlo')[winner]} wins" in told[0]
    a, b, c = REPORT.chips
    assert told[1] == f"Chips: Ana {a:+d}, Ben {b:+d}, Carlo {c:+d}; pot {REPORT.pot}."
    assert told[2] == f"Table words: {' '.join(REPORT.words or ())}."
    assert told[3].startswith("Fair: 1 hand, ")
    assert told[3].endswith("the table can go on.")
    assert _verdict(changed(closed=True)).endswith("the table is closed.")


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (
            FaultFound(Code.PROOF, "the shuffle proof does not hold", 1, 3, 61),
            "Ben's shuffle proof does not hold, hand 3, height 61.",
        ),
        (
            FaultFound(Code.FORK, "two entries", 0, 1, 9),
            "Ana signed two different histories, hand 1, height 9.",
        ),
        (
            FaultFound(Code.REPLAY, "the lock does not follow from the revealed seed", 2, 1, 12),
            "Carlo cheated: the lock does not follow from the revealed seed, hand 1, height 12.",
        ),
        (
            FaultFound(Code.RULES, "you cannot call a draw: {0} laid off on your meld", 1, 2, 99),
            "Ben's move is against the rules, hand 2, height 99: you cannot call a draw: Ana laid off on your"
            " meld.",
        ),
        (
            FaultFound(Code.SIGNATURE, "no signature", None, None, 3),
            "Nobody is convicted (signature): no signature, height 3.",
        ),
        (FaultFound(Code.DESCRIPTOR, "cut", None, None, None), "Nobody is convicted (descriptor): cut."),
    ],
)
def test_faults_as_sentences(fault: FaultFound, sentence: str) -> None:
    assert _verdict(changed(status="faulty", fault=fault)) == sentence


CONVICTING = sorted(set(Code) - UNSIGNED_CODES - {Code.OPENING, Code.HEADER, Code.DESCRIPTOR})


def test_every_fault_of_a_seat_is_told_in_words_of_its_own() -> None:
    told = [
        _verdict(changed(fault=FaultFound(code, "slot 3 of 0x1f", 1, 3, 61))).replace(code, "..")
        for code in CONVICTING
    ]
    assert len(set(told)) == len(told)
    for code, sentence in zip(CONVICTING, told, strict=True):
        assert sentence.startswith("Ben"), sentence
        assert "hand 3, height 61" in sentence
        for_players = code in (Code.RULES, Code.REPLAY)
        assert ("slot 3 of 0x1f" in sentence) == for_players, "what a check says is for developers"


ALL_ROWS = [row for row in (*ROWS.values(), *PLAY_ROWS.values(), KEY_ROW) if row]


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: kind_name(row[0]))
def test_whatever_is_awaited_has_words(row: tuple[type, ...]) -> None:
    kinds = tuple(kind_name(kind) for kind in row)
    told = _verdict(changed(status="incomplete", pending=Pending(2, Due(2, kinds))))
    assert "hand 2 is waiting for Carlo to " in told
    assert kinds[0] in str(as_json(dataclasses.replace(REPORT, pending=Pending(2, Due(2, kinds))))["pending"])


def test_a_table_without_names_names_seats() -> None:
    fault = FaultFound(Code.PROOF, "the lock proof does not hold", 1, 1, 7)
    told = _verdict(changed(names=None, fault=fault))
    assert told == "seat 1's lock proof does not hold, hand 1, height 7."


def test_torn_and_unconvicted() -> None:
    torn = _verdict(changed(status="incomplete", torn=True))
    assert torn.startswith(f"The file is cut off inside entry {REPORT.height}.")
    assert _verdict(changed(status="incomplete", kind="evidence")).startswith("Nobody is convicted")
