"""What the coach says: a hint for this turn in one or two sentences, and a hand looked back on.

Owns wording; the advice itself and its figures are the coach's (bots/coach.py).
"""

from collections.abc import Sequence
from typing import assert_never

from tongits_lan.bots.coach import Costly, Hint, Regret, Risk, Why
from tongits_lan.console.speech import Party, tr, trn
from tongits_lan.console.text import Voice, points, say_move
from tongits_lan.game.moves import Discard
from tongits_lan.game.position import View

_SURE = 0.995
_NEVER = 0.005


def hint_text(voice: Voice, view: View, hint: Hint) -> str:
    """What to do and why, then the safest and the cheapest discard where they are others."""
    move = say_move(voice, hint.move, view.position, view.faces)
    text = tr("Perhaps: {move}. {reason}", move=move, reason=_reason(voice, view, hint))
    thrown = hint.thrown
    if thrown is None or not isinstance(hint.move, Discard):
        return text
    if hint.safest is not None and hint.safest.chance < thrown.chance:
        chance = _hundred(hint.safest.chance)
        card = voice.skin.card(hint.safest.card)
        text += " " + tr("Safest: {card} ({n} in 100).", card=card, n=chance)
    if hint.cheapest is not None and hint.cheapest.owed < thrown.owed:
        card = voice.skin.card(hint.cheapest.card)
        text += " " + tr("Cheapest: {card} (leaves {owed}).", card=card, owed=hint.cheapest.owed)
    return text


def _reason(voice: Voice, view: View, hint: Hint) -> str:
    rival = tr("the lowest of the others perhaps {count}", count=hint.rival)
    if hint.rival is None:
        rival = tr("nobody else may fight")
    match hint.why:
        case Why.ONLY:
            return tr("Nothing else is possible now.")
        case Why.SPREAD:
            return tr("All your cards are melds: you win at once.")
        case Why.GOES_OUT:
            return tr("That way you get rid of every card: Tongits.")
        case Why.OPENS:
            return tr("It opens your hand: you may fight then, and are not burned.")
        case Why.LAYS:
            return tr("The meld is safe on the table.")
        case Why.LAYS_OFF | Why.TAKES:
            if hint.after < hint.owed:
                return tr("You would owe {after} instead of {owed}.", after=hint.after, owed=hint.owed)
            return tr("It brings you nearer to an empty hand.")
        case Why.LEAVES_CARD:
            return tr("Taking the discard would not help you.")
        case Why.CALLS:
            return tr("You owe {owed}, {rival}.", owed=hint.owed, rival=rival)
        case Why.TOO_HIGH:
            return tr("You owe {owed}, {rival}: too much for a fight.", owed=hint.owed, rival=rival)
        case Why.CHALLENGES:
            return tr("You owe {owed}, the caller perhaps {count}.", owed=hint.owed, count=hint.rival)
        case Why.FOLDS:
            return tr(
                "You owe {owed}, the caller perhaps {count}: too much to fight back.",
                owed=hint.owed,
                count=hint.rival,
            )
        case Why.DEAREST:
            taken = _taken(voice, view, hint.thrown)
            return tr("It is the dearest loose card; {taken}.", taken=taken)
        case Why.HOPELESS:
            taken = _taken(voice, view, hint.thrown)
            return tr("The dearer ones may still become melds; {taken}.", taken=taken)
        case _:
            assert_never(hint.why)


def _taken(voice: Voice, view: View, risk: Risk | None) -> str:
    """How likely the next player can take the card, rounded as a guess deserves."""
    taker = voice.whom((view.seat + 1) % 3)
    chance = 0.0 if risk is None else risk.chance
    if chance > _SURE:
        return tr("{who} can take it", who=taker)
    if chance < _NEVER:
        return tr("{who} cannot use it", who=taker)
    return tr("{who} can take it {n} times in 100", who=taker, n=_hundred(chance))


def _hundred(chance: float) -> int:
    return round(chance * 100)


def review_lines(voice: Voice, found: Sequence[Costly]) -> list[str]:
    """The discards that cost most, a sentence each."""
    if not found:
        return [tr("None of your discards cost you anything, as far as your cards and the table tell.")]
    head = trn(
        "The discard that cost you most, by your own cards and what all could see:",
        "The two discards that cost you most, by your own cards and what all could see:",
        len(found),
    )
    return [head, "", *(_costly(voice, one) for one in found)]


def _costly(voice: Voice, one: Costly) -> str:
    card = voice.skin.card(one.card)
    where = tr("Turn {n}, {card}:", n=one.turn, card=card) + " "
    other = "" if one.instead is None else voice.skin.card(one.instead)
    cards = voice.in_order(one.cards)
    match one.why:
        case Regret.FED:
            who = Party(tr("somebody"), "", "nobody") if one.by is None else voice.whom(one.by)
            return where + tr(
                "{who} took it and got rid of {cards} with it, {points}.",
                who=who,
                cards=cards,
                points=points(one.cost),
            )
        case Regret.NEEDED:
            return where + tr(
                "at the end it would have made {cards}. "
                "Had you thrown {card} instead, you would have owed {points} less.",
                cards=cards,
                card=other,
                points=points(one.cost),
            )
        case Regret.KEPT_DEAR:
            more = points(one.cost)
            return where + tr(
                "{card} stayed in your hand to the end instead, {points} more.", card=other, points=more
            )
        case Regret.FITTED:
            return where + tr(
                "it fitted a meld on the table. "
                "Laid off there, it would have let you throw {card}, {points} less.",
                card=other,
                points=points(one.cost),
            )
        case _:
            assert_never(one.why)
