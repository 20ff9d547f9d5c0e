"""Keys against labels, and faces behind opened slots."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deck_plain import honest_hand, times
from tongits_lan.deck import group
from tongits_lan.deck.group import L, number, scalar
from tongits_lan.deck.opening import check_key, open_all, open_element, replayed_faces
from tongits_lan.deck.shuffle import first_deck
from tongits_lan.errors import Code, Fault


def keys_of(slot: int) -> list[bytes]:
    return [s.k[slot] for s in honest_hand(6).seats]


def test_a_key_fits_its_own_label_only() -> None:
    ana, ben, _ = honest_hand(6).seats
    for j in range(6):
        check_key(ana.k[j], ana.labels[j], f"key {j}")
    wrong = [ana.k[1], ben.k[0], scalar(L - number(ana.k[0]))]
    for key in wrong:
        with pytest.raises(Fault) as caught:
            check_key(key, ana.labels[0], "key 0")
        assert caught.value.code is Code.KEY
        assert key.hex() not in str(caught.value)


def test_a_second_form_of_the_right_key_is_no_scalar() -> None:
    ana = honest_hand(6).seats[0]
    for form in (number(ana.k[0]) + L, number(ana.k[0]) + 2**255):
        with pytest.raises(Fault) as caught:
            check_key(form.to_bytes(32, "little"), ana.labels[0], "key 0")
        assert caught.value.code is Code.SCALAR


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=1, max_size=4))
def test_every_slot_opens_to_another_card(name: bytes) -> None:
    hand = honest_hand(6, name)
    faces = open_all(hand.decks[6], tuple(s.k for s in hand.seats), 6)
    assert sorted(faces) == list(range(6))
    assert faces == replayed_faces(hand.seats)


@pytest.mark.parametrize("seat", range(3))
def test_a_wrong_key_opens_no_card(seat: int) -> None:
    keys = keys_of(2)
    keys[seat] = keys_of(3)[seat]
    with pytest.raises(Fault) as caught:
        open_element(honest_hand(6).decks[6][2], keys, 6)
    assert caught.value.code is Code.OPENING


def test_two_keys_of_three_open_nothing() -> None:
    with pytest.raises(Fault, match="opening"):
        open_element(honest_hand(6).decks[6][2], keys_of(2)[:2], 6)


def test_a_joker_in_a_deck_without_jokers_is_no_card() -> None:
    locked = times(3, group.CARDS[52])
    assert open_element(locked, [scalar(3)], 54) == 52
    with pytest.raises(Fault) as caught:
        open_element(locked, [scalar(3)], 52)
    assert caught.value.code is Code.OPENING


def test_a_card_in_two_slots_is_refused() -> None:
    deck = first_deck(3)
    one = (scalar(1),) * 3
    assert open_all(deck, (one, one, one), 3) == (0, 1, 2)
    with pytest.raises(Fault) as caught:
        open_all((deck[0], deck[1], deck[0]), (one, one, one), 3)
    assert caught.value.code is Code.OPENING
