"""The whole picture: a frozen `Screen` in, exactly rows x columns of styled text out.

Owns the layout of every size. Reads no clock, asks nothing, remembers nothing.
"""

from enum import IntEnum
from itertools import zip_longest

from tongits_lan.console import lobby_page, overlays, pages, parts, prompt
from tongits_lan.console.boxes import (
    BLANK,
    Line,
    beside,
    border,
    cells,
    exactly,
    first_fitting,
    fit,
    fits,
    joints,
    line,
    plain,
    row,
    too_small,
    width,
)
from tongits_lan.console.keys import Mode
from tongits_lan.console.scrolling import Extent, Picture
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import told, tr
from tongits_lan.console.text import Voice, points
from tongits_lan.console.ui import Screen, table_mode
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

_WIDE = (110, 30)
_FULL_COLUMNS = 72  # below, words give way to names
_ROOMY_ROWS = 26
_TALL_ROWS = 34
_BOX_ROWS = 5  # of the choices box, before the log gets any
_LEAST_BOX_ROWS = 4  # of the same, before what stands over it is drawn tighter
_BOX_ROWS_MAX = 10  # eight choices, the way to the others, and what Enter does
_LOG_ROWS = 12
_LEAST_LOG_ROWS = 3
_TABLE_DIGITS = 8  # as in the name of its file
_LEAST_NAME = 4  # cells; less of a name says nothing
_SIDE = 35  # columns of the side boxes, frame included
_FOOTERS = (  # the first that fits
    mark(
        "? help  h hint  s sort  g group  v discards  l log  c chat  r score  p proofs  o options  "
        "Ctrl-L redraw  q leave"
    ),
    mark("? help  h hint  s sort  g group  v thrown  c chat  r score  o options  q leave"),
    mark("? help  h hint  s sort  c chat  o options  q leave"),
    mark("? help  c chat  q leave"),
)


def render(screen: Screen) -> list[Line]:
    """The picture, `screen.rows` lines of `screen.columns` cells."""
    return exactly(_picture(screen).lines, screen.columns, screen.rows)


def extent(screen: Screen) -> Extent:
    """How far what this screen shows can be scrolled."""
    return _picture(screen).extent


def _picture(screen: Screen) -> Picture:
    if not fits(screen.columns, screen.rows):
        return Picture(too_small())
    view = screen.view
    if isinstance(view, LobbyView):
        return lobby_page.picture(screen, view)
    voice = Voice(view.names, view.me, screen.ui.skin)
    if screen.ui.overlay is not None:
        return overlays.overlay(screen, view, voice)
    mode = table_mode(view)
    if mode is Mode.WORDS:
        return Picture(pages.words(screen, view, voice))
    if mode in (Mode.RESULT, Mode.CLOSED):
        return pages.result(screen, view, voice)
    if screen.columns >= _WIDE[0] and screen.rows >= _WIDE[1]:
        return Picture(_wide(screen, view, voice))
    return Picture(_table(screen, view, voice, screen.columns, screen.rows))


def text_of(screen: Screen) -> str:
    """The picture without styles, for tests and for the eye."""
    return "\n".join("".join(text for _, text in content).rstrip() for content in render(screen))


def window_title(screen: Screen) -> str:
    """What the terminal's title says: whose turn it is."""
    view = screen.view
    if isinstance(view, LobbyView):
        return tr("Tongits: waiting for players")
    if table_mode(view) in (Mode.START, Mode.ACTION, Mode.ANSWER, Mode.SPREAD):
        return tr("* Tongits: YOUR TURN")
    return tr("Tongits: hand {number}", number=view.hand_no)


def header(screen: Screen, view: TableView, voice: Voice) -> Line:
    """One line of facts about the table; the proofs at its right end are never pushed out."""
    columns, hands = screen.columns, view.rules.hands
    if hands:
        facts = tr("hand {number} of {n}  pot {pot}", number=view.hand_no, n=hands, pot=view.ante_pot)
    else:
        facts = tr("hand {number}  pot {pot}", number=view.hand_no, pot=view.ante_pot)
    left = line(("class:title", "TONGITS"), f"  {facts}")
    if columns >= _WIDE[0]:
        rules = told(rules_name(view.rules))
        table = tr("table {id}", id=view.table_id.hex()[:_TABLE_DIGITS])
        left = (left[0], ("", f"  {table}  {tr('rules: {name}', name=rules)}"), *left[1:])
    pings = [ms for ms in screen.rtt_ms if ms is not None]
    network = "  " + tr("net {ms}ms", ms=round(max(pings))) if pings else ""
    proofs = tr("fair: {n}/3 proofs", n=sum(view.proofs))
    if cells(left) + len(proofs + network) + 2 > columns:
        network = ""
    right = line(("class:dim", f"{proofs}{network} "))
    room = max(0, columns - cells(right) - 1)
    return (*fit((*left, ("", _hitter(view, voice, room - cells(left)))), room), ("", " "), *right)


def _hitter(view: TableView, voice: Voice, room: int) -> str:
    """Who has won the last hands: a long name is cut, without room for one nothing is said."""
    seat, wins = view.match.streak_seat, view.match.streak_length
    if seat is None or not wins:
        return ""
    bare = cells(line(tr("hitter {who} x{n}", who="", n=wins))) + 2
    if room < bare + _LEAST_NAME:
        return ""
    return "  " + tr("hitter {who} x{n}", who=parts.shortened(voice.whom(seat), room - bare), n=wins)


def _table(screen: Screen, view: TableView, voice: Voice, columns: int, rows: int) -> list[Line]:
    """The table in one column of boxes; what is left over goes to the log.

    Where it is short of rows the upper part is drawn tighter, until the choices have theirs."""
    skin = screen.ui.skin
    inner = columns - 2
    room = inner - 2
    said = len(prompt.needed(screen, view, voice, room, _BOX_ROWS_MAX))
    wanted = max(_LEAST_BOX_ROWS, min(said, _BOX_ROWS)) + 1
    for tight in _Tight:
        above = _above(screen, view, voice, columns, rows, tight)
        free = rows - len(above) - 2
        if free >= wanted:
            break
    below: list[Line] = []
    if columns != screen.columns:  # the log stands at the side
        below = _box(
            skin,
            inner,
            line(("class:title", tr("NETWORK AND FAIRNESS"))),
            BLANK,
            parts.network(screen, view, voice, room),
        )
    elif free >= _BOX_ROWS + 3:
        height = max(_LEAST_LOG_ROWS, min(free - max(_BOX_ROWS, said) - 2, _LOG_ROWS))
        entries = parts.log_lines(screen.ui.log, room, height)
        below = _box(
            skin,
            inner,
            line(("class:title", tr("LOG"))),
            BLANK,
            [*entries, *[BLANK] * (height - len(entries))],
        )
    box_rows = max(2, free - len(below) - 1)
    asked = prompt.lines(screen, view, voice, room, box_rows)
    middle = _box(skin, inner, *prompt.title(screen, view, voice), asked)
    foot = line(("class:dim", f" {first_fitting(map(tr, _FOOTERS), screen.columns - 1)}"))
    return [*above, *middle, *below, border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")), foot]


def _above(
    screen: Screen, view: TableView, voice: Voice, columns: int, rows: int, tight: "_Tight"
) -> list[Line]:
    """What stands over the choices: the others, the piles, the own hand."""
    skin, inner = screen.ui.skin, columns - 2
    room = inner - 2
    lines = [header(screen, view, voice), *_opponents(screen, view, voice, columns, rows, tight)]
    if tight >= _Tight.PILES:
        lines.append(
            border(skin, (inner,), ((parts.piles(view, voice, room - 2), BLANK),), joints(skin, "middle"))
        )
    else:
        tall = rows >= _TALL_ROWS
        piles = parts.tall_piles(view, voice, room) if tall else [parts.piles(view, voice, room)]
        lines += _box(skin, inner, line(("class:title", tr("PILES"))), BLANK, piles)
    owed = _owed(screen) if screen.ui.layout.order else ""
    hand = _hand(screen, view, voice, room, rows, tight)
    title = parts.own_title(view, voice, room - 2 - width(owed) - 3)
    return [*lines, *_box(skin, inner, title, line(owed), hand)]


def _owed(screen: Screen) -> str:
    """What the own hand counts, in short where the name beside it needs the room."""
    count = screen.ui.best.owed
    if screen.columns < _FULL_COLUMNS:
        return tr("you owe {owed}", owed=count)
    return tr("you owe {points}", points=points(count))


class _Tight(IntEnum):
    """What is saved so that the choices have their rows; each step saves what those before it save too."""

    NOTHING = 0
    GAPS = 1
    PILES = 2
    NAMES = 3
    MELDS = 4
    CURSOR = 5


def _box(skin: Skin, inner: int, title: Line, right: Line, content: list[Line]) -> list[Line]:
    """A box under another one: its upper border and its rows."""
    return [
        border(skin, (inner,), ((title, right),), joints(skin, "middle")),
        *(row(skin, ((part, inner),)) for part in content),
    ]


def _hand(screen: Screen, view: TableView, voice: Voice, room: int, rows: int, tight: _Tight) -> list[Line]:
    """The own melds and the own hand."""
    laid = parts.melds(view, voice, view.me, room)
    if tight >= _Tight.MELDS:
        laid = _first(laid, room)
    tall = parts.tall_hand(screen.ui, view, room) if rows >= _TALL_ROWS else None
    if tall is not None:
        return [*laid, BLANK, *tall]
    gap = tight is _Tight.NOTHING and (not laid or rows >= _ROOMY_ROWS)
    names, *cards = parts.hand(screen.ui, view, room)
    if tight is _Tight.CURSOR or (tight is _Tight.MELDS and not plain(cards[-1]).strip()):
        del cards[-1]
    return [*laid, *[BLANK] * gap, *([] if tight >= _Tight.NAMES else [names]), *cards]


def _first(melds: list[Line], room: int) -> list[Line]:
    """One line of melds; a tilde says that there are more."""
    return melds if len(melds) < 2 else [fit((*melds[0], ("", " " * room)), room)]


def _opponents(
    screen: Screen, view: TableView, voice: Voice, columns: int, rows: int, tight: _Tight
) -> list[Line]:
    """Both opponents side by side, who plays before the player on the left."""
    skin = screen.ui.skin
    left = (columns - 3) // 2
    widths = (left, columns - 3 - left)
    seats = ((view.me + 2) % 3, (view.me + 1) % 3)
    content, titles = [], []
    for seat, room in zip(seats, widths, strict=True):
        lines = parts.opponent(view, voice, seat, room - 2, brief=rows < _ROOMY_ROWS - 6)
        if tight >= _Tight.MELDS:
            lines = [lines[0], *_first(lines[1:], room - 2)]
        if rows >= _TALL_ROWS:
            lines.insert(1, parts.hidden_row(view, seat, room - 2))
        content.append(lines)
        titles.append((parts.who_title(view, voice, seat, room - 4), BLANK))
    out = [border(skin, widths, titles, joints(skin, "top"))]
    for pair in zip_longest(*content, fillvalue=BLANK):
        out.append(row(skin, zip(pair, widths, strict=True)))
    return out


def _wide(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """The table on the left; score, chat and a longer log on the right."""
    skin = screen.ui.skin
    left = screen.columns - _SIDE + 1
    table = _table(screen, view, voice, left, screen.rows)
    inner = _SIDE - 2
    chat = [entry for entry in screen.ui.log if entry.kind == "chat"]
    side = [
        _side_border(screen, tr("SCORE"), "top"),
        *(row(skin, ((content, inner),)) for content in parts.score(view, voice, inner - 2)),
    ]
    room = screen.rows - 2 - len(side) - 3
    chat_rows = max(4, room // 3)
    log_rows = room - chat_rows
    for name, entries, height in (
        (tr("LOG"), list(screen.ui.log), log_rows),
        (tr("CHAT (c)"), chat, chat_rows),
    ):
        side.append(_side_border(screen, name, "middle"))
        lines = parts.log_lines(entries, inner - 2, height)
        side.extend(row(skin, ((content, inner),)) for content in [*lines, *[BLANK] * (height - len(lines))])
    side.append(border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")))
    first, last = table[0], table[-1]
    joined = [beside(skin, content, other) for content, other in zip(table[1:-1], side, strict=True)]
    return [first, *joined, last]


def _side_border(screen: Screen, name: str, kind: str) -> Line:
    skin = screen.ui.skin
    return border(skin, (_SIDE - 2,), ((line(("class:title", name)), BLANK),), joints(skin, kind))
