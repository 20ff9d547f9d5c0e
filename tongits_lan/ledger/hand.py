"""What each entry outside of play changes: the table's opening, commit to deal, end, reveal, settlement.

Owns one function per kind; each is given an entry whose writer is due and raises Fault for what is wrong
with its content. Must not know heights to come, signatures, or how entries arrive.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from tongits_lan.deck.proofs import lock_proof_length, shuffle_proof_length
from tongits_lan.deck.shuffle import first_deck, split
from tongits_lan.errors import Code, Fault
from tongits_lan.game import engine, scoring
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.ledger import phases
from tongits_lan.ledger.chain import nonce_commitment, table_words
from tongits_lan.ledger.foresight import Foresight
from tongits_lan.ledger.messages import (
    Commit,
    Deal,
    EndHand,
    ForfeitHand,
    LeaveTable,
    LockDeck,
    NextHand,
    Open,
    Prove,
    Ready,
    RevealSeed,
    ShuffleDeck,
    Sit,
)
from tongits_lan.ledger.phases import hand_of
from tongits_lan.ledger.replay import (
    check_commit,
    check_pass,
    check_reveal,
    check_slot_key,
    replay,
)
from tongits_lan.ledger.state import (
    DeckLocked,
    DeckShuffled,
    Hand,
    HandConfirmed,
    HandDealt,
    HandEnded,
    HandForfeited,
    HandRecord,
    HandSettled,
    Judge,
    KeysDealt,
    LedgerEvent,
    NonceOpened,
    NotJudged,
    Phase,
    ProofClaim,
    ProofsAccepted,
    Seated,
    SeatReady,
    SeedCommitted,
    SeedRevealed,
    State,
    TableClosed,
    TableOpened,
)
from tongits_lan.limits import SEATS

T = TypeVar("T")
Step = tuple[State, tuple[LedgerEvent, ...]]
Keys = Mapping[int, bytes]


@dataclass(frozen=True, slots=True)
class Tools:
    """What handlers are lent: the judge of proofs, and what is known of the hand beforehand."""

    judge: Judge
    known: Foresight | None = None


def with_seat(triple: tuple[T, T, T], seat: int, value: T) -> tuple[T, T, T]:
    """The triple with the value of one seat replaced."""
    a, b, c = triple
    return (value, b, c) if seat == 0 else (a, value, c) if seat == 1 else (a, b, value)


def row_done(state: State, hand: Hand, following: Phase) -> State:
    """One more seat has written in this row; after the third comes the following phase."""
    if state.done + 1 < SEATS:
        return replace(state, hand=hand, done=state.done + 1)
    return replace(state, hand=hand, done=0, phase=following)


def sit(state: State, seat: int, body: Sit, _: Tools) -> Step:
    """A seat signs the descriptor."""
    if body.digest != hashlib.sha256(state.descriptor.raw).digest():
        raise Fault(Code.BODY, "the digest is not that of the descriptor")
    done = state.done + 1
    if done == SEATS:
        return replace(state, phase=Phase.OPEN, done=0), (Seated(seat),)
    return replace(state, done=done), (Seated(seat),)


def open_nonce(state: State, seat: int, body: Open, _: Tools) -> Step:
    """A seat opens its nonce; the third fixes the first dealer and the table words."""
    entry = state.descriptor.seats[seat]
    if nonce_commitment(entry.pk, body.nonce) != entry.nonce_commit:
        raise Fault(Code.COMMIT, "the nonce does not fit its commitment in the descriptor")
    nonces = with_seat(state.nonces, seat, body.nonce)
    nonce_0, nonce_1, nonce_2 = nonces
    if nonce_0 is None or nonce_1 is None or nonce_2 is None:
        return replace(state, nonces=nonces, done=state.done + 1), (NonceOpened(seat),)
    words = table_words(state.table_id, (nonce_0, nonce_1, nonce_2))
    dealer = phases.first_dealer(state.match, (nonce_0, nonce_1, nonce_2))
    following = replace(state, nonces=nonces, words=words, phase=Phase.COMMIT, done=0)
    return following, (NonceOpened(seat), TableOpened(words, dealer))


def commit(state: State, seat: int, body: Commit, tools: Tools) -> Step:
    """A seat commits to its seed and publishes the labels of its locks."""
    _check_length(body.labels, 32 * state.n, "labels")
    hand = hand_of(state)
    commitment = check_commit(body, seat, hand, split(body.labels), tools.known)
    hand = replace(hand, commits=with_seat(hand.commits, seat, commitment))
    return row_done(state, hand, Phase.SHUFFLE), (SeedCommitted(seat),)


def shuffle(state: State, seat: int, body: ShuffleDeck, tools: Tools) -> Step:
    """A seat publishes the deck after its shuffle."""
    hand = hand_of(state)
    deck = check_pass(body.deck, state.n, "the shuffled deck", tools.known)
    passes = with_seat(hand.passes, seat, (state.height, None))
    hand = replace(hand, shuffles=(*hand.shuffles, deck), passes=passes)
    return row_done(state, hand, Phase.LOCK), (DeckShuffled(seat),)


def lock(state: State, seat: int, body: LockDeck, tools: Tools) -> Step:
    """A seat publishes the deck after its lock."""
    hand = hand_of(state)
    deck = check_pass(body.deck, state.n, "the locked deck", tools.known)
    passes = with_seat(hand.passes, seat, (hand.passes[seat][0], state.height))
    hand = replace(hand, locks=(*hand.locks, deck), passes=passes)
    return row_done(state, hand, Phase.PROVE), (DeckLocked(seat),)


def claims_of(state: State, seat: int, body: Prove) -> tuple[ProofClaim, ProofClaim]:
    """What the two proofs of a `prove` entry of `seat` claim: its shuffle, then its lock."""
    hand = hand_of(state)
    turn = hand.order.index(seat)
    commitment = hand.commits[seat]
    assert commitment is not None
    before_shuffle = hand.shuffles[turn - 1] if turn else first_deck(state.n)
    before_lock = hand.locks[turn - 1] if turn else hand.shuffles[-1]
    ctx = hand.hand_id + bytes((seat,))
    A, labels = commitment.A, commitment.labels
    return (
        ProofClaim(seat, "shuffle", ctx, A, (), before_shuffle, hand.shuffles[turn], body.shuffle_proof),
        ProofClaim(seat, "lock", ctx, A, labels, before_lock, hand.locks[turn], body.lock_proof),
    )


def prove(state: State, seat: int, body: Prove, tools: Tools) -> Step:
    """Both proofs of a seat hold. Raises NotJudged with every claim whose verdict is still open."""
    _check_length(body.shuffle_proof, shuffle_proof_length(state.n), "the shuffle proof")
    _check_length(body.lock_proof, lock_proof_length(state.n), "the lock proof")
    open_claims: list[ProofClaim] = []
    for claim in claims_of(state, seat, body):
        try:
            tools.judge(claim)
        except NotJudged:
            open_claims.append(claim)
        except Fault:
            if open_claims:  # the shuffle proof is judged whole before the lock proof
                break
            raise
    if open_claims:
        raise NotJudged(tuple(open_claims))
    hand = hand_of(state)
    hand = replace(hand, proved=with_seat(hand.proved, seat, True))
    return row_done(state, hand, Phase.READY), (ProofsAccepted(seat),)


def ready(state: State, seat: int, _: Ready, __: Tools) -> Step:
    """A seat has accepted all six proofs itself."""
    return row_done(state, hand_of(state), Phase.DEAL), (SeatReady(seat),)


def deal(state: State, seat: int, body: Deal, tools: Tools) -> Step:
    """A seat publishes its keys for the cards dealt to the others; the third deals the hand."""
    slots = phases.slots_due(state, seat)
    _check_length(body.keys, 32 * len(slots), "keys")
    hand = hand_of(state)
    for slot, key in zip(slots, split(body.keys), strict=True):
        check_slot_key(hand, seat, slot, key, tools.known)
    hand = publish(hand, seat, dict(zip(slots, split(body.keys), strict=True)))
    if state.done + 1 < SEATS:
        return row_done(state, hand, Phase.DEAL), (KeysDealt(seat),)
    position = engine.deal(state.descriptor.rules, hand.dealer)
    following = Phase.SPREAD if position.phase is GamePhase.SPREAD else Phase.PLAY
    state = row_done(state, replace(hand, position=position), following)
    return state, (KeysDealt(seat), HandDealt(hand.number))


def publish(hand: Hand, seat: int, keys: Keys) -> Hand:
    """The hand with these keys of a seat known to all."""
    return replace(hand, keys=with_seat(hand.keys, seat, {**hand.keys[seat], **keys}))


def end(state: State, seat: int, _: EndHand, __: Tools) -> Step:
    """A seat agrees that play is over."""
    return row_done(state, hand_of(state), Phase.REVEAL), (HandEnded(seat),)


def reveal(state: State, seat: int, body: RevealSeed, tools: Tools) -> Step:
    """A seat reveals its seed; with the third the hand is computed again and settled."""
    hand = hand_of(state)
    secrets = check_reveal(hand, seat, body.seed, state.n, tools.known)
    hand = replace(
        hand,
        seeds=with_seat(hand.seeds, seat, body.seed),
        opened=with_seat(hand.opened, seat, secrets),
    )
    if state.done + 1 < SEATS:
        return row_done(state, hand, Phase.SETTLE), (SeedRevealed(seat),)
    assert hand.position is not None
    faces = replay(hand, state.n, tools.known)
    public = dict(enumerate(faces))
    settlement = scoring.settle(state.descriptor.rules, hand.match, hand.position, public)
    state = row_done(state, replace(hand, faces=public), Phase.SETTLE)
    state, record = _counted(state, settlement, faces=faces, forfeited_by=None)
    return state, (SeedRevealed(seat), HandSettled(record))


def forfeit(state: State, seat: int, _: ForfeitHand, __: Tools) -> Step:
    """The legal writer gives the hand up; it is void at its cost."""
    settlement = scoring.settle_forfeit(state.descriptor.rules, hand_of(state).match, seat)
    state = replace(state, phase=Phase.SETTLE, done=0)
    state, record = _counted(state, settlement, faces=None, forfeited_by=seat)
    return state, (HandForfeited(record),)


def _counted(
    state: State, settlement: scoring.Settlement, *, faces: tuple[int, ...] | None, forfeited_by: int | None
) -> tuple[State, HandRecord]:
    hand = hand_of(state)
    record = HandRecord(
        number=hand.number,
        dealer=hand.dealer,
        settlement=settlement,
        faces=faces,
        forfeited_by=forfeited_by,
        first_height=hand.first_height,
        last_height=state.height,
        position=hand.position,
    )
    return replace(state, match=settlement.match, records=(*state.records, record)), record


def next_hand(state: State, seat: int, body: NextHand, _: Tools) -> Step:
    """A seat confirms the result; after the third comes the next hand, or the table closes."""
    _check_result(state, body.result)
    confirmed = HandConfirmed(seat)
    if state.done + 1 < SEATS:
        return replace(state, done=state.done + 1), (confirmed,)
    if phases.is_last_hand(state):
        state, closed = _closed(state, None)
        return state, (confirmed, closed)
    return replace(state, phase=Phase.COMMIT, done=0, hand=None), (confirmed,)


def leave(state: State, seat: int, body: LeaveTable, _: Tools) -> Step:
    """A seat confirms the result and closes the table for good."""
    _check_result(state, body.result)
    state, closed = _closed(state, seat)
    return state, (HandConfirmed(seat), closed)


def _closed(state: State, seat: int | None) -> tuple[State, TableClosed]:
    closing = scoring.close(state.descriptor.rules, state.match)
    state = replace(state, phase=Phase.CLOSED, done=0, match=closing.match, closed=True, closing=closing)
    return state, TableClosed(seat, closing)


def _check_result(state: State, result: bytes) -> None:
    due = phases.result_now(state)
    if result != due:
        raise Fault(Code.RESULT, f"the result is {result.hex()[:16]}.., this hand gives {due.hex()[:16]}..")


def _check_length(data: bytes, length: int, what: str) -> None:
    if len(data) != length:
        raise Fault(Code.BODY, f"{what}: {len(data)} bytes instead of {length}")
