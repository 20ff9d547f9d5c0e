"""The menu of a player who starts the program without a command: a value, its keys, what a key makes of it.

Owns the way from a name to a chosen table. Opens nothing itself: what was chosen is handed out. Reads no
clock, looks at no network: what is found there comes in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeVar, assert_never

from tongits_lan.console.erasing import ERASERS, erased
from tongits_lan.console.scrolling import ENDLESS, WAYS, Extent
from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.console.speech import IN_BOTH, told, tr
from tongits_lan.errors import UserError
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.store.settings import Settings

if TYPE_CHECKING:
    from tongits_lan.console.options import Switch
    from tongits_lan.net.announcements import Found

Command = Literal["host", "join", "play"]
_T = TypeVar("_T")
_HANDS = (0, 5, 10, 20)
_ADDRESS_MAX = 64  # letters
_DEFAULTS = Settings()


class Page(StrEnum):
    """What the menu shows."""

    NAME = "name"
    HOME = "home"
    SETUP = "setup"
    TABLES = "tables"
    ADDRESS = "address"
    READ = "read"
    OPTIONS = "options"
    HELP = "help"


READ = (Page.READ, Page.HELP)
"""The pages that can be longer than the window."""


class Reading(StrEnum):
    """What stands on the page that is read."""

    HOW = mark("how to play")
    RULES = mark("rules")
    NETWORK = mark("network")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the player wants now: the command and what it is told."""

    command: Command
    rules: str = "pagat"
    bots: int = 0
    turn_seconds: int = 0
    hands: int = 0
    """0: until somebody leaves."""
    address: str | None = None
    """As the player typed it."""
    found: tuple[str, ...] = ()
    """All addresses of the row he chose."""
    fresh: bool = True
    """A new table even where an unfinished one could go on."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A table that could go on, in words, and how."""

    label: str
    """Said in English; whoever draws it says it in the language of now."""
    chosen: Chosen


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the menu."""

    label: str
    act: str


@dataclass(frozen=True, slots=True)
class Door:
    """Everything the menu shows and remembers."""

    skin: Skin = LETTERS
    page: Page = Page.NAME
    name: str = ""
    typed: str = ""
    guessed: bool = False
    """What is typed is a guess that nobody has touched: the first letter takes its place."""
    at: int = 0
    back: Page = Page.HOME
    """Where Escape leads from a page that is read."""
    helped: Page = Page.HOME
    """The page whose keys the help lists."""
    unfinished: tuple[Unfinished, ...] = ()
    network: str = ""
    """How this machine is on the network, in words."""
    found: tuple[Found, ...] = ()
    hints: tuple[str, ...] = ()
    """Why no table is found, after a while without one."""
    looks: bool = True
    """Whether tables are looked for at all."""
    setup: Chosen = Chosen("host")
    reading: Reading = Reading.HOW
    report: tuple[str, ...] | None = None
    """What was found out about the network; None while it is being looked at."""
    scroll: int = 0
    note: str | None = None
    settings: Settings = Settings()
    """The player's choices for this machine, as the page of options turns them."""
    chosen: Chosen | None = None
    left: bool = False
    """The player wants to leave the program."""


def opened(
    name: str, guess: str, skin: Skin, *, note: str | None = None, settings: Settings = _DEFAULTS
) -> Door:
    """The menu as it opens: asks for a name if there is none, with a guess already typed."""
    return Door(
        skin=skin,
        page=Page.HOME if name else Page.NAME,
        name=name,
        typed="" if name else guess,
        guessed=not name,
        note=note,
        settings=settings,
    )


def items(door: Door) -> tuple[Item, ...]:
    """The lines of the menu, numbered from 1."""
    going_on = tuple(Item(told(table.label), f"go on {at}") for at, table in enumerate(door.unfinished))
    return (
        *going_on,
        Item(tr("Host a table"), "host"),
        Item(tr("Join a table"), "join"),
        Item(tr("Practice with bots"), "play"),
        Item(tr("How to play (rules and keys)"), "how"),
        Item(tr("Cannot find each other? Check my network"), "network"),
        Item(tr("Change my name"), "name"),
        Item(tr("Options ({language})", language=IN_BOTH), "options"),
    )


def options(door: Door) -> tuple[Switch, ...]:
    """The lines of the page of options, numbered from 1."""
    from tongits_lan.console.options import switches
    from tongits_lan.console.ui import Ui

    return switches(Ui(settings=door.settings), None)


# --- keys -------------------------------------------------------------------------------------------

KEYS: tuple[tuple[tuple[Page, ...], tuple[str, ...], str, str], ...] = (
    ((Page.NAME, Page.ADDRESS), ("enter",), "Enter", mark("take what is typed")),
    ((Page.NAME, Page.ADDRESS), ("backspace",), "Backspace", mark("take back a letter")),
    ((Page.NAME, Page.ADDRESS), ("c-w",), "Ctrl-W", mark("take back a word")),
    ((Page.NAME, Page.ADDRESS), ("c-u",), "Ctrl-U", mark("clear what is typed")),
    ((Page.HOME, Page.TABLES), ("up", "down", "k", "j"), mark("Up Down"), mark("choose a line")),
    ((Page.HOME, Page.TABLES), ("enter",), "Enter", mark("do it")),
    ((Page.HOME,), tuple("123456789"), "1-9", mark("do the line with this number")),
    ((Page.HOME,), ("o",), "o", mark("options: language, colours, bell")),
    ((Page.OPTIONS,), tuple("123456789"), "1-9", mark("turn the option with this number")),
    ((Page.TABLES,), tuple("123456789"), "1-9", mark("join the table with this number")),
    ((Page.TABLES,), ("a",), "a", mark("type the address the host's screen shows")),
    ((Page.SETUP,), ("r",), "r", mark("the next rule set")),
    ((Page.SETUP,), ("v",), "v", mark("read this rule set")),
    ((Page.SETUP,), ("b",), "b", mark("how many seats bots take (host)")),
    ((Page.SETUP,), ("t",), "t", mark("seconds for a turn")),
    ((Page.SETUP,), ("n",), "n", mark("hands until the table closes")),
    ((Page.SETUP,), ("enter",), "Enter", mark("open the table")),
    (READ, ("up", "down", "k", "j"), mark("Up Down"), mark("scroll")),
    (READ, (" ", "pagedown", "pageup"), mark("Space PgUp"), mark("a page down, a page up")),
    (READ, ("home", "end"), mark("Home End"), mark("to the beginning, to the end")),
    (READ, ("enter",), "Enter", mark("back")),
    (tuple(page for page in Page if page is not Page.HOME), ("escape", "c-g"), "Esc", mark("back")),
    ((Page.SETUP, Page.TABLES, Page.READ, Page.OPTIONS, Page.HELP), ("q",), "q", mark("back")),
    ((Page.HOME,), ("q",), "q", mark("leave")),
    ((Page.HOME, Page.SETUP, Page.TABLES, Page.READ, Page.OPTIONS), ("?",), "?", mark("this help")),
    ((Page.ADDRESS,), ("?",), "?", mark("this help, while nothing is typed")),
    ((Page.HELP,), ("?",), "?", mark("back")),
    (tuple(Page), ("c-c", "<sigint>"), "Ctrl-C", mark("leave")),
)
"""(pages, keys, as shown, what it does): the help is made from it, and no other key does anything."""


def works(page: Page, key: str) -> bool:
    """Whether the table of keys lists this key for this page."""
    return any(page in pages and key in keys for pages, keys, _, _ in KEYS)


def help_lines(page: Page) -> list[str]:
    """Help on exactly the keys that work on this page."""
    return [f"{tr(shown):<10}  {tr(what)}" for pages, _, shown, what in KEYS if page in pages]


def press(door: Door, key: str, extent: Extent = ENDLESS) -> Door:
    """The menu after a key; `extent` is that of the page that is read."""
    door = replace(door, note=None)
    if key in ("c-c", "<sigint>"):
        return replace(door, left=True)
    asks_for_help = key == "?" and door.page is Page.ADDRESS and not door.typed
    if door.page in (Page.NAME, Page.ADDRESS) and len(key) == 1 and key.isprintable() and not asks_for_help:
        return _type(door, key)
    if not works(door.page, key):
        return door
    match door.page:
        case Page.NAME | Page.ADDRESS:
            return _typing(door, key)
        case Page.HOME:
            return _home(door, key)
        case Page.SETUP:
            return _setup(door, key)
        case Page.TABLES:
            return _tables(door, key)
        case Page.READ | Page.HELP:
            return _read(door, key, extent)
        case Page.OPTIONS:
            return _options(door, key)
        case _:
            assert_never(door.page)


def paste(door: Door, text: str) -> Door:
    """Pasted text goes into a line being typed and nowhere else."""
    typing = door.page in (Page.NAME, Page.ADDRESS)
    return _type(door, " ".join(text.split())) if typing else door


def _type(door: Door, text: str) -> Door:
    limit = NAME_MAX if door.page is Page.NAME else _ADDRESS_MAX
    before = "" if door.guessed else door.typed
    return replace(door, typed=clean(before + text, limit), guessed=False)


def _typing(door: Door, key: str) -> Door:
    if key == "?":
        return _asked_for_help(door)
    if key in ERASERS:
        return replace(door, typed=erased(door.typed, key), guessed=False)
    if key != "enter":
        if door.page is Page.NAME and not door.name:
            return replace(door, note=tr("A name is needed first; Ctrl-C leaves."))
        return replace(door, page=Page.HOME if door.page is Page.NAME else Page.TABLES, typed="")
    text = door.typed.strip()
    if door.page is Page.NAME:
        if not text:
            return replace(door, note=tr("Type a name the others will know you by."))
        return replace(door, page=Page.HOME, name=text, typed="")
    from tongits_lan.net.transport import parse_address

    try:
        parse_address(text)
    except UserError as error:
        return replace(door, note=told(error.text))
    return replace(door, chosen=Chosen("join", address=text, fresh=False))


def _moved(door: Door, key: str, count: int) -> Door:
    by = -1 if key in ("up", "k") else 1
    return replace(door, at=(door.at + by) % max(1, count))


def _asked_for_help(door: Door) -> Door:
    return replace(door, page=Page.HELP, helped=door.page, scroll=0)


def _home(door: Door, key: str) -> Door:
    shown = items(door)
    if key == "q":
        return replace(door, left=True)
    if key == "?":
        return _asked_for_help(door)
    if key == "o":
        return _done(door, "options")
    if key in ("up", "down", "k", "j"):
        return _moved(door, key, len(shown))
    at = door.at if key == "enter" else int(key) - 1
    return _done(door, shown[at].act) if at < len(shown) else door


def _done(door: Door, act: str) -> Door:
    door = replace(door, at=0, scroll=0)
    match act.split():
        case ["go", "on", at]:
            return replace(door, chosen=door.unfinished[int(at)].chosen)
        case ["host"]:
            return replace(door, page=Page.SETUP, setup=replace(door.setup, command="host", bots=0))
        case ["play"]:
            return replace(door, page=Page.SETUP, setup=replace(door.setup, command="play", bots=2))
        case ["join"]:
            return replace(door, page=Page.TABLES if door.looks else Page.ADDRESS, typed="")
        case ["network"]:
            return replace(door, page=Page.READ, back=Page.HOME, reading=Reading.NETWORK, report=None)
        case ["name"]:
            return replace(door, page=Page.NAME, typed=door.name, guessed=True)
        case ["options"]:
            return replace(door, page=Page.OPTIONS)
        case _:
            return replace(door, page=Page.READ, back=Page.HOME, reading=Reading.HOW)


def _setup(door: Door, key: str) -> Door:
    from tongits_lan.game.rules import PRESETS, values_of

    setup = door.setup
    match key:
        case "enter":
            return replace(door, chosen=setup)
        case "r":
            setup = replace(setup, rules=_next(tuple(PRESETS), setup.rules))
        case "b" if setup.command == "host":
            setup = replace(setup, bots=_next((0, 1), setup.bots))
        case "t":
            times = tuple(value for value in values_of("turn_seconds") if isinstance(value, int))
            setup = replace(setup, turn_seconds=_next(times, setup.turn_seconds))
        case "n":
            setup = replace(setup, hands=_next(_HANDS, setup.hands))
        case "v":
            return replace(door, page=Page.READ, back=Page.SETUP, reading=Reading.RULES, scroll=0)
        case "?":
            return _asked_for_help(door)
        case "b":
            return replace(door, note=tr("Practice is against two bots."))
        case _:
            return replace(door, page=Page.HOME)
    return replace(door, setup=setup)


def _next(values: tuple[_T, ...], now: _T) -> _T:
    return values[(values.index(now) + 1) % len(values)]


def _options(door: Door, key: str) -> Door:
    if key == "?":
        return _asked_for_help(door)
    if not key.isdigit():
        return replace(door, page=Page.HOME)
    from tongits_lan.console.options import switched
    from tongits_lan.console.ui import Ui

    return replace(door, settings=switched(Ui(settings=door.settings), None, int(key)).settings)


def _tables(door: Door, key: str) -> Door:
    if key == "?":
        return _asked_for_help(door)
    if key == "a":
        return replace(door, page=Page.ADDRESS, typed="")
    if key in ("escape", "c-g", "q"):
        return replace(door, page=Page.HOME, at=0)
    if key in ("up", "down", "k", "j"):
        return _moved(door, key, len(door.found))
    at = door.at if key == "enter" else int(key) - 1
    return join(door, at)


def join(door: Door, at: int) -> Door:
    """Chooses a row of the list, or says why it cannot be joined."""
    if at >= len(door.found):
        return replace(door, note=tr("There is no table with that number.") if door.found else None)
    table = door.found[at]
    if not table.fits:
        return replace(
            door,
            note=tr(
                "{name} has version {version}, which cannot play with yours: update both.",
                name=table.host,
                version=table.version,
            ),
        )
    return replace(door, chosen=Chosen("join", found=table.addresses, fresh=False))


def _read(door: Door, key: str, extent: Extent) -> Door:
    if key in WAYS:
        return replace(door, scroll=extent.moved(door.scroll, key))
    if key == "?" and door.page is Page.READ:
        return _asked_for_help(door)
    return replace(door, page=door.back if door.page is Page.READ else door.helped, scroll=0)


def looked(door: Door, found: tuple[Found, ...], hints: tuple[str, ...]) -> Door:
    """The menu after the network was heard; the chosen row stays chosen wherever it is now."""
    at = door.at
    if door.page is Page.TABLES:
        tag = door.found[at].tag if at < len(door.found) else None
        at = next((row for row, table in enumerate(found) if table.tag == tag), 0)
    return replace(door, found=found, hints=hints, at=at)


def renumbered(before: Door, after: Door) -> bool:
    """Whether a number of the list would now mean another table than a moment ago."""
    shown, now = ([table.tag for table in door.found] for door in (before, after))
    return shown != now[: len(shown)]


def placed(door: Door, network: str) -> Door:
    """The menu once it is known how this machine is on the network."""
    return replace(door, network=network)


def reported(door: Door, report: tuple[str, ...]) -> Door:
    """The menu after the look at the network that its player asked for."""
    return replace(door, report=report)
