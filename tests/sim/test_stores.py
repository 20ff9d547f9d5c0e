"""Programs that die at their store: after it is written, while it is written, and two at one."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.circle import Circle, Shelf
from tests.scripted import Script
from tests.sim.staging import moments, seated, stored
from tongits_lan.errors import UserError
from tongits_lan.ledger.accept import HANDLERS
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import AppendEntry, SaveSecret
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.messages import Entries
from tongits_lan.ledger.phases import kind_name
from tongits_lan.limits import SEATS
from tongits_lan.store.journal import Journal

KINDS = sorted({kind_name(kind) for _, kind in HANDLERS})
TAG = b"8 bytes."


def write_at(circle: Circle, kind: str, seat: int) -> None:
    """Let the player of that seat say what makes its program write this kind, where that is a choice."""
    table, move = circle.tables[seat], moments()[kind].move if kind in moments() else None
    match kind:
        case "forfeit":
            table.give_up(circle.now)
        case "leave":
            table.leave(circle.now)
        case "next":
            table.go_on(circle.now)
        case _ if move is not None:
            circle.settle()
            table.submit(move, circle.now)
        case _:
            pass


def moment_of(kind: str) -> tuple[Script, int]:
    """A script right before an entry of this kind, and who writes it."""
    found = moments()[{"forfeit": "draw", "leave": "next"}.get(kind, kind)]
    return found.script, found.writer


def sent_at(circle: Circle, height: int) -> set[bytes]:
    """Every entry of one height that any seat has sent."""
    return {
        message.entries[height - message.first]
        for _, _, message in circle.sent
        if isinstance(message, Entries) and message.first <= height < message.first + len(message.entries)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_kill_between_store_and_send(kind: str) -> None:
    script, writer = moment_of(kind)
    height = script.state.height
    circle = seated(script)
    circle.doomed = writer
    write_at(circle, kind, writer)
    circle.settle()
    assert writer not in circle.alive
    (raw,) = circle.shelves[writer].entries[height:]
    assert parse_entry(raw).body_value[0] == kind
    assert sent_at(circle, height) == set()
    assert all(circle.view(seat).height == height for seat in circle.alive)
    circle.restart(writer)
    circle.settle()
    circle.pass_time(5)
    assert {shelf.entries[height] for shelf in circle.shelves} == {raw}
    assert sent_at(circle, height) == {raw}
    circle.assert_level()


# Real files.


@dataclass
class Kept:
    """The files of one seat, and the last entry it wrote."""

    script: Script
    seat: int
    path: Path
    last: bytes
    whole: bytes


def kept(folder: Path) -> Kept:
    """A seat whose own entry was the last to be stored."""
    moment = moments()["take"]
    script, seat = moment.script.clone(), moment.writer
    assert moment.move is not None
    script.move(moment.move)
    journal = Journal.create(folder, script.descriptor, script.nonces[seat], seat, TAG)
    shelf = stored(script, seat)
    journal.apply([SaveSecret(secret) for secret in shelf.secrets.values()])
    journal.apply([AppendEntry(raw) for raw in script.entries])
    journal.close()
    return Kept(script, seat, journal.path, script.entries[-1], journal.path.read_bytes())


def test_torn_tail(tmp_path: Path) -> None:
    """At every byte: the rest of the frame is cut off, whatever stands before it stays."""
    files = kept(tmp_path)
    frame = frame_bytes(files.last)
    good = files.whole[: -len(frame)]
    for written in range(len(frame)):
        files.path.write_bytes(good + frame[:written])
        journal = Journal.open(files.path)
        journal.close()
        assert list(journal.entries) == files.script.entries[:-1], written
        assert files.path.read_bytes() == good, written


@pytest.mark.parametrize("others_have_it", [True, False])
def test_torn_tail_is_signed_anew_only_after_comparing_heads(tmp_path: Path, others_have_it: bool) -> None:
    files = kept(tmp_path)
    files.path.write_bytes(files.whole[:-7])
    journal = Journal.open(files.path)
    journal.close()
    seat, height = files.seat, len(files.script.entries) - 1
    circle = seated(files.script, links=())
    for other in range(SEATS):
        if other == seat:
            circle.shelves[other] = Shelf(list(journal.entries), {s.hand_no: s for s in journal.secrets})
        elif not others_have_it:
            circle.shelves[other].entries.pop()
        circle.restart(other, links=())
    circle.pass_time(60)
    assert circle.view(seat).height == height
    assert not circle.view(seat).legal
    for other in range(SEATS):
        circle.restart(other)
    circle.settle()
    if not others_have_it:
        assert circle.view(seat).height == height
        circle.step()
        circle.settle()
    circle.assert_level()
    assert len({shelf.entries[height] for shelf in circle.shelves}) == 1
    assert len(sent_at(circle, height)) == 1
    if others_have_it:
        assert circle.shelves[seat].entries[height] == files.last


SECOND = """
import sys
from pathlib import Path
from tongits_lan.errors import UserError
from tongits_lan.ledger.effects import AppendEntry
from tongits_lan.store.journal import Journal
try:
    journal = Journal.open(Path(sys.argv[1]))
except UserError as error:
    print(int(error.exit_code), error.text)
else:
    journal.apply([AppendEntry(b"an entry of the second program")])
    print("written")
"""


def test_two_processes(tmp_path: Path) -> None:
    """A second program never holds the table, so that nothing is signed twice."""
    files = kept(tmp_path)
    first = Journal.open(files.path)
    with pytest.raises(UserError, match="another window"):
        Journal.open(files.path)
    command = [sys.executable, "-c", SECOND, str(files.path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert told.startswith("1 The table in ")
    assert files.path.read_bytes() == files.whole
    first.close()
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert told == "written\n"
