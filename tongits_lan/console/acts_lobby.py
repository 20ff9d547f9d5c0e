"""What keys do before there is a table: choose one, give the code, say that a key is right, be ready; and
what a host changes: rules, bots, who sits there.

Owns these acts; who sits and what is asked is the session's. The guards are the desk's (control.py).
"""

from collections.abc import Callable
from dataclasses import replace

from tongits_lan.console.acts_pages import give_help
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.rules_words import chosen, with_hands, with_turn
from tongits_lan.console.speech import tr
from tongits_lan.console.ui import Overlay
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.net.join_code import complete, typed_on
from tongits_lan.net.lobby import LobbyView

CODE_MAX = 64  # letters of a code being typed


def join(desk: Desk, key: str, now: float) -> None:
    """A number of the list of tables; deaf for a moment after the list has changed."""
    view = desk.view
    if not isinstance(view, LobbyView) or desk.deaf(now):
        return
    at = int(key) - 1
    if at < len(view.tables):
        desk.attempt(lambda: desk.session.choose(view.tables[at].tag))
    else:
        desk.note("There is no table with that number.")


def ready(desk: Desk, key: str, now: float) -> None:
    """Ready or not in the lobby."""
    view = desk.view
    if isinstance(view, LobbyView):
        is_ready = view.me is not None and view.me < len(view.seats) and view.seats[view.me].ready
        desk.attempt(lambda: desk.session.set_ready(not is_ready))


def type_code(desk: Desk, letter: str) -> None:
    """One more letter of the join code; a dash behind the one that Tab has put there is the same."""
    desk.ui = replace(desk.ui, code=typed_on(desk.ui.code, letter)[:CODE_MAX])


def help_or_letter(desk: Desk, key: str, now: float) -> None:
    """`?` on the page of the code: no code begins with it, so there it asks for help."""
    if desk.ui.code:
        type_code(desk, key)
    else:
        give_help(desk, key, now)


def complete_code(desk: Desk, key: str, now: float) -> None:
    """Tab: the word being typed, as far as only one way leads on."""
    desk.ui = replace(desk.ui, code=complete(desk.ui.code)[:CODE_MAX])


def enter_code(desk: Desk, key: str, now: float) -> None:
    """Gives the join code; one that cannot be a code stays to be mended."""
    code = desk.ui.code
    desk.attempt(lambda: desk.session.enter_code(code))
    if desk.ui.note is None:
        desk.ui = replace(desk.ui, code="")


def accept(desk: Desk, key: str, now: float) -> None:
    """Says that the key of somebody is all right, after the words were compared."""
    view = desk.view
    if not isinstance(view, LobbyView) or desk.deaf(now):
        return
    if view.question is None and not view.doubts:
        desk.note(tr("Everybody here has the key you know."))
        return
    desk.attempt(desk.session.accept)


def bot(desk: Desk, key: str, now: float) -> None:
    """`b`: a bot of this machine takes an empty place."""
    _as_host(desk, desk.session.add_bot, mark("Only the host seats bots, before the table begins."), now)


def resume(desk: Desk, key: str, now: float) -> None:
    """`g`: the table that these three have not finished."""
    others = mark("Only the host goes on with an unfinished table, before another one begins.")
    _as_host(desk, desk.session.resume, others, now)


def _as_host(desk: Desk, act: Callable[[], None], others: str, now: float) -> None:
    """What a host may do; a guest is told `others`."""
    if isinstance(desk.view, LobbyView) and not desk.view.hosting:
        desk.note(others)
    elif not desk.deaf(now):
        desk.attempt(act)


def rules(desk: Desk, key: str, now: float) -> None:
    """`r`: the page of the rules, where the host changes them."""
    view = desk.view
    hosting = isinstance(view, LobbyView) and view.hosting
    sets = desk.session.rule_sets() if hosting else ()
    desk.ui = replace(desk.ui, overlay=Overlay.RULES, rule_sets=sets, scroll=0)


def rule_set(desk: Desk, key: str, now: float) -> None:
    """A number of that page: these rules from now on."""
    at = int(key) - 1
    if at >= len(desk.ui.rule_sets):
        desk.note("There are no rules with that number.")
        return
    picked = desk.ui.rule_sets[at]
    _change(desk, lambda rules: chosen(rules, picked), picked.problem)


def turn_time(desk: Desk, key: str, now: float) -> None:
    """The next time limit for a turn."""
    _change(desk, with_turn)


def hands(desk: Desk, key: str, now: float) -> None:
    """The next number of hands after which the table closes."""
    _change(desk, with_hands)


def _change(desk: Desk, change: Callable[[Rules], Rules | None], problem: str = "") -> None:
    view = desk.view
    if not isinstance(view, LobbyView) or view.rules is None:
        return
    rules = change(view.rules)
    if rules is None:
        desk.note(problem)
    else:
        desk.attempt(lambda: desk.session.set_rules(rules))


def kick(desk: Desk, key: str, now: float) -> None:
    """`k`, then a place: asks that player to leave, or sends the bot there away."""
    view = desk.view
    if not isinstance(view, LobbyView):
        return
    guests = [place for place in range(len(view.seats)) if place != view.me]
    if not view.hosting:
        desk.note(tr("Only the host asks somebody to leave."))
    elif not guests:
        desk.note(tr("There is nobody to ask to leave."))
    elif desk.mode is Mode.KICK:
        desk.ui = replace(desk.ui, kicking=False)
        desk.attempt(lambda: desk.session.kick(int(key) - 1))
    else:
        desk.ui = replace(desk.ui, kicking=True)
