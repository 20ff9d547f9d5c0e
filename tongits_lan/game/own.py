"""Why a seat may not make a move, its own cards included.

Owns `why_not`: what `check` says for everybody, and what only the hand of the mover tells. Exactly the moves
of `legal_moves` have no reason against them (rules.md 3.5, 3.7).
"""

from tongits_lan.game import refusals as say
from tongits_lan.game.ban import banned, fits_of
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.check import check
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Hide, Meld, Move, Pass, Sapaw, Spread, Take
from tongits_lan.game.position import View
from tongits_lan.game.shapes import MeldKind, kind_of


def why_not(view: View, move: Move) -> str | None:
    """None if the seat of this view may make the move, else one sentence as `refusals` words it."""
    refusal = check(view.position, view.seat, move)
    if refusal is not None:
        return refusal
    if any(view.faces.get(slot) != card for slot, card in _laid(move)):
        return say.NOT_HELD
    match move:
        case Hide():
            cards = sorted(view.faces[slot] for slot in move.slots)
            true = cards[-1] < NATURALS and kind_of(cards) is MeldKind.SET
            return None if true else say.HIDE_FOUR
        case Discard() if view.position.rules.discard_fit_ban:
            ban = banned(view.faces.values(), fits_of(view.position))
            return say.FIT_BAN if ban >> move.card[1] & 1 else None
        case _:
            return None


def _laid(move: Move) -> tuple[Laid, ...]:
    match move:
        case Take() | Meld() | Sapaw() | Call() | Answer() | Spread():
            return move.cards
        case Discard():
            return (move.card,)
        case Draw() | Hide() | Pass():
            return ()
