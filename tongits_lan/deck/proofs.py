"""The two zero-knowledge proofs of a seat: that its shuffle and its lock were done honestly.

Owns the making and judging of both proofs. Must not know the ledger, and never makes a nonce from secrets.
Letters are those of docs/protocol.md, "The deck". Shuffle proof: permutation commitments after Terelius and
Wikstroem, laid out as in Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable
Re-Encryption Mix-Nets", for one scalar. Lock proof: one sigma proof over all positions.

The prover knows the logarithms between its own elements, so it computes several sums over the input deck
where the verifier needs input and output; a test holds it to the plain formulas byte for byte.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tongits_lan.deck import group
from tongits_lan.deck.group import (
    IDENTITY,
    L,
    add,
    check_element,
    check_scalar,
    generator_sum,
    h32,
    hs_int,
    mult,
    mult_base,
    number,
    scalar,
    sub,
    wide_scalar,
)
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.deck.shuffle import Deck, join, split
from tongits_lan.errors import Code, Fault

Entropy = Callable[[int], bytes]
Start = TypeVar("Start")
TRIES = 8
"""How often an honest prover draws nonces; the first ones serve but with probability below 2^-240."""


def shuffle_proof_length(n: int) -> int:
    """Return the bytes of a shuffle proof: C, h, x, s1..s4, sh, s'."""
    return 32 * (4 * n + 5)


def lock_proof_length(n: int) -> int:
    """Return the bytes of a lock proof: x, z, z_0 .. z_{n-1}."""
    return 32 * (n + 2)


@dataclass(frozen=True, slots=True)
class _ShuffleStart:
    """The nonces of a shuffle proof, with the elements made of them alone."""

    r: tuple[int, ...] = field(repr=False)
    rh: tuple[int, ...] = field(repr=False)
    w: tuple[int, ...] = field(repr=False)  # w1 .. w4
    wh: tuple[int, ...] = field(repr=False)
    wp: tuple[int, ...] = field(repr=False)
    r_base: tuple[bytes, ...]  # r_i*B
    t1: bytes
    t2: bytes
    t3: bytes
    t5: bytes


@dataclass(frozen=True, slots=True)
class _LockStart:
    """The nonces of a lock proof, with their commitments w*B, w_0*B .."""

    w: tuple[int, ...] = field(repr=False)
    t: tuple[bytes, ...]


class _OneProof(Generic[Start]):
    """The nonces of one proof, made before its decks are known; serves once, then it is empty."""

    __slots__ = ("_start",)

    def __init__(self, start: Start) -> None:
        self._start: Start | None = start

    def take(self) -> Start:
        """Return the nonces once: nonces used twice would give mask and locks away."""
        start, self._start = self._start, None
        if start is None:
            raise AssertionError("prepared nonces serve one proof")
        return start


class PreparedShuffle(_OneProof[_ShuffleStart]):
    """What the next shuffle proof needs and no deck decides."""

    def __init__(self, n: int, entropy: Entropy) -> None:
        super().__init__(_start_shuffle(n, entropy))


class PreparedLock(_OneProof[_LockStart]):
    """What the next lock proof needs and no deck decides."""

    def __init__(self, n: int, entropy: Entropy) -> None:
        super().__init__(_start_lock(n, entropy))


def prove_shuffle(
    s: HandSecrets,
    deck_in: Deck,
    deck_out: Deck,
    entropy: Entropy,
    prepared: PreparedShuffle | None = None,
) -> bytes:
    """Prove that `deck_out` is `shuffle(s, deck_in)`; `entropy(64)` is called for every nonce.

    `prepared` (for the same n, made at any time before) spares a quarter of the work. Store the proof before
    it is sent, and never make another for the same decks. Raise AssertionError after TRIES (see `_proved`).
    """
    return _proved(
        prepared,
        lambda: PreparedShuffle(s.n, entropy),
        lambda start: _try_shuffle(s, deck_in, deck_out, start),
    )


def prove_lock(
    s: HandSecrets,
    deck_in: Deck,
    deck_out: Deck,
    entropy: Entropy,
    prepared: PreparedLock | None = None,
) -> bytes:
    """Prove that `deck_out` is `lock(s, deck_in)`; `entropy(64)` is called for every nonce.

    `prepared` (for the same n, made at any time before) spares a quarter of the work. Store the proof before
    it is sent, and never make another for the same decks. Raise AssertionError after TRIES (see `_proved`).
    """
    return _proved(
        prepared,
        lambda: PreparedLock(s.n, entropy),
        lambda start: _try_lock(s, deck_in, deck_out, start),
    )


def _proved(
    prepared: _OneProof[Start] | None,
    prepare: Callable[[], _OneProof[Start]],
    attempt: Callable[[Start], bytes | None],
) -> bytes:
    """The first proof that no verifier refuses for a value outside its range.

    The nonces of an honest prover make such a value with probability below 2^-240, so that several in a row
    are a bug here: decks that are no pass of the secrets, or an entropy source that repeats itself.
    """
    for _ in range(TRIES):
        proof = attempt((prepared or prepare()).take())
        if proof is not None:
            return proof
        prepared = None
    raise AssertionError(f"{TRIES} tries in a row made no proof that anybody would accept")


def verify_shuffle(ctx: bytes, A: bytes, deck_in: Deck, deck_out: Deck, proof: bytes) -> None:
    """Check a shuffle proof; A and both decks have passed their own checks before.

    Raise Fault(BODY) for its length, then Fault(ELEMENT), Fault(SCALAR), Fault(PROOF).
    """
    n = len(deck_in)
    parts = _parts(proof, shuffle_proof_length(n), "shuffle proof")
    C, h, responses = parts[:n], parts[n : 2 * n], parts[2 * n :]
    for i, element in enumerate(parts[: 2 * n]):
        check_element(element, f"{'C' if i < n else 'h'}[{i % n}] of the shuffle proof")
    for response in responses:
        check_scalar(response, "a response of the shuffle proof")
    x, s1, s2, s3, s4 = responses[:5]
    sh, sp = responses[5 : 5 + n], responses[5 + n :]
    d = h32("shuffle-1", ctx, A, *deck_in, *deck_out, *C)
    u = _weights(d, n)
    minus_x = scalar(L - number(x))
    uC = _sum(map(mult, map(scalar, u), C))
    uE = _sum(map(mult, map(scalar, u), deck_in))
    opened = sub(_sum(C), generator_sum(n))
    ended = sub(h[-1], mult(scalar(_product(u)), group.G_STAR))
    t1 = add(mult_base(s1), mult(minus_x, opened))
    t2 = add(mult_base(s2), mult(minus_x, ended))
    t3 = add(_sum(map(mult, sp, group.GENERATORS)), add(mult_base(s3), mult(minus_x, uC)))
    t4 = add(_sum(map(mult, sp, deck_out)), mult(scalar(L - number(s4)), uE))
    t5 = add(mult_base(s4), mult(minus_x, A))
    th = tuple(
        add(add(mult_base(sh_i), mult(sp_i, before)), mult(minus_x, after))
        for sh_i, sp_i, before, after in zip(sh, sp, (group.G_STAR, *h), h, strict=False)
    )
    if IDENTITY in (uC, uE, opened, ended, t1, t2, t3, t4, t5, *th):
        raise Fault(Code.PROOF, "a value of the shuffle proof is the identity")
    if hs_int("shuffle-x", d, *h, t1, t2, t3, t4, t5, *th) != number(x):
        raise Fault(Code.PROOF, "the shuffle proof does not hold")


def verify_lock(
    ctx: bytes, A: bytes, labels: Sequence[bytes], deck_in: Deck, deck_out: Deck, proof: bytes
) -> None:
    """Check a lock proof; A, labels and both decks have passed their own checks before.

    Raise Fault(BODY) for its length, then Fault(SCALAR), Fault(PROOF).
    """
    n = len(deck_in)
    parts = _parts(proof, lock_proof_length(n), "lock proof")
    for response in parts:
        check_scalar(response, "a response of the lock proof")
    x, z, zs = parts[0], parts[1], parts[2:]
    minus_x = scalar(L - number(x))
    t = add(mult_base(z), mult(minus_x, A))
    tl = [add(mult_base(z_j), mult(minus_x, label)) for z_j, label in zip(zs, labels, strict=True)]
    te = [
        sub(mult(z, out), mult(z_j, element)) for z_j, element, out in zip(zs, deck_in, deck_out, strict=True)
    ]
    if IDENTITY in (t, *tl, *te):
        raise Fault(Code.PROOF, "a value of the lock proof is the identity")
    if hs_int("lock-proof", ctx, A, *labels, *deck_in, *deck_out, t, *tl, *te) != number(x):
        raise Fault(Code.PROOF, "the lock proof does not hold")


def _draw(count: int, entropy: Entropy) -> tuple[int, ...]:
    return tuple(wide_scalar(entropy(64)) for _ in range(count))


def _start_shuffle(n: int, entropy: Entropy) -> _ShuffleStart:
    r, rh, w, wh, wp = (_draw(count, entropy) for count in (n, n, 4, n, n))
    wpG = _sum(_times(wp_i, G) for wp_i, G in zip(wp, group.GENERATORS, strict=False))
    return _ShuffleStart(
        r=r,
        rh=rh,
        w=w,
        wh=wh,
        wp=wp,
        r_base=tuple(map(_base, r)),
        t1=_base(w[0]),
        t2=_base(w[1]),
        t3=add(_base(w[2]), wpG),
        t5=_base(w[3]),
    )


def _start_lock(n: int, entropy: Entropy) -> _LockStart:
    w = _draw(n + 1, entropy)
    return _LockStart(w=w, t=tuple(map(_base, w)))


def _try_shuffle(s: HandSecrets, deck_in: Deck, deck_out: Deck, start: _ShuffleStart) -> bytes | None:
    """Make a shuffle proof; None for nonces that would make a value the verifier refuses."""
    r = start.r
    place = dict(zip(s.p, group.GENERATORS, strict=False))  # G_i stands in C[p[i]]
    C = tuple(add(r_j, place[j]) for j, r_j in enumerate(start.r_base))
    d = h32("shuffle-1", s.ctx, s.A, *deck_in, *deck_out, *C)
    u = _weights(d, s.n)
    up = [u[source] for source in s.p]
    h, th, rhat = _chain(up, start)
    t4 = _sum(map(_times, _input_factors(s, u, start), deck_in))
    heads = (start.t1, start.t2, start.t3, t4, start.t5)
    x = hs_int("shuffle-x", d, *h, *heads, *th)
    sums = (sum(r), rhat, sum(r_i * u_i for r_i, u_i in zip(r, u, strict=True)), number(s.a))
    responses = [x, *((w + x * known) % L for w, known in zip(start.w, sums, strict=True))]
    responses += [(w + x * rh_i) % L for w, rh_i in zip(start.wh, start.rh, strict=True)]
    responses += [(w + x * u_i) % L for w, u_i in zip(start.wp, up, strict=True)]
    opened_to_identity = sum(r) % L == 0 or rhat == 0
    if opened_to_identity or 0 in responses or IDENTITY in (*C, *h, *heads, *th):
        return None
    return join((*C, *h, *map(scalar, responses)))


def _chain(up: list[int], start: _ShuffleStart) -> tuple[list[bytes], list[bytes], int]:
    """Return the chain h, its commitments and rhat.

    Every h_i is alpha*B + beta*G_*; so are the commitments, with the factors of the h before.
    """
    h: list[bytes] = []
    th: list[bytes] = []
    alpha, beta = 0, 1
    for u_i, rh_i, wh_i, wp_i in zip(up, start.rh, start.wh, start.wp, strict=True):
        th.append(_pair(wh_i + wp_i * alpha, wp_i * beta))
        alpha, beta = (rh_i + u_i * alpha) % L, u_i * beta % L
        h.append(_pair(alpha, beta))
    return h, th, alpha


def _input_factors(s: HandSecrets, u: list[int], start: _ShuffleStart) -> list[int]:
    """Return the factors with which the input deck gives sum w'_i*F[i] - w4*sum u_i*E[i]."""
    a, w4 = number(s.a), start.w[3]
    factors = [-w4 * u_i for u_i in u]
    for wp_i, source in zip(start.wp, s.p, strict=True):
        factors[source] += a * wp_i
    return factors


def _try_lock(s: HandSecrets, deck_in: Deck, deck_out: Deck, start: _LockStart) -> bytes | None:
    """Make a lock proof; None for nonces that would make a value the verifier refuses."""
    w, ws = start.w[0], start.w[1:]
    a = number(s.a)
    k = [number(key) for key in s.k]
    masked = w * pow(a, -1, L)  # w*E_out[j] = masked*k[j]*E_in[j]
    te = [_times(masked * k_j - w_j, e) for k_j, w_j, e in zip(k, ws, deck_in, strict=True)]
    x = hs_int("lock-proof", s.ctx, s.A, *s.labels, *deck_in, *deck_out, *start.t, *te)
    responses = [x, (w + x * a) % L, *((w_j + x * k_j) % L for w_j, k_j in zip(ws, k, strict=True))]
    if 0 in responses or IDENTITY in (*start.t, *te):
        return None
    return join(map(scalar, responses))


def _parts(proof: bytes, length: int, what: str) -> tuple[bytes, ...]:
    if len(proof) != length:
        raise Fault(Code.BODY, f"the {what} has {len(proof)} bytes, not {length}")
    return split(proof)


def _weights(d: bytes, n: int) -> list[int]:
    """Return u_0 .. u_{n-1}, drawn from everything the prover has fixed before."""
    return [hs_int("shuffle-u", d, bytes((i,))) for i in range(n)]


def _product(values: Iterable[int]) -> int:
    product = 1
    for value in values:
        product = product * value % L
    return product


def _sum(elements: Iterable[bytes]) -> bytes:
    total = IDENTITY
    for element in elements:
        total = add(total, element)
    return total


def _base(value: int) -> bytes:
    return mult_base(scalar(value % L))


def _times(value: int, element: bytes) -> bytes:
    return mult(scalar(value % L), element)


def _pair(base: int, star: int) -> bytes:
    return add(_base(base), _times(star, group.G_STAR))
