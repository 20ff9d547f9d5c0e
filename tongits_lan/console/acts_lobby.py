"""What keys do before there is a table: choose one, give the code, say that a key is right, be ready.

Owns these acts; who sits and what is asked is the session's. The guards are the desk's (control.py).
"""

from dataclasses import replace

from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.speech import tr
from tongits_lan.net.join_code import complete
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
    """One more letter of the join code."""
    desk.ui = replace(desk.ui, code=(desk.ui.code + letter)[:CODE_MAX])


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


def kick(desk: Desk, key: str, now: float) -> None:
    """`k`, then a place: asks that player to leave; at once where there is only one."""
    view = desk.view
    if not isinstance(view, LobbyView):
        return
    guests = [place for place, seat in enumerate(view.seats) if place != view.me and not seat.bot]
    if not view.hosting:
        desk.note(tr("Only the host asks somebody to leave."))
    elif not guests:
        desk.note(tr("There is nobody to ask to leave."))
    elif desk.mode is Mode.KICK:
        desk.ui = replace(desk.ui, kicking=False)
        desk.attempt(lambda: desk.session.kick(int(key) - 1))
    else:
        desk.ui = replace(desk.ui, kicking=True)
