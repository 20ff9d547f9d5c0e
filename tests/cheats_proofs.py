"""More cheating with decks and proofs: what a prover might send instead of an honest proof."""

import dataclasses

from tests.cheating import body_now, cheat, edited, hand_now
from tests.cheats_deck import own_deck, proofs_of
from tests.deck_plain import fixed, plain_shuffle_proof
from tests.scripted import Draws, Script
from tongits_lan.deck.group import L, mult, mult_base, number, scalar
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.deck.shuffle import first_deck, join, lock
from tongits_lan.errors import Code
from tongits_lan.ledger.accept import pass_input
from tongits_lan.ledger.messages import Commit, LockDeck, Prove, ShuffleDeck
from tongits_lan.ledger.state import Phase

SECOND = 0x80  # set in the last byte, it makes the second encoding of an element
SHUFFLE = "shuffle proof does not hold"
LOCK = "lock proof does not hold"


def _commit(script: Script) -> Commit:
    body = body_now(script)
    assert isinstance(body, Commit)
    return body


def _prove(script: Script) -> Prove:
    body = body_now(script)
    assert isinstance(body, Prove)
    return body


@cheat(Phase.COMMIT, Code.ELEMENT, "A is no element")
def the_identity_as_a_mask(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, bytes(32), body.labels))


@cheat(Phase.COMMIT, Code.ELEMENT, "A is no element")
def the_identity_in_its_second_encoding(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, bytes(31) + bytes([SECOND]), body.labels))


@cheat(Phase.COMMIT, Code.ELEMENT, "label 0 is no element")
def a_label_beyond_the_field(script: Script) -> bytes:
    body = _commit(script)
    prime = (2**255 - 19).to_bytes(32, "little")
    return script.sign(Commit(body.c, body.A, edited(body.labels, 0, prime)))


@cheat(Phase.LOCK, Code.ELEMENT, "element 0 of the locked deck")
def a_card_in_its_second_encoding(script: Script) -> bytes:
    data = join(lock(script.secrets(script.writer()), pass_input(script.state)))
    return script.sign(LockDeck(edited(data, 31, bytes([data[31] | SECOND]))))


@cheat(Phase.SHUFFLE, Code.PROOF, SHUFFLE, needs_proofs=True)
def a_card_made_of_another(script: Script) -> bytes:
    """One card is gone; in its place stands a multiple of another one, known again in any deck."""
    cheater, deck = script.writer(), own_deck(script)
    script.write(ShuffleDeck(join((*deck[:5], mult(scalar(7), deck[9]), *deck[6:]))))
    return proofs_of(script, cheater)


@cheat(Phase.SHUFFLE, Code.PROOF, SHUFFLE, needs_proofs=True)
def another_mask_than_the_committed_one(script: Script) -> bytes:
    cheater = script.writer()
    honest = script.secrets(cheater)
    script.replaced[hand_now(script).number, cheater] = dataclasses.replace(honest, a=scalar(11))
    return proofs_of(script, cheater)


@cheat(Phase.LOCK, Code.PROOF, LOCK, needs_proofs=True)
def a_lock_without_its_label(script: Script) -> bytes:
    cheater = script.writer()
    deck = own_deck(script)
    script.write(LockDeck(join((*deck[:7], mult(scalar(3), deck[7]), *deck[8:]))))
    return proofs_of(script, cheater)


@cheat(Phase.LOCK, Code.PROOF, LOCK, needs_proofs=True)
def two_slots_exchanged_in_the_lock(script: Script) -> bytes:
    cheater = script.writer()
    source = pass_input(script.state)
    exchanged = (source[1], source[0], *source[2:])
    script.write(LockDeck(join(lock(script.secrets(cheater), exchanged))))
    return proofs_of(script, cheater)


@cheat(Phase.PROVE, Code.PROOF, SHUFFLE, needs_proofs=True)
def another_challenge(script: Script) -> bytes:
    body, n = _prove(script), script.rules.n
    return script.sign(Prove(edited(body.shuffle_proof, 64 * n, scalar(4)), body.lock_proof))


@cheat(Phase.PROVE, Code.PROOF, SHUFFLE, needs_proofs=True)
def another_first_commitment(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(edited(body.shuffle_proof, 0, mult_base(scalar(6))), body.lock_proof))


@cheat(Phase.PROVE, Code.SCALAR, "a response of the shuffle proof is no scalar", needs_proofs=True)
def a_response_beyond_the_order(script: Script) -> bytes:
    body = _prove(script)
    beyond = number(body.shuffle_proof[-32:]) + L
    raw = beyond.to_bytes(32, "little")
    return script.sign(Prove(body.shuffle_proof[:-32] + raw, body.lock_proof))


@cheat(Phase.PROVE, Code.BODY, "the shuffle proof: 1728 bytes")
def two_proofs_exchanged(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(body.lock_proof, body.shuffle_proof))


@cheat(Phase.PROVE, Code.PROOF, LOCK, needs_proofs=True)
def a_lock_proof_of_another_seat(script: Script) -> bytes:
    first = _prove(script)
    script.write(first)
    return script.sign(Prove(_prove(script).shuffle_proof, first.lock_proof))


@cheat(Phase.PROVE, Code.PROOF, SHUFFLE, needs_proofs=True)
def proofs_of_another_hand(script: Script) -> bytes:
    """The proofs a seat made in the first hand, sent again in the second."""
    cheater, before = script.writer(), _prove(script)
    script.play_hand()
    script.next_hand()
    script.until(Phase.PROVE)
    while script.writer() != cheater:
        script.write(body_now(script))
    return script.sign(before)


@cheat(Phase.PROVE, Code.PROOF, "identity", needs_proofs=True)
def a_sum_of_zero(script: Script) -> bytes:
    """A prover that chooses its nonces so that they add up to nothing."""
    hand, seat, n = hand_now(script), script.writer(), script.rules.n
    turn = hand.order.index(seat)
    source, made = (first_deck(n), *hand.shuffles)[turn : turn + 2]
    proof = plain_shuffle_proof(script.secrets(seat), source, made, fixed(_zero_sum(n), Draws("sum of zero")))
    return script.sign(Prove(proof, _prove(script).lock_proof))


def _zero_sum(count: int) -> list[int]:
    values = [number(Draws(f"zero {i}")(32)) % L for i in range(count - 1)]
    return [*values, -sum(values) % L]


@cheat(Phase.COMMIT, Code.REPLAY, "shuffle", needs_proofs=True)
def an_order_changed_in_two_places(script: Script) -> bytes:
    """The smallest lie about an order: two cards exchanged, everything proved."""
    cheater = script.writer()
    script.replaced[hand_now(script).number, cheater] = _exchanged(script.secrets(cheater))
    script.until(Phase.REVEAL)
    script.write(body_now(script))
    script.write(body_now(script))
    return script.sign(body_now(script))


def _exchanged(honest: HandSecrets) -> HandSecrets:
    return dataclasses.replace(honest, p=(honest.p[1], honest.p[0], *honest.p[2:]))
