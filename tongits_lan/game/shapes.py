"""The shapes of melds: what is one, what can be laid from a hand, what extends one.

Owns sets, runs, jokers standing for cards, and specials. Works on card codes and bit masks (bit c = card c);
knows no slots, seats or turns. Sources: rules.md 1.4 to 1.6, 3.6, 8.2.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, permutations

from tongits_lan.game.cards import NATURALS, RANKS, SUITS
from tongits_lan.game.rules import Rules

_SUIT_MASK = (1 << RANKS) - 1
_RUN_MIN = 3
_SET_MIN = 3
_SET_MAX = 4
_KEPT = 4_096  # answers remembered by each table; a suit has 8,192 masks

Placed = tuple[tuple[int, ...], tuple[int, ...]]
"""Cards and, in parallel, the natural card that each is or stands for."""


class MeldKind(StrEnum):
    """A set is 3 or 4 cards of one rank, a run 3 or more of one suit in order."""

    SET = "set"
    RUN = "run"


def kind_of(stands: Sequence[int]) -> MeldKind | None:
    """What natural cards in ascending order of code make: a set, a run or nothing (rules.md 1.4)."""
    size = len(stands)
    if size < _RUN_MIN:
        return None
    low, high = stands[0], stands[-1]
    if low // RANKS == high // RANKS:
        steps = all(stands[i] + 1 == stands[i + 1] for i in range(size - 1))
        return MeldKind.RUN if steps else None
    if size <= _SET_MAX:
        of_rank = all((card - low) % RANKS == 0 for card in stands)
        return MeldKind.SET if of_rank and len(set(stands)) == size else None
    return None


def stand(cards: Sequence[int], wild: Sequence[int]) -> tuple[int, ...] | None:
    """What each card is or stands for, in the order given; None if `wild` is not one natural per joker."""
    if not wild:
        return None if any(c >= NATURALS for c in cards) else tuple(cards)
    rest = list(wild)
    out: list[int] = []
    for card in cards:
        if card < NATURALS:
            out.append(card)
        elif rest and 0 <= rest[0] < NATURALS:
            out.append(rest.pop(0))
        else:
            return None
    return None if rest else tuple(out)


def meld_kind(cards: Sequence[int], wild: Sequence[int] = ()) -> MeldKind | None:
    """What the cards make with their jokers standing for `wild`; the limits on jokers are not asked."""
    stands = stand(cards, wild)
    return None if stands is None else kind_of(sorted(stands))


def jokers_fit(naturals: int, jokers: int, rules: Rules) -> bool:
    """Whether so many natural cards and jokers may be in one meld (rules.md 8.2)."""
    return jokers == 0 or (jokers <= rules.joker_max_per_meld and naturals >= rules.joker_min_naturals)


@lru_cache(_KEPT)
def windows(mask: int) -> tuple[tuple[int, int], ...]:
    """Every run in a 13-bit suit mask as (lowest rank - 1, length), length 3 and more."""
    found = []
    for low in range(RANKS - 2):
        length = 0
        while low + length < RANKS and mask >> (low + length) & 1:
            length += 1
            if length >= _RUN_MIN:
                found.append((low, length))
    return tuple(found)


@lru_cache(_KEPT)
def runs_in(mask: int, suit: int) -> tuple[tuple[int, ...], ...]:
    """Every run in a 13-bit suit mask as card codes of that suit."""
    base = suit * RANKS
    return tuple(tuple(range(base + low, base + low + length)) for low, length in windows(mask))


@lru_cache(_KEPT)
def sets_of(rank_index: int, suits: int) -> tuple[tuple[int, ...], ...]:
    """Every set of one rank (0 to 12) from a 4-bit mask of suits, as card codes."""
    cards = [suit * RANKS + rank_index for suit in range(SUITS) if suits >> suit & 1]
    return tuple(c for size in (3, 4) for c in combinations(cards, size))


def natural_melds(mask: int) -> list[tuple[int, ...]]:
    """Every set and run that can be laid from the natural cards of a mask."""
    c = mask & _SUIT_MASK
    d = mask >> 13 & _SUIT_MASK
    h = mask >> 26 & _SUIT_MASK
    s = mask >> 39 & _SUIT_MASK
    found: list[tuple[int, ...]] = []
    for suit, part in ((0, c), (1, d), (2, h), (3, s)):
        if part & part >> 1 & part >> 2:
            found += runs_in(part, suit)
    triples = c & d & (h | s) | h & s & (c | d)
    while triples:
        low = triples & -triples
        triples ^= low
        r = low.bit_length() - 1
        found += sets_of(r, (c >> r & 1) | (d >> r & 1) << 1 | (h >> r & 1) << 2 | (s >> r & 1) << 3)
    return found


def melds_with(card: int, mask: int) -> list[tuple[int, ...]]:
    """Those of `natural_melds` that contain a certain natural card of the mask."""
    suit, r = divmod(card, RANKS)
    part = mask >> suit * RANKS & _SUIT_MASK
    found: list[tuple[int, ...]] = []
    if part & part >> 1 & part >> 2:
        found += [run for run in runs_in(part, suit) if run[0] <= card <= run[-1]]
    suits = (mask >> r & 1) | (mask >> 12 + r & 2) | (mask >> 24 + r & 4) | (mask >> 36 + r & 8)
    if suits.bit_count() >= _SET_MIN:
        found += [cards for cards in sets_of(r, suits) if card in cards]
    return found


Roles = tuple[tuple[int, ...], tuple[int, ...]]
"""What jokers stand for in a meld, and the whole meld as natural cards."""


@lru_cache(_KEPT)
def _joker_runs(part: int, suit: int, jokers: int, least: int) -> tuple[Roles, ...]:
    """Every run of a suit with exactly so many jokers and at least `least` naturals of a 13-bit mask."""
    base = suit * RANKS
    found: list[Roles] = []
    for low in range(RANKS):
        gaps = 0
        for high in range(low, RANKS):
            gaps += not part >> high & 1
            if gaps > jokers:
                break
            if high - low + 1 >= max(_RUN_MIN, least + jokers):
                shape = tuple(range(base + low, base + high + 1))
                found += _roles(shape, part << base, jokers)
    return tuple(found)


@lru_cache(_KEPT)
def _joker_sets(rank_index: int, suits: int, jokers: int, least: int) -> tuple[Roles, ...]:
    """Every set of a rank with exactly so many jokers and at least `least` naturals of a 4-bit mask."""
    mask = sum(1 << suit * RANKS + rank_index for suit in range(SUITS) if suits >> suit & 1)
    found: list[Roles] = []
    for shape in sets_of(rank_index, 0b1111):
        if len(shape) >= least + jokers:
            found += _roles(shape, mask, jokers)
    return tuple(found)


def _roles(shape: tuple[int, ...], mask: int, jokers: int) -> Iterator[Roles]:
    missing = tuple(c for c in shape if not mask >> c & 1)
    present = [c for c in shape if mask >> c & 1]
    if len(missing) <= jokers:
        for spare in combinations(present, jokers - len(missing)):
            yield (*missing, *spare), shape


def joker_roles(mask: int, jokers: int, rules: Rules) -> list[Roles]:
    """Every meld with exactly so many jokers (1 or 2) within the limits, the naturals from a mask."""
    if jokers > rules.joker_max_per_meld:
        return []
    least = rules.joker_min_naturals
    parts = (mask & _SUIT_MASK, mask >> 13 & _SUIT_MASK, mask >> 26 & _SUIT_MASK, mask >> 39 & _SUIT_MASK)
    found: list[Roles] = []
    for suit in range(SUITS):
        if parts[suit].bit_count() >= least:
            found += _joker_runs(parts[suit], suit, jokers, least)
    c, d, h, s = parts
    for r in range(RANKS):
        suits = (c >> r & 1) | (d >> r & 1) << 1 | (h >> r & 1) << 2 | (s >> r & 1) << 3
        if suits.bit_count() >= least:
            found += _joker_sets(r, suits, jokers, least)
    return found


def joker_melds(mask: int, jokers: Sequence[int], rules: Rules) -> list[Placed]:
    """Every meld with at least one of the jokers, the naturals from a mask; each reading by itself."""
    found: list[Placed] = []
    for count in range(1, len(jokers) + 1):
        for roles, shape in joker_roles(mask, count, rules):
            found += _with_jokers(shape, roles, jokers)
    return found


def _with_jokers(shape: tuple[int, ...], roles: tuple[int, ...], jokers: Sequence[int]) -> Iterator[Placed]:
    for hands in permutations(jokers, len(roles)):
        played = dict(zip(roles, hands, strict=True))
        yield tuple(played.get(c, c) for c in shape), shape


def extensions(
    kind: MeldKind, stands: Sequence[int], has: int, mask: int, jokers: Sequence[int], rules: Rules
) -> list[Placed]:
    """Every lay-off on a meld that stands for `stands` and holds `has` jokers (rules.md 3.6).

    The natural cards come from a mask. A run grows at either end or both, a set by its missing fourth.
    """
    room = max(0, min(len(jokers), rules.joker_max_per_meld - has))
    if kind is MeldKind.SET:
        places = [[c] for c in range(stands[0] % RANKS, NATURALS, RANKS) if c not in stands]
    else:
        places = list(_run_places(stands[0], stands[-1], mask, room))
    if not room:
        return [(tuple(p), tuple(p)) for p in places if all(mask >> c & 1 for c in p)]
    found: list[Placed] = []
    for place in places:
        shape = tuple(place)
        missing = tuple(c for c in shape if not mask >> c & 1)
        present = [c for c in shape if mask >> c & 1]
        for spare in range(room - len(missing) + 1):
            used = len(missing) + spare
            if jokers_fit(len(stands) - has + len(shape) - used, has + used, rules):
                for extra in combinations(present, spare):
                    found += _with_jokers(shape, (*missing, *extra), jokers)
    return found


def _run_places(low: int, high: int, mask: int, room: int) -> Iterator[list[int]]:
    first, last = low - low % RANKS, low - low % RANKS + RANKS - 1
    below = _reach(range(low - 1, first - 1, -1), mask, room)
    above = _reach(range(high + 1, last + 1), mask, room)
    for down in range(below + 1):
        for up in range(above + 1):
            if down or up:
                yield [*range(low - down, low), *range(high + 1, high + 1 + up)]


def _reach(cards: range, mask: int, room: int) -> int:
    length = 0
    for card in cards:
        if not mask >> card & 1:
            room -= 1
            if room < 0:
                break
        length += 1
    return length


def specials(mask: int, definition: str) -> list[tuple[int, ...]]:
    """Every natural special held: a four of a kind, or a run as long as the definition asks or longer."""
    least = {"set4": RANKS + 1, "set4_or_run4": 4, "set4_or_run5": 5}[definition]
    return [m for m in natural_melds(mask) if _is_special(m, least)]


def _is_special(meld: tuple[int, ...], least: int) -> bool:
    if meld[1] - meld[0] == 1:
        return len(meld) >= least
    return len(meld) == _SET_MAX


def is_special(cards: Iterable[int], definition: str) -> bool:
    """Whether these cards are exactly one special (natural cards only)."""
    shown = tuple(sorted(cards))
    if any(c >= NATURALS for c in shown) or kind_of(shown) is None:
        return False
    return shown in specials(mask_of(shown), definition)


def mask_of(cards: Iterable[int]) -> int:
    """The bit mask of cards, jokers included as bits 52 and 53."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
