"""Acceptance: a whole hand, every check with its code in the stated order, and no other exception."""

import functools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as edit

from tests.cheats import CHEATS, Cheat
from tests.scripted import Script, check, plain_choice, trust
from tongits_lan.errors import UNSIGNED_CODES, Code, Fault, PeerFault
from tongits_lan.game.moves import Call, Move
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.accept import HANDLERS, accept, begin, due, outcome, result_now
from tongits_lan.ledger.chain import head_after, parse_entry, sign_payload
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.hand import claims_of
from tongits_lan.ledger.messages import Body, ForfeitHand, LeaveTable, NextHand, Prove, ThrowCard
from tongits_lan.ledger.phases import PLAY_ROWS, ROWS
from tongits_lan.ledger.state import (
    HandForfeited,
    HandSettled,
    NotJudged,
    Phase,
    ProofClaim,
    State,
    TableClosed,
)


@functools.cache
def _at(phase: Phase, proved: bool) -> Script:
    """The first hand of a scripted table when this phase begins."""
    if phase is Phase.SIT:
        return Script("accept", proved=proved)
    before = list(Phase)[list(Phase).index(phase) - 1]
    if phase is Phase.PLAY:
        before = Phase.DEAL  # no spread in pagat
    script = _at(before, proved).clone()
    script.until(phase)
    return script


def _standing(phase: Phase, *, proved: bool = False) -> Script:
    return _at(phase, proved).clone()


@pytest.mark.parametrize("way", CHEATS, ids=lambda way: way.name)
def test_every_way_to_cheat_is_refused_by_name(way: Cheat) -> None:
    script = _standing(way.phase, proved=way.needs_proofs)
    raw = way.make(script)
    state = script.state
    with pytest.raises(PeerFault) as caught:
        accept(state, raw, script.judge)
    assert caught.value.code is way.code
    assert way.text in caught.value.text
    assert (caught.value.seat is not None) == way.convicts
    if way.convicts and way.code is not Code.REPLAY:
        assert caught.value.seat == parse_entry(raw).seat
        assert caught.value.height == state.height
    assert script.state is state


def test_every_code_of_an_entry_is_met() -> None:
    never_here = {Code.FORK, Code.HEADER, Code.DESCRIPTOR, Code.SEAT, Code.OPENING}
    assert {way.code for way in CHEATS} == set(Code) - never_here


def test_a_seat_that_does_not_exist() -> None:
    script = _standing(Phase.COMMIT)
    payload = pack([3, script.state.height, script.state.head, ["commit"]])
    raw = sign_payload(script.keys[0], script.state.table_id, payload)
    with pytest.raises(PeerFault) as caught:
        accept(script.state, raw, trust)
    assert (caught.value.code, caught.value.seat) == (Code.SEAT, None)


def test_an_opening_that_is_no_card_convicts_nobody() -> None:
    script = _standing(Phase.PLAY)
    hand = script.state.hand
    assert hand is not None
    # No ledger leads here while proofs hold: the locked deck is put wrong by hand.
    wrong = (*hand.locks[:2], hand.locks[2][1:] + hand.locks[2][:1])
    state = edit(script.state, hand=edit(hand, locks=wrong))
    view = script.view(script.writer())
    slot = view.position.hands[view.seat][0]
    raw = _discard(script, slot)
    with pytest.raises(PeerFault) as caught:
        accept(state, raw, trust)
    assert (caught.value.code, caught.value.seat) == (Code.OPENING, None)


def _discard(script: Script, slot: int) -> bytes:
    return script.sign(ThrowCard(slot, script.secrets(script.writer()).k[slot]))


def test_a_hand_is_zero_sum_and_ends_open() -> None:
    script = _standing(Phase.SETTLE)
    (record,) = script.state.records
    assert sum(script.state.match.chips) + script.state.match.pot == 0
    assert sorted(record.faces or ()) == list(range(52))
    assert record.first_height == 6
    assert record.last_height == script.state.height - 1
    assert [type(event) for event in script.events].count(HandSettled) == 1
    assert outcome(script.state) == record.settlement.match


def test_replay_is_deterministic_and_heads_follow() -> None:
    script = _standing(Phase.SETTLE)
    state = begin(script.descriptor)
    head = script.descriptor.table_id
    for height, raw in enumerate(script.entries):
        state, _ = accept(state, raw, trust)
        head = head_after(state.table_id, parse_entry(raw).payload)
        assert (state.height, state.head) == (height + 1, head)
        assert state.tips[parse_entry(raw).seat] == height
    assert state == script.state


def test_faces_shown_in_play_are_those_of_the_end() -> None:
    script = _standing(Phase.END)
    hand = script.state.hand
    assert hand is not None
    faces = script.faces()
    assert hand.faces
    assert all(faces[slot] == card for slot, card in hand.faces.items())


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


def test_real_proofs_are_accepted() -> None:
    script = _standing(Phase.READY, proved=True)
    assert script.state.hand is not None
    assert script.state.hand.proved == (True, True, True)


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


def test_the_table_of_transitions_is_whole() -> None:
    assert {phase for phase, _ in HANDLERS} == set(Phase) - {Phase.CLOSED}
    kinds = {kind for _, kind in HANDLERS}
    assert len(kinds) == 24


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([Phase.SIT, Phase.DEAL, Phase.PLAY]))
def test_noise_is_refused(data: bytes, phase: Phase) -> None:
    _assert_refused(_at(phase, False).state, data)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_changed_entries_are_refused(data: st.DataObject) -> None:
    phase = data.draw(st.sampled_from([p for p in Phase if p not in (Phase.SPREAD, Phase.CLOSED)]))
    script = _at(phase, False)
    raw = bytearray(script.sign(_some_body(script)))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    _assert_refused(script.state, bytes(raw))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2**40),
    st.text(max_size=3),
    st.binary(max_size=40),
    st.just(bytes(32)),
)
FIELDS = st.lists(
    st.one_of(VALUES, st.lists(VALUES, max_size=5), st.lists(st.integers(0, 53), max_size=5)), max_size=5
)
KINDS = sorted({kind.__struct_config__.tag for _, kind in HANDLERS}, key=str)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([p for p in Phase if p not in (Phase.SPREAD, Phase.CLOSED)]),
    st.sampled_from(KINDS),
    FIELDS,
)
def test_signed_nonsense_is_refused_or_accepted(phase: Phase, kind: str, fields: list[object]) -> None:
    script = _at(phase, False)
    payload = pack([script.writer(), script.state.height, script.state.head, [kind, *fields]])
    raw = sign_payload(script.keys[script.writer()], script.state.table_id, payload)
    refused: PeerFault | None = None
    state = script.state
    try:
        state, _ = accept(script.state, raw, trust)
    except PeerFault as fault:
        refused = fault
    if refused is None:
        assert state.height == script.state.height + 1
    else:
        assert refused.seat == script.writer()


def _some_body(script: Script) -> Body:
    return script.due_body() or ForfeitHand()


def _assert_refused(state: State, raw: bytes) -> None:
    with pytest.raises(PeerFault) as caught:
        accept(state, raw, trust)
    assert caught.value.seat is None
    assert caught.value.code in UNSIGNED_CODES
