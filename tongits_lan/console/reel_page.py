"""The picture of a replay: all three hands open, the piles, what has happened, and at the end who paid whom.

Owns its layout at every size; the parts are those of the table. Reads no clock, asks nothing.
"""

from tongits_lan.console import parts
from tongits_lan.console.arrange import value
from tongits_lan.console.boxes import (
    BLANK,
    Line,
    border,
    cells,
    exactly,
    fit,
    fits,
    framed,
    joints,
    line,
    row,
    too_small,
    wrap,
)
from tongits_lan.console.reel import Reel, help_lines, told
from tongits_lan.console.speech import tr, trn
from tongits_lan.console.text import grouped_lines, net_text
from tongits_lan.game.cards import RANKS, is_joker
from tongits_lan.game.groups import groups
from tongits_lan.game.position import Phase
from tongits_lan.game.scoring import brought
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.playback import Frame, seen_by
from tongits_lan.limits import SEATS

_ROOMY_ROWS = 20
_FOOT = mark("Right next  Left back  n p hand  a run  ? help  q quit")


def picture(reel: Reel, columns: int, rows: int) -> list[Line]:
    """Exactly `rows` lines of `columns` cells."""
    if not fits(columns, rows):
        lines = too_small()
    elif reel.help:
        lines = _help(reel, columns, rows)
    else:
        lines = _hand(reel, columns, rows)
    return exactly(lines, columns, rows)


def text_of(reel: Reel, columns: int, rows: int) -> str:
    """The picture without styles."""
    return "\n".join(
        "".join(text for _, text in content).rstrip() for content in picture(reel, columns, rows)
    )


def open_hand(frame: Frame, seat: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """The cards a seat holds: its melds, then the loose ones by rank; and what those count (points)."""
    *melds, loose = (tuple(frame.faces[slot] for slot in group) for group in groups(seen_by(frame, seat)))
    by_rank = tuple(sorted(loose, key=lambda card: (is_joker(card), card % RANKS, card)))
    joker = frame.position.rules.joker_deadwood
    return (*melds, by_rank), sum(value(card, joker) for card in loose)


def _help(reel: Reel, columns: int, rows: int) -> list[Line]:
    title = line(("class:title", tr("KEYS OF A REPLAY")))
    body = [line(text) for text in help_lines()]
    return framed(reel.skin, columns, rows, title, body, line(("class:dim", " " + tr("? or Esc closes"))))


def _hand(reel: Reel, columns: int, rows: int) -> list[Line]:
    inner = columns - 2
    room = inner - 2
    over = reel.step == reel.last
    above = [_header(reel, columns)]
    edge = "top"
    for seat in _seats(reel):
        above.append(_edge(reel, inner, _title(reel, seat), BLANK, edge))
        above.extend(row(reel.skin, ((part, inner),)) for part in _seat(reel, seat, room, rows))
        edge = "middle"
    if not over:
        above.append(_edge(reel, inner, line(("class:title", tr("PILES"))), BLANK, edge))
        above.extend(row(reel.skin, ((part, inner),)) for part in _piles(reel, room, rows))
    free = max(1, rows - len(above) - 3)
    lines = _settlement(reel, room, free) if over else _log(reel, room, free)
    heading = line(("class:title", tr("HOW IT ENDED") if over else tr("WHAT HAPPENED")))
    return [
        *above,
        _edge(reel, inner, heading, BLANK, "middle"),
        *(row(reel.skin, ((part, inner),)) for part in [*lines, *[BLANK] * (free - len(lines))]),
        _edge(reel, inner, BLANK, BLANK, "bottom"),
        _foot(reel, columns),
    ]


def _edge(reel: Reel, inner: int, left: Line, right: Line, kind: str) -> Line:
    return border(reel.skin, (inner,), ((left, right),), joints(reel.skin, kind))


def _header(reel: Reel, columns: int) -> Line:
    hand = tr(
        "hand {number} ({at} of {n})", number=reel.hand.record.number, at=reel.at + 1, n=len(reel.hands)
    )
    step = tr("step {at} of {n}", at=reel.step, n=reel.last)
    left = line(("class:title", tr("REPLAY")), f"  {hand}  {step}")
    if reel.running:
        left = (*left, ("class:turn", "  " + tr("running")))
    right = line(("class:dim", f"{reel.remark} " if reel.remark else ""))
    gap = columns - cells(left) - cells(right)
    return (*left, ("", " " * gap), *right) if gap > 0 else left


def _foot(reel: Reel, columns: int) -> Line:
    if reel.typed:
        return line(
            ("class:key", f" {reel.typed}"),
            ("class:cursor", "_"),
            "   " + tr("Enter: that step   h: that hand"),
        )
    if reel.note:
        return line(("class:note", f" {reel.note}"))
    return line(("class:dim", " " + tr(_FOOT)))


def _seats(reel: Reel) -> tuple[int, ...]:
    """The dealer first, then in turn order: the same places through the whole hand."""
    dealer = reel.hand.record.dealer
    return tuple((dealer + at) % SEATS for at in range(SEATS))


def _title(reel: Reel, seat: int) -> Line:
    position = reel.frame.position
    style = "class:turn" if position.turn == seat else "class:name"
    marks = [tr("dealer")] if position.dealer == seat else []
    marks.append(tr("opened") if position.opened(seat) else tr("NOT OPENED"))
    if position.locked[seat]:
        marks.append(tr("no fight next"))
    if position.turn == seat:
        marks.append(tr("to answer") if position.phase is Phase.ANSWERS else tr("to play"))
    marks.append(trn("{count} card", "{count} cards", len(position.hands[seat])))
    marks.append(tr("owes {owed}", owed=open_hand(reel.frame, seat)[1]))
    if reel.step == reel.last:
        settlement = reel.hand.record.settlement
        marks.append(net_text(brought(settlement)[seat]))
        marks.extend([tr("WON")] if settlement.winner == seat else [])
        marks.extend([tr("burned")] if seat in settlement.burned else [])
    return line((style, reel.names[seat]), f"  {'  '.join(marks)}")


def _seat(reel: Reel, seat: int, room: int, rows: int) -> list[Line]:
    """A hand in one line, its melds on the table in at most one or two more."""
    frame = reel.frame
    cards, _ = open_hand(frame, seat)
    drew = frame.position.drew if frame.position.turn == seat else None
    new = None if drew is None or drew not in frame.position.hands[seat] else frame.faces[drew]
    held: list[tuple[str, str]] = []
    for group in cards:
        if held and group:
            held.append(("", "   "))
        for at, card in enumerate(group):
            held.append(("", " " if at else ""))
            held.append(parts.face(reel.skin, card))
            held.append(("class:new", "*" if card == new else ""))
    laid = parts.melds(frame, reel.voice, seat, room)
    most = 2 if rows >= _ROOMY_ROWS else 1
    if len(laid) > most:
        laid = [*laid[: most - 1], fit((*laid[most - 1], ("class:dim", "  " + tr("and more"))), room)]
    blank = [BLANK] if not laid and rows >= _ROOMY_ROWS else []
    return [tuple(held) or line(("class:dim", tr("no cards left"))), *laid, *blank]


def _piles(reel: Reel, room: int, rows: int) -> list[Line]:
    frame = reel.frame
    if rows < _ROOMY_ROWS:
        return [parts.piles(frame, reel.voice, room)]
    stock = parts.faces(reel.skin, [frame.faces[slot] for slot in frame.position.stock])
    coming = stock or line(("class:dim", tr("empty")))
    return [parts.piles(frame, reel.voice, room), fit((("class:title", tr("COMING") + " "), *coming), room)]


def _log(reel: Reel, room: int, rows: int) -> list[Line]:
    """What has happened so far in this hand, the latest step marked."""
    voice = reel.voice
    lines: list[Line] = []
    for at in range(reel.step, -1, -1):
        text = "  ".join(told(reel.hand.frames[at], voice))
        style = "class:key" if at == reel.step else ""
        number = f"{at:>3}  "
        wrapped = wrap(text, room - len(number)) if text else ["..."]
        lines[:0] = [
            line(("class:dim", number if first else " " * len(number)), (style, part))
            for first, part in zip([True, *[False] * len(wrapped)], wrapped, strict=False)
        ]
        if len(lines) >= rows:
            break
    return lines[-rows:]


def _settlement(reel: Reel, room: int, rows: int) -> list[Line]:
    record = reel.hand.record
    voice = reel.voice
    texts = [part for text in told(reel.frame, voice) for part in wrap(text, room)]
    lines = [line(("class:turn", text)) for text in texts]
    lines.extend(
        line(f"  {part}") for text in grouped_lines(voice, record.settlement) for part in wrap(text, room - 2)
    )
    after = record.settlement.match
    totals = "  ".join(f"{reel.names[seat]} {after.chips[seat]}" for seat in range(SEATS))
    lines.append(line(("class:dim", tr("Chips: {totals}  pot {pot}", totals=totals, pot=after.pot))))
    if len(lines) > rows:
        lines = [*lines[: rows - 1], line(("class:dim", tr("and more: tongits replay --plain shows all")))]
    return lines
