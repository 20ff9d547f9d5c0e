"""The pages that are not the table: lobby, table words, the end of a hand, help, log, proofs, rules.

Owns their lines; like all drawing it reads no clock and asks nothing.
"""

from collections.abc import Sequence
from typing import assert_never

from tongits_lan.console import looking, parts, prompt
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.boxes import BLANK, Line, border, joints, line, row, wrap
from tongits_lan.console.keys import Mode, help_lines
from tongits_lan.console.notices import say_stop
from tongits_lan.console.skins import Skin
from tongits_lan.console.text import (
    CLOSED,
    Voice,
    chips,
    grouped_lines,
    net_text,
    outcome_text,
    points,
    say_due,
)
from tongits_lan.console.ui import Overlay, Screen, mode_of, table_mode
from tongits_lan.game.cards import points as value
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.describe import chapters, describe, summary
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.state import HandRecord
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.lobby import LobbyView

_QUIT = (Mode.QUIT, Mode.CONFIRM, Mode.CHAT, Mode.PHRASE)


def framed(
    skin: Skin, columns: int, rows: int, title: Line, body: Sequence[Line], foot: Line = BLANK
) -> list[Line]:
    """A page in one frame of exactly this size, the foot under it."""
    inner = columns - 2
    height = rows - 3
    lines = [*body[:height], *[BLANK] * (height - len(body))]
    return [
        border(skin, (inner,), ((title, BLANK),), joints(skin, "top")),
        *(row(skin, ((content, inner),)) for content in lines),
        border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")),
        foot,
    ]


def lobby(screen: Screen, view: LobbyView) -> list[Line]:
    """Before the table: who sits, who is ready, where to find this table."""
    ui = screen.ui
    room = screen.columns - 4
    mode = mode_of(ui, view)
    if ui.overlay is not None:
        return _lobby_overlay(screen, view)
    if view.looking:
        return _looking(screen, view, mode)
    body: list[Line] = [BLANK]
    if view.hosting and view.addresses:
        body.append(
            line("The table is open.  The others type:  ", ("class:key", f"tongits join {view.addresses[0]}"))
        )
        body.extend(line(("class:dim", f"    or {address}")) for address in view.addresses[1:3])
    elif not view.hosting:
        body.append(line("You are at the door of the table." if view.me is None else "You sit at the table."))
    body.append(BLANK)
    body.extend(_seats(view))
    body.append(BLANK)
    rules = rules_name(view.rules) if view.rules is not None else "not known yet"
    body.append(line(f"Rules: {rules}", ("class:dim", "   (o shows them in words)")))
    if view.countdown is not None:
        body.append(line(("class:turn", f"All are ready: the table begins in {view.countdown:.0f} s.")))
    if view.message:
        body.extend(line(("class:note", text)) for text in wrap(clean(view.message, CHAT_MAX), room))
    body.append(BLANK)
    body.extend(_lobby_prompt(screen, view, mode, room))
    free = screen.rows - 3 - len(body) - 1
    if ui.log and free > 1:
        body.append(BLANK)
        body.extend(parts.log_lines(ui.log, room, free))
    title = line(("class:title", "TONGITS"), "  before the table")
    foot = line(("class:dim", " Enter ready  c chat  o rules  ? help  q leave"))
    return framed(ui.skin, screen.columns, screen.rows, title, body, foot)


def _looking(screen: Screen, view: LobbyView, mode: Mode) -> list[Line]:
    body = looking.lines(screen, view, mode, screen.columns - 4)
    title = line(("class:title", "TONGITS"), "  find a table")
    foot = line(("class:dim", " 1-9 join  ? help  q leave"))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def _seats(view: LobbyView) -> list[Line]:
    lines = []
    for at in range(3):
        if at >= len(view.seats):
            lines.append(line(("class:dim", f"{at + 1}  (waiting for a player)")))
            continue
        seat = view.seats[at]
        who = f" (bot of {seat.operator})" if seat.bot else " (you)" if at == view.me else ""
        ready = ("class:turn", "ready    ") if seat.ready else ("", "not ready")
        words = ("class:dim", f"  {' '.join(seat.fingerprint)}")
        lines.append(line(f"{at + 1}  {parts.fit_text(seat.name + who, 28)} ", ready, words))
    return lines


def _lobby_prompt(screen: Screen, view: LobbyView, mode: Mode, room: int) -> list[Line]:
    ui = screen.ui
    note = [line(("class:note", text)) for text in wrap(ui.note, room)] if ui.note else []
    if mode is Mode.QUIT:
        return [
            line(("class:key", "k"), "  leave and close the program      ", ("class:key", "Esc"), "  stay"),
            *note,
        ]
    if mode is Mode.CHAT:
        return [line(("class:key", "> "), (ui.chatting or "")[-(room - 4) :], ("class:cursor", "_")), *note]
    if mode is Mode.PHRASE:
        return [line(("class:key", f"{n}  "), text) for n, text in enumerate(PHRASES, 1)]
    is_ready = view.me is not None and view.me < len(view.seats) and view.seats[view.me].ready
    return [line(("class:key", "Enter"), "  I am not ready after all" if is_ready else "  I am ready"), *note]


def words(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """The four table words to read aloud before the first deal."""
    room = screen.columns - 4
    four = "   ".join(view.words or ())
    body: list[Line] = [
        BLANK,
        line("Read this to each other:"),
        BLANK,
        line(("class:turn", f"     {four}")),
        BLANK,
    ]
    text = (
        "If all three read the same words, nobody sits in the middle. If they differ, somebody does: "
        "leave the table, nothing has been dealt."
    )
    body.extend(line(("class:dim", part)) for part in wrap(text, room))
    body.append(BLANK)
    if mode_of(screen.ui, view) in _QUIT:
        body.extend(prompt.lines(screen, view, voice, room, 6))
    else:
        body.append(
            line(
                ("class:key", "Enter"),
                "  all three are the same      ",
                ("class:key", "x"),
                "  they differ: leave this table",
            )
        )
        body.extend(line(("class:note", part)) for part in wrap(screen.ui.note or "", room))
    body.append(BLANK)
    body.extend(parts.log_lines(screen.ui.log, room, screen.rows - 4 - len(body)))
    title = line(("class:title", "TONGITS"), "  the table words")
    foot = line(("class:dim", " Enter same  x differ  c chat  ? help  q leave"))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def result(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """The end of a hand or of the table: all hands open, every payment a line, what Enter does."""
    room = screen.columns - 4
    mode = mode_of(screen.ui, view)
    asked = _result_prompt(screen, view, voice, mode, room)
    height = screen.rows - 3
    body: list[Line] = []
    if view.stopped is not None:
        body.extend(line(("class:warn", text)) for text in wrap(say_stop(voice, view.stopped), room))
        body.append(BLANK)
    if view.record is not None:
        body.extend(_record(view, voice, view.record, room, height - len(body) - len(asked)))
    else:
        body.extend(_totals(view, voice, room))
    closing = [entry.text for entry in screen.ui.log if entry.text.startswith(CLOSED)]
    if view.closed and closing:
        body.extend([BLANK, *(line(text) for text in wrap(closing[-1], room))])
    talk = [entry for entry in screen.ui.log if entry.kind == "chat"]
    spare = height - len(body) - len(asked) - 1
    if spare > 1 and talk:
        body.append(BLANK)
        body.extend(parts.log_lines(talk, room, min(spare - 1, 3)))
    body = body[: max(0, height - len(asked))]
    body = [*body, *[BLANK] * (height - len(body) - len(asked)), *asked]
    name = (
        "the table is closed"
        if view.closed
        else "the table has stopped"
        if view.stopped
        else f"hand {view.hand_no} is over"
    )
    title = line(("class:title", "TONGITS"), f"  {name}")
    foot = line(("class:dim", " h coach  L log  v discards  p proofs  o rules  c chat  ? help  q leave"))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def _result_prompt(screen: Screen, view: TableView, voice: Voice, mode: Mode, room: int) -> list[Line]:
    note = [line(("class:note", text)) for text in wrap(screen.ui.note, room)] if screen.ui.note else []
    if mode in _QUIT:
        asked = prompt.lines(screen, view, voice, room, 6)
        while asked and not asked[-1]:
            asked.pop()
        return asked
    if table_mode(view) is Mode.CLOSED:
        return [*note, line(("class:key", "Enter"), "  close the program")]
    if view.can_go_on:
        leave = (("class:key", "      l"), ("", "  leave the table for good")) if view.can_leave else BLANK
        return [*note, (*line(("class:key", "Enter"), "  next hand"), *leave)]
    waiting = [line(say_due(voice, view.due))] if view.due is not None else []
    if view.grace_over:
        waiting.append(
            line(
                ("class:key", "w"),
                "  keep waiting      ",
                ("class:key", "q"),
                "  leave; the table stays pending",
            )
        )
    return [*waiting, *note]


def _record(view: TableView, voice: Voice, record: HandRecord, room: int, rows: int) -> list[Line]:
    body = [line(("class:turn", text)) for text in wrap(outcome_text(voice, record), room)]
    body.extend(_totals(view, voice, room))
    if record.faces is not None and record.position is not None:
        body.append(BLANK)
        for seat in (view.me, (view.me + 1) % 3, (view.me + 2) % 3):
            body.extend(_open_hand(view, voice, record, seat, room))
    payments = [part for text in grouped_lines(voice, record.settlement) for part in wrap(text, room - 2)]
    free = max(1, rows - len(body) - 1)
    if len(payments) > free:
        payments = [*payments[: free - 1], "and more: L shows the log"]
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
        marks.append("WON")
    if seat in settlement.burned:
        marks.append("burned")
    net = net_text(settlement.net[seat])
    facts = f"{parts.fit_text(voice.who(seat), 14)} {net:>5}  {points(count):<10}{'  '.join(marks)}"
    hand = parts.faces(voice.skin, left) if left else line(("class:dim", "no cards left"))
    laid = parts.melds(view, voice, seat, room - 4, position)
    return [line(("class:name", facts)), (("", "    "), *hand), *((("", "    "), *meld) for meld in laid)]


def _totals(view: TableView, voice: Voice, room: int) -> list[Line]:
    totals = "   ".join(f"{voice.who(seat)} {chips(view.match.chips[seat])}" for seat in range(3))
    return [line(text) for text in wrap(f"Now: {totals}   pot {view.match.pot}", room)]


# --- pages over the table ---------------------------------------------------------------------------


def overlay(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """One of the pages that a key opens over the table."""
    room = screen.columns - 4
    page = screen.ui.overlay
    assert page is not None
    match page:
        case Overlay.HELP:
            texts = help_lines(table_mode(view))
        case Overlay.DISCARDS:
            texts = _discards(view, voice, room)
        case Overlay.LOG:
            texts = [part for entry in screen.ui.log for part in wrap(entry.text, room)]
        case Overlay.PROOFS:
            texts = _proofs(view, voice, room)
        case Overlay.COACH:
            texts = [part for text in screen.ui.review for part in wrap(text, room)]
        case Overlay.OPTIONS:
            texts = _rules(view.rules, room)
        case _:
            assert_never(page)
    return _page(screen, page, texts)


def _lobby_overlay(screen: Screen, view: LobbyView) -> list[Line]:
    page = screen.ui.overlay
    assert page is not None
    room = screen.columns - 4
    if page is Overlay.OPTIONS and view.rules is not None:
        return _page(screen, page, _rules(view.rules, room))
    keys = help_lines(Mode.TABLES if view.looking else Mode.LOBBY)
    return _page(screen, page, keys if page is Overlay.HELP else ["Nothing to show yet."])


_PAGE_TITLES = {
    Overlay.HELP: "KEYS THAT WORK HERE",
    Overlay.DISCARDS: "DISCARDS",
    Overlay.LOG: "LOG",
    Overlay.PROOFS: "PROOFS",
    Overlay.OPTIONS: "RULES OF THIS TABLE",
    Overlay.COACH: "YOUR DISCARDS",
}


def _rules(rules: Rules, room: int) -> list[str]:
    """The rules of the table in words, chapter by chapter; what is not as in pagat is marked."""
    usual = set(describe(PRESETS["pagat"]))
    texts = wrap(f"{rules_name(rules)}: {summary(rules)}", room)
    if not usual.issuperset(describe(rules)):
        texts.append("* = not as in pagat")
    for chapter in chapters(rules):
        texts += ["", chapter.title]
        for sentence in chapter.sentences:
            mark = "  " if sentence.text in usual else "* "
            first, *more = wrap(sentence.text, room - 2)
            texts += [mark + first, *("  " + part for part in more)]
    return texts


def _page(screen: Screen, page: Overlay, texts: list[str]) -> list[Line]:
    height = screen.rows - 3
    last = max(0, len(texts) - height)
    top = min(screen.ui.scroll, last)
    if page is Overlay.LOG:
        top = max(0, last - screen.ui.scroll)
    body = [line(text) for text in texts[top : top + height]] or [line(("class:dim", "Nothing yet."))]
    more = f"  {top + 1}-{min(top + height, len(texts))} of {len(texts)}" if last else ""
    title = line(("class:title", _PAGE_TITLES[page]), ("class:dim", more))
    foot = line(("class:dim", " Up Down scroll   Esc or the same key closes"))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def _discards(view: TableView, voice: Voice, room: int) -> list[str]:
    if view.position is None or not view.position.discards:
        return ["Nobody has thrown a card yet."]
    newest = voice.skin.cards(code for _, code in reversed(view.position.discards))
    return ["Newest first:", "", *wrap(newest, room)]


def _proofs(view: TableView, voice: Voice, room: int) -> list[str]:
    texts = []
    for seat in range(3):
        state = "proved and checked on this machine" if view.proofs[seat] else "not proved yet in this hand"
        whose = "Your" if seat == view.me else voice.whose(seat)
        texts.append(f"{whose} shuffle: {state}.")
    texts.append("")
    words = " ".join(view.words) if view.words is not None else "not drawn yet"
    texts.append(f"Table words: {words}.")
    texts.append(f"Table {view.table_id.hex()[:16]}, {view.height} records, head {view.head.hex()[:16]}.")
    texts.append("")
    why = (
        "Each of the three shuffles the deck under a lock of its own and proves that no card was added, "
        "lost or looked at. When a hand is over, all locks are opened and every step is computed again."
    )
    return [*texts, *wrap(why, room)]
