"""The kept join code: private, the last one counts, anything else is none."""

import stat
from pathlib import Path

import pytest

from tests.system import on_posix
from tongits_lan.ledger.encoding import pack
from tongits_lan.store.lobby_code import Followed, LobbyCode, drop_code, load_code, save_code

SEATS = (bytes(32), b"\1" * 32, b"\2" * 32)
KEPT = LobbyCode("42-mangga-bituin", 15213, 1_790_000_000)
NEXT = LobbyCode(
    "42-mangga-bituin", 15213, 1_790_000_000, Followed("2026-11-30-0011.tongits", bytes(8), SEATS)
)


def test_the_last_one_counts_until_it_is_dropped(tmp_path: Path) -> None:
    assert load_code(tmp_path) is None
    save_code(tmp_path, LobbyCode("10-abaka-abaka", 1, 2))
    save_code(tmp_path, KEPT)
    assert load_code(tmp_path) == KEPT
    save_code(tmp_path, NEXT)
    assert load_code(tmp_path) == NEXT
    drop_code(tmp_path)
    assert load_code(tmp_path) is None
    drop_code(tmp_path)


@on_posix
def test_only_its_owner_reads_it_and_no_repr_tells_it(tmp_path: Path) -> None:
    save_code(tmp_path, KEPT)
    (path,) = tmp_path.rglob("lobby.code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "mangga" not in repr(KEPT)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"noise",
        pack(["tongits-lan/1 promise", "42-mangga-bituin", 1, 2, None]),
        pack(["tongits-lan/1 lobby", "42-mangga-bituin", 1, 2]),
        pack(["tongits-lan/1 lobby", 42, 1, 2, None]),
    ],
)
def test_what_is_no_kept_code_is_none(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "lobby.code").write_bytes(raw)
    assert load_code(tmp_path) is None
