"""The seconds between three ready seats and the table.

Owns when they run and how often they may begin anew. Must not know who is ready, nor what begins then.
"""

from collections.abc import Callable

import trio

RESTARTS = 2  # after so many the table begins at once: nobody holds it up by toggling


class Countdown:
    """`tick` gets the seconds left, None when it was stopped; `over` is called at its end."""

    def __init__(self, tick: Callable[[int | None], None], over: Callable[[], None]) -> None:
        self._tick = tick
        self._over = over
        self._scope: trio.CancelScope | None = None
        self._begun = 0

    @property
    def runs(self) -> bool:
        """Whether it counts now."""
        return self._scope is not None

    def start(self, nursery: trio.Nursery, seconds: int) -> None:
        """Counts from `seconds`; from 0, and after RESTARTS fresh starts, it is over at once."""
        self._begun += 1
        if seconds <= 0 or self._begun > 1 + RESTARTS:
            self._over()
            return
        self._scope = trio.CancelScope()
        self._tick(seconds)
        nursery.start_soon(self._count, self._scope, seconds)

    def stop(self) -> None:
        """Somebody is not ready after all."""
        if self._scope is not None:
            self._scope.cancel()
            self._scope = None
            self._tick(None)

    def forget(self) -> None:
        """Stops, and counts no earlier beginnings: what all three were ready for is another thing now."""
        self.stop()
        self._begun = 0

    async def _count(self, scope: trio.CancelScope, seconds: int) -> None:
        with scope:
            while seconds:
                await trio.sleep(1)
                seconds -= 1
                self._tick(seconds)
            self._over()
