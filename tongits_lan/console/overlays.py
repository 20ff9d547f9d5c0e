"""The pages a key lays over the table: help, discards, log, proofs, options and rules, the coach.

Owns their lines; like all drawing it reads no clock and asks nothing.
"""

from typing import assert_never

from tongits_lan.console.boxes import Line, line, wrap
from tongits_lan.console.keys import Mode, help_lines
from tongits_lan.console.pages import framed
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Overlay, Screen, table_mode
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.describe import chapters, describe, summary
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView


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
            texts = rules_lines(view.rules, room)
        case _:
            assert_never(page)
    return _page(screen, page, texts)


def before_the_table(screen: Screen, view: LobbyView) -> list[Line]:
    """The same before there is a table."""
    page = screen.ui.overlay
    assert page is not None
    room = screen.columns - 4
    if page is Overlay.OPTIONS and view.rules is not None:
        return _page(screen, page, rules_lines(view.rules, room))
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


def rules_lines(rules: Rules, room: int) -> list[str]:
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
