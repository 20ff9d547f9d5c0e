"""Melds and the best split of a hand, against an independent brute force."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from tests.hands import readings
from tongits_lan.game.cards import NATURALS, parse_card, points, rank, suit
from tongits_lan.game.melds import MeldKind, arrange, deadwood, is_long_run, meld_kind
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.shapes import extensions, is_special, mask_of, natural_melds, specials

PAGAT, JOKER = PRESETS["pagat"], PRESETS["joker"]


def _cards(text: str) -> list[int]:
    return [parse_card(t) for t in text.split()]


def _is_meld(cards: Sequence[int], rules: Rules) -> bool:
    """Rules.md 1.4 and 8.2 said another way: do gaps and limits leave room for the jokers?"""
    naturals = [c for c in cards if c < NATURALS]
    jokers = len(cards) - len(naturals)
    if len(cards) < 3 or not naturals:
        return False
    if jokers and (jokers > rules.joker_max_per_meld or len(naturals) < rules.joker_min_naturals):
        return False
    ranks = [rank(c) for c in naturals]
    if len(set(ranks)) == 1 and len(cards) <= 4:
        return True
    same_suit = len({suit(c) for c in naturals}) == 1
    return same_suit and max(ranks) - min(ranks) < len(cards) <= 13


def brute(hand: Sequence[int], rules: Rules) -> int:
    """The count by trying every set of disjoint melds."""

    def value(cards: Sequence[int]) -> int:
        return sum(points(c) if c < NATURALS else rules.joker_deadwood for c in cards)

    melds = [
        frozenset(p) for n in range(3, len(hand) + 1) for p in combinations(hand, n) if _is_meld(p, rules)
    ]

    @cache
    def best(left: frozenset[int]) -> int:
        return min((best(left - m) for m in melds if m <= left), default=value(tuple(left)))

    return best(frozenset(hand))


def _crowded(rng: random.Random, size: int, deck: int) -> list[int]:
    """A hand from few ranks and suits, so that melds cross."""
    low = rng.randrange(1, 9)
    pool = [c for c in range(NATURALS) if low <= rank(c) <= low + 4]
    return rng.sample([*pool, *range(NATURALS, deck)], size)


@pytest.mark.parametrize("crowded", [False, True])
def test_item_9_C1_deadwood_is_exact(crowded: bool) -> None:
    rng = random.Random(1)
    for _ in range(60):
        size = rng.randint(1, 13)
        hand = _crowded(rng, size, 52) if crowded else rng.sample(range(52), size)
        assert deadwood(hand, PAGAT) == brute(hand, PAGAT), hand


def test_deadwood_is_exact_with_jokers() -> None:
    rng = random.Random(2)
    for _ in range(60):
        rules = replace(
            JOKER,
            joker_deadwood=rng.choice((0, 10)),
            joker_min_naturals=rng.choice((1, 2, 3)),
            joker_max_per_meld=rng.randint(0, 2),
        )
        jokers = rng.sample((52, 53), rng.randint(1, 2))
        hand = [*jokers, *_crowded(rng, rng.randint(1, 8), 52)]
        assert deadwood(hand, rules) == brute(hand, rules), (hand, rules)


def test_a_greedy_split_is_not_enough() -> None:
    hand = _cards("QC QD QH QS JC JD JH JS 8C 9C TC 3H")
    assert deadwood(hand, PAGAT) == 3


def test_an_arrangement_is_a_split_with_the_count() -> None:
    rng = random.Random(3)
    for rules, deck in ((PAGAT, 52), (JOKER, 54)):
        for _ in range(80):
            hand = _crowded(rng, 12, deck)
            split = arrange(hand, rules)
            parts = [c for m in split.melds for c in m]
            assert sorted([*parts, *split.loose]) == sorted(hand)
            assert all(_is_meld(m, rules) for m in split.melds)
            assert split.count == deadwood(hand, rules)


def test_among_equal_splits_the_one_that_earns_most_is_taken() -> None:
    eights = arrange(_cards("8C 8D 8H 8S 9S TS"), PAGAT)
    assert eights.count == 0
    assert sorted(len(m) for m in eights.melds) == [3, 3]
    loose = arrange(_cards("8C 8D 8H 8S 9S"), PAGAT)
    assert [len(m) for m in loose.melds] == [4]
    roles = arrange(_cards("2H 3H 4H 5H 6H 7H 8H 9H"), PRESETS["house"])
    assert sorted(len(m) for m in roles.melds) == [4, 4]
    long = arrange(_cards("2H 3H 4H 5H 6H 7H 8H 9H"), replace(PAGAT, long_run_bonus=3))
    assert sorted(len(m) for m in long.melds) in ([8], [3, 5])


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("AS 2S 3S", MeldKind.RUN),
        ("QS KS AS", None),
        ("KS AS 2S", None),
        ("7C 7D 7H", MeldKind.SET),
        ("7C 7D 7H 7S", MeldKind.SET),
        ("7C 7D", None),
        ("KC AD 2D", None),
        ("QC KC AD", None),
        ("5C 6C 8C", None),
        ("TC TD JH", None),
    ],
)
def test_what_is_a_meld(cards: str, kind: MeldKind | None) -> None:
    assert meld_kind(_cards(cards)) is kind


def test_a_joker_stands_for_one_card_not_in_the_meld() -> None:
    seven = tuple(_cards("7C 7D X1"))
    assert meld_kind(seven, _cards("7H")) is MeldKind.SET
    assert meld_kind(seven, _cards("7C")) is None
    assert meld_kind(seven) is None
    assert meld_kind(seven, _cards("7H 7S")) is None
    assert set(readings(seven, JOKER)) == {(parse_card("7H"),), (parse_card("7S"),)}
    assert readings(_cards("4S 5S X1"), JOKER) == ((parse_card("3S"),), (parse_card("6S"),))
    assert readings(_cards("QS KS X1"), JOKER) == ((parse_card("JS"),),)
    assert readings(_cards("4S X1 X2 7S"), JOKER) == ()


def test_natural_melds_are_all_of_them() -> None:
    rng = random.Random(4)
    for _ in range(40):
        hand = sorted(_crowded(rng, 10, 52))
        wanted = {p for n in range(3, 11) for p in combinations(hand, n) if _is_meld(p, PAGAT)}
        assert {tuple(sorted(m)) for m in natural_melds(mask_of(hand))} == wanted


def test_a_run_grows_at_both_ends_and_a_set_by_its_fourth() -> None:
    run = _cards("5S 6S 7S")
    mask = mask_of(_cards("3S 4S 8S TS 8H"))
    grown = {cards for cards, _ in extensions(MeldKind.RUN, run, 0, mask, (), PAGAT)}
    names = {tuple(_cards(t)) for t in ("4S", "3S 4S", "8S", "4S 8S", "3S 4S 8S")}
    assert grown == names
    nines = _cards("9C 9D 9S")
    assert extensions(MeldKind.SET, nines, 0, mask_of(_cards("9H 8H")), (), PAGAT) == [
        ((parse_card("9H"),), (parse_card("9H"),))
    ]
    assert extensions(MeldKind.SET, _cards("9C 9D 9H 9S"), 0, mask, (), PAGAT) == []
    assert extensions(MeldKind.RUN, _cards("JH QH KH"), 0, mask_of(_cards("AH AS")), (), PAGAT) == []


def test_jokers_extend_within_their_limits() -> None:
    run = _cards("5S 6S 7S")
    one = extensions(MeldKind.RUN, run, 0, mask_of(_cards("9S")), (52,), JOKER)
    assert {(cards, stands) for cards, stands in one} == {
        ((52,), (parse_card("4S"),)),
        ((52,), (parse_card("8S"),)),
        ((52, parse_card("9S")), tuple(_cards("8S 9S"))),
    }
    assert extensions(MeldKind.RUN, run, 1, mask_of(_cards("9S")), (52,), JOKER) == []


def test_specials_are_natural_and_long_enough() -> None:
    hand = mask_of(_cards("4H 5H 6H 7H 8H 9C 9D 9H 9S"))
    assert [sorted(m) for m in specials(hand, "set4")] == [sorted(_cards("9C 9D 9H 9S"))]
    assert len(specials(hand, "set4_or_run4")) == 3 + 2 + 1 + 1
    assert len(specials(hand, "set4_or_run5")) == 2 + 1 + 1
    assert is_special(_cards("9C 9D 9H 9S"), "set4")
    assert not is_special(_cards("9C 9D 9H"), "set4_or_run4")
    assert not is_special(_cards("9C 9D 9H X1"), "set4_or_run4")
    assert not is_special(_cards("4H 5H 6H 7H"), "set4_or_run5")


def test_a_joker_bridges_no_long_run() -> None:
    assert is_long_run(_cards("3H 4H 5H 6H 7H 9H"))
    assert not is_long_run(_cards("3H 4H 6H 7H 8H"))
