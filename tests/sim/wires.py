"""The links of a simulated match: up and down, slow, lossy, out of order where the plan says so."""

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

from tests.sim.heap import Heap
from tests.sim.plan import PAIRS, Cut, Plan
from tests.sim.player import Player
from tongits_lan.ledger.messages import decode_message, encode_message
from tongits_lan.ledger.table import Table, TableMessage

Pair = tuple[int, int]


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
        self._arrivals: dict[Pair, float] = {}
        self._epochs = itertools.count(1)
        self._healed = False

    def heal(self) -> None:
        """From now on no message is lost, doubled or overtaken, and no link is cut."""
        self._healed = True
        self._blocked.clear()
        for pair in PAIRS:
            self.connect(pair)

    def cut(self, cut: Cut) -> None:
        """Break a link and keep it down for its time."""
        self._blocked[cut.pair] = self._heap.now + cut.seconds
        self.break_off(cut.pair, None)
        self._heap.after(cut.seconds, partial(self.connect, cut.pair))

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

    def break_off(self, pair: Pair, gone: Player | None) -> None:
        """A link is down; what is under way on it is lost. `gone` is the side that died."""
        epoch = self._links[pair]
        if epoch is None:
            return
        self._links[pair] = None
        for seat, other in (pair, pair[::-1]):
            if self._players[seat] is not gone:
                self._down(self._players[seat], other, epoch)
        if gone is None:
            self._heap.after(self._rng.uniform(0.0, 4.0), partial(self.connect, pair))

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
            self._send(source, to, epoch, encode_message(message))

    def _happens(self, share: float) -> bool:
        return not self._healed and self._rng.random() < share

    def _send(self, source: int, to: int, epoch: int, data: bytes) -> None:
        receiver = self._players[to]
        when = self._heap.now + self._rng.uniform(0.0001, self._plan.slowest_message)
        if self._healed or not self._plan.jumbled:
            when = max(when, self._arrivals.get((source, to), 0.0))
        self._arrivals[source, to] = when

        def arrive(table: Table) -> None:
            if self._links[_pair(source, to)] != epoch:
                return
            message = decode_message(data, from_server=True)
            assert isinstance(message, TableMessage)
            table.receive(source, message, receiver.clock)

        self._heap.at(when, receiver.in_life(arrive))


def _pair(one: int, other: int) -> Pair:
    return (min(one, other), max(one, other))
