"""What one seat alone may know in a hand: its seed, what follows from it, and its proofs in the making.

Owns the value that is stored beside the ledger. Must not know: links, time, the play of the others, where a
store keeps things.
"""

import msgspec

from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import pack, unpack

SEED_BYTES = 32


class HandSecret(msgspec.Struct, frozen=True):
    """The seed of one hand (32 bytes) and the SHA-256 of the decks it was applied to, once they are known."""

    hand_no: int
    seed: bytes
    shuffle_input: bytes | None = None
    lock_input: bytes | None = None

    def __repr__(self) -> str:
        return f"HandSecret(hand_no={self.hand_no}, ...)"

    def to_bytes(self) -> bytes:
        """The stored form: canonical MessagePack [hand_no, seed, shuffle_input | nil, lock_input | nil]."""
        return pack([self.hand_no, self.seed, self.shuffle_input, self.lock_input])

    @staticmethod
    def from_bytes(data: bytes) -> "HandSecret":
        """Read the stored form. Raises Fault(DECODE | CANONICAL | BODY), which never shows the seed."""
        fields = unpack(data)
        if not isinstance(fields, list | tuple) or len(fields) != 4:
            raise Fault(Code.BODY, "a hand secret has four fields")
        number, seed, *inputs = fields
        if isinstance(number, bool) or not isinstance(number, int) or not _is_digest(seed):
            raise Fault(Code.BODY, "a hand secret starts with its hand number and a seed of 32 bytes")
        if not all(value is None or _is_digest(value) for value in inputs):
            raise Fault(Code.BODY, "the inputs of a hand secret are nil or 32 bytes")
        return HandSecret(number, seed, *inputs)


def _is_digest(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == SEED_BYTES
