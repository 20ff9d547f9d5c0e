"""How bytes reach the disk: private modes, durable writes, locks, and what is said when the disk says no.

Owns every call that changes a file. Must not know what the bytes mean.
"""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import Phrase, cause, phrase

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
_LOCK_AT = (
    0x7FFF_0000  # where Windows locks one byte, far behind any ledger, so that others can still read it
)
_BINARY = getattr(os, "O_BINARY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)


@contextlib.contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turns an OSError about `path` into one UserError(FAILED) sentence."""
    try:
        yield
    except OSError as error:
        raise UserError(_sentence(path, error), Exit.FAILED) from error


def _sentence(path: Path, error: OSError) -> Phrase:
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return phrase(
            "The disk is full, {path} could not be written: free some space, then start again.", path=path
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return phrase(
            "{path} cannot be written (no permission): allow it, or choose another folder with --data-dir.",
            path=path,
        )
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return phrase(
            "{path} cannot be made, a file is in the way: choose another folder with --data-dir.", path=path
        )
    return phrase(
        "{path} cannot be used ({why}): check the disk, or choose another folder with --data-dir.",
        path=path,
        why=cause(error),
    )


def make_folder(path: Path) -> None:
    """Makes a folder only its owner can enter, and each parent that is missing, durably. Raises UserError.

    A folder is a name in its parent, and only a parent that is synced keeps it: else a power cut could take a
    new data folder along, however durable the files in it are."""
    with telling(path):
        missing = [folder for folder in (*reversed(path.parents), path) if not folder.is_dir()]
        for folder in missing:
            folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
            sync_folder(folder.parent)


def sync_folder(path: Path) -> None:
    """Makes names in the folder durable, where system and file system have such a thing. Raises OSError."""
    if sys.platform == "win32":
        return
    fd = os.open(path, os.O_RDONLY | _CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(fd)


def create(path: Path) -> int:
    """A new private file, open for writing and appending; it must not exist yet. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _BINARY | _CLOEXEC
    return os.open(path, flags, PRIVATE_FILE)


def reopen(path: Path) -> int:
    """An existing file, open for reading and appending. Raises OSError."""
    return os.open(path, os.O_RDWR | os.O_APPEND | _BINARY | _CLOEXEC)


def write_all(fd: int, data: bytes) -> None:
    """Writes everything; not durable before `sync`. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def sync(fd: int) -> None:
    """Makes what was written durable: the bytes and the length, not the times of the file. Raises OSError."""
    if sys.platform == "linux":
        os.fdatasync(fd)
    elif sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)  # fsync there leaves it to the drive when to write
        except OSError:  # a file system that knows no such thing
            os.fsync(fd)
    else:
        os.fsync(fd)


def birth_name(path: Path) -> Path:
    """The name a file bears until it is whole; where an open file cannot be renamed, its own."""
    if sys.platform == "win32":
        return path
    return path.with_name(path.name + ".new")


def replace_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Puts a private file in the place of `path` as one step: after a crash it is the old or the new one.

    Raises OSError."""
    fresh = path.with_name(path.name + ".new")
    try:
        fd = create(fresh)
    except FileExistsError:  # left by a crash
        fresh.unlink()
        fd = create(fresh)
    try:
        write_all(fd, data)
        if durable:
            sync(fd)
    finally:
        os.close(fd)
    fresh.replace(path)
    if durable:
        sync_folder(path.parent)


def make_once(path: Path, data: bytes) -> bool:
    """Makes a durable private file whole, unless it exists already (then False). Raises OSError."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        fresh.unlink()
    replace_private(fresh, data)
    try:
        if path.exists():
            return False
        try:
            os.link(fresh, path)  # unlike a rename it never replaces what another process made meanwhile
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            fresh.replace(path)
        sync_folder(path.parent)
        return True
    finally:
        remove(fresh)


def remove(path: Path) -> None:
    """Removes a file that may be there, for good: no power cut brings it back. Raises OSError."""
    try:
        path.unlink()
    except FileNotFoundError:
        return
    sync_folder(path.parent)


def lock(fd: int) -> bool:
    """Takes the one lock on an open file until it is closed, or says False: another process has it."""
    if sys.platform == "win32":
        import msvcrt

        here = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, _LOCK_AT, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(fd, here, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
