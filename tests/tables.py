"""Descriptors for tests that need a table but no play."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import fresh_match
from tongits_lan.ledger.chain import Descriptor, SeatEntry, build_descriptor, nonce_commitment, public_bytes

KEYS = tuple(Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32) for seat in range(3))
PKS = tuple(public_bytes(key) for key in KEYS)
NONCES = tuple(bytes([seat + 101]) * 32 for seat in range(3))
NAMES = ("Ana", "Ben", "Carlo")


def descriptor(unix_seconds: int = 1_760_000_000, *, bots: bool = False) -> Descriptor:
    """A table of Ana, Ben and Carlo under the pagat rules; with `bots` Ana runs the two others."""
    first, second, third = (
        SeatEntry(pk, name, nonce_commitment(pk, nonce), PKS[0] if bots else pk)
        for pk, name, nonce in zip(PKS, NAMES, NONCES, strict=True)
    )
    return build_descriptor(unix_seconds, PRESETS["pagat"], (first, second, third), fresh_match(), None)
