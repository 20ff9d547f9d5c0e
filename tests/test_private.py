"""Seeds: what is stored of them, what follows from them, and what shows of them."""

import pytest

from tests.circle import Entropy, height_of, recorded
from tongits_lan.deck.secrets import derive
from tongits_lan.errors import Code, Fault, Refused
from tongits_lan.ledger.book import Book, trust
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.private import HandSecret, Private
from tongits_lan.ledger.state import Hand

SEED = bytes(range(32))


def hand_at(height: int) -> Hand:
    record = recorded()
    hand = Book(record.cast.descriptor, record.shelves[0].entries[:height]).state.hand
    assert hand is not None
    return hand


def private(seat: int, *secrets: HandSecret) -> tuple[Private, list[HandSecret]]:
    saved: list[HandSecret] = []
    return Private(seat, 52, Entropy("private"), secrets, saved.append), saved


@pytest.mark.parametrize(
    "secret",
    [HandSecret(1, SEED), HandSecret(7, SEED, bytes(32)), HandSecret(10_000, SEED, bytes(32), SEED)],
)
def test_stored_form_comes_back(secret: HandSecret) -> None:
    assert HandSecret.from_bytes(secret.to_bytes()) == secret


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", Code.DECODE),
        (pack([1, SEED, None]), Code.BODY),
        (pack([True, SEED, None, None]), Code.BODY),
        (pack([1, SEED[:31], None, None]), Code.BODY),
        (pack([1, SEED, b"", None]), Code.BODY),
        (pack("seed"), Code.BODY),
    ],
)
def test_damaged_form_is_a_fault(data: bytes, code: Code) -> None:
    with pytest.raises(Fault) as caught:
        HandSecret.from_bytes(data)
    assert caught.value.code is code
    assert SEED.hex() not in str(caught.value)


def test_nothing_of_a_seed_shows() -> None:
    secret = HandSecret(3, SEED, SEED, SEED)
    assert repr(secret) == str(secret) == "HandSecret(hand_no=3, ...)"


def test_seed_is_drawn_once_and_saved() -> None:
    hand = hand_at(height_of("commit"))
    mine, saved = private(0)
    body = mine.commit(hand)
    assert len(saved) == 1
    assert mine.commit(hand) == body
    assert len(saved) == 1
    assert body.c == derive(saved[0].seed, hand.hand_id, 0, 52).c


def test_second_input_is_refused() -> None:
    height = height_of("shuffle")
    hand = hand_at(height)
    first = hand.order[0]
    kept = recorded().shelf(first, height).secrets[1]
    mine, _ = private(first, HandSecret(1, kept.seed, bytes(32)))
    assert mine.trouble(hand) is not None
    with pytest.raises(Refused, match="another deck"):
        mine.shuffle(hand)


def test_honest_secrets_are_no_trouble_at_any_height() -> None:
    record = recorded()
    book = Book(record.cast.descriptor, record.shelves[0].entries[:6])
    for height in range(6, height_of("next") - 1):
        hand = book.state.hand
        assert hand is not None
        book.append(record.shelves[0].entries[height], trust)
        for seat in range(3):
            mine, _ = private(seat, *record.shelf(seat, height).secrets.values())
            assert mine.trouble(hand) is None, (height, seat)


def test_faces_are_the_own_ones_and_what_all_have_seen() -> None:
    record = recorded()
    height = height_of("end")
    hand = hand_at(height)
    assert hand.position is not None
    settled = record.view(0).record
    assert settled is not None
    assert settled.faces is not None
    for seat in range(3):
        mine, _ = private(seat, *record.shelf(seat, height).secrets.values())
        faces = mine.faces(hand)
        assert set(faces) == set(hand.faces) | set(hand.position.hands[seat])
        assert all(settled.faces[slot] == card for slot, card in faces.items())


def test_drawn_card_is_closed_until_both_keys_are_there() -> None:
    record = recorded()
    height = height_of("key")
    drawer = hand_at(height)
    assert drawer.key_due is not None
    assert drawer.position is not None
    slot = drawer.key_due.slot
    seat = next(seat for seat in range(3) if slot in drawer.position.hands[seat])
    mine, _ = private(seat, *record.shelf(seat, height).secrets.values())
    assert slot not in mine.faces(drawer)
    assert slot not in mine.faces(hand_at(height + 1))
    assert slot in mine.faces(hand_at(height + 2))


def test_element_that_is_no_card_is_an_opening_fault() -> None:
    height = height_of("draw")
    hand = hand_at(height)
    seat = hand.order[0]
    kept = recorded().shelf(seat, height).secrets[1]
    mine, _ = private(seat, HandSecret(1, bytes(32), kept.shuffle_input, kept.lock_input))
    with pytest.raises(Fault) as caught:
        mine.faces(hand)
    assert caught.value.code is Code.OPENING


def test_forgetting_keeps_the_running_hand() -> None:
    mine, _ = private(0, HandSecret(1, SEED), HandSecret(2, SEED))
    assert mine.forget(1)
    assert not mine.forget(1)
    assert mine.forget(2)
