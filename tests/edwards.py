"""The twisted Edwards curve of Ed25519 in plain integers: slow, for making and judging odd signatures.

Owns nothing of the program. Source: RFC 8032, section 5.1.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


def add(one: Point, two: Point) -> Point:
    """The sum of two points; the formula is complete."""
    (x1, y1), (x2, y2) = one, two
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P
    return x, y


def mult(k: int, point: Point) -> Point:
    """k times the point."""
    total = NEUTRAL
    while k:
        if k & 1:
            total = add(total, point)
        point = add(point, point)
        k >>= 1
    return total


def x_of(y: int) -> int | None:
    """The even x of a point with this y, None where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return P - x if x & 1 else x


def encode(point: Point) -> bytes:
    """32 bytes: y, and the lowest bit of x on top."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _base() -> Point:
    y = 4 * pow(5, -1, P) % P
    x = x_of(y)
    assert x is not None
    return x, y


BASE = _base()


def torsion() -> list[Point]:
    """The eight points of small order: the multiples of one of order 8, which is l times some point."""
    y = 2
    while True:
        x = x_of(y)
        if x is not None:
            candidate = mult(L, (x, y))
            if mult(4, candidate) != NEUTRAL:
                return [mult(i, candidate) for i in range(8)]
        y += 1


def challenge(r: bytes, pk: bytes, message: bytes) -> int:
    """h of RFC 8032."""
    return int.from_bytes(hashlib.sha512(r + pk + message).digest(), "little") % L


def sign(a: int, pk: bytes, message: bytes, *, nonce: int, twist: Point = NEUTRAL) -> bytes:
    """A signature with scalar a under the key bytes pk; `twist` is added to R before it is hashed."""
    r = encode(add(mult(nonce, BASE), twist))
    return r + ((nonce + challenge(r, pk, message) * a) % L).to_bytes(32, "little")


def holds_with_cofactor(key: Point, r: Point, message: bytes, sig: bytes) -> bool:
    """The laxer equation 8*S*B = 8*R + 8*h*A, which this protocol does not use."""
    s = int.from_bytes(sig[32:], "little")
    h = challenge(sig[:32], encode(key), message)
    return mult(8 * s, BASE) == mult(8, add(r, mult(h, key)))
