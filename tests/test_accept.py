"""Acceptance: a whole hand, every check with its code in the stated order, and no other exception."""

import functools
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as edit

from tests.cheats import CHEATS, Cheat
from tests.scripted import Script, trust
from tongits_lan.errors import UNSIGNED_CODES, Code, PeerFault
from tongits_lan.ledger.accept import HANDLERS, accept, begin
from tongits_lan.ledger.chain import head_after, parse_descriptor, parse_entry, sign_payload
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.messages import Body, ForfeitHand, ThrowCard
from tongits_lan.ledger.state import (
    Phase,
    State,
)

VECTORS = Path(__file__).parent.parent / "protocol" / "vectors" / "crypto.json"


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
    never_here = {Code.FORK, Code.HEADER, Code.DESCRIPTOR, Code.OPENING}
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


def test_real_proofs_are_accepted() -> None:
    script = _standing(Phase.READY, proved=True)
    assert script.state.hand is not None
    assert script.state.hand.proved == (True, True, True)


def test_the_published_vectors_are_accepted() -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    descriptor = parse_descriptor(bytes.fromhex(vectors["ledger"]["descriptor"]))
    state = begin(descriptor)
    for item in vectors["ledger"]["entries"]:
        raw = pack([bytes.fromhex(item["payload"]), bytes.fromhex(item["sig"])])
        state, _ = accept(state, raw, trust)
    assert state.hand is not None
    assert state.hand.dealer == vectors["ledger"]["dealer0"]
    assert state.hand.hand_id.hex() == vectors["hand"]["hand_id"]
    for text in vectors["hand"]["entries"]:
        state, _ = accept(state, bytes.fromhex(text), trust)
    assert state.phase is Phase.PROVE
    assert state.hand is not None
    decks = [*state.hand.shuffles, *state.hand.locks]
    digests = [hashlib.sha256(b"".join(deck)).hexdigest() for deck in decks]
    assert digests == [deck["sha256"] for deck in vectors["hand"]["decks"][1:]]


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
