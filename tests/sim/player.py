"""One seat of a simulated match: its program while it runs, its store, its clock."""

import math
from collections.abc import Callable

from tests.circle import Shelf
from tests.sim.heap import Event, Heap
from tongits_lan.ledger.table import Table


class Player:
    """`offset` is how far the clock of this machine is from the time of the world."""

    def __init__(self, seat: int, heap: Heap, offset: float, pump: Callable[["Player"], None]) -> None:
        self.seat = seat
        self.shelf = Shelf()
        self.table: Table | None = None
        self.life = 0
        """Counts starts and deaths: what belongs to an earlier life is dropped."""
        self.offset = offset
        self.asleep_until: float | None = None
        self.thinking = False
        self.linked: dict[int, int] = {}
        """Other seat -> which link to it the program knows to be up."""
        self.tick_at = math.inf
        self._stood_at = -math.inf
        self._heap = heap
        self._pump = pump

    @property
    def clock(self) -> float:
        """What the clock of this machine shows; it never goes back."""
        return max(self._stood_at, self._heap.now + self.offset)

    def stand(self, seconds: float) -> None:
        """The clock stands for so long, and goes on from there."""
        self._stood_at = self.clock
        self.offset -= seconds

    @property
    def running(self) -> bool:
        """Whether the program is there and its machine awake."""
        return self.table is not None and self.asleep_until is None

    def born(self, table: Table) -> None:
        """The program starts."""
        self.life += 1
        self.table = table
        self.thinking = False
        self.linked = {}
        self.tick_at = math.inf

    def dead(self) -> None:
        """The program is gone."""
        self.life += 1
        self.table = None

    def in_life(self, event: Callable[[Table], None]) -> Event:
        """The event, if the program still runs then; a sleeping machine takes it when it wakes."""
        life = self.life

        def happen() -> None:
            if self.life != life or self.table is None:
                return
            if self.asleep_until is not None:
                self._heap.at(self.asleep_until, happen)
                return
            event(self.table)
            self._pump(self)

        return happen
