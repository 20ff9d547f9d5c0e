"""One seat runs twice, each of the others linked to another copy: whatever happens, it alone is convicted.

That is what a liar looks like who shows two others different tails, and also what two programs with one key
would do if the store did not keep them apart.
"""

import random
from collections import deque
from itertools import pairwise

import pytest

from tests.circle import Circle, Shelf, height_of, lively, recorded
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import decode_message, encode_message
from tongits_lan.ledger.table import Table, TableMessage, TableView
from tongits_lan.ledger.verify import verify

FIRST, SECOND = "first copy", "second copy"


class Twins:
    """Seat `liar` twice, the honest seats once, links in a row: copy, honest, honest, copy."""

    def __init__(self, height: int, liar: int, seed: int) -> None:
        record = recorded()
        one, other = (seat for seat in range(3) if seat != liar)
        self.honest = (one, other)
        self.liar = liar
        self.rng = random.Random(f"twins {height} {liar} {seed}")
        self.seats: dict[str, int] = {FIRST: liar, "one": one, "other": other, SECOND: liar}
        self.shelves: dict[str, Shelf] = {
            name: record.shelf(seat, height) for name, seat in self.seats.items()
        }
        self.now = 100.0
        circle = Circle(f"{seed}", cast=record.cast, shelves=[Shelf(), Shelf(), Shelf()], links=())
        self.tables: dict[str, Table] = {}
        for name, seat in self.seats.items():
            circle.shelves[seat] = self.shelves[name]
            circle.cast.label = f"twins {name} {seed}"  # copies draw different secrets
            self.tables[name] = circle.make(seat, loaded=True)
            self.tables[name].start(self.now)
        circle.cast.label = record.cast.label
        row = (FIRST, "one", "other", SECOND)
        self.queues: dict[tuple[str, str], deque[bytes]] = {}
        for near, far in pairwise(row):
            self.queues[near, far] = deque()
            self.queues[far, near] = deque()
            self.tables[near].link_up(self.seats[far], self.now)
            self.tables[far].link_up(self.seats[near], self.now)

    def collect(self, name: str) -> bool:
        effects = self.tables[name].take()
        self.shelves[name].apply(effects.store)
        for to, message in effects.send:
            for near, far in self.queues:
                if near == name and self.seats[far] == to:
                    self.queues[near, far].append(encode_message(message))
        for job in effects.jobs:
            self.tables[name].finish(job, job(), self.now)
        return bool(effects)

    def run(self, most: int = 3_000) -> bool:
        """Deliver, play and wait in random order until both honest seats have stopped (True), or the hand
        is settled and all is quiet (False)."""
        for _ in range(most):
            for name in self.tables:
                while self.collect(name):
                    pass
            if all(self.view(name).stopped is not None for name in ("one", "other")):
                return True
            waiting = [pair for pair, queue in self.queues.items() if queue]
            if waiting and self.rng.random() < 0.9:
                self.deliver(self.rng.choice(waiting))
            elif not waiting and all(self.view(name).phase == "settle" for name in self.tables):
                return False
            elif not self.move():
                self.now += 1.0
                for table in self.tables.values():
                    table.tick(self.now)
        raise AssertionError("nobody noticed")

    def deliver(self, pair: tuple[str, str]) -> None:
        message = decode_message(self.queues[pair].popleft(), from_server=True)
        assert isinstance(message, TableMessage)
        self.tables[pair[1]].receive(self.seats[pair[0]], message, self.now)

    def move(self) -> bool:
        for name, table in self.tables.items():
            view = table.view(self.now)
            if view.legal:
                table.submit(lively(view, random.Random(f"{name} {self.rng.random()}")), self.now)
                return True
        return False

    def view(self, name: str) -> TableView:
        return self.tables[name].view(self.now)


@pytest.mark.parametrize("liar", range(3))
@pytest.mark.parametrize("kind", ["commit", "prove", "draw", "discard"])
def test_both_honest_seats_convict_the_one_that_ran_twice(kind: str, liar: int) -> None:
    copies = (Twins(height_of(kind, liar), liar, seed) for seed in range(5))
    twins = next(twins for twins in copies if twins.run())  # else they happened to write the same
    heights: set[int] = set()
    for name in ("one", "other"):
        stop = twins.view(name).stopped
        assert stop is not None
        assert (stop.code, stop.seat) == (Code.FORK, liar)
        heights.add(stop.height)
        evidence = twins.shelves[name].evidence
        assert evidence is not None
        report = verify(parse_file(evidence), proofs=False)
        assert report.fault is not None
        assert (report.fault.code, report.fault.seat) == (Code.FORK, liar)
        offending = [parse_entry(raw) for raw in parse_file(evidence).offending]
        assert [entry.seat for entry in offending] == [liar, liar]
        assert offending[0].payload != offending[1].payload
    assert len(heights) == 1
    (height,) = heights
    one, other = (twins.shelves[name].entries for name in ("one", "other"))
    assert one[:height] == other[:height]


@pytest.mark.parametrize("seed", range(6))
def test_no_honest_seat_writes_on_both_chains(seed: int) -> None:
    twins = Twins(height_of("discard", 0), 0, seed)
    noticed = twins.run()
    one, other = ([parse_entry(raw) for raw in twins.shelves[name].entries] for name in ("one", "other"))
    for seat in twins.honest:
        here = {entry.height: entry.payload for entry in one if entry.seat == seat}
        there = {entry.height: entry.payload for entry in other if entry.seat == seat}
        assert all(there[height] == here[height] for height in here.keys() & there.keys())
    if not noticed:  # the copies happened to write the same
        assert twins.view("one").head == twins.view("other").head
