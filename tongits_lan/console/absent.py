"""What can be done while a player is away: wait on, begin another table, leave. The hand stays pending.

Owns when this is offered and its words.
"""

from tongits_lan.console.boxes import Line, cells, line
from tongits_lan.console.speech import tr
from tongits_lan.ledger.views import TableView


def may_put_aside(view: TableView) -> bool:
    """Whether another table may be begun: somebody is out of reach, and this one is not over."""
    return not view.is_over and any(reach.kind == "away" for reach in view.links)


def choices(view: TableView, room: int) -> list[Line]:
    """The keys with their words, in one line; none where nobody is away."""
    if not may_put_aside(view) and not view.grace_over:
        return []
    keys = [("w", tr("keep waiting"))] if view.grace_over else []
    keys += [("n", tr("begin another table"))] if may_put_aside(view) else []
    whole, short = (_line([*keys, ("q", leave)]) for leave in (tr("leave; it stays pending"), tr("leave")))
    return [whole if cells(whole) <= room else short]


def _line(keys: list[tuple[str, str]]) -> Line:
    gap = " " * 4
    parts = [(("class:key", key), f"  {words}{gap}") for key, words in keys]
    return line(*(part for pair in parts for part in pair))
