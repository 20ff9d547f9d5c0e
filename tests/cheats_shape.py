"""Bytes of the wrong shape, signed or not, and entries that belong elsewhere: they convict nobody."""

from tests.cheating import body_now, cheat, other_seat
from tests.scripted import Script
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import parse_entry, sign_entry, sign_payload
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.messages import encode_body
from tongits_lan.ledger.state import Phase


def _signed(script: Script, payload: bytes) -> bytes:
    """An entry of the seat that is due around any payload, its signature good."""
    return sign_payload(script.keys[script.writer()], script.state.table_id, payload)


def _payload(script: Script, seat: object, height: object, body: bytes) -> bytes:
    """A payload put together by hand, so that it need not be canonical."""
    return b"\x94" + pack(seat) + pack(height) + pack(script.state.head) + body


def _body(script: Script) -> bytes:
    return pack(encode_body(body_now(script)))


@cheat(Phase.COMMIT, Code.SEAT, convicts=False)
def a_seat_that_is_none(script: Script) -> bytes:
    return _signed(script, _payload(script, 3, script.state.height, _body(script)))


@cheat(Phase.COMMIT, Code.SIGNATURE, convicts=False)
def an_entry_in_anothers_name(script: Script) -> bytes:
    """Signed with the own key where another seat is due."""
    state = script.state
    key = script.keys[other_seat(script)]
    return sign_entry(key, state.table_id, script.writer(), state.height, state.head, body_now(script))


@cheat(Phase.SHUFFLE, Code.SIGNATURE, convicts=False)
def a_signature_of_zeros(script: Script) -> bytes:
    return script.sign(body_now(script))[:-64] + bytes(64)


@cheat(Phase.SETTLE, Code.CHAIN, convicts=False)
def an_entry_of_the_hand_before(script: Script) -> bytes:
    """The commitment of the first hand, sent once more where that of the second is due."""
    first = script.entries[6]
    script.next_hand()
    while script.writer() != parse_entry(first).seat:
        script.write(body_now(script))
    return first


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def a_bool_for_a_seat(script: Script) -> bytes:
    return _signed(script, _payload(script, True, script.state.height, _body(script)))


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def a_number_below_zero(script: Script) -> bytes:
    return _signed(
        script, b"\x94" + pack(script.writer()) + b"\xff" + pack(script.state.head) + _body(script)
    )


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def a_body_in_twenty_arrays(script: Script) -> bytes:
    return _signed(
        script, _payload(script, script.writer(), script.state.height, b"\x91" * 20 + _body(script))
    )


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def an_array_of_four_thousand_million(script: Script) -> bytes:
    bomb = b"\xdd\xff\xff\xff\xff" + _body(script)
    return _signed(script, _payload(script, script.writer(), script.state.height, bomb))


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def a_map_for_a_body(script: Script) -> bytes:
    return _signed(script, _payload(script, script.writer(), script.state.height, b"\x81\xa4sit\x01\x01"))


@cheat(Phase.COMMIT, Code.DECODE, convicts=False)
def bytes_behind_the_entry(script: Script) -> bytes:
    return script.sign(body_now(script)) + b"\x00"


@cheat(Phase.COMMIT, Code.CANONICAL, convicts=False)
def a_height_in_too_many_bytes(script: Script) -> bytes:
    height = script.state.height
    payload = b"\x94" + pack(script.writer()) + b"\xce" + height.to_bytes(4, "big") + pack(script.state.head)
    return _signed(script, payload + _body(script))


# From here on the signature makes it the writer's.


@cheat(Phase.COMMIT, Code.BODY, "no known kind: 'peek'")
def a_kind_that_does_not_exist(script: Script) -> bytes:
    return _signed(script, _payload(script, script.writer(), script.state.height, pack(["peek", 5])))


@cheat(Phase.COMMIT, Code.BODY, "got 4")
def a_field_too_many(script: Script) -> bytes:
    body = pack([*encode_body(body_now(script)), 0])
    return _signed(script, _payload(script, script.writer(), script.state.height, body))


@cheat(Phase.SHUFFLE, Code.BODY, "got `str`")
def a_text_for_a_deck(script: Script) -> bytes:
    return _signed(
        script, _payload(script, script.writer(), script.state.height, pack(["shuffle", "x" * 32]))
    )
