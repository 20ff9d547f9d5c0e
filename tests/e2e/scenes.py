"""Every full screen of the program, for tests: `python -m tests.e2e.scenes SCENE KIND [FILE]`.

SCENE is one of SCENES; KIND says what goes on behind it: `calm`, `mistake` (a task fails after a moment), or
`busy` (every twentieth of a second FILE grows by a byte, and the picture changes), or `turn` (of a table: the
player's turn begins after a moment).
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
import trio

from tests.e2e.stage import BrokenError, Stage, play
from tongits_lan.cli.watch import load
from tongits_lan.console.bridge import run_front
from tongits_lan.console.door import opened
from tongits_lan.console.door_app import Surroundings, run_door
from tongits_lan.console.reel import Reel, press
from tongits_lan.console.reel_app import ReelFront
from tongits_lan.console.skins import LETTERS
from tongits_lan.errors import UserError
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.views import TableView
from tongits_lan.net.announcements import Found
from tongits_lan.net.lobby import LobbySeat, LobbyView

# Not from tests.system, for that loads pytest, and this program is started often.
_LEDGER = Path(__file__).resolve().parents[2] / "protocol" / "ledgers" / "joker.tongits"
SCENES = ("menu", "lobby", "table", "replay")
_BEAT_SECONDS = 0.05
_WORDS = ("dagat", "mangga", "bituin", "walis")


async def behind(kind: str, changed: Callable[[int], None]) -> None:
    """What goes on behind a scene; `changed` is called with the count of beats."""
    if kind == "mistake":
        await trio.sleep(0.2)
        raise BrokenError("secret")
    beats = 0
    while kind == "busy":
        beats += 1
        await trio.Path(sys.argv[3]).write_bytes(b"." * beats)
        changed(beats)
        await trio.sleep(_BEAT_SECONDS)
    await trio.sleep_forever()


class Network:
    """A list of tables that the menu looks at."""

    problem: str | None = None
    nothing_for = 0.0

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.found: tuple[Found, ...] = ()
        self.changes = trio.Event()

    async def wait_changed(self) -> None:
        await self.changes.wait()

    async def run(self) -> None:
        await behind(self.kind, self.beat)

    def beat(self, count: int) -> None:
        table = Found(bytes(8), "Ana", 1 + count % 3, "pagat", "1.0", "1", ("192.168.1.20:15213",))
        self.found = (table,)
        self.changes.set()
        self.changes = trio.Event()


class Scene(Stage):
    """A lobby or a table."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.left = trio.Event()
        self.mine = self.view
        if kind == "turn":
            self.show(legal=(), position=msgspec.structs.replace(self.position, turn=0))

    def leave_lobby(self) -> None:
        self.left.set()

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(behind, self.kind, self.beat)
            if self.kind == "turn":
                await trio.sleep(0.3)
                self.view = self.mine
                self.tell()
            await self.left.wait()
            nursery.cancel_scope.cancel()

    def beat(self, count: int) -> None:
        if isinstance(self.view, LobbyView):
            self.view = _lobby_view(countdown=float(count))
        else:
            self.view = msgspec.structs.replace(self.view, hand_no=count)
        self.tell()


def _lobby_view(countdown: float | None = None) -> TableView:
    """A lobby where a seat has its table: a session has either."""
    seats = tuple(LobbySeat(name, _WORDS, False, False, None) for name in ("Carlo", "Ana"))
    view = LobbyView(True, 0, seats, PRESETS["pagat"], countdown, ("192.168.1.20:15213",), None)
    return cast(TableView, view)


class Film(ReelFront):
    """A replay behind which more goes on than its clock."""

    kind = "calm"

    async def work(self, show: Callable[[], None]) -> None:
        def step(count: int) -> None:
            self.reel = press(self.reel, "right" if self.reel.step < self.reel.last else "<")
            show()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(super().work, show)
            await behind(self.kind, step)


def main(scene: str, kind: str) -> int:
    """As the command line does it: a UserError is one sentence and its exit code."""
    logging.getLogger("tongits_lan").addHandler(logging.NullHandler())
    try:
        match scene:
            case "menu":
                around = Surroundings(lambda: (), lambda: Network(kind), lambda: ())
                return run_door(opened("Ana", "Ana", LETTERS), around, color=False)[1]
            case "replay":
                film = Film(Reel(load(_LEDGER)[1], ("Ana", "Ben", "Carlo"), LETTERS))
                film.kind = kind
                return run_front(film, color=False)
            case _:
                stage = Scene(kind)
                if scene == "lobby":
                    stage.view = _lobby_view()
                return play(stage)
    except UserError as error:
        sys.stderr.write(f"{error.text}\n")
        return int(error.exit_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
