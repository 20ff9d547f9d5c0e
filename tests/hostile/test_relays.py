"""A seat between the two others that reorders, repeats, loses, alters, withholds and splits what it relays.

Both honest seats are linked to it alone. It can delay them, it can break off; it cannot deceive them.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.hostile.relay import Bend, Relay, star, straight
from tests.hostile.stage import stage, waiting
from tests.hostile.test_forks import two_shuffles
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.sessions import is_at, ledgers, play, report_of, table, until
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.messages import Entries, Get, Have, Message, Presence
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.table import TableMessage
from tongits_lan.ledger.verify import Report, verify


@dataclass
class Shuffled:
    """Holds messages back for a moment, each for another one, so that they overtake each other."""

    relay: Relay
    rng: random.Random = field(default_factory=lambda: random.Random(5))

    def __call__(self, seat: int, message: TableMessage) -> Iterable[Message]:
        self.relay.nursery.start_soon(self._later, seat, message)
        return ()

    async def _later(self, seat: int, message: TableMessage) -> None:
        await trio.sleep(self.rng.random() * 0.01)
        self.relay.say(seat, message)


def careless(relay: Relay) -> Bend:
    """Swallows every third message with entries, saying only that there is more; the others come thrice."""
    count = 0

    def bend(seat: int, message: TableMessage) -> Iterable[Message]:
        nonlocal count
        if isinstance(message, Entries) and message.entries:
            count += 1
            if count % 3 == 0:
                view = relay.table.view(0.0)
                return (Have(view.height, view.head),)
        return (message,) * 3

    return bend


def babbling(relay: Relay) -> Bend:
    """Repeats the beginning of the ledger before everything new; once play has begun it says besides that it
    is far ahead and that everybody has gone."""
    opening, height = tuple(relay.scene.script.entries[:6]), relay.scene.height

    def bend(seat: int, message: TableMessage) -> Iterable[Message]:
        if not isinstance(message, Entries) or not message.entries:
            return (message,)
        if relay.table.view(0.0).height <= height + 3:
            return (Entries(0, opening), message)
        gone = (Presence(seat, "quit"), Presence((seat + 1) % 3, "quit"))
        return (Entries(0, opening), message, Have(5_000, bytes(32)), *gone)

    return bend


async def played_out(
    folder: Path, script: Script, bad: int, way: Callable[[Relay], Bend], reports: list[Report]
) -> None:
    """Plays the hand to its end through such a relay, and closes the table; adds what is found in it to
    `reports`."""
    async with star(folder, script, bad) as relay:
        relay.bend = way(relay)
        honest = relay.scene.honest
        async with trio.open_nursery() as nursery:
            for seat, session in honest.items():
                nursery.start_soon(partial(play, session, random.Random(seat), hands=1))
        assert relay.scene.run.errors == {}
        for session in honest.values():
            assert table(session).closed, way.__name__
            assert table(session).stopped is None
    one, other = ledgers(folder, [NAMES[seat] for seat in honest])
    assert one == other
    reports.append(report_of(one))


async def test_a_hand_is_played_through_whatever_relay(tmp_path: Path) -> None:
    """Several tables at once, for they spend their time waiting."""
    dealt = standing(Phase.DEAL)
    bad = dealt.writer()
    reports: list[Report] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(played_out, tmp_path / "shuffled", dealt, bad, Shuffled, reports)
        nursery.start_soon(played_out, tmp_path / "babbling", dealt, bad, babbling, reports)
        nursery.start_soon(played_out, tmp_path / "careless", standing(Phase.COMMIT), 0, careless, reports)
    found = [(report.status, report.closed, len(report.records)) for report in reports]
    assert found == [("fair", True, 1)] * 3


# What it cannot pass off as another's.


def of(script: Script, seat: int, message: TableMessage) -> bool:
    """Whether the message carries entries of that seat."""
    return isinstance(message, Entries) and any(parse_entry(raw).seat == seat for raw in message.entries)


@pytest.mark.parametrize("where", ["signature", "payload"])
async def test_an_altered_entry_costs_the_relay_its_link(tmp_path: Path, where: str) -> None:
    """The victim blames nobody, breaks off, comes back, and gets the entry as it was signed."""
    script = standing(Phase.COMMIT)
    bad = script.writer()
    first, second = ((bad + step) % 3 for step in (1, 2))
    altered = 0

    def bend(seat: int, message: TableMessage) -> Iterable[Message]:
        nonlocal altered
        if seat == second and of(script, first, message) and altered < 2:
            assert isinstance(message, Entries)
            altered += 1
            at = -1 if where == "signature" else 100
            raw = bytearray(message.entries[-1])
            raw[at] ^= 1
            return (Entries(message.first, (*message.entries[:-1], bytes(raw))),)
        return (message,)

    async with star(tmp_path, script, bad, bend) as relay:
        with waiting():
            await until(relay.scene.honest[second], lambda s: table(s).height > script.state.height + 2)
        assert altered == 2
        assert [seat for seat, _ in relay.ends].count(second) == 2
        relay.scene.goes_on()


async def test_what_is_withheld_is_only_late(tmp_path: Path) -> None:
    """The shuffle of one honest seat is kept from the other: that one waits and blames nobody."""
    script = standing(Phase.SHUFFLE)
    bad = script.writer()
    first, second = ((bad + step) % 3 for step in (1, 2))
    height = script.state.height

    def bend(seat: int, message: TableMessage) -> Iterable[Message]:
        hidden = isinstance(message, Have | Entries) and seat == second
        late = isinstance(message, Have) and message.height > height + 1
        return () if hidden and (late or of(script, first, message)) else (message,)

    async with star(tmp_path, script, bad, bend) as relay:
        honest = relay.scene.honest
        with waiting():
            await until(honest[first], partial(is_at, height=height + 2))
            await until(honest[second], partial(is_at, height=height + 1))
            await until(honest[second], lambda s: table(s).awaited_since is not None)
        view = table(honest[second])
        assert (view.height, view.due.seat if view.due else None) == (height + 1, first)
        relay.scene.goes_on()
        relay.bend = straight
        await relay.scene.reach(height + 3)
        relay.scene.goes_on()


async def test_two_tails_are_found_out_when_the_others_meet(tmp_path: Path) -> None:
    """Each honest seat holds another shuffle of the relay; apart they cannot know, together they do."""
    script = standing(Phase.SHUFFLE)
    bad, height = script.writer(), script.state.height
    left, right = two_shuffles(script)
    first, second = ((bad + step) % 3 for step in (1, 2))
    shown = {first: left, second: right}

    def bend(seat: int, message: TableMessage) -> Iterable[Message]:
        match message:
            case Entries(first=start) if start >= height or not message.entries:
                return ()
            case Have() | Get():
                return (Have(height, script.state.head),) if isinstance(message, Have) else ()
            case _:
                return (message,)

    async with star(tmp_path, script, bad, bend) as relay:
        honest = relay.scene.honest
        for seat, raws in shown.items():
            relay.say(seat, Entries(height, raws))
        with waiting():
            await until(honest[first], partial(is_at, height=height + 2))  # it shuffled on what it was shown
            await until(honest[second], partial(is_at, height=height + 1))
        relay.scene.goes_on()
        relay.say(second, relay.addresses[first])
        report = await relay.scene.convicted(Code.FORK)
        assert report.fault is not None
        assert report.fault.seat == bad


# A ledger cut short.


async def test_a_short_ledger_is_made_whole_not_believed(tmp_path: Path) -> None:
    script = standing(Phase.REVEAL)
    async with stage(tmp_path, script, script.writer()) as scene:
        wires = await scene.wires()
        cut = scene.height - 9
        wires[0].say(Have(cut, script.entries[cut - 1][:32]), Get(cut))
        answer = await wires[0].hears(Entries)
        assert list(answer.entries) == script.entries[cut : scene.height]
        scene.goes_on()
        assert {table(session).height for session in scene.honest.values()} == {scene.height}


async def test_who_goes_on_from_a_short_ledger_has_forked(tmp_path: Path) -> None:
    """The last discard was a mistake: it signs another one, as if the ledger ended before it."""
    script = standing(Phase.PLAY)
    bad = script.writer()
    other = script.clone()
    other.step(lambda view, legal: legal[-1])
    script.step(lambda view, legal: legal[0])
    assert script.entries[-1] != other.entries[-1]
    async with stage(tmp_path, script, bad, cut=len(script.entries)) as scene:
        await scene.show(other.entries[-1], first=len(script.entries) - 1)
        await scene.convicted(Code.FORK)


@pytest.mark.parametrize(("cut", "status", "hands"), [(0, "fair", 2), (1, "fair", 2), (60, "incomplete", 1)])
def test_a_file_cut_short_does_not_pass_for_whole(cut: int, status: str, hands: int) -> None:
    """What is cut off at a result nobody can see from the file: it says that it is not closed."""
    script = standing(Phase.SETTLE)
    script.next_hand()
    script.play_hand()
    script.leave()
    entries = script.entries[: len(script.entries) - cut]
    report = verify(parse_file(ledger_bytes(script.descriptor.raw, entries)), proofs=False)
    assert (report.status, len(report.records), report.closed) == (status, hands, cut == 0)
    assert report.height == len(entries)
