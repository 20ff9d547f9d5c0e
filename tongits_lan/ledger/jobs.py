"""The long computations of a hand, cut into jobs for worker threads: making and judging proofs.

Owns the two kinds of job and what has become of them. Must not know: when an entry is due, links, threads.
"""

import hashlib
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Literal

from tongits_lan.deck.proofs import PreparedLock, PreparedShuffle, prove_lock, prove_shuffle
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.errors import Fault
from tongits_lan.ledger.effects import Job
from tongits_lan.ledger.messages import Prove
from tongits_lan.ledger.private import Private, lock_input, shuffle_input
from tongits_lan.ledger.state import Deck, Hand, NotJudged, ProofClaim

Kind = Literal["shuffle", "lock"]
Verdicts = MutableMapping[ProofClaim, Fault | None]
"""None for a proof that holds."""

STREAM_SEED_BYTES = 32


class Stream:
    """Nonces for one proof, stretched from 32 fresh random bytes that were drawn for it alone."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._rest = b""

    def __call__(self, size: int) -> bytes:
        while len(self._rest) < size:
            self._rest += hashlib.sha512(self._seed + self._block.to_bytes(8, "big")).digest()
            self._block += 1
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


@dataclass(frozen=True, slots=True)
class Prepared:
    """The part of both proofs of one hand that no deck decides; it serves one hand, and is never stored."""

    shuffle: PreparedShuffle = field(repr=False)
    lock: PreparedLock = field(repr=False)


@dataclass(frozen=True, slots=True)
class PrepareJob:
    """Do that part of the next hand's proofs while there is time: returns Prepared."""

    id: int
    n: int
    nonce_seed: bytes = field(repr=False)

    def __call__(self) -> Prepared:
        stream = Stream(self.nonce_seed)
        return Prepared(PreparedShuffle(self.n, stream), PreparedLock(self.n, stream))


@dataclass(frozen=True, slots=True)
class ProofJob:
    """Make one proof of an own pass: returns its bytes."""

    id: int
    hand_id: bytes
    kind: Kind
    secrets: HandSecrets = field(repr=False)
    deck_in: Deck = field(repr=False)
    deck_out: Deck = field(repr=False)
    nonce_seed: bytes = field(repr=False)
    prepared: Prepared | None = field(repr=False)

    def __call__(self) -> bytes:
        s, stream, ready = self.secrets, Stream(self.nonce_seed), self.prepared
        if self.kind == "shuffle":
            start = None if ready is None else ready.shuffle
            return prove_shuffle(s, self.deck_in, self.deck_out, stream, start)
        return prove_lock(s, self.deck_in, self.deck_out, stream, None if ready is None else ready.lock)


@dataclass(frozen=True, slots=True)
class JudgeJob:
    """Judge one proof: returns None if it holds, else the Fault."""

    id: int
    claim: ProofClaim = field(repr=False)

    def __call__(self) -> Fault | None:
        try:
            self.claim.check()
        except Fault as fault:
            return fault
        return None


class Workshop:
    """The proofs of seat `me` in the making, the verdicts on those of the others, and the jobs for both."""

    def __init__(
        self,
        me: int,
        entropy: Callable[[int], bytes],
        order: Callable[[Job], None],
        verdicts: Verdicts | None,
    ) -> None:
        self._me = me
        self._entropy = entropy
        self._order = order
        self._own_verdicts = verdicts is None
        self._verdicts: Verdicts = {} if verdicts is None else verdicts
        self._asked: dict[ProofClaim, int] = {}
        self._hand_id = b""
        self._preparing = False
        self._prepared: Prepared | None = None
        self._using: Prepared | None = None
        self._begun: set[Kind] = set()
        self._made: dict[Kind, bytes] = {}
        self._count = 0

    def judge(self, claim: ProofClaim) -> None:
        """The judge `accept` is given. Raises Fault, or NotJudged while the verdict is not known."""
        if claim.seat == self._me and claim.proof == self._made.get(claim.kind):
            return  # made here a moment ago for exactly this statement
        if claim not in self._verdicts:
            raise NotJudged((claim,))
        fault = self._verdicts[claim]
        if fault is not None:
            raise fault

    def ask(self, claims: tuple[ProofClaim, ...]) -> None:
        """Order a judgement of every claim that has not been asked for yet."""
        for claim in claims:
            if claim not in self._asked and claim not in self._verdicts:
                self._asked[claim] = self._next_id()
                self._order(JudgeJob(self._asked[claim], claim))

    def prepare(self, n: int) -> None:
        """Order the part of the next proofs that needs no deck, once for each hand."""
        if not self._preparing:
            self._preparing = True
            self._order(PrepareJob(self._next_id(), n, self._entropy(STREAM_SEED_BYTES)))

    def prove(self, hand: Hand, private: Private, n: int) -> None:
        """Order each own proof of `hand` as soon as the ledger holds the pass it speaks of."""
        if hand.hand_id != self._hand_id:
            self._start_over(hand.hand_id)
        turn = hand.order.index(self._me)
        if hand.proved[self._me]:
            return
        if len(hand.shuffles) > turn:
            self._begin("shuffle", hand, private, shuffle_input(hand, self._me, n), hand.shuffles[turn])
        if len(hand.locks) > turn:
            self._begin("lock", hand, private, lock_input(hand, self._me), hand.locks[turn])

    def proofs(self, hand: Hand) -> Prove | None:
        """The `prove` of this hand, once both proofs are made."""
        if hand.hand_id != self._hand_id or len(self._made) < 2:
            return None
        return Prove(self._made["shuffle"], self._made["lock"])

    def finish(self, job: Job, result: object) -> None:
        """Take in what a job returned; one of another hand is dropped."""
        match job:
            case ProofJob():
                assert isinstance(result, bytes)
                if job.hand_id == self._hand_id:
                    self._made[job.kind] = result
            case PrepareJob():
                assert isinstance(result, Prepared)
                self._prepared = result
            case JudgeJob():
                assert result is None or isinstance(result, Fault)
                if self._asked.pop(job.claim, None) is not None:
                    self._verdicts[job.claim] = result
            case _:
                raise AssertionError(f"not a job of this table: {job!r}")

    def _begin(self, kind: Kind, hand: Hand, private: Private, deck_in: Deck, deck_out: Deck) -> None:
        if kind in self._begun:
            return
        self._begun.add(kind)
        self._order(
            ProofJob(
                id=self._next_id(),
                hand_id=hand.hand_id,
                kind=kind,
                secrets=private.derived(hand),
                deck_in=deck_in,
                deck_out=deck_out,
                nonce_seed=self._entropy(STREAM_SEED_BYTES),
                prepared=self._using,
            )
        )

    def _start_over(self, hand_id: bytes) -> None:
        self._hand_id = hand_id
        self._using, self._prepared, self._preparing = self._prepared, None, False
        self._begun.clear()
        self._made.clear()
        self._asked.clear()
        if self._own_verdicts:
            self._verdicts.clear()

    def _next_id(self) -> int:
        self._count += 1
        return self._count
