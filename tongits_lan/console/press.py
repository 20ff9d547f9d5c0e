"""One key pressed: looked up in the key table, then done; what is in no table is a letter being typed.

Owns the way from a key to an act. Knows no rule and no terminal.
"""

from collections.abc import Callable
from dataclasses import replace

from tongits_lan.console import acts_lobby, acts_pages, acts_play
from tongits_lan.console.choices import BY_LETTER
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import OWN_TURN, Act, Mode, act_of
from tongits_lan.limits import CHAT_MAX

Handler = Callable[[Desk, str, float], None]

_CARD_BEGINS = frozenset("A23456789TJQKX1")
_ACTING = frozenset("dtfyn0123456789") | {"enter"}

_BY_ACT: dict[Act, Handler] = {
    Act.JOIN: acts_lobby.join,
    Act.READY: acts_lobby.ready,
    Act.ACCEPT: acts_lobby.accept,
    Act.KICK: acts_lobby.kick,
    Act.BOT: acts_lobby.bot,
    Act.RESUME: acts_lobby.resume,
    Act.RULES: acts_lobby.rules,
    Act.RULE_SET: acts_lobby.rule_set,
    Act.TURN_TIME: acts_lobby.turn_time,
    Act.HANDS: acts_lobby.hands,
    Act.COMPLETE: acts_lobby.complete_code,
    Act.SAME: acts_pages.same,
    Act.DIFFER: acts_pages.differ,
    Act.DRAW: acts_play.draw,
    Act.TAKE: acts_play.take,
    Act.CALL: acts_play.call,
    Act.CHOICE: acts_play.number,
    Act.ALL: acts_pages.list_all,
    Act.LEFT: acts_play.rearrange,
    Act.RIGHT: acts_play.rearrange,
    Act.MARK: acts_play.rearrange,
    Act.UNMARK: acts_play.rearrange,
    Act.SORT: acts_play.rearrange,
    Act.GROUP: acts_play.rearrange,
    Act.MOVE_LEFT: acts_play.rearrange,
    Act.MOVE_RIGHT: acts_play.rearrange,
    Act.ENTER: acts_play.enter,
    Act.TYPE: acts_play.name_card,
    Act.YES: acts_play.answer,
    Act.NO: acts_play.answer,
    Act.HINT: acts_play.hint,
    Act.COACH: acts_pages.coach,
    Act.NEXT: acts_pages.go_on,
    Act.AGAIN: acts_pages.again,
    Act.LEAVE: acts_pages.leave,
    Act.KEEP_WAITING: acts_pages.keep_waiting,
    Act.ASIDE: acts_pages.put_aside,
    Act.DISCARDS: acts_pages.page,
    Act.LOG: acts_pages.page,
    Act.PROOFS: acts_pages.page,
    Act.OPTIONS: acts_pages.page,
    Act.SWITCH: acts_pages.switch,
    Act.SCORE: acts_pages.page,
    Act.HELP: acts_pages.give_help,
    Act.CHAT: acts_pages.chat,
    Act.PHRASE: acts_pages.phrase,
    Act.ERASE: acts_pages.erase,
    Act.SCROLL: acts_pages.scroll,
    Act.CLOSE: acts_pages.close,
    Act.KEEP: acts_pages.keep,
    Act.GIVE_UP: acts_pages.give_up,
    Act.MUTE: acts_pages.mute,
    Act.REDRAW: acts_pages.redraw,
    Act.SUSPEND: acts_pages.suspend,
    Act.QUIT: acts_pages.quit_table,
    Act.INTERRUPT: acts_pages.interrupt,
}

# where the same act means something else
_BY_MODE: dict[tuple[Mode, Act], Handler] = {
    (Mode.CONFIRM, Act.YES): acts_pages.yes,
    (Mode.CONFIRM, Act.CALL): acts_pages.yes,
    (Mode.CHAT, Act.ENTER): acts_pages.chat_send,
    (Mode.CODE, Act.ENTER): acts_lobby.enter_code,
    (Mode.CODE, Act.HELP): acts_lobby.help_or_letter,
    (Mode.LIST, Act.ENTER): acts_pages.list_enter,
    (Mode.PHRASE, Act.CHOICE): acts_pages.phrase,
}

# acts without a guard of their own: they do nothing for a moment after keys have got another meaning
_MEANT = frozenset({Act.READY, Act.DRAW, Act.CALL, Act.RULE_SET, Act.TURN_TIME, Act.HANDS, Act.KEEP_WAITING})
_MEANT_IN = frozenset({(Mode.KICK, Act.KICK)})


def press(desk: Desk, key: str, now: float) -> None:
    """Does what the key asks for now; `key` is a name of the key table or the character itself."""
    desk.at(now)
    mode = desk.mode
    act = act_of(mode, key)
    if desk.ui.note is not None:
        desk.ui = replace(desk.ui, note=None)
    if act is None:
        _unbound(desk, mode, key)
        return
    if (act in _MEANT or (mode, act) in _MEANT_IN) and desk.deaf(now):
        return
    handler = _BY_MODE.get((mode, act)) or _BY_ACT[act]
    handler(desk, key, now)


def paste(desk: Desk, text: str) -> None:
    """Pasted text goes into a chat line or a join code being typed, and nowhere else."""
    if desk.ui.chatting is not None:
        desk.ui = replace(desk.ui, chatting=(desk.ui.chatting + " ".join(text.split()))[:CHAT_MAX])
    elif desk.mode is Mode.CODE:
        acts_lobby.type_code(desk, " ".join(text.split()))


def _unbound(desk: Desk, mode: Mode, key: str) -> None:
    is_letter = len(key) == 1 and key.isprintable()
    if mode is Mode.CHAT and is_letter:
        desk.ui = replace(desk.ui, chatting=((desk.ui.chatting or "") + key)[:CHAT_MAX])
    elif mode is Mode.CODE and is_letter:
        acts_lobby.type_code(desk, key)
    elif mode is Mode.TYPING:
        if is_letter:
            acts_play.type_on(desk, (desk.ui.typing or "") + key)
        else:
            desk.ui = replace(desk.ui, typing=None)
    elif mode in (Mode.START, Mode.ACTION) and key.upper() in _CARD_BEGINS:
        desk.ui = replace(desk.ui, typing=key)
    elif mode in OWN_TURN and key in BY_LETTER:
        desk.why(BY_LETTER[key])
    elif mode is Mode.WAITING and key in _ACTING:
        acts_play.wait(desk)
    elif mode is Mode.RESULT and key in _ACTING:
        desk.note("Wait.")
