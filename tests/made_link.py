"""Vectors of the link: what both ends sign, the join code as it is typed, and one SPAKE2 exchange.

Owns a second SPAKE2, in plain integers and after docs/protocol.md alone. Asks the program for nothing.
"""

import hashlib
import hmac
from typing import Any

from tests.edwards import BASE, NEUTRAL, L, P, Point, add, encode, mult, sign, torsion, x_of
from tests.made import LEDGER, PK, Cases, Made, frame, rows
from tests.vectors import hexed

CLIENT_SEED = bytes(range(32))
SERVER_SEED = bytes(range(32, 64))
CERTIFICATE = b"any certificate in DER"
NONCE_C, NONCE_S = b"c" * 32, b"s" * 32
CODE = "42-mangga-bituin"
X, Y = 2**200 + 7, 2**250 + 11


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def hkdf(data: bytes, info: bytes, length: int) -> bytes:
    """HKDF-SHA256 with an empty salt (RFC 5869)."""
    key = hmac.digest(bytes(32), data, "sha256")
    out = block = b""
    for counter in range(1, -(-length // 32) + 1):
        block = hmac.digest(key, block + info + bytes([counter]), "sha256")
        out += block
    return out[:length]


def nobodys_point(name: bytes) -> Point:
    """A point of order l whose logarithm nobody knows."""
    y = int.from_bytes(hkdf(name, b"SPAKE2 arbitrary element", 48), "big") % P
    while (x := x_of(y)) is None:
        y = (y + 1) % P
    return mult(8, (x, y))


M, N = nobodys_point(b"M"), nobodys_point(b"N")


def _keys(seed: bytes) -> tuple[int, bytes, bytes]:
    """Scalar, prefix and public key of an Ed25519 seed (RFC 8032, 5.1.5)."""
    digest = bytearray(hashlib.sha512(seed).digest())
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    a = int.from_bytes(digest[:32], "little")
    return a, bytes(digest[32:]), encode(mult(a, BASE))


def _signed(seed: bytes, message: bytes) -> bytes:
    a, prefix, pk = _keys(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % L
    return sign(a, pk, message, nonce=nonce)


def _channel(certificate: bytes = CERTIFICATE, *, swapped: bool = False) -> bytes:
    ends = [(NONCE_C, _keys(CLIENT_SEED)[2]), (NONCE_S, _keys(SERVER_SEED)[2])]
    (nonce_c, pk_c), (nonce_s, pk_s) = reversed(ends) if swapped else ends
    return frame("link", _sha256(certificate), nonce_c, nonce_s, pk_c, pk_s)


def auths() -> Made:
    """Signatures over the channel, judged by the other end."""

    def case(role: str, seed: bytes, signed_role: str, channel: bytes) -> dict[str, Any]:
        ends = {"certificate": CERTIFICATE, "nonce_c": NONCE_C, "nonce_s": NONCE_S}
        pks = {"pk_c": _keys(CLIENT_SEED)[2], "pk_s": _keys(SERVER_SEED)[2], "transcript": _channel()}
        sig = _signed(seed, frame("auth", signed_role.encode(), channel))
        return {"role": role, **{name: part.hex() for name, part in {**ends, **pks, "sig": sig}.items()}}

    other = _channel(b"the certificate of somebody in the middle")
    cases: Cases = [
        ("ok", "the client's", case("client", CLIENT_SEED, "client", _channel())),
        ("ok", "the server's", case("server", SERVER_SEED, "server", _channel())),
        ("signature", "signed in the other role", case("client", CLIENT_SEED, "server", _channel())),
        ("signature", "the client's sent back", case("server", CLIENT_SEED, "client", _channel())),
        ("signature", "for a channel with another certificate", case("client", CLIENT_SEED, "client", other)),
        (
            "signature",
            "for a channel the other way round",
            case("server", SERVER_SEED, "server", _channel(swapped=True)),
        ),
    ]
    return rows("a", "sig", cases)


def codes() -> Made:
    """Join codes as people type them."""
    cases: Cases = [
        ("ok", what, {"typed": typed, "code": CODE})
        for what, typed in (
            ("as it is spoken", CODE),
            ("capitals and spaces", " 42 Mangga  BITUIN "),
            ("other separators", "42_mangga.bituin"),
            ("commas", "42, mangga, bituin"),
        )
    ]
    cases += [
        ("code", what, {"typed": typed})
        for what, typed in (
            ("nothing", ""),
            ("no number", "mangga-bituin"),
            ("a number below 10", "09-mangga-bituin"),
            ("a number of three digits", "100-mangga-bituin"),
            ("a word too few", "42-mangga"),
            ("a word too many", "42-mangga-bituin-walis"),
            ("a word that is none of the list", "42-mango-bituin"),
            ("digits of another script", "४२-mangga-bituin"),
        )
    ]
    return rows("c", "typed", cases)


def exchanges() -> Made:
    """The client's side of SPAKE2: with x it has sent `client`, and gets `server`."""
    channel = _channel()
    w = int.from_bytes(hkdf(CODE.encode(), b"SPAKE2 pw", 48), "big") % L
    sent = add(mult(X, BASE), mult(w, M))
    client, server = encode(sent), encode(add(mult(Y, BASE), mult(w, N)))
    shared = encode(mult(X * Y % L, BASE))
    ids = _sha256(b"client" + channel), _sha256(b"server" + channel)
    key = _sha256(_sha256(CODE.encode()), *ids, client, server, shared)
    macs = {
        f"{role}_mac": hmac.digest(key, role.encode() + channel, "sha256") for role in ("client", "server")
    }
    ends = {"transcript": channel, "x": X.to_bytes(32, "little"), "client": b"A" + client}

    def case(message: bytes, **more: bytes) -> dict[str, Any]:
        parts = {**ends, "server": message, **more}
        return {"code": CODE, **{name: part.hex() for name, part in parts.items()}}

    odd = next(point for point in torsion() if point != NEUTRAL)
    no_point = next(y for y in range(2, 99) if x_of(y) is None)
    cases: Cases = [
        ("ok", "both know the code", case(b"B" + server, **macs)),
        ("code", "the client's own message, sent back", case(b"A" + client)),
        ("code", "the client's own point as the server's", case(b"B" + client)),
        ("code", "no side", case(server)),
        ("code", "the identity", case(b"B" + encode(NEUTRAL))),
        ("code", "a point of small order", case(b"B" + encode(odd))),
        ("code", "a point outside the group of order l", case(b"B" + encode(add(sent, odd)))),
        ("code", "no point", case(b"B" + no_point.to_bytes(32, "little"))),
        ("code", "a byte too few", case(b"B" + server[:-1])),
        ("code", "a byte too many", case(b"B" + server + b"\0")),
        ("code", "the identity with y not below p", case(b"B" + (P + 1).to_bytes(32, "little"))),
        ("code", "the identity with the sign of x", case(b"B" + (1 + 2**255).to_bytes(32, "little"))),
        ("code", "nothing", case(b"")),
    ]
    return rows("x", "server", cases)


def fingerprints() -> Made:
    """Keys and the indices of their four words."""
    cases: Cases = [
        ("ok", what, {"pk": pk.hex(), "bytes": hashlib.sha256(frame("fingerprint", pk)).digest()[:4].hex()})
        for what, pk in (
            ("a key", PK),
            ("another", hexed(LEDGER["pk"][1])),
            ("any 32 bytes", bytes(32)),
        )
    ]
    return rows("f", "pk", cases)
