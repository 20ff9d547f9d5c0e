"""What the coach says: a hint for this turn in one or two sentences, and a hand looked back on.

Owns wording; the advice itself and its figures are the coach's (bots/coach.py).
"""

from collections.abc import Sequence
from typing import assert_never

from tongits_lan.bots.coach import Costly, Hint, Regret, Risk, Why
from tongits_lan.console.text import Voice, points, say_move
from tongits_lan.game.moves import Discard
from tongits_lan.game.position import View

_SURE = 0.995
_NEVER = 0.005


def hint_text(voice: Voice, view: View, hint: Hint) -> str:
    """What to do and why, then the safest and the cheapest discard where they are others."""
    move = say_move(voice, hint.move, view.position, view.faces)
    text = f"Perhaps: {move}. {_reason(voice, view, hint)}"
    thrown = hint.thrown
    if thrown is None or not isinstance(hint.move, Discard):
        return text
    if hint.safest is not None and hint.safest.chance < thrown.chance:
        text += f" Safest: {voice.skin.card(hint.safest.card)} ({_hundred(hint.safest.chance)})."
    if hint.cheapest is not None and hint.cheapest.owed < thrown.owed:
        text += f" Cheapest: {voice.skin.card(hint.cheapest.card)} (leaves {hint.cheapest.owed})."
    return text


def _reason(voice: Voice, view: View, hint: Hint) -> str:
    lowest = f"the lowest of the others perhaps {hint.rival}"
    rival = "nobody else may fight" if hint.rival is None else lowest
    change = f"You would owe {hint.after} instead of {hint.owed}."
    match hint.why:
        case Why.ONLY:
            return "Nothing else is possible now."
        case Why.SPREAD:
            return "All your cards are melds: you win at once."
        case Why.GOES_OUT:
            return "That way you get rid of every card: Tongits."
        case Why.OPENS:
            return "It opens your hand: you may fight then, and are not burned."
        case Why.LAYS:
            return "The meld is safe on the table."
        case Why.LAYS_OFF | Why.TAKES:
            return change if hint.after < hint.owed else "It brings you nearer to an empty hand."
        case Why.LEAVES_CARD:
            return "Taking the discard would not help you."
        case Why.CALLS:
            return f"You owe {hint.owed}, {rival}."
        case Why.TOO_HIGH:
            return f"You owe {hint.owed}, {rival}: too much for a fight."
        case Why.CHALLENGES:
            return f"You owe {hint.owed}, the caller perhaps {hint.rival}."
        case Why.FOLDS:
            return f"You owe {hint.owed}, the caller perhaps {hint.rival}: too much to fight back."
        case Why.DEAREST:
            return f"It is the dearest loose card; {_taken(voice, view, hint.thrown)}."
        case Why.HOPELESS:
            return f"The dearer ones may still become melds; {_taken(voice, view, hint.thrown)}."
        case _:
            assert_never(hint.why)


def _taken(voice: Voice, view: View, risk: Risk | None) -> str:
    """How likely the next player can take the card, rounded as a guess deserves."""
    taker = voice.whom((view.seat + 1) % 3)
    chance = 0.0 if risk is None else risk.chance
    if chance > _SURE:
        return f"{taker} can take it"
    if chance < _NEVER:
        return f"{taker} cannot use it"
    return f"{taker} can take it {_hundred(chance).replace(' in', ' times in', 1)}"


def _hundred(chance: float) -> str:
    return f"{round(chance * 100)} in 100"


def review_lines(voice: Voice, found: Sequence[Costly]) -> list[str]:
    """The discards that cost most, a sentence each."""
    if not found:
        return ["None of your discards cost you anything, as far as your cards and the table tell."]
    head = "The discard that cost you most" if len(found) == 1 else "The two discards that cost you most"
    return [f"{head}, by your own cards and what all could see:", "", *(_costly(voice, one) for one in found)]


def _costly(voice: Voice, one: Costly) -> str:
    card = voice.skin.card(one.card)
    where = f"Turn {one.turn}, {card}:"
    other = "" if one.instead is None else voice.skin.card(one.instead)
    cards = voice.in_order(one.cards)
    match one.why:
        case Regret.FED:
            who = "somebody" if one.by is None else voice.whom(one.by)
            return f"{where} {who} took it and got rid of {cards} with it, {points(one.cost)}."
        case Regret.NEEDED:
            return (
                f"{where} at the end it would have made {cards}. "
                f"Had you thrown {other} instead, you would have owed {points(one.cost)} less."
            )
        case Regret.KEPT_DEAR:
            return f"{where} {other} stayed in your hand to the end instead, {points(one.cost)} more."
        case Regret.FITTED:
            return (
                f"{where} it fitted a meld on the table. "
                f"Laid off there, it would have let you throw {other}, {points(one.cost)} less."
            )
        case _:
            assert_never(one.why)
