"""A replay as it stands: which hand, which step, whether it runs by itself; and what each key does to it.

Owns the value, the one table of its keys (the help is made from it) and the steps. Frozen: a key gives a new
one. Draws nothing (reel_page.py does), knows no clock: the caller says when a step is due.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, say
from tongits_lan.game.moves import Drew, Hid
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.playback import Frame, PlayedHand
from tongits_lan.ledger.state import LedgerEvent, Played

PACES = (4.0, 2.0, 1.0, 0.5, 0.25)  # seconds a step
_NUMBER_MAX = 4  # digits


@dataclass(frozen=True, slots=True)
class Reel:
    """At least one settled hand, and the place in it."""

    hands: tuple[PlayedHand, ...]
    names: tuple[str, str, str]
    skin: Skin
    remark: str = ""
    """What verification found, for the title."""
    at: int = 0
    """The hand, from 0."""
    step: int = 0
    """The frame of the hand, from 0 (the deal)."""
    running: bool = False
    pace: int = 2
    help: bool = False
    typed: str = ""
    note: str = ""
    closed: bool = False

    @property
    def hand(self) -> PlayedHand:
        """The hand that is shown."""
        return self.hands[self.at]

    @property
    def frame(self) -> Frame:
        """The step that is shown."""
        return self.hand.frames[self.step]

    @property
    def last(self) -> int:
        """The last step of the hand."""
        return len(self.hand.frames) - 1

    @property
    def voice(self) -> Voice:
        """How its sentences speak: of three others."""
        return Voice(self.names, None, self.skin)

    @property
    def due_seconds(self) -> float | None:
        """After how long the next step comes by itself, or None."""
        return PACES[self.pace] if self.running else None


class Step(StrEnum):
    """What a key asks for."""

    NEXT = "next"
    BACK = "back"
    NEXT_HAND = "next hand"
    LAST_HAND = "last hand"
    BEGIN = "begin"
    END = "end"
    AUTO = "auto"
    FASTER = "faster"
    SLOWER = "slower"
    GO_STEP = "go to step"
    GO_HAND = "go to hand"
    DIGIT = "digit"
    ERASE = "erase"
    HELP = "help"
    CLOSE = "close"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class ReelKey:
    """Keys that ask for one step; `shown` and `help` make the line of the help ("" = not listed)."""

    keys: tuple[str, ...]
    step: Step
    shown: str = ""
    help: str = ""


KEYS: tuple[ReelKey, ...] = (
    ReelKey(("right", " ", "f", "l"), Step.NEXT, mark("Right Space"), "the next step"),
    ReelKey(("left", "b"), Step.BACK, mark("Left b"), "one step back"),
    ReelKey(("n", "down", "pagedown"), Step.NEXT_HAND, mark("n Down"), "the next hand"),
    ReelKey(("p", "up", "pageup"), Step.LAST_HAND, mark("p Up"), "the hand before"),
    ReelKey(("home", "<"), Step.BEGIN, "Home <", "the deal of this hand"),
    ReelKey(("end", ">"), Step.END, "End >", "the end of this hand"),
    ReelKey(("a",), Step.AUTO, "a", "let it run, or stop it"),
    ReelKey(("+", "="), Step.FASTER, "+", "faster"),
    ReelKey(("-",), Step.SLOWER, "-", "slower"),
    ReelKey(tuple("0123456789"), Step.DIGIT),
    ReelKey(("enter", "g"), Step.GO_STEP, "12 Enter", "jump to step 12 of this hand"),
    ReelKey(("h",), Step.GO_HAND, "3 h", "jump to the third hand shown"),
    ReelKey(("backspace",), Step.ERASE),
    ReelKey(("?",), Step.HELP, "?", "this help"),
    ReelKey(("escape", "c-g"), Step.CLOSE, "Esc", "close the help, forget a number"),
    ReelKey(("q", "c-c", "<sigint>"), Step.QUIT, "q Ctrl-C", "end the replay"),
)
_LOOKUP = {key: entry.step for entry in KEYS for key in entry.keys}


def special_keys() -> tuple[str, ...]:
    """Every key of the table that is not one printable character."""
    return tuple(sorted(key for key in _LOOKUP if len(key) > 1))


def help_lines() -> list[str]:
    """Help on every key of a replay."""
    return [f"{tr(entry.shown):<12}  {tr(entry.help)}" for entry in KEYS if entry.help]


def press(reel: Reel, key: str) -> Reel:
    """The reel after a key; one that means nothing changes nothing but the note."""
    step = _LOOKUP.get(key)
    reel = replace(reel, note="")
    return reel if step is None else _DO[step](reel, key)


def tick(reel: Reel) -> Reel:
    """A step that is due by itself; after the last hand it stops."""
    if reel.step < reel.last:
        return replace(reel, step=reel.step + 1)
    if reel.at + 1 < len(reel.hands):
        return replace(reel, at=reel.at + 1, step=0)
    return replace(reel, running=False, note=tr("This is the end."))


def told(frame: Frame, voice: Voice) -> list[str]:
    """What happened in a step, a sentence each, with every card open."""
    said = (_sentence(event, frame, voice) for event in frame.events)
    return [text for text in said if text is not None]


def _sentence(event: LedgerEvent, frame: Frame, voice: Voice) -> str | None:
    match event:
        case Played(event=Drew(seat=seat, slot=slot)):
            return tr("{who} drew {card}.", who=voice.who(seat), card=voice.skin.card(frame.faces[slot]))
        case Played(event=Hid(seat=seat, slots=slots)):
            cards = voice.skin.cards(sorted(frame.faces[slot] for slot in slots))
            return tr("{who} laid {cards} face down.", who=voice.who(seat), cards=cards)
        case _:
            return say(voice, event, frame.position)


def _next(reel: Reel, key: str) -> Reel:
    if reel.step < reel.last or reel.at + 1 < len(reel.hands):
        return tick(reel)
    return replace(reel, running=False, note=tr("This is the end."))


def _back(reel: Reel, key: str) -> Reel:
    reel = replace(reel, running=False)
    if reel.step:
        return replace(reel, step=reel.step - 1)
    if not reel.at:
        return replace(reel, note=tr("This is the beginning."))
    before = replace(reel, at=reel.at - 1)
    return replace(before, step=before.last)


def _to_hand(reel: Reel, at: int) -> Reel:
    if not 0 <= at < len(reel.hands):
        count = len(reel.hands)
        only = tr("There is only this hand.")
        return replace(reel, note=only if count == 1 else tr("There are {n} hands: 1 to {n}.", n=count))
    return replace(reel, at=at, step=0)


def _auto(reel: Reel, key: str) -> Reel:
    if reel.running:
        return replace(reel, running=False)
    over = reel.at + 1 == len(reel.hands) and reel.step == reel.last
    return replace(reel, running=True, at=0 if over else reel.at, step=0 if over else reel.step)


def _paced(reel: Reel, by: int) -> Reel:
    pace = max(0, min(len(PACES) - 1, reel.pace + by))
    return replace(reel, pace=pace, note=tr("{seconds} seconds a step.", seconds=f"{PACES[pace]:g}"))


def _go_step(reel: Reel, key: str) -> Reel:
    if not reel.typed:
        return (
            _next(reel, key) if key == "enter" else replace(reel, note=tr("Type the number of a step first."))
        )
    wanted = int(reel.typed)
    reel = replace(reel, typed="")
    if wanted > reel.last:
        return replace(reel, note=tr("This hand has the steps 0 to {n}.", n=reel.last))
    return replace(reel, step=wanted, running=False)


def _go_hand(reel: Reel, key: str) -> Reel:
    if not reel.typed:
        return replace(reel, note=tr("Type the number of a hand first."))
    return _to_hand(replace(reel, typed="", running=False), int(reel.typed) - 1)


_DO: dict[Step, Callable[[Reel, str], Reel]] = {
    Step.NEXT: _next,
    Step.BACK: _back,
    Step.NEXT_HAND: lambda reel, key: _to_hand(reel, reel.at + 1),
    Step.LAST_HAND: lambda reel, key: _to_hand(reel, reel.at - 1),
    Step.BEGIN: lambda reel, key: replace(reel, step=0, running=False),
    Step.END: lambda reel, key: replace(reel, step=reel.last, running=False),
    Step.AUTO: _auto,
    Step.FASTER: lambda reel, key: _paced(reel, 1),
    Step.SLOWER: lambda reel, key: _paced(reel, -1),
    Step.DIGIT: lambda reel, key: replace(reel, typed=(reel.typed + key)[-_NUMBER_MAX:]),
    Step.GO_STEP: _go_step,
    Step.GO_HAND: _go_hand,
    Step.ERASE: lambda reel, key: replace(reel, typed=reel.typed[:-1]),
    Step.HELP: lambda reel, key: replace(reel, help=not reel.help, running=False),
    Step.CLOSE: lambda reel, key: replace(reel, help=False, typed=""),
    Step.QUIT: lambda reel, key: replace(reel, closed=True),
}
