"""More cheating in play and at the end: moves against the rules, keys and seeds before their time."""

from tests.cheating import body_now, cheat, hand_now, held, other_seat
from tests.scripted import Script, plain_choice
from tongits_lan.errors import Code
from tongits_lan.game import engine, refusals
from tongits_lan.game.moves import Sapaw
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.ledger.accept import result_now, slots_due
from tongits_lan.ledger.messages import (
    AnswerDraw,
    CallDraw,
    Commit,
    DrawStock,
    EndHand,
    ForfeitHand,
    HideSet,
    LayMeld,
    LayOff,
    NextHand,
    Open,
    PassSpread,
    Ready,
    ReleaseKey,
    RevealSeed,
    TakeDiscard,
    ThrowCard,
)
from tongits_lan.ledger.state import Phase

FEW = 60  # entries of play in which the plain player surely comes to what is looked for


def _keys(script: Script, slots: tuple[int, ...]) -> tuple[bytes, ...]:
    secrets = script.secrets(script.writer())
    return tuple(secrets.k[slot] for slot in slots)


def _mine(script: Script) -> tuple[int, ...]:
    return held(script, script.writer())


def _position_phase(script: Script) -> GamePhase | None:
    hand = hand_now(script)
    return None if hand.position is None or script.due_body() is not None else hand.position.phase


def _to(script: Script, phase: GamePhase) -> None:
    for _ in range(FEW):
        if _position_phase(script) is phase:
            return
        script.step(plain_choice)
    raise AssertionError(f"no {phase} in sight")


# Out of order.


@cheat(Phase.COMMIT, Code.WRITER, "wrote, seat")
def a_second_commit(script: Script) -> bytes:
    seat, body = script.writer(), body_now(script)
    script.write(body)
    return script.sign(body, seat=seat)


@cheat(Phase.COMMIT, Code.PHASE, "reveal in phase commit")
def a_seed_instead_of_a_commitment(script: Script) -> bytes:
    return script.sign(RevealSeed(script.secrets(script.writer()).seed))


@cheat(Phase.COMMIT, Code.PHASE, "open in phase commit")
def a_nonce_opened_twice(script: Script) -> bytes:
    return script.sign(Open(script.nonces[script.writer()]))


@cheat(Phase.SHUFFLE, Code.PHASE, "commit in phase shuffle")
def a_commitment_after_all_commitments(script: Script) -> bytes:
    """Another seed, now that the others' commitments are there."""
    secrets = script.secrets(script.writer())
    return script.sign(Commit(bytes(31) + b"\x01", secrets.A, b"".join(secrets.labels)))


@cheat(Phase.PROVE, Code.PHASE, "ready in phase prove")
def ready_before_all_proofs(script: Script) -> bytes:
    return script.sign(Ready())


@cheat(Phase.PLAY, Code.PHASE, "reveal in phase play")
def a_seed_in_mid_hand(script: Script) -> bytes:
    return script.sign(RevealSeed(script.secrets(script.writer()).seed))


@cheat(Phase.PLAY, Code.PHASE, "end in phase play")
def an_end_in_mid_hand(script: Script) -> bytes:
    return script.sign(EndHand())


@cheat(Phase.PLAY, Code.PHASE, "pass in phase play")
def a_pass_where_nothing_is_spread(script: Script) -> bytes:
    return script.sign(PassSpread())


@cheat(Phase.REVEAL, Code.PHASE, "forfeit in phase reveal")
def a_forfeit_after_three_ends(script: Script) -> bytes:
    return script.sign(ForfeitHand())


@cheat(Phase.SETTLE, Code.PHASE, "forfeit in phase settle")
def a_forfeit_of_a_hand_that_is_lost(script: Script) -> bytes:
    return script.sign(ForfeitHand())


@cheat(Phase.SETTLE, Code.PHASE, "commit in phase settle")
def a_next_hand_before_the_result_is_signed(script: Script) -> bytes:
    secrets = script.secrets(script.writer())
    return script.sign(Commit(bytes(32), secrets.A, b"".join(secrets.labels)))


# Keys.


def _to_keys(script: Script) -> None:
    while not slots_due(script.state, script.writer()):
        script.step(plain_choice)


@cheat(Phase.PLAY, Code.WRITER, "wrote, seat")
def the_own_key_before_the_others_gave_theirs(script: Script) -> bytes:
    """Who drew writes in the place of who must give a key."""
    _to_keys(script)
    key_due = hand_now(script).key_due
    assert key_due is not None
    drawer = ({0, 1, 2} - set(key_due.seats)).pop()
    return script.sign(ReleaseKey(key_due.slot, script.secrets(drawer).k[key_due.slot]), seat=drawer)


@cheat(Phase.PLAY, Code.WRITER, "wrote, seat")
def a_key_given_twice(script: Script) -> bytes:
    _to_keys(script)
    seat, body = script.writer(), body_now(script)
    script.write(body)
    return script.sign(body, seat=seat)


@cheat(Phase.PLAY, Code.PHASE, "key in phase play")
def a_key_nobody_waits_for(script: Script) -> bytes:
    seat = script.writer()
    slot = held(script, other_seat(script))[0]
    return script.sign(ReleaseKey(slot, script.secrets(seat).k[slot]))


@cheat(Phase.PLAY, Code.KEY, "the key of slot 0")
def the_key_of_another_card(script: Script) -> bytes:
    """The card in hand is shown with the key of the one beside it."""
    one, two = _mine(script)[:2]
    return script.sign(ThrowCard(one, script.secrets(script.writer()).k[two]))


# Moves.


@cheat(Phase.PLAY, Code.RULES, refusals.NOT_A_MELD)
def a_meld_of_two(script: Script) -> bytes:
    laid = _mine(script)[:2]
    return script.sign(LayMeld(laid, _keys(script, laid), ()))


@cheat(Phase.PLAY, Code.SLOT, "slot 1 is not in the hand")
def a_hidden_set_with_an_opponents_card(script: Script) -> bytes:
    theirs = held(script, other_seat(script))[0]
    return script.sign(HideSet(tuple(sorted((*_mine(script)[:3], theirs)))))


@cheat(Phase.PLAY, Code.PHASE, "draw in phase play: due is meld")
def a_draw_in_mid_turn(script: Script) -> bytes:
    _to(script, GamePhase.START)
    script.write(DrawStock())
    _to(script, GamePhase.ACTION)
    return script.sign(DrawStock())


@cheat(Phase.PLAY, Code.PHASE, "call in phase play")
def a_call_in_mid_turn(script: Script) -> bytes:
    return script.sign(CallDraw((), ()))


@cheat(Phase.PLAY, Code.RULES, refusals.NOT_A_MELD)
def a_discard_taken_with_what_does_not_fit(script: Script) -> bytes:
    _to(script, GamePhase.START)
    faces, mine = script.faces(), _mine(script)
    position = hand_now(script).position
    assert position is not None
    other = [slot for slot in mine if faces[slot] % 13 != position.discards[-1][1] % 13]
    laid = tuple(sorted((other[0], other[-1])))
    return script.sign(TakeDiscard(None, laid, _keys(script, laid), ()))


@cheat(Phase.PLAY, Code.RULES, refusals.SAPAW_MISFIT)
def a_lay_off_that_does_not_fit(script: Script) -> bytes:
    for _ in range(FEW):
        laid = _unfitting(script)
        if laid is not None:
            return script.sign(LayOff(0, (laid,), _keys(script, (laid,)), ()))
        script.step(plain_choice)
    raise AssertionError("no meld was laid")


def _unfitting(script: Script) -> int | None:
    """A card in hand that fits no meld, once there is one."""
    position = hand_now(script).position
    if position is None or not position.melds or _position_phase(script) is not GamePhase.ACTION:
        return None
    legal = engine.legal_moves(script.view(script.writer()))
    fitting = {slot for move in legal if isinstance(move, Sapaw) for slot, _ in move.cards}
    return next(slot for slot in _mine(script) if slot not in fitting)


@cheat(Phase.PLAY, Code.PHASE, "answer in phase play: due is draw")
def a_challenge_to_nobody(script: Script) -> bytes:
    _to(script, GamePhase.START)
    return script.sign(AnswerDraw("challenge", (), ()))


# The end.


@cheat(Phase.SETTLE, Code.SEED, "does not fit its commitment")
def the_seed_of_the_hand_before(script: Script) -> bytes:
    before = {seat: script.secrets(seat).seed for seat in range(3)}
    script.next_hand()
    script.until(Phase.REVEAL)
    return script.sign(RevealSeed(before[script.writer()]))


@cheat(Phase.SETTLE, Code.RESULT, "this hand gives")
def the_result_of_the_hand_before(script: Script) -> bytes:
    before = result_now(script.state)
    script.next_hand()
    script.until(Phase.SETTLE)
    return script.sign(NextHand(before))
