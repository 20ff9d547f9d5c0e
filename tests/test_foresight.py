"""Hands computed ahead: known only when whole and honest, and never believed against the ledger."""

import pickle
from collections.abc import Callable, Iterable

import pytest

from tests.scripted import Script, trust
from tongits_lan.deck.group import scalar
from tongits_lan.errors import Code, PeerFault
from tongits_lan.ledger.accept import accept, accept_entry
from tongits_lan.ledger.chain import Entry, parse_entry
from tongits_lan.ledger.foresight import Foresight, HandAhead, SeatWork, look_ahead
from tongits_lan.ledger.hand import Tools
from tongits_lan.ledger.messages import (
    Body,
    Commit,
    ForfeitHand,
    LockDeck,
    RevealSeed,
    ShuffleDeck,
    ThrowCard,
    decode_body,
)
from tongits_lan.ledger.state import Phase

Written = list[tuple[Entry, Body]]


def _played() -> Script:
    script = Script("foresight")
    script.play_hand()
    return script


SCRIPT = _played()
START = 6


def _written(script: Script) -> Written:
    entries = [parse_entry(raw) for raw in script.entries[START:]]
    return [(entry, decode_body(entry.body_value)) for entry in entries]


def _ahead(written: Written) -> HandAhead | None:
    a, b, c = (seat.pk for seat in SCRIPT.descriptor.seats)
    return look_ahead(SCRIPT.state.table_id, (a, b, c), 52, 1, written, map)


def _known(written: Written) -> Foresight | None:
    ahead = _ahead(written)
    return None if ahead is None else ahead.result()


def _with(change: Callable[[Body], Body | None]) -> Written:
    """The hand with the first body that `change` makes another of replaced."""
    written = _written(SCRIPT)
    for at, (entry, body) in enumerate(written):
        other = change(body)
        if other is not None:
            return [*written[:at], (entry, other), *written[at + 1 :]]
    raise AssertionError("nothing was changed")


def test_a_whole_hand_is_known() -> None:
    known = _known(_written(SCRIPT))
    hand = SCRIPT.state.hand
    assert known is not None
    assert hand is not None
    assert (known.hand_id, known.order, known.faces) == (hand.hand_id, hand.order, SCRIPT.faces())
    assert known.passes == (*hand.shuffles, *hand.locks)
    assert known.signed == set(SCRIPT.entries[START:])
    assert repr(known.opened[0].seed) not in repr(known)


@pytest.mark.parametrize("kept", [0, 1, 30, len(SCRIPT.entries) - START - 1])
def test_a_hand_that_is_not_whole_is_not_known(kept: int) -> None:
    assert _ahead(_written(SCRIPT)[:kept]) is None


@pytest.mark.parametrize("passing", [set[int](), {0}, {0, 1}])
def test_reveals_of_seats_that_never_committed_are_not_known(passing: set[int]) -> None:
    written = [
        (entry, body)
        for entry, body in _written(SCRIPT)
        if entry.seat in passing or not isinstance(body, Commit | ShuffleDeck | LockDeck)
    ]
    assert _ahead(written) is None


def test_a_forfeited_hand_is_not_known() -> None:
    assert _ahead(_with(lambda body: ForfeitHand() if isinstance(body, ThrowCard) else None)) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda body: Commit(bytes(32), body.A, body.labels) if isinstance(body, Commit) else None,
        lambda body: (
            Commit(body.c, body.A, body.labels[32:] + body.labels[:32]) if isinstance(body, Commit) else None
        ),
        lambda body: Commit(body.c, body.A, body.labels[32:]) if isinstance(body, Commit) else None,
        lambda body: ShuffleDeck(body.deck[32:] + body.deck[:32]) if isinstance(body, ShuffleDeck) else None,
        lambda body: LockDeck(body.deck[32:] + body.deck[:32]) if isinstance(body, LockDeck) else None,
        lambda body: LockDeck(body.deck[32:]) if isinstance(body, LockDeck) else None,
        lambda body: RevealSeed(bytes(32)) if isinstance(body, RevealSeed) else None,
    ],
)
def test_what_does_not_agree_is_not_known(change: Callable[[Body], Body | None]) -> None:
    assert _known(_with(change)) is None


def test_writers_out_of_order_are_not_known() -> None:
    written = _written(SCRIPT)
    assert _ahead([written[0], written[1], written[2], written[4], written[3], *written[5:]]) is None


def test_the_work_of_a_seat_can_be_sent_to_another_process() -> None:
    sent: list[SeatWork] = []

    def far(function: Callable[[SeatWork], object], works: Iterable[SeatWork]) -> list[object]:
        sent.extend(works)
        return [pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(work))))) for work in sent]

    a, b, c = (seat.pk for seat in SCRIPT.descriptor.seats)
    ahead = look_ahead(SCRIPT.state.table_id, (a, b, c), 52, 1, _written(SCRIPT), far)
    assert ahead is not None
    assert ahead.result() == _known(_written(SCRIPT))
    assert len(sent) == 3
    seeds = [secrets.seed for secrets in (SCRIPT.secrets(seat) for seat in range(3))]
    assert not any(repr(seed) in repr(work) for seed in seeds for work in sent)


def test_acceptance_is_the_same_with_and_without() -> None:
    known = _known(_written(SCRIPT))
    state = Script("foresight").state
    for raw in SCRIPT.entries:
        plain = accept(state, raw, trust)
        assert accept_entry(state, parse_entry(raw), Tools(trust, known)) == plain
        state = plain[0]
    assert state == SCRIPT.state


def test_a_ledger_that_differs_gets_the_full_check() -> None:
    known = _known(_written(SCRIPT))
    script = Script("foresight")
    script.until(Phase.PLAY)
    seat = script.writer()
    slot = script.view(seat).position.hands[seat][0]
    wrong_key = parse_entry(script.sign(ThrowCard(slot, scalar(4))))
    forged = script.sign(ThrowCard(slot, script.secrets(seat).k[slot]))
    forged_entry = parse_entry(forged[:-1] + bytes([forged[-1] ^ 1]))
    for entry, code in [(wrong_key, Code.KEY), (forged_entry, Code.SIGNATURE)]:
        with pytest.raises(PeerFault) as caught:
            accept_entry(script.state, entry, Tools(trust, known))
        assert caught.value.code is code


def test_a_bad_signature_is_left_to_acceptance() -> None:
    written = _written(SCRIPT)
    entry, body = written[-1]
    sig = bytes([entry.sig[0] ^ 1]) + entry.sig[1:]
    forged = Entry(entry.raw, entry.payload, sig, entry.seat, entry.height, entry.prev, entry.body_value)
    known = _known([*written[:-1], (forged, body)])
    assert known is not None
    assert entry.raw not in known.signed
