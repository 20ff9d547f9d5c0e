"""What a player is asked once more before a costly act, on the full screen and in the line modes.

Owns wording, and which moves are asked about; a cost comes from the game room.
"""

from tongits_lan.console import choices, text_stakes
from tongits_lan.console.arrange import Split
from tongits_lan.console.notices import forfeit_cost
from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, say_move
from tongits_lan.console.ui import Costly
from tongits_lan.game.moves import Call, Move
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.views import TableView


def move(view: TableView, voice: Voice, best: Split, made: Move) -> str | None:
    """Before a move that breaks a meld, throws a card that fits, or calls a fight; None before any other."""
    if isinstance(made, Call):
        return calling(view, voice, best, made)
    return choices.choice(view, voice, best, made).warning


_YES = {
    Costly.LEAVE: mark("leave the table for good"),
    Costly.AGAIN: mark("begin the new table"),
    Costly.GIVE_UP: mark("give this hand up"),
    Costly.DIFFER: mark("leave this table"),
    Costly.ASIDE: mark("begin another table"),
}


def yes(view: TableView, voice: Voice, then: Move | Costly) -> tuple[str, ...]:
    """What a yes does, in words and in fewer, for where those need too much room."""
    short = tr("yes, do it")
    if isinstance(then, Costly):
        return tr(_YES[then]), short
    if isinstance(then, Call) or view.position is None:
        return tr("call a fight"), short
    return say_move(voice, then, view.position, view.faces), short


def calling(view: TableView, voice: Voice, best: Split, call: Call) -> str:
    """Before a fight is called, with what it shows."""
    text = text_stakes.call(view, best.owed)
    if call.cards:
        shown = voice.skin.cards(card for _, card in call.cards)
        text += " " + tr("You show {cards}.", cards=shown)
    return text


def differing() -> str:
    """Before a table is left whose words are not the same."""
    return tr("The words differ? Somebody sits in the middle: leave this table.")


def leaving(view: TableView) -> str:
    """Before a table is closed for good."""
    text = tr("Leave the table for good? It ends for all three.")
    if view.match.pot:
        text += " " + tr("The pot of {pot} is split.", pot=view.match.pot)
    return text


def again() -> str:
    """Before a new table between two hands."""
    return tr("Begin a new table with the same three? Chips are carried over; the others press a as well.")


def aside() -> str:
    """Before another table while somebody is away."""
    return tr("Begin another table? This one stays pending: the menu offers it first when you come back.")


def giving_up(rules: Rules) -> str:
    """Before the running hand is given up."""
    return tr("Give this hand up? It is void: {cost}.", cost=forfeit_cost(rules))
