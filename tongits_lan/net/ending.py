"""Who of a table knows that it is over: that decides when a seat may go home, and whom it has yet to tell.

Owns what the others said of how far they are and that they leave. Must not know links, files or time.
"""

from tongits_lan.ledger.chain import Descriptor
from tongits_lan.ledger.messages import Have, Message, Presence
from tongits_lan.ledger.table import Table
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS


class Ending:
    """What the seat `me` knows of the two others in that."""

    def __init__(self, me: int, descriptor: Descriptor, table: Table) -> None:
        self._me = me
        self._people = [s for s, seat in enumerate(descriptor.seats) if seat.operator_pk == seat.pk]
        self._table = table
        self._heads: dict[int, tuple[int, bytes]] = {}
        """How far each seat said it is."""
        self._gone: set[int] = set()
        """Seats that said they go home and have not come back."""

    def linked(self, seat: int) -> None:
        """A link to `seat` is up."""
        self._gone.discard(seat)

    def heard(self, seat: int, message: Message) -> None:
        """A message came over the link to `seat`."""
        match message:
            case Presence(seat=who, state="quit"):
                self._gone.add(who)
            case Have(height=height, head=head):
                self._heads[seat] = (height, head)
            case _:
                pass

    def all_know(self, view: TableView, linked: tuple[int, ...]) -> bool:
        """Whether each of the others holds what ended this table, or has said that it goes home."""
        if view.called_off is not None:
            return set(linked).isdisjoint(self._table.unaware)
        if view.stopped is not None:
            return self._gone.issuperset(self._table.uninformed)
        return len({*linked, *self._gone}) == SEATS - 1 and view.level

    def is_done(self, seat: int, view: TableView) -> bool:
        """Whether that seat has gone home and held the last entry."""
        return seat in self._gone and self._heads.get(seat) == (view.height, view.head)

    def untold(self, view: TableView) -> tuple[int, ...]:
        """The seats of people not known to have the last entry of the closed table, the proof for which it
        stopped, or the word that it was called off."""
        if view.called_off is not None:
            return tuple(seat for seat in self._people if seat in self._table.unaware)
        if view.stopped is not None:
            return tuple(seat for seat in self._people if seat in self._table.uninformed)
        own = (view.height, view.head)
        return tuple(seat for seat in self._people if seat != self._me and self._heads.get(seat) != own)
