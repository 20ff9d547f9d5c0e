"""Ways to cheat with the deck, played out: each returns what the cheat gains.

Every attack takes the check it must pass as an argument. With `unchecked` in its place the attack succeeds,
which shows that the scenario is real; with the check of the program it ends in a Fault or a refusal.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.deck_plain import (
    Passes,
    honest_hand,
    plain_lock_proof,
    plain_shuffle_proof,
    stream,
    times,
    total,
)
from tongits_lan.deck.group import L, mult, number, scalar
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.deck.shuffle import Deck, first_deck, join, lock, shuffle

N = 12  # cards; slots 0..3 are seat 0's, 4..7 seat 1's, 8..11 seat 2's

DeckJudge = Callable[[bytes, int, str], object]
ShuffleJudge = Callable[[bytes, bytes, Deck, Deck, bytes], None]
LockJudge = Callable[[bytes, bytes, Sequence[bytes], Deck, Deck, bytes], None]
InputJudge = Callable[[Deck, bytes | None], object]


def unchecked(*_: object) -> None:
    """Judge nothing."""


@dataclass(frozen=True)
class Peek:
    """What a cheat knows before its time: these slots hold these cards, in whatever order."""

    slots: tuple[int, ...]
    cards: frozenset[int]


def victims() -> Passes:
    """Return three seats; what the cheat may know of them is only what they publish."""
    return honest_hand(N, b"attacked")


def replace(deck: Deck, at: int, element: bytes) -> Deck:
    return (*deck[:at], element, *deck[at + 1 :])


def tag(check: ShuffleJudge) -> Peek:
    """Seat 0 makes one element 7 times another: the pair is found again after all honest passes."""
    cheat, ben, carlo = victims().seats
    deck = shuffle(cheat, first_deck(N))
    tagged = replace(deck, 3, times(7, deck[9]))
    check(
        cheat.ctx,
        cheat.A,
        first_deck(N),
        tagged,
        plain_shuffle_proof(cheat, first_deck(N), tagged, stream(b"tag")),
    )
    return _find_pair(tagged, (ben, carlo), cheat.p[9], 7)


def duplicate(check: DeckJudge) -> Peek:
    """Seat 0 lays one element twice: two equal elements are found again after all honest passes."""
    cheat, ben, carlo = victims().seats
    deck = shuffle(cheat, first_deck(N))
    doubled = replace(deck, 3, deck[9])
    check(join(doubled), N, "the deck")
    return _find_pair(doubled, (ben, carlo), cheat.p[9], 1)


def _find_pair(deck: Deck, honest: Sequence[HandSecrets], card: int, factor: int) -> Peek:
    """Let the others shuffle, then look for two elements of which one is `factor` times the other."""
    for s in honest:
        deck = shuffle(s, deck)
    pairs = itertools.permutations(range(N), 2)
    slots = next((i, j) for i, j in pairs if times(factor, deck[i]) == deck[j])
    return Peek(slots, frozenset({card}))


def copy_peek(check: LockJudge) -> Peek:
    """Seat 0 makes its own slot 0 of seat 1's slot 5, and opens it with the keys due for slot 0."""
    return _peek_through_lock(check, (5,))


def sum_peek(check: LockJudge) -> Peek:
    """Seat 0 makes its own slot 0 of the sum of all slots of seat 1, and tries the sums of four cards."""
    return _peek_through_lock(check, (4, 5, 6, 7))


def _peek_through_lock(check: LockJudge, slots: tuple[int, ...]) -> Peek:
    cheat, ben, carlo = victims().seats
    before = victims().decks[3]
    wanted = total([before[slot] for slot in slots])
    deck = replace(lock(cheat, before), 0, times(number(cheat.k[0]) * pow(number(cheat.a), -1, L), wanted))
    proof = plain_lock_proof(cheat, before, deck, stream(b"peek"))
    check(cheat.ctx, cheat.A, cheat.labels, before, deck, proof)
    for s in (ben, carlo):
        deck = lock(s, deck)
    keys = (cheat.k[0], ben.k[0], carlo.k[0])  # all due to seat 0: it is its own slot
    product = 1
    for key in keys:
        product = product * number(key) % L
    seen = mult(scalar(pow(product, -1, L)), deck[0])
    for cards in itertools.combinations(range(N), len(slots)):
        if total([first_deck(N)[card] for card in cards]) == seen:
            return Peek(slots, frozenset(cards))
    raise AssertionError("no cards have this sum")


def second_input(check: InputJudge) -> tuple[int, ...]:
    """Get seat 2 to shuffle again, an input with a known factor on every element: shows its permutation."""
    carlo = victims().seats[2]
    deck = victims().decks[2]
    first = _shuffle_once(carlo, deck, None, check)
    marked = tuple(times(i + 2, element) for i, element in enumerate(deck))
    second = _shuffle_once(carlo, marked, first, check)
    factors = range(2, N + 2)
    return tuple(
        next(f - 2 for f in factors if times(f, one) == other)
        for one, other in zip(first[0], second[0], strict=True)
    )


Shuffled = tuple[Deck, bytes | None]


def _shuffle_once(s: HandSecrets, deck: Deck, before: Shuffled | None, check: InputJudge) -> Shuffled:
    """Shuffle as a seat does that keeps the digest of the input it used."""
    digest = check(deck, None if before is None else before[1])
    return shuffle(s, deck), digest if isinstance(digest, bytes) else None
