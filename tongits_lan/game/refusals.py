"""The sentences of refusals: what may not be done, and the rule that says so.

Owns wording only. `{0}`, `{1}`, `{2}` stand for the names of the players at the seats; whoever shows a
sentence fills them in with `str.format(*names)`. Everything else in a sentence is plain text without braces.
"""

from collections.abc import Iterable

from tongits_lan.game.cards import card_text
from tongits_lan.game.moves import EndKind
from tongits_lan.game.sentences import Phrase, counted, phrase

_ENDS = {
    EndKind.TONGITS: phrase("play of this hand is over: it ended by tongits"),
    EndKind.DRAW: phrase("play of this hand is over: it ended with a fight that was called"),
    EndKind.STOCK: phrase("play of this hand is over: it ended with the last stock card"),
    EndKind.SPREAD: phrase("play of this hand is over: it ended with a spread"),
}

FORM = "the slots of a move are named once each, in ascending order"
NOT_HELD = "you can only play cards that you hold"
NO_MELD_THERE = "there is no meld with that number on the table"
FACES = "every card that is laid must be a card of this deck"
START_FIRST = "your turn begins with a card: draw from the stock, take the discard or call a fight"
ACTION_NOW = "you have had your card for this turn: lay down what you like, then discard one card"
DEALER_BEGINS = "the dealer begins with thirteen cards and does not draw in the first turn: discard one card"
CALL_TOO_LATE = "a fight is called at the start of your turn, before you draw or take a card"
ANSWER_FIRST = "a fight has been called: fight back or fold"
NO_DRAW_CALLED = "there is nothing to answer: nobody has called a fight"
SPREAD_FIRST = "the hand has not begun: claim a spread or pass"
NO_SPREAD_NOW = "a spread is claimed right after the deal only"
SPREAD_WHOLE = "a spread shows the whole hand"
SPREAD_COUNT = "you cannot claim a spread: not all of your cards form melds"
STOCK_EMPTY = "you cannot draw: the stock is empty"
TAKE_OFF = "you cannot take the discard: at this table cards come from the stock only"
TAKE_NOTHING = "you cannot take the discard: the pile is empty"
TAKE_NOT_A_MELD = "you can take the discard only to lay a new meld with at least two cards of your hand"
TAKE_NEW_ONLY = "you cannot take the discard just to lay it off: at this table it must make a new meld"
TAKE_OWN_ONLY = "you can take the discard onto a meld of your own, not onto another player's"
NOT_A_MELD = (
    "a meld is three or four cards of one rank, or three or more of one suit in order with the ace low"
)
JOKER_STANDS = "say for each joker which card it stands for, one that is not in the meld already"
HIDE_OFF = "sets are not laid face down at this table"
HIDE_FOUR = "only a set of four cards of one rank is laid face down"
SAPAW_FACE_DOWN = "nobody can lay off on a meld that lies face down: it is a full set of four"
SAPAW_MISFIT = "a lay-off continues a run at an end without a gap, or adds the missing fourth card to a set"
SAPAW_NOTHING = "a lay-off needs at least one card"
SAPAW_UNOPENED = "you cannot lay off yet: at this table you must have laid a meld of your own first"
SAPAW_KEEPS_TWO = (
    "you cannot lay off so many cards: without a meld of your own you cannot go out, so two must stay in hand"
)
LAST_CARD = "at this table the last card must be discarded: you cannot lay your whole hand"
FIT_BAN = "you cannot discard a card that fits a meld on the table while you hold one that does not"
NO_CALL = "you cannot call a fight: "  # how every refusal of a call begins
CALL_UNOPENED = "you cannot call a fight: you have not laid a meld of your own"
CALL_FIRST_TURN = "you cannot call a fight before you have completed a turn"
CALL_SHOWS_NOTHING = "your call needs no cards shown: your place on the table entitles you to it"
CALL_NEEDS_ZERO = (
    "a fight can be called only with a hand that counts zero, and the whole hand is shown with it"
)
ANSWER_SHOWS_NOTHING = "this answer needs no cards shown"


def joker_limits(least: int, most: int) -> str:
    """The limits on jokers in one meld."""
    return phrase(
        "a meld with a joker needs at least {cards} and holds at most {jokers}",
        cards=counted(least, "{count} natural card", "{count} natural cards"),
        jokers=counted(most, "{count} joker", "{count} jokers"),
    )


def over(kind: EndKind | None) -> str:
    """Play is over."""
    return phrase("play of this hand is over: it ended") if kind is None else _ENDS[kind]


def not_your_turn(due: int) -> str:
    """Another seat moves now."""
    return phrase("it is not your turn: {who} moves now", who=seat_name(due))


def seat_name(seat: int) -> str:
    """What stands for a player's name until somebody fills it in."""
    return f"{{{seat}}}"


def locked(by: int, seat: int, cards: Iterable[int], where: str | None, lasting: bool) -> str:
    """The sapaw lock; `where` = set or run, None if what was laid is itself a new meld of four or more."""
    laid = " ".join(card_text(c) for c in cards)
    since = phrase("in this hand") if lasting else phrase("since your last turn")
    if not laid and where is None:
        return phrase("you cannot call a fight: a card was laid off on your melds {since}", since=since)
    if by == seat and where is None:
        return phrase("you cannot call a fight: you laid a meld of four or more in your last turn")
    meld = phrase("set") if where == "set" else phrase("run")
    if by == seat:
        return phrase(
            "you cannot call a fight: you laid off {cards} on a {meld} in your last turn",
            cards=laid,
            meld=meld,
        )
    return phrase(
        "you cannot call a fight: {who} laid off {cards} on your {meld} {since}",
        who=seat_name(by),
        cards=laid,
        meld=meld,
        since=since,
    )


def special(definition: str) -> Phrase:
    """What counts as a special at this table."""
    return {
        "set4": phrase("a natural four of a kind"),
        "set4_or_run4": phrase("a natural four of a kind or a natural run of four or more"),
        "set4_or_run5": phrase("a natural four of a kind or a natural run of five or more"),
    }[definition]


def call_needs_special(definition: str, reason: str | None) -> str:
    """A call that needs a special, none of which was shown."""
    shown = special(definition)
    if reason is None:
        return phrase("you can call a fight only by showing exactly {special}", special=shown)
    return phrase("{reason}; showing exactly {special} would let you", reason=reason, special=shown)


def challenge_needs_special(definition: str) -> str:
    """A challenge by a seat that has not opened."""
    return phrase(
        "you have not laid a meld of your own: you can fight back only by showing {special}",
        special=special(definition),
    )


def false_set(seat: int, cards: str) -> str:
    """The foul of four cards laid face down that are no set (rules.md 10)."""
    return phrase("{who} laid {cards} face down, which is no set of four", who=seat_name(seat), cards=cards)


def forbidden_discard(seat: int, thrown: str, held: str) -> str:
    """The foul of a discard that fitted a meld on the table (rules.md 10)."""
    return phrase(
        "{who} discarded {thrown}, which fitted a meld on the table, while holding {held}",
        who=seat_name(seat),
        thrown=thrown,
        held=held,
    )
