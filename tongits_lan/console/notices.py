"""Every sentence about the table itself: who is away, how a seat is reached, faults in plain words.

Owns wording; decides nothing. The developer's text of a fault is never shown as the sentence, only its code.
"""

from typing import assert_never

from tongits_lan.console.text import Voice, count_of, say, say_due
from tongits_lan.errors import Code
from tongits_lan.game.position import Position
from tongits_lan.game.rules import Rules
from tongits_lan.ledger import effects
from tongits_lan.ledger.effects import Reach, Stop, TableEvent
from tongits_lan.ledger.state import Due, Phase
from tongits_lan.ledger.views import TableView

_FAULTS = {
    Code.SIZE: "the record is cut or too long",
    Code.DECODE: "the record cannot be read",
    Code.CANONICAL: "the record is written in a wrong way",
    Code.SEAT: "the record names no player",
    Code.SIGNATURE: "the signature does not fit",
    Code.CHAIN: "the record does not follow the one before it",
    Code.BODY: "{who} sent a message of a wrong form",
    Code.PHASE: "{who} did something that is not due now",
    Code.WRITER: "{who} acted for another player",
    Code.ELEMENT: "{who} sent a damaged deck",
    Code.SCALAR: "{who} sent a damaged key",
    Code.DECK: "{who} sent a deck that is not a deck of cards",
    Code.COMMIT: "{whose} commitment does not fit",
    Code.PROOF: "{whose} shuffle proof does not hold",
    Code.SLOT: "{who} used a card that was not theirs to use",
    Code.KEY: "{who} gave a wrong key for a card",
    Code.OPENING: "a card opened as no card at all",
    Code.SEED: "{whose} revealed seed does not fit the shuffle",
    Code.RULES: "{whose} program made a move against the rules",
    Code.RESULT: "{who} signed another result",
    Code.REPLAY: "{whose} shuffle does not follow from the revealed seed",
    Code.FORK: "{who} signed two different stories of the game",
    Code.HEADER: "this is not a file of this program",
    Code.DESCRIPTOR: "the table was described in a wrong way",
}


def say_table(voice: Voice, event: TableEvent, position: Position | None = None) -> str | None:
    """The sentence for anything a table tells, or None for what no player needs to read."""
    match event:
        case effects.Awaited(seat=seat, kinds=kinds):
            return say_due(voice, Due(seat, kinds))
        case effects.Returned(seat=seat):
            return f"{voice.who(seat)} {'are' if seat == voice.me else 'is'} back."
        case effects.GraceOver(seat=seat):
            return (
                f"{voice.names[seat]} is still away. You can keep waiting, or leave: the hand stays pending."
            )
        case effects.LinkChanged(seat=seat, how=how):
            return _say_link(voice, seat, how)
        case effects.Stopped(fault=stop):
            return say_stop(voice, stop)
        case effects.RejectedByPeer(seat=seat, code=code):
            why = code if code in _FAULTS else "for no known reason"  # the code is another machine's word
            return f"{voice.whose(seat)} program refused what was sent to it ({why})."
        case effects.Loaded(height=height):
            if not height:
                return None
            return f"The table goes on where it was left ({count_of(height, 'record', 'records')} so far)."
        case effects.SecretsLost(hand=hand):
            return (
                f"Your secret of hand {hand} does not fit the table any more, so it cannot go on here. "
                "Bring back the data folder it was played from, or give the hand up."
            )
        case _:
            return say(voice, event, position)


def say_stop(voice: Voice, stop: Stop) -> str:
    """Why a table stopped, who did it, where the proof is: for people."""
    where = f"hand {stop.hand}, record {stop.height}" if stop.hand else f"record {stop.height}"
    text = fault_words(voice, stop.code, stop.seat)
    return f"The table has stopped: {text} ({where}, {stop.code}). No chips moved; the evidence is kept."


def farewell(view: TableView) -> str | None:
    """What to say when the screen is closed while the table is not at its end."""
    if view.closed or view.stopped is not None:
        return None
    if view.can_confirm_words:
        return "You left the table before its first hand; nothing was dealt."
    where = f"Hand {view.hand_no}" if view.hand_no and view.phase is not Phase.SETTLE else "The table"
    return f"{where} stays pending: start the program again and it goes on exactly there when you three meet."


def fault_words(voice: Voice, code: str, seat: int | None) -> str:
    """A fault code in plain words, naming the player it convicts: "Ben's shuffle proof does not hold"."""
    who, whose = ("somebody", "somebody's") if seat is None else (voice.whom(seat), voice.whose(seat))
    return _FAULTS[Code(code)].format(who=who, whose=whose)


def say_reach(voice: Voice, how: Reach) -> str:
    """How a seat is reached, in two or three words."""
    match how.kind:
        case "me":
            return "here"
        case "direct":
            return "connected"
        case "through":
            return f"through {voice.whom(how.via)}" if how.via is not None else "through another"
        case "away":
            return "out of reach"
        case _:
            assert_never(how.kind)


def _say_link(voice: Voice, seat: int, how: Reach) -> str | None:
    if seat == voice.me:
        return None
    reached = "reached " if how.kind == "through" else ""
    return f"{voice.names[seat]} is {reached}{say_reach(voice, how)}."


def forfeit_cost(rules: Rules) -> str:
    """What giving the running hand up costs (rules.md 10)."""
    each = count_of(rules.tongits, "chip", "chips")
    return f"you pay {each} to each of the others and the antes stay in the pot"
