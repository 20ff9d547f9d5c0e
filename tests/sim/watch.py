"""What one seat is told of the others' absence must be true: who is missed, since when, and by whom.

Raises AssertionError. A count starts when a seat is lost, and never lives on after it is back.
"""

import math

from tongits_lan.ledger.effects import Awaited, GraceOver, LinkChanged, Returned, TableEvent
from tongits_lan.ledger.own import PLAYERS_KINDS
from tongits_lan.ledger.table import TableView

THOUGHT = PLAYERS_KINDS | {"next", "leave"}
"""What a player may take his time for; whatever else is due, a program writes at once."""


class Watch:
    """Over seat `me`, for one life of its program. Times are seconds of its clock."""

    def __init__(self, me: int) -> None:
        self._me = me
        self._here: set[int] = set()
        """The other seats within reach."""
        self._back_at: dict[int, float] = {}
        self._lost_at: dict[int, float] = {}
        self._missed: int | None = None
        self.missed_often = 0
        """How often somebody was missed."""
        self.asked = 0
        """How often the player was asked whether to wait on."""

    def heard(self, event: TableEvent, now: float) -> None:
        """The table tells its player something."""
        match event:
            case LinkChanged(seat, how):
                if how.kind != "away" and seat not in self._here:
                    self._here.add(seat)
                    self._back_at[seat] = now
                elif how.kind == "away" and seat in self._here:
                    self._here.remove(seat)
                    self._lost_at[seat] = now
            case Awaited(seat, _, since):
                assert self._missed is None, f"seat {self._me} misses two"
                assert seat != self._me
                assert since <= now
                self._missed = seat
                self.missed_often += 1
            case GraceOver(seat):
                assert seat == self._missed, (
                    f"seat {self._me} is asked about seat {seat}, whom it does not miss"
                )
                self.asked += 1
            case Returned(seat):
                assert seat == self._missed, f"seat {seat} is back, but was not missed by seat {self._me}"
                self._missed = None
            case _:
                pass

    def seen(self, view: TableView, now: float) -> None:
        """What the player sees at `now`."""
        assert (view.awaited_since is None) == (self._missed is None)
        assert not view.grace_over or self._missed is not None
        if view.awaited_since is None or view.due is None:
            return
        assert self._missed == view.due.seat, f"seat {self._me} misses {self._missed}, due is {view.due}"
        assert view.awaited_since <= now
        programs = not THOUGHT.intersection(view.due.kinds)
        if self._missed in self._here:
            assert programs, f"seat {self._me} hurries a player: {view.due}"
        else:
            earliest = self._back_at if programs else self._lost_at
            at = earliest.get(self._missed, -math.inf)
            assert view.awaited_since >= at, f"seat {self._me} counts from before a return"
