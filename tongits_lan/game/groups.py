"""A hand as its player would lay it out: the melds of a best split, then the loose cards.

Owns the answer in slots, for screens, which may not search for melds themselves. Decides nothing.
"""

from tongits_lan.game.melds import arrange
from tongits_lan.game.position import View


def groups(view: View) -> tuple[tuple[int, ...], ...]:
    """The slots of `view.faces` as a best split: one tuple a meld, in order; the last holds the loose slots.

    Only the faces given are looked at, so a view with fewer of them tells what would be left without those.
    """
    slot_of = {view.faces[slot]: slot for slot in view.faces}
    best = arrange(slot_of, view.position.rules)
    return (
        *(tuple(slot_of[card] for card in meld) for meld in best.melds),
        tuple(slot_of[card] for card in best.loose),
    )
