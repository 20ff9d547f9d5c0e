"""Both proofs: made and accepted, compared with plain formulas and an oracle, and refused when bent."""

import dataclasses
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import cut_and_choose
from tests.deck_plain import (
    Passes,
    base,
    fixed,
    honest_hand,
    plain_lock_proof,
    plain_shuffle_proof,
    seat_secrets,
    stream,
    times,
)
from tongits_lan.deck import proofs
from tongits_lan.deck.group import IDENTITY, L, add, number, scalar
from tongits_lan.deck.proofs import (
    TRIES,
    PreparedLock,
    PreparedShuffle,
    lock_proof_length,
    prove_lock,
    prove_shuffle,
    shuffle_proof_length,
    verify_lock,
    verify_shuffle,
)
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.deck.shuffle import Deck, shuffle, split
from tongits_lan.errors import Code, Fault

N = 4
HAND = honest_hand(N, b"proofs")
ANA = HAND.seats[0]
SHUFFLE_PROOF = prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], stream(b"one"))
LOCK_PROOF = prove_lock(ANA, HAND.decks[3], HAND.decks[4], stream(b"two"))


def judge_shuffle(proof: bytes) -> None:
    verify_shuffle(ANA.ctx, ANA.A, HAND.decks[0], HAND.decks[1], proof)


def judge_lock(proof: bytes) -> None:
    verify_lock(ANA.ctx, ANA.A, ANA.labels, HAND.decks[3], HAND.decks[4], proof)


KINDS: dict[str, tuple[bytes, Callable[[bytes], None], int]] = {
    "shuffle": (SHUFFLE_PROOF, judge_shuffle, 2 * N),
    "lock": (LOCK_PROOF, judge_lock, 0),
}
kinds = pytest.mark.parametrize("kind", sorted(KINDS))


def refused(judge: Callable[..., object], *arguments: object) -> Code:
    with pytest.raises(Fault) as caught:
        judge(*arguments)
    return caught.value.code


def put(proof: bytes, at: int, part: bytes) -> bytes:
    return proof[: 32 * at] + part + proof[32 * (at + 1) :]


@settings(max_examples=8, deadline=None)
@given(st.binary(min_size=1, max_size=4), st.integers(2, 5), st.integers(0, 2))
def test_honest_proofs_are_accepted_and_follow_the_plain_formulas(name: bytes, n: int, seat: int) -> None:
    hand = honest_hand(n, name)
    s = hand.seats[seat]
    E, F = hand.decks[seat], hand.decks[seat + 1]
    proof = prove_shuffle(s, E, F, stream(name))
    assert len(proof) == shuffle_proof_length(n)
    assert proof == plain_shuffle_proof(s, E, F, stream(name))
    verify_shuffle(s.ctx, s.A, E, F, proof)
    E, F = hand.decks[seat + 3], hand.decks[seat + 4]
    proof = prove_lock(s, E, F, stream(name))
    assert len(proof) == lock_proof_length(n)
    assert proof == plain_lock_proof(s, E, F, stream(name))
    verify_lock(s.ctx, s.A, s.labels, E, F, proof)


def never(length: int) -> bytes:
    raise AssertionError(f"{length} more bytes were drawn")


def test_prepared_nonces_make_the_same_proofs() -> None:
    start = PreparedShuffle(N, stream(b"one"))
    assert prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], never, start) == SHUFFLE_PROOF
    lock_start = PreparedLock(N, stream(b"two"))
    assert prove_lock(ANA, HAND.decks[3], HAND.decks[4], never, lock_start) == LOCK_PROOF


def test_prepared_nonces_serve_one_proof() -> None:
    start, lock_start = PreparedShuffle(N, stream(b"one")), PreparedLock(N, stream(b"two"))
    prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], stream(b"spare"), start)
    with pytest.raises(AssertionError, match="one proof"):
        prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], stream(b"spare"), start)
    prove_lock(ANA, HAND.decks[3], HAND.decks[4], stream(b"spare"), lock_start)
    with pytest.raises(AssertionError, match="one proof"):
        prove_lock(ANA, HAND.decks[3], HAND.decks[4], stream(b"spare"), lock_start)


def test_prepared_nonces_that_cannot_serve_are_replaced() -> None:
    start = PreparedShuffle(N, fixed(zero_sum(N), stream(b"rest")))
    proof = prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], stream(b"spare"), start)
    judge_shuffle(proof)
    assert len(proof) == shuffle_proof_length(N)


def test_prepared_nonces_are_not_shown() -> None:
    for start in (PreparedShuffle(N, stream(b"one")), PreparedLock(N, stream(b"two"))):
        shown = repr(start) + repr(start.take())
        assert all(str(number(stream(label)(64)) % L) not in shown for label in (b"one", b"two"))


def test_lengths_for_a_whole_deck() -> None:
    assert (shuffle_proof_length(52), lock_proof_length(52)) == (6816, 1728)
    assert (shuffle_proof_length(54), lock_proof_length(54)) == (7072, 1792)


@kinds
def test_every_changed_part_is_refused(kind: str) -> None:
    proof, judge, elements = KINDS[kind]
    for at, part in enumerate(split(proof)):
        other = add(part, base(1)) if at < elements else scalar((number(part) + 1) % L or 1)
        assert refused(judge, put(proof, at, other)) is Code.PROOF, at


@kinds
def test_parts_outside_their_range_are_refused_first(kind: str) -> None:
    proof, judge, elements = KINDS[kind]
    for at, part in enumerate(split(proof)):
        high = part[:31] + bytes((part[31] | 0x80,))
        code = Code.ELEMENT if at < elements else Code.SCALAR
        bad = [bytes(32), high, bytes(31) + b"\x80", b"\xff" * 32]
        if at >= elements:
            bad.append((number(part) + L).to_bytes(32, "little"))
        for form in bad:
            assert refused(judge, put(proof, at, form)) is code, (at, form)


@kinds
def test_other_lengths_are_refused(kind: str) -> None:
    proof, judge, _ = KINDS[kind]
    for bent in (b"", proof[:-32], proof[:-1], proof + b"\0", proof + bytes(32)):
        assert refused(judge, bent) is Code.BODY


def test_elements_are_judged_before_scalars_and_scalars_before_the_proof() -> None:
    bent = put(put(SHUFFLE_PROOF, 0, IDENTITY), 2 * N, bytes(32))
    assert refused(judge_shuffle, bent) is Code.ELEMENT
    bent = put(put(SHUFFLE_PROOF, 0, base(5)), 4 * N + 4, bytes(32))
    assert refused(judge_shuffle, bent) is Code.SCALAR


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_any_flipped_bit_is_refused(kind: str, data: st.DataObject) -> None:
    proof, judge, _ = KINDS[kind]
    bit = data.draw(st.integers(0, 8 * len(proof) - 1))
    bent = bytearray(proof)
    bent[bit // 8] ^= 1 << bit % 8
    assert refused(judge, bytes(bent)) in (Code.ELEMENT, Code.SCALAR, Code.PROOF)


def other_statements(hand: Passes) -> list[tuple[bytes, bytes, tuple[bytes, ...], int]]:
    """Return contexts, A and labels of which exactly one is another's, and the shift of the decks."""
    ana, ben, _ = hand.seats
    swapped = (ana.labels[1], ana.labels[0], *ana.labels[2:])
    return [
        (ben.ctx, ana.A, ana.labels, 0),
        (bytes(32) + ana.ctx[32:], ana.A, ana.labels, 0),
        (ana.ctx, ben.A, ana.labels, 0),
        (ana.ctx, ana.A, ana.labels, 1),
        (ana.ctx, ana.A, swapped, 0),
        (ana.ctx, ana.A, ben.labels, 0),
    ]


def test_proofs_for_another_seat_hand_or_deck_are_refused() -> None:
    for ctx, A, labels, shift in other_statements(HAND):
        locks = HAND.decks[3 + shift], HAND.decks[4 + shift]
        assert refused(verify_lock, ctx, A, labels, *locks, LOCK_PROOF) is Code.PROOF
        decks = HAND.decks[shift], HAND.decks[1 + shift]
        if labels == ANA.labels:
            assert refused(verify_shuffle, ctx, A, *decks, SHUFFLE_PROOF) is Code.PROOF


def test_swapped_proofs_are_refused() -> None:
    assert refused(judge_shuffle, LOCK_PROOF) is Code.BODY
    assert refused(judge_lock, SHUFFLE_PROOF) is Code.BODY
    ben = HAND.seats[1]
    bens = prove_shuffle(ben, HAND.decks[1], HAND.decks[2], stream(b"ben"))
    assert refused(judge_shuffle, bens) is Code.PROOF


def zero_sum(count: int) -> list[int]:
    """Return scalars whose sum is zero."""
    values = [number(stream(b"sum")(64)) + i for i in range(count - 1)]
    return [*(v % L for v in values), -sum(values) % L]


def test_a_prover_with_sum_zero_is_refused() -> None:
    proof = plain_shuffle_proof(ANA, HAND.decks[0], HAND.decks[1], fixed(zero_sum(N), stream(b"rest")))
    with pytest.raises(Fault, match="identity") as caught:
        judge_shuffle(proof)
    assert caught.value.code is Code.PROOF


@pytest.mark.parametrize("weighed", ["commitments", "input deck"])
def test_a_weighted_sum_that_is_the_identity_is_refused_as_such(
    weighed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No prover brings it about, for the weights follow from what they weigh: here they are chosen."""
    multiples = tuple(base(factor) for factor in range(1, N + 1))
    weights = [-sum(range(2, N + 1)) % L, *[1] * (N - 1)]
    monkeypatch.setattr(proofs, "_weights", lambda d, n: weights)
    parts = split(SHUFFLE_PROOF)
    bent = b"".join((*multiples, *parts[N:])) if weighed == "commitments" else SHUFFLE_PROOF
    deck = HAND.decks[0] if weighed == "commitments" else multiples
    with pytest.raises(Fault, match="identity") as caught:
        verify_shuffle(ANA.ctx, ANA.A, deck, HAND.decks[1], bent)
    assert caught.value.code is Code.PROOF


@pytest.mark.parametrize(
    "nonces",
    [zero_sum(N), [1] * 2 * N + [0], [1] * 2 * N + [1, 0], [1] * 2 * N + [1, 1, 1, 0], [1] * N + [0] * N],
    ids=["sum r = 0", "w1 = 0", "w2 = 0", "w4 = 0", "rhat = 0"],
)
def test_an_honest_prover_draws_again_where_a_value_would_be_refused(nonces: list[int]) -> None:
    bent = plain_shuffle_proof(ANA, HAND.decks[0], HAND.decks[1], fixed(nonces, stream(b"rest")))
    assert refused(judge_shuffle, bent) in (Code.PROOF, Code.SCALAR)
    proof = prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], fixed(nonces, stream(b"rest")))
    judge_shuffle(proof)
    assert proof != bent


@pytest.mark.parametrize("at", [0, 1, N])
def test_an_honest_locker_draws_again_where_a_value_would_be_refused(at: int) -> None:
    nonces = [*range(1, at + 1), 0]
    bent = plain_lock_proof(ANA, HAND.decks[3], HAND.decks[4], fixed(nonces, stream(b"rest")))
    assert refused(judge_lock, bent) is Code.PROOF
    proof = prove_lock(ANA, HAND.decks[3], HAND.decks[4], fixed(nonces, stream(b"rest")))
    judge_lock(proof)
    assert proof != bent


def test_a_prover_gives_up_where_no_nonces_can_serve() -> None:
    """A dead source of entropy, or decks that are no pass, end in a clear error and never in a busy loop."""
    drawn = 0

    def dead(size: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return bytes(size)

    with pytest.raises(AssertionError, match="8 tries in a row"):
        prove_shuffle(ANA, HAND.decks[0], HAND.decks[1], dead)
    assert drawn == TRIES * (4 * N + 4)
    start = PreparedLock(N, stream(b"two"))
    nothing = (IDENTITY,) * N
    with pytest.raises(AssertionError, match="8 tries in a row"):
        prove_lock(ANA, nothing, nothing, stream(b"rest"), start)
    with pytest.raises(AssertionError, match="one proof"):
        start.take()


def false_decks(s: HandSecrets, E: Deck) -> dict[str, tuple[HandSecrets, Deck]]:
    """Return shuffles and what is claimed of them; only `honest` and `other order` are true."""
    F = shuffle(s, E)
    reversed_s = dataclasses.replace(s, p=tuple(reversed(s.p)))
    return {
        "honest": (s, F),
        "other order": (reversed_s, shuffle(reversed_s, E)),
        "not that order": (reversed_s, F),
        "tag": (s, (times(7, F[1]), *F[1:])),
        "sum": (s, (add(F[0], F[1]), *F[1:])),
        "duplicate": (s, (F[1], *F[1:])),
        "other mask": (s, (times(number(s.a) + 1, E[s.p[0]]), *F[1:])),
        "other deck": (s, tuple(reversed(E))),
    }


def accepts(s: HandSecrets, E: Deck, F: Deck) -> bool:
    """Tell whether the real proof, made by the plain prover, convinces."""
    try:
        verify_shuffle(s.ctx, s.A, E, F, plain_shuffle_proof(s, E, F, stream(b"real")))
    except Fault:
        return False
    return True


@pytest.mark.parametrize("n", [2, 3])
def test_the_proof_agrees_with_cut_and_choose(n: int) -> None:
    s = seat_secrets(0, n, b"oracle")
    E = honest_hand(n, b"oracle").decks[1]
    verdicts = {}
    for name, (claimed, F) in false_decks(s, E).items():
        rounds = cut_and_choose.prove(s.ctx, number(s.a), claimed.p, E, F, stream(name.encode()))
        verdicts[name] = cut_and_choose.holds(s.ctx, s.A, E, F, rounds)
        assert accepts(claimed, E, F) == verdicts[name], name
    assert {name for name, verdict in verdicts.items() if verdict} == {"honest", "other order"}


def test_the_oracle_refuses_bent_rounds() -> None:
    E, F = HAND.decks[0], HAND.decks[1]
    rounds = cut_and_choose.prove(ANA.ctx, number(ANA.a), ANA.p, E, F, stream(b"rounds"))
    assert cut_and_choose.holds(ANA.ctx, ANA.A, E, F, rounds)
    at = random.Random(5).randrange(len(rounds))
    bent = dataclasses.replace(rounds[at], factor=rounds[at].factor + 1)
    assert not cut_and_choose.holds(ANA.ctx, ANA.A, E, F, [*rounds[:at], bent, *rounds[at + 1 :]])
    assert not cut_and_choose.holds(ANA.ctx, ANA.A, E, F, rounds[:-1])
