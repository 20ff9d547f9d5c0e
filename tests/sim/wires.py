"""The links of a simulated match: up and down, slow, lossy, out of order where the plan says so."""

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial

from tests.sim.heap import Heap
from tests.sim.plan import PAIRS, Plan
from tests.sim.player import Player
from tongits_lan.ledger.messages import Message, decode_message, encode_message
from tongits_lan.ledger.table import Table, TableMessage
from tongits_lan.limits import SILENCE_SECONDS

Pair = tuple[int, int]
encode = lru_cache(maxsize=512)(encode_message)
"""What is flooded is the same message for two."""


@lru_cache(maxsize=512)
def decode(data: bytes) -> Message:
    """See `decode_message`; the messages of a table may come from either side."""
    return decode_message(data, from_server=True)


class Wires:
    """All links; a pair without one tries again until it has one."""

    def __init__(
        self, plan: Plan, heap: Heap, rng: random.Random, players: Sequence[Player], counts: Counter[str]
    ) -> None:
        self._plan = plan
        self._heap = heap
        self._rng = rng
        self._players = players
        self._counts = counts
        self._links: dict[Pair, int | None] = dict.fromkeys(PAIRS)
        self._blocked: dict[Pair, float] = {}
        self._deaf: dict[Pair, float] = {}
        """(source, to) -> until when nothing comes through."""
        self._arrivals: dict[Pair, float] = {}
        self._epochs = itertools.count(1)
        self._healed = False

    def heal(self) -> None:
        """From now on no message is lost, doubled or overtaken, and no link is cut."""
        self._healed = True
        self._blocked.clear()
        self._deaf.clear()
        for pair in PAIRS:
            self.connect(pair)

    def is_up(self, pair: Pair) -> bool:
        """Whether there is a link."""
        return self._links[pair] is not None

    def cut(self, pair: Pair, seconds: float) -> None:
        """Break a link, if it is up, and keep it down for its time."""
        self._counts["cuts"] += self._links[pair] is not None
        self._block(pair, seconds)
        self.break_off(pair)

    def deafen(self, source: int, to: int, seconds: float) -> None:
        """Let nothing through in one direction; whoever hears nothing for too long ends the link."""
        self._counts["deaf"] += 1
        pair = _pair(source, to)
        epoch = self._links[pair]
        self._deaf[source, to] = self._heap.now + seconds
        if seconds > SILENCE_SECONDS:
            self._block(pair, seconds)
            if epoch is not None:
                self._heap.after(SILENCE_SECONDS, partial(self.break_off, pair, only=epoch))

    def _block(self, pair: Pair, seconds: float) -> None:
        until = self._heap.now + seconds
        self._blocked[pair] = max(until, self._blocked.get(pair, 0.0))
        self._heap.after(seconds, partial(self.connect, pair))

    def connect(self, pair: Pair) -> None:
        """Put up a link if there is none and both programs run; else try again later."""
        ends = [self._players[seat] for seat in pair]
        up = self._links[pair] is not None
        if up or pair == self._plan.missing or self._blocked.get(pair, 0.0) > self._heap.now:
            return
        if not all(end.running for end in ends):
            self._heap.after(2.0, partial(self.connect, pair))
            return
        self._counts["links"] += 1
        epoch = self._links[pair] = next(self._epochs)
        for end, other in zip(ends, reversed(pair), strict=True):
            self._arrivals.pop((end.seat, other), None)
            if self._links[pair] == epoch:  # the first end may have died of it
                self._up(end, other, epoch)

    def break_off(self, pair: Pair, gone: Player | None = None, *, only: int | None = None) -> None:
        """A link is down (`only` this one); what is under way on it is lost. `gone` is the side that died."""
        epoch = self._links[pair]
        if epoch is None or only not in (None, epoch):
            return
        self._links[pair] = None
        for seat, other in (pair, pair[::-1]):
            if self._players[seat] is not gone:
                self._down(self._players[seat], other, epoch)
        if gone is None:
            self._heap.after(self._rng.uniform(0.0, 4.0), partial(self.connect, pair))

    def vanish(self, gone: Player) -> None:
        """The machine of a seat is gone without a word: the others hear nothing, and notice after a while."""
        for pair in PAIRS:
            epoch = self._links[pair]
            if gone.seat not in pair or epoch is None:
                continue
            self._links[pair] = None
            (other,) = (self._players[seat] for seat in pair if seat != gone.seat)
            self._heap.after(SILENCE_SECONDS, partial(self._down, other, gone.seat, epoch))

    def _up(self, end: Player, other: int, epoch: int) -> None:
        def up(table: Table) -> None:
            end.linked[other] = epoch
            table.link_up(other, end.clock)

        end.in_life(up)()

    def _down(self, end: Player, other: int, epoch: int) -> None:
        def down(table: Table) -> None:
            if end.linked.get(other) == epoch:  # a sleeper may hear of it after the next link is up
                del end.linked[other]
                table.link_down(other, end.clock)

        end.in_life(down)()

    def post(self, source: int, to: int, message: TableMessage) -> None:
        """A program sends a message."""
        epoch = self._links[_pair(source, to)]
        if epoch is None:
            return
        self._counts["messages"] += 1
        if self._happens(self._plan.drop):
            self._counts["dropped"] += 1
            return
        for _ in range(2 if self._happens(self._plan.double) else 1):
            self._send(source, to, epoch, encode(message))

    def _happens(self, share: float) -> bool:
        return not self._healed and self._rng.random() < share

    def _send(self, source: int, to: int, epoch: int, data: bytes) -> None:
        receiver = self._players[to]
        when = max(self._heap.now, self._deaf.get((source, to), 0.0))
        when += self._rng.uniform(0.0001, self._plan.slowest_message)
        if self._healed or not self._plan.jumbled:
            when = max(when, self._arrivals.get((source, to), 0.0))
        self._arrivals[source, to] = when

        def arrive(table: Table) -> None:
            if self._links[_pair(source, to)] != epoch:
                return
            message = decode(data)
            assert isinstance(message, TableMessage)
            table.receive(source, message, receiver.clock)

        self._heap.at(when, receiver.in_life(arrive))


def _pair(one: int, other: int) -> Pair:
    return (min(one, other), max(one, other))
