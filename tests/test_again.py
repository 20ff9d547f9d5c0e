"""The next table with the same people: in one key, chips carried over where the last one is not closed."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from tests.hostile.stage import lay_down
from tests.scripted import Script
from tests.sessions import (
    NAMES,
    Runner,
    at_table,
    begun,
    code_of,
    config,
    is_at,
    lobby,
    play,
    runner,
    table,
    until,
    until_kept,
)
from tests.test_messenger import one_hand
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.chain import build_descriptor, parse_descriptor
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.state import SeedCommitted, TableOpened
from tongits_lan.net.before import Past, check_start, continued, load_past, took_place
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session
from tongits_lan.store.journal import pending_tables
from tongits_lan.store.lobby_code import LobbyCode, load_code, save_code

TYPED = "10-abaka-abaka"  # the code of the first table, which its guests had to type


def following(session: Session) -> Session:
    """What the program opens after a session that asked for another one."""
    made = session.next_config
    assert made is not None
    return host_session(made) if session.hosts else join_session(made)


async def settled(sessions: list[Session]) -> None:
    async with trio.open_nursery() as nursery:
        for number, session in enumerate(sessions):
            nursery.start_soon(one_hand, session, random.Random(number))
    for session in sessions:
        await until(session, lambda s: table(s).level and all(r.kind != "away" for r in table(s).links))


async def next_one(run: Runner, sessions: list[Session]) -> list[Session]:
    """All three press the key."""
    for session in sessions:
        session.play_again()
    for session in sessions:
        await run.ended(session)
    after = [run.start(following(session)) for session in sessions]
    for session in after:
        await until(session, lambda s: not at_table(s) and len(lobby(s).seats) == 3)
    for session in after:
        session.set_ready(True)
    for session in after:
        await until(session, at_table)
    return after


def previous_of(session: Session) -> tuple[bytes, bytes] | None:
    assert session.ledger_path is not None
    raw = parse_file(session.ledger_path.read_bytes()).descriptor_raw
    assert raw is not None
    return parse_descriptor(raw).previous


def closed_door(made: SessionConfig) -> SessionConfig:
    return replace(made, open_table=False)


async def test_the_next_table_carries_the_chips_of_one_that_is_not_closed(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        match, table_id = table(sessions[0]).match, table(sessions[0]).table_id
        after = await next_one(run, sessions)
        assert run.errors == {}
        for session in after:
            await until(session, partial(is_at, height=9))
            reference = previous_of(session)
            assert reference is not None
            assert reference[0] == table_id
            assert table(session).match.chips == match.chips
            assert table(session).match.pot == match.pot
            assert table(session).dealer == match.dealer
            assert list(table(session).names) == list(NAMES)
        for name, session in zip(NAMES, after, strict=True):
            kept = pending_tables(tmp_path / name, session.identity_pk)
            assert [one.descriptor.table_id for one in kept] == [table(session).table_id]


async def test_each_presses_the_key_when_he_likes(tmp_path: Path) -> None:
    """A guest first, then the host: who has gone ahead waits for the next lobby; the others see that he has
    left, and follow."""
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        match = table(sessions[0]).match
        after: dict[int, Session] = {}
        for seat in (2, 0, 1):
            for gone in after:
                await until(sessions[seat], partial(has_left, seat=gone))
            sessions[seat].play_again()
            await run.ended(sessions[seat])
            after[seat] = run.start(following(sessions[seat]))
        for session in after.values():
            await until(session, lambda s: not at_table(s) and len(lobby(s).seats) == 3)
            session.set_ready(True)
        for session in after.values():
            await until(session, at_table)
            assert table(session).match == match
        assert run.errors == {}


def has_left(session: Session, seat: int) -> bool:
    return table(session).links[seat].left


async def test_after_a_closed_table_the_next_one_starts_from_zero(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        async with trio.open_nursery() as nursery:
            for number, session in enumerate(sessions):
                nursery.start_soon(play, session, random.Random(number))
        after = await next_one(run, sessions)
        assert run.errors == {}
        assert all(previous_of(session) is None for session in after)
        assert table(after[0]).match.chips == (0, 0, 0)


async def test_the_same_people_need_no_code_and_others_do(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        for session in sessions:
            session.play_again()
        for session in sessions:
            await run.ended(session)
        made = sessions[0].next_config
        assert made is not None
        host = run.start(host_session(closed_door(made)))
        assert lobby(host).code is not None
        guest = sessions[1].next_config
        assert guest is not None
        ben = run.start(join_session(closed_door(guest)))
        await until(ben, lambda s: len(lobby(s).seats) == 2)
        dora = run.start(join_session(closed_door(config(tmp_path, "Dora", address=host.listening[0]))))
        await until(dora, lambda s: lobby(s).needs_code)
        assert len(lobby(host).seats) == 2


async def in_the_next_lobby(run: Runner, sessions: list[Session]) -> list[Session]:
    """All three have pressed the key and wait behind a closed door."""
    after = []
    for session in sessions:
        session.play_again()
        await run.ended(session)
        made = session.next_config
        assert made is not None
        made = closed_door(made) if session.hosts else replace(closed_door(made), code=TYPED)
        after.append(run.start(host_session(made) if session.hosts else join_session(made)))
    for session in after:
        await until(session, lambda s: not at_table(s) and len(lobby(s).seats) == 3)
    return after


def host_once_more(folder: Path, before: Session, *, fresh: bool) -> Session:
    """What `tongits host` opens; the port is that of the session that was killed."""
    port = int(before.listening[0].rpartition(":")[2])
    return host_session(replace(closed_door(config(folder, "Ana")), port=port, fresh=fresh))


async def killed_and_back(run: Runner, folder: Path, host: Session, *, fresh: bool) -> Session:
    """The host of a lobby again, with the same code."""
    code = code_of(host)
    await until_kept(lambda: load_code(folder / "Ana") is not None)
    await run.stop(host)
    after = run.start(host_once_more(folder, host, fresh=fresh))
    assert code_of(after) == code
    return after


@pytest.mark.parametrize("fresh", [False, True], ids=["host", "menu"])
async def test_a_host_killed_in_the_next_lobby_is_back_in_it(tmp_path: Path, fresh: bool) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        match, table_id = table(sessions[0]).match, table(sessions[0]).table_id
        host, *guests = await in_the_next_lobby(run, sessions)
        host = await killed_and_back(run, tmp_path, host, fresh=fresh)
        await until(host, lambda s: [seat.name for seat in lobby(s).seats] == list(NAMES))
        for session in (host, *guests):
            await until(session, lambda s: len(lobby(s).seats) == 3 and lobby(s).message is None)
            assert lobby(session).question is None
            session.set_ready(True)
        for session in (host, *guests):
            await until(session, at_table)
            reference = previous_of(session)
            assert reference is not None
            assert reference[0] == table_id
            assert table(session).match == match
        assert run.errors == {}


async def test_so_it_is_after_a_closed_table(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        async with trio.open_nursery() as nursery:
            for number, session in enumerate(sessions):
                nursery.start_soon(play, session, random.Random(number))
        host, *guests = await in_the_next_lobby(run, sessions)
        host = await killed_and_back(run, tmp_path, host, fresh=False)
        await until(host, lambda s: len(lobby(s).seats) == 3)
        for session in guests:
            await until(session, lambda s: lobby(s).message is None)
            assert lobby(session).question is None
        assert run.errors == {}


async def test_a_next_table_that_began_counts_before_its_lobby(tmp_path: Path) -> None:
    """As a kill leaves it between the first byte of that table and the end of the lobby."""
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        waiting = await in_the_next_lobby(run, sessions)
        await until_kept(lambda: load_code(tmp_path / "Ana") is not None)
        kept = load_code(tmp_path / "Ana")
        assert isinstance(kept, LobbyCode)
        for session in waiting:
            session.set_ready(True)
        for session in waiting:
            await until(session, at_table)
        table_id = table(waiting[0]).table_id
        await run.stop(waiting[0])
        save_code(tmp_path / "Ana", kept)
        host = run.start(host_once_more(tmp_path, waiting[0], fresh=False))
        await until(host, at_table)
        assert table(host).table_id == table_id


async def test_the_next_lobby_is_another_program_s_while_that_runs(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
        await in_the_next_lobby(run, sessions)
        await until_kept(lambda: load_code(tmp_path / "Ana") is not None)
        second = host_session(closed_door(config(tmp_path, "Ana")))
        try:
            assert lobby(second).code is None  # the old table goes on there
        finally:
            second.close()


async def test_it_is_asked_for_after_a_hand_only(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        with pytest.raises(Refused, match="after a hand"):
            sessions[0].play_again()
        assert sessions[0].next_config is None
        sessions[0].put_aside()
        await run.ended(sessions[0])
        aside = run.start(following(sessions[0]))
        assert len(lobby(aside).seats) == 1
        kept = pending_tables(tmp_path / "Ana", aside.identity_pk)
        assert len(kept) == 1  # it can still go on
        sessions[1].put_aside()
        looks = sessions[1].next_config
        assert looks is not None
        assert (looks.address, looks.fresh) == (None, True)  # it is not the old table that he goes back to


async def test_a_start_that_is_not_the_outcome_is_refused(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        await settled(sessions)
    path = sessions[1].ledger_path
    assert path is not None
    past = load_past(path)
    assert isinstance(past, Past)
    before = past.as_it_stands()
    raw = parse_file(path.read_bytes()).descriptor_raw
    assert raw is not None
    old = parse_descriptor(raw)
    folder, pk = tmp_path / "Ben", sessions[1].identity_pk

    def check(
        start: object = before.outcome, previous: tuple[bytes, bytes] = before.reference, turn: int = 0
    ) -> None:
        first, second, third = (*old.seats[turn:], *old.seats[:turn])
        assert isinstance(start, type(before.outcome))
        made = build_descriptor(1, old.rules, (first, second, third), start, previous)
        again = continued(made, folder, pk)
        check_start(made, None if again is None else load_past(again))

    check()
    confirmed = Book(old, parse_file(path.read_bytes()).entries)
    assert list(past.heads) == confirmed.heads
    assert [past.at(height).outcome == before.outcome for height in (-2, -1)] == [False, True]
    with pytest.raises(Refused, match="another point"):  # the hand was not counted there yet
        check(previous=(before.table_id, confirmed.heads[-2]))
    chips = before.outcome.chips
    moved = msgspec.structs.replace(before.outcome, chips=(chips[1], chips[2], chips[0]))
    for wrong, sentence in (
        (partial(check, start=moved), "where the old one stands"),
        (partial(check, previous=(before.table_id, bytes(32))), "another point"),
        (partial(check, previous=(bytes(32), before.head)), "not unfinished here"),
        (partial(check, turn=1), "other people or seats"),
    ):
        with pytest.raises(Refused, match=sentence):
            wrong()


def test_a_table_with_nothing_in_the_pot_can_be_continued(tmp_path: Path) -> None:
    """So it is when the pot was won: the next ante of the old table is not the first one of a new table."""
    rules = msgspec.structs.replace(PRESETS["pagat"], ante_first=0, ante_next=0)
    script = Script("again", rules=rules)
    script.play_hand()
    assert (script.state.match.pot, script.state.match.ante) == (0, "next")
    lay_down(tmp_path, script, 1, script.entries)
    (path,) = (tmp_path / NAMES[1] / "tables").glob("*.tongits")
    past = load_past(path)
    assert isinstance(past, Past)
    before = past.as_it_stands()
    assert before.outcome.chips == script.state.match.chips
    made = build_descriptor(1, rules, script.descriptor.seats, before.outcome, before.reference)
    assert continued(made, tmp_path / NAMES[1], script.descriptor.seats[1].pk) == path
    check_start(made, past)


def test_the_table_before_is_over_when_the_words_are_compared(tmp_path: Path) -> None:
    """Who finds that they differ drops the new table and still has the old one."""
    script = Script("again")
    script.play_hand()
    lay_down(tmp_path, script, 1, script.entries)
    home, pk = tmp_path / NAMES[1], script.descriptor.seats[1].pk
    reference = (script.state.table_id, script.state.head)
    made = build_descriptor(1, script.rules, script.descriptor.seats, script.state.match, reference)
    for event in (TableOpened(("a", "b", "c", "d"), 0), SeedCommitted(0)):
        took_place(event, made, home, pk)
        assert len(pending_tables(home, pk)) == 1
    took_place(SeedCommitted(1), made, home, pk)
    assert pending_tables(home, pk) == []
