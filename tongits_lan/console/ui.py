"""What this screen itself remembers: the arrangement, what is open, what is being typed, the log.

Owns the value and the answer to "what is the player asked now"; changes nothing (control.py does) and
draws nothing (render.py does). Frozen: a new one for every key and every event.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from tongits_lan.console.arrange import Layout, Split
from tongits_lan.console.choices import Choice
from tongits_lan.console.keys import Mode
from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.game.moves import Move
from tongits_lan.game.position import Phase as Play
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.views import TableView
from tongits_lan.net.config import RuleSet
from tongits_lan.net.lobby import LobbyView
from tongits_lan.store.known import Person
from tongits_lan.store.settings import Settings

LOG_MAX = 2_000
TIP_TURNS = 3  # turns of a new player that show a line of advice
Speech = Literal["game", "chat", "table"]


class Overlay(StrEnum):
    """A page laid over the table."""

    HELP = "help"
    DISCARDS = "discards"
    LOG = "log"
    PROOFS = "proofs"
    OPTIONS = "options"
    COACH = "coach"
    SCORE = "score"
    RULES = "rules"


class Costly(StrEnum):
    """What is asked once more, beside a move."""

    LEAVE = "leave"
    AGAIN = "again"
    GIVE_UP = "give up"
    DIFFER = "differ"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Question:
    """Asked before a costly act: its cost in a sentence, and what a yes does."""

    text: str
    then: Move | Costly
    by_call_key: bool = False
    """Whether pressing `f` again is the yes (else Enter)."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    kind: Speech
    text: str
    about: str
    """What the line tells, for whoever looks for it: "drew 0" (by the seat), "closed"; mostly nothing."""
    say: Callable[[], str]
    """Says it anew, in the language spoken by then."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A seat's shuffle proof was found good here: at what time of day, and how long after it was due."""

    seat: int
    clock: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Ui:
    """Everything on the screen that is not in the view."""

    skin: Skin = LETTERS
    layout: Layout = Layout()
    best: Split = Split()
    choices: tuple[Choice, ...] = ()
    no_call: str | None = None
    """Why a fight cannot be called at the start of this turn, or None."""
    picked: tuple[Choice, ...] | None = None
    """What the marked cards can do, while several moves are possible."""
    log: tuple[LogLine, ...] = ()
    overlay: Overlay | None = None
    beneath: Overlay | None = None
    """The page on which help was asked for, and to which closing the help leads back."""
    review: tuple[str, ...] = ()
    """What the coach says of the last hand, while its page is open."""
    scroll: int = 0
    list_at: int | None = None
    question: Question | None = None
    quitting: bool = False
    typing: str | None = None
    code: str = ""
    """The join code as typed so far."""
    rule_sets: tuple[RuleSet, ...] = ()
    """What a host may choose from, while that page is open."""
    agreed: Rules | None = None
    """The rules this player last said yes to in the lobby, else the first he saw there."""
    kicking: bool = False
    """It is asked who is to be asked to leave."""
    chatting: str | None = None
    phrase: bool = False
    note: str | None = None
    settings: Settings = Settings()
    turns: int = 0
    """Own turns begun since the program was started."""
    proved: tuple[Proved, ...] = ()
    """The proofs of this hand, as they were found good here."""
    proof_due: float | None = None
    """Since when the next proof has been due, in seconds of a monotonic clock."""
    touched: bool = False
    """The player has moved the cursor himself in this turn."""
    sent: bool = False
    """An own act is under way and its effect not seen yet."""

    def logged(self, kind: Speech, say: Callable[[], str], about: str = "") -> "Ui":
        """With one more line; the oldest are dropped beyond a limit."""
        return replace(self, log=(*self.log[-LOG_MAX + 1 :], LogLine(kind, say(), about, say)))


def mode_of(ui: Ui, view: LobbyView | TableView) -> Mode:
    """What the player is asked now; the innermost thing open decides."""
    for is_open, mode in (
        (ui.overlay is Overlay.HELP, Mode.OVERLAY),
        (ui.quitting, Mode.QUIT),
        (ui.question is not None, Mode.CONFIRM),
        (ui.chatting is not None, Mode.CHAT),
        (ui.phrase, Mode.PHRASE),
        (ui.kicking, Mode.KICK),
        (ui.typing is not None, Mode.TYPING),
        (ui.list_at is not None, Mode.LIST),
        (ui.overlay is Overlay.OPTIONS, Mode.OPTIONS),
        (ui.overlay is Overlay.RULES and isinstance(view, LobbyView) and view.hosting, Mode.RULES),
        (ui.overlay is not None, Mode.OVERLAY),
    ):
        if is_open:
            return mode
    if isinstance(view, LobbyView):
        return lobby_mode(view)
    return table_mode(view)


def without_help(ui: Ui) -> Ui:
    """The screen as it is under the help."""
    return replace(ui, overlay=ui.beneath, beneath=None, scroll=0) if ui.overlay is Overlay.HELP else ui


def has_hearers(view: TableView) -> bool:
    """Whether anybody is there to hear what is said: at a table that is over the others may have left."""
    return table_mode(view) is not Mode.CLOSED or any(how.kind in ("direct", "through") for how in view.links)


def lobby_mode(view: LobbyView) -> Mode:
    """What is asked before there is a table."""
    if view.needs_code:
        return Mode.CODE
    if view.question is not None:
        return Mode.ACCEPT
    return Mode.TABLES if view.looking else Mode.LOBBY


def table_mode(view: TableView) -> Mode:
    """What the table itself asks of the player."""
    if view.is_over:
        return Mode.CLOSED
    if view.can_confirm_words:
        return Mode.WORDS
    if view.phase is Phase.SETTLE:
        return Mode.RESULT
    if not view.legal or view.position is None or view.position.turn != view.me:
        return Mode.WAITING
    turns: Mapping[Play, Mode] = {
        Play.SPREAD: Mode.SPREAD,
        Play.START: Mode.START,
        Play.ACTION: Mode.ACTION,
        Play.ANSWERS: Mode.ANSWER,
        Play.OVER: Mode.WAITING,
    }
    return turns[view.position.phase]


@dataclass(frozen=True, slots=True)
class Screen:
    """All a picture needs: no clock is read while drawing, so seconds come in ready made."""

    columns: int
    rows: int
    ui: Ui
    view: LobbyView | TableView
    away_seconds: int | None = None
    """How long the awaited player has been missed."""
    turn_seconds: int | None = None
    """What is left of a limited turn."""
    rtt_ms: tuple[float | None, ...] = (None, None, None)
    kept_in: str | None = None
    """The ledger file of this table."""
    known: tuple[Person | None, ...] = (None, None, None)
    """What is remembered of the players from before, by seat."""
