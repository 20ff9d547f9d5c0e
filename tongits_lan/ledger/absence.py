"""Who is missed: the one seat that has to write, when it is out of reach or silent.

Owns the count and the question after the grace time (docs/protocol.md, "Leaving, absence, faults"). Nobody
acts for an absent seat, so this decides nothing. Must not know: links, entries, any clock.
"""

from tongits_lan.ledger.effects import Awaited, GraceOver, Returned, TableEvent
from tongits_lan.ledger.state import Due
from tongits_lan.limits import SILENCE_SECONDS

AWAY_SECONDS = 1.0  # a link that is back within this was never missed


class Absence:
    """Counts for one awaited seat at a time. Times are seconds of the caller's clock."""

    def __init__(self, grace_seconds: int) -> None:
        self._grace = float(grace_seconds)
        self._due: Due | None = None
        self._height = -1
        self._missed_from: float | None = None
        self._asked_from = 0.0
        self._told = False
        self._was_away = False
        self.grace_over = False

    @property
    def since(self) -> float | None:
        """Since when somebody is missed; None while nobody is."""
        return self._missed_from if self._told else None

    def update(
        self, due: Due | None, height: int, now: float, *, away: bool, automatic: bool
    ) -> list[TableEvent]:
        """Take in who has to write at `height`, whether that seat is out of reach, and whether its program
        would write by itself (then silence is as good as absence)."""
        events: list[TableEvent] = []
        if due != self._due or height != self._height:
            events += self._close()
            self._due, self._height = due, height
        if self._was_away and not away:
            events += self._close()  # back, whether it has written or not
        self._was_away = away
        if due is None or not (away or automatic):
            return events + self._close()
        if self._missed_from is None:
            self._missed_from = self._asked_from = now
        if not self._told and now >= self._missed_from + self._patience(away):
            self._told = True
            events.append(Awaited(due.seat, due.kinds, self._missed_from))
        if self._told and not self.grace_over and now >= self._asked_from + self._grace:
            self.grace_over = True
            events.append(GraceOver(due.seat))
        return events

    def wait(self, now: float) -> None:
        """The player keeps waiting: the question comes again after another grace time."""
        self._asked_from = now
        self.grace_over = False

    def shift(self, seconds: float) -> None:
        """The own machine slept for so long: that is nobody's absence."""
        self._asked_from += seconds
        if self._missed_from is not None:
            self._missed_from += seconds

    def deadline(self) -> float | None:
        """When something here changes by time alone."""
        if self._missed_from is None:
            return None
        if not self._told:
            return self._missed_from + self._patience(self._was_away)
        return None if self.grace_over else self._asked_from + self._grace

    @staticmethod
    def _patience(away: bool) -> float:
        return AWAY_SECONDS if away else SILENCE_SECONDS

    def _close(self) -> list[TableEvent]:
        told, due = self._told, self._due
        self._missed_from = None
        self._told = self.grace_over = False
        return [Returned(due.seat)] if told and due is not None else []
