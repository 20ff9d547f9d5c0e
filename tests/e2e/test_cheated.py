"""Two real programs whose third player cheats: both stop, say who did what, and hold a proof for anybody."""

import json
import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.cheats import CHEATS
from tests.e2e.processes import Line, free_port, table, tongits
from tests.hostile.stage import Wire, knock, lay_down, rejected
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.system import on_posix
from tongits_lan.errors import Code, Exit
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import Entries, Reject, TableOffer
from tongits_lan.net.handshake import Me, greet_server
from tongits_lan.store.identity import Identity

pytestmark = pytest.mark.slow

WIDE = 200  # columns: a path of a test is long


@dataclass(frozen=True, slots=True)
class Crime:
    """A table in the middle of its first hand, and what its third player is about to show the others."""

    script: Script
    bad: int
    height: int
    """Of the ledgers of the honest."""
    raws: tuple[bytes, ...]

    @property
    def honest(self) -> list[str]:
        """The names of the other two."""
        return [name for seat, name in enumerate(NAMES) if seat != self.bad]

    async def commit(self, address: str) -> None:
        """Show it to the program that listens there, until it says what it thinks of it."""
        identity = Identity(self.script.keys[self.bad], self.script.descriptor.seats[self.bad].pk)
        _, link = await knock(address)
        await greet_server(link, Me(identity, NAMES[self.bad], os.urandom))
        wire = Wire(link)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.run, wire)
            await wire.hears(TableOffer)
            wire.say(Entries(self.height, self.raws))
            await wire.hears(Reject)
            assert rejected(wire) == [Code.PROOF]
            nursery.cancel_scope.cancel()


def a_tagged_card(folder: Path) -> Crime:
    """The honest have their files in folders of their names, in small letters; the cheater has shuffled."""
    (way,) = (way for way in CHEATS if way.name == "a-tagged-card")
    script = standing(way.phase)
    raw = way.make(script)
    bad = script.writer()
    entries = list(script.entries)
    while parse_entry(entries[-1]).seat == bad:
        entries.pop()
    for seat, name in enumerate(NAMES):
        if seat != bad:
            lay_down(folder, script, seat, entries)
            (folder / name).rename(folder / name.lower())
    return Crime(script, bad, len(entries), (*script.entries[len(entries) :], raw))


def assert_the_same_proof(paths: list[Path]) -> None:
    """Two seats keep the same entry for the same reason."""
    assert len({parse_file(path.read_bytes()).offending for path in paths}) == 1


def are_linked(lines: Sequence[Line], seat: int) -> bool:
    """Whether the program that printed these has a link of its own to that seat."""
    ways = [line["how"]["kind"] for line in lines if line["event"] == "link_changed" and line["seat"] == seat]
    return ways[-1:] == ["direct"]


def test_programs_that_speak_json_stop_and_name_the_cheater(tmp_path: Path) -> None:
    crime = a_tagged_card(tmp_path)
    first, second = crime.honest
    with table(tmp_path) as programs:
        host = programs.start(first, "host", "--no-discovery", "--port", str(free_port()))
        address = host.wait_event("listening")["addresses"][0]
        guest = programs.start(second, "join", address, "--no-discovery")
        host.wait_for(partial(are_linked, seat=NAMES.index(second)))
        trio.run(crime.commit, address)
        kept = []
        for program in (host, guest):
            assert program.end() == Exit.FAULT, program.stderr()
            stopped, ended = program.wait_event("stopped"), program.lines[-1]
            assert (stopped["seat"], stopped["code"]) == (crime.bad, "proof")
            assert (ended["event"], ended["code"], ended["pending"]) == ("ended", Exit.FAULT, False)
            kept.append(Path(ended["evidence"]))
    assert_the_same_proof(kept)
    said = tongits(tmp_path, "verify", "--json", *map(str, kept))
    assert (said.returncode, said.stderr) == (Exit.FAULT, "")
    found = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(found) == len(kept)
    for report in found:
        assert (report["status"], report["chips"]) == ("faulty", [0, 0, 0])
        fault = report["fault"]
        assert (fault["name"], fault["code"], fault["height"]) == (NAMES[crime.bad], "proof", crime.height)


@on_posix
def test_screens_stop_and_tell_who_did_what_and_where_the_proof_is(tmp_path: Path) -> None:
    from tests.e2e.terminal import Terminal

    crime = a_tagged_card(tmp_path)
    cheater, address = NAMES[crime.bad], f"127.0.0.1:{free_port()}"
    first, second = crime.honest
    ways = {first: ("host", "--port", address.partition(":")[2]), second: ("join", address)}
    with ExitStack() as stack:
        windows: dict[str, Terminal] = {}
        for name, words in ways.items():
            options = (*words, "--open", "--no-discovery", "--bind", "127.0.0.1", "--ascii")
            data = ("--data-dir", str(tmp_path / name.lower()))
            window = stack.enter_context(Terminal("tongits_lan", *options, *data, columns=WIDE))
            windows[name] = window
            window.wait(f"Waiting for {cheater} to prove the shuffle")
        windows[first].wait(f"{second} is connected")
        trio.run(crime.commit, address)
        kept = []
        for name, window in windows.items():
            window.wait("the table has stopped")
            kept.append(proof_on(window.text, cheater))
            assert kept[-1].is_relative_to(tmp_path / name.lower())
        for window, evidence in zip(windows.values(), kept, strict=True):
            window.settle(1.0)  # a page that has just appeared takes no key for a moment
            window.press("\r")
            assert window.end() == Exit.FAULT
            assert window.restored
            assert f"tongits verify {evidence}".encode() in window.raw.replace(b"\r\n", b"")
    assert_the_same_proof(kept)
    said = tongits(tmp_path, "verify", str(kept[0]))
    assert (said.returncode, said.stderr) == (Exit.FAULT, "")
    verdict = f"{cheater}'s shuffle proof does not hold, hand 1, height {crime.height}."
    assert said.stdout.splitlines()[-1] == verdict


def proof_on(page: str, cheater: str) -> Path:
    """The page says what, who, what of the chips, and where the proof is: that path."""
    assert re.search(rf"What +{cheater}'s shuffle proof does not hold \(hand 1, record \d+, proof\)\.", page)
    assert re.search(rf"Who +{cheater}\.", page)
    assert re.search(r"Chips +None move in this hand", page)
    assert re.search(r"Stand .*You 0 chips", page)
    assert "tongits verify and that file" in page
    path = re.search(r"Proof +(\S+\.evidence)", page)
    assert path is not None, page
    return Path(path[1])
