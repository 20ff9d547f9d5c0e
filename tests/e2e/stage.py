"""The full screen on a table without peers, for tests: `python -m tests.e2e.stage KIND [LOG [WORDS]]`.

KIND says what goes wrong: `calm`, or a failure in one of the tasks the screen runs. With `turns` nothing
does: the others play on; `hand` is the same, with a deal in which there is much to do, to its end. LOG is
where the log goes, WORDS a file with what somebody chats, or with what two are called (`names`).
"""

import asyncio
import logging
import math
import sys
from pathlib import Path
from typing import cast

import msgspec
import trio

from tests.make_screens import melds_of
from tests.screens import HAND, Seat, cards, dealt
from tongits_lan.console.app import ConsoleOptions, run_fullscreen
from tongits_lan.errors import Code, Exit, UserError
from tongits_lan.game.engine import deal
from tongits_lan.game.moves import Answer, Move
from tongits_lan.game.position import Phase as Play
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Stop
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.net.events import ChatHeard, SessionEvent
from tongits_lan.net.session import Session


class BrokenError(Exception):
    """A mistake of the program, with a text that nobody but the log should see."""


class Stage(Seat):
    """A seat at its own turn that also offers what the screen needs of a session."""

    def __init__(self, kind: str, words: str = "") -> None:
        super().__init__(faces=_busy() if kind == "hand" else dealt(2, 0, HAND, "8D 8C 5H"))
        self.kind = kind
        self.words = words
        self.changes = trio.Event()
        self.send: trio.MemorySendChannel[SessionEvent] | None = None
        if kind == "hand":
            self.move(0, next(melds_of(self)))
        self.others()
        if kind == "names":
            called = clean(words, NAME_MAX)
            self.view = msgspec.structs.replace(self.view, names=(called, called, "Carlo"))

    ledger_path = None

    def subscribe(self) -> trio.MemoryReceiveChannel[SessionEvent]:
        self.send, receive = trio.open_memory_channel[SessionEvent](math.inf)
        return receive

    async def wait_changed(self) -> None:
        await self.changes.wait()

    def person(self, seat: int) -> None:
        """As Session.person: nobody is known."""

    def rtt_ms(self, seat: int) -> float | None:
        return None

    def submit(self, move: Move) -> None:
        if self.kind == "key":
            raise BrokenError("secret")
        super().submit(move)
        self.tell()

    def tell(self) -> None:
        assert self.send is not None
        for event in self.heard:
            self.send.send_nowait(event)
        self.heard.clear()
        self.changes.set()
        self.changes = trio.Event()

    async def _play_on(self) -> None:
        """The others draw and throw, and fold; a hand that is over is settled."""
        while True:
            await self.changes.wait()
            await trio.sleep(0.2)
            while self.position.phase is Play.ANSWERS and self.position.turn not in (None, self.me):
                self.move(self.position.turn or 0, Answer("fold"))
            self.others()
            if self.position.turn is None and self.view.record is None:
                self.over()
            self.tell()

    async def run(self) -> None:
        """What the session does: mostly nothing, for ever."""
        match self.kind:
            case "run":
                await trio.sleep(0.2)
                raise BrokenError("secret")
            case "at once":
                raise BrokenError("secret")
            case "no table":
                raise UserError(
                    "Nobody answers at 127.0.0.1:9: ask whether the table is open.", Exit.NO_TABLE
                )
            case "event":
                assert self.send is not None
                self.send.send_nowait(cast(SessionEvent, BrokenError("secret")))  # this is the mistake
            case "loop":
                asyncio.get_running_loop().call_soon(_mistaken)
            case "later":
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_mistaken_later)
            case "picture":
                await trio.sleep(0.2)
                self.view = msgspec.structs.replace(self.view, match=None)
                self.tell()
            case "stopped":
                self.show(stopped=Stop(Code.PROOF, "x", 1, 1, 61))
                self.tell()
                return
            case "chat":
                assert self.send is not None
                self.send.send_nowait(ChatHeard(0, self.words, None))
                self.tell()
            case "turns" | "hand":
                await self._play_on()
            case "stubborn":
                with trio.CancelScope(shield=True):
                    await trio.sleep(0.5)
        await trio.sleep_forever()


def _busy() -> list[int]:
    """A deal in which the first throw can be taken, a card be laid off and a fight be called."""
    faces = dealt(2, 0, "8C 8H 6S 9C 9H JD AC 2H KD QH 4C 5H", "8S KC QD")
    for slot, card in zip(deal(PRESETS["pagat"], 0).hands[0], cards("6C 6D 6H"), strict=False):
        at = faces.index(card)
        faces[slot], faces[at] = card, faces[slot]
    return faces


def _mistaken() -> None:
    raise BrokenError("secret")


async def _mistaken_later() -> None:
    await trio.sleep(0.1)
    _mistaken()


def play(stage: Stage) -> int:
    """Shows the stage, in place of a session, on the full screen; the exit code."""
    return run_fullscreen(cast(Session, stage), ConsoleOptions(ascii=True, color=False), run=stage.run)


def main(kind: str) -> int:
    """As the command line does it: a UserError is one sentence and its exit code."""
    if len(sys.argv) > 2:
        logging.getLogger("tongits_lan").addHandler(logging.FileHandler(sys.argv[2]))
    else:
        logging.getLogger("tongits_lan").addHandler(logging.NullHandler())
    stage = Stage(kind, Path(sys.argv[3]).read_text("utf-8") if len(sys.argv) > 3 else "")
    try:
        return play(stage)
    except UserError as error:
        sys.stderr.write(f"{error.text}\n")
        return int(error.exit_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
