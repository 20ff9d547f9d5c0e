"""Whether the deals of many hands look like those of a fair deck: counts, and how far they stray.

Owns the statistics. Every question is put so that for a fair deck the answer has a known spread; `share` is
how many of a hundred fair histories would stray as far or farther. Must not know files or words for people.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from tongits_lan.game.cards import NATURALS, RANKS
from tongits_lan.game.dealing import dealt_round
from tongits_lan.ledger.past import PastHand
from tongits_lan.limits import SEATS

LEAST_HANDS = 10
"""With fewer the figures say nothing."""


class Spread(msgspec.Struct, frozen=True):
    """Counts beside what a fair deck gives on average, and how unusual their distance is."""

    counts: tuple[int, ...]
    expected: tuple[float, ...]
    chi_square: float
    degrees: int
    share: float
    """0 to 1: the part of fair histories at least as far away."""


class Deals(msgspec.Struct, frozen=True):
    """What was dealt in `hands` hands; "own" is one seat of each."""

    hands: int
    ranks: Spread
    """Own cards by rank, ace to king."""
    suits: Spread
    """Own cards by suit: clubs, diamonds, hearts, spades."""
    places: Spread
    """Every card at every place of the dealt deck; counts and expected are empty (there are thousands)."""
    own_points: float
    """What the own twelve cards counted at the deal, on average (points)."""
    others_points: float
    points_error: float
    """By how much chance alone makes the two averages differ (one standard error, points)."""
    points_share: float
    """As `Spread.share`, for the difference of the two."""


def deals(hands: Iterable[tuple[PastHand, int]]) -> Deals | None:
    """The statistics over opened hands, each with the own seat in it; None for fewer than LEAST_HANDS."""
    opened = [
        (hand, me, hand.faces) for hand, me in hands if hand.faces is not None and hand.dealt is not None
    ]
    if len(opened) < LEAST_HANDS:
        return None
    own = [[faces[slot] for slot in dealt_round(hand.dealer, me)] for hand, me, faces in opened]
    naturals = [[card for card in cards if card < NATURALS] for cards in own]
    mine, theirs, error, share = _points([(hand, me) for hand, me, _ in opened])
    return Deals(
        hands=len(opened),
        ranks=_classes([[card % RANKS for card in cards] for cards in naturals], RANKS),
        suits=_classes([[card // RANKS for card in cards] for cards in naturals], NATURALS // RANKS),
        places=_places([faces for _, _, faces in opened]),
        own_points=mine,
        others_points=theirs,
        points_error=error,
        points_share=share,
    )


def _classes(hands: Sequence[Sequence[int]], classes: int) -> Spread:
    """Cards of many hands by class, all classes of one size.

    Within a hand cards are drawn without putting back, so counts vary less than a chi-square has it: by
    (52 - n) / 51 for n cards. The statistic is divided by that factor, averaged over the hands.
    """
    counts = Counter(card for cards in hands for card in cards)
    total = sum(map(len, hands))
    expected = total / classes
    factor = sum(len(cards) * (NATURALS - len(cards)) / (NATURALS - 1) for cards in hands) / total
    raw = sum((counts[at] - expected) ** 2 / expected for at in range(classes))
    statistic = raw / factor
    return Spread(
        counts=tuple(counts[at] for at in range(classes)),
        expected=(expected,) * classes,
        chi_square=statistic,
        degrees=classes - 1,
        share=chi_square_share(statistic, classes - 1),
    )


def _places(decks: Sequence[Sequence[int]]) -> Spread:
    """Card by place over whole decks: n x n cells whose rows and columns all sum to the number of hands.

    One deck alone gives exactly n (n - 1), which is n / (n - 1) times the degrees (n - 1) squared.
    """
    statistic, degrees = 0.0, 0
    for n in sorted({len(deck) for deck in decks}):
        same = [deck for deck in decks if len(deck) == n]
        expected = len(same) / n
        cells = Counter((slot, card) for deck in same for slot, card in enumerate(deck))
        raw = sum(count * count for count in cells.values()) / expected - len(same) * n
        statistic += raw * (n - 1) / n
        degrees += (n - 1) ** 2
    return Spread((), (), statistic, degrees, chi_square_share(statistic, degrees))


def _points(hands: Sequence[tuple[PastHand, int]]) -> tuple[float, float, float, float]:
    """The own average at the deal, that of the others, the standard error of the difference, its share."""
    mine: list[float] = []
    theirs: list[float] = []
    for hand, me in hands:
        assert hand.dealt is not None
        mine.append(hand.dealt[me])
        theirs.append(sum(hand.dealt[seat] for seat in range(SEATS) if seat != me) / (SEATS - 1))
    apart = [a - b for a, b in zip(mine, theirs, strict=True)]
    mean = sum(apart) / len(apart)
    variance = sum((value - mean) ** 2 for value in apart) / (len(apart) - 1)
    error = math.sqrt(variance / len(apart))
    share = math.erfc(abs(mean) / error / math.sqrt(2)) if error else float(mean == 0)
    return sum(mine) / len(mine), sum(theirs) / len(theirs), error, share


def chi_square_share(statistic: float, degrees: int) -> float:
    """The chance that a chi-square variable is at least so large, to 0.005 (Wilson and Hilferty 1931)."""
    if statistic <= 0:
        return 1.0
    spread = 2 / (9 * degrees)
    z = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(z / math.sqrt(2))
