"""Canonical MessagePack, the one encoding of everything that is sent, signed or filed.

Owns which types may stand in a message and that every value has exactly one form (docs/protocol.md,
"Conventions"). Must not know what any value means.
"""

from collections.abc import Iterable
from typing import Any

import msgpack

from tongits_lan.errors import Code, Fault
from tongits_lan.limits import INT_MAX, ITEMS_MAX, NESTING_MAX


def pack(value: object) -> bytes:
    """The canonical bytes of a value of allowed types; map keys are put in order.

    Raises ValueError for anything no decoder would accept: that is a bug of the caller.
    """
    _check(value, 1, allow_map=True, lowest=-INT_MAX - 1)
    return _pack(_in_order(value))


def unpack(data: bytes, *, allow_map: bool = False, allow_negative: bool = False) -> Any:
    """The value these bytes are the canonical form of; arrays come back as lists.

    Raises Fault(DECODE) for bytes that are not one well-formed value of allowed types, and
    Fault(CANONICAL) for a value in another than its shortest form or a map with keys out of order or twice.
    """
    value = decode(data, allow_map=allow_map, allow_negative=allow_negative)
    check_canonical(value, data)
    return value


def decode(data: bytes, *, allow_map: bool = False, allow_negative: bool = False) -> Any:
    """The first half of `unpack`, for values whose parts are decoded before anything is compared."""
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=len(data),
            max_bin_len=len(data),
            max_ext_len=0,
            ext_hook=_no_extension,
            max_array_len=ITEMS_MAX,
            max_map_len=ITEMS_MAX,
        )
    except (ValueError, msgpack.UnpackException) as error:
        # ValueError covers a bad length, bad UTF-8, trailing bytes and an array too long or too deep.
        raise Fault(Code.DECODE, f"not one well-formed value in {len(data)} bytes") from error
    try:
        _check(value, 1, allow_map=allow_map, lowest=-INT_MAX - 1 if allow_negative else 0)
    except ValueError as error:
        raise Fault(Code.DECODE, str(error)) from error
    return value


def _no_extension(code: int, data: bytes) -> object:
    raise ValueError(f"an extension of type {code}")  # the only ones that come here are of no bytes


def check_canonical(value: object, data: bytes) -> None:
    """Raises Fault(CANONICAL) unless `data` is the one form of `value`, which `decode` read from it."""
    if _pack(_in_order(value)) != data:
        raise Fault(Code.CANONICAL, "these bytes are another form than the shortest of this value")


def frame_bytes(data: bytes) -> bytes:
    """One frame of a stream or a file: u32be length, then the bytes."""
    return len(data).to_bytes(4) + data


def _pack(value: object) -> bytes:
    packed = msgpack.packb(value, use_bin_type=True)
    assert isinstance(packed, bytes)
    return packed


def _in_order(value: object) -> object:
    """The same value with every map in ascending order of the keys' UTF-8 bytes."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value, key=_utf8)}
    if isinstance(value, list | tuple):
        return [_in_order(item) for item in value]
    return value


def _utf8(text: str) -> bytes:
    return text.encode("utf-8")  # a UnicodeEncodeError, which a surrogate gives, is a ValueError


def _check(value: object, depth: int, *, allow_map: bool, lowest: int) -> None:
    """Raises ValueError unless the value, at this depth of arrays, is of types and sizes that may be sent."""
    kind = type(value)
    if kind is bytes or kind is bool or value is None:
        return
    if isinstance(value, int):
        if not lowest <= value <= INT_MAX:
            raise ValueError(f"integer outside {lowest}..{INT_MAX}")
    elif isinstance(value, str):
        _utf8(value)
    elif isinstance(value, list | tuple) or (allow_map and isinstance(value, dict)):
        if depth > NESTING_MAX:
            raise ValueError(f"nested deeper than {NESTING_MAX}")
        if len(value) > ITEMS_MAX:
            raise ValueError(f"{len(value)} elements in one array or map, at most {ITEMS_MAX} may be")
        items: Iterable[object] = value
        if isinstance(value, dict):
            if not all(type(key) is str for key in value):
                raise ValueError("a map key that is no string")
            items = value.values()
        for item in items:
            _check(item, depth + 1, allow_map=allow_map, lowest=lowest)
    else:
        raise ValueError(f"a value of type {kind.__name__} may not stand here")
