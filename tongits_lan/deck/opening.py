"""Keys against labels, and the face behind a fully opened slot.

Owns the checks of published keys and the way from a locked element to a card code. Must not know when a
key is due. Source: docs/protocol.md, "The deck".
"""

from collections.abc import Sequence

from tongits_lan.deck.group import L, card_codes, check_scalar, mult, mult_base, number, scalar
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.errors import Code, Fault


def check_key(k: bytes, label: bytes, what: str) -> None:
    """Raise Fault(SCALAR) unless `k` is a scalar, Fault(KEY) unless k*B is the label."""
    check_scalar(k, what)
    if mult_base(k) != label:
        raise Fault(Code.KEY, f"{what} does not fit its label")


def open_element(element: bytes, keys: Sequence[bytes], n: int) -> int:
    """Return the code (0..n-1) of the card under these locks; raise Fault(OPENING) if it is no card."""
    product = 1
    for key in keys:
        product = product * number(key) % L
    code = card_codes().get(mult(scalar(pow(product, -1, L)), element))
    if code is None or code >= n:
        raise Fault(Code.OPENING, "what is under the locks is no card")
    return code


def open_all(deck_out: Sequence[bytes], keys_by_seat: Sequence[Sequence[bytes]], n: int) -> tuple[int, ...]:
    """Return the card code of every slot of the last lock's output, all locks of the three seats given.

    Raise Fault(OPENING) unless they are n different cards.
    """
    faces = tuple(
        open_element(element, keys, n) for element, *keys in zip(deck_out, *keys_by_seat, strict=True)
    )
    if len(set(faces)) != n:
        raise Fault(Code.OPENING, "two slots hold the same card")
    return faces


def replayed_faces(passes: Sequence[HandSecrets]) -> tuple[int, ...]:
    """Return the card code of every slot from the secrets of the seats in the order of their passes.

    Equal to `open_all` where every pass replays, at the cost of no group operation.
    """
    faces = tuple(range(passes[0].n))
    for s in passes:
        faces = tuple(faces[source] for source in s.p)
    return faces
