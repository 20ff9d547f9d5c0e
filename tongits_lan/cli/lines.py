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
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.menu import GIVING_UP, Choice, Menu, QuitTable, after_table, giving_up, menu
from tongits_lan.cli.seats import Play
from tongits_lan.cli.standing import hint, lobby_overview, overview
from tongits_lan.console.arrange import parse_typed
from tongits_lan.console.mute import muted, turned
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, listing
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.dealing import dealt_to
from tongits_lan.game.moves import Discard, Drew, Move
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.effects import LinkChanged
from tongits_lan.ledger.state import HandDealt, KeyReleased, Played
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.session import ChatHeard, LobbyView, Session, SessionEvent
from tongits_lan.store.settings import Settings

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Printer(Protocol):
    """Says what happens, as text or as JSON."""

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

    def submitted(self, move: Move) -> None:
        """The bot at this seat is about to make a move."""

    def refused(self, reason: str, voice: Voice) -> None:
        """What the player asked for cannot be done."""

    def ended(self, code: int, ledger: Path | None, *, pending: bool) -> None:
        """The session is over; `pending` where the table can go on."""


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
    keep: Callable[[Settings], None] = _kept_nowhere
    """Called with the settings after the player has changed one; may raise UserError."""
    told: set[tuple[int, int]] = field(default_factory=set)
    drawn: tuple[int, int] | None = None
    """A slot just drawn here, and how many keys it still waits for."""
    asked: Menu | None = None
    wanted: trio.Event = field(default_factory=trio.Event)
    code: int = Exit.DONE
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Ends everything."""

    async def run(self) -> int:
        """Follows the session to its end; returns the exit code, raises UserError as Session.run."""
        events = self.session.subscribe()
        view = self.session.view
        self.printer.listening(self.session.listening, view.code if isinstance(view, LobbyView) else None)
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(self._signals, nursery.cancel_scope)
                nursery.start_soon(self._follow, events)
                if self.rng is not None:
                    nursery.start_soon(autoplay, self.session, self.rng, self.printer.submitted)
                else:
                    nursery.start_soon(self._read, nursery.cancel_scope)
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
        pending = isinstance(view, TableView) and not view.closed and view.stopped is None
        pending = pending and self.session.next_config is None
        if self.code == Exit.DONE and isinstance(view, TableView) and view.stopped is not None:
            self.code = Exit.FAULT
        self.printer.ended(self.code, self.session.ledger_path, pending=pending)
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
            if isinstance(event, ChatHeard) and muted(self.settings, view, event.seat):
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
            self._show(question)

    def _still_sure(self, view: LobbyView | TableView) -> Menu | None:
        """The question whether to give up, which may be asked at any time and stays until it is answered."""
        if self.asked is None or self.asked.key[0] != GIVING_UP or not isinstance(view, TableView):
            return None
        return self.asked if view.can_give_up else None

    def _show(self, question: Menu) -> None:
        view = self.session.view
        self.asked = question
        _forget_typed()
        self.printer.menu(question, view, voice_of(view, self.skin))
        self.wanted.set()

    async def _read(self, scope: trio.CancelScope) -> None:
        """Reads what is typed: at a terminal at any time, a number answers the question shown by then; from a
        pipe one line for each question, so that no line is lost on a moment without one."""
        typed = sys.stdin.isatty()
        while True:
            asked = self.asked
            if not typed and asked is None:
                self.wanted = trio.Event()
                await self.wanted.wait()
                continue
            line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
            try:
                if not line or line.strip() == "q":
                    self._note_unanswered()
                    raise QuitTable
                self._take(line.strip(), self.asked if typed else asked)
            except QuitTable:
                scope.cancel()
                return
            except Refused as refusal:
                self.printer.refused(refusal.reason, voice_of(self.session.view, self.skin))

    def _take(self, line: str, asked: Menu | None) -> None:
        """Does what a line asks for. Raises Refused, and QuitTable where the program is to be closed."""
        view = self.session.view
        if line.startswith("c ") and line[2:].strip():
            self.session.chat(line[2:].strip())
        elif line.startswith("m ") and isinstance(view, TableView):
            self._mute(line[2:].strip(), view)
        elif line == "?" and isinstance(view, LobbyView) and view.rules is not None:
            self.printer.asides(lobby_overview(view))
        elif line == "r" and isinstance(view, LobbyView):
            self.session.set_ready(False)
        elif line in ("?", "h") and isinstance(view, TableView):
            voice = voice_of(view, self.skin)
            self.printer.asides(overview(view, voice) if line == "?" else [hint(view, voice)])
        elif line == "g":
            if not isinstance(view, TableView) or not view.can_give_up:
                raise Refused("there is no hand to give up now")
            self._show(giving_up(view, (GIVING_UP, view.hand_no)))
        elif asked is None and isinstance(view, LobbyView):
            raise Refused("nothing is asked now: r if you are not ready, ? for the rules, q to close")
        elif asked is None:
            raise Refused("nothing is asked now: c and a text to chat, g to give the hand up, q to close")
        elif self.asked is None or self.asked.key != asked.key:
            raise Refused("that was asked before and is settled")
        elif line.isascii() and line.isdigit() and 1 <= int(line) <= len(asked.choices):
            self._choose(asked.choices[int(line) - 1])
        elif (thrown := _thrown(line, asked)) is not None:
            self._choose(thrown)
        elif asked.text is not None and line and not line.isdigit():
            self._act(partial(asked.text, text=line))
        else:
            raise Refused(
                phrase(
                    "type a number from 1 to {n}, c and a text to chat, g to give up, or q",
                    n=len(asked.choices),
                )
            )

    def _mute(self, name: str, view: TableView) -> None:
        """Shows the chat of the player of this name no more, or again, at this table and later ones."""
        seats = [seat for seat in range(SEATS) if seat != view.me and view.names[seat] == name]
        if len(seats) != 1:
            others = listing([view.names[seat] for seat in range(SEATS) if seat != view.me])
            raise Refused(phrase("m and the name of one of the others: {names}", names=others))
        self.settings = turned(self.settings, view.keys[seats[0]])
        try:
            self.keep(self.settings)
        except UserError as error:
            self.printer.asides([error.text])
        silent = muted(self.settings, view, seats[0])
        said = tr("The chat of {name} is muted." if silent else "The chat of {name} is shown.", name=name)
        self.printer.asides([said])

    def _choose(self, choice: Choice) -> None:
        if choice.sure is not None:
            self._show(choice.sure(self.session))
            return
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
                scope.cancel()


def _thrown(line: str, asked: Menu) -> Choice | None:
    """The discard that a typed card names, "7h" or "10c"."""
    card = parse_typed(line)
    for choice in asked.choices:
        if isinstance(choice.move, Discard) and choice.move.card[1] == card:
            return choice
    return None


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
