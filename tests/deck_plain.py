"""Hands and proofs for the deck tests, by the plain formulas of the specification.

The provers here are written apart from `tongits_lan.deck.proofs` and take any statement, true or false, so
that cheating provers can be built of them.
"""

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tongits_lan.deck import group
from tongits_lan.deck.group import L, add, h32, hs_int, mult, mult_base, number, scalar, sub
from tongits_lan.deck.proofs import Entropy
from tongits_lan.deck.secrets import HandSecrets, derive
from tongits_lan.deck.shuffle import Deck, first_deck, join, lock, shuffle

HAND_ID = hashlib.sha256(b"a hand of the deck tests").digest()


@dataclass(frozen=True)
class Passes:
    """Three seats (0, 1, 2 in the order of their passes) and the seven decks of a hand."""

    seats: tuple[HandSecrets, HandSecrets, HandSecrets]
    decks: tuple[Deck, ...]


def seat_secrets(seat: int, n: int, name: bytes = b"") -> HandSecrets:
    return derive(hashlib.sha256(b"seed" + name + bytes((seat,))).digest(), HAND_ID, seat, n)


@functools.cache
def honest_hand(n: int, name: bytes = b"") -> Passes:
    """Return a hand of n cards whose seeds hang on `name`."""
    seats = (seat_secrets(0, n, name), seat_secrets(1, n, name), seat_secrets(2, n, name))
    decks = [first_deck(n)]
    for s in seats:
        decks.append(shuffle(s, decks[-1]))
    for s in seats:
        decks.append(lock(s, decks[-1]))
    return Passes(seats, tuple(decks))


def stream(label: bytes, prefix: bytes = b"tongits-lan/1 test nonce") -> Entropy:
    """Return entropy for tests: draw number i is SHA-512(prefix || label || u32be i), cut to the length."""
    drawn = 0

    def draw(length: int) -> bytes:
        nonlocal drawn
        data = hashlib.sha512(prefix + label + drawn.to_bytes(4, "big")).digest()
        drawn += 1
        return data[:length]

    return draw


def fixed(values: Sequence[int], then: Entropy) -> Entropy:
    """Return entropy whose first draws are the given scalars."""
    waiting = list(values)

    def draw(length: int) -> bytes:
        return waiting.pop(0).to_bytes(length, "little") if waiting else then(length)

    return draw


def total(elements: Sequence[bytes]) -> bytes:
    return functools.reduce(add, elements)


def times(value: int, element: bytes) -> bytes:
    return mult(scalar(value % L), element)


def base(value: int) -> bytes:
    return mult_base(scalar(value % L))


def _nonces(count: int, entropy: Entropy) -> list[int]:
    return [number(entropy(64)) % L for _ in range(count)]


def plain_shuffle_proof(
    s: HandSecrets, E: Deck, F: Deck, entropy: Entropy, *, p: Sequence[int] | None = None
) -> bytes:
    """Run the shuffle prover on any decks, with the permutation of `s` or another."""
    n, p, a = len(E), list(s.p if p is None else p), number(s.a)
    r, rh = _nonces(n, entropy), _nonces(n, entropy)
    w1, w2, w3, w4 = _nonces(4, entropy)
    wh, wp = _nonces(n, entropy), _nonces(n, entropy)
    C = [b""] * n
    for i in range(n):
        C[p[i]] = add(base(r[p[i]]), group.GENERATORS[i])
    d = h32("shuffle-1", s.ctx, s.A, *E, *F, *C)
    u = [hs_int("shuffle-u", d, bytes((i,))) for i in range(n)]
    up = [u[p[i]] for i in range(n)]
    h, rhat = [group.G_STAR], 0
    for i in range(n):
        h.append(add(base(rh[i]), times(up[i], h[i])))
        rhat = (rh[i] + up[i] * rhat) % L
    t = [
        base(w1),
        base(w2),
        add(base(w3), total([times(wp[i], group.GENERATORS[i]) for i in range(n)])),
        sub(
            total([times(wp[i], F[i]) for i in range(n)]),
            times(w4, total([times(u[i], E[i]) for i in range(n)])),
        ),
        base(w4),
    ]
    th = [add(base(wh[i]), times(wp[i], h[i])) for i in range(n)]
    x = hs_int("shuffle-x", d, *h[1:], *t, *th)
    answers = [x, w1 + x * sum(r), w2 + x * rhat, w3 + x * sum(r[i] * u[i] for i in range(n)), w4 + x * a]
    answers += [wh[i] + x * rh[i] for i in range(n)] + [wp[i] + x * up[i] for i in range(n)]
    return join([*C, *h[1:], *(scalar(v % L) for v in answers)])


def plain_lock_proof(s: HandSecrets, E: Deck, F: Deck, entropy: Entropy) -> bytes:
    """Run the lock prover on any decks."""
    n, a, k = len(E), number(s.a), [number(key) for key in s.k]
    w, *ws = _nonces(n + 1, entropy)
    t = [base(w), *(base(ws[j]) for j in range(n))]
    t += [sub(times(w, F[j]), times(ws[j], E[j])) for j in range(n)]
    x = hs_int("lock-proof", s.ctx, s.A, *s.labels, *E, *F, *t)
    answers = [x, w + x * a, *(ws[j] + x * k[j] for j in range(n))]
    return join([scalar(v % L) for v in answers])
