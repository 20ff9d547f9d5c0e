"""The whole picture: a frozen `Screen` in, exactly rows x columns of styled text out.

Owns the layout of every size. Reads no clock, asks nothing, remembers nothing.
"""

from itertools import zip_longest

from tongits_lan.console import lobby_page, overlays, pages, parts, prompt
from tongits_lan.console.boxes import (
    BLANK,
    LEAST,
    Line,
    beside,
    border,
    cells,
    exactly,
    fit,
    joints,
    line,
    row,
    too_small,
)
from tongits_lan.console.keys import Mode
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import told, tr
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Screen, table_mode
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

_WIDE = (110, 30)
_ROOMY_ROWS = 26
_TALL_ROWS = 34
_BOX_ROWS = 5  # of the choices box, before the log gets any
_LOG_ROWS = 12
_SIDE = 35  # columns of the side boxes, frame included
_FOOTERS = (  # the first that fits
    mark(
        "? help  s sort  g group  v discards  l log  c chat  r score  p proofs  m mute  o options  "
        "Ctrl-L redraw  q leave"
    ),
    mark("? help  s sort  g group  v discards  l log  c chat  r score  o options  q leave"),
    mark("? help  s sort  v discards  c chat  o options  q leave"),
    mark("? help  c chat  q leave"),
)


def render(screen: Screen) -> list[Line]:
    """The picture, `screen.rows` lines of `screen.columns` cells."""
    if screen.columns < LEAST[0] or screen.rows < LEAST[1]:
        return exactly(too_small(), screen.columns, screen.rows)
    view = screen.view
    if isinstance(view, LobbyView):
        return _exactly(screen, lobby_page.lobby(screen, view))
    voice = Voice(view.names, view.me, screen.ui.skin)
    if screen.ui.overlay is not None:
        return _exactly(screen, overlays.overlay(screen, view, voice))
    mode = table_mode(view)
    if mode is Mode.WORDS:
        return _exactly(screen, pages.words(screen, view, voice))
    if mode in (Mode.RESULT, Mode.CLOSED):
        return _exactly(screen, pages.result(screen, view, voice))
    if screen.columns >= _WIDE[0] and screen.rows >= _WIDE[1]:
        return _exactly(screen, _wide(screen, view, voice))
    return _exactly(screen, _table(screen, view, voice, screen.columns, screen.rows))


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


def _exactly(screen: Screen, lines: list[Line]) -> list[Line]:
    return exactly(lines, screen.columns, screen.rows)


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
        left = (left[0], ("", f"  {tr('rules: {name}', name=rules)}"), *left[1:])
    if view.match.streak_seat is not None and view.match.streak_length:
        who = voice.whom(view.match.streak_seat)
        hitter = tr("hitter {who} x{n}", who=who, n=view.match.streak_length)
        left = (*left, ("", f"  {hitter}"))
    pings = [ms for ms in screen.rtt_ms if ms is not None]
    network = "  " + tr("net {ms}ms", ms=round(max(pings))) if pings else ""
    proofs = tr("fair: {n}/3 proofs", n=sum(view.proofs))
    right = line(("class:dim", f"{proofs}{network} "))
    return (*fit(left, max(0, columns - cells(right) - 1)), ("", " "), *right)


def _table(screen: Screen, view: TableView, voice: Voice, columns: int, rows: int) -> list[Line]:
    """The table in one column of boxes; what is left over goes to the log."""
    skin = screen.ui.skin
    inner = columns - 2
    room = inner - 2
    above = [header(screen, view, voice), *_opponents(screen, view, voice, columns, rows)]
    above += _box(skin, inner, line(("class:title", tr("PILES"))), BLANK, [parts.piles(view, voice, room)])
    owed = line(tr("you owe {owed}", owed=screen.ui.best.owed)) if screen.ui.layout.order else BLANK
    above += _box(skin, inner, parts.own_title(view, voice), owed, _hand(screen, view, voice, room, rows))
    free = rows - len(above) - 2
    below: list[Line] = []
    if columns != screen.columns:  # the log stands at the side
        below = _box(
            skin,
            inner,
            line(("class:title", tr("NETWORK AND FAIRNESS"))),
            BLANK,
            parts.network(screen, view, voice),
        )
    elif free >= _BOX_ROWS + 3:
        height = min(free - _BOX_ROWS - 2, _LOG_ROWS)
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
    keys = next((tr(keys) for keys in _FOOTERS if len(tr(keys)) < screen.columns), "")
    foot = line(("class:dim", f" {keys}"))
    return [*above, *middle, *below, border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")), foot]


def _box(skin: Skin, inner: int, title: Line, right: Line, content: list[Line]) -> list[Line]:
    """A box under another one: its upper border and its rows."""
    return [
        border(skin, (inner,), ((title, right),), joints(skin, "middle")),
        *(row(skin, ((part, inner),)) for part in content),
    ]


def _hand(screen: Screen, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    """The own melds and the own hand."""
    laid = parts.melds(view, voice, view.me, room)
    tall = parts.tall_hand(screen.ui, view, room) if rows >= _TALL_ROWS else None
    if tall is not None:
        return [*laid, BLANK, *tall]
    blank = [BLANK] if not laid or rows >= _ROOMY_ROWS else []
    return [*laid, *blank, *parts.hand(screen.ui, view, room)]


def _opponents(screen: Screen, view: TableView, voice: Voice, columns: int, rows: int) -> list[Line]:
    """Both opponents side by side, who plays before the player on the left."""
    skin = screen.ui.skin
    left = (columns - 3) // 2
    widths = (left, columns - 3 - left)
    seats = ((view.me + 2) % 3, (view.me + 1) % 3)
    content, titles = [], []
    for seat, room in zip(seats, widths, strict=True):
        lines = parts.opponent(screen, view, voice, seat, room - 2, brief=rows < _ROOMY_ROWS - 6)
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
