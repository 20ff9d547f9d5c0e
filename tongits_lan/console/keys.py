"""The one table of keys: which key does what in which situation, and the help made from it.

Owns the table; does nothing itself. Keys are called as prompt_toolkit calls them ("enter", "c-l", "d").
Nothing costly lies on Escape, no function keys, no Alt chords, no Ctrl-S or Ctrl-Q.
"""

from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum

from tongits_lan.console.speech import tr
from tongits_lan.game.sentences import mark


class Mode(StrEnum):
    """What the player is asked now; the innermost thing open on the screen decides."""

    TABLES = "tables"
    LOBBY = "lobby"
    CODE = "code"
    ACCEPT = "accept"
    KICK = "kick"
    WORDS = "words"
    WAITING = "waiting"
    SPREAD = "spread"
    START = "start"
    ACTION = "action"
    ANSWER = "answer"
    RESULT = "result"
    CLOSED = "closed"
    CHAT = "chat"
    PHRASE = "phrase"
    TYPING = "typing"
    OVERLAY = "overlay"
    OPTIONS = "options"
    LIST = "list"
    RULES = "rules"
    CONFIRM = "confirm"
    QUIT = "quit"


class Act(StrEnum):
    """What a key asks for."""

    JOIN = "join"
    READY = "ready"
    ACCEPT = "accept"
    KICK = "kick"
    BOT = "bot"
    RESUME = "resume"
    RULES = "rules"
    RULE_SET = "rule set"
    TURN_TIME = "turn time"
    HANDS = "hands"
    COMPLETE = "complete"
    SAME = "same"
    DIFFER = "differ"
    DRAW = "draw"
    TAKE = "take"
    CALL = "call"
    CHOICE = "choice"
    ALL = "all"
    LEFT = "left"
    RIGHT = "right"
    ENTER = "enter"
    MARK = "mark"
    UNMARK = "unmark"
    TYPE = "type"
    YES = "yes"
    NO = "no"
    SORT = "sort"
    GROUP = "group"
    MOVE_LEFT = "move left"
    MOVE_RIGHT = "move right"
    HINT = "hint"
    COACH = "coach"
    NEXT = "next"
    AGAIN = "again"
    LEAVE = "leave"
    KEEP_WAITING = "keep waiting"
    ASIDE = "aside"
    DISCARDS = "discards"
    LOG = "log"
    PROOFS = "proofs"
    OPTIONS = "options"
    SWITCH = "switch"
    SCORE = "score"
    HELP = "help"
    CHAT = "chat"
    PHRASE = "phrase"
    ERASE = "erase"
    SCROLL = "scroll"
    CLOSE = "close"
    KEEP = "keep"
    GIVE_UP = "give up"
    MUTE = "mute"
    REDRAW = "redraw"
    SUSPEND = "suspend"
    QUIT = "quit"
    INTERRUPT = "interrupt"


OWN_TURN = (Mode.SPREAD, Mode.START, Mode.ACTION, Mode.ANSWER)
_HAND = (*OWN_TURN, Mode.WAITING)
_OVER = (Mode.RESULT, Mode.CLOSED)
_TABLE = (*_HAND, *_OVER)
_LOBBY = (Mode.LOBBY, Mode.ACCEPT)
_MAIN = (*_LOBBY, Mode.WORDS, *_TABLE)
_READ = (Mode.OVERLAY, Mode.OPTIONS, Mode.LIST, Mode.RULES)
_TYPED = (Mode.CHAT, Mode.TYPING, Mode.CODE)
_HELPED = tuple(mode for mode in Mode if mode not in _TYPED)
_EVERYWHERE = tuple(Mode)
KEY_CELLS = 14  # of a line of help: the keys and the gap behind them


@dataclass(frozen=True, slots=True)
class Binding:
    """Keys that ask for one act in these modes; `shown` and `help` make the help line ("" = not listed)."""

    keys: tuple[str, ...]
    act: Act
    modes: tuple[Mode, ...]
    shown: str = ""
    help: str = ""


BINDINGS: tuple[Binding, ...] = (
    Binding(tuple("123456789"), Act.JOIN, (Mode.TABLES,), "1-9", "join the table with this number"),
    Binding(("enter", " "), Act.READY, (Mode.LOBBY,), "Enter", "say that you are ready, or take it back"),
    Binding(("a",), Act.ACCEPT, (Mode.LOBBY,), "a", "the new key of somebody you know is all right"),
    Binding(("r",), Act.RULES, (Mode.LOBBY,), "r", "what is new in the rules; the host changes them there"),
    Binding(("g",), Act.RESUME, (Mode.LOBBY,), "g", "go on with the unfinished table of you three (host)"),
    Binding(("b",), Act.BOT, (Mode.LOBBY,), "b", "seat a bot in an empty place (host)"),
    Binding(("k",), Act.KICK, (Mode.LOBBY,), "k", "ask somebody to leave, send a bot away (host)"),
    Binding(tuple("123"), Act.KICK, (Mode.KICK,), "1-3", "ask the player in that place to leave"),
    Binding(("escape", "q", "k"), Act.CLOSE, (Mode.KICK,), "Esc", "nobody"),
    Binding(tuple("123456789"), Act.RULE_SET, (Mode.RULES,), "1-9", "play by the rules with this number"),
    Binding(("t",), Act.TURN_TIME, (Mode.RULES,), "t", "the next time limit for a turn"),
    Binding(("n",), Act.HANDS, (Mode.RULES,), "n", "the next number of hands"),
    Binding(("escape", "q", "enter", "r"), Act.CLOSE, (Mode.RULES,), "Esc", "back to the lobby"),
    Binding(("enter",), Act.ENTER, (Mode.CODE,), "Enter", "give the join code"),
    Binding(("tab",), Act.COMPLETE, (Mode.CODE,), "Tab", "complete the word being typed"),
    Binding(("enter", "y"), Act.ACCEPT, (Mode.ACCEPT,), "Enter", "yes, go on"),
    Binding(("enter",), Act.SAME, (Mode.WORDS,), "Enter", "all three read the same words"),
    Binding(("x",), Act.DIFFER, (Mode.WORDS,), "x", "the words differ: leave this table"),
    Binding(("d",), Act.DRAW, (Mode.START,), "d", "draw from the stock"),
    Binding(("t",), Act.TAKE, (Mode.START,), "t", "take the discard (marked cards go along)"),
    Binding(("f",), Act.CALL, (Mode.START,), "f", "call a fight; asks once more"),
    Binding(("y",), Act.YES, (Mode.ANSWER,), "y", "fight back"),
    Binding(("n",), Act.NO, (Mode.ANSWER,), "n", "fold"),
    Binding(tuple("123456789"), Act.CHOICE, (*OWN_TURN,), "1-9", "do the choice with this number"),
    Binding(("0",), Act.ALL, OWN_TURN, "0", "show every choice"),
    Binding(("left",), Act.LEFT, (*_HAND,), mark("Left Right"), "choose another card"),
    Binding(("right",), Act.RIGHT, (*_HAND,)),
    Binding((" ",), Act.MARK, (*_HAND,), "Space", "mark the card; Enter lays just the marked ones"),
    Binding(("escape", "backspace"), Act.UNMARK, (*_HAND,), "Esc", "unmark all cards"),
    Binding(("enter",), Act.ENTER, OWN_TURN, "Enter", "do what the box says"),
    Binding(("/",), Act.TYPE, _HAND, "/7h", "choose a card by its name (just 7h where no choice is 7)"),
    Binding(("s",), Act.SORT, _HAND, "s", "sort by suit or by rank"),
    Binding(("g",), Act.GROUP, _HAND, "g", "melds together, or one row"),
    Binding(("<", ","), Act.MOVE_LEFT, _HAND, "< >", "move the card"),
    Binding((">", "."), Act.MOVE_RIGHT, _HAND),
    Binding(("h",), Act.HINT, OWN_TURN, "h", "a hint, if this table allows hints"),
    Binding(("h",), Act.COACH, _OVER, "h", "which of your discards cost you most"),
    Binding(("enter",), Act.NEXT, (Mode.RESULT,), "Enter", "go on to the next hand"),
    Binding(("a",), Act.AGAIN, _OVER, "a", "a new table with the same three"),
    Binding(("l",), Act.LEAVE, (Mode.RESULT,), "l", "leave the table for good; the pot is split"),
    Binding(
        ("w",), Act.KEEP_WAITING, (Mode.WAITING, Mode.RESULT), "w", "keep waiting for a player who is away"
    ),
    Binding(
        ("n",), Act.ASIDE, (Mode.WAITING, Mode.RESULT), "n", "begin another table while a player is away"
    ),
    Binding(("v",), Act.DISCARDS, _TABLE, "v", "the discards"),
    Binding(("l", "L"), Act.LOG, (*_HAND, Mode.CLOSED), "l", "the whole log"),
    Binding(("L",), Act.LOG, (Mode.RESULT,), "L", "the whole log"),
    Binding(("p",), Act.PROOFS, _TABLE, "p", "why the deal is fair: who proved what, and when"),
    Binding(("r",), Act.SCORE, _TABLE, "r", "the score, hand by hand"),
    Binding(("o",), Act.OPTIONS, _MAIN, "o", "options, and the rules of this table"),
    Binding(tuple("123456789"), Act.SWITCH, (Mode.OPTIONS,), "1-9", "turn the option with this number"),
    Binding(("c",), Act.CHAT, _MAIN, "c", "chat"),
    Binding(("!",), Act.PHRASE, _MAIN, "! 1-4", "a quick phrase"),
    Binding(("m",), Act.MUTE, (Mode.TABLES, *_MAIN), "m", "the bell on or off"),
    Binding(("?",), Act.HELP, _HELPED, "?", "this help"),
    Binding(("?",), Act.HELP, (Mode.CODE,), "?", "this help, while nothing is typed"),
    Binding(("enter",), Act.CLOSE, (Mode.CLOSED,), "Enter", "close this table"),
    Binding(("enter",), Act.ENTER, (Mode.CHAT,), "Enter", "send"),
    Binding(("backspace",), Act.ERASE, _TYPED),
    Binding(("c-w",), Act.ERASE, _TYPED, "Ctrl-W", "take back a word"),
    Binding(("c-u",), Act.ERASE, _TYPED, "Ctrl-U", "clear what is typed"),
    Binding(("escape", "c-g"), Act.CLOSE, (Mode.CHAT, Mode.PHRASE, Mode.TYPING), "Esc", "back"),
    Binding(tuple("1234"), Act.CHOICE, (Mode.PHRASE,), "1-4", "say it"),
    Binding(("enter",), Act.ENTER, (Mode.LIST,), "Enter", "do it"),
    Binding(("up", "down", "k", "j"), Act.SCROLL, _READ, mark("Up Down"), "scroll or choose"),
    Binding(("up", "down"), Act.SCROLL, _OVER, mark("Up Down"), "scroll where not all is shown"),
    Binding(
        (" ", "pagedown", "pageup"),
        Act.SCROLL,
        (*_READ, *_OVER),
        mark("Space PgUp"),
        "a page down, a page up",
    ),
    Binding(("home", "end"), Act.SCROLL, (*_READ, *_OVER), "Home End", "to the beginning, to the end"),
    Binding(
        ("escape", "q", "enter", "v", "l", "L", "p", "o", "h", "r"),
        Act.CLOSE,
        (Mode.OVERLAY, Mode.OPTIONS),
        "Esc",
        "close",
    ),
    Binding(("escape", "q", "0"), Act.CLOSE, (Mode.LIST,), "Esc", "close"),
    Binding(("enter", "y"), Act.YES, (Mode.CONFIRM,), "Enter", "yes, do it"),
    Binding(("f",), Act.CALL, (Mode.CONFIRM,)),
    Binding(("escape", "n", "q"), Act.CLOSE, (Mode.CONFIRM,), "Esc", "no"),
    Binding(("k",), Act.KEEP, (Mode.QUIT,), "k", "close the program; a hand that is not over stays pending"),
    Binding(("g",), Act.GIVE_UP, (Mode.QUIT,), "g", "give this hand up"),
    Binding(("escape", "n", "q", "enter"), Act.CLOSE, (Mode.QUIT,), "Esc", "stay"),
    Binding(("q",), Act.QUIT, (Mode.TABLES, *_MAIN), "q", "leave (asks how)"),
    Binding(("c-c", "<sigint>"), Act.INTERRUPT, _EVERYWHERE, "Ctrl-C", "the same as q; twice: close at once"),
    Binding(("c-l",), Act.REDRAW, _EVERYWHERE, "Ctrl-L", "draw the screen anew"),
    Binding(("c-z",), Act.SUSPEND, _EVERYWHERE, "Ctrl-Z", "suspend"),
)

_LOOKUP: dict[tuple[Mode, str], Act] = {
    (mode, key): binding.act for binding in BINDINGS for mode in binding.modes for key in binding.keys
}


def act_of(mode: Mode, key: str) -> Act | None:
    """What this key asks for now, or None."""
    return _LOOKUP.get((mode, key))


def special_keys() -> tuple[str, ...]:
    """Every key of the table that is not one printable character."""
    keys = {key for binding in BINDINGS for key in binding.keys if len(key) > 1}
    return tuple(sorted(keys))


def help_lines(mode: Mode, without: Set[Act] = frozenset()) -> list[str]:
    """Help on exactly the keys that work in this mode, without those of acts that cannot be done now."""
    listed = [b for b in BINDINGS if mode in b.modes and b.help and b.act not in without]
    return [f"{tr(binding.shown):<{KEY_CELLS - 2}}  {tr(binding.help)}" for binding in listed]
