"""What the other keys do: questions, pages, chat, the lobby, going on, leaving.

Owns these acts; a costly one asks once more. The guards are the desk's (control.py).
"""

from collections.abc import Callable
from dataclasses import replace

from tongits_lan.bots.coach import costliest
from tongits_lan.console import follow, questions
from tongits_lan.console.absent import may_put_aside
from tongits_lan.console.control import DEAF_SECONDS, Desk
from tongits_lan.console.erasing import erased
from tongits_lan.console.keys import Act, Mode, act_of
from tongits_lan.console.options import bell, switched
from tongits_lan.console.scrolling import Extent
from tongits_lan.console.speech import spoken, tr
from tongits_lan.console.text_coach import review_lines
from tongits_lan.console.ui import Costly, Overlay, Question, has_hearers, table_mode, without_help
from tongits_lan.console.wants import Want
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

_ASKING = (Mode.CONFIRM, Mode.QUIT, Mode.KICK, Mode.LIST, Mode.RULES)
PHRASES = ("Bilis naman!", "Teka lang.", "Ang galing!", "Sayang.")


def yes(desk: Desk, key: str, now: float) -> None:
    """The answer to a question."""
    question = desk.ui.question
    if question is None or question.by_call_key != (key == "f") or (key != "f" and desk.deaf(now)):
        return
    desk.ui = replace(desk.ui, question=None)
    match question.then:
        case Costly.LEAVE:
            desk.attempt(desk.session.leave_table, sends=True)
        case Costly.AGAIN:
            _begin_again(desk)
        case Costly.GIVE_UP:
            desk.attempt(desk.session.give_up, sends=True)
        case Costly.ASIDE:
            _end_with(desk, desk.session.put_aside)
        case Costly.DIFFER:
            desk.attempt(desk.session.words_differ)
        case move:
            table = desk.table()
            if table is not None and move in table.legal:
                desk.submit(move)
            else:
                desk.note("That is not possible any more.")


def close(desk: Desk, key: str, now: float) -> None:
    """Closes what is open; the help alone where it lies over something; on a finished table, the program."""
    if desk.ui.overlay is Overlay.HELP:
        desk.ui = without_help(desk.ui)
        if desk.mode in _ASKING:  # no second Enter is the answer
            desk.deafen(now)
        return
    if desk.mode is Mode.CLOSED:
        if desk.too_soon(now):
            return
        desk.want(Want.CLOSE)
    _close_all(desk)


def _close_all(desk: Desk) -> None:
    desk.ui = replace(
        desk.ui,
        question=None,
        quitting=False,
        kicking=False,
        chatting=None,
        phrase=False,
        typing=None,
        list_at=None,
        overlay=None,
        beneath=None,
        scroll=0,
    )


def page(desk: Desk, key: str, now: float) -> None:
    """Opens one of the pages."""
    act = act_of(desk.mode, key)
    pages = {
        Act.DISCARDS: Overlay.DISCARDS,
        Act.LOG: Overlay.LOG,
        Act.PROOFS: Overlay.PROOFS,
        Act.OPTIONS: Overlay.OPTIONS,
        Act.SCORE: Overlay.SCORE,
    }
    desk.ui = replace(desk.ui, overlay=None if act is None else pages.get(act), scroll=0)


def give_help(desk: Desk, key: str, now: float) -> None:
    """`?`: the help on what is asked now, over whatever is open; once more: back to that."""
    if desk.ui.overlay is Overlay.HELP:
        close(desk, key, now)
    else:
        desk.ui = replace(desk.ui, overlay=Overlay.HELP, beneath=desk.ui.overlay, scroll=0)


def switch(desk: Desk, key: str, now: float) -> None:
    """A number on the page of options."""
    before = spoken()
    desk.ui = switched(desk.ui, desk.view, int(key))
    if spoken() != before:
        desk.ui = follow.reworded(desk.ui, desk.view)


def coach(desk: Desk, key: str, now: float) -> None:
    """Opens the page on the discards of the last hand, judged by what this seat could know."""
    table, played = desk.table(), desk.session.played()
    if table is None or played is None:
        desk.note("No hand has been played to its end yet.")
        return
    found = costliest(played, table.me)
    texts = review_lines(follow.voice(desk.ui, table), found)
    desk.ui = replace(desk.ui, overlay=Overlay.COACH, review=tuple(texts), scroll=0)


def scroll(desk: Desk, key: str, now: float) -> None:
    """Up and down in a page or a list."""
    if desk.mode is Mode.LIST and desk.ui.list_at is not None:
        desk.ui = replace(desk.ui, list_at=Extent(len(desk.ui.choices) - 1).moved(desk.ui.list_at, key))
        return
    extent = desk.extent()
    if desk.ui.overlay is Overlay.LOG:  # it begins at its end
        top = extent.moved(max(0, extent.last - desk.ui.scroll), key)
        desk.ui = replace(desk.ui, scroll=extent.last - top)
    else:
        desk.ui = replace(desk.ui, scroll=extent.moved(desk.ui.scroll, key))


def list_all(desk: Desk, key: str, now: float) -> None:
    """`0`: every choice, to walk through."""
    if desk.ui.choices:
        desk.ui = replace(desk.ui, list_at=0)


def list_enter(desk: Desk, key: str, now: float) -> None:
    """Does the choice of the walk."""
    at = desk.ui.list_at or 0
    if at < len(desk.ui.choices) and not desk.deaf(now):
        move = desk.ui.choices[at].move
        desk.ui = replace(desk.ui, list_at=None)
        desk.make(move, now)


def chat(desk: Desk, key: str, now: float) -> None:
    """`c` opens the chat line."""
    if not _is_deserted(desk):
        desk.ui = replace(desk.ui, chatting="")


def _is_deserted(desk: Desk) -> bool:
    """Whether nobody is left to talk to, which is then said."""
    table = desk.table()
    if table is None or has_hearers(table):
        return False
    desk.note("The others have left: nobody would hear it.")
    return True


def chat_send(desk: Desk, key: str, now: float) -> None:
    """Enter in the chat line."""
    text = (desk.ui.chatting or "").strip()
    desk.ui = replace(desk.ui, chatting=None)
    desk.deafen(now, DEAF_SECONDS / 2)
    if text:
        desk.attempt(lambda: desk.session.chat(text))


def erase(desk: Desk, key: str, now: float) -> None:
    """Backspace, Ctrl-W and Ctrl-U in a line being typed."""
    if desk.ui.chatting is not None:
        desk.ui = replace(desk.ui, chatting=erased(desk.ui.chatting, key))
    elif desk.ui.typing is not None:
        desk.ui = replace(desk.ui, typing=erased(desk.ui.typing, key) or None)
    else:
        desk.ui = replace(desk.ui, code=erased(desk.ui.code, key))


def phrase(desk: Desk, key: str, now: float) -> None:
    """`!` and a number."""
    if not desk.ui.phrase:
        if not _is_deserted(desk):
            desk.ui = replace(desk.ui, phrase=True)
        return
    desk.ui = replace(desk.ui, phrase=False)
    desk.attempt(lambda: desk.session.chat(PHRASES[int(key) - 1]))


# before, between and after hands


def same(desk: Desk, key: str, now: float) -> None:
    """The words are the same."""
    if not desk.deaf(now):
        desk.attempt(desk.session.confirm_words, sends=True)


def differ(desk: Desk, key: str, now: float) -> None:
    """The words differ."""
    desk.ask(Question(questions.differing(), Costly.DIFFER), now)


def go_on(desk: Desk, key: str, now: float) -> None:
    """On to the next hand."""
    table = desk.table()
    if table is None or desk.deaf(now):
        return
    if table.can_go_on:
        desk.attempt(desk.session.go_on, sends=True)
    else:
        desk.note("Wait.")


def leave(desk: Desk, key: str, now: float) -> None:
    """Closes the table for good, after a question."""
    table = desk.table()
    if table is None:
        return
    if not table.can_leave:
        desk.note("The table can be left between two hands, before you have gone on.")
        return
    desk.ask(Question(questions.leaving(table), Costly.LEAVE), now)


def again(desk: Desk, key: str, now: float) -> None:
    """A new table with the same three: at once where this one is over, else after a question."""
    table = desk.table()
    if table is None or desk.deaf(now):
        return
    if table.closed or table.stopped is not None:
        _begin_again(desk)
    elif table.can_leave:
        desk.ask(Question(questions.again(), Costly.AGAIN), now)
    else:
        desk.note(tr("A new table begins between two hands."))


def _begin_again(desk: Desk) -> None:
    _end_with(desk, desk.session.play_again)


def _end_with(desk: Desk, act: Callable[[], None]) -> None:
    """Closes the table on this screen where the act is not refused."""
    desk.attempt(act)
    if desk.ui.note is None:
        desk.want(Want.CLOSE)


def keep_waiting(desk: Desk, key: str, now: float) -> None:
    """Goes on waiting for a player who is away."""
    table = desk.table()
    if table is not None and table.grace_over:
        desk.attempt(desk.session.keep_waiting)
    else:
        desk.note("Nobody has been away for long.")


def put_aside(desk: Desk, key: str, now: float) -> None:
    """Another table while a player is away, after a question."""
    table = desk.table()
    if table is None or not may_put_aside(table):
        desk.note("Another table can be begun while a player is away.")
        return
    desk.ask(Question(questions.aside(), Costly.ASIDE), now)


def quit_table(desk: Desk, key: str, now: float) -> None:
    """`q`: asks how to leave; at once where nothing can be lost."""
    if isinstance(desk.view, TableView) and table_mode(desk.view) is Mode.CLOSED:
        desk.want(Want.CLOSE)
    else:
        desk.ui = replace(desk.ui, quitting=True)


def interrupt(desk: Desk, key: str, now: float) -> None:
    """Ctrl-C: as `q`; twice within two seconds: closes at once."""
    if desk.interrupted_twice(now):
        desk.want(Want.INTERRUPT)
        return
    _close_all(desk)
    quit_table(desk, key, now)
    desk.note("Ctrl-C again closes at once; the hand stays pending.")


def keep(desk: Desk, key: str, now: float) -> None:
    """Closes the program; the hand stays pending. A lobby is left for good, and the others are told."""
    if isinstance(desk.view, LobbyView) and not desk.view.looking:
        desk.attempt(desk.session.leave_lobby)
        if desk.ui.note is None:
            return
    desk.want(Want.CLOSE)


def give_up(desk: Desk, key: str, now: float) -> None:
    """Gives the running hand up, after its cost was named."""
    table = desk.table()
    desk.ui = replace(desk.ui, quitting=False)
    if table is None or not table.can_give_up:
        desk.note("There is no hand to give up now.")
        return
    desk.ask(Question(questions.giving_up(table.rules), Costly.GIVE_UP), now)


def mute(desk: Desk, key: str, now: float) -> None:
    """The bell on or off."""
    desk.ui = bell(desk.ui)
    desk.note("The bell is on." if desk.ui.settings.bell else "The bell is off.")


def redraw(desk: Desk, key: str, now: float) -> None:
    """Ctrl-L."""
    desk.want(Want.REDRAW)


def suspend(desk: Desk, key: str, now: float) -> None:
    """Ctrl-Z."""
    desk.want(Want.SUSPEND)
