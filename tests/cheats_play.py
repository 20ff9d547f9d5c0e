"""Cheating with keys, moves and at the end of a hand."""

import dataclasses

from tests.cheating import body_now, cheat, edited, hand_now, held, other_seat
from tests.scripted import Script, plain_choice
from tongits_lan.deck.group import L, scalar
from tongits_lan.errors import Code
from tongits_lan.game import engine, refusals
from tongits_lan.game.moves import Meld
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.ledger.accept import slots_due
from tongits_lan.ledger.messages import (
    AnswerDraw,
    CallDraw,
    Deal,
    DrawStock,
    HideSet,
    LayMeld,
    LayOff,
    LeaveTable,
    NextHand,
    ReleaseKey,
    RevealSeed,
    TakeDiscard,
    ThrowCard,
)
from tongits_lan.ledger.state import Phase

# Keys.


@cheat(Phase.DEAL, Code.BODY, "keys: 736 bytes instead of 768")
def a_key_too_few(script: Script) -> bytes:
    body = _deal(script)
    return script.sign(Deal(body.keys[:-32]))


@cheat(Phase.DEAL, Code.SCALAR, "the key of slot 1 is no scalar")
def a_key_of_zero(script: Script) -> bytes:
    return script.sign(Deal(edited(_deal(script).keys, 0, bytes(32))))


@cheat(Phase.DEAL, Code.SCALAR, "the key of slot 1 is no scalar")
def a_key_beyond_the_order(script: Script) -> bytes:
    body = _deal(script)
    beyond = int.from_bytes(body.keys[:32], "little") + L
    return script.sign(Deal(edited(body.keys, 0, beyond.to_bytes(32, "little"))))


@cheat(Phase.DEAL, Code.KEY, "the key of slot 2 does not fit")
def a_wrong_key(script: Script) -> bytes:
    return script.sign(Deal(edited(_deal(script).keys, 32, scalar(7))))


def _deal(script: Script) -> Deal:
    body = body_now(script)
    assert isinstance(body, Deal)
    return body


def _to_key_due(script: Script) -> None:
    while not slots_due(script.state, script.writer()):
        script.step(plain_choice)


@cheat(Phase.PLAY, Code.SLOT, "for slot 37, not for slot 38")
def a_key_for_another_slot(script: Script) -> bytes:
    _to_key_due(script)
    seat = script.writer()
    slot = slots_due(script.state, seat)[0] + 1
    return script.sign(ReleaseKey(slot, script.secrets(seat).k[slot]))


@cheat(Phase.PLAY, Code.KEY, "the key of slot 37 does not fit")
def a_wrong_key_for_a_drawn_card(script: Script) -> bytes:
    _to_key_due(script)
    return script.sign(ReleaseKey(slots_due(script.state, script.writer())[0], scalar(9)))


@cheat(Phase.PLAY, Code.PHASE, "draw in phase play: due is key")
def a_move_while_a_key_is_due(script: Script) -> bytes:
    _to_key_due(script)
    return script.sign(DrawStock())


# Moves.


def _discard(script: Script, seat: int, slot: int) -> ThrowCard:
    return ThrowCard(slot, script.secrets(seat).k[slot])


@cheat(Phase.PLAY, Code.SLOT, "slot 1 is not in the hand")
def an_opponents_card_discarded(script: Script) -> bytes:
    seat = script.writer()
    return script.sign(_discard(script, seat, held(script, other_seat(script))[0]))


@cheat(Phase.PLAY, Code.SLOT, "slot 51 is not in the hand")
def a_stock_card_discarded(script: Script) -> bytes:
    return script.sign(_discard(script, script.writer(), 51))


@cheat(Phase.PLAY, Code.KEY, "the key of slot 0")
def a_lie_about_a_card(script: Script) -> bytes:
    return script.sign(ThrowCard(held(script, script.writer())[0], scalar(3)))


@cheat(Phase.PLAY, Code.BODY, "1 keys for 2 slots")
def two_slots_and_one_key(script: Script) -> bytes:
    seat = script.writer()
    one, two = held(script, seat)[:2]
    return script.sign(LayMeld((one, two), (script.secrets(seat).k[one],), ()))


@cheat(Phase.PLAY, Code.BODY, "a hidden set of 3 slots")
def a_hidden_set_of_three(script: Script) -> bytes:
    return script.sign(HideSet(held(script, script.writer())[:3]))


@cheat(Phase.PLAY, Code.BODY, "are not ascending")
def slots_out_of_order(script: Script) -> bytes:
    seat = script.writer()
    one, two, three = held(script, seat)[:3]
    k = script.secrets(seat).k
    return script.sign(LayMeld((two, one, three), (k[two], k[one], k[three]), ()))


@cheat(Phase.PLAY, Code.RULES, refusals.NOT_A_MELD)
def cards_that_are_no_meld(script: Script) -> bytes:
    seat = script.writer()
    faces, k = script.faces(), script.secrets(seat).k
    slots = sorted(held(script, seat), key=lambda slot: faces[slot] % 13)
    laid = tuple(sorted((slots[0], slots[5], slots[-1])))
    return script.sign(LayMeld(laid, tuple(k[slot] for slot in laid), ()))


@cheat(Phase.PLAY, Code.RULES, refusals.JOKER_STANDS)
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


@cheat(Phase.PLAY, Code.RULES, refusals.NO_MELD_THERE)
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


@cheat(Phase.PLAY, Code.RULES, refusals.CALL_FIRST_TURN)
def a_call_before_opening(script: Script) -> bytes:
    _to_start(script)
    return script.sign(CallDraw((), ()))


@cheat(Phase.PLAY, Code.RULES, refusals.TAKE_NOT_A_MELD)
def a_discard_taken_for_nothing(script: Script) -> bytes:
    _to_start(script)
    return script.sign(TakeDiscard(None, (), (), ()))


@cheat(Phase.PLAY, Code.PHASE, "answer in phase play: due is meld")
def an_answer_without_a_call(script: Script) -> bytes:
    return script.sign(AnswerDraw("fold", (), ()))


@cheat(Phase.PLAY, Code.PHASE, "discard in phase play: due is draw")
def a_second_discard(script: Script) -> bytes:
    seat = _to_start(script)
    return script.sign(_discard(script, seat, held(script, seat)[0]))


# The end.


@cheat(Phase.REVEAL, Code.SEED, "does not fit its commitment")
def another_seed(script: Script) -> bytes:
    return script.sign(RevealSeed(bytes(32)))


@cheat(Phase.SETTLE, Code.RESULT, "the result is 0000")
def another_result(script: Script) -> bytes:
    return script.sign(NextHand(bytes(32)))


@cheat(Phase.SETTLE, Code.RESULT, "the result is 0000")
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
