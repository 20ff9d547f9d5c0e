"""Every sentence about the table itself: who is away, how a seat is reached, faults in plain words.

Owns wording; decides nothing. The developer's text of a fault is never shown as the sentence, only its code.
"""

import shlex
from pathlib import Path
from typing import assert_never

from tongits_lan.console.skins import LETTERS
from tongits_lan.console.speech import Party, tr, trn
from tongits_lan.console.text import Voice, chips, say, say_due
from tongits_lan.errors import Code
from tongits_lan.game.position import Position
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.ledger import effects
from tongits_lan.ledger.effects import Reach, Stop, TableEvent
from tongits_lan.ledger.state import Due, Phase
from tongits_lan.ledger.views import TableView

_FAULTS = {
    Code.SIZE: mark("the record is cut or too long"),
    Code.DECODE: mark("the record cannot be read"),
    Code.CANONICAL: mark("the record is written in a wrong way"),
    Code.SEAT: mark("the record names no player"),
    Code.SIGNATURE: mark("the signature does not fit"),
    Code.CHAIN: mark("the record does not follow the one before it"),
    Code.BODY: mark("{who} sent a message of a wrong form"),
    Code.PHASE: mark("{who} did something that is not due now"),
    Code.WRITER: mark("{who} acted out of turn"),
    Code.ELEMENT: mark("{who} sent a damaged deck"),
    Code.SCALAR: mark("{who} sent a damaged key"),
    Code.DECK: mark("{who} sent a deck that is not a deck of cards"),
    Code.COMMIT: mark("{whose} commitment does not fit"),
    Code.PROOF: mark("{whose} shuffle proof does not hold"),
    Code.SLOT: mark("{who} used a card that was not theirs to use"),
    Code.KEY: mark("{who} gave a wrong key for a card"),
    Code.OPENING: mark("a card opened as no card at all"),
    Code.SEED: mark("{whose} revealed seed does not fit the shuffle"),
    Code.RULES: mark("{whose} program made a move against the rules"),
    Code.RESULT: mark("{who} signed another result"),
    Code.REPLAY: mark("{whose} shuffle does not follow from the revealed seed"),
    Code.FORK: mark("{who} signed two different stories of the game"),
    Code.HEADER: mark("this is not a file of this program"),
    Code.DESCRIPTOR: mark("the table was described in a wrong way"),
}


def say_table(voice: Voice, event: TableEvent, position: Position | None = None) -> str | None:
    """The sentence for anything a table tells, or None for what no player needs to read."""
    match event:
        case effects.Awaited(seat=seat, kinds=kinds):
            return say_due(voice, Due(seat, kinds))
        case effects.Returned(seat=seat):
            return tr("You are back.") if seat == voice.me else tr("{who} is back.", who=voice.who(seat))
        case effects.GraceOver(seat=seat):
            return tr(
                "{who} is still away. You can keep waiting, or leave: the hand stays pending.",
                who=voice.who(seat),
            )
        case effects.LinkChanged(seat=seat, how=how):
            return _say_link(voice, seat, how)
        case effects.Stopped(fault=stop):
            return say_stop(voice, stop)
        case effects.CalledOff(seat=seat):
            return say_called_off(voice, seat)
        case effects.RejectedByPeer(seat=seat, code=code):
            why = code if code in _FAULTS else tr("for no known reason")  # the code is another machine's word
            return tr(
                "{whose} program refused what was sent to it ({why}).", whose=voice.whose(seat), why=why
            )
        case effects.Loaded(height=height):
            if not height:
                return None
            return trn(
                "The table goes on where it was left ({count} record so far).",
                "The table goes on where it was left ({count} records so far).",
                height,
            )
        case effects.SecretsLost(hand=hand):
            return tr(
                "Your secret of hand {hand} does not fit the table any more, so it cannot go on here. "
                "Bring back the data folder it was played from, or give the hand up.",
                hand=hand,
            )
        case _:
            return say(voice, event, position)


def say_stop(voice: Voice, stop: Stop) -> str:
    """Why a table stopped, who did it, where the proof is: for people."""
    return tr(
        "The table has stopped: {what} ({where}). No chips moved; the evidence is kept.",
        what=fault_words(voice, stop.code, stop.seat),
        where=fault_place(stop),
    )


def say_called_off(voice: Voice, seat: int) -> str:
    """Somebody has read other table words than the others."""
    if seat == voice.me:
        return tr("You said that the table words differ: this table is dropped, nothing was dealt.")
    return tr("{who} says the words differ: leave this table. Nothing was dealt.", who=voice.who(seat))


def fault_place(stop: Stop) -> str:
    """Where in the game a fault lies, and its code."""
    if stop.hand:
        where = tr("hand {hand}, record {height}", hand=stop.hand, height=stop.height)
    else:
        where = tr("record {height}", height=stop.height)
    return f"{where}, {stop.code}"


def say_proof(path: Path) -> str:
    """Where the proof lies why a table stopped, and how to show it to somebody."""
    return tr("The proof is kept: show it with tongits verify {path}", path=shlex.quote(str(path)))


def farewell(view: TableView) -> str | None:
    """What to say when the screen is closed while the table is not at its end."""
    if view.closed or view.stopped is not None:
        return None
    if view.called_off is not None:
        return say_called_off(Voice(view.names, view.me, LETTERS), view.called_off)
    if view.can_confirm_words:
        return tr("You left the table before its first hand; nothing was dealt.")
    where = tr("The table")
    if view.hand_no and view.phase is not Phase.SETTLE:
        where = tr("Hand {number}", number=view.hand_no)
    return tr(
        "{what} stays pending: start the program again and it goes on exactly there when you three meet.",
        what=where,
    )


def fault_words(voice: Voice, code: str, seat: int | None) -> str:
    """A fault code in plain words, naming the player it convicts: "Ben's shuffle proof does not hold"."""
    somebody = Party(tr("somebody"), "", "nobody"), Party(tr("somebody's"), "", "nobody")
    who, whose = somebody if seat is None else (voice.whom(seat), voice.whose(seat))
    return tr(_FAULTS[Code(code)], who=who, whose=whose)


def say_reach(voice: Voice, how: Reach) -> str:
    """How a seat is reached, in two or three words."""
    match how.kind:
        case "me":
            return tr("here")
        case "direct":
            return tr("connected")
        case "through":
            if how.via is None:
                return tr("through another")
            return tr("through {who}", who=voice.whom(how.via))
        case "away":
            return tr("gone home") if how.left else tr("out of reach")
        case _:
            assert_never(how.kind)


def _say_link(voice: Voice, seat: int, how: Reach) -> str | None:
    if seat == voice.me:
        return None
    if how.left:
        return tr("{who} closed the program and may come back.", who=voice.who(seat))
    text = mark("{who} is reached {how}.") if how.kind == "through" else mark("{who} is {how}.")
    return tr(text, who=voice.who(seat), how=say_reach(voice, how))


def forfeit_cost(rules: Rules) -> str:
    """What giving the running hand up costs (rules.md 10)."""
    each = chips(rules.tongits)
    return tr("you pay {chips} to each of the others and the antes stay in the pot", chips=each)
