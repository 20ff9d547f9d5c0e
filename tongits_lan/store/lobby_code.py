"""The join code of a lobby that is open, for a host that is killed and started again while its friends wait.

Owns `private/lobby.code`, readable by its owner only: the code, the port of the lobby, when it was last
open, and which table it follows. Must not know what a code is for, nor who is let in.
"""

from dataclasses import dataclass, field
from pathlib import Path

from tongits_lan.errors import Fault
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.store.files import make_folder, remove, replace_private, telling

_MARK = "tongits-lan/1 lobby"


@dataclass(frozen=True, slots=True)
class Followed:
    """The table that a lobby follows with the same people."""

    ledger: str
    """The name of its file in `tables/`."""
    tag: bytes
    """The 8 bytes of that table."""
    seats: tuple[bytes, ...]
    """The 32-byte keys of its seats."""


@dataclass(frozen=True, slots=True)
class LobbyCode:
    """The code of the lobby at a TCP port; it was open at `unix_seconds`."""

    code: str = field(repr=False)
    port: int
    unix_seconds: int
    follows: Followed | None = None


def _path(data_dir: Path) -> Path:
    return data_dir / "private" / "lobby.code"


def save_code(data_dir: Path, kept: LobbyCode) -> None:
    """Keeps it durably in the place of an earlier one. Raises UserError."""
    path = _path(data_dir)
    make_folder(path.parent)
    before = kept.follows
    follows = None if before is None else [before.ledger, before.tag, list(before.seats)]
    with telling(path):
        replace_private(path, pack([_MARK, kept.code, kept.port, kept.unix_seconds, follows]))


def load_code(data_dir: Path) -> LobbyCode | None:
    """What was kept last; None for nothing, or what cannot be read."""
    try:
        fields = unpack(_path(data_dir).read_bytes())
    except (OSError, Fault):
        return None
    match fields:
        case [str(mark), str(code), int(port), int(unix_seconds), follows] if mark == _MARK:
            return LobbyCode(code, port, unix_seconds, _followed(follows))
        case _:
            return None


def _followed(kept: object) -> Followed | None:
    match kept:
        case [str(ledger), bytes(tag), [bytes(first), bytes(second), bytes(third)]]:
            return Followed(ledger, tag, (first, second, third))
        case _:
            return None


def drop_code(data_dir: Path) -> None:
    """Forgets it: that lobby is over. Raises UserError."""
    with telling(_path(data_dir)):
        remove(_path(data_dir))
