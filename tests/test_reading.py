"""A kept ledger is read in a thread: the screen lives meanwhile, and says what it waits for.

A pipe in place of the evidence file holds the reading up for as long as a test likes: a session that read in
its own loop would stand still with it.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from tests.hostile.stage import lay_down, waiting
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script
from tests.sessions import at_table, config, free_port, lobby, runner, table, until
from tests.system import on_posix
from tongits_lan.errors import Code, Exit, UserError
from tongits_lan.ledger.files import evidence_bytes
from tongits_lan.ledger.messages import EndHand
from tongits_lan.ledger.state import Phase
from tongits_lan.net.config import SessionConfig
from tongits_lan.net.session import Session, host_session, join_session

pytestmark = on_posix


def held_up(folder: Path, script: Script, seat: int) -> Path:
    """The files of a seat whose table cannot be read to its end before something is written into the pipe."""
    lay_down(folder, script, seat, script.entries)
    (ledger,) = (folder / NAMES[seat] / "tables").glob("*.tongits")
    pipe = ledger.with_suffix(".evidence")
    os.mkfifo(pipe)
    return pipe


def let_go(pipe: Path, data: bytes) -> None:
    """Writes it; in a thread, for it waits until somebody reads."""
    pipe.write_bytes(data)


def guest(made: SessionConfig) -> Session:
    return join_session(replace(made, address=f"127.0.0.1:{free_port()}"))  # where nobody is


@pytest.mark.parametrize("opened", [host_session, guest])
async def test_the_view_lives_while_a_table_is_read(
    tmp_path: Path, opened: Callable[[SessionConfig], Session]
) -> None:
    script = standing(Phase.PLAY)
    pipe = held_up(tmp_path, script, 0)
    bad = script.writer()
    proof = evidence_bytes(script.descriptor.raw, script.entries, [script.sign(EndHand())])
    async with runner() as run:
        session = run.start(opened(config(tmp_path, NAMES[0])))
        with waiting():
            await until(session, lambda s: lobby(s).message is not None)
            told = lobby(session).message
            assert told is not None
            assert told.startswith("Reading the table of ")
            assert not at_table(session)
            await trio.to_thread.run_sync(let_go, pipe, proof)
            await until(session, at_table)
        stop = table(session).stopped
        assert stop is not None
        assert (stop.code, stop.seat) == (Code.PHASE, bad)
        assert run.errors == {}


async def test_the_link_over_which_a_table_came_waits_until_it_is_read(tmp_path: Path) -> None:
    """The host is at the table already: what it says meanwhile is for the seat there."""
    script = standing(Phase.PLAY)
    bad = script.writer()
    mine, host_ = ((bad + step) % 3 for step in (1, 2))
    lay_down(tmp_path, script, host_, script.entries)
    pipe = held_up(tmp_path, script, mine)
    proof = evidence_bytes(script.descriptor.raw, script.entries, [script.sign(EndHand())])
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, NAMES[host_])))
        with waiting():
            await until(host, at_table)
            session = run.start(join_session(config(tmp_path, NAMES[mine], address=host.listening[0])))
            await until(session, lambda s: lobby(s).message is not None)
            await until(host, lambda s: table(s).links[mine].kind == "direct")
            assert not at_table(session)
            await trio.to_thread.run_sync(let_go, pipe, proof)
            for one in (session, host):  # the proof was shown over that very link, or the next
                await until(one, lambda s: at_table(s) and table(s).stopped)
        assert run.errors == {}


async def test_a_session_can_be_left_while_it_reads(tmp_path: Path) -> None:
    pipe = held_up(tmp_path, standing(Phase.PLAY), 0)
    async with runner() as run:
        session = run.start(host_session(config(tmp_path, NAMES[0])))
        with waiting():
            await until(session, lambda s: lobby(s).message is not None)
            await run.stop(session)
        assert run.errors == {}
        again = host_session(replace(config(tmp_path, NAMES[0]), fresh=True))  # nothing is locked any more
        again.close()
    let_go(pipe, b"")  # the thread that was left behind


async def test_evidence_that_proves_nothing_is_told(tmp_path: Path) -> None:
    script = standing(Phase.PLAY)
    pipe = held_up(tmp_path, script, 0)
    pipe.unlink()
    pipe.write_bytes(b"nothing")
    async with runner() as run:
        session = run.start(host_session(config(tmp_path, NAMES[0])))
        with waiting():
            await run.ended(session)
        error = run.errors[session]
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.FAILED
        assert "tongits verify" in error.text
