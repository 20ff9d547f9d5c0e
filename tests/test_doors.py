"""Who comes into a lobby and who goes: codes, questions, known keys, asking to leave, the countdown."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.sessions import (
    Runner,
    at_table,
    code_of,
    config,
    events_until,
    lobby,
    runner,
    seated,
    table,
    until,
)
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.ledger.chain import public_bytes
from tongits_lan.net.events import SessionEvent
from tongits_lan.net.session import LinkNote, Session, SessionConfig, host_session, join_session
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.known import Known, load_known, save_known

WRONG = "10-abaka-abaka"
STRANGER = public_bytes(Ed25519PrivateKey.from_private_bytes(b"x" * 32))


def closed(folder: Path, name: str, address: str | None = None, **changes: Any) -> SessionConfig:
    """A session that asks for a code, or is asked for one."""
    return replace(config(folder, name, address=address, words=True), open_table=False, **changes)


async def note_with(channel: trio.MemoryReceiveChannel[SessionEvent], word: str) -> str:
    while True:
        note = (await events_until(channel, LinkNote))[-1]
        assert isinstance(note, LinkNote)
        if word in note.text:
            return note.text


async def failure(run: Runner, session: Session) -> UserError:
    await run.ended(session)
    error = run.errors.pop(session)
    assert isinstance(error, UserError)
    return error


async def test_a_code_is_asked_for_and_a_wrong_one_again(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(closed(tmp_path, "Ana")))
        notes = host.subscribe()
        ben = run.start(join_session(closed(tmp_path, "Ben", host.listening[0])))
        await until(ben, lambda s: lobby(s).needs_code)
        question = lobby(ben).question
        assert question is not None
        assert (question.asks, question.name, question.pk) == ("code", "Ana", host.identity_pk)
        with pytest.raises(Refused, match="no join code"):
            ben.enter_code("42 nonsense")
        with pytest.raises(Refused):
            ben.accept()
        ben.enter_code(WRONG if code_of(host) != WRONG else "11-abaka-abaka")
        assert "Ben" in await note_with(notes, "wrong join code")
        await until(ben, lambda s: lobby(s).needs_code)
        question = lobby(ben).question
        assert question is not None
        assert question.asks == "wrong code"
        assert len(lobby(host).seats) == 1
        ben.enter_code(code_of(host).upper().replace("-", " "))
        await until(host, lambda s: len(lobby(s).seats) == 2)
        await until(ben, lambda s: lobby(s).me == 1)
        assert lobby(ben).question is None
        assert lobby(ben).code is None  # only its host reads it aloud
        assert code_of(host) not in repr(lobby(host))
        assert run.errors == {}


async def test_a_code_given_before_is_used(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(closed(tmp_path, "Ana", code="42 Mangga Bituin")))
        assert code_of(host) == "42-mangga-bituin"
        run.start(
            join_session(closed(tmp_path, "Ben", host.listening[0], code="42-mangga-bituin", asks=False))
        )
        await until(host, lambda s: len(lobby(s).seats) == 2)
        wrong = run.start(join_session(closed(tmp_path, "Eve", host.listening[0], code=WRONG, asks=False)))
        error = await failure(run, wrong)
        assert error.exit_code == Exit.NO_TABLE
        assert "abaka" not in error.text
        none = run.start(join_session(closed(tmp_path, "Eve", host.listening[0], asks=False)))
        assert "--code" in (await failure(run, none)).text
    with pytest.raises(UserError) as caught:
        join_session(closed(tmp_path, "Ben", "127.0.0.1:1", code="nonsense"))
    assert caught.value.exit_code == Exit.USAGE


async def test_wrong_codes_use_it_up_and_friends_hear_the_new_one(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(closed(tmp_path, "Ana")))
        notes = host.subscribe()
        first = code_of(host)
        address = host.listening[0]
        async with trio.open_nursery() as nursery:
            for number in range(5):
                made = closed(tmp_path, f"Eve{number}", address, code=WRONG, asks=False)
                guest = run.start(join_session(made))
                nursery.start_soon(run.ended, guest)
        assert set(map(str, run.errors.values())) == {
            "That is not the join code of Ana's table: ask the host to read it again."
        }
        run.errors.clear()
        assert "new one" in await note_with(notes, "5 times")
        assert code_of(host) != first
        busy = run.start(join_session(closed(tmp_path, "Ben", address, code=code_of(host), asks=False)))
        assert "Too many wrong codes" in (await failure(run, busy)).text


async def test_an_open_table_is_asked_about_once(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        assert lobby(host).code is None
        ben = run.start(join_session(closed(tmp_path, "Ben", host.listening[0])))
        await until(ben, lambda s: lobby(s).question is not None)
        question = lobby(ben).question
        assert question is not None
        assert question.asks == "open"
        assert len(lobby(host).seats) == 1
        ben.accept()
        await until(host, lambda s: len(lobby(s).seats) == 2)
        strict = run.start(
            join_session(closed(tmp_path, "Carlo", host.listening[0], code="42-mangga-bituin"))
        )
        assert "no code though" in (await failure(run, strict)).text
        quiet = run.start(join_session(closed(tmp_path, "Carlo", host.listening[0], asks=False)))
        assert "--open" in (await failure(run, quiet)).text


async def test_friends_are_known_after_a_table(tmp_path: Path) -> None:
    """Their keys are remembered by name with the hands; bots are not."""
    async with runner() as run:
        sessions = await seated(run, tmp_path, words=True)
        for session in sessions:
            session.set_ready(True)
        for session in sessions:
            await until(session, lambda s: at_table(s) and table(s).words is not None)
        people = load_known(tmp_path / "Ben").people
        assert {person.name for person in people.values()} == {"Ana", "Carlo"}
        assert sessions[1].identity_pk not in people
        await run.stop(sessions[0])
        host = run.start(host_session(replace(config(tmp_path, "Ana", words=True), fresh=True)))
        made = closed(tmp_path, "Ben", host.listening[0], fresh=True)
        run.start(join_session(made))  # an open table of somebody known: nobody is asked
        await until(host, lambda s: len(lobby(s).seats) == 2)
        person = lobby(host).seats[1].known
        assert person is not None
        assert (person.name, person.finished, person.left) == ("Ben", 0, 0)
        assert person.first_met <= person.last_met <= int(time.time())


def knows(folder: Path, owner: str, name: str) -> None:
    """The player has met somebody of that name, with another key."""
    load_or_make_identity(folder / owner)
    save_known(folder / owner, Known().met(STRANGER, name, 1))


async def test_a_host_whose_name_comes_with_another_key_is_asked_about(tmp_path: Path) -> None:
    knows(tmp_path, "Ben", "ana")
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        ben = run.start(join_session(config(tmp_path, "Ben", address=host.listening[0], words=True)))
        await until(ben, lambda s: lobby(s).question is not None)
        question = lobby(ben).question
        assert question is not None
        assert (question.asks, question.pk) == ("other key", host.identity_pk)
        ben.accept()
        await until(host, lambda s: len(lobby(s).seats) == 2)
        await until(ben, lambda s: lobby(s).me == 1)
        ben.set_ready(True)  # it was said once


async def test_a_guest_whose_name_comes_with_another_key_stops_the_host(tmp_path: Path) -> None:
    knows(tmp_path, "Ana", "Ben")
    knows(tmp_path, "Carlo", "Ben")
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        notes = host.subscribe()
        host.set_ready(True)
        run.start(join_session(config(tmp_path, "Ben", address=host.listening[0], words=True)))
        assert "another key" in await note_with(notes, "Ben")
        await until(host, lambda s: lobby(s).doubts == (1,))
        assert not lobby(host).seats[0].ready
        with pytest.raises(Refused, match="another key"):
            host.set_ready(True)
        host.accept()
        assert lobby(host).doubts == ()
        host.set_ready(True)
        with pytest.raises(Refused, match="nothing"):
            host.accept()
        carlo = run.start(join_session(config(tmp_path, "Carlo", address=host.listening[0], words=True)))
        await until(carlo, lambda s: lobby(s).doubts == (1,))
        with pytest.raises(Refused, match="another key"):
            carlo.set_ready(True)
        carlo.accept()
        carlo.set_ready(True)
        assert run.errors == {}


async def test_asked_to_leave(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        for place in (0, 3, -1):
            with pytest.raises(Refused):
                host.kick(place)
        with pytest.raises(Refused, match="Only the host"):
            ben.kick(2)
        host.kick(1)
        error = await failure(run, ben)
        assert error.text == "Ana asked you to leave the table."
        assert error.exit_code == Exit.NO_TABLE
        await until(host, lambda s: [seat.name for seat in lobby(s).seats] == ["Ana", "Carlo"])
        again = run.start(join_session(config(tmp_path, "Ben", address=host.listening[0], words=True)))
        assert "asked you to leave" in (await failure(run, again)).text
        await until(carlo, lambda s: len(lobby(s).seats) == 2)


async def test_a_guest_leaves_for_good_and_a_host_closes_the_lobby(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        ben.leave_lobby()
        await run.ended(ben)
        await until(host, lambda s: len(lobby(s).seats) == 2)
        host.leave_lobby()
        await run.ended(host)
        error = await failure(run, carlo)
        assert error.text == "Ana closed the table before it began."
        assert run.errors == {}


async def test_a_countdown_begins_anew_twice_at_most(tmp_path: Path) -> None:
    """Whoever toggles on and on does not keep the others waiting for ever."""
    async with runner() as run:
        sessions = []
        host = run.start(host_session(replace(config(tmp_path, "Ana", words=True), countdown=60)))
        sessions = [host]
        for name in ("Ben", "Carlo"):
            guest = run.start(join_session(config(tmp_path, name, address=host.listening[0], words=True)))
            await until(guest, lambda s: lobby(s).me is not None)
            sessions.append(guest)
        ben = sessions[1]
        for session in sessions:
            session.set_ready(True)
        for _ in range(3):
            await until(host, lambda s: not at_table(s) and lobby(s).countdown is not None)
            ben.set_ready(False)
            await until(host, lambda s: lobby(s).countdown is None)
            ben.set_ready(True)
        for session in sessions:
            await until(session, at_table)
        assert run.errors == {}
