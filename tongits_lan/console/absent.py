"""What can be done while a player is away: wait on, begin another table, leave. The hand stays pending.

Owns when this is offered and its words.
"""

from tongits_lan.console.boxes import Line, flowing, line
from tongits_lan.console.speech import tr
from tongits_lan.ledger.views import TableView


def may_put_aside(view: TableView) -> bool:
    """Whether another table may be begun: somebody is out of reach, and this one is not over."""
    return not view.is_over and any(reach.kind == "away" for reach in view.links)


def choices(view: TableView, room: int) -> list[Line]:
    """The keys with their words, in as few lines as they fit; none where nobody is away."""
    if not may_put_aside(view) and not view.grace_over:
        return []
    keys = [("w", tr("keep waiting"))] if view.grace_over else []
    keys += [("n", tr("begin another table"))] if may_put_aside(view) else []
    keys.append(("q", tr("leave; it stays pending")))
    return flowing((line(("class:key", key), f"  {words}") for key, words in keys), room, 4)
