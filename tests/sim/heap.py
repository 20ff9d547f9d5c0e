"""Virtual time: events on one heap, taken in the order of their times."""

import heapq
import itertools
from collections.abc import Callable

Event = Callable[[], None]


class Heap:
    """`now` is in seconds; events of one time happen in the order they were put in."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Event]] = []
        self._number = itertools.count()

    def __bool__(self) -> bool:
        return bool(self._events)

    def at(self, when: float, event: Event) -> None:
        """Let it happen at `when`, or now if that is past."""
        heapq.heappush(self._events, (max(when, self.now), next(self._number), event))

    def after(self, seconds: float, event: Event) -> None:
        """Let it happen in so many seconds."""
        self.at(self.now + seconds, event)

    def step(self) -> None:
        """Go to the next event and let it happen."""
        self.now, _, event = heapq.heappop(self._events)
        event()
