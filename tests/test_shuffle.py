"""The passes over the deck, their replay, and decks as they are received."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deck_plain import honest_hand, seat_secrets, times
from tongits_lan.deck import group
from tongits_lan.deck.group import IDENTITY, L, mult, number, scalar
from tongits_lan.deck.shuffle import (
    Deck,
    check_deck,
    check_input,
    first_deck,
    join,
    lock,
    replays_lock,
    replays_shuffle,
    shuffle,
    split,
)
from tongits_lan.errors import Code, Fault, Refused


@settings(max_examples=15, deadline=None)
@given(st.binary(min_size=1, max_size=4), st.integers(2, 5))
def test_passes_follow_their_formulas_and_replay(name: bytes, n: int) -> None:
    s = seat_secrets(0, n, name)
    deck = first_deck(n)
    shuffled = shuffle(s, deck)
    assert all(shuffled[i] == mult(s.a, deck[s.p[i]]) for i in range(n))
    locked = lock(s, shuffled)
    assert all(mult(s.a, locked[j]) == mult(s.k[j], shuffled[j]) for j in range(n))
    assert replays_shuffle(s, deck, shuffled)
    assert replays_lock(s, shuffled, locked)
    for j in range(n):
        assert not replays_shuffle(s, deck, replaced(shuffled, j, group.G_STAR))
        assert not replays_lock(s, shuffled, replaced(locked, j, group.G_STAR))


def replaced(deck: Deck, at: int, element: bytes) -> Deck:
    return (*deck[:at], element, *deck[at + 1 :])


def test_replay_needs_the_right_secrets_and_input() -> None:
    hand = honest_hand(5)
    ana, ben, _ = hand.seats
    assert not replays_shuffle(ben, hand.decks[0], hand.decks[1])
    assert not replays_shuffle(ana, hand.decks[1], hand.decks[1])
    assert not replays_lock(ben, hand.decks[3], hand.decks[4])
    other_order = dataclasses.replace(ana, p=tuple(reversed(ana.p)))
    assert not replays_shuffle(other_order, hand.decks[0], hand.decks[1])


def test_after_all_passes_only_locks_are_left() -> None:
    hand = honest_hand(5)
    product = [1] * 5
    for s in hand.seats:
        product = [product[j] * number(s.k[j]) % L for j in range(5)]
    opened = {mult(scalar(pow(product[j], -1, L)), hand.decks[6][j]) for j in range(5)}
    assert opened == set(first_deck(5))


def test_a_deck_survives_the_wire() -> None:
    deck = honest_hand(5).decks[1]
    assert check_deck(join(deck), 5, "the deck") == deck == split(join(deck))


@pytest.mark.parametrize("length", [0, 31, 5 * 32 - 1, 5 * 32 + 1, 4 * 32, 6 * 32])
def test_a_deck_of_another_length_is_refused(length: int) -> None:
    data = (join(honest_hand(5).decks[1]) * 2)[:length]
    with pytest.raises(Fault) as caught:
        check_deck(data, 5, "the deck")
    assert caught.value.code is Code.BODY


@pytest.mark.parametrize("at", range(5))
def test_bad_elements_are_refused_wherever_they_are(at: int) -> None:
    deck = honest_hand(5).decks[1]
    other = deck[(at + 1) % 5]
    high = other[:31] + bytes((other[31] | 0x80,))
    for bad in (IDENTITY, bytes(31) + b"\x80", high, b"\xff" * 32):
        with pytest.raises(Fault) as caught:
            check_deck(join(replaced(deck, at, bad)), 5, "the deck")
        assert caught.value.code is Code.ELEMENT
    with pytest.raises(Fault) as caught:
        check_deck(join(replaced(deck, at, other)), 5, "the deck")
    assert caught.value.code is Code.DECK


def test_elements_are_judged_before_doubles() -> None:
    deck = honest_hand(5).decks[1]
    with pytest.raises(Fault) as caught:
        check_deck(join((deck[1], deck[1], *deck[2:4], IDENTITY)), 5, "the deck")
    assert caught.value.code is Code.ELEMENT


def test_first_decks_are_the_cards() -> None:
    assert first_deck(52) == group.CARDS[:52]
    assert first_deck(54) == group.CARDS


def test_secrets_go_on_one_input_only() -> None:
    deck = first_deck(5)
    digest = check_input(deck, None)
    assert len(digest) == 32
    assert check_input(deck, digest) == digest
    for other in (replaced(deck, 0, times(2, deck[0])), (deck[1], deck[0], *deck[2:])):
        with pytest.raises(Refused, match="another deck"):
            check_input(other, digest)
