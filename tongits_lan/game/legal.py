"""Every legal move of a view, in canonical form, and nothing else.

Owns the generator. It builds moves from the cards held and never asks `check`; a property test says that the
two agree. Knows of hidden cards only those of the seat itself.
"""

from collections.abc import Iterator, Sequence

from tongits_lan.game.ban import banned, fits_of
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.entitle import call_shows, special_shows
from tongits_lan.game.melds import deadwood
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Hide, Meld, Move, Pass, Sapaw, Spread, Take
from tongits_lan.game.position import Phase, Position, View
from tongits_lan.game.shapes import Placed, extensions, joker_melds, melds_with, natural_melds

_NATURAL_MASK = (1 << NATURALS) - 1
_BITS = tuple(1 << card for card in range(NATURALS + 2))


class Hand:
    """The cards of a view, indexed the ways the generator needs them."""

    __slots__ = ("jokers", "laid", "mask", "slots")

    def __init__(self, view: View) -> None:
        faces = view.faces
        position = view.position
        self.laid: list[Laid] = [(slot, faces[slot]) for slot in position.hands[view.seat]]
        self.slots = {card: slot for slot, card in self.laid}
        mask = sum([_BITS[card] for card in self.slots])
        self.mask = mask & _NATURAL_MASK
        self.jokers = [card for card in self.slots if card >= NATURALS] if mask > _NATURAL_MASK else []

    def lay(self, cards: Sequence[int]) -> tuple[Laid, ...]:
        """Cards of this hand with their slots, ascending by slot."""
        slots = self.slots
        return tuple(sorted([(slots[c], c) for c in cards]))

    def place(self, placed: Placed) -> tuple[tuple[Laid, ...], tuple[int, ...]]:
        """Cards with their slots and what the jokers among them stand for, both in slot order."""
        roles = {c: s for c, s in zip(*placed, strict=True) if c >= NATURALS}
        laid = self.lay(placed[0])
        return laid, tuple(roles[c] for _, c in laid if c >= NATURALS)


def legal_moves(view: View) -> tuple[Move, ...]:
    """Every move the seat of this view may make now; empty when it is not its turn."""
    position = view.position
    if position.turn != view.seat:
        return ()
    hand = Hand(view)
    match position.phase:
        case Phase.ACTION:
            return (*_lays(position, view.seat, hand), *_discards(position, hand))
        case Phase.START:
            return tuple(_starts(position, view.seat, hand))
        case Phase.ANSWERS:
            return tuple(_answers(position, view.seat, hand))
        case Phase.SPREAD:
            zero = deadwood((c for _, c in hand.laid), position.rules) == 0
            return (Spread(tuple(hand.laid)), Pass()) if zero else (Pass(),)
        case Phase.OVER:
            return ()


def _most(position: Position, hand: Hand) -> int:
    """How many cards may be laid: all, or all but the last (`tongits_final_discard`)."""
    return len(hand.laid) - (position.rules.tongits_final_discard == "required")


def _may_lay_off(position: Position, seat: int, hand: Hand) -> int:
    """How many cards the seat may lay off now (rules.md 3.6, 5.1)."""
    rules = position.rules
    most = _most(position, hand)
    if (rules.sapaw_before_open and rules.tongits_without_own_meld) or position.opened(seat):
        return most
    return min(most, len(hand.laid) - 2) if rules.sapaw_before_open else 0


def _discards(position: Position, hand: Hand) -> list[Move]:
    if not position.rules.discard_fit_ban:
        return [Discard(laid) for laid in hand.laid]
    ban = banned(hand.slots, fits_of(position))
    return [Discard(laid) for laid in hand.laid if not ban >> laid[1] & 1]


def _lays(position: Position, seat: int, hand: Hand) -> list[Move]:
    rules = position.rules
    most = _most(position, hand)
    face_down = rules.secret_face_down
    moves: list[Move] = []
    for cards in natural_melds(hand.mask):
        if len(cards) <= most:
            laid = hand.lay(cards)
            moves.append(Meld(laid))
            if len(cards) == 4 and cards[1] - cards[0] != 1 and face_down == "set4":
                moves.append(Hide(tuple(slot for slot, _ in laid)))
    if hand.jokers:
        for placed in joker_melds(hand.mask, hand.jokers, rules):
            if len(placed[0]) <= most:
                moves.append(Meld(*hand.place(placed)))
    if position.melds:
        room = _may_lay_off(position, seat, hand)
        for index, placed in _lay_offs(position, hand.mask, hand.jokers):
            if len(placed[0]) <= room:
                moves.append(Sapaw(index, *hand.place(placed)))
    return moves


def _lay_offs(position: Position, mask: int, jokers: Sequence[int]) -> Iterator[tuple[int, Placed]]:
    rules = position.rules
    for index, meld in enumerate(position.melds):
        if not meld.face_down:
            has = _jokers_in(meld.cards) if rules.jokers else 0
            for placed in extensions(meld.kind, meld.stands, has, mask, jokers, rules):
                yield index, placed


def _jokers_in(cards: Sequence[int | None]) -> int:
    return sum(c is not None and c >= NATURALS for c in cards)


def _starts(position: Position, seat: int, hand: Hand) -> Iterator[Move]:
    rules = position.rules
    if position.stock or rules.stock_end == "on_failed_draw":
        yield Draw()
    for shown in call_shows(position, seat, hand.laid):
        yield Call(shown)
    if position.discards and rules.discard_take != "none":
        yield from _takes(position, seat, hand, position.discards[-1][1])


def _takes(position: Position, seat: int, hand: Hand, top: int) -> Iterator[Move]:
    rules = position.rules
    most = _most(position, hand)
    mask = hand.mask | (1 << top if top < NATURALS else 0)
    jokers = [*hand.jokers, top] if top >= NATURALS else hand.jokers
    if top < NATURALS:
        for cards in melds_with(top, mask):
            if len(cards) - 1 <= most:
                yield Take(None, hand.lay([c for c in cards if c != top]))
    if jokers:
        for placed in joker_melds(mask, jokers, rules):
            if top in placed[0] and len(placed[0]) - 1 <= most:
                yield Take(None, *_taken(hand, placed, top))
    if rules.discard_take == "new_meld":
        return
    room = _may_lay_off(position, seat, hand)
    if room < 0 or not (rules.sapaw_before_open or position.opened(seat)):
        return
    for index, placed in _lay_offs(position, mask, jokers):
        own = position.melds[index].owner == seat
        if (
            top in placed[0]
            and len(placed[0]) - 1 <= room
            and (own or rules.discard_take == "new_meld_or_any")
        ):
            yield Take(index, *_taken(hand, placed, top))


def _taken(hand: Hand, placed: Placed, top: int) -> tuple[tuple[Laid, ...], tuple[int, ...]]:
    """As `Hand.place`, with the taken card first and not among the cards of the hand."""
    roles = dict(zip(*placed, strict=True))
    laid = hand.lay([c for c in placed[0] if c != top])
    order = [top, *(c for _, c in laid)]
    return laid, tuple(roles[c] for c in order if c >= NATURALS)


def _answers(position: Position, seat: int, hand: Hand) -> Iterator[Move]:
    rules = position.rules
    if rules.challenge_requirement == "opened_or_special" and not position.opened(seat):
        for shown in special_shows(hand.laid, rules):
            yield Answer("challenge", shown)
    else:
        yield Answer("challenge")
    yield Answer("fold")
