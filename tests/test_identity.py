"""The identity file: made once, private, and never replaced by mistake."""

import stat
from pathlib import Path

import pytest

from tests.system import for_users, on_posix
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.chain import public_bytes, signature_holds
from tongits_lan.store.files import make_once
from tongits_lan.store.identity import FILE_NAME, load_or_make_identity


def test_made_once_and_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = load_or_make_identity(folder)
    second = load_or_make_identity(folder)
    assert first.pk == second.pk == public_bytes(second.key)
    assert signature_holds(first.pk, b"text", second.key.sign(b"text"))
    assert load_or_make_identity(tmp_path / "other").pk != first.pk
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]


@on_posix
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    load_or_make_identity(folder)
    path = folder / FILE_NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    path.chmod(0o644)
    load_or_make_identity(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "tongits-lan identity 12\n", "something else\n", "\xff\xfe"])
def test_a_damaged_file_is_one_sentence_and_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(text, "latin-1")
    with pytest.raises(UserError, match="damaged") as caught:
        load_or_make_identity(tmp_path)
    assert caught.value.exit_code == Exit.FAILED
    assert path.read_text("latin-1") == text


def test_a_file_in_the_way_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="--data-dir") as caught:
        load_or_make_identity(tmp_path / "file" / "data")
    assert caught.value.exit_code == Exit.FAILED


@on_posix
@for_users
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UserError, match="cannot be written"):
            load_or_make_identity(tmp_path / "data")
    finally:
        tmp_path.chmod(0o700)


def test_the_one_who_comes_second_keeps_the_first_file(tmp_path: Path) -> None:
    path = tmp_path / "once"
    assert make_once(path, b"first")
    assert not make_once(path, b"second")
    assert path.read_bytes() == b"first"
    assert [found.name for found in tmp_path.iterdir()] == ["once"]


def test_the_key_is_never_shown(tmp_path: Path) -> None:
    identity = load_or_make_identity(tmp_path)
    secret = identity.key.private_bytes_raw()
    assert secret.hex() not in repr(identity)
    assert repr(secret) not in repr(identity)
