"""What a guest has promised to a lobby and needs again if it is killed before the table begins.

Owns `private/lobby.promise`: the nonce behind the commitment sent with `seat`, the host it was sent to, its
tag and the lobby the guest said yes to. Must not know links, nor what the lobby message says.
"""

from dataclasses import dataclass, field
from pathlib import Path

from tongits_lan.errors import Fault
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.store.files import make_folder, remove, replace_private, telling

_MARK = "tongits-lan/1 promise"


@dataclass(frozen=True, slots=True)
class Promise:
    """A nonce (32 bytes) for one table of one host; `tag` (8 bytes) is how that table is found, `agreed` the
    `lobby` message agreed to, if any yet."""

    nonce: bytes = field(repr=False)
    host_pk: bytes
    tag: bytes
    agreed: bytes | None


def _path(data_dir: Path) -> Path:
    return data_dir / "private" / "lobby.promise"


def save_promise(data_dir: Path, promise: Promise) -> None:
    """Keeps it durably in the place of an earlier one. Raises UserError."""
    path = _path(data_dir)
    make_folder(path.parent)
    with telling(path):
        replace_private(path, pack([_MARK, promise.nonce, promise.host_pk, promise.tag, promise.agreed]))


def load_promise(data_dir: Path) -> Promise | None:
    """The promise that was kept last; None for none, or one that cannot be read."""
    try:
        fields = unpack(_path(data_dir).read_bytes())
    except (OSError, Fault):
        return None
    match fields:
        case [str(mark), bytes(nonce), bytes(pk), bytes(tag), bytes() | None as agreed] if mark == _MARK:
            return Promise(nonce, pk, tag, agreed)
        case _:
            return None


def drop_promise(data_dir: Path) -> None:
    """Forgets it: the nonce now belongs to a table. Raises UserError."""
    with telling(_path(data_dir)):
        remove(_path(data_dir))
