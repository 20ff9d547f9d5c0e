"""Proofs in the making and verdicts on those of others."""

from collections.abc import Callable

import pytest
from msgspec import structs

from tests.circle import Entropy, height_of, recorded, writer_of
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.book import Book, trust
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import Job
from tongits_lan.ledger.jobs import JudgeJob, Prepared, PrepareJob, ProofJob, Stream, Workshop
from tongits_lan.ledger.private import Private
from tongits_lan.ledger.state import Hand, NotJudged, ProofClaim, State


def state_at(height: int) -> State:
    record = recorded()
    return Book(record.cast.descriptor, record.shelves[0].entries[:height]).state


def claims_at(height: int) -> list[ProofClaim]:
    claims: list[ProofClaim] = []
    accept(state_at(height), recorded().shelves[0].entries[height], claims.append)
    return claims


def prover(entropy: Callable[[int], bytes] | None = None) -> tuple[Workshop, list[Job], Private, Hand]:
    """The seat that proves first, with both its passes in the ledger."""
    height = height_of("prove")
    seat = writer_of(height)
    hand = state_at(height).hand
    assert hand is not None
    kept = recorded().shelf(seat, height).secrets.values()
    jobs: list[Job] = []
    workshop = Workshop(seat, entropy or Entropy("jobs"), jobs.append, None)
    return workshop, jobs, Private(seat, 52, Entropy("p"), tuple(kept), lambda _: None), hand


def test_stream_is_fixed_by_its_seed_and_does_not_repeat() -> None:
    one, same, other = Stream(bytes(32)), Stream(bytes(32)), Stream(b"\x01" * 32)
    first = one(100)
    assert same(30) + same(70) == first
    assert other(100) != first
    assert one(100) != first


def test_own_proofs_hold_and_need_no_second_look() -> None:
    workshop, jobs, private, hand = prover()
    workshop.prepare(52)
    workshop.prepare(52)
    (preparing,) = jobs
    assert isinstance(preparing, PrepareJob)
    workshop.finish(preparing, preparing())
    workshop.prove(hand, private, 52)
    workshop.prove(hand, private, 52)
    made = jobs[1:]
    assert [job.kind for job in made if isinstance(job, ProofJob)] == ["shuffle", "lock"]
    assert workshop.proofs(hand) is None
    for job in made:
        workshop.finish(job, job())
    body = workshop.proofs(hand)
    assert body is not None
    good = claims_at(height_of("prove"))
    for claim, proof in zip(good, (body.shuffle_proof, body.lock_proof), strict=True):
        own = ProofClaim(
            claim.seat, claim.kind, claim.ctx, claim.A, claim.labels, claim.deck_in, claim.deck_out, proof
        )
        own.check()
        workshop.judge(own)
        with pytest.raises(NotJudged):
            workshop.judge(claim)


def next_hand(hand: Hand) -> Hand:
    """One with another name, in which the same was written."""
    return structs.replace(hand, hand_id=bytes(32))


def test_every_proof_has_random_numbers_of_its_own() -> None:
    """Those of one used for another would give mask and locks away."""
    drawn: list[bytes] = []

    def entropy(size: int) -> bytes:
        drawn.append(bytes([len(drawn)]) * size)
        return drawn[-1]

    workshop, jobs, private, hand = prover(entropy)
    for one in (hand, next_hand(hand)):
        workshop.prepare(52)
        workshop.prove(one, private, 52)
    assert [type(job) for job in jobs] == [PrepareJob, ProofJob, ProofJob] * 2
    assert [job.nonce_seed for job in jobs if isinstance(job, PrepareJob | ProofJob)] == drawn
    assert {len(seed) for seed in drawn} == {32}


def test_what_was_made_ahead_serves_one_hand() -> None:
    workshop, jobs, private, hand = prover()
    workshop.prepare(52)
    workshop.finish(jobs[0], jobs[0]())
    for one in (hand, next_hand(hand)):
        workshop.prove(one, private, 52)
    ready = [job.prepared is not None for job in jobs if isinstance(job, ProofJob)]
    assert ready == [True, True, False, False]


def test_verdicts_are_asked_for_once_and_remembered() -> None:
    jobs: list[Job] = []
    workshop = Workshop(2, Entropy("jobs"), jobs.append, None)
    claims = claims_at(height_of("prove"))
    with pytest.raises(NotJudged) as caught:
        workshop.judge(claims[1])
    assert caught.value.claims == (claims[1],)
    workshop.ask(tuple(claims))
    workshop.ask(tuple(claims))
    assert len(jobs) == 2
    for job in jobs:
        workshop.finish(job, job())
    for claim in claims:
        workshop.judge(claim)


def test_bad_proof_is_a_fault_whenever_it_comes_again() -> None:
    jobs: list[Job] = []
    workshop = Workshop(2, Entropy("jobs"), jobs.append, None)
    good = claims_at(height_of("prove"))[1]
    bad = ProofClaim(
        good.seat, good.kind, b"\x00" * 33, good.A, good.labels, good.deck_in, good.deck_out, good.proof
    )
    workshop.ask((bad,))
    (job,) = jobs
    assert isinstance(job, JudgeJob)
    result = job()
    assert isinstance(result, Fault)
    workshop.finish(job, result)
    for _ in range(2):
        with pytest.raises(Fault) as caught:
            workshop.judge(bad)
        assert caught.value.code is Code.PROOF


def test_results_of_an_earlier_hand_are_dropped() -> None:
    workshop, jobs, private, hand = prover()
    workshop.prove(hand, private, 52)
    following = structs.replace(hand, hand_id=bytes(32), shuffles=(), locks=())
    workshop.prove(following, private, 52)
    assert len(jobs) == 2
    for job in jobs:
        workshop.finish(job, job())
    assert workshop.proofs(following) is None
    assert workshop.proofs(hand) is None


def test_shared_verdicts_serve_other_seats() -> None:
    shared: dict[ProofClaim, Fault | None] = {}
    claims = claims_at(height_of("prove"))
    for claim in claims:
        shared[claim] = None
    jobs: list[Job] = []
    workshop = Workshop(2, Entropy("jobs"), jobs.append, shared)
    workshop.ask(tuple(claims))
    assert jobs == []
    workshop.judge(claims[0])


def test_jobs_show_no_secret() -> None:
    workshop, jobs, private, hand = prover()
    workshop.prepare(52)
    workshop.prove(hand, private, 52)
    shown = " ".join(map(repr, jobs)) + repr(jobs[0]())
    s = private.derived(hand)
    for secret in (s.seed, s.a, *s.k):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
    assert "nonce_seed" not in shown
    assert isinstance(jobs[0](), Prepared)


def test_state_is_not_changed_by_an_unknown_verdict() -> None:
    height = height_of("prove")
    record = recorded()
    book = Book(record.cast.descriptor, record.shelves[0].entries[:height])
    before = book.state
    workshop = Workshop(2, Entropy("jobs"), lambda _: None, None)
    with pytest.raises(NotJudged) as caught:
        book.append(record.shelves[0].entries[height], workshop.judge)
    assert len(caught.value.claims) == 2
    assert book.state is before
    book.append(record.shelves[0].entries[height], trust)
    assert parse_entry(book.entries[-1]).body_value[0] == "prove"
