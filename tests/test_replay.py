"""Checks of decks, keys and faces, and the replay that names a pass which its seed does not give."""

import dataclasses

import pytest
from msgspec.structs import replace

from tests.scripted import Script
from tongits_lan.deck.group import IDENTITY, mult, scalar
from tongits_lan.deck.shuffle import join, lock, shuffle
from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.foresight import Foresight, look_ahead
from tongits_lan.ledger.messages import decode_body
from tongits_lan.ledger.replay import check_pass, check_reveal, check_slot_key, face_of, replay
from tongits_lan.ledger.state import Hand, Phase


def _settled() -> Script:
    script = Script("replay")
    script.play_hand()
    return script


def _hand(script: Script) -> Hand:
    assert script.state.hand is not None
    return script.state.hand


def _known(script: Script) -> Foresight:
    seats = script.descriptor.seats
    entries = [parse_entry(raw) for raw in script.entries[6:]]
    ahead = look_ahead(
        script.state.table_id,
        (seats[0].pk, seats[1].pk, seats[2].pk),
        52,
        1,
        [(entry, decode_body(entry.body_value)) for entry in entries],
        map,
    )
    assert ahead is not None
    known = ahead.result()
    assert known is not None
    return known


SCRIPT = _settled()
KNOWN = _known(SCRIPT)


@pytest.mark.parametrize("known", [None, KNOWN])
def test_a_fair_hand_replays_to_its_cards(known: Foresight | None) -> None:
    faces = replay(_hand(SCRIPT), 52, known)
    assert faces == SCRIPT.faces()


@pytest.mark.parametrize("known", [None, KNOWN])
@pytest.mark.parametrize("turn", range(6))
def test_a_pass_that_does_not_follow_is_named(turn: int, known: Foresight | None) -> None:
    hand = _hand(SCRIPT)
    decks = [*hand.shuffles, *hand.locks]
    decks[turn] = (decks[turn][1], decks[turn][0], *decks[turn][2:])
    hand = replace(hand, shuffles=tuple(decks[:3]), locks=tuple(decks[3:]))
    with pytest.raises(PeerFault) as caught:
        replay(hand, 52, known)
    seat = hand.order[turn % 3]
    assert (caught.value.code, caught.value.seat) == (Code.REPLAY, seat)
    assert caught.value.height == hand.passes[seat][turn // 3]
    assert ("lock" in caught.value.text) == (turn >= 3)


def test_a_chosen_order_is_no_replay() -> None:
    """A proof can hold for it: only the seed tells."""
    hand = _hand(SCRIPT)
    seat = hand.order[2]
    secrets = hand.opened[seat]
    assert secrets is not None
    chosen = dataclasses.replace(secrets, p=secrets.p[::-1])
    third = shuffle(chosen, hand.shuffles[1])
    hand = replace(hand, shuffles=(*hand.shuffles[:2], third))
    with pytest.raises(PeerFault) as caught:
        replay(hand, 52, None)
    assert caught.value.seat == seat


@pytest.mark.parametrize("known", [None, KNOWN])
def test_a_key_is_published_once_and_fits_its_label(known: Foresight | None) -> None:
    hand = _hand(SCRIPT)
    seat = hand.order[1]
    published = min(hand.keys[seat])
    secrets = hand.opened[seat]
    assert secrets is not None
    fresh = replace(hand, keys=({}, {}, {}))
    check_slot_key(fresh, seat, published, secrets.k[published], known)
    for state, key, code in [
        (hand, secrets.k[published], Code.KEY),
        (hand, bytes(32), Code.KEY),
        (fresh, bytes(32), Code.SCALAR),
        (fresh, scalar(5), Code.KEY),
        (fresh, secrets.k[published + 1], Code.KEY),
    ]:
        with pytest.raises(Fault) as caught:
            check_slot_key(state, seat, published, key, known)
        assert caught.value.code is code


@pytest.mark.parametrize("known", [None, KNOWN])
def test_faces_are_what_the_keys_open(known: Foresight | None) -> None:
    hand = _hand(SCRIPT)
    faces = SCRIPT.faces()
    for slot in (0, 17, 51):
        keys = tuple(secrets.k[slot] for secrets in hand.opened if secrets is not None)
        assert face_of(hand, slot, keys, 52, known) == faces[slot]
    tagged = (*hand.locks[:2], (mult(scalar(2), hand.locks[2][0]), *hand.locks[2][1:]))
    keys = tuple(secrets.k[0] for secrets in hand.opened if secrets is not None)
    with pytest.raises(Fault) as caught:
        face_of(replace(hand, locks=tagged), 0, keys, 52, known)
    assert caught.value.code is Code.OPENING


@pytest.mark.parametrize("known", [None, KNOWN])
def test_decks_are_checked_whether_foreseen_or_not(known: Foresight | None) -> None:
    deck = _hand(SCRIPT).locks[1]
    assert check_pass(join(deck), 52, "deck", known) == deck
    for wrong, code in [
        (deck[:-1], Code.BODY),
        ((IDENTITY, *deck[1:]), Code.ELEMENT),
        ((deck[1], *deck[1:]), Code.DECK),
    ]:
        with pytest.raises(Fault) as caught:
            check_pass(join(wrong), 52, "deck", known)
        assert caught.value.code is code


@pytest.mark.parametrize("known", [None, KNOWN])
def test_a_seed_must_be_the_committed_one(known: Foresight | None) -> None:
    hand = _hand(SCRIPT)
    seed = hand.seeds[1]
    assert seed is not None
    assert check_reveal(hand, 1, seed, 52, known) == hand.opened[1]
    for seat, wrong in [(1, bytes(32)), (2, seed)]:
        with pytest.raises(Fault) as caught:
            check_reveal(hand, seat, wrong, 52, known)
        assert caught.value.code is Code.SEED


def test_locks_follow_the_shuffles() -> None:
    script = Script("replay")
    script.until(Phase.PROVE)
    hand = _hand(script)
    assert hand.locks[0] == lock(script.secrets(hand.order[0]), hand.shuffles[2])
