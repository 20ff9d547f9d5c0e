"""The lobby as values, and what a guest refuses to sit down at."""

import hashlib
from dataclasses import replace
from pathlib import Path

import msgpack
import msgspec
import pytest

from tests.tables import NAMES, NONCES, PKS
from tongits_lan.errors import Fault, Refused
from tongits_lan.game.rules import PRESETS, to_map
from tongits_lan.ledger.chain import build_descriptor, nonce_commitment, rules_digest
from tongits_lan.ledger.messages import Lobby as LobbyMessage
from tongits_lan.ledger.messages import LobbyPlace, decode_message, encode_message
from tongits_lan.net.before import Before
from tongits_lan.net.lobby import Lobby, Place, check_table, descriptor_of, first_start, lobby_of, rules_mark

RULES = PRESETS["pagat"]
SPECIFICATION = Path(__file__).parents[1] / "docs" / "protocol.md"


def place(seat: int, *, operator: bytes | None = None, ready: bool = True) -> Place:
    return Place(PKS[seat], NAMES[seat], operator, ready, nonce_commitment(PKS[seat], NONCES[seat]))


def full() -> Lobby:
    return Lobby(RULES, (place(0), place(1), place(2, operator=PKS[0])))


def commit(seat: int) -> bytes:
    return nonce_commitment(PKS[seat], NONCES[seat])


def test_places_come_change_and_go() -> None:
    lobby = Lobby(RULES).with_place(place(0)).with_place(place(1))
    assert not lobby.all_ready
    lobby = lobby.with_place(place(2))
    assert lobby.all_ready
    assert not lobby.with_ready(PKS[1], False).all_ready
    again = lobby.with_place(place(1, ready=False))  # the same key comes back to its place
    assert [p.pk for p in again.places] == list(PKS)
    assert not again.all_ready
    assert [p.pk for p in lobby.without(PKS[1]).places] == [PKS[0], PKS[2]]


def test_a_guest_reads_what_the_host_says() -> None:
    sent = encode_message(replace(full(), countdown=3).message())
    message = decode_message(sent, from_server=True)
    assert isinstance(message, LobbyMessage)
    heard = lobby_of(message)
    assert heard.rules == RULES
    assert heard.keys() == full().keys()
    assert heard.countdown == 3
    view = heard.view(me=PKS[1], host=PKS[0], addresses=("127.0.0.1:15213",), message=None)
    assert (view.me, view.host, view.hosting, view.countdown) == (1, 0, False, 3.0)
    assert [seat.bot for seat in view.seats] == [False, False, True]
    assert [seat.operator for seat in view.seats] == [None, None, "Ana"]


def test_names_of_strangers_are_cleaned() -> None:
    seats = (LobbyPlace(PKS[0], "\x1b]0;x\x07Ana", None, True), LobbyPlace(PKS[1], "\u202e", None, False))
    heard = lobby_of(LobbyMessage(to_map(RULES), seats, None))
    assert [p.name for p in heard.places] == ["]0;xAna", "Player"]


@pytest.mark.parametrize(
    "seats",
    [
        (LobbyPlace(PKS[0], "Ana", None, True), LobbyPlace(PKS[0], "Ana", None, True)),
        (LobbyPlace(bytes(32), "Ana", None, True),),
        (LobbyPlace(PKS[0], "Ana", (1).to_bytes(32, "little"), True),),
    ],
)
def test_keys_that_cannot_be_are_refused(seats: tuple[LobbyPlace, ...]) -> None:
    with pytest.raises(Refused, match="key"):
        lobby_of(LobbyMessage(to_map(RULES), seats, None))


def test_rules_that_cannot_be_are_refused() -> None:
    with pytest.raises(Refused):
        lobby_of(LobbyMessage({**to_map(RULES), "ante_first": -1}, (), None))


def test_the_table_is_what_was_agreed_to() -> None:
    table = descriptor_of(full(), 1_760_000_000)
    assert [seat.operator_pk for seat in table.seats] == [PKS[0], PKS[1], PKS[0]]
    for seat in (1, 2):
        check_table(table, full(), PKS[seat], commit(seat))


def test_a_table_that_is_another_is_refused() -> None:
    table = descriptor_of(full(), 1_760_000_000)
    other_rules = Lobby(msgspec.structs.replace(RULES, ante_first=RULES.ante_first + 1), full().places)
    swapped = Lobby(RULES, (place(1), place(0), place(2, operator=PKS[0])))
    a_person = Lobby(RULES, (place(0), place(1), place(2)))
    cases = [(other_rules, "rules"), (swapped, "other players"), (a_person, "bot")]
    for seat in range(3):
        renamed = [replace(at, name="Zoe") if at.pk == PKS[seat] else at for at in full().places]
        cases.append((Lobby(RULES, tuple(renamed)), "names the players"))
    for agreed, sentence in cases:
        with pytest.raises(Refused, match=sentence):
            check_table(table, agreed, PKS[1], commit(1))
    with pytest.raises(Refused, match="promise"):
        check_table(table, full(), PKS[1], bytes(32))
    with pytest.raises(Refused, match="other players"):
        check_table(table, full(), bytes(32), commit(1))


def test_a_table_that_does_not_start_as_the_rules_say_is_refused() -> None:
    rules = msgspec.structs.replace(RULES, first_dealer="chosen")
    start = msgspec.structs.replace(first_start(rules), dealer=2)
    table = build_descriptor(1, rules, descriptor_of(full(), 1).seats, start, None)
    with pytest.raises(Refused, match="zero"):
        check_table(table, replace(full(), rules=rules), PKS[1], commit(1))


def test_the_same_people_keep_their_seats_and_the_chips() -> None:
    chips = msgspec.structs.replace(first_start(RULES), chips=(-10, 5, 5), dealer=1)
    seats = tuple((seat.pk, seat.operator_pk) for seat in descriptor_of(full(), 1).seats)
    before = Before(b"t" * 32, b"h" * 32, seats, chips)
    lobby = Lobby(RULES, order=PKS)
    for seat in (2, 0, 1):  # in whatever order they come
        lobby = lobby.with_place(place(seat, operator=PKS[0] if seat == 2 else None))
    table = descriptor_of(lobby, 1, before)
    assert (table.start, table.previous) == (chips, (before.table_id, before.head))
    check_table(table, lobby, PKS[1], commit(1))  # where it starts is judged against the own copy
    others = replace(before, seats=(seats[1], seats[0], seats[2]))
    table = descriptor_of(lobby, 1, others)
    assert (table.start, table.previous) == (first_start(RULES), None)


def test_other_rules_take_every_yes_back() -> None:
    lobby = full()
    assert lobby.all_ready
    changed = lobby.with_rules(PRESETS["joker"])
    assert (changed.rules, changed.keys()) == (PRESETS["joker"], lobby.keys())
    assert not any(one.ready for one in changed.places)


def test_what_a_yes_names_is_the_whole_map_of_rules() -> None:
    """Computed here from the words of docs/protocol.md, which also has the value for pagat."""
    tag = b"tongits-lan/1/rules"
    found = set()
    for preset in PRESETS.values():
        raw = msgpack.packb(to_map(preset))
        frame = len(tag).to_bytes(2) + tag + len(raw).to_bytes(4) + raw
        assert rules_digest(preset) == hashlib.sha256(frame).digest()
        assert rules_mark(preset) == rules_digest(preset).hex()[:8]
        found.add(rules_mark(preset))
    for option in ("hands", "turn_seconds"):
        found.add(rules_mark(msgspec.structs.replace(RULES, **{option: 30})))
    assert len(found) == len(PRESETS) + 2
    assert f"    {rules_digest(RULES).hex()}\n" in SPECIFICATION.read_text("utf-8")


def test_equal_promises_make_no_table() -> None:
    twice = Lobby(RULES, (place(0), place(1), replace(place(2), nonce_commit=commit(1))))
    with pytest.raises(Fault):
        descriptor_of(twice, 1)


def test_a_chosen_dealer_is_the_host() -> None:
    rules = msgspec.structs.replace(RULES, first_dealer="chosen")
    assert first_start(rules).dealer == 0
    assert descriptor_of(Lobby(rules, full().places), 1).start == first_start(rules)
