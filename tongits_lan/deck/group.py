"""ristretto255 with strict encodings, and the tagged hashes of the protocol.

Owns the wrapper that repairs what `rbcl` (libsodium) leaves open: it takes the identity for valid, ignores
bit 255 of elements and scalars, reduces scalars, and raises where a product is the identity. Must not know
what a deck, a hand or a seat is. Source: docs/protocol.md, "Conventions"; RFC 9496.

Elements and scalars are 32 bytes; scalars are little-endian. What comes from outside passes `check_element`
or `check_scalar` once, before any arithmetic; then the arithmetic here is total and never raises.
"""

import functools
import hashlib
from types import ModuleType

from tongits_lan.errors import Code, Fault

PREFIX = b"tongits-lan/1/"
L = 2**252 + 27742317777372353535851937790883648493  # the order of the group
IDENTITY = bytes(32)
CODES = 54  # card codes, jokers included

BASE: bytes
CARDS: tuple[bytes, ...]
GENERATORS: tuple[bytes, ...]
G_STAR: bytes


@functools.cache
def _sodium() -> ModuleType:
    """Load `rbcl` at first use: its import takes longer than a whole `tongits --version` may."""
    import rbcl

    module: ModuleType = rbcl
    return module


def frame(tag: str, *fields: bytes) -> bytes:
    """Return the injective encoding of a tag and its fields that every hash and signature is made over."""
    name = PREFIX + tag.encode("ascii")
    parts = [len(name).to_bytes(2, "big"), name]
    for field in fields:
        parts.append(len(field).to_bytes(4, "big"))
        parts.append(field)
    return b"".join(parts)


def h32(tag: str, *fields: bytes) -> bytes:
    """Return SHA-256 of the frame: 32 bytes."""
    return hashlib.sha256(frame(tag, *fields)).digest()


def h64(tag: str, *fields: bytes) -> bytes:
    """Return SHA-512 of the frame: 64 bytes."""
    return hashlib.sha512(frame(tag, *fields)).digest()


def hs(tag: str, *fields: bytes) -> bytes:
    """Return the 64-byte hash as a scalar: 32 bytes little-endian, below the group order (zero possible)."""
    return scalar(hs_int(tag, *fields))


def hs_int(tag: str, *fields: bytes) -> int:
    """Return the same scalar as `hs`, as an int."""
    return wide_scalar(h64(tag, *fields))


def wide_scalar(data: bytes) -> int:
    """Return 64 uniform bytes, read little-endian, reduced by the group order."""
    return int.from_bytes(data, "little") % L


def scalar(value: int) -> bytes:
    """Return an int of 0..L-1 as 32 bytes little-endian."""
    return value.to_bytes(32, "little")


def number(data: bytes) -> int:
    """Return 32 little-endian bytes as an int."""
    return int.from_bytes(data, "little")


def point(tag: str, *fields: bytes) -> bytes:
    """Return the element that RFC 9496 maps the 64-byte hash to: nobody knows its logarithm."""
    return bytes(_sodium().crypto_core_ristretto255_from_hash(h64(tag, *fields)))


def check_element(b: bytes, what: str) -> None:
    """Raise Fault(ELEMENT) unless `b` is the one canonical encoding of an element other than the identity."""
    if len(b) != 32 or b[31] >= 0x80 or b == IDENTITY or not _valid(b):
        raise Fault(Code.ELEMENT, f"{what} is no element of the group")


def check_scalar(b: bytes, what: str) -> None:
    """Raise Fault(SCALAR) unless `b` is 32 bytes with 0 < value < L."""
    if len(b) != 32 or not 0 < number(b) < L:
        raise Fault(Code.SCALAR, f"{what} is no scalar from 1 to l - 1")


def _valid(b: bytes) -> bool:
    return bool(_sodium().crypto_core_ristretto255_is_valid_point(b))


def mult(k: bytes, p: bytes) -> bytes:
    """Return k*p; the identity if k is zero or p the identity."""
    try:
        product: bytes = _sodium().crypto_scalarmult_ristretto255(k, p)
    except RuntimeError:  # how the library says that the product is the identity
        return IDENTITY
    return product


def mult_base(k: bytes) -> bytes:
    """Return k times the base point; the identity if k is zero."""
    try:
        product: bytes = _sodium().crypto_scalarmult_ristretto255_base(k)
    except RuntimeError:
        return IDENTITY
    return product


def add(p: bytes, q: bytes) -> bytes:
    """Return p + q."""
    if p == IDENTITY:
        return q
    if q == IDENTITY:
        return p
    total: bytes = _sodium().crypto_core_ristretto255_add(p, q)
    return total


def sub(p: bytes, q: bytes) -> bytes:
    """Return p - q."""
    if q == IDENTITY:
        return p
    difference: bytes = _sodium().crypto_core_ristretto255_sub(p, q)
    return difference


@functools.cache
def _cards() -> tuple[bytes, ...]:
    return tuple(point("card", bytes((code,))) for code in range(CODES))


@functools.cache
def _generators() -> tuple[bytes, ...]:
    return tuple(point("gen", bytes((i,))) for i in range(CODES))


@functools.cache
def _g_star() -> bytes:
    return point("gen", b"\xff")


@functools.cache
def _base() -> bytes:
    return mult_base(scalar(1))


@functools.cache
def card_codes() -> dict[bytes, int]:
    """Return the card code (0..53) of every card element."""
    return {element: code for code, element in enumerate(_cards())}


@functools.cache
def generator_sum(n: int) -> bytes:
    """Return G_0 + .. + G_{n-1}."""
    return functools.reduce(add, _generators()[:n], IDENTITY)


def __getattr__(name: str) -> object:
    """Compute the published tables at first use, so that importing this room costs nothing."""
    match name:
        case "BASE":
            return _base()
        case "CARDS":
            return _cards()
        case "GENERATORS":
            return _generators()
        case "G_STAR":
            return _g_star()
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
