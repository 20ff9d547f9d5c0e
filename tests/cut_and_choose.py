"""A plain cut-and-choose proof of the shuffle: the oracle the real proof is compared with.

Slow and large, but simple enough to be judged by eye. The statement is that of the real proof: for the a
with A = a*B and one permutation p, F[i] = a*E[p[i]]. In each of 64 rounds the prover makes a fresh shuffle D
of E with its own b and q, and one bit decides whether it opens the way from E to D or the way from D to F;
who could open both knows a and p. A cheat passes with probability 2^-64.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.deck_plain import base, times
from tongits_lan.deck.group import L, h64, number
from tongits_lan.deck.proofs import Entropy
from tongits_lan.deck.shuffle import Deck, join

ROUNDS = 64


@dataclass(frozen=True)
class Round:
    """D and Bb = b*B, and what the bit asked for: the factor and the order of one of the two ways."""

    D: Deck
    Bb: bytes
    factor: int
    order: tuple[int, ...]


def prove(ctx: bytes, a: int, p: Sequence[int], E: Deck, F: Deck, entropy: Entropy) -> list[Round]:
    """Make the proof for any statement; one that does not hold for a and p is refused."""
    n = len(E)
    A = base(a)
    made: list[tuple[int, list[int], Deck]] = []
    for _ in range(ROUNDS):
        b = number(entropy(64)) % (L - 1) + 1
        q = sorted(range(n), key=lambda _: entropy(16))
        made.append((b, q, tuple(times(b, E[q[i]]) for i in range(n))))
    bits = _bits(ctx, A, E, F, [(D, base(b)) for b, _, D in made])
    rounds = []
    for bit, (b, q, D) in zip(bits, made, strict=True):
        if bit == 0:
            rounds.append(Round(D, base(b), b, tuple(q)))
        else:
            way = tuple(q.index(p[i]) for i in range(n))
            rounds.append(Round(D, base(b), a * pow(b, -1, L) % L, way))
    return rounds


def holds(ctx: bytes, A: bytes, E: Deck, F: Deck, rounds: list[Round]) -> bool:
    """Tell whether the proof convinces."""
    bits = _bits(ctx, A, E, F, [(r.D, r.Bb) for r in rounds])
    return len(rounds) == ROUNDS and all(
        _round_holds(bit, A, E, F, r) for bit, r in zip(bits, rounds, strict=True)
    )


def _round_holds(bit: int, A: bytes, E: Deck, F: Deck, r: Round) -> bool:
    if not 0 < r.factor < L or sorted(r.order) != list(range(len(E))):
        return False
    if bit == 0:
        return base(r.factor) == r.Bb and all(
            times(r.factor, E[j]) == d for j, d in zip(r.order, r.D, strict=True)
        )
    return times(r.factor, r.Bb) == A and all(
        times(r.factor, r.D[j]) == f for j, f in zip(r.order, F, strict=True)
    )


def _bits(ctx: bytes, A: bytes, E: Deck, F: Deck, committed: list[tuple[Deck, bytes]]) -> list[int]:
    parts = [join(D) + Bb for D, Bb in committed]
    digest = int.from_bytes(h64("cut-and-choose", ctx, A, join(E), join(F), *parts), "big")
    return [digest >> i & 1 for i in range(ROUNDS)]
