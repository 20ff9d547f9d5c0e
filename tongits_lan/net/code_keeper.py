"""An open lobby outlives a kill of its host: who waits there need not be told another code, and that of a
next table still follows the same one with the same people.

Owns for how long and for which lobby that is so. Must not know who joins, nor how a code is tried.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import trio

from tongits_lan.errors import Refused, UserError
from tongits_lan.net.base import Base
from tongits_lan.net.config import Again, SessionConfig
from tongits_lan.net.join_code import Gate, normalise
from tongits_lan.store.journal import pending_tables
from tongits_lan.store.lobby_code import Followed, LobbyCode, drop_code, load_code, save_code

KEPT_SECONDS = 300  # after a lobby was last open; guests look for it for a minute
_AGAIN_SECONDS = 60.0  # between two notes that it is open
_log = logging.getLogger(__name__)


class CodeKeeper:
    """Keeps the code of the lobby of one session. `wall`: Unix seconds."""

    def __init__(self, base: Base, wall: Callable[[], float] = time.time) -> None:
        self._base = base
        self._port = int(base.addresses()[0].rpartition(":")[2])
        self._wall = wall

    def gate(self) -> Gate:
        """The gate of a new lobby: with the code its host chose, else the one kept, else a fresh one. Raises
        Refused for a chosen one that is none."""
        chosen = self._base.config.code
        code = self._recalled() if chosen is None else normalise(chosen)
        return Gate(self._base.config.entropy, self._base.note, code=code)

    def _recalled(self) -> str | None:
        """The code of this player's lobby that was open a moment ago at this very port: another program of
        his that still runs holds its port."""
        kept = _open_lately(self._base.config.data_dir, self._wall())
        if kept is None or kept.port != self._port:
            return None
        try:
            return normalise(kept.code)
        except Refused:  # a file that somebody has changed
            return None

    async def run(self, gate: Gate, over: trio.Event) -> None:
        """Keeps the code as it is now; forgets it when the lobby is over. One that is cancelled before may be
        opened again."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep, gate)
            await over.wait()
            self._forget()  # at once: the session may end with its lobby
            nursery.cancel_scope.cancel()

    async def _keep(self, gate: Gate) -> None:
        while True:
            code = gate.code
            kept = LobbyCode(code, self._port, int(self._wall()), _followed(self._base.config.again))
            try:
                save_code(self._base.config.data_dir, kept)
            except UserError as error:  # no game hangs on it
                _log.warning("the join code could not be kept: %s", error)
            with trio.move_on_after(_AGAIN_SECONDS):
                while gate.code == code:
                    await self._base.herald.wait_changed()

    def _forget(self) -> None:
        try:
            drop_code(self._base.config.data_dir)
        except UserError as error:
            _log.warning("the join code could not be forgotten: %s", error)


def reopening(
    config: SessionConfig, pk: bytes, wall: Callable[[], float] = time.time
) -> SessionConfig | None:
    """What the host `pk` opens who was killed a moment ago in the lobby of a next table: that lobby, if its
    port is free (`again.port`). None where there was none, or its table has begun."""
    kept = _open_lately(config.data_dir, wall())
    if kept is None or kept.follows is None or pk not in kept.follows.seats:
        return None
    if config.open_table or config.again is not None or config.port not in (None, kept.port):
        return None
    path = config.data_dir / "tables" / kept.follows.ledger
    for table in pending_tables(config.data_dir, pk, stopped=True):
        if table.path != path and table.descriptor.unix_seconds >= kept.unix_seconds:
            return None  # killed just before the lobby was forgotten: it is that table that goes on
    again = Again(path, kept.follows.seats, kept.follows.tag, addresses=(), port=kept.port)
    return replace(config, fresh=True, again=again)


def _open_lately(data_dir: Path, now: float) -> LobbyCode | None:
    """The lobby of this player that was open a moment ago, at whatever port."""
    kept = load_code(data_dir)
    return kept if kept is not None and 0 <= now - kept.unix_seconds <= KEPT_SECONDS else None


def _followed(again: Again | None) -> Followed | None:
    return None if again is None else Followed(again.path.name, again.tag, again.seats)
