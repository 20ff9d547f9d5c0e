"""What verification found, as a value, as JSON and in sentences for people.

Owns the wording and the names in the JSON object. Must not know how anything is judged (verify.py).
"""

import re
from dataclasses import dataclass
from typing import Literal

from tongits_lan.errors import Code
from tongits_lan.game.cards import card_text
from tongits_lan.game.refusals import seat_name
from tongits_lan.game.scoring import brought
from tongits_lan.game.sentences import Phrase, Quote, counted, in_a_row, mark, phrase
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


def without_table(kind: Literal["ledger", "evidence"], fault: FaultFound, *, torn: bool = False) -> Report:
    """The report on a file that does not even say who sits down; a torn one may be whole elsewhere."""
    return Report(
        kind=kind,
        status="incomplete" if torn else "faulty",
        height=0,
        head=None,
        closed=False,
        chips=(0, 0, 0),
        pot=0,
        words=None,
        names=None,
        pending=None,
        fault=fault,
        records=(),
        torn=torn,
    )


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
    """The same for people, in English: each hand, the chips, what is awaited or wrong, the verdict last."""
    return [_filled(text, report.names) for text in phrases(report)]


def phrases(report: Report) -> list[Phrase]:
    """The sentences before a language is chosen; {0} {1} {2} in them stand for the names of the seats."""
    said = [_hand_sentence(record) for record in report.records]
    for record in report.records:
        said += [
            phrase(
                "Hand {number}: foul by {name}: {text}.",
                number=record.number,
                name=seat_name(seat),
                text=Quote(text),
            )
            for seat, text in record.settlement.fouls
        ]
    if report.names is not None and report.records:
        chips = ", ".join(f"{seat_name(seat)} {count:+d}" for seat, count in enumerate(report.chips))
        said.append(phrase("Chips: {stand}; pot {pot}.", stand=chips, pot=report.pot))
    if report.words is not None:
        said.append(phrase("Table words: {words}.", words=" ".join(report.words)))
    said.append(_verdict(report))
    return said


def _hand_sentence(record: HandRecord) -> Phrase:
    nets = enumerate(brought(record.settlement))
    net = ", ".join(f"{seat_name(seat)} {chips:+d}" for seat, chips in nets if chips)
    number, paid = record.number, f" ({net})" if net else ""
    if record.forfeited_by is not None:
        who = seat_name(record.forfeited_by)
        return phrase("Hand {number}: given up by {name}{paid}.", number=number, name=who, paid=paid)
    how, winner = phrase(_ENDS[record.settlement.end]), record.settlement.winner
    if winner is None:
        return phrase("Hand {number}: {how}, nobody wins{paid}.", number=number, how=how, paid=paid)
    return phrase(
        "Hand {number}: {how}, {name} wins{paid}.", number=number, how=how, name=seat_name(winner), paid=paid
    )


_ENDS = {
    "tongits": mark("tongits"),
    "draw": mark("a fight was called"),
    "stock": mark("the stock ran out"),
    "spread": mark("a spread"),
    "forfeit": mark("given up"),
    "closed": mark("the table closed"),
}


def _verdict(report: Report) -> Phrase:
    if report.fault is not None:
        return _fault_sentence(report.fault)
    hands = counted(len(report.records), "{count} hand", "{count} hands")
    entries = counted(report.height, "{count} entry", "{count} entries")
    if report.status == "fair":
        end = phrase("the table is closed") if report.closed else phrase("the table can go on")
        text = mark("Fair: {hands}, {entries}, every shuffle, key and move was checked; {end}.")
        return phrase(text, hands=hands, entries=entries, end=end)
    if report.kind == "evidence":
        text = mark("Nobody is convicted: what follows the {count} good entries shows no fault.")
        return phrase(text, count=report.height)
    torn = phrase("The file is cut off inside entry {height}.", height=report.height)
    found = phrase("Incomplete: {hands}, {entries}.", hands=hands, entries=entries)
    if report.pending is not None:
        awaited = _awaited(report.pending)
        found = phrase(
            "Incomplete: {hands}, {entries}; {awaited}.", hands=hands, entries=entries, awaited=awaited
        )
    return in_a_row([torn, found]) if report.torn else found


def _awaited(pending: Pending) -> Phrase:
    name, task = seat_name(pending.due.seat), phrase(_TASKS[pending.due.kinds[0]])
    if pending.hand is None:
        return phrase("the table is waiting for {name} to {task}", name=name, task=task)
    return phrase("hand {hand} is waiting for {name} to {task}", hand=pending.hand, name=name, task=task)


_TASKS = {
    "sit": mark("sign the table"),
    "open": mark("open the number behind the table words"),
    "commit": mark("begin the hand"),
    "shuffle": mark("shuffle the deck"),
    "lock": mark("lock the deck"),
    "prove": mark("prove the shuffle and the lock"),
    "ready": mark("accept the proofs"),
    "deal": mark("deal"),
    "pass": mark("claim a spread or pass"),
    "draw": mark("begin the turn"),
    "meld": mark("play and discard"),
    "answer": mark("answer the call"),
    "key": mark("give the key of the card drawn"),
    "end": mark("agree that the hand is over"),
    "reveal": mark("open the cards"),
    "next": mark("confirm the result"),
}


def _fault_sentence(fault: FaultFound) -> Phrase:
    name = "" if fault.seat is None else seat_name(fault.seat)
    code, text = str(fault.code), Quote(fault.text)
    return phrase(_accusation(fault), name=name, code=code, text=text, place=_place(fault))


def _accusation(fault: FaultFound) -> str:
    """What is said of a fault."""
    if fault.seat is None and fault.height is None:
        return mark("Nobody is convicted ({code}): {text}.")
    if fault.seat is None:
        return mark("Nobody is convicted ({code}): {text}, {place}.")
    if fault.text in _PROOFS:
        return _PROOFS[fault.text]
    return _CONVICTED.get(fault.code, mark("{name}'s entry is against the protocol ({code}), {place}."))


_CONVICTED = {
    Code.BODY: mark("{name} wrote an entry of a wrong form ({code}), {place}."),
    Code.PHASE: mark("{name} wrote an entry that was not due ({code}), {place}."),
    Code.WRITER: mark("{name} wrote an entry when another player was due ({code}), {place}."),
    Code.ELEMENT: mark("{name} published a value that can be no card, label or proof ({code}), {place}."),
    Code.SCALAR: mark("{name} published a value that can be no key or proof ({code}), {place}."),
    Code.DECK: mark("{name} published a deck in which a card comes twice ({code}), {place}."),
    Code.COMMIT: mark("{name} copied a commitment or opened one otherwise ({code}), {place}."),
    Code.PROOF: mark("{name}'s proof does not hold ({code}), {place}."),
    Code.SLOT: mark("{name} used a card that was not theirs to use ({code}), {place}."),
    Code.KEY: mark("{name} gave a wrong key for a card ({code}), {place}."),
    Code.SEED: mark("{name} revealed another seed than the one committed to ({code}), {place}."),
    Code.RULES: mark("{name}'s move is against the rules, {place}: {text}."),
    Code.RESULT: mark("{name} signed a result that this hand does not give ({code}), {place}."),
    Code.REPLAY: mark("{name} cheated: {text}, {place}."),
    Code.FORK: mark("{name} signed two different histories, {place}."),
}
"""What a convicted player did, by the code. The text of a check is for developers (it is in the JSON object);
those of the rules and of the replay are for players, too."""
_PROOFS = {
    mark("the shuffle proof does not hold"): mark("{name}'s shuffle proof does not hold, {place}."),
    mark("the lock proof does not hold"): mark("{name}'s lock proof does not hold, {place}."),
}
REPLAYS = (
    mark("the shuffle does not follow from the revealed seed"),
    mark("the lock does not follow from the revealed seed"),
)
"""Texts of faults that are made where no language is known."""


def _place(fault: FaultFound) -> Phrase:
    if fault.height is None:
        return phrase("before the first entry")
    if fault.hand is None:
        return phrase("height {height}", height=fault.height)
    return phrase("hand {hand}, height {height}", hand=fault.hand, height=fault.height)


def _name(report: Report, seat: int) -> str:
    return _of(report.names, seat)


def _of(names: Names | None, seat: int) -> str:
    return f"seat {seat}" if names is None else names[seat]


def _filled(text: str, names: Names | None) -> str:
    """The text with its placeholders {0} to {2} filled in; other braces, those in a name too, stay."""
    return re.sub(r"\{([0-2])\}", lambda found: _of(names, int(found[1])), text)
