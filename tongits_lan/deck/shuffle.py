"""The two passes over the deck, shuffle and lock, and decks as they travel.

Owns the arithmetic of the passes and their replay from a revealed seed. Must not know proofs, nor whose
turn it is. A deck is a tuple of n elements of 32 bytes. Source: docs/protocol.md, "The deck".
"""

import hashlib
from collections.abc import Iterable

from tongits_lan.deck import group
from tongits_lan.deck.group import L, check_element, mult, number, scalar
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.errors import Code, Fault, Refused

Deck = tuple[bytes, ...]


def join(deck: Iterable[bytes]) -> bytes:
    """Return the elements in one string, as on the wire: 32n bytes."""
    return b"".join(deck)


def split(data: bytes) -> tuple[bytes, ...]:
    """Return the 32-byte parts of a string; the last is shorter where the length is no multiple of 32."""
    return tuple(data[at : at + 32] for at in range(0, len(data), 32))


def check_deck(data: bytes, n: int, what: str) -> Deck:
    """Return a received deck of n elements.

    Raise Fault(BODY) for another length than 32n, Fault(ELEMENT) for what is no element or the identity,
    Fault(DECK) for an element that comes twice.
    """
    if len(data) != 32 * n:
        raise Fault(Code.BODY, f"{what} has {len(data)} bytes, not {32 * n}")
    deck = split(data)
    for i, element in enumerate(deck):
        check_element(element, f"element {i} of {what}")
    if len(set(deck)) != n:
        raise Fault(Code.DECK, f"an element of {what} comes twice")
    return deck


def first_deck(n: int) -> Deck:
    """Return the deck nobody has touched: the card elements M_0 .. M_{n-1}."""
    return group.CARDS[:n]


def check_input(deck: Deck, used: bytes | None) -> bytes:
    """Return the 32-byte digest of an own pass's input, to be stored before the output leaves.

    `used` is the digest stored for this pass before, or None. Raise Refused if that was another deck: the
    outputs of two inputs under one mask, side by side, show the permutation.
    """
    digest = hashlib.sha256(join(deck)).digest()
    if used is not None and used != digest:
        raise Refused(
            "The secrets of this hand were already used on another deck, so nothing more is signed in it. "
            "Leave the table and start a new one."
        )
    return digest


def shuffle(s: HandSecrets, deck: Deck) -> Deck:
    """Mask and reorder: element i is a * deck[p[i]]."""
    return tuple(mult(s.a, deck[source]) for source in s.p)


def lock(s: HandSecrets, deck: Deck) -> Deck:
    """Take the mask off and put lock j on position j: element j is a^-1 * k[j] * deck[j]."""
    return tuple(mult(factor, element) for factor, element in zip(_lock_factors(s), deck, strict=True))


def replays_shuffle(s: HandSecrets, deck_in: Deck, deck_out: Deck) -> bool:
    """Tell whether the shuffle of these secrets makes `deck_out` of `deck_in`; stops at a difference."""
    return all(mult(s.a, deck_in[source]) == out for source, out in zip(s.p, deck_out, strict=True))


def replays_lock(s: HandSecrets, deck_in: Deck, deck_out: Deck) -> bool:
    """Tell whether the lock of these secrets makes `deck_out` of `deck_in`; stops at a difference."""
    passes = zip(_lock_factors(s), deck_in, deck_out, strict=True)
    return all(mult(factor, element) == out for factor, element, out in passes)


def _lock_factors(s: HandSecrets) -> list[bytes]:
    unmask = pow(number(s.a), -1, L)
    return [scalar(unmask * number(key) % L) for key in s.k]
