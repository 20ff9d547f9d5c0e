"""Pages longer than their window: which part is shown, and where a key leads.

Owns this arithmetic and what each key of a page does; knows no page and no window.
"""

from dataclasses import dataclass
from enum import StrEnum

from tongits_lan.console.boxes import Line
from tongits_lan.console.speech import tr

_ANYWHERE = 1_000_000  # lines; more than any page has
_USUAL_PAGE = 10  # lines


class Way(StrEnum):
    """Where a key leads in a page that is read."""

    UP = "up"
    DOWN = "down"
    PAGE_UP = "pageup"
    PAGE_DOWN = "pagedown"
    TOP = "top"
    END = "end"


WAYS = {
    "up": Way.UP,
    "k": Way.UP,
    "down": Way.DOWN,
    "j": Way.DOWN,
    "pageup": Way.PAGE_UP,
    "pagedown": Way.PAGE_DOWN,
    " ": Way.PAGE_DOWN,
    "home": Way.TOP,
    "end": Way.END,
}
"""What each key does that any table of keys lists for a page."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a page can be scrolled, and by how much at once, in lines."""

    last: int = 0
    page: int = _USUAL_PAGE

    def moved(self, at: int, key: str) -> int:
        """The line at the top of the window after a key of `WAYS`; a page never moves beyond its ends."""
        at = min(at, self.last)
        goals = {
            Way.UP: at - 1,
            Way.DOWN: at + 1,
            Way.PAGE_UP: at - self.page,
            Way.PAGE_DOWN: at + self.page,
            Way.TOP: 0,
            Way.END: self.last,
        }
        return max(0, min(self.last, goals[WAYS[key]]))


ENDLESS = Extent(_ANYWHERE)
"""Where no window is there to say how far."""


@dataclass(frozen=True, slots=True)
class Picture:
    """All lines of a window, and how far what it shows can be scrolled."""

    lines: list[Line]
    extent: Extent = Extent()


@dataclass(frozen=True, slots=True)
class Windowed:
    """What a window of some rows shows of a longer text."""

    lines: list[Line]
    extent: Extent
    told: str
    """Which lines of how many these are, for behind a title; "" where they are all."""


def windowed(lines: list[Line], rows: int, at: int, *, from_end: bool = False) -> Windowed:
    """The lines from the one at `at`, so many as the rows hold; `at` counts from the end for a log."""
    rows = max(0, rows)
    last = max(0, len(lines) - rows)
    top = min(at, last)
    if from_end:
        top = last - top
    shown = lines[top : top + rows]
    told = tr("{first}-{last} of {n}", first=top + 1, last=top + len(shown), n=len(lines))
    return Windowed(shown, Extent(last, max(1, rows - 1)), f"  {told}" if last else "")
