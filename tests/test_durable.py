"""What a power cut would leave: everything that was done before a call returned, and nothing half done.

The disk is played by a note of each file and folder as it was when the system was last asked to keep it.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tables import NONCES, descriptor
from tongits_lan.ledger.effects import AppendEntry, EraseSecrets, SaveEvidence, SaveSecret, StoreOp
from tongits_lan.ledger.private import HandSecret
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Journal
from tongits_lan.store.promise import Promise, drop_promise, save_promise

pytestmark = pytest.mark.skipif(
    sys.platform != "linux",
    reason="needs fdatasync and folders that are read by their descriptor, as in Linux",
)
ENTRIES = tuple(AppendEntry(bytes([number]) * 40) for number in range(1, 6))
SECRETS = tuple(SaveSecret(HandSecret(number, bytes([number]) * 32)) for number in (1, 2))
Contents = dict[str, bytes]


class Disk:
    """By inode: the bytes of files, and the names in folders, that are safe."""

    def __init__(self) -> None:
        self._files: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}

    def keep(self, fd: int) -> None:
        """The system is asked to make this safe."""
        about = os.fstat(fd)
        if stat.S_ISDIR(about.st_mode):
            inodes = {name: os.stat(name, dir_fd=fd).st_ino for name in os.listdir(fd)}
            self._names[about.st_ino] = inodes
        else:
            self._files[about.st_ino] = os.pread(fd, about.st_size, 0)

    def left(self, folder: Path) -> Contents:
        """What is found in a folder after a power cut; a file of which nothing is safe is empty."""
        return dict(self._walk(folder.stat().st_ino, ""))

    def _walk(self, folder: int, path: str) -> Iterator[tuple[str, bytes]]:
        for name, inode in self._names.get(folder, {}).items():
            if "." in name:
                yield path + name, self._files.get(inode, b"")
            else:
                yield from self._walk(inode, f"{path}{name}/")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    noted = Disk()

    def noting(ask: Callable[[int], None]) -> Callable[[int], None]:
        def sync(fd: int) -> None:
            ask(fd)
            noted.keep(fd)

        return sync

    monkeypatch.setattr(os, "fsync", noting(os.fsync))
    monkeypatch.setattr(os, "fdatasync", noting(os.fdatasync))
    return noted


def there(folder: Path) -> Contents:
    """What is in a folder while the power is on."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def opened(folder: Path) -> Journal:
    return Journal.create(folder / "me", descriptor(), NONCES[1], 1, b"8 bytes.")


def test_an_identity_and_a_promise_are_safe_when_they_are_made(tmp_path: Path, disk: Disk) -> None:
    """And a promise that was dropped does not come back."""
    steps: list[Callable[[], object]] = [
        lambda: load_or_make_identity(tmp_path / "me"),
        lambda: save_promise(tmp_path / "me", Promise(bytes(32), bytes(32), bytes(8), None)),
        lambda: save_promise(tmp_path / "me", Promise(bytes(32), bytes(32), bytes(8), b"the lobby")),
        lambda: drop_promise(tmp_path / "me"),
    ]
    for count, step in zip((1, 2, 2, 1), steps, strict=True):
        step()
        assert len(there(tmp_path)) == count
        assert disk.left(tmp_path) == there(tmp_path)


@pytest.mark.parametrize(
    "ops",
    [
        [ENTRIES[0]],
        [SECRETS[0]],
        [SECRETS[0], ENTRIES[0], ENTRIES[1]],
        [ENTRIES[0], SECRETS[0], ENTRIES[1], SECRETS[1], ENTRIES[2]],
        [SECRETS[0], SECRETS[1], EraseSecrets(1)],
        [ENTRIES[0], SaveEvidence(b"the proof")],
    ],
    ids=lambda ops: " ".join(type(op).__name__ for op in ops),
)
def test_what_a_table_stores_is_safe_before_anything_is_sent(
    tmp_path: Path, disk: Disk, ops: list[StoreOp]
) -> None:
    """A table's files are, when they are made, and all of what it asks for is, when that is done."""
    journal = opened(tmp_path)
    assert len(there(tmp_path)) == 2
    assert disk.left(tmp_path) == there(tmp_path)
    for op in (*ops, ENTRIES[4]):
        before = there(tmp_path)
        journal.apply([op])
        assert there(tmp_path) != before
        assert disk.left(tmp_path) == there(tmp_path)
    journal.apply(ops)
    assert disk.left(tmp_path) == there(tmp_path)
    journal.close()


def test_what_a_crash_tore_off_does_not_come_back(tmp_path: Path, disk: Disk) -> None:
    journal = opened(tmp_path)
    journal.apply([SECRETS[0], ENTRIES[0]])
    journal.close()
    whole = there(tmp_path)
    for path in (tmp_path / "me").rglob("*.*"):
        with path.open("r+b", buffering=0) as file:
            file.seek(0, os.SEEK_END)
            file.write(b"\x00\x00\x00\x28torn")
            os.fsync(file.fileno())
    assert disk.left(tmp_path) == there(tmp_path) != whole
    Journal.open(journal.path).close()
    assert disk.left(tmp_path) == there(tmp_path) == whole


def test_how_a_table_ended_is_safe(tmp_path: Path, disk: Disk) -> None:
    """Its seeds do not come back either, nor a table that was called off."""
    journal = opened(tmp_path)
    journal.apply([SECRETS[0], ENTRIES[0]])
    for untold in ([0, 2], [0], []):
        journal.finish(untold)
        assert disk.left(tmp_path) == there(tmp_path)
    journal.close()
    assert [path.suffix for path in (tmp_path / "me").rglob("*.*")] == [".tongits"]
    journal.path.unlink()
    journal = opened(tmp_path)
    journal.drop(0, [2])
    assert [path.suffix for path in (tmp_path / "me").rglob("*.*")] == [".dropped"]
    assert disk.left(tmp_path) == there(tmp_path)
