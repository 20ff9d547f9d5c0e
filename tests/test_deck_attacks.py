"""Each attack succeeds where its check is taken away, and is refused with it."""

import pytest

from tests import deck_attacks
from tests.deck_attacks import N, Peek, unchecked, victims
from tongits_lan.deck.opening import open_all
from tongits_lan.deck.proofs import verify_lock, verify_shuffle
from tongits_lan.deck.shuffle import check_deck, check_input
from tongits_lan.errors import Code, Fault, Refused


def faces() -> tuple[int, ...]:
    """Return the true card of every slot of the attacked hand, had everybody been honest."""
    return open_all(victims().decks[6], tuple(s.k for s in victims().seats), N)


def where(card: int) -> int:
    return faces().index(card)


def test_F1_tag_finds_a_card_through_two_honest_shuffles() -> None:
    peek = deck_attacks.tag(unchecked)
    (card,) = peek.cards
    assert where(card) in peek.slots
    with pytest.raises(Fault) as caught:
        deck_attacks.tag(verify_shuffle)
    assert caught.value.code is Code.PROOF


def test_F1_duplicate_finds_a_card_through_two_honest_shuffles() -> None:
    peek = deck_attacks.duplicate(unchecked)
    (card,) = peek.cards
    assert where(card) in peek.slots
    with pytest.raises(Fault) as caught:
        deck_attacks.duplicate(check_deck)
    assert caught.value.code is Code.DECK


def test_F1_copy_peek_shows_a_card_of_another_seat() -> None:
    assert deck_attacks.copy_peek(unchecked) == Peek((5,), frozenset({faces()[5]}))
    with pytest.raises(Fault) as caught:
        deck_attacks.copy_peek(verify_lock)
    assert caught.value.code is Code.PROOF


def test_F1_sum_peek_shows_the_whole_hand_of_another_seat() -> None:
    assert deck_attacks.sum_peek(unchecked) == Peek((4, 5, 6, 7), frozenset(faces()[4:8]))
    with pytest.raises(Fault) as caught:
        deck_attacks.sum_peek(verify_lock)
    assert caught.value.code is Code.PROOF


def test_second_input_shows_the_permutation() -> None:
    assert deck_attacks.second_input(unchecked) == victims().seats[2].p
    with pytest.raises(Refused, match="already used on another deck"):
        deck_attacks.second_input(check_input)
