"""How three ledgers become level: who holds how much, what to ask for, and where two of them part.

Owns what is known of the ledgers of the linked seats and the questions sent to them (docs/protocol.md,
"Replication"). Must not know: what entries mean, secrets, sockets.
"""

from collections.abc import Sequence

from tongits_lan.ledger.book import Book
from tongits_lan.ledger.effects import Outbox, one_message
from tongits_lan.ledger.messages import Entries, Get, Have
from tongits_lan.limits import GET_BACK_STEPS, HAVE_SECONDS, HEADS_SECONDS


class Peer:
    """What is known of the ledger of one linked seat."""

    def __init__(self) -> None:
        self.announced: tuple[int, bytes] | None = None
        """The height and head of its last `have`."""
        self.common = 0
        """Entries it is known to hold that are the own ones."""
        self.asked: int | None = None
        """The first height of the `get` that is on its way."""
        self.steps = 0
        """How many times it was asked lower because its entries did not continue the own ledger."""


class Sync:
    """The ledgers of the linked seats against the own one, which is `book`."""

    def __init__(self, book: Book, box: Outbox) -> None:
        self._book = book
        self._box = box
        self._peers: dict[int, Peer] = {}
        self._next_have = 0.0
        self._compared_at: float | None = None

    @property
    def linked(self) -> tuple[int, ...]:
        """The seats with a live link, ascending."""
        return tuple(sorted(self._peers))

    @property
    def level(self) -> bool:
        """Whether every linked seat is known to hold what this one holds, and no more."""
        return all(
            peer.common == self._book.height and (peer.announced is None or peer.announced[0] <= peer.common)
            for peer in self._peers.values()
        )

    def link_up(self, seat: int) -> None:
        """A new link: nothing is known of the other side yet."""
        self._peers[seat] = Peer()
        self._box.send(seat, self._have())

    def link_down(self, seat: int) -> None:
        """The link is gone."""
        self._peers.pop(seat, None)

    def have(self, seat: int, message: Have, expected: int) -> None:
        """A linked seat told how far it is; `expected` is the first height neither held nor parked."""
        peer = self._peers[seat]
        peer.announced = (message.height, message.head)
        if self._book.holds(message.height, message.head):
            peer.common = max(peer.common, message.height)
        elif message.height > self._book.height:
            if message.height > expected:
                self.ask(seat, expected)
        else:  # it holds another entry somewhere below
            self.ask(seat, max(0, message.height - GET_BACK_STEPS[0]))

    def ask(self, seat: int, first: int) -> None:
        """Ask for entries from `first` on."""
        self._peers[seat].asked = first
        self._box.send(seat, Get(first))

    def ask_once(self, seat: int, first: int) -> None:
        """Ask unless the answer to a question is still on its way."""
        if self._peers[seat].asked is None:
            self.ask(seat, first)

    def answer(self, seat: int, message: Get) -> int:
        """Send what fits into one message, from the height asked for on; the height where that ends."""
        raws = one_message(self._book.entries, message.first)
        self._box.send(seat, Entries(message.first, raws))
        return message.first + len(raws)

    def answered(self, seat: int, first: int, count: int) -> bool:
        """Entries came; True if they are the answer to a question (then more may be asked for)."""
        peer = self._peers[seat]
        if peer.asked is None or not first <= peer.asked <= first + count:
            return False
        peer.asked = None
        return True

    def more(self, seat: int, expected: int) -> None:
        """Ask on if the seat announced more than is held or parked here."""
        peer = self._peers.get(seat)
        if peer is not None and peer.announced is not None and peer.announced[0] > expected:
            self.ask_once(seat, expected)

    def matched(self, seat: int, height: int) -> None:
        """The seat is known to hold the own entry of this height."""
        peer = self._peers.get(seat)
        if peer is not None:
            peer.common = max(peer.common, height + 1)
            peer.steps = 0

    def step_back(self, seat: int, height: int) -> bool:
        """Ask lower after an entry of `height` that follows another beginning; False if there is no lower."""
        peer = self._peers.get(seat)
        if peer is None:
            return True
        if peer.common >= height or peer.steps >= len(GET_BACK_STEPS):
            return False  # it holds the own entry just below, or nothing is lower
        step = GET_BACK_STEPS[peer.steps]
        peer.steps += 1
        self.ask(seat, max(0, height - step))
        return True

    def flood(self, height: int, raw: bytes, source: int | None) -> None:
        """Send an entry to every linked seat but the one it came from."""
        for seat in self.linked:
            if seat != source:
                self._box.send_entry(seat, height, raw)

    def announce(self) -> None:
        """Tell every linked seat how far this one is."""
        for seat in self.linked:
            self._box.send(seat, self._have())

    def _have(self) -> Have:
        return Have(self._book.height, self._book.state.head)

    def tick(self, now: float) -> bool:
        """Announce when it is time; True if it was."""
        if now < self._next_have:
            return False
        self._next_have = now + HAVE_SECONDS
        self.announce()
        return True

    def deadline(self, *, comparing: bool) -> float:
        """When to be ticked again, in seconds of the caller's clock."""
        if not comparing or self._compared_at is None:
            return self._next_have
        return min(self._next_have, self._compared_at + HEADS_SECONDS)

    def compared(self, now: float, others: Sequence[int]) -> bool:
        """Whether the own ledger was compared with enough others to sign on after it came from a store.

        With one other seat; with both if the second is there within HEADS_SECONDS.
        """
        agreeing = [seat for seat in others if self._agrees(seat)]
        if not agreeing:
            self._compared_at = None
            return False
        if self._compared_at is None:
            self._compared_at = now
        return len(agreeing) == len(others) or now >= self._compared_at + HEADS_SECONDS

    def _agrees(self, seat: int) -> bool:
        peer = self._peers.get(seat)
        return peer is not None and peer.announced is not None and self._book.holds(*peer.announced)
