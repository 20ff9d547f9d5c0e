"""Verification of files: fair, pending, torn, forged, forked; both levels; what JSON and sentences say."""

import dataclasses
import functools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest

from tests.cheats import CHEATS, Cheat
from tests.scripted import Script, plain_choice, trust
from tongits_lan.errors import Code
from tongits_lan.game.moves import Hide
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.encoding import frame_bytes, pack
from tongits_lan.ledger.files import (
    LEDGER_HEADER,
    FileReader,
    ParsedFile,
    evidence_bytes,
    ledger_bytes,
    parse_file,
)
from tongits_lan.ledger.messages import ForfeitHand, HideSet, Prove, Ready, ShuffleDeck
from tongits_lan.ledger.report import FaultFound
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.verify import Report, as_json, sentences, verify


@functools.cache
def _fair() -> Script:
    """One proved hand, settled; nobody has left."""
    script = Script("verify", proved=True)
    script.play_hand()
    return script


@functools.cache
def _at(phase: Phase) -> Script:
    script = Script("verify", proved=True)
    script.until(phase)
    return script


def _file(script: Script, *more: bytes) -> ParsedFile:
    return parse_file(ledger_bytes(script.descriptor.raw, (*script.entries, *more)))


def _judge(script: Script, *more: bytes, proofs: bool = False) -> Report:
    return verify(_file(script, *more), proofs=proofs)


@pytest.mark.parametrize("proofs", [False, True])
def test_a_settled_hand_is_fair(proofs: bool) -> None:
    script = _fair()
    report = _judge(script, proofs=proofs)
    assert (report.status, report.fault, report.pending) == ("fair", None, None)
    assert (report.height, report.head) == (script.state.height, script.state.head)
    assert (report.chips, report.pot) == (script.state.match.chips, script.state.match.pot)
    assert report.records == script.state.records
    assert not report.closed


def test_json_has_exactly_the_members_that_are_promised() -> None:
    script = _fair().clone()
    script.leave()
    found = as_json(_judge(script))
    assert list(found) == [
        "status", "hands", "height", "head", "closed", "chips", "pot", "words", "names", "pending", "fault",
        "hands_detail",
    ]  # fmt: skip
    assert found["closed"] is True
    assert found["names"] == ["Ana", "Ben", "Carlo"]
    assert found["head"] == script.state.head.hex()
    detail = found["hands_detail"]
    assert isinstance(detail, list)
    assert list(detail[0]) == ["hand", "dealer", "end", "winner", "net", "lines", "faces"]
    assert len(detail[0]["faces"]) == 52
    assert set(detail[0]["lines"][0]) == {"from", "to", "chips", "reason"}


def test_who_is_meant_can_be_told_where_two_have_one_name() -> None:
    script = Script("one name", names=("Ana", "Ben", "Ben"))
    script.until(Phase.COMMIT)
    report = _judge(script)
    assert report.names == ("Ana (1)", "Ben (2)", "Ben (3)")
    assert f"waiting for {report.names[script.writer()]} to" in sentences(report)[-1]


def test_workers_find_the_same() -> None:
    script = Script("workers")
    for _ in range(2):
        script.play_hand()
        script.next_hand()
    with ThreadPoolExecutor(2) as workers:
        report = verify(_file(script), proofs=False, spread=workers.map)
    assert report == _judge(script)
    assert report.status == "fair"
    assert report.records == script.state.records


@functools.cache
def _four_hands() -> Script:
    script = Script("reader")
    for _ in range(4):
        script.play_hand()
        script.next_hand()
    return script


def test_a_file_that_is_being_read_is_judged_the_same_two_hands_ahead() -> None:
    script = _four_hands()
    data = BytesIO(ledger_bytes(script.descriptor.raw, script.entries))
    whole = len(data.getvalue())
    ahead: list[float] = []

    def spread(work: Callable[[Any], Any], items: Iterable[Any]) -> Iterable[Any]:
        ahead.append(data.tell() / whole)
        return map(work, items)

    report = verify(FileReader(data.read), proofs=False, spread=spread)
    assert report == _judge(script)
    assert len(report.records) == 4
    assert ahead[0] < 0.3  # the first hand is handed out before the third is read
    assert ahead[1] < 0.6
    assert ahead == sorted(ahead)


def test_what_stands_behind_a_fault_is_not_read() -> None:
    script = _four_hands()
    entries = list(script.entries)
    entries[7] = entries[8]
    data = BytesIO(ledger_bytes(script.descriptor.raw, entries))
    report = verify(FileReader(data.read), proofs=False)
    assert report.fault is not None
    assert (report.fault.code, report.fault.height) == (Code.CHAIN, 7)
    assert data.tell() < len(data.getvalue()) / 2


def test_after_the_results_are_signed_the_table_is_fair_and_open() -> None:
    script = _fair().clone()
    script.next_hand()
    report = _judge(script)
    assert (report.status, report.pending) == ("fair", None)
    script.step(plain_choice)
    report = _judge(script)
    assert report.status == "incomplete"
    assert report.pending is not None
    assert report.pending.hand == 2
    assert report.pending.due.kinds == ("commit", "forfeit")


def test_a_pending_hand_names_who_is_awaited() -> None:
    script = _at(Phase.REVEAL)
    report = _judge(script)
    found = as_json(report)
    seat = script.writer()
    name = ("Ana", "Ben", "Carlo")[seat]
    assert found["status"] == "incomplete"
    assert found["pending"] == {"hand": 1, "seat": seat, "name": name, "kinds": ["reveal"]}
    assert f"hand 1 is waiting for {name} to open the cards" in sentences(report)[-1]


def test_a_table_without_a_hand_is_incomplete() -> None:
    report = _judge(Script("verify", proved=True))
    assert report.status == "incomplete"
    assert report.pending is not None
    assert (report.pending.hand, report.pending.due.seat, report.words) == (None, 0, None)


def test_a_forfeited_hand_is_fair_and_says_who() -> None:
    script = _at(Phase.PLAY).clone()
    seat = script.writer()
    script.write(ForfeitHand())
    report = _judge(script)
    assert report.status == "fair"
    assert report.records[0].faces is None
    assert f"given up by {('Ana', 'Ben', 'Carlo')[seat]}" in sentences(report)[0]


def test_a_torn_file_is_incomplete() -> None:
    script = _fair()
    data = ledger_bytes(script.descriptor.raw, script.entries)
    report = verify(parse_file(data[:-1]), proofs=False)
    assert (report.status, report.torn, report.height) == ("incomplete", True, script.state.height - 1)
    assert "cut off" in sentences(report)[-1]


def test_a_wrong_descriptor_is_a_fault_wherever_the_file_is_cut() -> None:
    script = _fair()
    data = ledger_bytes(script.descriptor.raw[:-1] + b"\x01", script.entries)[:-10]
    for file in (parse_file(data), FileReader(BytesIO(data).read)):
        assert verify(file, proofs=False).status == "faulty"


@pytest.mark.parametrize("written", [0, 3, 4, 40, 200])
@pytest.mark.parametrize("beyond", [0, 1, 5000])
def test_zeros_in_place_of_the_last_entry_convict_nobody(written: int, beyond: int) -> None:
    """As a disk shows them after a power cut, with the file as long as it was to be or longer."""
    script = _fair()
    good = ledger_bytes(script.descriptor.raw, script.entries[:-1])
    last = frame_bytes(script.entries[-1])
    written = min(written, len(last) - 8)
    report = verify(parse_file(good + last[:written] + bytes(len(last) - written + beyond)), proofs=False)
    assert (report.status, report.fault, report.torn) == ("incomplete", None, True)
    assert report.height == script.state.height - 1


def test_zeros_in_the_middle_are_a_fault_of_nobody() -> None:
    script = _fair()
    for height in (6, 20, script.state.height - 2):
        entries = list(script.entries)
        entries[height] = entries[height][:-8] + bytes(8)
        report = verify(parse_file(ledger_bytes(script.descriptor.raw, entries)), proofs=False)
        assert report.fault is not None
        assert (report.status, report.fault.seat, report.fault.height) == ("faulty", None, height)
        assert report.fault.code is Code.SIGNATURE


def test_a_file_cut_inside_the_descriptor() -> None:
    data = ledger_bytes(_fair().descriptor.raw, [])
    report = verify(parse_file(data[:-1]), proofs=False)
    assert report.status == "incomplete"
    assert report.fault is not None
    assert report.fault.code is Code.DESCRIPTOR


def test_a_frame_too_long_for_any_entry() -> None:
    script = _at(Phase.COMMIT)
    data = ledger_bytes(script.descriptor.raw, script.entries) + (70_000).to_bytes(4) + b"x"
    report = verify(parse_file(data), proofs=False)
    assert report.status == "faulty"
    assert report.fault is not None
    assert (report.fault.code, report.fault.height, report.fault.seat) == (Code.SIZE, 6, None)


def test_a_changed_descriptor_is_a_fault_of_nobody() -> None:
    script = _fair()
    raw = bytearray(script.descriptor.raw)
    raw[0] ^= 1
    report = verify(parse_file(ledger_bytes(bytes(raw), script.entries)), proofs=False)
    assert report.status == "faulty"
    assert report.fault is not None
    assert (report.fault.code, report.fault.height, report.fault.hand) == (Code.DESCRIPTOR, None, None)
    assert as_json(report)["names"] is None


def test_a_changed_byte_is_found_at_its_height() -> None:
    script = _fair()
    start = len(LEDGER_HEADER) + len(frame_bytes(script.descriptor.raw))
    for height in (0, 5, 6, 9, 16, 30, script.state.height - 1):
        offset = start + sum(len(frame_bytes(raw)) for raw in script.entries[:height])
        raw = script.entries[height]
        data = bytearray(ledger_bytes(script.descriptor.raw, script.entries))
        data[offset + 4 + len(raw) // 2] ^= 0x10
        report = verify(parse_file(bytes(data)), proofs=False)
        assert report.status == "faulty"
        assert report.fault is not None
        assert (report.fault.height, report.fault.seat, report.height) == (height, None, height)
        assert report.fault.hand == (None if height < 6 else 1)


@pytest.mark.parametrize("byte", range(4))
@pytest.mark.parametrize("bit", [0x01, 0x08, 0x40, 0x80])
def test_a_changed_length_is_no_torn_tail(byte: int, bit: int) -> None:
    script = _at(Phase.COMMIT)
    offset = len(LEDGER_HEADER) + len(frame_bytes(script.descriptor.raw))
    for height, raw in enumerate(script.entries):
        data = bytearray(ledger_bytes(script.descriptor.raw, script.entries))
        data[offset + byte] ^= bit
        report = verify(parse_file(bytes(data)), proofs=False)
        assert report.status == "faulty"
        assert report.fault is not None
        assert (report.fault.height, report.fault.seat) == (height, None)
        offset += len(frame_bytes(raw))


def test_default_level_replays_where_proofs_are_not_needed() -> None:
    script = Script("unproved")
    script.play_hand()
    assert _judge(script).status == "fair"
    report = _judge(script, proofs=True)
    assert report.status == "faulty"
    assert report.fault is not None
    assert report.fault.code is Code.ELEMENT
    assert (report.fault.hand, report.fault.height, report.fault.seat) == (
        1,
        15,
        script.state.records[0].dealer,
    )
    assert report.records == ()


@pytest.mark.parametrize("how", ["pending", "forfeited", "faulty later"])
def test_proofs_count_where_seeds_cannot_speak(how: str) -> None:
    script = Script("unproved")
    script.until(Phase.PLAY)
    more: list[bytes] = []
    if how == "forfeited":
        script.write(ForfeitHand())
    elif how == "faulty later":
        script.play_hand()
        more = [script.entries[-1]]
    report = _judge(script, *more)
    assert report.fault is not None
    assert (report.fault.code, report.fault.height) == (Code.ELEMENT, 15)


def test_a_later_hand_does_not_excuse_an_earlier_one() -> None:
    script = _fair().clone()
    script.next_hand()
    script.proved, script.judge = False, trust
    script.until(Phase.READY)
    report = _judge(script)
    assert report.fault is not None
    assert (report.fault.hand, len(report.records)) == (2, 1)


SAMPLE = [way for way in CHEATS if way.name in ("a-tagged-card", "a-call-before-opening", "another-seed")]


@pytest.mark.parametrize("way", SAMPLE, ids=lambda way: way.name)
def test_a_ledger_that_holds_a_cheat_names_it(way: Cheat) -> None:
    script = _at(way.phase).clone()
    raw = way.make(script)
    report = _judge(script, raw)
    assert report.status == "faulty"
    assert report.fault is not None
    assert report.fault.code is way.code
    assert way.text in report.fault.text
    assert report.fault.seat is not None
    name = ("Ana", "Ben", "Carlo")[report.fault.seat]
    assert sentences(report)[-1].startswith(name)
    evidence = parse_file(evidence_bytes(script.descriptor.raw, script.entries, [raw]))
    assert verify(evidence, proofs=False).fault == report.fault


def test_a_bad_proof_in_words() -> None:
    script = _at(Phase.PROVE)
    way = next(way for way in CHEATS if way.name == "another-response")
    report = _judge(script, way.make(script.clone()))
    name = ("Ana", "Ben", "Carlo")[script.writer()]
    assert sentences(report)[-1] == f"{name}'s lock proof does not hold, hand 1, height 15."


def test_a_chosen_order_is_named_at_its_pass() -> None:
    script = _at(Phase.COMMIT).clone()
    cheater = script.writer()
    way = next(way for way in CHEATS if way.code is Code.REPLAY)
    raw = way.make(script)
    assert script.state.hand is not None
    report = _judge(script, raw)
    assert report.fault is not None
    assert (report.fault.seat, report.fault.height) == (cheater, script.state.hand.passes[cheater][0])


def _evidence(script: Script, *offending: bytes) -> Report:
    return verify(parse_file(evidence_bytes(script.descriptor.raw, script.entries, offending)), proofs=False)


def _two_histories() -> tuple[Script, bytes, bytes]:
    script = _at(Phase.PLAY).clone()
    return script, script.sign(ForfeitHand()), _one_step(script)


def _one_step(script: Script) -> bytes:
    other = script.clone()
    other.step(plain_choice)
    return other.entries[-1]


def test_two_entries_of_one_height_convict() -> None:
    script, one, other = _two_histories()
    report = _evidence(script, one, other)
    assert report.status == "faulty"
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.FORK, script.writer())
    assert (report.fault.hand, report.fault.height) == (1, script.state.height)
    assert report.chips == (0, 0, 0)
    assert "signed two different histories" in sentences(report)[-1]


def test_an_entry_beside_the_good_beginning_convicts() -> None:
    script, one, other = _two_histories()
    script.put(other)
    report = _evidence(script, one)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.FORK, parse_entry(one).seat)


def test_a_child_of_another_entry_convicts() -> None:
    script = _at(Phase.READY).clone()
    script.until(Phase.PLAY)
    fork = script.clone()
    one = _one_step(script)  # the dealer may write several entries in a row
    seat = script.writer()
    fork.put(fork.sign(ForfeitHand()))
    later = fork.sign(Ready(), seat=seat)
    report = _evidence(script, one, later)
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.FORK, seat)


def test_evidence_that_convicts_nobody() -> None:
    script, one, other = _two_histories()
    twice = _evidence(script, one, one)
    assert (twice.status, twice.fault) == ("incomplete", None)
    assert sentences(twice)[-1].startswith("Nobody is convicted")
    assert (_evidence(script, other).status, _evidence(script).status) == ("incomplete", "incomplete")
    forged = other[:-1] + bytes([other[-1] ^ 1])
    report = _evidence(script, forged)
    assert report.status == "incomplete"
    assert report.fault is not None
    assert (report.fault.code, report.fault.seat) == (Code.SIGNATURE, None)
    assert _evidence(script, one, forged).fault is None
    assert _evidence(script, b"noise").status == "incomplete"


def test_entries_of_two_seats_are_no_fork() -> None:
    script = _at(Phase.PLAY)
    one = script.sign(ForfeitHand())
    two = script.sign(ForfeitHand(), seat=(script.writer() + 1) % 3)
    assert _evidence(script, one, two).status == "incomplete"


def test_a_fault_in_the_beginning_comes_first() -> None:
    script = Script("unproved")
    script.until(Phase.PLAY)
    one, other = script.sign(ForfeitHand()), _one_step(script)
    report = _evidence(script, one, other)
    assert report.fault is not None
    assert (report.fault.code, report.fault.height) == (Code.ELEMENT, 15)


def test_a_foul_is_told_and_is_no_fault() -> None:
    script = Script("foul")
    script.until(Phase.PLAY)
    seat = script.writer()
    slots = script.view(seat).position.hands[seat][:4]
    script.write(HideSet(slots))
    script.play_hand(lambda view, legal: plain_choice(view, [m for m in legal if not isinstance(m, Hide)]))
    report = _judge(script)
    assert report.status == "fair"
    assert report.records[0].settlement.fouls
    assert any("foul by" in line for line in sentences(report))


def test_names_are_cleaned() -> None:
    script = Script("names", names=("A\u202ena", "Ben", "Carlo"))
    assert _judge(script).names == ("Ana", "Ben", "Carlo")


def test_a_name_cannot_stand_for_another() -> None:
    report = _judge(Script("names", names=("{1}", "Ben", "{x}")))
    fault = FaultFound(Code.RULES, "{0} met {2}", 0, 1, 30)
    found = as_json(dataclasses.replace(report, fault=fault))["fault"]
    assert isinstance(found, dict)
    assert found["text"] == "{1} met {x}"


def test_refusals_name_the_players() -> None:
    report = _judge(_at(Phase.PLAY))
    text = "{1} laid off on a meld of {0} {x}"
    assert report.names is not None
    fault = FaultFound(Code.RULES, text, 2, 1, 30)
    found = as_json(dataclasses.replace(report, fault=fault))["fault"]
    assert isinstance(found, dict)
    assert found["text"] == "Ben laid off on a meld of Ana {x}"


def test_long_decks_in_a_finished_hand_are_still_judged() -> None:
    """What cannot be computed ahead is judged entry by entry."""
    script = Script("unproved")
    script.until(Phase.SHUFFLE)
    raw = script.sign(ShuffleDeck(bytes(32 * 51)))
    report = _judge(script, raw)
    assert report.fault is not None
    assert report.fault.code is Code.BODY
    assert not isinstance(script.due_body(), Prove)


def test_reveals_that_nothing_stands_behind_are_judged_entry_by_entry() -> None:
    script = _at(Phase.COMMIT)
    unsigned = [
        pack([pack([seat, script.state.height + seat, bytes(32), ["reveal", bytes(32)]]), bytes(64)])
        for seat in range(3)
    ]
    report = _judge(script, *unsigned)
    assert report.fault is not None
    assert (report.fault.code, report.fault.height) == (Code.SIGNATURE, script.state.height)
