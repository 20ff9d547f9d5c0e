"""Cheating with commitments, decks and proofs."""

import functools

from tests.cheating import body_now, cheat, edited, hand_now, other_seat
from tests.scripted import Script
from tongits_lan.deck.group import IDENTITY, add, mult, scalar
from tongits_lan.deck.shuffle import join, lock, shuffle
from tongits_lan.errors import Code
from tongits_lan.ledger.accept import pass_input
from tongits_lan.ledger.messages import (
    Commit,
    LockDeck,
    Prove,
    ShuffleDeck,
)
from tongits_lan.ledger.state import Deck, Phase

# Commit.


@cheat(Phase.COMMIT, Code.BODY, "labels: 1632 bytes instead of 1664")
def too_few_labels(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, body.labels[:-32]))


@cheat(Phase.COMMIT, Code.BODY, "no multiple of 32")
def half_a_label(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, body.labels[:-1]))


@cheat(Phase.COMMIT, Code.ELEMENT, "label 1 is no element")
def the_identity_as_a_label(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, edited(body.labels, 32, IDENTITY)))


@cheat(Phase.COMMIT, Code.ELEMENT, "A is no element")
def a_mask_in_its_second_encoding(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A[:31] + bytes([body.A[31] | 0x80]), body.labels))


@cheat(Phase.COMMIT, Code.COMMIT, "c is another seat's")
def a_copied_commitment(script: Script) -> bytes:
    first = _commit(script)
    script.write(first)
    body = _commit(script)
    return script.sign(Commit(first.c, body.A, body.labels))


@cheat(Phase.COMMIT, Code.COMMIT, "A is another seat's")
def a_copied_mask(script: Script) -> bytes:
    first = _commit(script)
    script.write(first)
    body = _commit(script)
    return script.sign(Commit(body.c, first.A, body.labels))


def _commit(script: Script) -> Commit:
    body = body_now(script)
    assert isinstance(body, Commit)
    return body


# Shuffle and lock.


def own_deck(script: Script) -> Deck:
    """The deck the honest writer would publish."""
    secrets = script.secrets(script.writer())
    act = shuffle if script.state.phase is Phase.SHUFFLE else lock
    return act(secrets, pass_input(script.state))


@cheat(Phase.SHUFFLE, Code.BODY, "the shuffled deck has 1632 bytes, not 1664")
def a_card_too_few(script: Script) -> bytes:
    return script.sign(ShuffleDeck(join(own_deck(script)[:-1])))


@cheat(Phase.SHUFFLE, Code.ELEMENT, "element 2 of the shuffled deck")
def no_element_in_the_deck(script: Script) -> bytes:
    return script.sign(ShuffleDeck(edited(join(own_deck(script)), 64, b"\xff" * 32)))


@cheat(Phase.SHUFFLE, Code.DECK, "the shuffled deck comes twice")
def a_card_twice_in_the_shuffle(script: Script) -> bytes:
    deck = own_deck(script)
    return script.sign(ShuffleDeck(join((*deck[:-1], deck[0]))))


@cheat(Phase.LOCK, Code.DECK, "the locked deck comes twice")
def a_card_twice_in_the_lock(script: Script) -> bytes:
    deck = own_deck(script)
    return script.sign(LockDeck(join((*deck[:-1], deck[0]))))


@cheat(Phase.SHUFFLE, Code.PROOF, "shuffle proof does not hold", needs_proofs=True)
def a_tagged_card(script: Script) -> bytes:
    cheater = script.writer()
    deck = own_deck(script)
    script.write(ShuffleDeck(join((mult(scalar(2), deck[0]), *deck[1:]))))
    return proofs_of(script, cheater)


@cheat(Phase.LOCK, Code.PROOF, "lock proof does not hold", needs_proofs=True)
def a_copy_of_an_opponents_card(script: Script) -> bytes:
    cheater = script.writer()
    secrets = script.secrets(cheater)
    source = pass_input(script.state)
    own, other = hand_now(script).slots_of(cheater)[0], hand_now(script).slots_of(other_seat(script))[0]
    taken = lock(secrets, (*source[:own], source[other], *source[own + 1 :]))
    script.write(LockDeck(join(taken)))
    return proofs_of(script, cheater)


@cheat(Phase.LOCK, Code.PROOF, "lock proof does not hold", needs_proofs=True)
def a_sum_of_opponents_cards(script: Script) -> bytes:
    cheater = script.writer()
    source = pass_input(script.state)
    own, other = hand_now(script).slots_of(cheater)[0], hand_now(script).slots_of(other_seat(script))
    total = functools.reduce(add, (source[slot] for slot in other[:12]))
    script.write(LockDeck(join(lock(script.secrets(cheater), (*source[:own], total, *source[own + 1 :])))))
    return proofs_of(script, cheater)


def proofs_of(script: Script, cheater: int) -> bytes:
    script.until(Phase.PROVE)
    while script.writer() != cheater:
        script.write(body_now(script))
    return script.sign(body_now(script))


# Proofs.


def _prove(script: Script) -> Prove:
    body = body_now(script)
    assert isinstance(body, Prove)
    return body


@cheat(Phase.PROVE, Code.BODY, "the shuffle proof: 6784 bytes")
def a_proof_cut_short(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(body.shuffle_proof[:-32], body.lock_proof))


@cheat(Phase.PROVE, Code.ELEMENT, "C[0] of the shuffle proof", needs_proofs=True)
def the_identity_in_a_proof(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(edited(body.shuffle_proof, 0, IDENTITY), body.lock_proof))


@cheat(Phase.PROVE, Code.SCALAR, "a response of the lock proof is no scalar", needs_proofs=True)
def a_response_of_zero(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(body.shuffle_proof, edited(body.lock_proof, 64, bytes(32))))


@cheat(Phase.PROVE, Code.PROOF, "lock proof does not hold", needs_proofs=True)
def another_response(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(body.shuffle_proof, edited(body.lock_proof, 64, scalar(5))))


@cheat(Phase.PROVE, Code.PROOF, "shuffle proof does not hold", needs_proofs=True)
def proofs_of_another_seat(script: Script) -> bytes:
    first = _prove(script)
    script.write(first)
    return script.sign(first)
