"""The melds of a hand: the exact search for its best split (rules.md 6.1, 7.1).

Owns deadwood counts and arrangements; the shapes come from `shapes`. The search decides card by card from the
lowest: the card is loose, or one of the melds that begin with it is made; what is left is remembered by its
mask, so a hand costs one visit for each set of cards that can be left, not one for each order of melds.
"""

from collections.abc import Iterable

import msgspec

from tongits_lan.game.cards import NATURALS, POINTS
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import MeldKind, joker_roles, kind_of, meld_kind, natural_melds

__all__ = [
    "LONG_RUN",
    "Arrangement",
    "MeldKind",
    "arrange",
    "best_split",
    "deadwood",
    "is_long_run",
    "is_secret",
    "meld_kind",
]

LONG_RUN = 5
_ROLE_RUN = 4
_SET_OF_FOUR = 4
_SHORT_RUN_MAX = 5  # longer runs split into runs of three to five, which save the same points
_POINT = 10**9  # one point outweighs every bonus a hand can earn
_MELD = 16  # and one chip outweighs the wish for few melds


class Arrangement(msgspec.Struct, frozen=True):
    """A best split of a hand: its melds, the cards left over, and what those count (points)."""

    melds: tuple[tuple[int, ...], ...]
    loose: tuple[int, ...]
    count: int


Save = tuple[int, int, int]
"""A meld as its mask of naturals, the points it saves, and how many jokers it takes."""

Option = tuple[int, int, int, tuple[int, ...]]
"""A meld the search may make: mask of its naturals, number of its jokers, worth, what it stands for."""


def deadwood(hand: Iterable[int], rules: Rules) -> int:
    """The smallest sum of values that any split into disjoint melds leaves over (points), exactly."""
    mask = total = jokers = 0
    for card in hand:
        if card < NATURALS:
            mask |= 1 << card
            total += POINTS[card]
        else:
            jokers += 1
    if jokers:
        return total + jokers * rules.joker_deadwood - _most_with_jokers(mask, jokers, rules)
    melds = natural_melds(mask)
    if not melds:
        return total
    if len(melds) == 1:
        return total - sum([POINTS[c] for c in melds[0]])
    return total - _most(_saves(melds))


def _saves(melds: Iterable[tuple[int, ...]]) -> list[Save]:
    """The mask and the points of each meld that a split with the smallest count may need."""
    saves = []
    for meld in melds:
        if len(meld) <= _SHORT_RUN_MAX:
            bits = points = 0
            for card in meld:
                bits |= 1 << card
                points += POINTS[card]
            saves.append((bits, points, 0))
    return saves


def _most_with_jokers(mask: int, jokers: int, rules: Rules) -> int:
    saves: dict[tuple[int, int], Save] = {}
    for count in range(1, jokers + 1):
        own = count * rules.joker_deadwood
        for roles, shape in joker_roles(mask, count, rules):
            bits = 0
            points = own
            for card in shape:
                if card not in roles:
                    bits |= 1 << card
                    points += POINTS[card]
            saves[bits, count] = (bits, points, count)
    return _most([*_saves(natural_melds(mask)), *saves.values()], jokers)


def _most(saves: list[Save], jokers: int = 0) -> int:
    """The most points that disjoint ones of these melds save with so many jokers."""
    union = 0
    by_low: dict[int, list[Save]] = {}
    for save in saves:
        bits = save[0]
        union |= bits
        by_low.setdefault(bits & -bits, []).append(save)
    memo: dict[tuple[int, int], int] = {}

    def best(left: int, spare: int) -> int:
        if not left:
            return 0
        known = memo.get((left, spare))
        if known is not None:
            return known
        low = left & -left
        most = best(left ^ low, spare)
        for bits, points, used in by_low.get(low, ()):
            if bits & left == bits and used <= spare:
                value = points + best(left ^ bits, spare - used)
                if value > most:
                    most = value
        memo[left, spare] = most
        return most

    return best(union, jokers)


def arrange(hand: Iterable[int], rules: Rules) -> Arrangement:
    """A split with the smallest count; among equal ones that with the highest bonuses, then fewest melds."""
    return best_split(hand, rules, rules.secret_bonus, rules.long_run_bonus)


def best_split(hand: Iterable[int], rules: Rules, secret: int, long_run: int) -> Arrangement:
    """As `arrange`, with the chips that a secret meld and a long run earn given."""
    cards = tuple(sorted(hand))
    naturals = tuple(c for c in cards if c < NATURALS)
    jokers = list(cards[len(naturals) :])
    mask = 0
    for card in naturals:
        mask |= 1 << card
    chosen = _choose(mask, len(jokers), _options(mask, len(jokers), rules, secret, long_run))
    melds = []
    for bits, used, _, stands in chosen:
        melds.append((*(c for c in stands if bits >> c & 1), *(jokers.pop(0) for _ in range(used))))
        mask ^= bits
    loose = (*(c for c in naturals if mask >> c & 1), *jokers)
    count = sum(POINTS[c] if c < NATURALS else rules.joker_deadwood for c in loose)
    return Arrangement(tuple(melds), loose, count)


def is_secret(stands: tuple[int, ...], rules: Rules) -> bool:
    """Whether a natural meld earns the secret bonus (rules.md 7.1, 7.2)."""
    match kind_of(stands):
        case MeldKind.SET:
            return len(stands) == _SET_OF_FOUR
        case MeldKind.RUN:
            kinds = rules.secret_bonus_kinds
            return kinds == "set4_or_run4" and len(stands) >= _ROLE_RUN
        case None:
            return False


def is_long_run(naturals: Iterable[int]) -> bool:
    """Whether five natural cards of a run stand in a row; a joker that bridges them gives no bonus."""
    length, previous = 0, -2
    for card in naturals:
        length = length + 1 if card == previous + 1 else 1
        previous = card
        if length >= LONG_RUN:
            return True
    return False


def _options(mask: int, jokers: int, rules: Rules, secret: int, long_run: int) -> list[Option]:
    found: dict[tuple[int, int], Option] = {}
    for meld in natural_melds(mask):
        chips = secret if is_secret(meld, rules) else 0
        if long_run and kind_of(meld) is MeldKind.RUN and is_long_run(meld):
            chips += long_run
        bits = sum([1 << c for c in meld])
        worth = (sum([POINTS[c] for c in meld]) * _POINT + chips) * _MELD - 1
        found[bits, 0] = (bits, 0, worth, meld)
    for count in range(1, jokers + 1):
        for roles, stands in joker_roles(mask, count, rules):
            own = [c for c in stands if c not in roles]
            bits = sum([1 << c for c in own])
            if (bits, count) in found:
                continue
            points = sum([POINTS[c] for c in own]) + count * rules.joker_deadwood
            long = long_run and kind_of(stands) is MeldKind.RUN and is_long_run(own)
            worth = (points * _POINT + (long_run if long else 0)) * _MELD - 1
            found[bits, count] = (bits, count, worth, stands)
    return list(found.values())


def _choose(mask: int, jokers: int, options: list[Option]) -> list[Option]:
    by_low: dict[int, list[Option]] = {}
    union = 0
    for option in options:
        bits = option[0]
        union |= bits
        by_low.setdefault(bits & -bits, []).append(option)
    memo: dict[tuple[int, int], tuple[int, Option | None]] = {}

    def best(left: int, spare: int) -> int:
        if not left:
            return 0
        known = memo.get((left, spare))
        if known is not None:
            return known[0]
        low = left & -left
        most, how = best(left ^ low, spare), None
        for option in by_low.get(low, ()):
            bits, used, worth, _ = option
            if bits & left == bits and used <= spare:
                value = worth + best(left ^ bits, spare - used)
                if value > most:
                    most, how = value, option
        memo[left, spare] = (most, how)
        return most

    left, spare = mask & union, jokers
    best(left, spare)
    chosen = []
    while left:
        how = memo[left, spare][1]
        if how is None:
            left &= left - 1
        else:
            chosen.append(how)
            left ^= how[0]
            spare -= how[1]
    return chosen
