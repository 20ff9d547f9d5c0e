"""Entries from other seats: what becomes of each, in whatever order and from whomever they come.

Owns the entries that wait for a verdict on a proof and those behind them, and what is done about entries
that do not fit. Must not know: secrets, what the own seat wants to write, time.
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from tongits_lan.errors import UNSIGNED_CODES, Code, Fault, PeerFault
from tongits_lan.ledger.book import Book, Elsewhere, Noise, Proven, Same
from tongits_lan.ledger.effects import Outbox
from tongits_lan.ledger.jobs import Workshop
from tongits_lan.ledger.state import LedgerEvent, NotJudged
from tongits_lan.ledger.sync import Sync
from tongits_lan.limits import CHAT_MAX, ENTRIES_PER_MESSAGE, ENTRY_MAX, SEATS

Accepted = Callable[[bytes, int, tuple[LedgerEvent, ...]], None]
Convicted = Callable[[Proven, int], None]


class Intake:
    """Feeds `book` with what linked seats send.

    `accepted(raw, source, events)` is called after each new entry, `convicted(proven, source)` when an entry
    convicts a seat (or, with the code `opening`, stops the table).
    """

    def __init__(
        self,
        book: Book,
        sync: Sync,
        workshop: Workshop,
        box: Outbox,
        accepted: Accepted,
        convicted: Convicted,
    ) -> None:
        self._book = book
        self._sync = sync
        self._workshop = workshop
        self._box = box
        self._accepted = accepted
        self._convicted = convicted
        self._pending: tuple[bytes, int] | None = None
        self._parked: dict[int, list[tuple[bytes, int]]] = {}
        self._stopped = False

    @property
    def pending(self) -> bool:
        """Whether the entry of the next height is here and waits for a verdict."""
        return self._pending is not None

    @property
    def expected(self) -> int:
        """The first height that is neither held nor parked."""
        height = self._book.height
        if self._pending is not None:
            height += 1
            while height in self._parked:
                height += 1
        return height

    def stop(self) -> None:
        """Take nothing more."""
        self._stopped = True
        self._pending = None
        self._parked.clear()

    def entries(self, seat: int, first: int, raws: Sequence[bytes]) -> None:
        """Entries from height `first` on, as the seat sent them."""
        answered = self._sync.answered(seat, first, len(raws))
        if first > self.expected:
            self._sync.ask_once(seat, self.expected)
            return
        for height, raw in enumerate(raws, first):
            if not self._one(seat, height, raw):
                return
        if answered and raws:
            self._sync.more(seat, self.expected)

    def judged(self) -> None:
        """A verdict is known: go on with the entry that waited for it and with those behind it."""
        if self._pending is None:
            return
        (raw, source), self._pending = self._pending, None
        good = self._new(source, raw)
        self._drain()
        if not good:
            self._parked.clear()  # what stood behind it came from somewhere else; it will be asked for
        if not self._stopped:
            for seat in self._sync.linked:
                self._sync.more(seat, self.expected)

    def _drain(self) -> None:
        """Take the parked entries that have become due, until one has to wait."""
        while not self._stopped and self._pending is None and self._parked:
            height = min(self._parked)
            if height > self._book.height:
                return
            for raw, source in self._parked.pop(height):
                self._one(source, height, raw)

    def _one(self, seat: int, height: int, raw: bytes) -> bool:
        """Take one entry; False if nothing after it in the same message can be of use."""
        if self._stopped:
            return False
        if height < self._book.height:
            return self._old(seat, height, raw)
        if self._pending is not None:
            return self._park(seat, height, raw)
        return self._new(seat, raw)

    def _park(self, seat: int, height: int, raw: bytes) -> bool:
        if height >= self._book.height + ENTRIES_PER_MESSAGE or len(raw) > ENTRY_MAX:
            return False
        if height == self._book.height and self._pending is not None and self._pending[0] == raw:
            return True
        kept = self._parked.setdefault(height, [])
        if len(kept) < SEATS and all(raw != other for other, _ in kept):
            kept.append((raw, seat))
        return True

    def _new(self, seat: int, raw: bytes) -> bool:
        height = self._book.height
        try:
            events = self._book.append(raw, self._workshop.judge)
        except NotJudged as question:
            self._pending = (raw, seat)
            self._workshop.ask(question.claims)
            return True
        except PeerFault as fault:
            self._faulty(seat, raw, fault)
            return False
        self._sync.matched(seat, height)
        self._accepted(raw, seat, events)
        return True

    def _faulty(self, seat: int, raw: bytes, fault: PeerFault) -> None:
        height, unsigned = self._book.height, Fault(fault.code, fault.text)
        if fault.code not in UNSIGNED_CODES:
            self._convicted(Proven(fault, height, (raw,)), seat)
        elif fault.code is Code.CHAIN:
            self._turn_away(seat, height, self._book.unlinked(raw, unsigned))
        else:
            self._refuse(seat, height, unsigned)

    def _old(self, seat: int, height: int, raw: bytes) -> bool:
        found = self._book.compare(height, raw)
        if isinstance(found, Same):
            self._sync.matched(seat, height)
            return True
        self._turn_away(seat, height, found)
        return False

    def _turn_away(self, seat: int, height: int, found: Noise | Elsewhere | Proven) -> None:
        match found:
            case Noise(fault):
                self._refuse(seat, height, fault)
            case Elsewhere(fault):
                self._elsewhere(seat, height, fault)
            case Proven():
                self._convicted(found, seat)
            case _:
                assert_never(found)

    def _elsewhere(self, seat: int, height: int, fault: Fault) -> None:
        """The chains part below this height: look for the place, unless the sender contradicts itself."""
        if not self._sync.step_back(seat, height):
            self._refuse(seat, height, fault)

    def _refuse(self, seat: int, height: int, fault: Fault) -> None:
        self._box.reject(seat, height, fault)
        self._box.close.append((seat, f"sent an entry that nobody signed ({fault})"[:CHAT_MAX]))
