"""ledger.encoding: published vectors, a second decoder as oracle, bombs."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.strict_msgpack import Reader
from tests.vectors import Vector, crypto, hexed, load
from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import frame_bytes, pack, unpack
from tongits_lan.limits import INT_MAX

ALLOWED: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, INT_MAX)
    | st.binary(max_size=40)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=12,
)


def verdict(data: bytes, **allow: bool) -> str:
    """`ok` or the code of the fault."""
    try:
        unpack(data, **allow)
    except Fault as fault:
        return fault.code
    return "ok"


@pytest.mark.parametrize("vector", load("encoding/values.json"), ids=str)
def test_vectors(vector: Vector) -> None:
    data = vector.bytes("bytes")
    assert (
        verdict(data, allow_map=vector.flag("map"), allow_negative=vector.flag("negative")) == vector.expect
    )


@pytest.mark.parametrize("part", ["ok", "refuse", "refuse_in_rules_map"])
def test_shared_vectors(part: str) -> None:
    for item in crypto()["msgpack"][part]:
        data = hexed(item["bytes"])
        if item["what"] == "payload with the wrong arity":
            continue  # judged by the bytes that follow the third element, and as an entry in test_chain
        accepted = verdict(data, allow_map=part == "refuse_in_rules_map") == "ok"
        assert accepted == (part == "ok"), item["what"]


@given(ALLOWED)
@settings(deadline=None)
def test_what_is_packed_comes_back(value: Any) -> None:
    assert unpack(pack(value)) == value


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=9), st.integers(0, 300), max_size=12
    )
)
@settings(deadline=None)
def test_map_keys_are_packed_in_order(value: dict[str, int]) -> None:
    data = pack(value)
    assert unpack(data, allow_map=True) == value
    assert data == pack(dict(reversed(value.items())))


@given(st.data(), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_agrees_with_the_second_decoder(data: st.DataObject, allow_map: bool, allow_negative: bool) -> None:
    raw = data.draw(st.binary(max_size=40) | ALLOWED.map(pack))
    if raw and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw = raw[:at] + data.draw(st.binary(max_size=2)) + raw[at + 1 :]
    assert decoders_agree(raw, allow_map=allow_map, allow_negative=allow_negative)


@given(st.integers(0, 255), st.binary(max_size=12))
@example(0xD0, b"\xdf")
@example(0xD1, b"\xff\x7f")
@settings(deadline=None)
def test_agrees_on_every_first_byte(first: int, rest: bytes) -> None:
    assert decoders_agree(bytes([first]) + rest, allow_map=True, allow_negative=True)


def decoders_agree(raw: bytes, *, allow_map: bool, allow_negative: bool) -> bool:
    """On the value, or that it is refused, as no MessagePack or as another form of it than ours."""
    try:
        expected = Reader(raw, allow_map=allow_map, allow_negative=allow_negative).whole()
    except ValueError:
        return verdict(raw, allow_map=allow_map, allow_negative=allow_negative) in {"decode", "canonical"}
    return bool(unpack(raw, allow_map=allow_map, allow_negative=allow_negative) == expected)


@pytest.mark.parametrize(
    "bomb",
    [
        bytes.fromhex("ddffffffff"),
        bytes.fromhex("dfffffffff"),
        bytes.fromhex("c6ffffffff"),
        bytes.fromhex("dbffffffff"),
        bytes.fromhex("c9ffffffff00"),
        bytes.fromhex("dd7fffffff") + bytes(60_000),
        b"\x91" * 65_536,
        bytes.fromhex("dc0100") * 20_000,
        bytes.fromhex("de0100") * 20_000,
        b"\x81" * 65_536,
        b"\x81\xa1a" * 20_000,
    ],
    ids=lambda bomb: bomb[:6].hex(),
)
def test_bombs_are_refused_in_little_memory(bomb: bytes) -> None:
    tracemalloc.start()
    try:
        assert verdict(bomb, allow_map=True) == Code.DECODE
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("code", [0, 5, 127, 0x80, 0xFF])
@pytest.mark.parametrize("before", [b"", b"\x92\xa1a"])
def test_an_extension_of_no_bytes_is_no_value(before: bytes, code: int) -> None:
    assert verdict(before + bytes([0xC7, 0, code])) == Code.DECODE


@pytest.mark.parametrize(
    "value", [1.0, 2**63, {1: 2}, ["\ud800"], bytearray(b"x"), [[[[[[[[[]]]]]]]]], [0] * 257, {"a": object()}]
)
def test_pack_refuses_what_no_decoder_accepts(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        pack(value)


def test_frame() -> None:
    assert frame_bytes(b"abc") == b"\0\0\0\3abc"
