"""What a table does when a pass was false though its proof held: only a broken proof lets that happen."""

import dataclasses

from tests.circle import Cast, Circle, Shelf
from tests.scripted import Script
from tongits_lan.deck.secrets import HandSecrets, derive
from tongits_lan.deck.shuffle import check_input
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import SaveEvidence
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import Entries, Have
from tongits_lan.ledger.private import HandSecret, lock_input, shuffle_input
from tongits_lan.ledger.state import Hand, Phase


def running(script: Script) -> Hand:
    hand = script.state.hand
    assert hand is not None
    return hand


def cheated(label: str, *, stop: Phase, locks: bool) -> tuple[Script, int, int]:
    """A hand whose first shuffler used another order (or other locks) than its seed gives; no proof is made.

    Returns the script, the cheat, and the seat that writes last in every row.
    """
    script = Script(label)
    script.until(Phase.SHUFFLE)
    hand = running(script)
    cheat = hand.order[0]
    honest = script.secrets(cheat)
    other = derive(bytes(32), hand.hand_id, cheat, script.rules.n)
    false: HandSecrets = (
        dataclasses.replace(honest, k=other.k) if locks else dataclasses.replace(honest, p=other.p)
    )
    script.replaced[1, cheat] = false
    script.until(stop)
    return script, cheat, hand.order[2]


def table_of(script: Script, seat: int) -> Circle:
    """A circle in which `seat` has what the script wrote, and the two others are puppets."""
    hand = running(script)
    secret = HandSecret(
        1,
        script.secrets(seat).seed,
        check_input(shuffle_input(hand, seat, script.rules.n), None),
        check_input(lock_input(hand, seat), None),
    )
    cast = Cast(script.label)
    cast.keys, cast.nonces, cast.descriptor = script.keys, script.nonces, script.descriptor
    shelves = [Shelf(list(script.entries)) for _ in range(3)]
    shelves[seat].secrets = {1: secret}
    circle = Circle(script.label, cast=cast, shelves=shelves, links=())
    for other in range(3):
        if other != seat:
            circle.puppet(other)
            circle.say(other, seat, Have(script.state.height, script.state.head))
    circle.collect(seat)
    return circle


def test_third_reveal_that_shows_a_false_shuffle_convicts_the_cheat() -> None:
    script, cheat, last = cheated("false shuffle", stop=Phase.REVEAL, locks=False)
    script.step(lambda view, legal: legal[0])
    script.step(lambda view, legal: legal[0])
    circle = table_of(script, last)
    stop = circle.view(last).stopped
    assert stop is not None
    assert (stop.code, stop.seat, stop.hand) == (Code.REPLAY, cheat, 1)
    shuffled = [parse_entry(raw).body_value[0] for raw in script.entries].index("shuffle")
    assert stop.height == shuffled
    evidence = circle.shelves[last].evidence
    assert evidence is not None
    (offending,) = parse_file(evidence).offending
    assert parse_entry(offending).body_value[0] == "reveal"
    assert len(circle.shelves[last].entries) == script.state.height
    told = [m for source, to, m in circle.sent if source == last and isinstance(m, Entries)]
    assert told
    assert all(parse_entry(raw).body_value[0] == "reveal" for message in told for raw in message.entries)


def test_card_that_does_not_open_stops_the_table_and_convicts_nobody() -> None:
    script, _, last = cheated("false lock", stop=Phase.PLAY, locks=True)
    circle = table_of(script, last)
    stop = circle.view(last).stopped
    assert stop is not None
    assert (stop.code, stop.seat, stop.hand) == (Code.OPENING, None, 1)
    assert not circle.view(last).legal
    assert not any(isinstance(op, SaveEvidence) for op in circle.tables[last].take().store)
