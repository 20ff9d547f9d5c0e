"""How the screen follows the table: a new view, an event, and what they change on it.

Owns when the hand is laid out anew, where the cursor starts, what goes into the log, how a name is found.
Asks the game room and the bot for what is good; judges nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tongits_lan.bots import coach
from tongits_lan.console import arrange
from tongits_lan.console.arrange import Split
from tongits_lan.console.choices import discards, listed
from tongits_lan.console.keys import OWN_TURN, Mode
from tongits_lan.console.mute import muted
from tongits_lan.console.notices import say_table
from tongits_lan.console.rules_words import say_change
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import told, tr
from tongits_lan.console.text import Voice, fill
from tongits_lan.console.text_coach import hint_text
from tongits_lan.console.ui import TIP_TURNS, LogLine, Proved, Ui, lobby_mode, table_mode
from tongits_lan.game import moves as game
from tongits_lan.game.engine import check
from tongits_lan.game.engine import view as seen_by
from tongits_lan.game.refusals import NO_CALL
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.ledger import state as ledger
from tongits_lan.ledger.effects import TableEvent
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.events import ChatHeard, LinkNote, LobbyChanged, RulesChanged, SessionEvent, TableBegan
from tongits_lan.net.lobby import LobbyView

_RECENT = 20  # lines of the log among which a draw without its card is looked for
_PAGES = (Mode.WORDS, Mode.RESULT, Mode.CLOSED)


@dataclass(frozen=True, slots=True)
class News:
    """The screen after a new view; whether a key now means something else than a moment ago, a turn of the
    player began, a page came."""

    ui: Ui
    other_keys: bool = False
    my_turn: bool = False
    new_page: bool = False


def _other_keys(before: LobbyView | TableView | None, view: LobbyView) -> bool:
    """Whether something else is asked before the table, or a number means another table or player."""
    if not isinstance(before, LobbyView):
        return False
    asked = (lobby_mode(view), view.question, view.doubts)
    if asked != (lobby_mode(before), before.question, before.doubts):
        return True
    tables, found = ([table.tag for table in seen.tables] for seen in (before, view))
    seats, taken = ([(seat.name, seat.fingerprint) for seat in seen.seats] for seen in (before, view))
    return tables != found[: len(tables)] or seats != taken[: len(seats)]


def _agreed(ui: Ui, view: LobbyView) -> Rules | None:
    """The rules that changes are told against."""
    is_ready = view.me is not None and view.seats[view.me].ready
    return view.rules if ui.agreed is None or is_ready else ui.agreed


def voice(ui: Ui, view: TableView) -> Voice:
    """How to speak to the player of this screen."""
    return Voice(view.names, view.me, ui.skin)


def follow(ui: Ui, before: LobbyView | TableView | None, view: LobbyView | TableView) -> News:
    """The screen for the next view."""
    if isinstance(view, LobbyView):
        return News(replace(ui, sent=False, agreed=_agreed(ui, view)), other_keys=_other_keys(before, view))
    old = before if isinstance(before, TableView) else None
    sent = ui.sent and old is not None and old.height == view.height and old.legal == view.legal
    ui = replace(ui, sent=sent)
    if view.position is None or view.phase in (ledger.Phase.SETTLE, ledger.Phase.CLOSED):
        ui = replace(ui, layout=arrange.Layout(grouped=ui.layout.grouped, by_rank=ui.layout.by_rank))
        return _closing(replace(ui, best=Split(), choices=(), picked=None), old, view, new_card=False)
    layout = arrange.follow(ui.layout, view)
    if old is not None and _is_turn(old) and not _is_turn(view):
        layout = replace(layout, cursor=None, new=None, marks=frozenset())
        layout = arrange.arranged(layout, view) if layout.grouped else layout
    new_card = layout.new is not None and layout.new != ui.layout.new
    if new_card and layout.new is not None:
        ui = _told(ui, view.me, partial(_drew, ui.skin, view.faces[layout.new]))
    best = arrange.split(view)
    changed = old is None or old.legal != view.legal or old.position != view.position
    if changed:
        ui = replace(ui, picked=None, choices=listed(view, voice(ui, view), best), no_call=_no_call(ui, view))
    return _closing(
        _with_cursor(replace(ui, layout=layout, best=best), old, view), old, view, new_card=new_card
    )


def begun(ui: Ui) -> Ui:
    """The screen as a turn of its player begins; advice ends after some turns, for good."""
    turns = ui.turns + 1
    if ui.settings.tips and turns > TIP_TURNS:
        ui = replace(ui, settings=replace(ui.settings, tips=False))
    return replace(ui, turns=turns)


def hear(ui: Ui, view: LobbyView | TableView, event: SessionEvent, now: float = 0.0, clock: str = "") -> Ui:
    """The screen after an event: mostly one more line in the log. `clock` is the time of day in words."""
    match event:
        case ChatHeard(seat=seat) if muted(ui.settings, view, seat):
            return ui
        case ledger.HandBegan():
            ui = replace(ui, proved=(), proof_due=None)
        case ledger.DeckLocked():
            ui = replace(ui, proof_due=now)
        case ledger.ProofsAccepted(seat=seat):
            took = None if ui.proof_due is None else max(0.0, now - ui.proof_due)
            ui = replace(ui, proved=(*ui.proved, Proved(seat, clock, took)), proof_due=now)
        case _:
            pass
    match event:
        case LobbyChanged():
            return ui
        case RulesChanged():
            return ui.logged("table", partial(say_change, event))
        case TableBegan():
            return ui.logged("table", partial(tr, mark("The table stands; every move is recorded.")))
        case LinkNote(text=text):
            return ui.logged("table", lambda: clean(told(text), CHAT_MAX))
        case ChatHeard(seat=seat, text=text, via=via):
            names = view.names if isinstance(view, TableView) else tuple(s.name for s in view.seats)
            return ui.logged("chat", partial(_chat, names, seat, text, via))
        case _:
            pass
    if not isinstance(view, TableView):
        return ui
    say = partial(say_table, voice(ui, view), event, view.position)
    return ui if say() is None else _log_table(ui, view, event, lambda: say() or "")


def _log_table(ui: Ui, view: TableView, event: TableEvent, say: Callable[[], str]) -> Ui:
    if not isinstance(event, ledger.Played):
        return ui.logged("table", say, "closed" if isinstance(event, ledger.TableClosed) else "")
    match event.event:
        case game.Drew(seat=seat, slot=slot) if seat == view.me and slot in view.faces:
            return ui.logged("game", partial(_drew, ui.skin, view.faces[slot]))
        case game.Drew(seat=seat):
            return ui.logged("game", say, f"drew {seat}")
        case game.Discarded(seat=seat, card=card) if seat != view.me and ui.log:
            if ui.log[-1].about == f"drew {seat}":
                both = partial(_drew_and_threw, voice(ui, view), seat, card)
                return replace(ui, log=ui.log[:-1]).logged("game", both)
    return ui.logged("game", say)


def _drew(skin: Skin, card: int) -> str:
    """The own draw, with the card."""
    return tr("You drew {card}.", card=skin.card(card))


def _drew_and_threw(voice: Voice, seat: int, card: int) -> str:
    return tr("{who} drew and threw {card}.", who=voice.who(seat), card=voice.skin.card(card))


def hint(ui: Ui, view: TableView) -> str:
    """What the coach would do in this place, and why."""
    if view.position is None or not view.legal:
        return tr("Nothing to do now.")
    mine = {slot: view.faces[slot] for slot in arrange.held(view)}
    seen = seen_by(view.position, view.me, mine)
    return hint_text(voice(ui, view), seen, coach.hint(seen, view.legal))


def _told(ui: Ui, me: int, say: Callable[[], str]) -> Ui:
    """The line that did not know the drawn card yet, now with it."""
    began = max(0, len(ui.log) - _RECENT)
    recent = [at for at in range(began, len(ui.log)) if ui.log[at].about == f"drew {me}"]
    if not recent:
        return ui
    at = recent[-1]
    return replace(ui, log=(*ui.log[:at], LogLine("game", say(), "", say), *ui.log[at + 1 :]))


def _no_call(ui: Ui, view: TableView) -> str | None:
    """Why the player may not call a fight now, in the words of the game room."""
    if table_mode(view) is not Mode.START or view.position is None:
        return None
    reason = check(view.position, view.me, game.Call())
    return None if reason is None else fill(reason, voice(ui, view)).removeprefix(tr(NO_CALL))


def reworded(ui: Ui, view: LobbyView | TableView) -> Ui:
    """The screen with all it keeps in words in the language spoken now."""
    ui = replace(ui, log=tuple(replace(entry, text=entry.say()) for entry in ui.log))
    if isinstance(view, LobbyView):
        return ui
    shown = listed(view, voice(ui, view), ui.best)
    return replace(ui, choices=shown, picked=None, no_call=_no_call(ui, view), question=None, note=None)


def _is_turn(view: TableView) -> bool:
    return _turn(view) == view.me


def _turn(view: TableView | None) -> int | None:
    """The seat that moves now."""
    return None if view is None or view.position is None else view.position.turn


def _closing(ui: Ui, old: TableView | None, view: TableView, *, new_card: bool) -> News:
    """Closes what does not fit any more, and tells whether the player's turn begins."""
    mode = table_mode(view)
    was = None if old is None else table_mode(old)
    if mode is not was:
        scroll = ui.scroll if ui.overlay is not None else 0
        ui = replace(ui, question=None, list_at=None, typing=None, scroll=scroll)
    elif ui.list_at is not None and ui.list_at >= len(ui.choices):
        ui = replace(ui, list_at=None)
    if mode is not was or _turn(old) != _turn(view):
        ui = replace(ui, note=None)  # it was about another moment
    begins = mode in OWN_TURN and was not in OWN_TURN and not (old is not None and _is_turn(old))
    asked = mode is not was and mode is not Mode.WAITING
    return News(ui, new_card or asked, begins, mode in _PAGES and mode is not was)


def _with_cursor(ui: Ui, old: TableView | None, view: TableView) -> Ui:
    """Puts the cursor on the suggested discard as long as the player has not chosen a card himself."""
    if table_mode(view) is not Mode.ACTION:
        return replace(ui, touched=False)
    throwable = tuple(discards(view))
    layout = ui.layout
    if ui.touched and layout.cursor is not None:
        return ui
    best = ui.best
    cursor = arrange.suggested(view, best, throwable) if view.rules.hints else layout.new
    return replace(ui, layout=replace(layout, cursor=cursor))


def _chat(names: tuple[str, ...], seat: int, text: str, via: int | None) -> str:
    who = names[seat] if seat < len(names) else tr("Somebody")
    if via is not None and via < len(names):
        who = tr("{name} (through {other})", name=who, other=names[via])
    return f"{who}: {clean(text, CHAT_MAX)}"
