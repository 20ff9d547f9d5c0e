"""How the own hand lies on the screen: groups, order, cursor, marks.

Owns the arrangement, which is this screen's alone; judges no rule (what belongs together is asked of the
game room). A card stays where it is until its player sorts, groups, lays or throws. Cards are slots here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tongits_lan.game.cards import is_joker, points, rank, suit
from tongits_lan.game.groups import groups
from tongits_lan.game.position import View
from tongits_lan.ledger.views import TableView

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A best split of a hand: the melds (slots, as a player reads them), the loose slots, their points."""

    melds: Groups = ()
    loose: tuple[int, ...] = ()
    owed: int = 0

    def meld_of(self, slot: int) -> int | None:
        """The index of the meld the slot belongs to."""
        return next((index for index, meld in enumerate(self.melds) if slot in meld), None)


@dataclass(frozen=True, slots=True)
class Layout:
    """The hand from left to right: `melds`, then `loose`; `cursor` and `new` are slots or None."""

    melds: Groups = ()
    loose: tuple[int, ...] = ()
    grouped: bool = True
    by_rank: bool = True
    cursor: int | None = None
    marks: frozenset[int] = frozenset()
    new: int | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """All slots from left to right."""
        return (*(slot for meld in self.melds for slot in meld), *self.loose)


def held(view: TableView) -> tuple[int, ...]:
    """The own slots whose cards are known, ascending."""
    if view.position is None:
        return ()
    return tuple(slot for slot in view.position.hands[view.me] if slot in view.faces)


def split(view: TableView, without: Iterable[int] = ()) -> Split:
    """A best split of the own hand, as it would be without some slots."""
    position = view.position
    if position is None:
        return Split()
    gone = frozenset(without)
    mine = {slot: view.faces[slot] for slot in held(view) if slot not in gone}
    *melds, loose = groups(View(view.me, position, mine))
    owed = sum(value(mine[slot], view.rules.joker_deadwood) for slot in loose)
    return Split(tuple(melds), loose, owed)


def value(card: int, joker: int) -> int:
    """Points of a loose card, a joker's being a table's rule."""
    return joker if is_joker(card) else points(card)


def follow(layout: Layout, view: TableView) -> Layout:
    """The layout after the hand has changed: gone cards leave gaps, new ones come last and are marked new."""
    slots = held(view)
    known = frozenset(slots)
    before = layout.order
    if not known & frozenset(before):
        return arranged(replace(layout, marks=frozenset(), new=None, cursor=None), view)
    melds = tuple(kept for meld in layout.melds if (kept := tuple(s for s in meld if s in known)))
    added = tuple(slot for slot in slots if slot not in before)
    loose = (*(slot for slot in layout.loose if slot in known), *added)
    new = added[-1] if added else layout.new if layout.new in known else None
    return replace(
        layout,
        melds=melds,
        loose=loose,
        new=new,
        marks=layout.marks & known,
        cursor=layout.cursor if layout.cursor in known else None,
    )


def arranged(layout: Layout, view: TableView) -> Layout:
    """The hand put in order anew: best melds first, if grouped, then the loose cards sorted."""
    best = split(view) if layout.grouped else Split(loose=held(view))
    return replace(layout, melds=best.melds, loose=_sorted(best.loose, view.faces, layout.by_rank))


def sorted_other_way(layout: Layout, view: TableView) -> Layout:
    """By suit if it was by rank, else by rank."""
    return arranged(replace(layout, by_rank=not layout.by_rank), view)


def grouped_other_way(layout: Layout, view: TableView) -> Layout:
    """Melds together, or the whole hand in one row."""
    return arranged(replace(layout, grouped=not layout.grouped), view)


def step(layout: Layout, by: int) -> Layout:
    """The cursor moved to the next card to the right (1) or left (-1), round the ends."""
    order = layout.order
    if not order:
        return layout
    if layout.cursor is None:
        return replace(layout, cursor=order[0 if by > 0 else -1])
    return replace(layout, cursor=order[(order.index(layout.cursor) + by) % len(order)])


def shifted(layout: Layout, by: int) -> Layout:
    """The card under the cursor moved by one place; groups are given up, as the order is now the player's."""
    order = list(layout.order)
    if layout.cursor is None:
        return layout
    at = order.index(layout.cursor)
    to = at + by
    if not 0 <= to < len(order):
        return layout
    order[at], order[to] = order[to], order[at]
    return replace(layout, melds=(), loose=tuple(order), grouped=False)


def marked(layout: Layout) -> Layout:
    """The card under the cursor marked, or unmarked."""
    if layout.cursor is None:
        return layout
    return replace(layout, marks=layout.marks ^ {layout.cursor})


def find(layout: Layout, faces: Mapping[int, int], card: int) -> int | None:
    """The slot that holds this card."""
    return next((slot for slot in layout.order if faces.get(slot) == card), None)


def suggested(view: TableView, best: Split, throwable: Sequence[int]) -> int | None:
    """The slot to offer for the discard: the dearest loose card, among equals not the newest.

    None when nothing is loose. Only for tables that allow hints.
    """
    joker = view.rules.joker_deadwood
    loose = [slot for slot in best.loose if slot in throwable and not is_joker(view.faces[slot])]
    loose = loose or [slot for slot in best.loose if slot in throwable]
    return max(loose, key=lambda slot: (value(view.faces[slot], joker), -slot), default=None)


def parse_typed(text: str) -> int | None:
    """A card as people type it (`7h`, `10c`, `th`, `X1`): its code, or None."""
    word = text.strip().upper()
    if word in ("X1", "X2"):
        return 51 + int(word[1])
    ranks = {"A": 1, "1": 1, "T": 10, "10": 10, "J": 11, "Q": 12, "K": 13}
    ranks.update({str(n): n for n in range(2, 10)})
    number, letter = word[:-1], word[-1:]
    if letter not in ("C", "D", "H", "S") or number not in ranks:
        return None
    return "CDHS".index(letter) * 13 + ranks[number] - 1


def _sorted(slots: Iterable[int], faces: Mapping[int, int], by_rank: bool) -> tuple[int, ...]:
    def place(slot: int) -> tuple[int, int, int]:
        card = faces[slot]
        if is_joker(card):
            return (99, card, slot)
        first, second = (rank(card), suit(card)) if by_rank else (suit(card), rank(card))
        return (first, second, slot)

    return tuple(sorted(slots, key=place))
