"""What a fight may cost or bring, in sentences.

Owns wording; the prices come from the game room, which alone knows what is paid for what.
"""

from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, chips, points
from tongits_lan.game.moves import Answer, Call, Move
from tongits_lan.game.position import View
from tongits_lan.game.sentences import mark
from tongits_lan.game.stakes import Price, Stakes, stakes
from tongits_lan.ledger.views import TableView

_TIES = {
    "challenger": mark("The caller loses a tie."),
    "caller": mark("The caller wins a tie."),
    "no_winner": mark("In a tie nobody wins."),
}


def of(view: TableView) -> Stakes | None:
    """The stakes of the player, who may call a fight or has been asked to answer one."""
    position = view.position
    if position is None or any(slot not in view.faces for slot in position.hands[view.me]):
        return None
    return stakes(View(view.me, position, view.faces), view.match)


def price(amount: Price) -> str:
    """Chips as far as they are known: "3 chips", "3 chips or more", "3 to 12 chips"."""
    if amount.most is None:
        return tr("{chips} or more", chips=chips(amount.least))
    if amount.least == amount.most:
        return chips(amount.least)
    return tr("{least} to {chips}", least=amount.least, chips=chips(amount.most))


def tie(view: TableView) -> str:
    """Who wins when the lowest counts are equal."""
    return tr(_TIES[view.rules.tie_caller])


def remark(view: TableView, voice: Voice, move: Move, owed: int) -> str:
    """What a call or an answer may cost, for behind its name; nothing for other moves."""
    return next(iter(remarks(view, voice, move, owed)), "")


def remarks(view: TableView, voice: Voice, move: Move, owed: int) -> tuple[str, ...]:
    """The same, and in fewer words, the longest first."""
    match move:
        case Call():
            return _risk(view, owed)
        case Answer(word="challenge"):
            risk = of(view)
            return () if risk is None or risk.lost is None else (_losing(risk.lost), price(risk.lost))
        case Answer():
            return _folding(view, voice)
        case _:
            return ()


def call(view: TableView, owed: int) -> str:
    """The question before a fight is called."""
    risk = of(view)
    won = None if risk is None else risk.unchallenged
    if risk is None or won is None:
        return tr("Call a fight? You owe {points}; the lowest count wins.", points=points(owed))
    if risk.lost is None:
        return tr("Call a fight? Nobody can fight back: you win {price}.", price=price(won))
    asked = [
        tr("Call a fight? You owe {points}; the lowest count wins.", points=points(owed)),
        tie(view),
        tr("If nobody fights back you win {price}.", price=price(won)),
        tr("If you lose you pay {price}.", price=price(risk.lost)),
    ]
    return " ".join(asked)


def _risk(view: TableView, owed: int) -> tuple[str, ...]:
    risk = of(view)
    if risk is None or risk.lost is None:
        return tr("you owe {owed}; nobody can fight back", owed=owed), tr("you owe {owed}", owed=owed)
    lost = price(risk.lost)
    return tr("you owe {owed}; losing costs {price}", owed=owed, price=lost), _losing(risk.lost)


def _losing(lost: Price) -> str:
    return tr("losing costs {price}", price=price(lost))


def _folding(view: TableView, voice: Voice) -> tuple[str, ...]:
    risk, position = of(view), view.position
    if risk is None or position is None or position.caller is None:
        return ()
    alone, more = risk.fold_alone, risk.fold
    if alone is None or more is None or alone == more:
        known = alone if more is None else more
        return () if known is None else (tr("costs {price}", price=price(known)),)
    (third,) = {0, 1, 2} - {view.me, position.caller}
    told = tr(
        "costs {price} if {who} folds too, else {more}",
        who=voice.whom(third),
        price=price(alone),
        more=price(more),
    )
    unknown = alone.most is None or more.most is None
    most = None if unknown else max(alone.most or 0, more.most or 0)
    return told, tr("costs {price}", price=price(Price(min(alone.least, more.least), most)))
