"""The statistics of deals: calm for a fair deck, loud for a rigged one, right against tables."""

import random
from collections.abc import Callable, Sequence

import pytest

from tongits_lan.game.dealing import dealt_round
from tongits_lan.game.melds import deadwood
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.deals import LEAST_HANDS, Deals, chi_square_share, deals
from tongits_lan.ledger.past import PastHand

Shuffler = Callable[[random.Random], list[int]]


def past(faces: Sequence[int], dealer: int = 0) -> PastHand:
    a, b, c = (
        deadwood([faces[slot] for slot in dealt_round(dealer, seat)], PRESETS["pagat"]) for seat in range(3)
    )
    return PastHand(1, dealer, "stock", None, (0, 0, 0), None, tuple(faces), (a, b, c))


def fair(rng: random.Random, n: int = 52) -> list[int]:
    return rng.sample(range(n), n)


def history(hands: int, seed: int, shuffle: Shuffler = fair) -> Deals:
    rng = random.Random(seed)
    found = deals((past(shuffle(rng), rng.randrange(3)), rng.randrange(3)) for _ in range(hands))
    assert found is not None
    return found


def shares(found: Deals) -> tuple[float, float, float, float]:
    return found.ranks.share, found.suits.share, found.places.share, found.points_share


@pytest.mark.parametrize("question", range(4), ids=["ranks", "suits", "places", "points"])
def test_F2_the_shares_of_fair_histories_are_spread_evenly(question: int) -> None:
    found = sorted(shares(history(25, seed))[question] for seed in range(120))
    assert 0.02 < sum(share < 0.1 for share in found) / len(found) < 0.2
    assert 0.38 < sum(found) / len(found) < 0.62
    assert 0.8 < sum(share < 0.9 for share in found) / len(found) < 0.98


def test_counts_add_up() -> None:
    found = history(30, 7)
    assert sum(found.ranks.counts) == sum(found.suits.counts) == 30 * 12
    assert sum(found.ranks.expected) == pytest.approx(30 * 12)
    assert (found.ranks.degrees, found.suits.degrees, found.places.degrees) == (12, 3, 51 * 51)
    assert found.hands == 30


def no_aces(rng: random.Random) -> list[int]:
    """Aces sink to the stock."""
    deck = fair(rng)
    return [card for card in deck if card % 13] + [card for card in deck if not card % 13]


def hearts_first(rng: random.Random) -> list[int]:
    deck = fair(rng)
    return sorted(deck, key=lambda card: card // 13 != 2 and rng.random() < 0.7)


def same_place(rng: random.Random) -> list[int]:
    """One card always lies at the same place."""
    deck = fair(rng)
    at = deck.index(17)
    deck[at], deck[5] = deck[5], deck[at]
    return deck


def lazy(rng: random.Random) -> list[int]:
    """A deck that is hardly shuffled."""
    deck = list(range(52))
    for _ in range(30):
        a, b = rng.randrange(52), rng.randrange(52)
        deck[a], deck[b] = deck[b], deck[a]
    return deck


@pytest.mark.parametrize(
    ("shuffle", "question"), [(no_aces, 0), (hearts_first, 1), (same_place, 2), (lazy, 2)]
)
def test_F2_a_rigged_deck_stands_out(shuffle: Shuffler, question: int) -> None:
    assert shares(history(60, 1, shuffle))[question] < 0.001


def test_better_cards_for_one_seat_stand_out() -> None:
    rng = random.Random(3)

    def favoured() -> tuple[PastHand, int]:
        best = min((past(fair(rng)) for _ in range(3)), key=lambda hand: hand.dealt[1] if hand.dealt else 0)
        return best, 1

    found = deals(favoured() for _ in range(60))
    assert found is not None
    assert found.own_points < found.others_points
    assert found.points_share < 0.001


def test_jokers_and_both_deck_sizes_are_counted() -> None:
    rng = random.Random(2)
    hands = [(past(fair(rng, 52 if at % 2 else 54)), 0) for at in range(40)]
    found = deals(hands)
    assert found is not None
    assert found.places.degrees == 51 * 51 + 53 * 53
    assert sum(found.ranks.counts) <= 40 * 12
    assert min(shares(found)) > 0.001


def test_too_few_hands_say_nothing() -> None:
    rng = random.Random(1)
    hands = [(past(fair(rng)), 0) for _ in range(LEAST_HANDS)]
    assert deals(hands[:-1]) is None
    assert deals(hands) is not None
    given_up = PastHand(1, 0, "forfeit", None, (0, 0, 0), 1, None, None)
    assert deals([*hands[:-1], (given_up, 0)]) is None


@pytest.mark.parametrize(
    ("statistic", "degrees", "share"),
    [(3.841, 1, 0.05), (7.815, 3, 0.05), (21.026, 12, 0.05), (6.304, 12, 0.9), (26.217, 12, 0.01),
     (2601.0, 2601, 0.496), (0.0, 5, 1.0)],
)  # fmt: skip
def test_chances_agree_with_the_printed_tables(statistic: float, degrees: int, share: float) -> None:
    assert chi_square_share(statistic, degrees) == pytest.approx(share, abs=0.005)
