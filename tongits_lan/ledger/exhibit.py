"""What proves why a table stopped, shown to every seat that may not have seen it.

Owns the convicting entries of a stopped table and who is known to hold them. Must not know: how they were
found, files, sockets.
"""

from tongits_lan.ledger.book import Proven
from tongits_lan.ledger.effects import Outbox, TableMessage
from tongits_lan.ledger.messages import Entries, Reject
from tongits_lan.ledger.sync import Sync
from tongits_lan.limits import SEATS


class Exhibit:
    """Empty until something is `found` or, after a restart, `kept`."""

    def __init__(self, sync: Sync, box: Outbox) -> None:
        self._sync = sync
        self._box = box
        self._proven: Proven | None = None
        self._informed: set[int] = set()
        self._answered: set[int] = set()

    @property
    def is_open(self) -> bool:
        """Whether there is anything to show."""
        return self._proven is not None

    def found(self, proven: Proven, source: int | None) -> None:
        """An entry that came from the seat `source` (None: that this seat wrote) convicts another one.

        Of a fork all others are shown both entries, for each may hold either in good faith; of any other
        fault the entry itself, but for the seat it came from.
        """
        self._proven = proven
        for seat in self._sync.linked:
            if proven.forked or seat != source:
                self.show(seat)
        if source is not None:
            self._box.reject(source, proven.height, proven.fault)
            if not proven.forked:
                self._informed.add(source)

    def kept(self, proven: Proven) -> None:
        """It was found before a restart: who has seen it is not known any more."""
        self._proven = proven

    def show(self, seat: int) -> None:
        """Show a linked seat what there is; one that lacks the beginning of it will ask, see `answered`."""
        if self._proven is not None:
            for height, raw in self._proven.shown:
                self._box.send_entry(seat, height, raw)

    def answered(self, seat: int, end: int) -> None:
        """A linked seat was sent the entries it lacked, up to the height `end`."""
        if self._proven is not None and end >= self._proven.height:
            self.show(seat)

    def heard(self, seat: int, message: TableMessage) -> None:
        """A linked seat shows the same, or has refused what it was shown: it holds the proof. Who shows it is
        told once that it is held here, too."""
        if self._proven is None:
            return
        match message:
            case Reject(height=height) if height == self._proven.height:
                self._informed.add(seat)
            case Entries(entries=raws) if not set(raws).isdisjoint(self._proven.offending):
                if not self._proven.forked:
                    self._informed.add(seat)
                if seat not in self._answered:
                    self._answered.add(seat)
                    self._box.reject(seat, self._proven.height, self._proven.fault)
            case _:
                pass

    def uninformed(self, me: int) -> tuple[int, ...]:
        """The seats neither convicted nor `me` that are not known to hold the proof."""
        if self._proven is None:
            return ()
        aware = {me, self._proven.fault.seat, *self._informed}
        return tuple(seat for seat in range(SEATS) if seat not in aware)
