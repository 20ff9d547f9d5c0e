"""A table that is over: what can still be said there, and that nothing breaks when nothing can be done."""

import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from tests.cheats import CHEATS
from tests.hostile.stage import lay_down, open_link, waiting
from tests.make_ledgers import standing
from tests.sessions import NAMES, Runner, begun, config, is_at, lobby, play, runner, table, until
from tongits_lan.console.notices import say_proof
from tongits_lan.console.people import say_past
from tongits_lan.console.text_history import table_line
from tongits_lan.errors import Refused
from tongits_lan.game.moves import Draw
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.messages import Entries
from tongits_lan.ledger.verify import verify
from tongits_lan.net.events import ChatHeard, SessionEvent
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.history import read_history
from tongits_lan.store.identity import Identity
from tongits_lan.store.journal import closed_tables, pending_tables
from tongits_lan.store.known import Known, load_known, save_known

Act = Callable[[Session], object]

ACTS: Mapping[str, Act] = {
    "choose": lambda s: s.choose(bytes(8)),
    "set_ready": lambda s: s.set_ready(True),
    "add_bot": lambda s: s.add_bot(),
    "set_rules": lambda s: s.set_rules(PRESETS["pagat"]),
    "enter_code": lambda s: s.enter_code("10-abaka-abaka"),
    "accept": lambda s: s.accept(),
    "kick": lambda s: s.kick(1),
    "resume": lambda s: s.resume(),
    "leave_lobby": lambda s: s.leave_lobby(),
    "chat": lambda s: s.chat("gg"),
    "submit": lambda s: s.submit(Draw()),
    "confirm_words": lambda s: s.confirm_words(),
    "words_differ": lambda s: s.words_differ(),
    "go_on": lambda s: s.go_on(),
    "leave_table": lambda s: s.leave_table(),
    "give_up": lambda s: s.give_up(),
    "put_aside": lambda s: s.put_aside(),
    "play_again": lambda s: s.play_again(),
    "keep_waiting": lambda s: s.keep_waiting(),
    "part": lambda s: s.part(),
}
"""Everything a player can ask of a session."""
ASKS = {"subscribe", "wait_changed", "run", "close", "rule_sets", "played", "rtt_ms", "person"}
"""What only asks, or is the program's own."""


def test_every_action_is_among_those_tried() -> None:
    public = {name for name, member in inspect.getmembers(Session, inspect.isfunction) if name[0] != "_"}
    assert public == ACTS.keys() | ASKS


def refuse_all(session: Session, *but: str) -> None:
    """Asked outside of any trio run, as a screen does after the work behind it has ended."""
    for name in ACTS.keys() - set(but):
        with pytest.raises(Refused):
            ACTS[name](session)


def test_a_session_that_has_ended_refuses_every_action(tmp_path: Path) -> None:
    """In its lobby, in the middle of a table, and at a closed one, where alone the next table can follow."""
    ended: list[Session] = []

    async def in_the_lobby() -> None:
        async with runner() as run:
            host = run.start(host_session(config(tmp_path / "lobby", "Ana")))
            guest = run.start(join_session(config(tmp_path / "lobby", "Ben", address=host.listening[0])))
            await until(guest, lambda s: len(lobby(s).seats) == 2)
            ended.extend((host, guest))

    async def at_a_table() -> None:
        async with runner() as run:
            ended.extend(await begun(run, tmp_path / "table", words=True))
            await until(ended[-1], lambda s: table(s).can_confirm_words)

    async def at_a_closed_one() -> None:
        async with runner() as run:
            ended.extend(await closed(run, tmp_path / "closed", lingers=False))
            for session in ended:
                await run.ended(session)

    for scene, allowed in ((in_the_lobby, ()), (at_a_table, ()), (at_a_closed_one, ("play_again",))):
        ended.clear()
        trio.run(scene)
        for session in ended:
            refuse_all(session, *allowed)
            assert session.next_config is None
            if allowed:
                session.play_again()
                assert session.next_config is not None


async def closed(run: Runner, folder: Path, *, lingers: bool = True) -> list[Session]:
    """Three sessions at a table that they have played one hand at and closed."""
    made = [replace(config(folder, name), lingers=lingers) for name in NAMES]
    host = run.start(host_session(made[0]))
    sessions = [host]
    for one in made[1:]:
        sessions.append(run.start(join_session(replace(one, address=host.listening[0]))))
        await until(host, lambda s: len(lobby(s).seats) == len(sessions))
    for session in sessions:
        await until(session, lambda s: len(lobby(s).seats) == 3 and lobby(s).me is not None)
        session.set_ready(True)
    async with trio.open_nursery() as nursery:
        for number, session in enumerate(sessions):
            nursery.start_soon(play, session, random.Random(number))
    return sessions


async def says(channel: trio.MemoryReceiveChannel[SessionEvent], seat: int, text: str) -> None:
    with waiting():
        async for event in channel:
            if isinstance(event, ChatHeard):
                assert (event.seat, event.text) == (seat, text)
                return


async def test_friends_talk_at_a_closed_table_until_they_leave(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await closed(run, tmp_path)
        heard = [session.subscribe() for session in sessions]
        for session in sessions:
            await until(session, lambda s: all(how.kind in ("me", "direct") for how in table(s).links))
            await until(session, lambda s: table(s).level)
        for seat, session in enumerate(sessions):
            session.chat(f"gg from {seat}")
            for channel in heard:  # over its own link, behind the word that the table is closed there
                await says(channel, seat, f"gg from {seat}")
        for name, session in zip(NAMES, sessions, strict=True):
            assert not run.is_over(session)
            assert not pending_tables(tmp_path / name, session.identity_pk)
        await run.stop(sessions[2])  # closed by its player
        await until(sessions[0], lambda s: table(s).links[2] == Reach("away", left=True))
        sessions[1].part()
        await run.ended(sessions[1])
        await until(sessions[0], lambda s: table(s).links[1] == Reach("away", left=True))
        sessions[0].play_again()
        await run.ended(sessions[0])
        assert run.errors == {}
        for name, session in zip(NAMES, sessions, strict=True):
            assert not closed_tables(tmp_path / name, session.identity_pk)  # all know the end


async def test_the_next_table_is_found_past_one_who_still_reads_the_last(tmp_path: Path) -> None:
    """Ben stays; Ana opens the next table, and Carlo finds her though Ben's old table answers first."""
    async with runner() as run:
        ana, ben, carlo = await closed(run, tmp_path)
        await until(carlo, lambda s: table(s).level)
        for session in (ana, carlo):
            session.play_again()
            await run.ended(session)
        opened, joined = ana.next_config, carlo.next_config
        assert opened is not None
        assert joined is not None
        assert joined.again is not None
        host = run.start(host_session(opened))
        addresses = (ben.listening[0], host.listening[0])
        again = replace(joined.again, addresses=addresses)
        guest = run.start(join_session(replace(joined, address=None, again=again)))
        await until(host, lambda s: len(lobby(s).seats) == 2)
        await until(guest, lambda s: len(lobby(s).seats) == 2)
        assert not run.is_over(ben)
        assert run.errors == {}


async def test_who_was_cheated_can_talk_about_it(tmp_path: Path) -> None:
    way = next(way for way in CHEATS if way.name == "a-copied-mask")
    script = standing(way.phase)
    raw, bad = way.make(script), script.writer()
    entries = list(script.entries)
    while parse_entry(entries[-1]).seat == bad:
        entries.pop()
    seats = [seat for seat in range(3) if seat != bad]
    cheat = script.descriptor.seats[bad]
    for seat in seats:
        lay_down(tmp_path, script, seat, entries)
        save_known(tmp_path / NAMES[seat], Known().met(cheat.pk, cheat.name, 1))
    async with runner() as run:
        made = [replace(config(tmp_path, NAMES[seat]), lingers=True) for seat in seats]
        one = run.start(host_session(made[0]))
        other = run.start(join_session(replace(made[1], address=one.listening[0])))
        for session in (one, other):
            await until(session, lambda s: hasattr(s.view, "links") and is_at(s, len(entries)))
        await until(one, lambda s: table(s).links[seats[1]].kind == "direct")
        heard = other.subscribe()
        link = await open_link(one, Identity(script.keys[bad], script.descriptor.seats[bad].pk))
        with waiting():
            await link.receive()
            await link.send(Entries(len(entries), (*script.entries[len(entries) :], raw)))
            for session in (one, other):
                await until(session, lambda s: table(s).stopped is not None)
        one.chat("did you see that?")
        await says(heard, seats[0], "did you see that?")
        assert not run.is_over(one)
        await link.close()
        one.part()
        await run.ended(one)
        with pytest.raises(Refused):
            one.play_again()
        await run.stop(other)
    remembers_the_cheat(tmp_path / NAMES[seats[0]], one, bad)


def remembers_the_cheat(home: Path, session: Session, bad: int) -> None:
    """What is left of it once the screen is gone: a proof, a line of history, a word beside the name."""
    path = session.evidence_path
    assert path is not None
    assert path.exists()
    past = read_history(home, lambda file: verify(file, proofs=False))
    (past_table,) = past.tables
    assert (past_table.stop_code, past_table.stop_seat) == ("commit", bad)
    assert f"stopped: {NAMES[bad]}'s commitment does not fit" in table_line(past_table, "today")
    person = load_known(home).of(table(session).keys[bad])
    assert person is not None
    assert "stopped 1 table by a fault" in say_past(person)
    assert str(path) in say_proof(path)
    path.write_bytes(b"something else\n")  # and where it proves nothing the table is just not finished
    (past_table,) = read_history(home, lambda file: verify(file, proofs=False)).tables
    assert past_table.stop_code is None
    assert "not finished" in table_line(past_table, "today")
