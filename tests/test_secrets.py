"""Derivation from a seed, the commitment to it, and its check after the reveal."""

from collections import Counter
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deck_plain import HAND_ID, seat_secrets
from tongits_lan.deck import group, secrets
from tongits_lan.deck.group import IDENTITY, L, mult_base, number
from tongits_lan.deck.secrets import (
    HandSecrets,
    check_commitment,
    check_seed,
    derive,
    hand_id,
    seed_commitment,
)
from tongits_lan.errors import Code, Fault

seeds = st.binary(min_size=32, max_size=32)


class Published(NamedTuple):
    """What the reveal of a seed is checked against, and the seed."""

    seed: bytes
    hand_id: bytes
    seat: int
    n: int
    c: bytes
    A: bytes
    labels: tuple[bytes, ...]


def published(s: HandSecrets) -> Published:
    return Published(s.seed, s.hand_id, s.seat, s.n, s.c, s.A, s.labels)


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(0, 2), st.integers(2, 6))
def test_derived_values_have_their_shape(seed: bytes, seat: int, n: int) -> None:
    s = derive(seed, HAND_ID, seat, n)
    assert sorted(s.p) == list(range(n))
    assert 0 < number(s.a) < L
    assert all(0 < number(k) < L for k in s.k)
    assert mult_base(s.a) == s.A
    assert s.labels == tuple(mult_base(k) for k in s.k)
    assert len({s.a, *s.k}) == n + 1
    assert s == derive(seed, HAND_ID, seat, n)
    assert check_seed(*published(s)) == s


def test_mask_is_hkdf_of_the_seed() -> None:
    s = seat_secrets(1, 4)
    wide = HKDF(SHA256(), 64, secrets.SALT, b"shuffle" + HAND_ID + b"\1").derive(s.seed)
    assert number(s.a) == int.from_bytes(wide, "little") % L
    wide = HKDF(SHA256(), 64, secrets.SALT, b"lock" + HAND_ID + b"\1\3").derive(s.seed)
    assert number(s.k[3]) == int.from_bytes(wide, "little") % L


def test_secrets_hang_on_seed_hand_and_seat() -> None:
    one = derive(bytes(32), HAND_ID, 0, 3)
    others = [
        derive(b"\1" + bytes(31), HAND_ID, 0, 3),
        derive(bytes(32), group.h32("other"), 0, 3),
        derive(bytes(32), HAND_ID, 1, 3),
    ]
    for other in others:
        assert {one.a, one.c, one.A, *one.k}.isdisjoint({other.a, other.c, other.A, *other.k})


def test_hand_id_hangs_on_table_number_and_head() -> None:
    ids = {
        hand_id(t, no, h) for t in (b"t" * 32, b"u" * 32) for no in (1, 256) for h in (b"h" * 32, b"i" * 32)
    }
    assert len(ids) == 8


def test_no_secret_is_in_the_repr() -> None:
    s = seat_secrets(0, 4)
    shown = repr(s) + str(s)
    for hidden in (s.seed, s.a, *s.k):
        assert hidden.hex() not in shown
        assert repr(hidden) not in shown
    assert str(s.p) not in shown
    assert repr(s.c) in shown


def test_permutation_words_that_would_favour_cards_are_skipped() -> None:
    # 2^32 mod 3 = 1, so for i = 2 the word 2^32 - 1 is skipped; 1 swaps places 2 and 1, 0 swaps 1 and 0.
    words = [2**32 - 1, 1, 0]
    assert secrets._permutation(b"".join(w.to_bytes(4, "big") for w in words), 3) == (2, 0, 1)


def test_a_stream_without_enough_words_is_a_fault() -> None:
    with pytest.raises(Fault) as caught:
        secrets._permutation(b"\xff" * 1024, 3)
    assert caught.value.code is Code.SEED


@pytest.mark.parametrize("wide", [0, L, 2**511 // L * L])
def test_a_zero_scalar_is_a_fault(wide: int) -> None:
    assert number(secrets._nonzero((wide + 7).to_bytes(64, "little"))) == 7
    with pytest.raises(Fault) as caught:
        secrets._nonzero(wide.to_bytes(64, "little"))
    assert caught.value.code is Code.SEED


def test_every_order_of_three_cards_comes_up() -> None:
    orders = Counter(derive(bytes((i,)) * 32, HAND_ID, 0, 3).p for i in range(120))
    assert len(orders) == 6
    assert min(orders.values()) >= 8


def test_a_changed_seed_is_refused() -> None:
    s = seat_secrets(0, 4)
    flipped = bytes((s.seed[0] ^ 1,)) + s.seed[1:]
    true = published(s)
    changed = [
        true._replace(seed=flipped),
        true._replace(seed=s.seed[:31]),
        true._replace(seat=1),
        true._replace(hand_id=group.h32("other")),
        true._replace(c=seed_commitment(s.hand_id, 1, s.seed)),
        true._replace(A=group.BASE),
        true._replace(labels=(s.labels[1], s.labels[0], *s.labels[2:])),
        true._replace(labels=s.labels[:-1]),
        # A seed that fits its commitment, but not the A and labels published with it.
        true._replace(seed=flipped, c=seed_commitment(s.hand_id, 0, flipped)),
    ]
    for false in changed:
        with pytest.raises(Fault) as caught:
            check_seed(*false)
        assert caught.value.code is Code.SEED, false
        assert s.seed.hex() not in str(caught.value)


def test_copied_commitments_are_refused() -> None:
    ana, ben = seat_secrets(0, 4), seat_secrets(1, 4)
    seen = [(ana.c, ana.A)]
    check_commitment(ben.c, ben.A, ben.labels, seen)
    for c, A in ((ana.c, ben.A), (ben.c, ana.A)):
        with pytest.raises(Fault) as caught:
            check_commitment(c, A, ben.labels, seen)
        assert caught.value.code is Code.COMMIT


def test_commitments_that_are_no_elements_are_refused() -> None:
    ana, ben = seat_secrets(0, 4), seat_secrets(1, 4)
    bad_labels = (*ben.labels[:3], IDENTITY)
    for A, labels in ((IDENTITY, ben.labels), (ben.A, bad_labels)):
        with pytest.raises(Fault) as caught:
            check_commitment(ana.c, A, labels, [(ana.c, ana.A)])
        assert caught.value.code is Code.ELEMENT
