"""The join code of an open lobby outlives a kill of its host: who waits there need not be told another one.

Owns for how long and for which lobby that is so. Must not know who joins, nor how a code is tried.
"""

import logging
import time
from collections.abc import Callable

import trio

from tongits_lan.errors import Refused, UserError
from tongits_lan.net.base import Base
from tongits_lan.net.join_code import Gate, normalise
from tongits_lan.store.lobby_code import LobbyCode, drop_code, load_code, save_code

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
        kept = load_code(self._base.config.data_dir)
        if kept is None or kept.port != self._port:
            return None
        if not 0 <= self._wall() - kept.unix_seconds <= KEPT_SECONDS:
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
            try:
                save_code(self._base.config.data_dir, LobbyCode(code, self._port, int(self._wall())))
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
