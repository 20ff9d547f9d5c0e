"""Whether a player at this table says that the table words differ: then nothing is begun here.

Owns who says so, when that counts, and who is known to have heard it (docs/protocol.md, "Coin and words").
Must not know: how players compare words, files, sockets.
"""

from tongits_lan.ledger.effects import CalledOff, Outbox, Reach
from tongits_lan.ledger.messages import Differ
from tongits_lan.ledger.reach import Links
from tongits_lan.ledger.state import State
from tongits_lan.ledger.sync import Sync
from tongits_lan.limits import SEATS


class Dispute:
    """At the table of seat `me`. Unsigned: it can only end what has not begun."""

    def __init__(self, me: int, links: Links, sync: Sync, box: Outbox) -> None:
        self._me = me
        self._links = links
        self._sync = sync
        self._box = box
        self._aware: set[int] = set()
        self.by: int | None = None
        """The seat that says so; None: nobody does."""

    def raise_by(self, seat: int, state: State) -> bool:
        """The player of `seat` says so; False where that counts no more. Every linked seat is told, the one
        it was heard from included, so that this one knows that it is known here."""
        if self.by is not None or not _may_differ(state, seat):
            return False
        self.by = seat
        self._box.events.append(CalledOff(seat))
        for other in self._sync.linked:
            self.show(other)
        return True

    def heard(self, channel: int, message: Differ, state: State) -> None:
        """A linked seat says it, of itself or of another. Nobody else tells what this player has read."""
        if message.seat != self._me and self.by is None:
            self.raise_by(message.seat, state)
        if self.by is None:
            return
        self._aware.add(channel)
        third = self._links.third(channel)
        if self._links.reach(third) == Reach("through", channel):
            self._aware.add(third)  # for that one to tell, which knows whether it has

    def show(self, seat: int) -> None:
        """Tell a linked seat."""
        if self.by is not None:
            self._box.send(seat, Differ(self.by))

    @property
    def unaware(self) -> tuple[int, ...]:
        """The seats not known to have heard it; nobody where there is nothing to hear."""
        if self.by is None:
            return ()
        return tuple(seat for seat in range(SEATS) if seat not in {self._me, *self._aware})


def _may_differ(state: State, seat: int) -> bool:
    """Whether the player of `seat` has not begun: without his `commit` nobody has been dealt a card."""
    if state.records or state.closed:
        return False
    return state.hand is None or (state.hand.number == 1 and state.hand.commits[seat] is None)
