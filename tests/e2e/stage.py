"""The full screen on a table without peers, for tests: `python -m tests.e2e.stage KIND [LOG [WORDS]]`.

KIND says what goes wrong: `calm`, a failure in one of the tasks the screen runs, or `turns`: nothing, the
others play on. LOG is where the log goes, WORDS a file with what somebody chats, or is called (`names`).
"""

import asyncio
import logging
import math
import sys
from pathlib import Path

import msgspec
import trio

from tests.screens import Seat, dealt
from tongits_lan.console.app import ConsoleOptions, run_fullscreen
from tongits_lan.errors import Code, Exit, UserError
from tongits_lan.game.moves import Move
from tongits_lan.ledger.effects import Stop
from tongits_lan.ledger.views import shown_name
from tongits_lan.net.events import ChatHeard, SessionEvent


class BrokenError(Exception):
    """A mistake of the program, with a text that nobody but the log should see."""


class Stage(Seat):
    """A seat at its own turn that also offers what the screen needs of a session."""

    def __init__(self, kind: str, words: str = "") -> None:
        super().__init__(faces=dealt(2, 0, "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", "8D 8C 5H"))
        self.kind = kind
        self.words = words
        self.changes = trio.Event()
        self.send: trio.MemorySendChannel[SessionEvent] | None = None
        self.others()
        if kind == "names":
            called = shown_name(words)
            self.view = msgspec.structs.replace(self.view, names=(called, called, "Carlo"))

    ledger_path = None
    next_config = None

    def subscribe(self) -> trio.MemoryReceiveChannel[SessionEvent]:
        self.send, receive = trio.open_memory_channel[SessionEvent](math.inf)
        return receive

    async def wait_changed(self) -> None:
        await self.changes.wait()

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
                self.send.send_nowait(BrokenError("secret"))  # type: ignore[arg-type]  # this is the mistake
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
            case "turns":
                while True:
                    await self.changes.wait()
                    await trio.sleep(0.2)
                    self.others()
                    self.tell()
            case "stubborn":
                with trio.CancelScope(shield=True):
                    await trio.sleep(0.5)
        await trio.sleep_forever()


def _mistaken() -> None:
    raise BrokenError("secret")


async def _mistaken_later() -> None:
    await trio.sleep(0.1)
    _mistaken()


def main(kind: str) -> int:
    """As the command line does it: a UserError is one sentence and its exit code."""
    if len(sys.argv) > 2:
        logging.getLogger("tongits_lan").addHandler(logging.FileHandler(sys.argv[2]))
    else:
        logging.getLogger("tongits_lan").addHandler(logging.NullHandler())
    stage = Stage(kind, Path(sys.argv[3]).read_text("utf-8") if len(sys.argv) > 3 else "")
    try:
        return run_fullscreen(stage, ConsoleOptions(ascii=True, color=False), run=stage.run)  # type: ignore[arg-type]
    except UserError as error:
        sys.stderr.write(f"{error.text}\n")
        return int(error.exit_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
