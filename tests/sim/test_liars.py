"""Named troubles with a seat that lies, and with one that gives up when it may not.

Over simulated wires; the same lies over real links are told in tests/hostile.
"""

from collections.abc import Callable, Iterable

import pytest

from tests.cheats import CHEATS, Cheat
from tests.circle import CHAIN, Circle, encoded, height_of, resumed
from tests.hostile.stage import judged
from tests.hostile.test_forks import Two, two_discards, two_shuffles
from tests.make_ledgers import standing
from tests.scripted import Script
from tests.sim.staging import moments, seated
from tests.sim.test_stores import KINDS
from tongits_lan.errors import Code, PeerFault
from tongits_lan.game.scoring import settle_forfeit
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.chain import parse_entry, sign_payload
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import Entries, ForfeitHand
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.table import TableMessage
from tongits_lan.limits import HEADS_SECONDS, SEATS

AFTER_PLAY = ("end", "reveal", "next")
IN_A_HAND = tuple(kind for kind in KINDS if kind not in ("sit", "open", *AFTER_PLAY, "leave", "forfeit"))


def honest_of(liar: int) -> list[int]:
    """The two other seats."""
    return [seat for seat in range(SEATS) if seat != liar]


def assert_stopped(circle: Circle, liar: int, code: Code, height: int) -> None:
    """Both honest seats have stopped after the entries before `height` and keep evidence against the liar."""
    for seat in honest_of(liar):
        stop = circle.view(seat).stopped
        assert stop is not None, f"seat {seat} has not noticed"
        assert (stop.code, stop.seat, stop.height) == (code, liar, height)
        assert not circle.view(seat).legal
        assert circle.shelves[seat].evidence is not None


def assert_convicted(circle: Circle, liar: int, code: Code) -> None:
    """Whoever is given the evidence of either comes to the same end."""
    for seat in honest_of(liar):
        evidence = circle.shelves[seat].evidence
        assert evidence is not None
        fault = judged(evidence).fault
        assert fault is not None
        assert (fault.code, fault.seat) == (code, liar)


# Giving up.


@pytest.mark.parametrize("kind", IN_A_HAND)
def test_forfeit_each_phase(kind: str) -> None:
    """The legal writer may at every kind up to the end of play: the hand is void, at its cost."""
    script, writer = moments()[kind].script, moments()[kind].writer
    circle = seated(script)
    circle.tables[writer].give_up(circle.now)
    circle.settle()
    circle.assert_level()
    assert circle.shelves[0].entries[:-1] == script.entries
    record = circle.view(0).record
    assert record is not None
    assert (record.forfeited_by, record.faces) == (writer, None)
    assert script.state.hand is not None
    expected = settle_forfeit(script.rules, script.state.hand.match, writer)
    assert record.settlement == expected
    assert record.settlement.net[writer] < 0 == sum(record.settlement.net)
    assert not any(shelf.secrets for shelf in circle.shelves)


@pytest.mark.parametrize("kind", [*IN_A_HAND, *AFTER_PLAY])
def test_forfeit_of_a_seat_that_may_not(kind: str) -> None:
    """Another seat than the one that is due, or whoever is due once play is over."""
    moment = moments()[kind]
    script, late = moment.script, kind in AFTER_PLAY
    liar = moment.writer if late else (moment.writer + 1) % SEATS
    circle = seated(script)
    circle.puppet(liar)
    raw = script.sign(ForfeitHand(), seat=liar)
    circle.say(liar, honest_of(liar)[0], Entries(script.state.height, (raw,)))
    circle.settle()
    assert_stopped(circle, liar, Code.PHASE if late else Code.WRITER, script.state.height)
    for seat in honest_of(liar):
        assert circle.view(seat).match == script.state.match


# Two entries for one height.


def forked(script: Script, two: Two) -> Circle:
    """The due seat shows each of the two others another entry. They talk once, and both have stopped."""
    liar, height = script.writer(), script.state.height
    circle = seated(script)
    circle.puppet(liar)
    circle.settle()
    one, other = honest_of(liar)
    circle.say(liar, one, Entries(height, two[0]))
    circle.say(liar, other, Entries(height, two[1]))
    for seat in (one, other):
        circle.collect(seat)
    for source, to in ((one, other), (other, one)):
        while circle.deliver(source, to):
            pass
    assert all(circle.view(seat).stopped is not None for seat in (one, other))
    circle.settle()
    assert_stopped(circle, liar, Code.FORK, height)
    assert_convicted(circle, liar, Code.FORK)
    for seat in (one, other):
        assert circle.shelves[seat].entries[:height] == script.entries
        view = circle.view(seat)
        assert view.match == script.state.match
        offending = parse_file(circle.shelves[seat].evidence or b"").offending
        assert {parse_entry(raw).seat for raw in offending} == {liar}
        assert {parse_entry(raw).payload for raw in offending} == {
            parse_entry(raws[0]).payload for raws in two
        }
    return circle


def test_liar_forks_play() -> None:
    script = standing(Phase.PLAY)
    liar = script.writer()
    circle = forked(script, two_discards(script))
    stops = [circle.view(seat).stopped for seat in honest_of(liar)]
    assert [(stop.code, stop.seat) for stop in stops if stop] == [(Code.FORK, liar)] * 2


def test_liar_forks_shuffle() -> None:
    """On neither branch does a key leave: what was shuffled falsely is never opened."""
    script = standing(Phase.SHUFFLE)
    circle = forked(script, two_shuffles(script))
    circle.pass_time(100)
    kinds = {
        str(parse_entry(raw).body_value[0])
        for _, _, message in circle.sent
        if isinstance(message, Entries)
        for raw in message.entries
    }
    assert "shuffle" in kinds
    assert not kinds & {"prove", "ready", "deal", "key", "reveal"}


# What a relay makes of entries.


def flipped(raw: bytes, circle: Circle) -> bytes:
    return raw[:-3] + bytes([raw[-3] ^ 16]) + raw[-2:]


def forged(raw: bytes, circle: Circle) -> bytes:
    """Signed by the relay in the name of the writer."""
    return sign_payload(circle.cast.keys[1], circle.cast.descriptor.table_id, parse_entry(raw).payload)


def of_another_table(raw: bytes, circle: Circle) -> bytes:
    """What the writer signed for the same height elsewhere."""
    entry = parse_entry(raw)
    return sign_payload(circle.cast.keys[entry.seat], bytes(32), entry.payload)


@pytest.mark.parametrize("spoil", [flipped, forged, of_another_table])
def test_relay_corrupts(spoil: Callable[[bytes, Circle], bytes]) -> None:
    """The middle of a chain spoils what it passes on of seat 0. The far end convicts nobody and hears of it
    another way."""
    spoiled = 0

    def wire(source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        nonlocal spoiled
        if (source, to) == (1, 2) and isinstance(message, Entries) and message.entries:
            last = message.entries[-1]
            if parse_entry(last).seat == 0:
                spoiled += 1
                message = Entries(message.first, (*message.entries[:-1], spoil(last, circle)))
        return encoded(source, to, message)

    circle = resumed(height_of("draw"), links=CHAIN, wire=wire)
    circle.settle()
    circle.pass_time(HEADS_SECONDS)  # who has one link waits for the second of two heads
    while not spoiled:
        assert circle.step()
        circle.settle()
    assert [(seat, peer) for seat, peer, _ in circle.closed] == [(2, 1)]
    assert all(circle.view(seat).stopped is None for seat in range(SEATS))
    assert not any(shelf.evidence for shelf in circle.shelves)
    circle.join(0, 2)
    circle.play_hand()
    circle.assert_level()


# What a seat signs that is not so.


@pytest.mark.parametrize("way", CHEATS, ids=lambda way: way.name)
def test_refused_entry(way: Cheat) -> None:
    """One of every acceptance layer. What its writer has signed stops the table; what nobody has signed ends
    the link, and the table goes on."""
    script = standing(way.phase)
    raw = way.make(script)
    with pytest.raises(PeerFault) as refused:
        accept(script.state, raw, script.judge)
    liar = script.writer() if refused.value.seat is None else refused.value.seat
    circle = seated(script)
    circle.puppet(liar)
    told = honest_of(liar)[0]
    if way.convicts and parse_entry(raw).seat != liar:
        circle.settle()
        circle.pass_time(HEADS_SECONDS)  # the entry of an honest seat brings it to light
    else:
        circle.say(liar, told, Entries(script.state.height, (raw,)))
        circle.settle()
    if way.convicts:
        assert_stopped(circle, liar, way.code, refused.value.height)
        assert_convicted(circle, liar, way.code)
    else:
        assert [(seat, peer) for seat, peer, _ in circle.closed] == [(told, liar)]
        assert all(circle.view(seat).stopped is None for seat in honest_of(liar))
        assert not any(shelf.evidence for shelf in circle.shelves)
    for seat in honest_of(liar):
        assert circle.view(seat).match == script.state.match


@pytest.mark.parametrize("kind", KINDS)
def test_refused_entry_of_each_kind(kind: str) -> None:
    """Signed at a time when nobody may write that kind."""
    script = standing(Phase.PLAY if kind == "end" else Phase.END)
    result = moments()["next"].body[1]
    others: dict[str, list[object]] = {"forfeit": ["forfeit"], "leave": ["leave", result]}
    body = others[kind] if kind in others else moments()[kind].body
    liar, height = script.writer(), script.state.height
    payload = pack([liar, height, script.state.head, body])
    circle = seated(script)
    circle.puppet(liar)
    raw = sign_payload(script.keys[liar], script.state.table_id, payload)
    circle.say(liar, honest_of(liar)[0], Entries(height, (raw,)))
    circle.settle()
    assert_stopped(circle, liar, Code.PHASE, height)
    assert_convicted(circle, liar, Code.PHASE)
