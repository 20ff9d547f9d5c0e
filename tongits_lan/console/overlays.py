"""The pages a key lays over the table: help, discards, log, proofs, options and rules, the coach.

Owns their lines; like all drawing it reads no clock and asks nothing.
"""

from typing import assert_never

from tongits_lan.console.absent import may_put_aside
from tongits_lan.console.boxes import first_fitting, framed, line, wrap
from tongits_lan.console.keys import KEY_CELLS, Act, Mode, help_lines
from tongits_lan.console.options import switches
from tongits_lan.console.parts import fit_text
from tongits_lan.console.scrolling import Picture, windowed
from tongits_lan.console.speech import told, tr, trn
from tongits_lan.console.text import Voice, net_text, outcome_text
from tongits_lan.console.ui import Overlay, Proved, Screen, Ui, has_hearers, mode_of, without_help
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.describe import chapters, describe, summary
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.scoring import brought
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.lobby import LobbyView


def overlay(screen: Screen, view: TableView, voice: Voice) -> Picture:
    """One of the pages that a key opens over the table."""
    room = screen.columns - 4
    page = screen.ui.overlay
    assert page is not None
    match page:
        case Overlay.HELP:
            texts = _help(mode_of(without_help(screen.ui), view), room, idle_at_table(view))
        case Overlay.DISCARDS:
            texts = _discards(view, voice, room)
        case Overlay.LOG:
            texts = [part for entry in screen.ui.log for part in wrap(entry.text, room)]
        case Overlay.PROOFS:
            texts = proof_lines(screen.ui, view, voice, room)
        case Overlay.COACH:
            texts = [part for text in screen.ui.review for part in wrap(text, room)]
        case Overlay.OPTIONS:
            texts = _options(screen, view, rules_lines(view.rules, room))
        case Overlay.SCORE:
            texts = _score(view, voice, room)
        case Overlay.RULES:  # open in the lobby as the table began
            texts = rules_lines(view.rules, room)
        case _:
            assert_never(page)
    return _page(screen, page, texts)


def before_the_table(screen: Screen, view: LobbyView) -> Picture:
    """The same before there is a table."""
    page = screen.ui.overlay
    assert page is not None
    room = screen.columns - 4
    if page is Overlay.OPTIONS:
        rules = [] if view.rules is None else rules_lines(view.rules, room)
        return _page(screen, page, _options(screen, view, rules))
    keys = _help(mode_of(without_help(screen.ui), view), room, idle_in_lobby(view))
    return _page(screen, page, keys if page is Overlay.HELP else [tr("Nothing to show yet.")])


def idle_at_table(view: TableView) -> frozenset[Act]:
    """Acts whose keys do nothing at this table now."""
    hears = has_hearers(view)
    can = {
        Act.HINT: view.rules.hints,
        Act.KEEP_WAITING: view.grace_over,
        Act.ASIDE: may_put_aside(view),
        Act.NEXT: view.can_go_on,
        Act.LEAVE: view.can_leave,
        Act.AGAIN: view.can_leave or (view.closed and view.stopped is None),
        Act.GIVE_UP: view.can_give_up,
        Act.CHAT: hears,
        Act.PHRASE: hears,
    }
    return frozenset(act for act, does in can.items() if not does)


def idle_in_lobby(view: LobbyView) -> frozenset[Act]:
    """Acts whose keys do nothing before this table now: some are the host's."""
    can = {
        Act.JOIN: bool(view.tables),
        Act.BOT: view.can_seat_bot,
        Act.KICK: view.hosting and len(view.seats) > 1,
        Act.GIVE_UP: False,
        Act.RESUME: view.hosting and view.unfinished is not None,
        Act.ACCEPT: bool(view.doubts) or view.question is not None,
    }
    return frozenset(act for act, does in can.items() if not does)


def _help(mode: Mode, room: int, idle: frozenset[Act]) -> list[str]:
    """Help on the keys of a mode; what is said of a key goes on under itself."""
    texts = []
    for text in help_lines(mode, idle):
        first, *more = wrap(text[KEY_CELLS:], room - KEY_CELLS)
        texts += [text[:KEY_CELLS] + first, *(" " * KEY_CELLS + part for part in more)]
    return texts


_PAGE_TITLES = {
    Overlay.HELP: mark("KEYS THAT WORK HERE"),
    Overlay.DISCARDS: mark("DISCARDS"),
    Overlay.LOG: mark("LOG"),
    Overlay.PROOFS: mark("WHY THE DEAL IS FAIR"),
    Overlay.OPTIONS: mark("OPTIONS AND RULES"),
    Overlay.SCORE: mark("THE SCORE"),
    Overlay.RULES: mark("THE RULES OF THIS TABLE"),
    Overlay.COACH: mark("YOUR DISCARDS"),
}


def rules_lines(rules: Rules, room: int) -> list[str]:
    """The rules of the table in words, chapter by chapter; what is not as in pagat is marked."""
    usual = set(describe(PRESETS["pagat"]))
    texts = wrap(f"{told(rules_name(rules))}: {told(summary(rules))}", room)
    if not usual.issuperset(describe(rules)):
        texts.append(tr("* = not as in pagat"))
    for chapter in chapters(rules):
        texts += ["", tr(chapter.title)]
        for sentence in chapter.sentences:
            sign = "  " if sentence.text in usual else "* "
            first, *more = wrap(told(sentence.text), room - 2)
            texts += [sign + first, *("  " + part for part in more)]
    return texts


def _page(screen: Screen, page: Overlay, texts: list[str]) -> Picture:
    body = [line(text) for text in texts] or [line(("class:dim", tr("Nothing yet.")))]
    shown = windowed(body, screen.rows - 3, screen.ui.scroll, from_end=page is Overlay.LOG)
    title = line(("class:title", tr(_PAGE_TITLES[page])), ("class:dim", shown.told))
    turns = tr("1-9 turn an option") + "   " if page is Overlay.OPTIONS else ""
    keys = (
        tr("Up Down Space scroll   Esc or the same key closes"),
        tr("Up Down scroll   Esc or the same key closes"),
        tr("Up Down scroll   Esc closes"),
    )
    foot = line(("class:dim", f" {first_fitting((turns + text for text in keys), screen.columns - 1)}"))
    lines = framed(screen.ui.skin, screen.columns, screen.rows, title, shown.lines, foot)
    return Picture(lines, shown.extent)


def _options(screen: Screen, view: LobbyView | TableView, rules: list[str]) -> list[str]:
    """The switches, then the rules of the table."""
    numbered = enumerate(switches(screen.ui, view), 1)
    shown = [f"{number}  {fit_text(switch.label, 40)}  {switch.state}" for number, switch in numbered]
    return [*shown, "", *([tr("THE RULES OF THIS TABLE"), *rules] if rules else [])]


_PLAYER_CELLS = (12, 10)  # of one player's column; the narrower one for small windows
_SAID_CELLS = 20  # how a hand ended, at least


def _score(view: TableView, voice: Voice, room: int) -> list[str]:
    """Every hand of the table: who won it how, what it brought each player; then how they stand."""
    wide = next((n for n in _PLAYER_CELLS if room - SEATS * (n + 1) >= _SAID_CELLS), _PLAYER_CELLS[-1])
    head = "".join(f" {fit_text(voice.who(seat), wide).strip():>{wide}}" for seat in view.order)
    left = room - SEATS * (wide + 1)
    texts = [" " * left + head]
    for record in view.records:
        nets = "".join(f" {net_text(brought(record.settlement)[seat]):>{wide}}" for seat in view.order)
        texts += _labelled(outcome_text(voice, record), left, nets)
    if not view.records:
        texts.append(tr("No hand is over yet."))
    wins = [sum(record.settlement.winner == seat for record in view.records) for seat in view.order]
    stand = "".join(f" {view.match.chips[seat]:>{wide}}" for seat in view.order)
    won = "".join(f" {count:>{wide}}" for count in wins)
    texts += [
        "",
        *_labelled(tr("hands won"), left, won),
        *_labelled(tr("chips now"), left, stand),
    ]
    hitter = view.match.streak_seat
    if hitter is not None and view.match.streak_length:
        pot = trn(
            "The pot holds {pot}; the hitter is {who} with {count} win.",
            "The pot holds {pot}; the hitter is {who} with {count} wins.",
            view.match.streak_length,
            pot=view.ante_pot,
            who=voice.whom(hitter),
        )
    else:
        pot = tr("The pot holds {pot}.", pot=view.ante_pot)
    texts += ["", pot]
    return texts


def _labelled(label: str, room: int, figures: str) -> list[str]:
    """A label and its figures behind its last line."""
    *lines, last = wrap(label, room - 1)
    return [*lines, fit_text(last, room) + figures]


def _discards(view: TableView, voice: Voice, room: int) -> list[str]:
    if view.position is None or not view.position.discards:
        return [tr("Nobody has thrown a card yet.")]
    newest = voice.skin.cards(code for _, code in reversed(view.position.discards))
    return [tr("Newest first:"), "", *wrap(newest, room)]


def proof_lines(ui: Ui, view: TableView, voice: Voice, room: int) -> list[str]:
    """Why the deal is fair: who proved what and when, the words and the ledger of this table."""
    noted = {proved.seat: proved for proved in ui.proved}
    texts = []
    for seat in range(3):
        state = _proof_state(noted.get(seat), done=view.proofs[seat])
        if seat == view.me:
            text = tr("Your shuffle {state}", state=state)
        else:
            text = tr("{whose} shuffle {state}", whose=voice.whose(seat), state=state)
        texts.extend(wrap(text, room))
    texts.append("")
    words = " ".join(view.words) if view.words is not None else tr("not drawn yet")
    texts.append(tr("Table words: {words}.", words=words))
    held = tr(
        "Table {id}, {n} records, head {head}.",
        id=view.table_id.hex()[:16],
        n=view.height,
        head=view.head.hex()[:16],
    )
    texts += [*wrap(held, room), ""]
    why = tr(
        "Each of the three shuffles the deck under a lock of its own and proves that no card was added, "
        "lost or looked at. When a hand is over, all locks are opened and every step is computed again."
    )
    return [*texts, *wrap(why, room)]


def _proof_state(noted: Proved | None, *, done: bool) -> str:
    if not done:
        return tr("has not been proved yet in this hand.")
    if noted is None or not noted.clock:
        return tr("is proved; the proof was checked on this machine.")
    if noted.seconds is None:
        return tr("is proved; the proof was checked on this machine at {time}.", time=noted.clock)
    return tr(
        "is proved; the proof was checked on this machine at {time}, {seconds} s after it was asked for.",
        time=noted.clock,
        seconds=f"{noted.seconds:.2f}",
    )
