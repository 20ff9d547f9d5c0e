"""All golden screens one after the other on a real terminal: `python -m tests.e2e.album`; any key goes on.

The window has to be as large as the picture that is due.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache

import trio

from tests.make_screens import GOLDEN, SCREENS, SKINS, USUAL
from tests.test_golden_screens import parts
from tongits_lan.console.boxes import Line, exactly, line
from tongits_lan.console.bridge import run_front
from tongits_lan.console.styles import Look
from tongits_lan.console.wants import Want

PAGES = tuple(
    (size, tuple(SKINS)[(number + at) % len(SKINS)], title)
    for at, size in enumerate(USUAL)
    for number, title in enumerate(SCREENS)
)
"""Each screen in each size, in one skin there and in the other here."""


def page(at: int) -> list[str]:
    """The lines of a golden screen, without blanks at their ends."""
    (columns, rows), skin, title = PAGES[at]
    return _file(f"screens-{columns}x{rows}-{skin}.txt")[title].rstrip("\n").split("\n")


@cache
def _file(name: str) -> dict[str, str]:
    return parts((GOLDEN / name).read_text("utf-8"))


class Album:
    """A front that shows one page of PAGES, drawn for the window it is in."""

    look = Look()
    stays = False

    def __init__(self) -> None:
        self.at = 0

    def picture(self, columns: int, rows: int) -> Sequence[Line]:
        """As tests/golden has it."""
        return exactly([line(("class:key", text)) for text in page(self.at)], columns, rows)

    def state(self) -> object:
        """The page."""
        return self.at

    def title(self) -> str | None:
        """None of its own."""
        return None

    def key(self, name: str, now: float) -> None:
        """The next page."""
        self.at = min(self.at + 1, len(PAGES) - 1)

    def paste(self, text: str) -> None:
        """Nothing to paste into."""

    def take_wants(self) -> tuple[Want, ...]:
        """Nothing."""
        return ()

    async def work(self, show: Callable[[], None]) -> None:
        """Nothing goes on behind a picture."""
        await trio.sleep_forever()

    def exit_code(self) -> int:
        """Whoever looks ends it with a signal."""
        return 0


if __name__ == "__main__":
    logging.getLogger("tongits_lan").addHandler(logging.NullHandler())
    sys.exit(run_front(Album(), color=True))
