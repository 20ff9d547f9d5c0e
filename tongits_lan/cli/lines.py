"""The line modes: one line an event on stdout, as text or JSON, and numbered choices read from stdin.

Owns how a session is followed without a screen. Needs no terminal; end of input leaves the hand pending.
Sentences come from the console's words, legal moves from the session's view.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import NoReturn, Protocol

import trio

from tongits_lan.cli import typed
from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.menu import (
    GIVING_UP,
    Choice,
    Menu,
    QuitTable,
    after_table,
    giving_up,
    menu,
    once_more,
)
from tongits_lan.cli.output import Out
from tongits_lan.cli.remarks import Remarks
from tongits_lan.cli.seats import Play
from tongits_lan.console.arrange import split
from tongits_lan.console.control import DEAF_SECONDS
from tongits_lan.console.idle import TurnClock, default_move
from tongits_lan.console.mute import muted
from tongits_lan.console.skins import Skin
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Ui
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.dealing import dealt_to
from tongits_lan.game.moves import Drew, Move
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.effects import LinkChanged
from tongits_lan.ledger.state import HandDealt, KeyReleased, Played
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.session import ChatHeard, LobbyView, Session, SessionEvent
from tongits_lan.store.settings import Settings

_TICK_SECONDS = 0.5
_LAST_SECONDS = 10  # of a limited turn; that so many are left is said once
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Printer(Protocol):
    """Says what happens, as text or as JSON."""

    @property
    def out(self) -> Out:
        """Where it says it."""

    def listening(self, addresses: tuple[str, ...], code: str | None) -> None:
        """This program can be reached there, with that join code if it asks for one."""

    def event(self, event: SessionEvent, view: LobbyView | TableView, voice: Voice) -> None:
        """Something happened; `view` is as new or newer."""

    def asides(self, lines: Sequence[str]) -> None:
        """The player has asked how the table stands, or for a hint."""

    def cards(self, view: TableView, slots: tuple[int, ...], voice: Voice) -> None:
        """These slots of the own hand are now known to this seat."""

    def menu(self, asked: Menu, view: LobbyView | TableView, voice: Voice) -> None:
        """The player is asked."""

    def turn_time(self, seconds: int) -> None:
        """The player has so many seconds for this turn; 0: it has run out, and a move is made for him."""

    def submitted(self, move: Move) -> None:
        """The bot at this seat is about to make a move."""

    def refused(self, reason: str, voice: Voice) -> None:
        """What the player asked for cannot be done."""

    def ended(self, code: int, ledger: Path | None, evidence: Path | None, *, pending: bool) -> None:
        """The session is over; `pending` where the table can go on, `evidence` where it has stopped."""


class Countdown:
    """The seconds of a limited turn of the player, said as they begin and as they end."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer
        self._clock = TurnClock()
        self._ended: tuple[int, int] | None = None
        """Hand and height at which a turn ran out; a move is made for the player once."""

    def count(self, view: TableView, now: float) -> Move | None:
        """The move to be made for the player whose time is over; None for as long as he has time."""
        before, self._clock = self._clock, self._clock.ticked(view, now)
        seconds = self._clock.seconds
        if seconds is None or self._clock.seat != view.me:
            return None
        runs_out = before.seconds is not None and seconds <= _LAST_SECONDS < before.seconds
        if self._clock.began(before) or runs_out:
            self._printer.turn_time(seconds)
        move = default_move(view, split(view)) if self._clock.is_over else None
        if move is None or self._ended == (view.hand_no, view.height):
            return None
        self._ended = (view.hand_no, view.height)
        self._printer.turn_time(0)
        return move


def voice_of(view: LobbyView | TableView, skin: Skin) -> Voice:
    """How sentences name the players of this moment."""
    if isinstance(view, TableView):
        return Voice(view.names, view.me, skin)
    names = [seat.name for seat in view.seats] + ["somebody"] * (3 - len(view.seats))
    return Voice(tuple(names), view.me, skin)


def _kept_nowhere(settings: Settings) -> None:
    """Where nobody keeps settings."""


@dataclass
class LineTable:
    """One session followed by a printer; the only state is what has been said already."""

    session: Session
    play: Play
    printer: Printer
    skin: Skin
    rng: random.Random | None
    """With it the bot plays this seat and nothing is read."""
    settings: Settings = field(default_factory=Settings)
    """As the table is sat down at; what is changed later stands in `remarks`."""
    keep: Callable[[Settings], None] = _kept_nowhere
    """Called with the settings after the player has changed one; may raise UserError."""
    numbers: Iterator[int] = field(default_factory=partial(count, 1))
    """Of the questions: the same for all tables of a program, so that each question has its own."""
    told: set[tuple[int, int]] = field(default_factory=set)
    drawn: tuple[int, int] | None = None
    """A slot just drawn here, and how many keys it still waits for."""
    asked: Menu | None = None
    countdown: Countdown = field(init=False)
    remarks: Remarks = field(init=False)
    wanted: trio.Event = field(default_factory=trio.Event)
    code: int = Exit.DONE
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Ends everything."""

    def __post_init__(self) -> None:
        self.countdown = Countdown(self.printer)
        ui = Ui(skin=self.skin, settings=self.settings)
        self.remarks = Remarks(self.session, self.printer.asides, ui, self.keep)

    async def run(self) -> int:
        """Follows the session to its end; returns the exit code, raises UserError as Session.run."""
        events = self.session.subscribe()
        view = self.session.view
        self.printer.listening(self.session.listening, view.code if isinstance(view, LobbyView) else None)
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(self._signals, nursery.cancel_scope)
                nursery.start_soon(self.printer.out.watch)
                nursery.start_soon(self._follow, events)
                if self.rng is not None:
                    nursery.start_soon(autoplay, self.session, self.rng, self.printer.submitted)
                else:
                    nursery.start_soon(self._read, nursery.cancel_scope)
                    nursery.start_soon(self._tick)
                self.scope = nursery.cancel_scope
                await self.play()
                if self.rng is None and self._may_play_again():
                    self._drain(events)
                    self._show(after_table())
                    await trio.sleep_forever()  # the answer ends it
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            raise plainest(group) from group
        self._drain(events, ending=True)
        view = self.session.view
        pending = isinstance(view, TableView) and not view.is_over
        pending = pending and self.session.next_config is None
        if self.code == Exit.DONE and isinstance(view, TableView) and view.stopped is not None:
            self.code = Exit.FAULT
        self.printer.ended(self.code, self.session.ledger_path, self.session.evidence_path, pending=pending)
        return self.code

    async def _follow(self, events: trio.MemoryReceiveChannel[SessionEvent]) -> None:
        """Tells every event; what is new in the view, and the next question, come after all events so far."""
        while True:
            self._drain(events)
            self._look()
            await self.session.wait_changed()

    def _drain(self, events: trio.MemoryReceiveChannel[SessionEvent], *, ending: bool = False) -> None:
        """Tells what has happened; the links that go down as this program ends are no news."""
        while True:
            try:
                event = events.receive_nowait()
            except (trio.WouldBlock, trio.EndOfChannel):
                return
            if ending and isinstance(event, LinkChanged):
                continue
            view = self.session.view
            self.remarks.hear(event, view)
            if isinstance(event, ChatHeard) and muted(self.remarks.ui.settings, view, event.seat):
                continue
            self.printer.event(event, view, voice_of(view, self.skin))
            if isinstance(view, TableView):
                self._tell(view, self._learned(event, view))

    def _learned(self, event: SessionEvent, view: TableView) -> tuple[int, ...]:
        """The own slots whose cards this very event made known: the deal, or the last key of a drawn card."""
        match event:
            case HandDealt() if view.dealer is not None:
                return dealt_to(view.dealer, view.me)
            case Played(event=Drew(seat=view.me, slot=slot)):
                self.drawn = (slot, SEATS - 1)
            case KeyReleased(slot=slot) if self.drawn is not None and self.drawn[0] == slot:
                missing = self.drawn[1] - 1
                self.drawn = (slot, missing) if missing else None
                return () if missing else (slot,)
        return ()

    def _look(self) -> None:
        """Cards no event told of (a hand taken up again), and the next question."""
        view = self.session.view
        if isinstance(view, TableView) and view.position is not None and self.drawn is None:
            self._tell(view, view.position.hands[view.me])
        self._ask()

    def _tell(self, view: TableView, slots: Iterable[int]) -> None:
        new = tuple(s for s in slots if s in view.faces and (view.hand_no, s) not in self.told)
        if new:
            self.told.update((view.hand_no, slot) for slot in new)
            self.printer.cards(view, new, voice_of(view, self.skin))

    def _ask(self) -> None:
        """Shows the question of this moment, once."""
        if self.rng is not None:
            return
        view = self.session.view
        question = menu(view, voice_of(view, self.skin)) or self._still_sure(view)
        if question is None:
            self.asked = None
        elif self.asked is None or question.key != self.asked.key:
            self._count()
            self._show(question)

    async def _tick(self) -> None:
        """Counts the seconds of a limited turn."""
        while True:
            await trio.sleep(_TICK_SECONDS)
            self._count()

    def _count(self) -> None:
        """Says what is left of a limited turn, and ends the player's own with the default move."""
        view = self.session.view
        if not isinstance(view, TableView):
            return
        move = self.countdown.count(view, time.monotonic())
        if move is None:
            return
        try:
            self._act(lambda session: session.submit(move))
        except Refused as refusal:
            self.printer.refused(refusal.reason, voice_of(view, self.skin))

    def _still_sure(self, view: LobbyView | TableView) -> Menu | None:
        """The question whether to give up, which may be asked at any time and stays until it is answered."""
        if self.asked is None or self.asked.key[0] != GIVING_UP or not isinstance(view, TableView):
            return None
        return self.asked if view.can_give_up else None

    def _show(self, question: Menu) -> None:
        view = self.session.view
        _forget_typed()
        question = replace(question, number=next(self.numbers))
        self.printer.menu(question, view, voice_of(view, self.skin))
        self.printer.out.mark()
        self.asked = question  # only now, as lines are read by another thread
        self.wanted.set()

    async def _read(self, scope: trio.CancelScope) -> None:
        """Reads what is typed: at a terminal at any time, a line answers the question shown by then; from a
        pipe one line for each question, so that no line is lost on a moment without one."""
        while True:
            asked = self.asked
            if not self._typed and asked is None:
                self.wanted = trio.Event()
                await self.wanted.wait()
                continue
            line, seen = await trio.to_thread.run_sync(self._next_line, abandon_on_cancel=True)
            try:
                if not line or line.strip() == "q":
                    self._note_unanswered()
                    raise QuitTable
                self._take(line.strip(), seen if self._typed else asked)
            except QuitTable:
                scope.cancel()
                return
            except Refused as refusal:
                self.printer.refused(refusal.reason, voice_of(self.session.view, self.skin))

    @property
    def _typed(self) -> bool:
        """Whether somebody types, who reads first: no script, whose lines may all be there from the start."""
        return sys.stdin.isatty()

    def _next_line(self) -> tuple[str, Menu | None]:
        """A line, and the question that whoever typed it can have read by then."""
        line = sys.stdin.readline()
        too_early = time.monotonic() < self.printer.out.marked_at + DEAF_SECONDS
        return line, None if too_early else self.asked

    def _take(self, line: str, asked: Menu | None) -> None:
        """Does what a line asks for. Raises Refused, and QuitTable where the program is to be closed."""
        view = self.session.view
        meant = typed.addressed(line)
        if meant is not None:  # then it does not matter which question had been read when the line was begun
            number, line = meant
            asked = self.asked
            if asked is None or asked.number != number:
                raise Refused("that was asked before and is settled")
        choice = None if asked is None else typed.chosen(line, asked)
        if choice is not None and asked is not None:
            if self.asked is None or self.asked.key != asked.key:
                raise Refused("that was asked before and is settled")
            self._choose(choice, asked)
        elif self.remarks.take(line, view):
            return
        elif line == "r" and isinstance(view, LobbyView):
            self.session.set_ready(False)
        elif line == "g":
            if not isinstance(view, TableView) or not view.can_give_up:
                raise Refused("there is no hand to give up now")
            self._show(giving_up(view, (GIVING_UP, view.hand_no)))
        elif asked is not None and asked.text is not None and line and not line.isdigit():
            self._act(partial(asked.text, text=line))
        else:
            self._refuse(line, asked)

    def _refuse(self, line: str, asked: Menu | None) -> NoReturn:
        """Says why a line means nothing now."""
        view = self.session.view
        if asked is None and self.asked is not None:
            raise Refused("that came before the question could be read: answer it now")
        reason = typed.refusal(line, view)
        if reason is not None:
            raise Refused(reason)
        if asked is None and isinstance(view, LobbyView):
            raise Refused("nothing is asked now: r if you are not ready, ? for the rules, q to close")
        if asked is None:
            raise Refused("nothing is asked now: c and a text to chat, g to give the hand up, q to close")
        raise Refused(
            phrase(
                "type a number from 1 to {n}, c and a text to chat, g to give up, or q", n=len(asked.choices)
            )
        )

    def _choose(self, choice: Choice, asked: Menu) -> None:
        if choice.sure is not None:
            self._show(choice.sure(self.session))
        elif choice.careful is not None and self._typed:
            self._show(once_more(choice, asked.key))
        else:
            self._act(choice.act)

    def _act(self, act: Callable[[Session], None]) -> None:
        """Does what the player chose; where that changes nothing the question comes again."""
        self.asked = None
        before = self.session.view
        try:
            act(self.session)
        finally:
            if self.session.next_config is not None:
                self.scope.cancel()
            elif self.session.view == before:  # else the question comes after what is to be told first
                self._ask()

    def _may_play_again(self) -> bool:
        view = self.session.view
        return isinstance(view, TableView) and view.closed and self.session.next_config is None

    def _note_unanswered(self) -> None:
        """A guest who leaves a host's question unanswered reaches no table."""
        view = self.session.view
        if isinstance(view, LobbyView) and view.question is not None:
            self.code = Exit.NO_TABLE

    async def _signals(
        self, scope: trio.CancelScope, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        with trio.open_signal_receiver(*SIGNALS) as received:
            task_status.started()
            async for number in received:
                self.code = 128 + int(number)
                self.printer.out.hurry()
                scope.cancel()


def plainest(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one exception a group stands for: a user error before a broken pipe before anything else."""
    leaves = list(_leaves(group))
    for kind in (UserError, BrokenPipeError):
        for leaf in leaves:
            if isinstance(leaf, kind):
                return leaf
    return group


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
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
