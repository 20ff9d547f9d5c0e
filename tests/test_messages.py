"""ledger.messages: every kind there and back, forms, hostile bytes, the published schema."""

import base64
import json
from typing import Any, get_args

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.make_schema import SCHEMA, text
from tests.test_encoding import ALLOWED
from tests.vectors import Vector, load
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger import messages
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.ledger.messages import (
    Body,
    FromClient,
    FromServer,
    Have,
    LayMeld,
    decode_body,
    decode_message,
    encode_body,
    encode_message,
    kind_of,
)

BODIES = load("ledger/bodies.json")
MESSAGES = load("ledger/messages.json")
KINDS = sorted({kind_of(struct) for struct in get_args(Body)})


def body_verdict(value: Any) -> str:
    try:
        body = decode_body(value)
    except Fault as fault:
        return fault.code
    assert encode_body(body) == plain(value)
    assert kind_of(body) == value[0]
    return "ok"


def plain(value: Any) -> Any:
    """Arrays as tuples, where structs hold tuples."""
    return [tuple(part) if isinstance(part, list) else part for part in value]


def message_verdict(data: bytes, *, from_server: bool) -> str:
    try:
        message = decode_message(data, from_server=from_server)
    except Fault as fault:
        return fault.code
    assert encode_message(message) == data
    return "ok"


@pytest.mark.parametrize("vector", BODIES, ids=str)
def test_body_vectors(vector: Vector) -> None:
    assert body_verdict(unpack(vector.bytes("body"))) == vector.expect


@pytest.mark.parametrize("vector", MESSAGES, ids=str)
def test_message_vectors(vector: Vector) -> None:
    server = {"client": False, "server": True}[vector.fields["from"]]
    assert message_verdict(vector.bytes("bytes"), from_server=server) == vector.expect


def test_the_vectors_hold_every_kind() -> None:
    good = [unpack(vector.bytes("body"))[0] for vector in BODIES if vector.expect == "ok"]
    assert sorted(set(good)) == KINDS
    kinds = {
        (vector.fields["from"], unpack(vector.bytes("bytes"), allow_map=True)[0])
        for vector in MESSAGES
        if vector.expect == "ok"
    }
    one_sided = {kind_of(struct) for union in (FromClient, FromServer) for struct in get_args(union)}
    assert {kind for _, kind in kinds} == one_sided


@given(st.sampled_from([*KINDS, "peek"]), st.lists(ALLOWED, max_size=5))
@settings(deadline=None)
def test_any_fields_are_a_body_or_a_fault_of_it(kind: str, fields: list[Any]) -> None:
    assert body_verdict([kind, *fields]) in {"ok", Code.BODY}


@given(st.lists(ALLOWED, max_size=4))
@settings(deadline=None)
def test_any_array_is_a_body_or_a_fault_of_it(value: list[Any]) -> None:
    assert body_verdict(value) in {"ok", Code.BODY}


@given(st.data(), st.sampled_from(BODIES))
@settings(max_examples=100, deadline=None)
def test_a_changed_body_is_a_body_or_a_fault_of_it(data: st.DataObject, vector: Vector) -> None:
    value = unpack(vector.bytes("body"))
    at = data.draw(st.integers(0, len(value) - 1))
    value[at] = data.draw(ALLOWED)
    assert body_verdict(value) in {"ok", Code.BODY}


@given(st.data(), st.sampled_from(MESSAGES), st.booleans())
@settings(max_examples=100, deadline=None)
def test_changed_bytes_are_a_message_or_a_fault(data: st.DataObject, vector: Vector, server: bool) -> None:
    raw = vector.bytes("bytes")
    at = data.draw(st.integers(0, len(raw)))
    changed = raw[:at] + data.draw(st.binary(max_size=3)) + raw[at + data.draw(st.integers(0, 2)) :]
    assert message_verdict(changed, from_server=server) in {"ok", Code.DECODE, Code.CANONICAL}


@given(ALLOWED | st.binary(max_size=60), st.booleans())
@settings(deadline=None)
def test_any_value_is_a_message_or_a_fault(value: Any, server: bool) -> None:
    assert message_verdict(pack(value), from_server=server) in {"ok", Code.DECODE}


@pytest.mark.parametrize(
    "value",
    [["answer", "\x1b[2J", [], []], ["\x1b[2J" * 100], ["hide", "\x1b"]],
)  # fmt: skip
def test_a_fault_shows_no_strangers_control_character(value: list[Any]) -> None:
    with pytest.raises(Fault) as caught:
        decode_body(value)
    assert caught.value.text.isprintable()
    assert len(caught.value.text) < 250


def test_structs_are_values() -> None:
    one = LayMeld((1, 2, 3), (bytes(32),) * 3, ())
    assert one == LayMeld((1, 2, 3), (bytes(32),) * 3, ())
    for field in one.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(one, field, ())
    assert encode_message(Have(0, bytes(32))) == pack(["have", 0, bytes(32)])


def test_the_published_schema_is_that_of_the_types() -> None:
    assert SCHEMA.read_text() == text()


@pytest.mark.parametrize("vector", [one for one in BODIES + MESSAGES if one.expect == "ok"], ids=str)
def test_the_schema_accepts_what_is_accepted(vector: Vector) -> None:
    """What the schema cannot say: bytes have lengths, slots ascend. Everything good must pass it."""
    link = "bytes" in vector.fields
    value = unpack(vector.bytes("bytes" if link else "body"), allow_map=link)
    union = {"client": "FromClient", "server": "FromServer"}[vector.fields["from"]] if link else "Body"
    whole = json.loads(SCHEMA.read_bytes())
    validator = jsonschema.Draft202012Validator({**whole, "$ref": f"#/$defs/{union}"})
    assert validator.is_valid(msgspec.to_builtins(value))


def test_the_schema_refuses_an_unknown_kind_and_a_missing_field() -> None:
    whole = json.loads(SCHEMA.read_bytes())
    validator = jsonschema.Draft202012Validator({**whole, "$ref": "#/$defs/Body"})
    digest = base64.b64encode(bytes(32)).decode()
    assert validator.is_valid(["sit", digest])
    assert not validator.is_valid(["sit"])
    assert not validator.is_valid(["sat", digest])


def test_every_struct_of_the_module_is_in_a_union() -> None:
    unions = {*get_args(Body), *get_args(FromClient), *get_args(FromServer)}
    parts = {messages.LobbyPlace, messages.RosterSeat}
    found = {
        item
        for item in vars(messages).values()
        if isinstance(item, type)
        and issubclass(item, msgspec.Struct)
        and item.__module__ == messages.__name__
    }
    assert {item for item in found if not item.__name__.startswith("_")} - parts == unions - {msgspec.Struct}
