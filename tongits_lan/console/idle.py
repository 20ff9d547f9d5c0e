"""What happens to a player who lets a limited turn run out: a draw, then the dearest loose card.

Owns the count of his seconds and the default move, one of `view.legal`. Reads no clock: time comes in.
"""

from dataclasses import dataclass
from math import ceil

from tongits_lan.console.arrange import Split, value
from tongits_lan.console.choices import discards
from tongits_lan.game import moves as game
from tongits_lan.game.moves import Move
from tongits_lan.ledger.views import TableView


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Seconds left of the turn of `seat` (None: not limited, or nobody's turn), as of `at`."""

    left: float | None = None
    at: float = 0.0
    seat: int | None = None

    @property
    def seconds(self) -> int | None:
        """Whole seconds left, or None where nothing is limited."""
        return None if self.left is None else max(0, ceil(self.left))

    @property
    def is_over(self) -> bool:
        """Whether the turn has run out."""
        return self.left is not None and self.left <= 0

    def began(self, before: "TurnClock") -> bool:
        """Whether a limited turn has begun since the clock stood like `before`."""
        return self.left is not None and (before.left is None or before.seat != self.seat)

    def ticked(self, view: TableView, now: float) -> "TurnClock":
        """The clock now; it stands still while anybody is out of reach."""
        limit = view.rules.turn_seconds
        seat = None if view.position is None else view.position.turn
        if not limit or seat is None:
            return TurnClock()
        if self.left is None or seat != self.seat:
            return TurnClock(float(limit), now, seat)
        everybody = all(reach.kind != "away" for reach in view.links)
        return TurnClock(self.left - (now - self.at) if everybody else self.left, now, seat)


def default_move(view: TableView, best: Split) -> Move | None:
    """Draw; throw the dearest loose card; fold; claim no spread. None while nothing is to be decided."""
    for move in (game.Draw(), game.Pass(), game.Answer("fold")):
        if move in view.legal:
            return move
    ways = discards(view)
    if not ways:
        return view.legal[0] if view.legal else None
    loose = [slot for slot in best.loose if slot in ways] or list(ways)
    return ways[max(loose, key=lambda slot: (value(view.faces[slot], view.rules.joker_deadwood), -slot))]
