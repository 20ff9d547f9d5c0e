"""Vectors of plain values, entries, signatures and bodies (see make_vectors)."""

import hashlib
from typing import Any

from tests.edwards import BASE, L, P, add, encode, mult, sign, torsion, x_of
from tests.made import B32, ENTRY, LEDGER, PAYLOAD, PK, SIG, TABLE_ID, Cases, Made, frame, packed, rows
from tests.vectors import hexed


def plain_values() -> Cases:
    """What may stand anywhere, and what may not."""
    return [
        ("ok", "nil", b"\xc0"),
        ("ok", "largest int", b"\xcf\x7f" + b"\xff" * 7),
        ("ok", "256 elements", b"\xdc\x01\x00" + b"\x00" * 256),
        ("decode", "257 elements", b"\xdc\x01\x01" + b"\x00" * 257),
        ("ok", "nested 8 deep", b"\x91" * 7 + b"\x90"),
        ("decode", "nested 9 deep", b"\x91" * 8 + b"\x90"),
        ("canonical", "127 as uint8", b"\xcc\x7f"),
        ("canonical", "255 as uint16", b"\xcd\x00\xff"),
        ("canonical", "65535 as uint32", b"\xce\x00\x00\xff\xff"),
        ("canonical", "2^32-1 as uint64", b"\xcf\x00\x00\x00\x00\xff\xff\xff\xff"),
        ("canonical", "1 as int64", b"\xd3" + b"\x00" * 7 + b"\x01"),
        ("canonical", "31 characters as str8", b"\xd9\x1f" + b"a" * 31),
        ("canonical", "255 bytes as bin16", b"\xc5\x00\xff" + b"a" * 255),
        ("canonical", "15 elements as array16", b"\xdc\x00\x0f" + b"\xc0" * 15),
        ("decode", "negative int", b"\xff"),
        ("decode", "2^63", b"\xcf\x80" + b"\x00" * 7),
        ("decode", "float32 zero", b"\xca\x00\x00\x00\x00"),
        ("decode", "the reserved byte c1", b"\xc1"),
        ("decode", "ext of one byte", b"\xd4\x05\x00"),
        ("decode", "timestamp", b"\xd6\xff\x00\x00\x00\x00"),
        ("decode", "a map", b"\x81\xa1a\x00"),
        ("decode", "an empty map", b"\x80"),
        ("decode", "nothing", b""),
        ("decode", "trailing byte", b"\xc0\xc0"),
        ("decode", "string cut short", b"\xa2a"),
        ("decode", "string that is not UTF-8", b"\xa1\xff"),
        ("decode", "overlong UTF-8", b"\xa2\xc0\x80"),
        ("decode", "UTF-8 of a surrogate", b"\xa3\xed\xa0\x80"),
        ("decode", "bin of 4 GiB announced", b"\xc6\xff\xff\xff\xff"),
        ("decode", "array of 2^32-1 announced", b"\xdd\xff\xff\xff\xff"),
        ("decode", "a longer form before a trailing byte: decode comes first", b"\xcc\x00\xc0"),
    ]


def values() -> Made:
    """Plain values: the encoding by itself."""
    cases = plain_values()
    for expect, what, data in [
        ("ok", "map with two keys", b"\x82\xa1a\x00\xa1b\xc0"),
        ("ok", "keys in the order of their bytes, not of their lengths", b"\x82\xa2aa\x00\xa1b\x00"),
        ("canonical", "keys out of order", b"\x82\xa1b\x00\xa1a\x00"),
        ("canonical", "one key twice", b"\x82\xa1a\x00\xa1a\x00"),
        ("decode", "bin as key", b"\x81\xc4\x01a\x00"),
        ("decode", "int as key", b"\x81\x01\x00"),
        ("decode", "nil as key", b"\x81\xc0\x00"),
        ("decode", "array as key", b"\x81\x90\x00"),
        ("canonical", "one pair as map16", b"\xde\x00\x01\xa1a\x00"),
    ]:
        cases.append((expect, f"in a map's place: {what}", {"bytes": data.hex(), "map": True}))
    for expect, what, data in [
        ("ok", "-1", b"\xff"),
        ("ok", "-33", b"\xd0\xdf"),
        ("canonical", "-32 as int8", b"\xd0\xe0"),
        ("canonical", "-128 as int16", b"\xd1\xff\x80"),
        ("ok", "-2^63", b"\xd3\x80" + b"\x00" * 7),
    ]:
        cases.append((expect, f"where chips stand: {what}", {"bytes": data.hex(), "negative": True}))
    return rows("v", "bytes", cases)


def entry(payload: bytes, sig: bytes = SIG) -> bytes:
    """An entry with this payload, whatever it is."""
    return packed([payload, sig])


def payload(*fields: object) -> bytes:
    """An entry with these fields in its payload."""
    return entry(packed(list(fields)))


def entry_of(size: int) -> bytes:
    """An entry of so many bytes."""
    rest = len(payload(0, 0, B32, ["x", bytes(size - 200)])) - (size - 200)
    made = payload(0, 0, B32, ["x", bytes(size - rest)])
    assert len(made) == size
    return made


def entries() -> Made:
    """Entries, up to the check of the seat."""
    return rows("e", "entry", well_shaped() + ill_shaped())


def well_shaped() -> Cases:
    """Entries of the right types."""
    body = ["sit", B32]
    return [
        ("ok", "entry 0 of the shared table", ENTRY),
        (
            "ok",
            "a body nobody knows: its kind is judged after the signature",
            payload(0, 0, B32, ["x", True]),
        ),
        ("ok", "the greatest height", payload(2, 2**63 - 1, B32, body)),
        ("size", "16,385 bytes", entry_of(16_385)),
        ("ok", "16,384 bytes", entry_of(16_384)),
        ("canonical", "bin16 for the payload", b"\x92\xc5\x00" + ENTRY[2:]),
        ("canonical", "seat as uint8", entry(b"\x94\xcc\x00" + PAYLOAD[2:])),
        ("canonical", "array16 for the payload", entry(b"\xdc\x00\x04" + PAYLOAD[1:])),
        (
            "decode",
            "bin16 for a payload cut short: decode comes first",
            b"\x92\xc5\x00\x01\x94" + ENTRY[78:],
        ),
        ("seat", "seat 3", payload(3, 0, B32, body)),
        ("seat", "seat 255", payload(255, 0, B32, body)),
        ("canonical", "seat 3 as uint8: canonical comes first", entry(b"\x94\xcc\x03" + PAYLOAD[2:])),
    ]


def ill_shaped() -> Cases:
    """Entries of wrong types or shapes."""
    body = ["sit", B32]
    return [
        ("decode", "an array of one", packed([PAYLOAD])),
        ("decode", "an array of three", packed([PAYLOAD, SIG, None])),
        ("decode", "payload as a string", packed(["payload", SIG])),
        ("decode", "signature of 63 bytes", entry(PAYLOAD, SIG[:63])),
        ("decode", "signature of 65 bytes", entry(PAYLOAD, SIG + b"\0")),
        ("decode", "no payload", entry(b"")),
        ("decode", "payload with a trailing nil", entry(PAYLOAD + b"\xc0")),
        ("decode", "entry with a trailing byte", ENTRY + b"\0"),
        ("decode", "payload of three", payload(0, 0, B32)),
        ("decode", "payload of five", payload(0, 0, B32, body, None)),
        ("decode", "false for the seat", payload(False, 0, B32, body)),
        ("decode", "true for the height", payload(0, True, B32, body)),
        ("decode", "nil for the seat", payload(None, 0, B32, body)),
        ("decode", "negative seat", payload(-1, 0, B32, body)),
        ("decode", "prev of 31 bytes", payload(0, 0, B32[:31], body)),
        ("decode", "prev as a string", payload(0, 0, "0" * 32, body)),
        ("decode", "an empty body", payload(0, 0, B32, [])),
        ("decode", "kind as bin", payload(0, 0, B32, [b"sit", B32])),
        ("decode", "a body that is no array", payload(0, 0, B32, "sit")),
        ("decode", "a map in the body", payload(0, 0, B32, ["sit", {"a": 1}])),
        ("decode", "a float in the body", payload(0, 0, B32, ["sit", 1.0])),
    ]


def case(
    pk: bytes = PK, sig: bytes = SIG, payload: bytes = PAYLOAD, table: bytes = TABLE_ID
) -> dict[str, str]:
    """The fields of one signature vector."""
    return {"pk": pk.hex(), "table_id": table.hex(), "payload": payload.hex(), "sig": sig.hex()}


def signatures() -> Made:
    """Signatures and public keys."""
    made = frame("entry", TABLE_ID, PAYLOAD)
    a = int.from_bytes(hashlib.sha512(b"a scalar").digest(), "little") % L
    key = encode(mult(a, BASE))
    turn = torsion()
    mixed = encode(add(mult(a, BASE), turn[1]))
    # Under the mixed key h*T is not nothing for this nonce, and is for that.
    lax = next(s for s in (sign(a, mixed, made, nonce=n) for n in range(5, 99)) if odd(s, mixed, made))
    strict = next(s for s in (sign(a, mixed, made, nonce=n) for n in range(5, 99)) if not odd(s, mixed, made))
    no_point = next(y for y in range(2, 99) if x_of(y) is None).to_bytes(32, "little")
    big_s = (int.from_bytes(SIG[32:], "little") + L).to_bytes(32, "little")
    constant = encode((0, 1)) + bytes(32)

    def case(
        pk: bytes = PK, sig: bytes = SIG, payload: bytes = PAYLOAD, table: bytes = TABLE_ID
    ) -> dict[str, str]:
        return {"pk": pk.hex(), "table_id": table.hex(), "payload": payload.hex(), "sig": sig.hex()}

    cases: Cases = [
        ("ok", "entry 0 of the shared table", case()),
        ("ok", "made with plain integers", case(key, sign(a, key, made, nonce=7))),
        ("signature", "another table", case(table=bytes(32))),
        ("signature", "another payload", case(payload=PAYLOAD[:-1] + b"\0")),
        ("signature", "another key", case(pk=hexed(LEDGER["pk"][1]))),
        ("signature", "one bit of R", case(sig=bytes([SIG[0] ^ 1]) + SIG[1:])),
        ("signature", "S + l", case(sig=SIG[:32] + big_s)),
        ("signature", "S with the top bit set", case(sig=SIG[:63] + bytes([SIG[63] | 0x80]))),
        ("signature", "no frame around the payload", case(key, sign(a, key, PAYLOAD, nonce=7))),
        ("signature", "R moved by a point of order 8: holds with the cofactor only",
         case(key, sign(a, key, made, nonce=7, twist=turn[1]))),
        ("signature", "key moved by a point of order 8: holds with the cofactor only", case(mixed, lax)),
        ("ok", "key moved by a point of order 8, h a multiple of 8: holds either way", case(mixed, strict)),
        ("signature", "a key that is no point", case(no_point)),
    ]  # fmt: skip
    for i, point in enumerate(turn):
        cases.append(
            ("descriptor", f"key of small order, {i} times one of order 8", case(encode(point), constant))
        )
    for y, what in ((P, "y = p"), (P + 1, "y = p + 1"), (2**255 - 1, "y = 2^255 - 1")):
        cases.append(("descriptor", f"key with {what}", case(y.to_bytes(32, "little"), constant)))
    x_zero = (1 | 1 << 255).to_bytes(32, "little")
    cases.append(("descriptor", "the neutral point with the sign of x set", case(x_zero, constant)))
    return rows("s", "", cases)


def odd(sig: bytes, key: bytes, message: bytes) -> bool:
    """Whether h is odd, so that h times a point of order 8 is not nothing; h mod 8 is 0 in the other case."""
    h = int.from_bytes(hashlib.sha512(sig[:32] + key + message).digest(), "little") % L
    return h % 8 != 0


PAIR = [B32, B32[::-1]]
GOOD_BODIES: list[list[Any]] = [
    ["sit", B32], ["open", B32], ["commit", B32, B32, B32 * 2], ["shuffle", B32 * 52], ["lock", B32 * 54],
    ["prove", B32 * 3, B32], ["ready"], ["deal", B32 * 25], ["pass"], ["spread", B32 * 12], ["draw"],
    ["key", 53, B32], ["take", None, [1, 2], PAIR, [51]], ["take", 63, [], [], []],
    ["meld", [0, 9], PAIR, [0, 51]], ["hide", [0, 1, 2, 3]], ["sapaw", 0, [5], [B32], []],
    ["discard", 0, B32], ["call", [], []], ["answer", "fold", [], []],
    ["answer", "challenge", [0, 53], PAIR], ["end"], ["reveal", B32], ["next", B32], ["leave", B32],
    ["forfeit"],
]  # fmt: skip
BAD_BODIES: list[tuple[str, list[Any]]] = [
    ("a kind nobody knows", ["peek", 1]),
    ("a kind of links", ["chat", 0, "hi"]),
    ("a kind in capitals", ["Sit", B32]),
    ("a field too few", ["sit"]),
    ("a field too many", ["ready", None]),
    ("a digest of 31 bytes", ["sit", B32[:31]]),
    ("a digest as a string", ["sit", "0" * 32]),
    ("labels of 33 bytes", ["commit", B32, B32, B32 + b"\0"]),
    ("a deck as an array of elements", ["shuffle", [B32] * 52]),
    ("a proof of 31 bytes", ["prove", B32, B32[:31]]),
    ("a key of 33 bytes", ["key", 0, B32 + b"\0"]),
    ("slot 54", ["key", 54, B32]),
    ("true for a slot", ["key", True, B32]),
    ("slots that descend", ["meld", [2, 1], PAIR, []]),
    ("one slot twice", ["meld", [1, 1], PAIR, []]),
    ("slot 54 in a list", ["hide", [0, 1, 2, 54]]),
    ("keys in one bin", ["meld", [1, 2], B32 * 2, []]),
    ("a short key in a list", ["sapaw", 0, [1], [B32[:31]], []]),
    ("meld index 64", ["sapaw", 64, [1], [B32], []]),
    ("nil for the meld of a sapaw", ["sapaw", None, [1], [B32], []]),
    ("target 64", ["take", 64, [], [], []]),
    ("false for the target", ["take", False, [], [], []]),
    ("wild card 52", ["meld", [1], [B32], [52]]),
    ("three wild cards", ["meld", [1], [B32], [1, 2, 3]]),
    ("an answer nobody gives", ["answer", "maybe", [], []]),
    ("an answer in capitals", ["answer", "Fold", [], []]),
    ("nil for slots", ["call", None, []]),
    ("a reason with a forfeit", ["forfeit", "bored"]),
]


def bodies() -> Made:
    """Bodies, as far as they can be judged without a position."""
    cases: Cases = [("ok", f"a {body[0]}", packed(body)) for body in GOOD_BODIES]
    cases += [("body", what, packed(body)) for what, body in BAD_BODIES]
    return rows("b", "body", cases)
