"""The table that three people of a lobby have not finished: offered before they begin another one.

Owns which one that is. Must not know links, nor how a table goes on.
"""

from datetime import UTC, datetime

from tongits_lan.limits import SEATS
from tongits_lan.net.base import Base
from tongits_lan.net.lobby import Lobby
from tongits_lan.store.journal import PendingTable, pending_tables


class Unfinished:
    """Looks among the tables of one player; the one that his next table is to continue is left out."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._found: dict[frozenset[bytes], PendingTable | None] = {}

    def of(self, lobby: Lobby) -> PendingTable | None:
        """The newest unfinished table of exactly these three, whatever their seats there."""
        keys = frozenset(place.pk for place in lobby.places)
        if len(keys) != SEATS:
            return None
        if keys not in self._found:  # a lobby is shown again and again
            again = self._base.config.again
            tables = pending_tables(self._base.config.data_dir, self._base.identity.pk)
            self._found[keys] = next(
                (
                    table
                    for table in tables
                    if keys == {seat.pk for seat in table.descriptor.seats}
                    and (again is None or table.path != again.path)
                ),
                None,
            )
        return self._found[keys]

    def day(self, lobby: Lobby) -> str | None:
        """The day it began, as its ledger file is named by it."""
        table = self.of(lobby)
        if table is None:
            return None
        return datetime.fromtimestamp(table.descriptor.unix_seconds, UTC).date().isoformat()

    def told(self, raw: bytes, host_pk: bytes) -> PendingTable | None:
        """The unfinished table with that descriptor, if the host who tells it has a seat there."""
        me = self._base.identity.pk
        for table in pending_tables(self._base.config.data_dir, me, stopped=True):
            seated = any(seat.pk == host_pk for seat in table.descriptor.seats)
            if (
                table.descriptor.raw == raw and seated and not table.own_bots(me)
            ):  # those come with their host
                return table
        return None
