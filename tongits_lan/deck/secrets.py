"""The secrets of one seat in one hand, all derived from one committed seed.

Owns the derivation (mask, locks, permutation), the commitment to it and its check after the reveal. Must
not know entropy, files or who may see a seed when. Source: docs/protocol.md, "The deck"; RFC 5869.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field

from tongits_lan.deck.group import (
    check_element,
    h32,
    mult_base,
    scalar,
    wide_scalar,
)
from tongits_lan.errors import Code, Fault

SALT = b"tongits-lan/1/hand"
PERMUTATION_BYTES = 1024


@dataclass(frozen=True, slots=True)
class HandSecrets:
    """Everything one seat knows and nobody else does until the reveal, with what it published of it.

    `seed` 32 bytes; `ctx` 33 bytes (hand_id and seat); `a` the mask and `k` the n locks, scalars; `p` the
    permutation of 0..n-1; `c` the commitment to the seed; `A` = a*B and `labels` = k*B, elements.
    """

    n: int
    hand_id: bytes
    seat: int
    ctx: bytes
    seed: bytes = field(repr=False)
    a: bytes = field(repr=False)
    k: tuple[bytes, ...] = field(repr=False)
    p: tuple[int, ...] = field(repr=False)
    c: bytes
    A: bytes
    labels: tuple[bytes, ...] = field(repr=False)


def hand_id(table_id: bytes, hand_no: int, head: bytes) -> bytes:
    """Return the 32-byte name of a hand; `hand_no` counts from 1, `head` the one before its first entry."""
    return h32("hand-id", table_id, hand_no.to_bytes(4, "big"), head)


def context(hand_id: bytes, seat: int) -> bytes:
    """Return hand_id and seat in one string of 33 bytes: what every proof of that seat is bound to."""
    return hand_id + bytes((seat,))


def seed_commitment(hand_id: bytes, seat: int, seed: bytes) -> bytes:
    """Return the 32-byte commitment to a seed."""
    return h32("seed", hand_id, bytes((seat,)), seed)


def derive(seed: bytes, hand_id: bytes, seat: int, n: int) -> HandSecrets:
    """Derive mask, locks, permutation and what is published of them.

    Raise Fault(SEED) for a seed that gives a zero scalar or too few words for the permutation; a random
    seed does so with probability below 2^-240.
    """
    prk = hmac.digest(SALT, seed, "sha256")
    ctx = context(hand_id, seat)
    a = _secret_scalar(prk, b"shuffle" + ctx)
    k = tuple(_secret_scalar(prk, b"lock" + ctx + bytes((j,))) for j in range(n))
    return HandSecrets(
        n=n,
        hand_id=hand_id,
        seat=seat,
        ctx=ctx,
        seed=seed,
        a=a,
        k=k,
        p=_permutation(_expand(prk, b"perm" + ctx, PERMUTATION_BYTES), n),
        c=seed_commitment(hand_id, seat, seed),
        A=mult_base(a),
        labels=tuple(mult_base(key) for key in k),
    )


def check_commitment(
    c: bytes, A: bytes, labels: Sequence[bytes], seen: Sequence[tuple[bytes, bytes]]
) -> None:
    """Check what a seat publishes of its secrets against what the others published before: pairs (c, A).

    Raise Fault(ELEMENT) for A or a label, then Fault(COMMIT) for c or A equal to another seat's.
    """
    check_element(A, "A")
    for j, label in enumerate(labels):
        check_element(label, f"label {j}")
    if any(c == other for other, _ in seen):
        raise Fault(Code.COMMIT, "c is another seat's")
    if any(other == A for _, other in seen):
        raise Fault(Code.COMMIT, "A is another seat's")


def check_seed(
    seed: bytes, hand_id: bytes, seat: int, n: int, c: bytes, A: bytes, labels: Sequence[bytes]
) -> HandSecrets:
    """Return the secrets of a revealed seed; raise Fault(SEED) unless they were committed to."""
    if len(seed) != 32 or seed_commitment(hand_id, seat, seed) != c:
        raise Fault(Code.SEED, f"the seed of seat {seat} does not fit its commitment")
    secrets = derive(seed, hand_id, seat, n)
    if secrets.A != A:
        raise Fault(Code.SEED, f"the seed of seat {seat} does not give its A")
    if secrets.labels != tuple(labels):
        raise Fault(Code.SEED, f"the seed of seat {seat} does not give its labels")
    return secrets


def _expand(prk: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand with SHA-256 (RFC 5869, section 2.3)."""
    blocks: list[bytes] = []
    block = b""
    for counter in range(1, -(-length // 32) + 1):
        block = hmac.digest(prk, block + info + bytes((counter,)), "sha256")
        blocks.append(block)
    return b"".join(blocks)[:length]


def _secret_scalar(prk: bytes, info: bytes) -> bytes:
    return _nonzero(_expand(prk, info, 64))


def _nonzero(wide: bytes) -> bytes:
    value = wide_scalar(wide)
    if value == 0:
        raise Fault(Code.SEED, "the seed gives a zero scalar")
    return scalar(value)


def _permutation(stream: bytes, n: int) -> tuple[int, ...]:
    """Fisher-Yates over u32 words of `stream`; a word that would favour some cards is skipped."""
    p = list(range(n))
    words = (int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream) - 3, 4))
    for i in range(n - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        word = next((v for v in words if v < limit), None)
        if word is None:
            raise Fault(Code.SEED, "the seed gives too few words for the permutation")
        j = word % (i + 1)
        p[i], p[j] = p[j], p[i]
    return tuple(p)
