"""Three full screens: one falls out, one leaves, all come back, and go on to the next table."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.people import NAMES, Person, begin, read
from tests.e2e.processes import free_port
from tongits_lan.ledger.chain import Descriptor, parse_descriptor
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.verify import verify

pytestmark = pytest.mark.slow


def sit(folder: Path, name: str, port: int) -> Person:
    command = ("host", "--port", str(port)) if name == "Ana" else ("join", f"127.0.0.1:{port}")
    alone = ("--bind", "127.0.0.1", "--no-discovery")
    return Person(folder, name, *command, *alone, "--name", name, "--ascii", "--open")


def ledgers(folder: Path) -> list[bytes]:
    """Those of the three, which are all alike; the first table first."""
    found = [
        sorted((folder / name / "tables").glob("*.tongits"), key=lambda path: path.stat().st_mtime)
        for name in NAMES
    ]
    (alike,) = {tuple(path.read_bytes() for path in paths) for paths in found}
    return list(alike)


def descriptor_of(ledger: bytes) -> Descriptor:
    raw = parse_file(ledger).descriptor_raw
    assert raw is not None
    return parse_descriptor(raw)


def test_three_friends_fall_out_come_back_and_play_on(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as stack:
        ana = stack.enter_context(sit(tmp_path, "Ana", port))
        ana.window.wait(f"127.0.0.1:{port}")
        ben = stack.enter_context(sit(tmp_path, "Ben", port))
        carlo = stack.enter_context(sit(tmp_path, "Carlo", port))
        carlo.window.wait(r"(?s)Ana.*Ben.*Carlo")
        carlo.press(*"chi there", "\r")
        ana.window.wait("Carlo: hi there")
        begin([ana, ben, carlo])

        os.kill(carlo.window.child.pid, signal.SIGKILL)
        for window in (ana.window, ben.window):
            window.wait("Carlo is out of reach")
        ana.press(*"cnasaan siya?", "\r")
        ben.window.wait("Ana: nasaan siya")
        ben.leaves()
        ana.window.wait("Ben closed the program and may come back")

        ben, carlo = (stack.enter_context(sit(tmp_path, name, port)) for name in ("Ben", "Carlo"))
        friends = [ana, ben, carlo]
        for friend in friends:
            friend.window.wait("you owe")
            friend.window.wait("net [0-9]+ms")
        give_up(next(friend for friend in friends if "YOUR TURN" in friend.window.text))
        for friend in friends:
            friend.window.wait("hand 1 is over")
        read([friend.window for friend in friends])
        for friend in friends:
            begins_another(friend)
        begin(friends)
        for friend in friends:
            friend.leaves()
    first, second = ledgers(tmp_path)
    before = verify(parse_file(first), proofs=True)
    assert before.status == "fair", before.fault
    assert len(before.records) == 1
    after = descriptor_of(second)
    assert after.previous is not None
    assert after.previous[0] == descriptor_of(first).table_id
    assert after.start == before.records[0].settlement.match


def begins_another(one: Person) -> None:
    """Asks for another table with the same three, until everybody has the result of the last hand."""
    early, lobby = "Not all three have the result", "[123]  (Ana|Ben|Carlo)"
    answer = early
    while answer == early:
        one.press("a")
        one.window.wait("Enter  begin the new table")
        read([one.window])
        one.press("\r")
        answer = one.window.wait(lobby, early)


def give_up(one: Person) -> None:
    """The running hand ends at once, and costs something."""
    one.press("q", "g")
    one.window.wait("Give this hand up")
    read([one.window])
    one.press("\r")
