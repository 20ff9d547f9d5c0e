"""What verification found, as a value, as JSON and in sentences for people.

Owns the wording and the names in the JSON object. Must not know how anything is judged (verify.py).
"""

import re
from dataclasses import dataclass
from typing import Literal

from tongits_lan.errors import Code
from tongits_lan.game.cards import card_text
from tongits_lan.ledger.state import Due, HandRecord

Status = Literal["fair", "faulty", "incomplete"]
Names = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Pending:
    """The entry that is awaited; `hand` is None before the first one."""

    hand: int | None
    due: Due


@dataclass(frozen=True, slots=True)
class FaultFound:
    """What is wrong; `seat` None convicts nobody, `hand` and `height` are None before the first of them."""

    code: Code
    text: str
    seat: int | None
    hand: int | None
    height: int | None


@dataclass(frozen=True, slots=True)
class Report:
    """All that one ledger or evidence file shows. `chips` and `pot` count after the last counted hand."""

    kind: Literal["ledger", "evidence"]
    status: Status
    height: int
    head: bytes | None
    closed: bool
    chips: tuple[int, int, int]
    pot: int
    words: tuple[str, str, str, str] | None
    names: Names | None
    pending: Pending | None
    fault: FaultFound | None
    records: tuple[HandRecord, ...]
    torn: bool


def as_json(report: Report) -> dict[str, object]:
    """The object that `verify --json` prints; bytes are hexadecimal, cards are texts."""
    return {
        "status": report.status,
        "hands": len(report.records),
        "height": report.height,
        "head": None if report.head is None else report.head.hex(),
        "closed": report.closed,
        "chips": list(report.chips),
        "pot": report.pot,
        "words": None if report.words is None else list(report.words),
        "names": None if report.names is None else list(report.names),
        "pending": _pending_object(report),
        "fault": _fault_object(report),
        "hands_detail": [_hand_object(record) for record in report.records],
    }


def _pending_object(report: Report) -> dict[str, object] | None:
    pending = report.pending
    if pending is None:
        return None
    return {
        "hand": pending.hand,
        "seat": pending.due.seat,
        "name": _name(report, pending.due.seat),
        "kinds": list(pending.due.kinds),
    }


def _fault_object(report: Report) -> dict[str, object] | None:
    fault = report.fault
    if fault is None:
        return None
    return {
        "hand": fault.hand,
        "height": fault.height,
        "code": str(fault.code),
        "text": _filled(fault.text, report.names),
        "seat": fault.seat,
        "name": None if fault.seat is None else _name(report, fault.seat),
    }


def _hand_object(record: HandRecord) -> dict[str, object]:
    settlement = record.settlement
    return {
        "hand": record.number,
        "dealer": record.dealer,
        "end": str(settlement.end),
        "winner": settlement.winner,
        "net": list(settlement.net),
        "lines": [
            {"from": line.from_, "to": line.to, "chips": line.chips, "reason": line.reason}
            for line in settlement.lines
        ],
        "faces": None if record.faces is None else [card_text(card) for card in record.faces],
    }


def sentences(report: Report) -> list[str]:
    """The same for people: each hand, the chips, what is awaited or wrong, and the verdict last."""
    told = [_hand_sentence(record, report.names) for record in report.records]
    for record in report.records:
        told += [
            f"Hand {record.number}: foul by {_name(report, seat)}: {_filled(text, report.names)}."
            for seat, text in record.settlement.fouls
        ]
    if report.names is not None and report.records:
        chips = ", ".join(
            f"{name} {count:+d}" for name, count in zip(report.names, report.chips, strict=True)
        )
        told.append(f"Chips: {chips}; pot {report.pot}.")
    if report.words is not None:
        told.append(f"Table words: {' '.join(report.words)}.")
    told.append(_verdict(report))
    return told


def _hand_sentence(record: HandRecord, names: Names | None) -> str:
    net = ", ".join(
        f"{_of(names, seat)} {chips:+d}" for seat, chips in enumerate(record.settlement.net) if chips
    )
    paid = f" ({net})" if net else ""
    if record.forfeited_by is not None:
        return f"Hand {record.number}: given up by {_of(names, record.forfeited_by)}{paid}."
    how = _ENDS[record.settlement.end]
    if record.settlement.winner is None:
        return f"Hand {record.number}: {how}, nobody wins{paid}."
    return f"Hand {record.number}: {how}, {_of(names, record.settlement.winner)} wins{paid}."


_ENDS = {
    "tongits": "tongits",
    "draw": "a draw was called",
    "stock": "the stock ran out",
    "spread": "a spread",
    "forfeit": "given up",
    "closed": "the table closed",
}


def _verdict(report: Report) -> str:
    if report.fault is not None:
        return _fault_sentence(report, report.fault)
    held = f"{_counted(len(report.records), 'hand', 'hands')}, {_counted(report.height, 'entry', 'entries')}"
    if report.status == "fair":
        end = "the table is closed" if report.closed else "the table can go on"
        return f"Fair: {held}, every shuffle, key and move was checked; {end}."
    if report.kind == "evidence":
        return f"Nobody is convicted: what follows the {report.height} good entries shows no fault."
    torn = f"The file is cut off inside entry {report.height}. " if report.torn else ""
    return f"{torn}Incomplete: {held}{_awaited(report)}."


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _awaited(report: Report) -> str:
    pending = report.pending
    if pending is None:
        return ""
    what = "the table" if pending.hand is None else f"hand {pending.hand}"
    return f"; {what} is waiting for {_name(report, pending.due.seat)} to {_TASKS[pending.due.kinds[0]]}"


_TASKS = {
    "sit": "sign the table",
    "open": "open the number behind the table words",
    "commit": "begin the hand",
    "shuffle": "shuffle the deck",
    "lock": "lock the deck",
    "prove": "prove the shuffle and the lock",
    "ready": "accept the proofs",
    "deal": "deal",
    "pass": "claim a spread or pass",
    "draw": "begin the turn",
    "meld": "play and discard",
    "answer": "answer the call",
    "key": "give the key of the card drawn",
    "end": "agree that the hand is over",
    "reveal": "open the cards",
    "next": "confirm the result",
}


def _fault_sentence(report: Report, fault: FaultFound) -> str:
    place = "" if fault.hand is None else f", hand {fault.hand}"
    place += "" if fault.height is None else f", height {fault.height}"
    text = _filled(fault.text, report.names)
    if fault.seat is None:
        return f"Nobody is convicted ({fault.code}): {text}{place}."
    if fault.code is Code.PROOF and text.startswith("the "):
        return f"{_name(report, fault.seat)}'s {text.removeprefix('the ')}{place}."
    if fault.code is Code.FORK:
        return f"{_name(report, fault.seat)} signed two different histories{place}."
    if fault.code is Code.REPLAY:
        return f"{_name(report, fault.seat)} cheated: {text}{place}."
    return f"{_name(report, fault.seat)}'s entry is against the protocol ({fault.code}): {text}{place}."


def _name(report: Report, seat: int) -> str:
    return _of(report.names, seat)


def _of(names: Names | None, seat: int) -> str:
    return f"seat {seat}" if names is None else names[seat]


def _filled(text: str, names: Names | None) -> str:
    """The text with its placeholders {0} to {2} filled in; other braces, those in a name too, stay."""
    if names is None:
        return text
    return re.sub(r"\{([0-2])\}", lambda found: names[int(found[1])], text)
