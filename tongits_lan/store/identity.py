"""The one identity key of this installation.

Owns its file: `identity.key` in the data folder, mode 0600, one line of text with the 32 bytes of the
Ed25519 private key in hex. Must not know tables or links.
"""

from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.chain import public_bytes
from tongits_lan.store.files import PRIVATE_FILE, make_folder, make_once, telling

FILE_NAME = "identity.key"
_MARK = "tongits-lan identity "


@dataclass(frozen=True, slots=True)
class Identity:
    """A key pair; `pk` is the 32-byte public key. The private half is never shown."""

    key: Ed25519PrivateKey = field(repr=False)
    pk: bytes


def load_or_make_identity(folder: Path) -> Identity:
    """The identity kept in `folder`, made on first use.

    Raises UserError(FAILED) for a folder that cannot be used and for a damaged key file."""
    make_folder(folder)
    path = folder / FILE_NAME
    with telling(path):
        if not path.exists():
            text = _MARK + Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n"
            make_once(path, text.encode("ascii"))
        if path.stat().st_mode & 0o077:
            path.chmod(PRIVATE_FILE)
        text = path.read_text("ascii", errors="replace")
    return _identity(text, path)


def _identity(text: str, path: Path) -> Identity:
    try:
        if not text.startswith(_MARK):
            raise ValueError
        key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text[len(_MARK) :].strip()))
    except ValueError:
        raise UserError(
            phrase(
                "The identity file {path} is damaged: put a copy back, or remove it to play as somebody new.",
                path=path,
            ),
            Exit.FAILED,
        ) from None
    return Identity(key, public_bytes(key))
