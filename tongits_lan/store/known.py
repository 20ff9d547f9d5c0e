"""The players met at tables before: by which key a name is known, and how their hands ended.

Owns `known.json` in the data folder (0600), which never leaves this machine. Must not know links or
lobbies; the hour comes in. Damaged or lost, it costs nothing but memory.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tongits_lan.ledger.texts import alike, clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.store.files import make_folder, replace_private, telling

FILE_NAME = "known.json"
PEOPLE_MAX = 1000  # kept; who was met longest ago goes first
UNFINISHED_MAX = 200  # hands remembered of one person, so that none is counted twice
_FORM = "tongits-lan known 1"
_LATEST = 253_402_300_799  # the last second that has a date with a year of four digits
_NAMELESS = frozenset({"", "player"})  # names that name nobody


@dataclass(frozen=True, slots=True)
class Person:
    """One key (32 bytes), the name it bore last, when it was met (Unix seconds), and its hands."""

    pk: bytes
    name: str
    first_met: int
    last_met: int
    finished: int = 0
    """Hands played with it to their end."""
    forfeited: int = 0
    """Hands it gave up."""
    unfinished: tuple[str, ...] = ()
    """Hands that waited for it longer than a day, each named once."""
    convicted: tuple[str, ...] = ()
    """Tables that stopped for what it signed, each named once."""

    @property
    def since(self) -> tuple[int, int]:
        """Year and month (UTC) of the first meeting."""
        met = datetime.fromtimestamp(min(self.first_met, _LATEST), UTC)
        return met.year, met.month

    @property
    def left(self) -> int:
        """How often it left a hand unfinished."""
        return len(self.unfinished)


@dataclass(frozen=True, slots=True)
class Known:
    """Everybody met, by key. Each change is a new value; `save` keeps it."""

    people: Mapping[bytes, Person] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, pk: bytes) -> Person | None:
        """Who has that key."""
        return self.people.get(pk)

    def is_renamed(self, name: str, pk: bytes) -> bool:
        """Whether somebody is known by that name and this key is not, be it new or known by another name."""
        key = alike(name)
        if key in _NAMELESS:
            return False
        named = {person.pk for person in self.people.values() if alike(person.name) == key}
        return bool(named) and pk not in named

    def met(self, pk: bytes, name: str, now: int) -> "Known":
        """Sat down with that key."""
        person = self.people.get(pk)
        if person is None:
            return self._with(Person(pk, name, now, now))
        return self._with(replace(person, name=name, last_met=max(now, person.last_met)))

    def finished(self, pk: bytes) -> "Known":
        """Played a hand with that key to its end."""
        person = self.people.get(pk)
        return self if person is None else self._with(replace(person, finished=person.finished + 1))

    def forfeited(self, pk: bytes) -> "Known":
        """It gave a hand up."""
        person = self.people.get(pk)
        return self if person is None else self._with(replace(person, forfeited=person.forfeited + 1))

    def left_unfinished(self, pk: bytes, hand: str) -> "Known":
        """The hand of that name has waited for it longer than a day."""
        person = self.people.get(pk)
        if person is None or hand in person.unfinished:
            return self
        return self._with(replace(person, unfinished=(*person.unfinished, hand)[-UNFINISHED_MAX:]))

    def convicted(self, pk: bytes, table: str) -> "Known":
        """The table of that name stopped for what it signed."""
        person = self.people.get(pk)
        if person is None or table in person.convicted:
            return self
        return self._with(replace(person, convicted=(*person.convicted, table)[-UNFINISHED_MAX:]))

    def _with(self, person: Person) -> "Known":
        people = sorted({**self.people, person.pk: person}.values(), key=lambda one: one.last_met)
        return Known(MappingProxyType({one.pk: one for one in people[-PEOPLE_MAX:]}))


def load_known(data_dir: Path) -> Known:
    """What is kept; nobody where nothing is kept or it cannot be read."""
    try:
        kept = json.loads((data_dir / FILE_NAME).read_text("utf-8"))
        rows = kept["people"] if kept["form"] == _FORM else []
        people = [person for row in rows if (person := _person(row)) is not None]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return Known()
    return Known(MappingProxyType({person.pk: person for person in people[-PEOPLE_MAX:]}))


def save_known(data_dir: Path, known: Known) -> None:
    """Keeps it in the place of what was kept. Raises UserError."""
    path = data_dir / FILE_NAME
    make_folder(data_dir)
    rows = [
        {
            "key": person.pk.hex(),
            "name": person.name,
            "first_met": person.first_met,
            "last_met": person.last_met,
            "finished": person.finished,
            "forfeited": person.forfeited,
            "unfinished": list(person.unfinished),
            "convicted": list(person.convicted),
        }
        for person in known.people.values()
    ]
    text = json.dumps({"form": _FORM, "people": rows}, ensure_ascii=False, indent=1)
    with telling(path):
        replace_private(path, text.encode("utf-8"))


def _person(row: Any) -> Person | None:
    """The person in one row, None for a row that is none."""
    match row:
        case {
            "key": str(key),
            "name": str(name),
            "first_met": int(first),
            "last_met": int(last),
            "finished": int(finished),
            "forfeited": int(forfeited),
            "unfinished": [*hands],
        }:
            tables = row.get("convicted", [])  # which older versions did not keep
        case _:
            return None
    if not isinstance(tables, list) or not _are_texts((*hands, *tables)):
        return None
    if len(key) != 64 or min(first, last, finished, forfeited) < 0:
        return None
    try:
        pk = bytes.fromhex(key)
    except ValueError:
        return None
    unfinished, convicted = (tuple(names)[-UNFINISHED_MAX:] for names in (hands, tables))
    return Person(pk, clean(name, NAME_MAX), first, last, finished, forfeited, unfinished, convicted)


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)
