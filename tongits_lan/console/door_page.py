"""The pictures of the menu: name, what now, a new table, tables found, pages to read.

Owns their lines; like all drawing it reads no clock and asks nothing. What the first page does not need is
loaded with the page that does, so that the menu is there at once.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, assert_never

from tongits_lan import __version__
from tongits_lan.console.boxes import (
    BLANK,
    Line,
    cells,
    exactly,
    fit,
    fits,
    framed,
    line,
    plain,
    too_small,
    width,
    wrap,
)
from tongits_lan.console.door import READ, Door, Item, Page, Reading, help_lines, items, options
from tongits_lan.console.found import named, short
from tongits_lan.console.keys import Mode
from tongits_lan.console.keys import help_lines as keys_of
from tongits_lan.console.scrolling import Extent, windowed
from tongits_lan.console.speech import told, tr, trn
from tongits_lan.game.sentences import mark
from tongits_lan.limits import NAME_MAX, SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tongits_lan.net.announcements import Found

_HOW = (
    mark(
        "Three players, thirteen cards for the dealer and twelve for each of the others. Be the first "
        "without a card in your hand (Tongits!), or hold the lowest count when somebody calls a fight "
        "or the stock ends."
    ),
    mark(
        "Sets are three or four cards of a rank, runs three or more in a row of one suit. What is in "
        "neither counts against you: ace 1, jack, queen and king 10, the others what they show."
    ),
    mark(
        "On your turn: draw (d), or take the last discard (t) if it makes a meld with yours. Lay melds "
        "by their number if you like, add cards to any meld on the table (sapaw), then throw one card "
        "(Enter)."
    ),
    mark(
        "A player who has laid nothing when the hand ends is burned. With a meld of yours on the table "
        "you may call a fight (f) at the start of your turn, unless somebody has just laid off on your "
        "melds."
    ),
)
_REPORT_INDENT = 17
_LEAST_NAME = 4  # cells of a host's name among the tables on the line of the menu
_MOTTO = mark("three players, one network, no server")
_ABOUT_NAME = mark("The others see it at the table. Type another, or take this one with Enter.")


def picture(door: Door, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of `columns` cells."""
    if not fits(columns, rows):
        return exactly(too_small(), columns, rows)
    room = columns - 4
    height = rows - 3
    name, body, foot = _page(door, room, height)
    note = [BLANK, *(line(("class:note", text)) for text in wrap(door.note, room))] if door.note else []
    if door.page in READ:
        read = windowed(body, height, door.scroll)
        body, name = read.lines, name + read.told
    else:
        body = body[: height - len(note)]
    title = line(("class:title", "TONGITS"), ("class:dim", f" {__version__}"), f"  {name}")
    shown = framed(door.skin, columns, rows, title, [*body, *note], line(("class:dim", f" {foot}")))
    return exactly(shown, columns, rows)


def extent(door: Door, columns: int, rows: int) -> Extent:
    """How far the page can be scrolled."""
    if door.page not in READ:
        return Extent()
    height = rows - 3
    return windowed(_page(door, columns - 4, height)[1], height, 0).extent


def text_of(door: Door, columns: int = 80, rows: int = 24) -> str:
    """The picture without styles, for tests and for the eye."""
    return "\n".join("".join(t for _, t in content).rstrip() for content in picture(door, columns, rows))


def _page(door: Door, room: int, height: int) -> tuple[str, list[Line], str]:
    """The name of the page, its lines, the keys under it."""
    match door.page:
        case Page.NAME:
            keys = tr("Enter take it  Esc back" if door.name else "Enter take it  Ctrl-C leave")
            return tr(_MOTTO), _name(door), keys
        case Page.HOME:
            lines = _home(door, room, height)
            return tr(_MOTTO), lines, tr("1-9 Enter do it  ? help  q leave")
        case Page.SETUP:
            return tr("a new table"), _setup(door, room), tr("Enter open it  Esc back  ? help")
        case Page.TABLES:
            keys = tr("1-9 Enter join  a address  Esc back  ? help")
            return tr("join a table"), _tables(door, room), keys
        case Page.ADDRESS:
            return tr("join by address"), _address(door, room), tr("Enter join  Esc back  ? help")
        case Page.READ:
            return tr(door.reading.value), _reading(door, room), tr("Up Down scroll  Esc back")
        case Page.OPTIONS:
            return tr("options"), _options(door, room), tr("1-9 turn an option  Esc back  ? help")
        case Page.HELP:
            lines = [line(text) for text in help_lines(door.helped)]
            return tr("keys that work here"), lines, tr("Up Down scroll  Esc back")
        case _:
            assert_never(door.page)


def _typed(label: str, text: str, room: int) -> Line:
    tail = text
    while tail and cells(line(label, tail)) + 4 > room:
        tail = tail[1:]
    return line(f"  {label}", ("class:name", tail), ("class:cursor", "_"))


def _name(door: Door) -> list[Line]:
    return [
        BLANK,
        _typed(tr("Your name:") + " ", door.typed, 76),
        BLANK,
        line(("class:dim", f"  {tr(_ABOUT_NAME)}")),
    ]


def _home(door: Door, room: int, height: int) -> list[Line]:
    """What now; a table to go on with takes a second line where it needs one and there is one."""
    left = line(("class:name", "  " + tr("{name}, what now?", name=door.name)))
    network = told(door.network)
    gap = max(2, room - cells(left) - cells(line(network)))
    body = [BLANK, fit((*left, ("", " " * gap), ("class:dim", network)), room), BLANK]
    for wraps in (True, False):
        shown = [_item(door, at, item, room, wraps=wraps) for at, item in enumerate(items(door))]
        if len(body) + sum(map(len, shown)) + bool(door.unfinished) <= height:
            break
    for count, lines in enumerate(shown, 1):
        body += [*lines, BLANK] if count == len(door.unfinished) else lines
    return [*body, BLANK, line(("class:dim", "  " + tr("Up, Down and Enter, or the number.")))]


def _item(door: Door, at: int, item: Item, room: int, *, wraps: bool) -> list[Line]:
    """A line of the menu, and what does not fit into it."""
    sign = ("class:cursor", ">") if at == door.at else ("", " ")
    begun = line("  ", sign, ("class:key", f" {at + 1}"), "  ")
    free = room - cells(begun)
    if item.act == "join":
        found = ("class:dim", _found(door, free - width(item.label)))
        return [fit((*begun, ("class:name", item.label), found), room)]
    first, *more = _wrapped(item.label, free) if wraps else [item.label]
    return [
        fit((*begun, ("class:name", first)), room),
        *(line(" " * cells(begun), ("class:name", text)) for text in more),
    ]


def _wrapped(label: str, room: int) -> list[str]:
    """A label in lines; what stands behind its gap, a day, stays whole."""
    names, gap, day = label.partition("  ")
    *lines, last = wrap(names, room)
    both = f"{last}{gap}{day}"
    return [*lines, both] if width(both) <= room else [*lines, last, day]


def _found(door: Door, room: int) -> str:
    """The tables on the line of the menu: "   found: Ana's table (2/3)"; in fewer words where it is long."""
    if not door.found:
        return "   " + tr("looking ...") if door.looks and not door.hints else ""
    for tables in _ways_to_say(door.found):
        said = f"   {tr('found:')} {'   '.join(tables)}"
        if width(said) <= room:
            break
    return said


def _ways_to_say(found: tuple[Found, ...]) -> Iterator[Iterable[str]]:
    """The tables in fewer and fewer words; names give way last."""
    yield (_joinable(table, short(table)) for table in found)
    yield (_joinable(table, f"{table.host} ({table.seats}/{SEATS})") for table in found)
    for cells_of_a_name in range(NAME_MAX, _LEAST_NAME - 1, -1):
        yield (named(table, cells_of_a_name) for table in found)


def _joinable(table: Found, said: str) -> str:
    """A table so said, with its version where that does not go with this one."""
    return said if table.fits else f"{said[:-1]}, {tr('version {version}', version=table.version)})"


def _setup(door: Door, room: int) -> list[Line]:
    from tongits_lan.game.describe import summary
    from tongits_lan.game.rules import PRESETS

    setup = door.setup
    turn = tr("no limit for a turn")
    if setup.turn_seconds:
        turn = tr("{seconds} s a turn", seconds=setup.turn_seconds)
    hands = tr("goes on until somebody leaves")
    if setup.hands:
        hands = trn("closes after {count} hand", "closes after {count} hands", setup.hands)
    names = [f"[{name}]" if name == setup.rules else name for name in PRESETS]
    play = setup.command == "play"
    what = tr("A practice table: you and two bots") if play else tr("A table for your friends")
    about = wrap(told(summary(PRESETS[setup.rules])), room - 14)
    body = [
        BLANK,
        line(f"  {what}"),
        BLANK,
        line(("class:key", "  r"), f"  {tr('rules'):<9}{'  '.join(names)}"),
        *(line(("class:dim", f"              {text}")) for text in about),
        line(("class:key", "  v"), f"           {tr('read these rules')}"),
        line(("class:key", "  t"), f"  {tr('turn'):<9}{turn}"),
        line(("class:key", "  n"), f"  {tr('hands'):<9}{hands}"),
    ]
    if setup.command == "host":
        bots = tr("one seat for a bot") if setup.bots else tr("no bots: for three people")
        body.append(line(("class:key", "  b"), f"  {tr('bots'):<9}{bots}"))
    return [*body, BLANK, line(("class:key", "  Enter"), f"  {tr('open the table')}")]


def _options(door: Door, room: int) -> list[Line]:
    body = [BLANK]
    for number, switch in enumerate(options(door), 1):
        body.append(fit(line(("class:key", f"  {number}"), f"  {switch.label:<40}  {switch.state}"), room))
    return body


def _tables(door: Door, room: int) -> list[Line]:
    from tongits_lan.console.looking import table_row

    body = [BLANK, line(tr("Looking for tables on this network ...")), BLANK]
    for at, table in enumerate(door.found):
        sign = ("class:cursor", ">") if at == door.at else ("", " ")
        body.append(fit((sign, ("", " "), *table_row(at + 1, table, room - 2)), room))
    for hint in door.hints:
        body.extend(line(("class:warn", text)) for text in wrap(told(hint), room))
    if not door.found and not door.hints:
        body.append(line(("class:dim", tr("A table that is opened now appears here by itself."))))
    body.append(BLANK)
    if door.found:
        body.append(
            line(("class:key", "Enter"), f"  {tr('join the table with the arrow, or press its number')}")
        )
    body.append(line(("class:key", "a"), "      " + tr("type the address the host's screen shows")))
    return body


def _address(door: Door, room: int) -> list[Line]:
    return [
        BLANK,
        _typed(tr("Address:") + " ", door.typed, room),
        BLANK,
        line(("class:dim", "  " + tr("As the host's screen shows it, like 192.168.1.20"))),
    ]


def reading_lines(door: Door, room: int = 96) -> list[str]:
    """The page that is read, as plain lines."""
    return [plain(content) for content in _reading(door, room)]


def _reading(door: Door, room: int) -> list[Line]:
    match door.reading:
        case Reading.HOW:
            return _how(room)
        case Reading.RULES:
            from tongits_lan.console.overlays import rules_lines
            from tongits_lan.game.rules import PRESETS

            return [line(text) for text in rules_lines(PRESETS[door.setup.rules], room)]
        case Reading.NETWORK:
            if door.report is None:
                return [BLANK, line(tr("Looking at this computer and its network, a few seconds ..."))]
            return [line(text) for entry in door.report for text in _hanging(entry, room)]
        case _:
            assert_never(door.reading)


def _hanging(text: str, room: int) -> list[str]:
    """A line of the report with its columns kept; what goes on in a further line stands under the last."""
    indent = " " * _REPORT_INDENT
    return textwrap.wrap(
        text, room, subsequent_indent=indent, replace_whitespace=False, break_on_hyphens=False
    )


def _how(room: int) -> list[Line]:
    from tongits_lan.console.overlays import rules_lines
    from tongits_lan.game.rules import PRESETS

    body: list[Line] = []
    for text in _HOW:
        body.extend(line(part) for part in wrap(tr(text), room))
        body.append(BLANK)
    for name, modes in ((mark("YOUR TURN BEGINS"), Mode.START), (mark("AFTER THE DRAW"), Mode.ACTION)):
        body.append(line(("class:title", tr(name))))
        body.extend(line(f"  {text}") for text in keys_of(modes))
        body.append(BLANK)
    body.append(line(("class:title", tr("THE RULES"))))
    body.extend(line(text) for text in rules_lines(PRESETS["pagat"], room))
    return body
