"""Strict encodings, total arithmetic and tagged hashes, against the library they repair."""

import subprocess
import sys

import pytest
import rbcl
from hypothesis import given, settings
from hypothesis import strategies as st

from tongits_lan.deck import group
from tongits_lan.deck.group import IDENTITY, L, add, check_element, check_scalar, mult, mult_base, scalar, sub
from tongits_lan.errors import Code, Fault

P = 2**255 - 19
HIGH_IDENTITY = bytes(31) + b"\x80"
fields = st.lists(st.binary(max_size=6), max_size=4)
scalars = st.integers(min_value=1, max_value=L - 1)


def high(element: bytes) -> bytes:
    """Return the same encoding with bit 255 set."""
    return element[:31] + bytes((element[31] | 0x80,))


@pytest.mark.parametrize("bad", [IDENTITY, HIGH_IDENTITY], ids=["zero", "zero with bit 255"])
def test_identity_is_refused_in_both_encodings_the_library_takes(bad: bytes) -> None:
    assert rbcl.crypto_core_ristretto255_is_valid_point(bad)
    with pytest.raises(Fault) as caught:
        check_element(bad, "A")
    assert caught.value.code is Code.ELEMENT


def test_second_encoding_of_an_element_is_refused() -> None:
    second = high(group.CARDS[0])
    assert rbcl.crypto_core_ristretto255_is_valid_point(second)
    with pytest.raises(Fault, match="element: A is no element"):
        check_element(second, "A")


@pytest.mark.parametrize(
    "bad",
    [
        P.to_bytes(32, "little"),
        (P - int.from_bytes(group.CARDS[0], "little")).to_bytes(32, "little"),
        b"\xff" * 32,
        group.CARDS[0][:31],
        group.CARDS[0] + b"\0",
        b"",
    ],
    ids=["p", "negative", "ones", "31 bytes", "33 bytes", "empty"],
)
def test_what_is_no_element_is_refused(bad: bytes) -> None:
    with pytest.raises(Fault) as caught:
        check_element(bad, "A")
    assert caught.value.code is Code.ELEMENT


@pytest.mark.parametrize("value", [0, L, L + 1, 2**255 + 5, 2**256 - 1])
def test_scalars_outside_the_range_are_refused(value: int) -> None:
    with pytest.raises(Fault) as caught:
        check_scalar(value.to_bytes(32, "little"), "z")
    assert caught.value.code is Code.SCALAR


def test_scalars_of_the_range_and_length_pass() -> None:
    check_scalar(scalar(1), "z")
    check_scalar(scalar(L - 1), "z")
    for short in (b"", b"\1" * 31, b"\1" * 33):
        with pytest.raises(Fault):
            check_scalar(short, "z")


def test_arithmetic_with_the_identity_is_total() -> None:
    card = group.CARDS[3]
    assert mult(scalar(0), card) == mult(scalar(5), IDENTITY) == mult_base(scalar(0)) == IDENTITY
    assert add(card, IDENTITY) == add(IDENTITY, card) == sub(card, IDENTITY) == card
    assert sub(card, card) == IDENTITY
    assert sub(IDENTITY, card) == mult(scalar(L - 1), card)
    assert add(sub(IDENTITY, card), card) == add(IDENTITY, IDENTITY) == IDENTITY


@settings(max_examples=20, deadline=None)
@given(scalars, scalars)
def test_multiplication_distributes(a: int, b: int) -> None:
    card = group.CARDS[7]
    assert add(mult(scalar(a), card), mult(scalar(b), card)) == mult(scalar((a + b) % L), card)
    assert mult(scalar(a), mult_base(scalar(b))) == mult_base(scalar(a * b % L))
    assert sub(mult_base(scalar(a)), mult_base(scalar(b))) == mult_base(scalar((a - b) % L))


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_only_what_the_library_takes_and_never_more_passes(data: bytes) -> None:
    try:
        check_element(data, "A")
    except Fault:
        return
    assert rbcl.crypto_core_ristretto255_is_valid_point(data)
    assert sub(add(data, group.BASE), group.BASE) == data


@settings(max_examples=100, deadline=None)
@given(fields, fields)
def test_frames_of_different_fields_differ(one: list[bytes], other: list[bytes]) -> None:
    assert (group.frame("tag", *one) == group.frame("tag", *other)) == (one == other)
    assert group.frame("tag", *one) != group.frame("ta", b"g", *one)


def test_hs_is_the_wide_hash_reduced() -> None:
    wide = int.from_bytes(group.h64("seed", b"x"), "little")
    assert group.hs("seed", b"x") == (wide % L).to_bytes(32, "little")
    assert group.hs_int("seed", b"x") == wide % L


def test_constants_are_distinct_elements() -> None:
    constants = (*group.CARDS, *group.GENERATORS, group.G_STAR, group.BASE)
    assert len(constants) == len(set(constants)) == 110
    for constant in constants:
        check_element(constant, "a constant")
    assert group.card_codes()[group.CARDS[53]] == 53
    assert group.generator_sum(2) == add(group.GENERATORS[0], group.GENERATORS[1])
    assert bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76") == group.BASE


def test_unknown_names_are_no_attributes() -> None:
    with pytest.raises(AttributeError, match="NOTHING"):
        _ = group.__getattr__("NOTHING")


def test_importing_the_room_loads_no_library() -> None:
    code = "import sys, tongits_lan.deck.opening, tongits_lan.deck.proofs; sys.exit('rbcl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=30).returncode == 0
