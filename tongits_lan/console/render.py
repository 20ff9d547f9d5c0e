"""The whole picture: a frozen `Screen` in, exactly rows x columns of styled text out.

Owns the layout of every size. Reads no clock, asks nothing, remembers nothing.
"""

from tongits_lan.console import pages, parts, prompt
from tongits_lan.console.boxes import BLANK, Line, border, cells, fit, joints, line, row
from tongits_lan.console.keys import Mode
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Screen, table_mode
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

LEAST = (60, 16)
_WIDE = (110, 30)
_SIDE = 35  # columns of the side boxes, frame included
_FOOTER = "? help  s sort  g group  v discards  l log  c chat  p proofs  o rules  q leave"
_FOOTER_SMALL = "? help  c chat  q leave"


def render(screen: Screen) -> list[Line]:
    """The picture, `screen.rows` lines of `screen.columns` cells."""
    if screen.columns < LEAST[0] or screen.rows < LEAST[1]:
        small = [line("Window too small"), line(f"make it {LEAST[0]}x{LEAST[1]} or larger")]
        return _exactly(screen, small)
    view = screen.view
    if isinstance(view, LobbyView):
        return _exactly(screen, pages.lobby(screen, view))
    voice = Voice(view.names, view.me, screen.ui.skin)
    if screen.ui.overlay is not None:
        return _exactly(screen, pages.overlay(screen, view, voice))
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
        return "Tongits: waiting for players"
    if table_mode(view) in (Mode.START, Mode.ACTION, Mode.ANSWER, Mode.SPREAD):
        return "* Tongits: YOUR TURN"
    return f"Tongits: hand {view.hand_no}"


def _exactly(screen: Screen, lines: list[Line]) -> list[Line]:
    fitted = [fit(content, screen.columns) for content in lines[: screen.rows]]
    return [*fitted, *[fit(BLANK, screen.columns)] * (screen.rows - len(fitted))]


def header(screen: Screen, view: TableView, voice: Voice, columns: int) -> Line:
    """One line of facts about the table."""
    left = line(("class:title", "TONGITS"), f"  hand {view.hand_no}  pot {view.ante_pot}")
    if view.match.streak_seat is not None and view.match.streak_length:
        hitter = f"  hitter {voice.whom(view.match.streak_seat)} x{view.match.streak_length}"
        left = (*left, ("", hitter))
    pings = [ms for ms in screen.rtt_ms if ms is not None]
    network = f"  net {max(pings):.0f}ms" if pings else ""
    proofs = sum(view.proofs)
    right = line(("class:dim", f"fair: {proofs}/3 proofs{network} "))
    gap = columns - cells(left) - cells(right)
    return (*left, ("", " " * max(1, gap)), *right)


def _table(screen: Screen, view: TableView, voice: Voice, columns: int, rows: int) -> list[Line]:
    """The table in one column of boxes; what is left over goes to the log."""
    skin = screen.ui.skin
    inner = columns - 2
    room = inner - 2
    left_room = (inner - 1) // 2
    seats = ((view.me + 2) % 3, (view.me + 1) % 3)
    widths = (left_room, inner - 1 - left_room)
    roomy = rows >= 34
    players = _opponents(screen, view, voice, seats, widths, roomy=roomy, one_line=rows < 20)
    own_melds = parts.melds(view, voice, view.me, room) or [BLANK]
    cards = parts.hand(screen.ui, view, room)
    hand = [*own_melds, *([BLANK] if rows >= 26 else []), *cards]
    fixed = 1 + len(players) + 2 + 1 + len(hand) + 1 + 1 + 1
    free = rows - fixed
    log_rows = max(0, min(free - 5 - 1, 12)) if free >= 8 else 0
    box_rows = max(2, free - (log_rows + 1 if log_rows else 0))
    asked = prompt.lines(screen, view, voice, room, box_rows)
    owed = line(f"you owe {screen.ui.best.owed}") if screen.ui.layout.order else BLANK
    middle, bottom = joints(skin, "middle"), joints(skin, "bottom")
    out = [header(screen, view, voice, columns), *players]
    out.append(border(skin, (inner,), ((line(("class:title", "PILES")), BLANK),), middle))
    out.append(row(skin, ((parts.piles(view, voice, room), inner),)))
    out.append(border(skin, (inner,), ((parts.own_title(view, voice), owed),), middle))
    out.extend(row(skin, ((content, inner),)) for content in hand)
    out.append(border(skin, (inner,), (prompt.title(screen, view, voice),), middle))
    out.extend(row(skin, ((content, inner),)) for content in asked)
    if log_rows:
        out.append(border(skin, (inner,), ((line(("class:title", "LOG")), BLANK),), middle))
        entries = parts.log_lines(screen.ui.log, room, log_rows)
        out.extend(
            row(skin, ((content, inner),)) for content in [*entries, *[BLANK] * (log_rows - len(entries))]
        )
    out.append(border(skin, (inner,), ((BLANK, BLANK),), bottom))
    out.append(line(("class:dim", " " + (_FOOTER if columns >= len(_FOOTER) + 2 else _FOOTER_SMALL))))
    return out


def _opponents(
    screen: Screen,
    view: TableView,
    voice: Voice,
    seats: tuple[int, int],
    widths: tuple[int, int],
    *,
    roomy: bool,
    one_line: bool,
) -> list[Line]:
    skin = screen.ui.skin
    columns = [
        parts.opponent(screen, view, voice, seat, room - 2) for seat, room in zip(seats, widths, strict=True)
    ]
    if roomy:
        for at, (seat, room) in enumerate(zip(seats, widths, strict=True)):
            columns[at].insert(1, parts.hidden_row(view, seat, room - 2))
    height = 1 if one_line and not view_has_melds(view) else max(map(len, columns))
    titles = [
        (parts.who_title(view, voice, seat, room - 4), BLANK)
        for seat, room in zip(seats, widths, strict=True)
    ]
    out = [border(skin, widths, titles, joints(skin, "top"))]
    for at in range(height):
        out.append(
            row(
                skin,
                [
                    (column[at] if at < len(column) else BLANK, room)
                    for column, room in zip(columns, widths, strict=True)
                ],
            )
        )
    return out


def view_has_melds(view: TableView) -> bool:
    """Whether anything lies on the table."""
    return view.position is not None and bool(view.position.melds)


def _wide(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """The table on the left; score, chat and a longer log on the right."""
    skin = screen.ui.skin
    left = screen.columns - _SIDE + 1
    table = _table(screen, view, voice, left, screen.rows)
    inner = _SIDE - 2
    chat = [entry for entry in screen.ui.log if entry.kind == "chat"]
    side = [
        _side_border(screen, "SCORE", "top"),
        *(row(skin, ((content, inner),)) for content in parts.score(view, voice, inner - 2)),
    ]
    room = screen.rows - 2 - len(side) - 2
    chat_rows = max(4, room // 3)
    log_rows = room - chat_rows
    for name, entries, height in (("LOG", list(screen.ui.log), log_rows), ("CHAT (c)", chat, chat_rows)):
        side.append(_side_border(screen, name, "middle"))
        lines = parts.log_lines(entries, inner - 2, height)
        side.extend(row(skin, ((content, inner),)) for content in [*lines, *[BLANK] * (height - len(lines))])
    side.append(border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")))
    first, last = table[0], table[-1]
    joined = [(*fit(content, left - 1), *beside) for content, beside in zip(table[1:-1], side, strict=False)]
    return [first, *joined, last]


def _side_border(screen: Screen, name: str, kind: str) -> Line:
    skin = screen.ui.skin
    return border(skin, (_SIDE - 2,), ((line(("class:title", name)), BLANK),), joints(skin, kind))
