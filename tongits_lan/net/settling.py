"""How seats are reached, told once it has settled: as seats link again, the way to one of them may change
several times in a second, and each time was a line that pushed a move out of sight.

Owns what was told of each seat. What a screen shows of the moment it reads from the view. Must not know
links.
"""

from collections import Counter
from collections.abc import Callable

from tongits_lan.ledger.effects import LinkChanged, Reach
from tongits_lan.ledger.reach import AWAY

SECONDS = 1.0  # that a way has to last before it is told

Later = Callable[[float, Callable[[], None]], None]
"""Does something after so many seconds, while the table is at work."""


class Settling:
    """Between a table that tells every change and those who hear what has become of it."""

    def __init__(self, tell: Callable[[LinkChanged], None], later: Later) -> None:
        self._tell = tell
        self._later = later
        self._told: dict[int, Reach] = {}
        self._changes: Counter[int] = Counter()

    def heard(self, event: LinkChanged) -> None:
        """A seat is reached otherwise; the last word of a second counts, if it says anything new."""
        self._changes[event.seat] += 1
        number = self._changes[event.seat]
        self._later(SECONDS, lambda: self._settle(event, number))

    def _settle(self, event: LinkChanged, number: int) -> None:
        is_last = number == self._changes[event.seat]
        if is_last and self._told.get(event.seat, AWAY) != event.how:
            self._told[event.seat] = event.how
            self._tell(event)
