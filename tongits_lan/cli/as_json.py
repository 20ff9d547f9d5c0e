"""Events and records as JSON objects: what `--json` and `show` print.

Owns the names in those objects. Cards are texts, bytes are hexadecimal, seats are 0 to 2. Decides nothing and
holds nothing back: what reaches it is what this seat may see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

import msgspec

from tongits_lan.game.cards import card_text
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.payments import Line
from tongits_lan.game.rules import Rules, to_map
from tongits_lan.game.scoring import Match, Settlement
from tongits_lan.ledger.chain import rules_digest
from tongits_lan.ledger.effects import Reach, Stop, Stopped
from tongits_lan.ledger.state import HandForfeited, HandRecord, HandSettled, Played, TableClosed
from tongits_lan.net.announcements import Found
from tongits_lan.net.events import RulesChanged

_HUMP = re.compile(r"(?<!^)(?=[A-Z])")
_CARD_FIELDS = frozenset({"card"})
_CARDS_FIELDS = frozenset({"wild"})
_LAID_FIELDS = frozenset({"cards", "shown"})


def snake(name: str) -> str:
    """`HandSettled` -> `hand_settled`."""
    return _HUMP.sub("_", name).lower()


def line_object(line: Line) -> dict[str, object]:
    """One payment; `from` and `to` are seats, null is the pot."""
    return {"from": line.from_, "to": line.to, "chips": line.chips, "reason": line.reason}


def match_object(match: Match) -> dict[str, object]:
    """Chips and pot as they stand."""
    return {"chips": list(match.chips), "pot": match.pot}


def settlement_object(settlement: Settlement) -> dict[str, object]:
    """How a hand or a table was paid."""
    return {
        "end": str(settlement.end),
        "winner": settlement.winner,
        "net": list(settlement.net),
        "lines": [line_object(line) for line in settlement.lines],
        **match_object(settlement.match),
    }


def record_object(record: HandRecord) -> dict[str, object]:
    """A counted hand; `faces` in slot order, null where the hand was given up."""
    faces = None if record.faces is None else [card_text(card) for card in record.faces]
    return {
        "hand": record.number,
        "dealer": record.dealer,
        "forfeited_by": record.forfeited_by,
        **settlement_object(record.settlement),
        "faces": faces,
    }


def stop_object(stop: Stop) -> dict[str, object]:
    """Why a table stopped."""
    return {
        "code": str(stop.code),
        "text": stop.text,
        "seat": stop.seat,
        "hand": stop.hand,
        "height": stop.height,
    }


def rules_object(rules: Rules) -> dict[str, object]:
    """The rules of a lobby: what they are called and what seats say yes to."""
    return {"name": str(rules_name(rules)), "digest": rules_digest(rules).hex()}


def _rules_changed(before: Rules, after: Rules) -> dict[str, object]:
    """The rules now, and each option that is another one with both values."""
    old, new = to_map(before), to_map(after)
    changed = {name: [old[name], new[name]] for name in new if old[name] != new[name]}
    return {"rules": rules_object(after), "before": rules_object(before), "changed": changed}


def event_object(event: Any) -> dict[str, object]:
    """One event of a table or session as a JSON object; its first member is `event`."""
    match event:
        case Played(event=inner):
            return event_object(inner)
        case HandSettled(record=record) | HandForfeited(record=record):
            return {"event": snake(type(event).__name__), **record_object(record)}
        case TableClosed(seat=seat, settlement=settlement):
            return {"event": "table_closed", "seat": seat, **settlement_object(settlement)}
        case RulesChanged(before=before, after=after):
            return {"event": "rules_changed", **_rules_changed(before, after)}
        case Stopped(fault=stop):
            return {"event": "stopped", **stop_object(stop)}
        case _:
            return {"event": snake(type(event).__name__), **_fields(event)}


def _fields(event: Any) -> dict[str, object]:
    fields: dict[str, object] = {}
    names = event.__struct_fields__ if isinstance(event, msgspec.Struct) else event.__dataclass_fields__
    for field in names:
        value = getattr(event, field)
        if field in _CARD_FIELDS and isinstance(value, int):
            fields[field] = card_text(value)
        elif field in _CARDS_FIELDS:
            fields[field] = [card_text(card) for card in value]
        elif field in _LAID_FIELDS:
            fields["slots"] = [slot for slot, _ in value]
            fields[field] = [card_text(card) for _, card in value]
        else:
            fields["hand" if field == "number" else field] = plain(value)
    return fields


def plain(value: Any) -> object:
    """A value as JSON has it: bytes as hexadecimal, paths and words as text, frozen structs as objects."""
    match value:
        case None | bool() | int() | float():
            return value
        case bytes():
            return value.hex()
        case Reach(kind="away", left=left):
            return {"kind": "away", "left": left}
        case Reach(kind=kind, via=via):
            return {"kind": kind, "via": via}
        case str():
            return str(value)
        case msgspec.Struct():
            return _fields(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _fields(value)
        case Mapping():
            return {str(key): plain(inner) for key, inner in value.items()}
        case Sequence():
            return [plain(inner) for inner in value]
        case _:
            return str(value)


def found_object(table: Found) -> dict[str, object]:
    """A table of the network."""
    return {
        "tag": table.tag.hex(),
        "host": table.host,
        "seats": table.seats,
        "preset": table.preset,
        "version": table.version,
        "protocol": table.protocol,
        "fits": table.fits,
        "addresses": list(table.addresses),
        "ping_ms": table.ping_ms,
    }
