"""From the end of a table to the end of its session: what is kept, who has to know it first, how long the
player stays.

Owns the order of these. Must not know messages, links, or what is shown.
"""

from collections.abc import Callable

import trio

from tongits_lan.ledger.table import Table
from tongits_lan.ledger.views import TableView
from tongits_lan.net.base import Base
from tongits_lan.net.ending import Ending
from tongits_lan.store.journal import Journal

LEVEL_SECONDS = 5.0  # how long a table that is over waits for the others to have what ended it


class Parting:
    """How one seat leaves its table; `view` and `linked` say how that stands now."""

    def __init__(
        self,
        base: Base,
        journal: Journal,
        table: Table,
        ending: Ending,
        view: Callable[[], TableView],
        linked: Callable[[], tuple[int, ...]],
    ) -> None:
        self._base = base
        self._journal = journal
        self._table = table
        self._ending = ending
        self._view = view
        self._linked = linked
        self._parted = trio.Event()
        self.over = trio.Event()
        """Set when the table is closed, stopped or called off."""

    def part(self) -> None:
        """The player has seen how the table ended and leaves it."""
        self._base.bridge.soon(self._parted.set)

    async def finished(self) -> None:
        """Returns when the table is over (closed, stopped or called off) and all know it, or LEVEL_SECONDS
        later; where its player lingers, when he parts. Who does not know it is told later (messenger.py)."""
        await self.over.wait()
        if not self._table.has_proof:  # a program that is killed now is to explain once more why it stopped
            self._keep()
        with trio.move_on_after(LEVEL_SECONDS):
            while not self._ending.all_know(self._view(), self._linked()):
                await self._base.herald.wait_changed()
        try:
            self._keep()
            if self._lingers():
                await self._parted.wait()
        finally:
            self._keep()  # some may have been told meanwhile

    @property
    def is_final(self) -> bool:
        """Whether nobody will go on at the table."""
        view = self._view()
        return view.closed or view.called_off is not None or self._table.has_proof

    def _lingers(self) -> bool:
        """Whether the player stays, to read and to talk to those who are still there."""
        has_read = self._view().called_off == self._journal.me
        return self._base.config.lingers and not has_read and not alone(self._base, self._journal)

    def _keep(self) -> None:
        """Keeps that the table is over, and who has yet to be told. Raises UserError."""
        view = self._view()
        if view.called_off is not None:
            self._journal.drop(view.called_off, self._ending.untold(view))
        elif self.is_final:
            self._journal.finish(self._ending.untold(view))


def alone(base: Base, journal: Journal) -> bool:
    """Whether all seats are this machine's: there is nobody to compare words with, nor to talk to."""
    return all(seat.operator_pk == base.identity.pk for seat in journal.descriptor.seats)
