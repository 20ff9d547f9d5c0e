"""The end of a hand with all cards open: counts, burned seats, the winner, the ranking.

Owns who wins and why; knows no chips. `Hand` is what the end looks like for the payments: the cards each seat
holds and the melds that count, so that a false face-down set can be taken back (rules.md 5, 6, 10).
"""

from collections.abc import Sequence
from functools import cache

import msgspec

from tongits_lan.game.cards import NATURALS, card_text, rank
from tongits_lan.game.entitle import holds_special
from tongits_lan.game.melds import deadwood
from tongits_lan.game.moves import EndKind
from tongits_lan.game.position import Faces, Position, TableMeld
from tongits_lan.game.refusals import false_set, forbidden_discard
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import MeldKind, extensions, kind_of, mask_of

Counts = tuple[int, int, int]
_NATURAL_MASK = (1 << NATURALS) - 1


class Opened(msgspec.Struct, frozen=True):
    """The cards each seat still holds and the melds on the table, all faces known."""

    hands: tuple[tuple[int, ...], ...]
    melds: tuple[TableMeld, ...]


def seats_from(seat: int) -> tuple[int, int, int]:
    """A seat and the others in turn order from it."""
    return (seat, (seat + 1) % 3, (seat + 2) % 3)


def open_hands(position: Position, faces: Faces) -> Opened:
    """The end as the table shows it; hidden sets get their faces."""
    hands = tuple(tuple(faces[slot] for slot in hand) for hand in position.hands)
    melds = []
    for meld in position.melds:
        if meld.face_down:
            cards = tuple(faces[slot] for slot in meld.slots)
            meld = msgspec.structs.replace(meld, cards=cards, stands=tuple(sorted(cards)))
        melds.append(meld)
    return Opened(hands, tuple(melds))


def is_false(meld: TableMeld) -> bool:
    """Whether a face-down meld with its faces known is no natural four of a kind."""
    return meld.face_down and not (
        max(meld.stands) < NATURALS and kind_of(meld.stands) is MeldKind.SET and len(meld.stands) == 4
    )


def take_back(end: Opened) -> Opened:
    """The end with every false face-down set back in its owner's hand."""
    hands = [list(hand) for hand in end.hands]
    for meld in end.melds:
        if is_false(meld):
            hands[meld.owner] += [c for c in meld.cards if c is not None]
    return Opened(tuple(tuple(h) for h in hands), tuple(m for m in end.melds if not is_false(m)))


def fouls(position: Position, end: Opened, faces: Faces) -> tuple[tuple[int, str], ...]:
    """Every foul that only the open cards show, as (seat, sentence) (rules.md 10)."""
    found = []
    for meld in end.melds:
        if is_false(meld):
            cards = " ".join(card_text(c) for c in meld.cards if c is not None)
            found.append((meld.owner, false_set(meld.owner, cards)))
    for suspect in position.suspects:
        held = [faces[slot] for slot in suspect.hand]
        other = next((c for c in held if not suspect.fits >> c & 1), None)
        if other is not None:
            thrown = card_text(faces[suspect.slot])
            found.append((suspect.seat, forbidden_discard(suspect.seat, thrown, card_text(other))))
    return tuple(found)


def opened_seats(end: Opened) -> set[int]:
    """The seats that own a meld."""
    return {meld.owner for meld in end.melds}


def unworthy(end: Opened, rules: Rules) -> set[int]:
    """The seats to which `burned_rule` applies, the winner not yet excepted (rules.md 6.3)."""
    if rules.burned_rule == "off":
        return set()
    seats = {0, 1, 2} - opened_seats(end)
    if rules.burned_rule == "never_opened":
        return seats
    return {seat for seat in seats if not holds_special(end.hands[seat], rules)}


def counts_of(end: Opened, rules: Rules) -> Counts:
    """The three deadwood counts (points); with `showdown_layoff` each after its best lay-offs."""
    first, second, third = (
        after_layoff(hand, end.melds, rules) if rules.showdown_layoff else deadwood(hand, rules)
        for hand in end.hands
    )
    return (first, second, third)


def after_layoff(hand: Sequence[int], melds: Sequence[TableMeld], rules: Rules) -> int:
    """The smallest count one hand can reach if it may lay off on the exposed melds first (rules.md 6.1)."""
    exposed = [m for m in melds if not m.face_down]

    @cache
    def best(index: int, cards: frozenset[int]) -> int:
        if index == len(exposed):
            return deadwood(cards, rules)
        least = best(index + 1, cards)
        meld = exposed[index]
        has = sum(c is not None and c >= NATURALS for c in meld.cards)
        jokers = [c for c in cards if c >= NATURALS]
        mask = mask_of(cards) & _NATURAL_MASK
        for laid, _ in extensions(meld.kind, meld.stands, has, mask, jokers, rules):
            if least == 0:
                break
            least = min(least, best(index + 1, cards - set(laid)))
        return least

    return best(0, frozenset(hand))


def challengers(position: Position) -> list[int]:
    """The seats that challenged, in the order they answered."""
    return [seat for seat, word, _ in position.answers if word == "challenge"]


def folders(position: Position) -> list[int]:
    """The seats that folded, automatically or in their own words."""
    return [seat for seat, word, _ in position.answers if word == "fold"]


def winner_of(position: Position, end: Opened, counts: Counts) -> int | None:
    """The seat that wins, None for nobody (rules.md 5 and 6.2)."""
    match position.end:
        case EndKind.TONGITS | EndKind.SPREAD:
            return position.end_seat
        case EndKind.DRAW:
            return _draw_winner(position, counts)
        case EndKind.STOCK:
            return _stock_winner(position, end, counts)
        case None:
            raise AssertionError("play of the hand is not over")


def _draw_winner(position: Position, counts: Counts) -> int | None:
    rules = position.rules
    caller = position.caller
    assert caller is not None
    rivals = challengers(position)
    least = min(counts[seat] for seat in (caller, *rivals))
    rivals = [seat for seat in rivals if counts[seat] == least]
    if counts[caller] == least:
        if not rivals or rules.tie_caller == "caller":
            return caller
        if rules.tie_caller == "no_winner":
            return None
    return rivals[0] if rules.tie_challengers == "right_of_caller" else rivals[-1]


def _stock_winner(position: Position, end: Opened, counts: Counts) -> int | None:
    rules = position.rules
    eligible = [seat for seat in range(3) if seat not in unworthy(end, rules)]
    if not eligible:
        if rules.stock_nobody_eligible == "no_winner":
            return None
        eligible = [0, 1, 2]
    least = min(counts[seat] for seat in eligible)
    tied = [seat for seat in eligible if counts[seat] == least]
    if len(tied) > 1 and rules.stock_tie == "no_winner":
        return None
    if rules.stock_tie == "high_card":
        top = {seat: max((rank(c) for c in end.hands[seat] if c < NATURALS), default=0) for seat in tied}
        tied = [seat for seat in tied if top[seat] == max(top.values())]
    start = position.dealer if position.last_drawer is None else position.last_drawer
    return next(seat for seat in seats_from(start) if seat in tied)


def places_of(position: Position, winner: int, counts: Counts) -> tuple[int, int, int]:
    """The ranking of rules.md 6.5: the winner, non-folders by count, folders by count."""
    folded = folders(position)
    _, *others = seats_from(winner)
    second, third = sorted(others, key=lambda seat: (seat in folded, counts[seat]))
    return (winner, second, third)
