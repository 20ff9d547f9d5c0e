"""Real sessions on loopback for tests: opened, played, stopped and started again."""

import os
import random
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from tongits_lan.bots import choose
from tongits_lan.game.engine import view as seat_view
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.report import Report
from tongits_lan.ledger.verify import verify
from tongits_lan.ledger.views import TableView
from tongits_lan.net.config import Summons
from tongits_lan.net.session import (
    LobbyView,
    Session,
    SessionConfig,
    SessionEvent,
    host_session,
    join_session,
)

NAMES = ("Ana", "Ben", "Carlo")
PATIENCE = 60  # seconds; a test that waits longer hangs


def config(folder: Path, name: str, *, address: str | None = None, words: bool = False) -> SessionConfig:
    """A session whose data lies in a folder of its own; with `words` it waits for the table words."""
    return SessionConfig(
        name=name,
        data_dir=folder / name,
        entropy=os.urandom,
        address=address,
        waits_for_words=words,
        countdown=0,
        open_table=True,
    )


@dataclass
class Called:
    """A bot of a host that only sits down; what it does then is for the test to say."""

    name: str
    session: Session

    @property
    def pk(self) -> bytes:
        return self.session.identity_pk

    async def play(self) -> None:
        await self.session.run()

    def close(self) -> None:
        self.session.close()


def calling(folder: Path, came: list[Called]) -> Callable[[Summons], Called]:
    """Makes bots named Bot 1, Bot 2, .. and lists them in `came`."""

    def call(summons: Summons) -> Called:
        numbered = (f"Bot {number}" for number in range(1, 9))
        name = summons.name or next(one for one in numbered if one not in summons.taken)
        made = config(folder, name, address=f"127.0.0.1:{summons.port}")
        pk = summons.operator_pk
        came.append(Called(name, join_session(replace(made, operator_pk=pk, expect_pk=pk, asks=False))))
        return came[-1]

    return call


class Runner:
    """Sessions running in one nursery, each of which can be stopped and started again."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.nursery = nursery
        self.errors: dict[Session, BaseException] = {}
        self._scopes: dict[Session, trio.CancelScope] = {}
        self._done: dict[Session, trio.Event] = {}

    def start(self, session: Session) -> Session:
        """Runs a session in the background."""
        self._scopes[session] = trio.CancelScope()
        self._done[session] = trio.Event()
        self.nursery.start_soon(self._run, session)
        return session

    async def _run(self, session: Session) -> None:
        try:
            with self._scopes[session]:
                await session.run()
        except Exception as error:
            self.errors[session] = error
        finally:
            self._done[session].set()

    async def stop(self, session: Session) -> None:
        """Ends a session from outside, as closing the program does."""
        self._scopes[session].cancel()
        await self.ended(session)

    async def ended(self, session: Session) -> None:
        """Waits until the session has ended, in whatever way."""
        await self._done[session].wait()

    def is_over(self, session: Session) -> bool:
        return self._done[session].is_set()


@asynccontextmanager
async def runner() -> AsyncIterator[Runner]:
    """A Runner whose sessions all end with the block; a test that waits in vain tells what they ended of."""
    with trio.move_on_after(PATIENCE) as scope:
        async with trio.open_nursery() as nursery:
            run = Runner(nursery)
            yield run
            nursery.cancel_scope.cancel()
    assert not scope.cancelled_caught, f"nothing more came in {PATIENCE} s; sessions ended so: {run.errors}"


async def until(session: Session, holds: Callable[[Session], object]) -> None:
    """Waits until `holds(session)` is true, asking after each change of the session's view."""
    while not holds(session):
        await session.wait_changed()


async def until_kept(holds: Callable[[], object]) -> None:
    """Waits until `holds()` is true of what lies on the disk."""
    while not holds():  # noqa: ASYNC110 - a file says to nobody that it has changed
        await trio.sleep(0.02)


def lobby(session: Session) -> LobbyView:
    view = session.view
    assert isinstance(view, LobbyView)
    return view


def code_of(host: Session) -> str:
    """The join code its lobby shows."""
    code = lobby(host).code
    assert code is not None
    return code


def table(session: Session) -> TableView:
    view = session.view
    assert isinstance(view, TableView)
    return view


def is_at(session: Session, height: int) -> bool:
    return table(session).height >= height


def at_table(session: Session) -> bool:
    return isinstance(session.view, TableView)


def free_port() -> int:
    """A port nobody listens on now, away from those that sessions choose by themselves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def seated(
    run: Runner, folder: Path, *, words: bool = False, countdown: int | None = 0
) -> list[Session]:
    """Ana's table with Ben and Carlo in the lobby, nobody ready yet; `countdown` as in SessionConfig. Each
    has a port of its own, so that no other test takes that of a session between two runs."""

    def made(name: str, address: str | None = None) -> SessionConfig:
        options = config(folder, name, address=address, words=words)
        return replace(options, port=free_port(), countdown=countdown)

    host = run.start(host_session(made("Ana")))
    guests = []
    for place, name in enumerate(NAMES[1:], 1):
        guest = run.start(join_session(made(name, host.listening[0])))
        while len(lobby(host).seats) <= place:
            await host.wait_changed()
        guests.append(guest)
    for guest in guests:
        await until(guest, lambda s: len(lobby(s).seats) == 3)
    return [host, *guests]


async def begun(run: Runner, folder: Path, *, words: bool = False) -> list[Session]:
    """The same three at a table that has begun."""
    sessions = await seated(run, folder, words=words)
    for session in sessions:
        session.set_ready(True)
    for session in sessions:
        await until(session, at_table)
    return sessions


def again(folder: Path, name: str, *, address: str | None = None, words: bool = False) -> Session:
    """The session that the same command starts after the first one is gone."""
    made = config(folder, name, address=address, words=words)
    return host_session(made) if address is None else join_session(replace(made, address=address))


async def play(session: Session, rng: random.Random, *, hands: int = 1) -> None:
    """Plays the seat as a bot does and closes the table after `hands` hands."""
    while True:
        view = session.view
        if isinstance(view, TableView):
            if view.closed or view.stopped is not None:
                return
            if view.can_confirm_words:
                session.confirm_words()
                continue
            if view.legal:
                assert view.position is not None
                session.submit(choose(seat_view(view.position, view.me, view.faces), view.legal, rng))
                continue
            if view.can_go_on:
                if view.records_count < hands:
                    session.go_on()
                else:
                    session.leave_table()
                continue
        await session.wait_changed()


def ledgers(folder: Path, names: Sequence[str] = NAMES) -> list[bytes]:
    """The ledger files of the three, one each."""
    found = []
    for name in names:
        (path,) = (folder / name / "tables").glob("*.tongits")
        found.append(path.read_bytes())
    return found


def report_of(ledger: bytes) -> Report:
    """What the offline check says of a ledger."""
    return verify(parse_file(ledger), proofs=False)


async def events_until(
    channel: trio.MemoryReceiveChannel[SessionEvent], kind: type[SessionEvent]
) -> list[SessionEvent]:
    """Events up to the first of that kind."""
    heard: list[SessionEvent] = []
    async for event in channel:
        heard.append(event)
        if isinstance(event, kind):
            return heard
    raise AssertionError(f"no {kind.__name__} among {heard}")
