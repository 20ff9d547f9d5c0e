"""The line modes: one line an event on stdout, as text or JSON, and numbered choices read from stdin.

Owns how a session is followed without a screen. Needs no terminal; end of input leaves the hand pending.
Sentences come from the console's words, legal moves from the session's view.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import trio

from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.menu import Menu, QuitTable, menu
from tongits_lan.cli.seats import Play
from tongits_lan.console.skins import Skin
from tongits_lan.console.text import Voice
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.moves import Move
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import LobbyView, Session, SessionEvent

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Printer(Protocol):
    """Says what happens, as text or as JSON."""

    def listening(self, addresses: tuple[str, ...]) -> None:
        """This program can be reached there."""

    def event(self, event: SessionEvent, view: LobbyView | TableView, voice: Voice) -> None:
        """Something happened; `view` is as new or newer."""

    def cards(self, view: TableView, slots: tuple[int, ...], voice: Voice) -> None:
        """These slots of the own hand are now known to this seat."""

    def menu(self, asked: Menu, view: LobbyView | TableView, voice: Voice) -> None:
        """The player is asked."""

    def submitted(self, move: Move) -> None:
        """The bot at this seat is about to make a move."""

    def refused(self, reason: str, voice: Voice) -> None:
        """What the player asked for cannot be done."""

    def ended(self, code: int, ledger: Path | None) -> None:
        """The session is over."""


def voice_of(view: LobbyView | TableView, skin: Skin) -> Voice:
    """How sentences name the players of this moment."""
    if isinstance(view, TableView):
        return Voice(view.names, view.me, skin)
    names = [seat.name for seat in view.seats] + ["somebody"] * (3 - len(view.seats))
    return Voice(tuple(names), view.me, skin)


@dataclass
class LineTable:
    """One session followed by a printer; the only state is what has been said already."""

    session: Session
    play: Play
    printer: Printer
    skin: Skin
    rng: random.Random | None
    """With it the bot plays this seat and nothing is read."""
    told: set[tuple[int, int]] = field(default_factory=set)
    asked: Menu | None = None
    wanted: trio.Event = field(default_factory=trio.Event)
    code: int = Exit.DONE
    error: UserError | None = None

    async def run(self) -> int:
        """Follows the session to its end; returns the exit code, raises UserError as Session.run."""
        events = self.session.subscribe()
        self.printer.listening(self.session.listening)
        async with trio.open_nursery() as nursery:
            await nursery.start(self._signals, nursery.cancel_scope)
            if self.rng is not None:
                nursery.start_soon(autoplay, self.session, self.rng, self.printer.submitted)
            else:
                nursery.start_soon(self._read, nursery.cancel_scope)
            nursery.start_soon(self._watch)
            nursery.start_soon(self._play)
            await self._follow(events)
            nursery.cancel_scope.cancel()
        if self.error is not None:
            raise self.error
        view = self.session.view
        if self.code == Exit.DONE and isinstance(view, TableView) and view.stopped is not None:
            self.code = Exit.FAULT
        self.printer.ended(self.code, self.session.ledger_path)
        return self.code

    async def _play(self) -> None:
        try:
            await self.play()
        except* UserError as group:
            self.error = next(_leaves(group))

    async def _follow(self, events: trio.MemoryReceiveChannel[SessionEvent]) -> None:
        """Tells every event until the session ends; what is new in the view comes after all events so far."""
        async for first in events:
            waiting = [first]
            while True:
                try:
                    waiting.append(events.receive_nowait())
                except (trio.WouldBlock, trio.EndOfChannel):
                    break
            for event in waiting:
                view = self.session.view
                self.printer.event(event, view, voice_of(view, self.skin))
            self._look()

    async def _watch(self) -> None:
        """Questions follow the view, also where no event tells of a change."""
        while True:
            self._ask()
            await self.session.wait_changed()

    def _look(self) -> None:
        view = self.session.view
        if isinstance(view, TableView) and view.position is not None:
            hand = view.position.hands[view.me]
            new = tuple(s for s in hand if s in view.faces and (view.hand_no, s) not in self.told)
            if new:
                self.told.update((view.hand_no, slot) for slot in new)
                self.printer.cards(view, new, voice_of(view, self.skin))
        self._ask()

    def _ask(self) -> None:
        if self.rng is not None:
            return
        view = self.session.view
        voice = voice_of(view, self.skin)
        question = menu(view, voice)
        if question is None or (self.asked is not None and question.key == self.asked.key):
            self.asked = question
            return
        self.asked = question
        _forget_typed()
        self.printer.menu(question, view, voice)
        self.wanted.set()

    async def _read(self, scope: trio.CancelScope) -> None:
        """Reads one line for each question; a number acts on the question it was read for."""
        while True:
            await self.wanted.wait()
            asked = self.asked
            if asked is None:
                self.wanted = trio.Event()
                continue
            line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
            try:
                if not line or line.strip() == "q":
                    raise QuitTable
                self._choose(line.strip(), asked)
            except QuitTable:
                scope.cancel()
                return

    def _choose(self, line: str, asked: Menu) -> None:
        voice = voice_of(self.session.view, self.skin)
        if self.asked is None or self.asked.key != asked.key:
            self.printer.refused("that was asked before and is settled", voice)
            return
        if line.startswith("c ") and line[2:].strip():
            self.session.chat(line[2:].strip())
            return
        if not line.isascii() or not line.isdigit() or not 1 <= int(line) <= len(asked.choices):
            self.printer.refused(
                f"type a number from 1 to {len(asked.choices)}, c and a text to chat, or q", voice
            )
            return
        self.wanted = trio.Event()
        self.asked = None
        try:
            asked.choices[int(line) - 1].act(self.session)
        except Refused as refusal:
            self.printer.refused(refusal.reason, voice)
        self._ask()

    async def _signals(
        self, scope: trio.CancelScope, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        with trio.open_signal_receiver(*SIGNALS) as received:
            task_status.started()
            async for number in received:
                self.code = 128 + int(number)
                scope.cancel()


def _leaves(group: BaseExceptionGroup[UserError]) -> Iterator[UserError]:
    for inner in group.exceptions:
        if isinstance(inner, BaseExceptionGroup):
            yield from _leaves(inner)
        else:
            yield inner


def _forget_typed() -> None:
    """What was typed at a terminal before a question was shown does not answer it."""
    if not sys.stdin.isatty():
        return
    try:
        import termios
    except ImportError:
        return
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def max_rss_mb() -> float | None:
    """The most memory this process ever held, in MB; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1_000_000, 1)


def now() -> float:
    """Seconds since 1970, the same clock for every process of this machine."""
    return time.time()
