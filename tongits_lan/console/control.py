"""The desk of one player: the screen's own state, the view it belongs to, and the guards of every act.

Owns when a key comes too early to be meant, what is asked once more, and what the program around is asked
for. Judges no rule: moves come from `view.legal`, reasons from the game room. Draws nothing; no clock.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from tongits_lan.console import choices, follow
from tongits_lan.console.idle import TurnClock, default_move
from tongits_lan.console.keys import Mode
from tongits_lan.console.scrolling import ENDLESS, Extent
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import told
from tongits_lan.console.text import sentence
from tongits_lan.console.ui import Question, Ui, mode_of
from tongits_lan.console.wants import Want
from tongits_lan.errors import Refused
from tongits_lan.game.engine import check
from tongits_lan.game.moves import Move
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.playback import PlayedHand
from tongits_lan.ledger.views import TableView
from tongits_lan.net.config import RuleSet
from tongits_lan.net.events import SessionEvent
from tongits_lan.net.lobby import LobbyView
from tongits_lan.store.settings import Settings

PAGE_SECONDS = 0.8  # after another page has taken the place of the table
SENT_SECONDS = 5.0  # how long an act that shows no effect keeps others back
DEAF_SECONDS = 0.3  # after a new card or a question has appeared, or keys have got another meaning
TWICE_SECONDS = 2.0  # two Ctrl-C within this close the program
_DEFAULTS = Settings()


class Actions(Protocol):
    """What a session can be asked; each raises Refused with a sentence when it cannot be done."""

    @property
    def view(self) -> LobbyView | TableView: ...
    def choose(self, tag: bytes) -> None: ...
    def enter_code(self, text: str) -> None: ...
    def accept(self) -> None: ...
    def kick(self, place: int) -> None: ...
    def add_bot(self) -> None: ...
    def resume(self) -> None: ...
    def rule_sets(self) -> tuple[RuleSet, ...]: ...
    def set_rules(self, rules: Rules) -> None: ...
    def leave_lobby(self) -> None: ...
    def set_ready(self, value: bool) -> None: ...
    def chat(self, text: str) -> None: ...
    def submit(self, move: Move) -> None: ...
    def confirm_words(self) -> None: ...
    def words_differ(self) -> None: ...
    def go_on(self) -> None: ...
    def leave_table(self) -> None: ...
    def give_up(self) -> None: ...
    def keep_waiting(self) -> None: ...
    def put_aside(self) -> None: ...
    def play_again(self) -> None: ...
    def played(self) -> PlayedHand | None: ...


class Desk:
    """Holds the one changing thing of the screen, `ui`, and the view it belongs to."""

    def __init__(
        self,
        session: Actions,
        skin: Skin,
        settings: Settings = _DEFAULTS,
        extent: Callable[[], Extent] = lambda: ENDLESS,
    ) -> None:
        """`extent` says how far the page can be scrolled that the window shows now."""
        self.session = session
        self.extent = extent
        self.view = session.view
        self.ui = follow.follow(Ui(skin=skin, settings=settings), None, self.view).ui
        self._wants: list[Want] = []
        self._clock = TurnClock()
        self._now = self._sent_at = 0.0
        self._deaf_until = float("-inf")
        self._interrupted = float("-inf")

    @property
    def mode(self) -> Mode:
        """What the player is asked now."""
        return mode_of(self.ui, self.view)

    def take_wants(self) -> tuple[Want, ...]:
        """What is wanted of the program since it was last asked."""
        wants, self._wants = tuple(self._wants), []
        return wants

    # what comes from the table

    def changed(self, now: float) -> None:
        """The session has another view."""
        view = self.session.view
        before, self.view = self.view, view
        if view is before:
            return
        news = follow.follow(self.ui, before, view)
        self.ui = news.ui
        if news.other_keys:
            self.deafen(now)
        if news.new_page:
            self.deafen(now, PAGE_SECONDS)
        if news.my_turn:
            self.ui = follow.begun(self.ui)
            if self.ui.settings.bell:
                self.want(Want.BELL)

    def heard(self, event: SessionEvent, now: float, clock: str = "") -> None:
        """The session tells something; `clock` is the time of day, as people read it."""
        self.changed(now)
        self.ui = follow.hear(self.ui, self.view, event, now, clock)

    # what comes from the player

    def want(self, want: Want) -> None:
        """Asks something of the program around."""
        self._wants.append(want)

    def change(self, ui: Ui) -> None:
        """The screen's own state is another one."""
        self.ui = ui

    def interrupted_twice(self, now: float) -> bool:
        """Notes a Ctrl-C; whether one came just before."""
        twice = now - self._interrupted <= TWICE_SECONDS
        self._interrupted = now
        return twice

    def deafen(self, now: float, seconds: float = DEAF_SECONDS) -> None:
        """Keys that act do nothing for a moment."""
        self._deaf_until = max(self._deaf_until, now + seconds)

    def note(self, text: str) -> None:
        """One line under the choices, until the next key, in the language of the player."""
        self.ui = replace(self.ui, note=told(text))

    def table(self) -> TableView | None:
        """The view of a table, or None in the lobby."""
        return self.view if isinstance(self.view, TableView) else None

    def attempt(self, act: Callable[[], None], *, sends: bool = False) -> None:
        """Asks the session; a refusal becomes the note."""
        try:
            act()
        except Refused as refused:
            table = self.table()
            text = (
                told(refused.reason)
                if table is None
                else sentence(refused.reason, follow.voice(self.ui, table))
            )
            self.note(text)
            return
        if sends:
            self.ui = replace(self.ui, sent=True)
            self._sent_at = self._now

    def deaf(self, now: float) -> bool:
        """Whether a key that acts comes too early to be meant for what is on the screen."""
        self.at(now)
        if self.busy or self.too_soon(now):
            self.too_early()
            return True
        return False

    def too_early(self) -> None:
        """A key did nothing, as what it would have been meant for was not on the screen yet."""
        self.note("That key came too early: look, then press it again.")

    def at(self, now: float) -> None:
        """It is this time now."""
        self._now = now

    @property
    def busy(self) -> bool:
        """Whether an own act is under way and its effect is still expected."""
        return self.ui.sent and self._now < self._sent_at + SENT_SECONDS

    def too_soon(self, now: float) -> bool:
        """Whether something new has appeared just now."""
        return now < self._deaf_until

    def tick(self, now: float) -> None:
        """Time has passed: a turn that has run out is ended with the default move."""
        self.at(now)
        table = self.table()
        if table is None:
            return
        self._clock = self._clock.ticked(table, now)
        if not self._clock.is_over or self.busy:
            return
        move = default_move(table, self.ui.best)
        if move is not None:
            self.change(replace(self.ui, question=None, typing=None, list_at=None))
            self.submit(move)

    @property
    def turn_seconds(self) -> int | None:
        """Whole seconds left of a limited turn, or None."""
        return self._clock.seconds

    # moves

    def make(self, move: Move, now: float) -> None:
        """Makes a legal move, after a question if it is costly."""
        table = self.table()
        if table is None or move not in table.legal:
            self.note("That is not possible any more.")
            return
        found = choices.choice(table, follow.voice(self.ui, table), self.ui.best, move)
        if found.warning is not None and not choices.is_suggested(table, self.ui.best, move):
            self.ask(Question(found.warning, move), now)
            return
        self.submit(move)

    def submit(self, move: Move) -> None:
        """Makes a move without asking."""
        self.ui = replace(self.ui, picked=None, layout=replace(self.ui.layout, marks=frozenset()))
        self.attempt(lambda: self.session.submit(move), sends=True)

    def ask(self, question: Question, now: float) -> None:
        """Asks before a costly act."""
        self.ui = replace(self.ui, question=question)
        self.deafen(now)

    def why(self, move: Move) -> None:
        """The note says why this move is refused, in the words of the game room."""
        table = self.table()
        if table is None or table.position is None:
            return
        reason = check(table.position, table.me, move)
        self.note(sentence(reason or mark("that is not possible now"), follow.voice(self.ui, table)))
