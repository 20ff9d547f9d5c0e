"""Entries read ahead of the one that is due, and no further than a few hands."""

from collections.abc import Iterator

from tests.scripted import Script
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.chain import Entry
from tongits_lan.ledger.messages import Open, Ready, Sit
from tongits_lan.ledger.reading import AHEAD, Reading
from tongits_lan.ledger.state import Phase


def _script() -> Script:
    script = Script("reading")
    script.until(Phase.COMMIT)
    return script


def test_entries_come_by_height_with_their_bodies() -> None:
    script = _script()
    reading = Reading([*script.entries, b"noise", script.sign(Ready())])
    sixth = reading.at(6)
    assert isinstance(sixth, Fault)
    assert sixth.code is Code.DECODE
    assert reading.body(6) is None
    found = list(reading.ahead(0))
    assert [entry.raw for entry, _ in found] == script.entries
    assert [type(body) for _, body in found] == [Sit] * 3 + [Open] * 3
    last = reading.at(7)
    assert isinstance(last, Entry)
    assert isinstance(reading.body(7), Ready)
    assert (reading.at(8), reading.body(8)) == (None, None)


def test_no_more_is_read_than_is_asked_for_and_never_too_far_ahead() -> None:
    (raw, *_) = _script().entries
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield raw

    reading = Reading(endless())
    assert (reading.at(0) is not None, read) == (True, 1)
    assert len(list(reading.ahead(0))) == read == AHEAD
    reading.pass_to(3)
    assert len(list(reading.ahead(3))) == AHEAD
    assert read == AHEAD + 3
