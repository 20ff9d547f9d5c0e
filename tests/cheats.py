"""Ways to cheat: for each the phase in which it is tried, the entry, and what it must be called.

`make` gets a script that stands in that phase and returns the offending entry; it may write good entries
first. Shared by the tests of acceptance and by the golden ledgers.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from tests.scripted import Script, plain_choice
from tongits_lan.deck.group import IDENTITY, L, mult, scalar
from tongits_lan.deck.shuffle import join, lock, shuffle
from tongits_lan.errors import Code
from tongits_lan.game import engine
from tongits_lan.game.moves import Meld
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.ledger.accept import pass_input, slots_due
from tongits_lan.ledger.messages import (
    AnswerDraw,
    Body,
    CallDraw,
    Commit,
    Deal,
    DrawStock,
    ForfeitHand,
    HideSet,
    LayMeld,
    LayOff,
    LeaveTable,
    LockDeck,
    NextHand,
    Open,
    Prove,
    ReleaseKey,
    RevealSeed,
    ShuffleDeck,
    Sit,
    TakeDiscard,
    ThrowCard,
)
from tongits_lan.ledger.state import Deck, Hand, Phase

Make = Callable[[Script], bytes]


@dataclass(frozen=True, slots=True)
class Cheat:
    """`text` must stand in what is said of it; `height` of the fault, else that of the entry."""

    name: str
    phase: Phase
    make: Make
    code: Code
    text: str = ""
    needs_proofs: bool = False
    convicts: bool = True


CHEATS: list[Cheat] = []


def cheat(
    phase: Phase, code: Code, text: str = "", *, needs_proofs: bool = False, convicts: bool = True
) -> Callable[[Make], Make]:
    """Register a way to cheat under the function's name."""

    def register(make: Make) -> Make:
        name = make.__name__.replace("_", "-")
        CHEATS.append(Cheat(name, phase, make, code, text, needs_proofs, convicts))
        return make

    return register


def body_now(script: Script) -> Body:
    """What the honest writer would write."""
    body = script.due_body()
    assert body is not None
    return body


def other_seat(script: Script) -> int:
    """A seat that is not due."""
    return (script.writer() + 1) % 3


def hand_now(script: Script) -> Hand:
    """The running hand."""
    assert script.state.hand is not None
    return script.state.hand


def held(script: Script, seat: int) -> tuple[int, ...]:
    """The slots a seat holds."""
    position = hand_now(script).position
    assert position is not None
    return position.hands[seat]


def edited(data: bytes, at: int, part: bytes) -> bytes:
    """The bytes with a part written over."""
    return data[:at] + part + data[at + len(part) :]


# Bytes that convict nobody.


@cheat(Phase.SHUFFLE, Code.SIZE, convicts=False)
def an_entry_too_large(script: Script) -> bytes:
    return script.sign(ShuffleDeck(bytes(32 * 600)))


@cheat(Phase.SHUFFLE, Code.DECODE, convicts=False)
def noise(script: Script) -> bytes:
    return b"\xc1" + script.sign(body_now(script))


@cheat(Phase.SHUFFLE, Code.CANONICAL, convicts=False)
def a_long_form(script: Script) -> bytes:
    raw = script.sign(body_now(script))
    assert raw[:2] == b"\x92\xc5"  # bin 16: the same length fits bin 32 as well
    return b"\x92\xc6\x00\x00" + raw[2:]


@cheat(Phase.SHUFFLE, Code.SIGNATURE, convicts=False)
def a_forged_signature(script: Script) -> bytes:
    raw = script.sign(body_now(script))
    return raw[:-1] + bytes([raw[-1] ^ 1])


@cheat(Phase.SHUFFLE, Code.SIGNATURE, convicts=False)
def an_entry_of_another_table(script: Script) -> bytes:
    stranger = Script("another table")
    stranger.until(Phase.SHUFFLE)
    return stranger.sign(body_now(stranger), seat=script.writer())


@cheat(Phase.SHUFFLE, Code.CHAIN, convicts=False)
def an_entry_once_more(script: Script) -> bytes:
    return script.entries[-1]


@cheat(Phase.SHUFFLE, Code.CHAIN, convicts=False)
def an_entry_of_a_height_to_come(script: Script) -> bytes:
    return script.sign(body_now(script), height=script.state.height + 1)


# Before the first hand.


@cheat(Phase.SIT, Code.BODY)
def another_descriptor_signed(script: Script) -> bytes:
    return script.sign(Sit(bytes(32)))


@cheat(Phase.OPEN, Code.COMMIT)
def another_nonce(script: Script) -> bytes:
    return script.sign(Open(bytes(32)))


# Out of turn.


@cheat(Phase.COMMIT, Code.PHASE)
def a_shuffle_before_all_commits(script: Script) -> bytes:
    return script.sign(ShuffleDeck(bytes(32 * 52)))


@cheat(Phase.COMMIT, Code.WRITER)
def a_commit_out_of_turn(script: Script) -> bytes:
    return script.sign(body_now(script), seat=other_seat(script))


@cheat(Phase.COMMIT, Code.WRITER)
def a_forfeit_out_of_turn(script: Script) -> bytes:
    return script.sign(ForfeitHand(), seat=other_seat(script))


@cheat(Phase.READY, Code.PHASE)
def a_key_before_three_ready(script: Script) -> bytes:
    return script.sign(Deal(bytes(32 * 24)))


@cheat(Phase.PLAY, Code.WRITER)
def a_discard_out_of_turn(script: Script) -> bytes:
    seat = other_seat(script)
    slot = held(script, seat)[0]
    return script.sign(ThrowCard(slot, script.secrets(seat).k[slot]), seat=seat)


@cheat(Phase.PLAY, Code.PHASE)
def a_leave_in_mid_hand(script: Script) -> bytes:
    return script.sign(LeaveTable(bytes(32)))


@cheat(Phase.PLAY, Code.PHASE)
def a_draw_in_the_first_turn(script: Script) -> bytes:
    return script.sign(DrawStock())


@cheat(Phase.END, Code.PHASE)
def a_seed_before_three_ends(script: Script) -> bytes:
    script.write(body_now(script))
    return script.sign(RevealSeed(script.secrets(script.writer()).seed))


@cheat(Phase.END, Code.PHASE)
def a_forfeit_after_the_end(script: Script) -> bytes:
    return script.sign(ForfeitHand())


@cheat(Phase.SETTLE, Code.PHASE)
def an_entry_after_a_leave(script: Script) -> bytes:
    seat, result = script.writer(), body_now(script)
    script.leave()
    return script.sign(result, seat=seat)


# Commit.


@cheat(Phase.COMMIT, Code.BODY)
def too_few_labels(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, body.labels[:-32]))


@cheat(Phase.COMMIT, Code.BODY)
def half_a_label(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, body.labels[:-1]))


@cheat(Phase.COMMIT, Code.ELEMENT)
def the_identity_as_a_label(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A, edited(body.labels, 32, IDENTITY)))


@cheat(Phase.COMMIT, Code.ELEMENT)
def a_mask_in_its_second_encoding(script: Script) -> bytes:
    body = _commit(script)
    return script.sign(Commit(body.c, body.A[:31] + bytes([body.A[31] | 0x80]), body.labels))


@cheat(Phase.COMMIT, Code.COMMIT)
def a_copied_commitment(script: Script) -> bytes:
    first = _commit(script)
    script.write(first)
    body = _commit(script)
    return script.sign(Commit(first.c, body.A, body.labels))


@cheat(Phase.COMMIT, Code.COMMIT)
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


def _deck(script: Script) -> Deck:
    """The deck the honest writer would publish."""
    secrets = script.secrets(script.writer())
    act = shuffle if script.state.phase is Phase.SHUFFLE else lock
    return act(secrets, pass_input(script.state))


@cheat(Phase.SHUFFLE, Code.BODY)
def a_card_too_few(script: Script) -> bytes:
    return script.sign(ShuffleDeck(join(_deck(script)[:-1])))


@cheat(Phase.SHUFFLE, Code.ELEMENT)
def no_element_in_the_deck(script: Script) -> bytes:
    return script.sign(ShuffleDeck(edited(join(_deck(script)), 64, b"\xff" * 32)))


@cheat(Phase.SHUFFLE, Code.DECK)
def a_card_twice_in_the_shuffle(script: Script) -> bytes:
    deck = _deck(script)
    return script.sign(ShuffleDeck(join((*deck[:-1], deck[0]))))


@cheat(Phase.LOCK, Code.DECK)
def a_card_twice_in_the_lock(script: Script) -> bytes:
    deck = _deck(script)
    return script.sign(LockDeck(join((*deck[:-1], deck[0]))))


@cheat(Phase.SHUFFLE, Code.PROOF, "shuffle proof does not hold", needs_proofs=True)
def a_tagged_card(script: Script) -> bytes:
    cheater = script.writer()
    deck = _deck(script)
    script.write(ShuffleDeck(join((mult(scalar(2), deck[0]), *deck[1:]))))
    return _proofs_of(script, cheater)


@cheat(Phase.LOCK, Code.PROOF, "lock proof does not hold", needs_proofs=True)
def a_copy_of_an_opponents_card(script: Script) -> bytes:
    cheater = script.writer()
    secrets = script.secrets(cheater)
    source = pass_input(script.state)
    own, other = hand_now(script).slots_of(cheater)[0], hand_now(script).slots_of(other_seat(script))[0]
    taken = lock(secrets, (*source[:own], source[other], *source[own + 1 :]))
    script.write(LockDeck(join(taken)))
    return _proofs_of(script, cheater)


def _proofs_of(script: Script, cheater: int) -> bytes:
    script.until(Phase.PROVE)
    while script.writer() != cheater:
        script.write(body_now(script))
    return script.sign(body_now(script))


# Proofs.


def _prove(script: Script) -> Prove:
    body = body_now(script)
    assert isinstance(body, Prove)
    return body


@cheat(Phase.PROVE, Code.BODY)
def a_proof_cut_short(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(body.shuffle_proof[:-32], body.lock_proof))


@cheat(Phase.PROVE, Code.ELEMENT, needs_proofs=True)
def the_identity_in_a_proof(script: Script) -> bytes:
    body = _prove(script)
    return script.sign(Prove(edited(body.shuffle_proof, 0, IDENTITY), body.lock_proof))


@cheat(Phase.PROVE, Code.SCALAR, needs_proofs=True)
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


# Keys.


@cheat(Phase.DEAL, Code.BODY)
def a_key_too_few(script: Script) -> bytes:
    body = _deal(script)
    return script.sign(Deal(body.keys[:-32]))


@cheat(Phase.DEAL, Code.SCALAR)
def a_key_of_zero(script: Script) -> bytes:
    return script.sign(Deal(edited(_deal(script).keys, 0, bytes(32))))


@cheat(Phase.DEAL, Code.SCALAR)
def a_key_beyond_the_order(script: Script) -> bytes:
    body = _deal(script)
    beyond = int.from_bytes(body.keys[:32], "little") + L
    return script.sign(Deal(edited(body.keys, 0, beyond.to_bytes(32, "little"))))


@cheat(Phase.DEAL, Code.KEY)
def a_wrong_key(script: Script) -> bytes:
    return script.sign(Deal(edited(_deal(script).keys, 32, scalar(7))))


def _deal(script: Script) -> Deal:
    body = body_now(script)
    assert isinstance(body, Deal)
    return body


def _to_key_due(script: Script) -> None:
    while not slots_due(script.state, script.writer()):
        script.step(plain_choice)


@cheat(Phase.PLAY, Code.SLOT)
def a_key_for_another_slot(script: Script) -> bytes:
    _to_key_due(script)
    seat = script.writer()
    slot = slots_due(script.state, seat)[0] + 1
    return script.sign(ReleaseKey(slot, script.secrets(seat).k[slot]))


@cheat(Phase.PLAY, Code.KEY)
def a_wrong_key_for_a_drawn_card(script: Script) -> bytes:
    _to_key_due(script)
    return script.sign(ReleaseKey(slots_due(script.state, script.writer())[0], scalar(9)))


@cheat(Phase.PLAY, Code.PHASE)
def a_move_while_a_key_is_due(script: Script) -> bytes:
    _to_key_due(script)
    return script.sign(DrawStock())


# Moves.


def _discard(script: Script, seat: int, slot: int) -> ThrowCard:
    return ThrowCard(slot, script.secrets(seat).k[slot])


@cheat(Phase.PLAY, Code.SLOT)
def an_opponents_card_discarded(script: Script) -> bytes:
    seat = script.writer()
    return script.sign(_discard(script, seat, held(script, other_seat(script))[0]))


@cheat(Phase.PLAY, Code.SLOT)
def a_stock_card_discarded(script: Script) -> bytes:
    return script.sign(_discard(script, script.writer(), 51))


@cheat(Phase.PLAY, Code.KEY)
def a_lie_about_a_card(script: Script) -> bytes:
    return script.sign(ThrowCard(held(script, script.writer())[0], scalar(3)))


@cheat(Phase.PLAY, Code.BODY)
def two_slots_and_one_key(script: Script) -> bytes:
    seat = script.writer()
    one, two = held(script, seat)[:2]
    return script.sign(LayMeld((one, two), (script.secrets(seat).k[one],), ()))


@cheat(Phase.PLAY, Code.BODY)
def a_hidden_set_of_three(script: Script) -> bytes:
    return script.sign(HideSet(held(script, script.writer())[:3]))


@cheat(Phase.PLAY, Code.BODY)
def slots_out_of_order(script: Script) -> bytes:
    seat = script.writer()
    one, two, three = held(script, seat)[:3]
    k = script.secrets(seat).k
    return script.sign(LayMeld((two, one, three), (k[two], k[one], k[three]), ()))


@cheat(Phase.PLAY, Code.RULES)
def cards_that_are_no_meld(script: Script) -> bytes:
    seat = script.writer()
    faces, k = script.faces(), script.secrets(seat).k
    slots = sorted(held(script, seat), key=lambda slot: faces[slot] % 13)
    laid = tuple(sorted((slots[0], slots[5], slots[-1])))
    return script.sign(LayMeld(laid, tuple(k[slot] for slot in laid), ()))


@cheat(Phase.PLAY, Code.RULES)
def a_wild_card_without_joker(script: Script) -> bytes:
    while True:
        seat = script.writer()
        laid = _first_meld(script, seat)
        if laid and script.due_body() is None:
            k = script.secrets(seat).k
            return script.sign(LayMeld(laid, tuple(k[slot] for slot in laid), (5,)))
        script.step(plain_choice)


def _first_meld(script: Script, seat: int) -> tuple[int, ...]:
    position = hand_now(script).position
    assert position is not None
    if position.phase is not GamePhase.ACTION or script.due_body() is not None:
        return ()
    melds = [move for move in engine.legal_moves(script.view(seat)) if isinstance(move, Meld)]
    return tuple(slot for slot, _ in melds[0].cards) if melds else ()


@cheat(Phase.PLAY, Code.RULES)
def a_lay_off_on_no_meld(script: Script) -> bytes:
    seat = script.writer()
    slot = held(script, seat)[0]
    return script.sign(LayOff(40, (slot,), (script.secrets(seat).k[slot],), ()))


def _to_start(script: Script) -> int:
    while True:
        position = hand_now(script).position
        assert position is not None
        if position.phase is GamePhase.START:
            return script.writer()
        script.step(plain_choice)


@cheat(Phase.PLAY, Code.RULES)
def a_call_before_opening(script: Script) -> bytes:
    _to_start(script)
    return script.sign(CallDraw((), ()))


@cheat(Phase.PLAY, Code.RULES)
def a_discard_taken_for_nothing(script: Script) -> bytes:
    _to_start(script)
    return script.sign(TakeDiscard(None, (), (), ()))


@cheat(Phase.PLAY, Code.PHASE)
def an_answer_without_a_call(script: Script) -> bytes:
    return script.sign(AnswerDraw("fold", (), ()))


@cheat(Phase.PLAY, Code.PHASE)
def a_second_discard(script: Script) -> bytes:
    seat = _to_start(script)
    return script.sign(_discard(script, seat, held(script, seat)[0]))


# The end.


@cheat(Phase.REVEAL, Code.SEED)
def another_seed(script: Script) -> bytes:
    return script.sign(RevealSeed(bytes(32)))


@cheat(Phase.SETTLE, Code.RESULT)
def another_result(script: Script) -> bytes:
    return script.sign(NextHand(bytes(32)))


@cheat(Phase.SETTLE, Code.RESULT)
def another_result_on_leaving(script: Script) -> bytes:
    return script.sign(LeaveTable(bytes(32)))


@cheat(Phase.COMMIT, Code.REPLAY, "shuffle", needs_proofs=True)
def an_order_of_ones_own_choice(script: Script) -> bytes:
    """The shuffle is proved, but its order does not come from the committed seed."""
    cheater = script.writer()
    secrets = script.secrets(cheater)
    chosen = dataclasses.replace(secrets, p=tuple(reversed(secrets.p)))
    script.replaced[hand_now(script).number, cheater] = chosen
    script.until(Phase.REVEAL)
    script.write(body_now(script))
    script.write(body_now(script))
    return script.sign(body_now(script))
