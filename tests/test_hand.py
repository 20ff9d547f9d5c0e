"""What entries outside of play change: forfeits, settlement, the next hand, leaving, judged proofs."""

import functools
from collections.abc import Sequence

import pytest
from msgspec.structs import replace as edit

from tests.scripted import Script, check, plain_choice, trust
from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.game.moves import Call, Move
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.accept import accept, due, outcome, result_now
from tongits_lan.ledger.hand import claims_of
from tongits_lan.ledger.messages import ForfeitHand, LeaveTable, NextHand, Prove
from tongits_lan.ledger.phases import PLAY_ROWS, ROWS
from tongits_lan.ledger.state import HandForfeited, HandSettled, NotJudged, Phase, ProofClaim, TableClosed


@functools.cache
def _at(phase: Phase, proved: bool) -> Script:
    script = Script("hand", proved=proved)
    script.until(phase)
    return script


def _standing(phase: Phase, *, proved: bool = False) -> Script:
    return _at(phase, proved).clone()


def test_a_hand_is_zero_sum_and_ends_open() -> None:
    script = _standing(Phase.SETTLE)
    (record,) = script.state.records
    assert sum(script.state.match.chips) + script.state.match.pot == 0
    assert sorted(record.faces or ()) == list(range(52))
    assert record.first_height == 6
    assert record.last_height == script.state.height - 1
    assert [type(event) for event in script.events].count(HandSettled) == 1
    assert outcome(script.state) == record.settlement.match


@pytest.mark.parametrize("phase", [phase for phase, row in ROWS.items() if ForfeitHand in row])
def test_a_forfeit_voids_the_hand_at_its_cost(phase: Phase) -> None:
    if phase is Phase.SPREAD:
        script = Script("spread", rules=PRESETS["wikipedia"])
        script.until(Phase.SPREAD)
    else:
        script = _standing(phase)
    seat = script.writer()
    script.write(ForfeitHand())
    _assert_forfeited(script, seat)


@pytest.mark.parametrize("row", PLAY_ROWS)
def test_a_forfeit_in_play(row: str) -> None:
    if row == "answers":
        script = _called()
    else:
        script = _standing(Phase.PLAY)
        while _game_phase(script) != row:
            script.step(plain_choice)
    seat = script.writer()
    script.write(ForfeitHand())
    _assert_forfeited(script, seat)


def _game_phase(script: Script) -> str:
    hand = script.state.hand
    assert hand is not None
    assert hand.position is not None
    return str(hand.position.phase)


def _called() -> Script:
    """A table of house rules where a draw is called as soon as anybody may."""
    script = Script("house", rules=edit(PRESETS["house"], special_definition="set4_or_run4"))
    for _ in range(8):
        while script.state.phase is not Phase.SETTLE:
            script.step(_call_if_you_can)
            if script.state.phase is Phase.PLAY and _game_phase(script) == "answers":
                return script
        script.next_hand()
    raise AssertionError("no draw was called")


def _call_if_you_can(view: View, legal: Sequence[Move]) -> Move:
    return next((move for move in legal if isinstance(move, Call)), plain_choice(view, legal))


def _assert_forfeited(script: Script, seat: int) -> None:
    record = script.state.records[-1]
    assert script.state.phase is Phase.SETTLE
    assert (record.forfeited_by, record.faces, record.settlement.end) == (seat, None, "forfeit")
    others = [other for other in range(3) if other != seat]
    assert record.settlement.net[seat] == -2 * script.rules.tongits
    assert all(record.settlement.net[other] == script.rules.tongits for other in others)
    assert isinstance(script.events[-1], HandForfeited)
    script.next_hand()
    assert script.state.hand is not None
    assert script.state.hand.number == record.number + 1


@pytest.mark.parametrize("phase", [Phase.END, Phase.REVEAL, Phase.SETTLE])
def test_a_forfeit_comes_too_late(phase: Phase) -> None:
    script = _standing(phase)
    with pytest.raises(PeerFault) as caught:
        script.write(ForfeitHand())
    assert caught.value.code is Code.PHASE


def test_leaving_closes_the_table_and_splits_the_pot() -> None:
    script = _standing(Phase.SETTLE)
    result, pot = result_now(script.state), script.state.match.pot
    assert pot > 0
    before = script.state.match.chips
    seat = script.writer()
    script.leave()
    state = script.state
    assert (state.phase, state.closed, due(state)) == (Phase.CLOSED, True, None)
    assert state.match.chips == tuple(chips + pot // 3 for chips in before)
    assert state.match.pot == 0
    closed = script.events[-1]
    assert isinstance(closed, TableClosed)
    assert closed.seat == seat
    with pytest.raises(PeerFault) as caught:
        accept(state, script.sign(NextHand(result), seat=0), trust)
    assert caught.value.code is Code.PHASE


def test_the_last_hand_closes_the_table() -> None:
    script = Script("two hands", rules=edit(PRESETS["pagat"], hands=2))
    script.play_hand()
    script.next_hand()
    assert due(script.state) is not None
    script.play_hand()
    script.next_hand()
    closed = script.events[-1]
    assert script.state.closed
    assert isinstance(closed, TableClosed)
    assert closed.seat is None


def test_a_later_seat_may_leave() -> None:
    script = _standing(Phase.SETTLE)
    script.write(NextHand(result_now(script.state)))
    seat = script.writer()
    script.write(LeaveTable(result_now(script.state)))
    assert isinstance(script.events[-1], TableClosed)
    assert script.events[-1].seat == seat


def test_the_winner_deals_the_next_hand() -> None:
    script = _standing(Phase.SETTLE)
    winner = script.state.records[0].settlement.winner
    script.next_hand()
    hand = script.state.hand
    assert hand is not None
    assert (hand.number, hand.dealer, hand.order[0]) == (2, winner, winner)
    assert hand.first_height == script.state.height


def test_a_judge_may_take_its_time() -> None:
    script = _standing(Phase.PROVE, proved=True)
    body = script.due_body()
    assert isinstance(body, Prove)
    raw, state = script.sign(body), script.state
    claims = claims_of(state, script.writer(), body)
    assert [claim.kind for claim in claims] == ["shuffle", "lock"]

    def undecided(claim: ProofClaim) -> None:
        raise NotJudged((claim,))

    with pytest.raises(NotJudged) as caught:
        accept(state, raw, undecided)
    assert caught.value.claims == claims
    following, _ = accept(state, raw, check)
    assert following.height == state.height + 1


def test_the_shuffle_proof_is_judged_before_the_lock_proof() -> None:
    script = _standing(Phase.PROVE)
    raw = script.sign(script.due_body() or ForfeitHand())

    def lock_first(claim: ProofClaim) -> None:
        if claim.kind == "shuffle":
            raise NotJudged((claim,))
        raise Fault(Code.PROOF, "the lock proof does not hold")

    with pytest.raises(NotJudged) as caught:
        accept(script.state, raw, lock_first)
    assert [claim.kind for claim in caught.value.claims] == ["shuffle"]

    def both_bad(claim: ProofClaim) -> None:
        raise Fault(Code.SCALAR if claim.kind == "shuffle" else Code.ELEMENT, claim.kind)

    with pytest.raises(PeerFault) as refused:
        accept(script.state, raw, both_bad)
    assert refused.value.code is Code.SCALAR
