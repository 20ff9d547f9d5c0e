"""The pages in the place of the table: the table words and the end of a hand.

Owns their lines; like all drawing it reads no clock and asks nothing.
"""

from pathlib import PurePath

from tongits_lan.console import absent, parts, prompt
from tongits_lan.console.boxes import BLANK, Line, first_fitting, flowing, framed, line, wrap
from tongits_lan.console.keys import Mode
from tongits_lan.console.notices import fault_place, fault_words, say_called_off
from tongits_lan.console.scrolling import Picture, windowed
from tongits_lan.console.speech import tr
from tongits_lan.console.text import (
    Voice,
    chips,
    grouped_lines,
    net_text,
    outcome_text,
    points,
    say_due,
)
from tongits_lan.console.ui import Screen, has_hearers, mode_of, table_mode
from tongits_lan.game.cards import points as value
from tongits_lan.game.scoring import brought
from tongits_lan.ledger.effects import Stop
from tongits_lan.ledger.state import HandRecord
from tongits_lan.ledger.views import TableView

_QUIT = (Mode.QUIT, Mode.CONFIRM, Mode.CHAT, Mode.PHRASE)


def words(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """The four table words to read aloud before the first deal."""
    room = screen.columns - 4
    four = "   ".join(view.words or ())
    body: list[Line] = [
        BLANK,
        line(tr("Read this to each other:")),
        BLANK,
        line(("class:turn", f"     {four}")),
        BLANK,
    ]
    text = tr(
        "If all three read the same words, nobody sits in the middle. If they differ, somebody does: "
        "leave the table, nothing has been dealt."
    )
    body.extend(line(("class:dim", part)) for part in wrap(text, room))
    body.append(BLANK)
    if mode_of(screen.ui, view) in _QUIT:
        body.extend(prompt.lines(screen, view, voice, room, 6))
    else:
        body.append(line(("class:key", "Enter"), f"  {tr('all three are the same')}"))
        body.append(line(("class:key", "x"), f"  {tr('they differ: leave this table')}"))
        body.extend(line(("class:note", part)) for part in wrap(screen.ui.note or "", room))
    body.append(BLANK)
    body.extend(parts.log_lines(screen.ui.log, room, screen.rows - 4 - len(body)))
    title = line(("class:title", "TONGITS"), f"  {tr('the table words')}")
    foot = line(("class:dim", " " + tr("Enter same  x differ  c chat  ? help  q leave")))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def result(screen: Screen, view: TableView, voice: Voice) -> Picture:
    """The end of a hand or of the table: all hands open, every payment a line, what Enter does."""
    room = screen.columns - 4
    mode = mode_of(screen.ui, view)
    asked = _result_prompt(screen, view, voice, mode, room)
    height = screen.rows - 3
    body: list[Line] = []
    if view.called_off is not None:
        body.extend(_called_off(voice, view.called_off, room))
    elif view.stopped is not None:
        body.extend(_fault(screen, view, voice, view.stopped, room))
    elif view.record is not None:
        body.extend(_record(view, voice, view.record, room))
    else:
        body.extend(_totals(view, voice, room))
    closing = [entry.text for entry in screen.ui.log if entry.about == "closed"]
    if view.closed and closing:
        body.extend([BLANK, *(line(text) for text in wrap(closing[-1], room))])
    talk = [entry for entry in screen.ui.log if entry.kind == "chat"]
    spare = height - len(body) - len(asked) - 1
    if spare > 1 and talk:
        body.append(BLANK)
        body.extend(parts.log_lines(talk, room, min(spare - 1, 3)))
    free = max(0, height - len(asked))
    shown = windowed(body, free, screen.ui.scroll)
    body = [*shown.lines, *[BLANK] * (free - len(shown.lines)), *asked]
    if view.closed:
        name = tr("the table is closed")
    elif view.called_off is not None:
        name = tr("the table words differ")
    elif view.stopped:
        name = tr("the table has stopped")
    else:
        name = tr("hand {number} is over", number=view.hand_no)
    title = line(("class:title", "TONGITS"), f"  {name}", ("class:dim", shown.told))
    feet = _feet(view, scrolls=shown.extent.last > 0)
    foot = line(("class:dim", f" {first_fitting(feet, screen.columns - 1)}"))
    return Picture(framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot), shown.extent)


def _feet(view: TableView, *, scrolls: bool) -> list[str]:
    """The keys of a result, the most first."""
    keys = [
        tr("h coach  L log  v discards  p proofs  o rules  ? help  q leave"),
        tr("h coach  v discards  p proofs  o rules  ? help  q leave"),
        tr("h coach  p proofs  ? help  q leave"),
    ]
    if has_hearers(view):
        keys.insert(0, tr("h coach  L log  v discards  p proofs  o rules  c chat  ? help  q leave"))
    turns = tr("Up Down scroll") + "  "
    return [turns + text for text in keys] if scrolls else keys


def _called_off(voice: Voice, seat: int, room: int) -> list[Line]:
    """Who has read other words, what that means, and what to do about it."""
    told = (
        say_called_off(voice, seat),
        tr(
            "Either somebody misread a word, or somebody sits between two of you and passes on what you say. "
            "This table cannot go on, for nobody."
        ),
        tr(
            "Open a new table with a join code, told by voice: nobody gets between those who know it. Then "
            "compare its words again."
        ),
    )
    body: list[Line] = []
    for number, text in enumerate(told):
        body.extend(line(("" if number else "class:warn", part)) for part in wrap(text, room))
        body.append(BLANK)
    return body


def _fault(screen: Screen, view: TableView, voice: Voice, stop: Stop, room: int) -> list[Line]:
    """Why the table stopped, for people: what happened, who did it, where the proof is, what that means."""
    who = tr("nobody is accused") if stop.seat is None else voice.names[stop.seat]
    if stop.seat == view.me:
        who = tr("{name} (you): another program has used your key, or this one has a mistake", name=who)
    rows = [
        (tr("What"), f"{fault_words(voice, stop.code, stop.seat)} ({fault_place(stop)})."),
        (tr("Who"), f"{who}."),
        (tr("Chips"), tr("None move in this hand; what the hands before it brought stays.")),
    ]
    if screen.kept_in is not None:
        rows.append((tr("Proof"), f"{PurePath(screen.kept_in).with_suffix('.evidence')}"))
        kept = tr("It shows everybody who reads it what was signed: tongits verify and that file.")
        rows.append(("", kept))
    body: list[Line] = []
    for label, text in rows:
        for at, part in enumerate(wrap(voice.begun(text), room - 9)):
            body.append(line(("class:warn", f"{label if not at else '':<7}"), f"  {part}"))
    stand = "   ".join(f"{voice.who(seat)} {chips(view.match.chips[seat])}" for seat in range(3))
    return [*body, line(("class:warn", f"{tr('Stand'):<7}"), f"  {stand}")]


def _result_prompt(screen: Screen, view: TableView, voice: Voice, mode: Mode, room: int) -> list[Line]:
    note = [line(("class:note", text)) for text in wrap(screen.ui.note, room)] if screen.ui.note else []
    if mode in _QUIT:
        asked = prompt.lines(screen, view, voice, room, 6)
        while asked and not asked[-1]:
            asked.pop()
        return asked
    if table_mode(view) is Mode.CLOSED:
        close = line(("class:key", "Enter"), f"  {tr('close this table')}")
        same = line(("class:key", "a"), f"  {tr('a new table with the same three')}")
        return [*note, *flowing((close, same) if view.closed and view.stopped is None else (close,), room)]
    away = [*prompt.absence(screen, view, voice), *absent.choices(view, room)]
    if view.can_go_on:
        keys = [line(("class:key", "Enter"), f"  {tr('next hand')}")]
        if view.can_leave:
            keys.append(line(("class:key", "l"), f"  {tr('leave the table for good')}"))
        return [*away, *note, *flowing(keys, room)]
    waiting = [line(say_due(voice, view.due))] if view.due is not None else []
    return [*waiting, *away, *note]


def _record(view: TableView, voice: Voice, record: HandRecord, room: int) -> list[Line]:
    body = [line(("class:turn", text)) for text in wrap(outcome_text(voice, record), room)]
    body.extend(_totals(view, voice, room))
    if record.faces is not None and record.position is not None:
        body.append(BLANK)
        for seat in view.order:
            body.extend(_open_hand(view, voice, record, seat, room))
    payments = [part for text in grouped_lines(voice, record.settlement) for part in wrap(text, room - 2)]
    return [*body, BLANK, *(line(f"  {text}") for text in payments)]


def _open_hand(view: TableView, voice: Voice, record: HandRecord, seat: int, room: int) -> list[Line]:
    """One player's cards at the end, opened."""
    position, cards = record.position, record.faces
    assert position is not None
    assert cards is not None
    settlement = record.settlement
    left = sorted((cards[slot] for slot in position.hands[seat]), key=lambda card: (card % 13, card))
    count = settlement.counts[seat] if settlement.counts else sum(value(card) for card in left)
    marks = []
    if settlement.winner == seat:
        marks.append(tr("WON"))
    if seat in settlement.burned:
        marks.append(tr("burned"))
    net = net_text(brought(settlement)[seat])
    facts = f"{parts.fit_text(voice.who(seat), 14)} {net:>5}  {points(count):<10}{'  '.join(marks)}"
    hand = parts.faces(voice.skin, left) if left else line(("class:dim", tr("no cards left")))
    laid = parts.melds(view, voice, seat, room - 4, position)
    return [line(("class:name", facts)), (("", "    "), *hand), *((("", "    "), *meld) for meld in laid)]


def _totals(view: TableView, voice: Voice, room: int) -> list[Line]:
    totals = ", ".join(f"{voice.whom(seat)} {view.match.chips[seat]}" for seat in view.order)
    text = tr("Chips now: {totals}; in the pot {pot}.", totals=totals, pot=view.match.pot)
    return [line(part) for part in wrap(text, room)]
