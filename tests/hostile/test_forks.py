"""Two entries for one height: shown to different seats, late, or from further up; and what it is good for."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.cheating import held
from tests.hostile.stage import Stage, Wire, lay_down, rejected, stage, waiting
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.sessions import table, until
from tongits_lan.deck.shuffle import join
from tongits_lan.errors import Code
from tongits_lan.game.engine import right
from tongits_lan.game.moves import Draw
from tongits_lan.ledger.accept import result_now
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import (
    Commit,
    Entries,
    ForfeitHand,
    Get,
    Have,
    HideSet,
    LeaveTable,
    NextHand,
    Open,
    Ready,
    ShuffleDeck,
    Sit,
    ThrowCard,
)
from tongits_lan.ledger.state import Phase

Two = tuple[tuple[bytes, ...], tuple[bytes, ...]]
"""Two continuations of one ledger, by one seat."""


def two_commits(script: Script) -> Two:
    body = script.due_body()
    assert isinstance(body, Commit)
    return (script.sign(body),), (script.sign(Commit(body.c[::-1], body.A, body.labels)),)


def two_shuffles(script: Script) -> Two:
    body = script.due_body()
    assert isinstance(body, ShuffleDeck)
    turned = ShuffleDeck(body.deck[32:] + body.deck[:32])
    return (script.sign(body),), (script.sign(turned),)


def ready_or_not(script: Script) -> Two:
    return (script.sign(Ready()),), (script.sign(ForfeitHand()),)


def two_discards(script: Script) -> Two:
    seat = script.writer()
    one, two = held(script, seat)[:2]
    k = script.secrets(seat).k
    return (script.sign(ThrowCard(one, k[one])),), (script.sign(ThrowCard(two, k[two])),)


def two_turns(script: Script) -> Two:
    """One of three entries, the other of one."""
    seat = script.writer()
    k, slots = script.secrets(seat).k, held(script, seat)
    long, short = script.clone(), script.sign(ThrowCard(slots[9], k[slots[9]]))
    long.write(HideSet(slots[:4]))
    long.write(HideSet(slots[4:8]))
    long.write(ThrowCard(slots[8], k[slots[8]]))
    return tuple(long.entries[-3:]), (short,)


def stay_or_go(script: Script) -> Two:
    result = result_now(script.state)
    return (script.sign(NextHand(result)),), (script.sign(LeaveTable(result)),)


WAYS: list[tuple[Phase, Callable[[Script], Two]]] = [
    (Phase.COMMIT, two_commits),
    (Phase.SHUFFLE, two_shuffles),
    (Phase.READY, ready_or_not),
    (Phase.PLAY, two_discards),
    (Phase.PLAY, two_turns),
    (Phase.SETTLE, stay_or_go),
]
ways = pytest.mark.parametrize(("phase", "make"), WAYS, ids=lambda value: getattr(value, "__name__", None))


def signed_once(scene: Stage, wires: Iterable[Wire]) -> None:
    """Whatever an honest seat said to anybody or keeps: one payload for each of its heights, each of which
    descends from the one before."""
    seen: dict[tuple[int, int], set[bytes]] = {}
    raws = [raw for wire in wires for message in wire.of(Entries) for raw in message.entries]
    for session in scene.honest.values():
        assert session.ledger_path is not None
        raws += parse_file(session.ledger_path.read_bytes()).entries
        raws += parse_file(scene.evidence(session)).entries
    for raw in raws:
        entry = parse_entry(raw)
        seen.setdefault((entry.seat, entry.height), set()).add(entry.payload)
    for (seat, height), payloads in seen.items():
        assert seat == scene.bad or len(payloads) == 1, f"{NAMES[seat]} signed twice at {height}"


async def forked(scene: Stage, wires: Sequence[Wire]) -> int | None:
    """Both honest seats have stopped with the same proof, and have signed nothing twice: whom it convicts."""
    report = await scene.convicted(Code.FORK, "two signed entries")
    signed_once(scene, wires)
    return None if report.fault is None else report.fault.seat


@ways
async def test_one_to_each(tmp_path: Path, phase: Phase, make: Callable[[Script], Two]) -> None:
    script = standing(phase)
    left, right = make(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(scene.height, left))
        wires[1].say(Entries(scene.height, right))
        assert await forked(scene, wires) == scene.bad


@ways
async def test_both_to_one(tmp_path: Path, phase: Phase, make: Callable[[Script], Two]) -> None:
    script = standing(phase)
    left, right = make(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        wire = await scene.show(*left)
        wire.say(Entries(scene.height, right))
        assert await forked(scene, [wire]) == scene.bad


async def test_the_second_shown_much_later(tmp_path: Path) -> None:
    """Both honest seats have shuffled after the first: neither shuffles the second."""
    script = standing(Phase.SHUFFLE)
    left, right = two_shuffles(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(scene.height, left))
        await scene.reach(scene.height + 3)
        scene.goes_on()
        wires[1].say(Entries(scene.height, right))
        assert await forked(scene, wires) == scene.bad


@asynccontextmanager
async def parted(folder: Path) -> AsyncIterator[tuple[Stage, tuple[Wire, Wire], tuple[bytes, ...]]]:
    """The honest seats have gone on after a short turn of the bad one; it also has a long one at hand, whose
    last entry lies two heights further up, where they hold what another seat wrote."""
    script = standing(Phase.PLAY)
    long, short = two_turns(script)
    async with stage(folder, script, script.writer()) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(scene.height, short))
        await scene.reach(scene.height + 1)
        following = next(s for s in scene.honest.values() if table(s).me == right(scene.bad))
        following.submit(Draw())
        await scene.reach(scene.height + 3)  # it drew, and the other gave its key
        yield scene, wires, long


async def test_the_end_of_another_chain_is_followed_down_to_where_it_parts(tmp_path: Path) -> None:
    """Only the last entry of the other chain is sent; its beginning is asked for."""
    async with parted(tmp_path) as (scene, wires, long):
        wires[1].say(Entries(scene.height + 2, long[2:]))
        asked = await wires[1].hears(Get)
        assert asked.first < scene.height
        wires[1].say(Entries(asked.first, (*scene.script.entries, *long)[asked.first :]))
        assert await forked(scene, wires) == scene.bad


async def test_the_end_of_a_chain_nobody_can_show_stops_nothing(tmp_path: Path) -> None:
    async with parted(tmp_path) as (scene, wires, long):
        wires[1].say(Entries(scene.height + 2, long[2:]))
        asked = await wires[1].hears(Get)
        wires[1].say(Entries(asked.first, ()), Entries(scene.height + 2, long[2:]), Get(scene.height))
        answer = await wires[1].hears(Entries, times=len(wires[1].of(Entries)) + 1)
        assert [parse_entry(raw).seat for raw in answer.entries][:2] == [scene.bad, right(scene.bad)]
        scene.goes_on()


async def test_who_contradicts_itself_on_one_link_loses_it(tmp_path: Path) -> None:
    """It shows that it holds the entry below, then one that follows another."""
    async with parted(tmp_path) as (scene, _wires, long):
        wire = await scene.wire(scene.first)
        held = await wire.hears(Have)
        wire.say(held, Entries(scene.height + 2, long[2:]))
        await wire.gone()
        assert rejected(wire) == [Code.CHAIN]
        scene.goes_on()


@pytest.mark.parametrize("apart", [False, True], ids=["to-one", "one-to-each"])
async def test_the_next_entry_after_another_own_one_is_a_fork_by_itself(tmp_path: Path, apart: bool) -> None:
    """The entry it follows is never shown; whose own last one is no ancestor of it has forked."""
    script = standing(Phase.PLAY)
    long, short = two_turns(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(scene.height, short))
        await scene.reach(scene.height + 1)
        wires[apart].say(Entries(scene.height + 1, long[1:2]))
        assert await forked(scene, wires) == scene.bad


async def test_another_table_signed_with_the_nonce_of_this_one(tmp_path: Path) -> None:
    """A second `sit` or another opened nonce at the same height is a fork like any other."""
    script = standing(Phase.SIT)
    body = script.due_body()
    assert isinstance(body, Sit)
    left, right = script.sign(body), script.sign(Open(script.nonces[0]))
    async with stage(tmp_path, script, 0) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(0, (left,)))
        await scene.reach(2)
        wires[1].say(Entries(0, (right,)))
        assert await forked(scene, wires) == scene.bad


# What a fork is good for: a second input for a mask that was used.


def used_on(script: Script) -> tuple[Script, int]:
    """After the first two shuffles, and the seat whose shuffle came second: its files know the input."""
    script = script.clone()
    script.step(lambda view, legal: legal[0])
    victim = script.writer()
    script.step(lambda view, legal: legal[0])
    return script, victim


@pytest.mark.parametrize("again", [True, False], ids=["the-same-deck", "another-deck"])
async def test_a_ledger_that_lost_its_end_is_no_way_to_a_second_shuffle(tmp_path: Path, again: bool) -> None:
    """The victim's disk lost its last entries, the cheater offers it a deck to shuffle once more."""
    start = standing(Phase.SHUFFLE)
    bad, height = start.writer(), start.state.height
    left, right = two_shuffles(start)
    later, victim = used_on(start)
    assert later.entries[height] == left[0]
    async with stage(tmp_path, later, bad, cut=height) as scene:
        wires = await scene.wires()
        wires[0].say(Entries(height, left if again else right))
        mine = scene.honest[victim]
        if again:
            await scene.reach(height + 2)
            path = mine.ledger_path
            assert path is not None
            assert parse_file(path.read_bytes()).entries[height + 1] == later.entries[height + 1]
        else:
            await scene.reach(height + 1)
            with waiting():
                await until(mine, lambda s: table(s).secrets_lost)
            assert table(mine).height == height + 1
        scene.goes_on()


def test_the_decks_of_a_second_input_would_show_the_order() -> None:
    """Why all this matters: the same mask on two decks of known ratio gives the permutation away."""
    script = standing(Phase.SHUFFLE)
    left, right = two_shuffles(script)
    decks = []
    for raws in (left, right):
        branch = script.clone()
        branch.put(raws[0])
        body = branch.due_body()
        assert isinstance(body, ShuffleDeck)
        decks.append([body.deck[at : at + 32] for at in range(0, len(body.deck), 32)])
    victim = branch.writer()
    order = branch.secrets(victim).p
    found = [decks[0].index(element) for element in decks[1]]
    assert [order[place] for place in found] == [(source + 1) % len(order) for source in order]
    assert join(decks[0]) != join(decks[1])


def test_files_of_a_seat_are_written_as_the_program_does(tmp_path: Path) -> None:
    """The stage is no easier than the world: a seat that signed keeps its seed and what it was used on."""
    later, victim = used_on(standing(Phase.SHUFFLE))
    lay_down(tmp_path, later, victim, later.entries)
    kept = sorted(path.name for path in (tmp_path / NAMES[victim]).glob("*/*"))
    assert [name.rpartition(".")[2] for name in kept] == ["secret", "tongits"]
