"""`tongits show`: a ledger as JSON lines, one entry a line, with what everybody knew then and no more.

Shows; judges only what it must to go on. Keys and proofs are left to the file itself.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from tongits_lan.cli import native, replay
from tongits_lan.cli.as_json import event_object, plain
from tongits_lan.cli.output import complain, emit
from tongits_lan.console.speech import tr
from tongits_lan.errors import Exit, Fault, PeerFault
from tongits_lan.game.cards import card_text
from tongits_lan.game.rules import to_map
from tongits_lan.ledger.chain import Descriptor, parse_entry
from tongits_lan.ledger.files import FileReader
from tongits_lan.ledger.messages import Body, decode_body, kind_of

_SHOWN = ("slot", "slots", "target", "meld", "word")


def run(options: Namespace) -> int:
    """Prints the table, then every entry as it is read; 4 after one that is refused, 1 for a torn file."""
    native.load()
    with replay.opened(Path(options.file)) as file:
        return show(file)


def show(file: FileReader) -> int:
    """Prints an opened file; the exit code."""
    try:
        start = replay.opening(file)
    except Fault as fault:
        emit({"fault": {"code": str(fault.code), "text": fault.text, "height": None, "seat": None}})
        text = tr(
            "The table's first frame is wrong ({why}): get the file again from another player.",
            why=fault.text,
        )
        complain(text)
        return Exit.FAULT
    emit(table_object(start.descriptor))
    names = start.descriptor.names
    try:
        for step in replay.steps(file):
            emit(step_object(step, names))
    except PeerFault as fault:
        emit(
            {
                "fault": {
                    "code": str(fault.code),
                    "text": fault.text,
                    "height": fault.height,
                    "seat": fault.seat,
                }
            }
        )
        complain(refusal(fault, names))
        return Exit.FAULT
    return _rest(file)


def _rest(file: FileReader) -> int:
    for raw in file.offending:
        emit(offending_object(raw))
    if file.torn or file.oversize:
        complain(tr("The file is cut off in the middle of an entry: what is whole is shown."))
        return Exit.FAILED
    return Exit.DONE


def refusal(fault: PeerFault, names: tuple[str, str, str]) -> str:
    """At which entry the file ends to be true, and whose it is."""
    height, code = fault.height, fault.code
    if fault.seat is None:
        return tr("Entry {height} is refused ({code}): tongits verify says more.", height=height, code=code)
    return tr(
        "Entry {height}, by {name}, is refused ({code}): tongits verify says more.",
        height=height,
        name=names[fault.seat],
        code=code,
    )


def offending_object(raw: bytes) -> dict[str, object]:
    """An entry an evidence file accuses: what it says of itself, believed by nobody."""
    try:
        entry = parse_entry(raw)
    except Fault as fault:
        return {"offending": True, "bytes": len(raw), "code": str(fault.code)}
    return {"offending": True, "height": entry.height, "seat": entry.seat, "kind": plain(entry.body_value[0])}


def table_object(descriptor: Descriptor) -> dict[str, object]:
    """The first line: who sits down under which rules."""
    return {
        "table": descriptor.table_id.hex(),
        "unix_seconds": descriptor.unix_seconds,
        "names": list(descriptor.names),
        "bots": [seat.operator_pk != seat.pk for seat in descriptor.seats],
        "keys": [seat.pk.hex() for seat in descriptor.seats],
        "chips": list(descriptor.start.chips),
        "pot": descriptor.start.pot,
        "rules": to_map(descriptor.rules),
    }


def step_object(step: replay.Step, names: tuple[str, str, str]) -> dict[str, object]:
    """One entry: who wrote what, and what it brought about."""
    entry = parse_entry(step.raw)
    body = decode_body(entry.body_value)
    hand = step.state.hand
    faces: Mapping[int, int] = {} if hand is None else hand.faces
    return {
        "height": step.height,
        "seat": entry.seat,
        "name": names[entry.seat],
        "kind": kind_of(body),
        **body_object(body, faces),
        "events": [event_object(event) for event in step.events],
    }


def body_object(body: Body, faces: Mapping[int, int]) -> dict[str, object]:
    """The fields of a play entry, with the cards it made public."""
    shown: dict[str, object] = {}
    for field in _SHOWN:
        if hasattr(body, field):
            value = getattr(body, field)
            shown[field] = list(value) if isinstance(value, tuple) else value
    slots = getattr(body, "slots", None)
    if slots is None:
        slots = (body.slot,) if hasattr(body, "slot") else ()
    cards = [card_text(faces[slot]) for slot in slots if slot in faces]
    if cards:
        shown["cards"] = cards
    return shown
