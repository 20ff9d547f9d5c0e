"""A replay on the full screen: keys, pictures, and a step by itself while it runs.

Owns what runs in trio behind a replay: the clock of its steps. The terminal is the bridge's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tongits_lan.console.boxes import Line
from tongits_lan.console.bridge import run_front
from tongits_lan.console.reel import Reel, press, special_keys, tick
from tongits_lan.console.reel_page import picture
from tongits_lan.console.styles import USUAL
from tongits_lan.console.wants import Want
from tongits_lan.errors import Exit

if TYPE_CHECKING:
    import trio

_WANTS = {"c-l": Want.REDRAW, "c-z": Want.SUSPEND}
_INTERRUPTS = ("c-c", "<sigint>")


def run_reel(reel: Reel, *, color: bool) -> int:
    """Shows the replay until it is closed; returns the exit code (0, or 128 and the number of a signal).

    Raises UserError(USAGE) when there is no usable terminal."""
    return run_front(ReelFront(reel), color=color, keys=(*special_keys(), *_WANTS))


class ReelFront:
    """The one changing thing of a replay, `reel`, and what changes it."""

    look = USUAL
    stays = False

    def __init__(self, reel: Reel) -> None:
        self.reel = reel
        self._wants: list[Want] = []
        self._pressed: trio.Event | None = None
        """Set by a key: the next step by itself counts from then. There once trio runs."""

    # what the bridge asks

    def picture(self, columns: int, rows: int) -> Sequence[Line]:
        """The picture of this moment."""
        return picture(self.reel, columns, rows)

    def state(self) -> object:
        """The place in the hands, which stay the same ones."""
        reel = self.reel
        return (reel.at, reel.step, reel.running, reel.pace, reel.help, reel.typed, reel.note)

    def title(self) -> str | None:
        """What is shown."""
        return "Tongits: replay"

    def key(self, name: str, now: float) -> None:
        """A key of the replay."""
        if name in _WANTS:
            self._wants.append(_WANTS[name])
            return
        self.reel = press(self.reel, name)
        if self._pressed is not None:
            self._pressed.set()
        if self.reel.closed:
            self._wants.append(Want.INTERRUPT if name in _INTERRUPTS else Want.CLOSE)

    def paste(self, text: str) -> None:
        """Nothing is typed here that could be pasted."""

    def take_wants(self) -> tuple[Want, ...]:
        """What is asked of the program since it was last asked."""
        wants, self._wants = tuple(self._wants), []
        return wants

    def exit_code(self) -> int:
        """A replay that is closed is no failure."""
        return int(Exit.DONE)

    # behind it

    async def work(self, show: Callable[[], None]) -> None:
        """Steps by itself while it runs, until cancelled."""
        import trio

        while True:
            self._pressed = trio.Event()
            seconds = self.reel.due_seconds
            with trio.move_on_after(math.inf if seconds is None else seconds) as due:
                await self._pressed.wait()
            if due.cancelled_caught and self.reel.running:
                self.reel = tick(self.reel)
                show()
