"""The files of a table: durable, locked, cut where a crash tore them, and as private as they must be."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system import ROOT, on_posix, with_full_disk
from tests.tables import NONCES, PKS, descriptor
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.effects import AppendEntry, EraseSecrets, SaveEvidence, SaveSecret
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.files import LEDGER_HEADER, ledger_bytes, parse_file
from tongits_lan.ledger.frames import ZEROS
from tongits_lan.ledger.private import HandSecret
from tongits_lan.limits import FRAME_MAX, UNIX_SECONDS_MAX
from tongits_lan.store.files import replace_private
from tongits_lan.store.journal import Addresses, Journal, closed_tables, pending_tables, read_addresses
from tongits_lan.store.promise import Promise, drop_promise, load_promise, save_promise

TAG = b"8 bytes."
ENTRIES = tuple(AppendEntry(bytes([number]) * 40) for number in range(1, 6))
SECRET = HandSecret(1, b"s" * 32)


def made(data_dir: Path, unix_seconds: int = 1_760_000_000, *, bots: bool = False) -> Journal:
    return Journal.create(data_dir, descriptor(unix_seconds, bots=bots), NONCES[1], 1, TAG)


def reopened(path: Path) -> Journal:
    journal = Journal.open(path)
    journal.close()
    return journal


def test_header_and_descriptor_are_there_before_anything_is_signed(tmp_path: Path) -> None:
    journal = made(tmp_path)
    assert journal.path.name == f"2025-10-09-{descriptor().table_id.hex()[:8]}.tongits"
    assert journal.path.read_bytes() == ledger_bytes(descriptor().raw, ())
    journal.close()


def test_what_was_applied_is_found_again(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.apply([ENTRIES[0], ENTRIES[1], SaveSecret(SECRET), ENTRIES[2]])
    journal.apply([SaveSecret(HandSecret(2, b"t" * 32, b"i" * 32))])
    journal.close()
    again = reopened(journal.path)
    assert again.entries == tuple(op.raw for op in ENTRIES[:3])
    assert again.secrets == (SECRET, HandSecret(2, b"t" * 32, b"i" * 32))
    assert (again.me, again.nonce, again.tag) == (1, NONCES[1], TAG)
    assert again.descriptor == descriptor()


def test_erased_secrets_leave_no_trace(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.apply([SaveSecret(SECRET), SaveSecret(HandSecret(2, b"t" * 32))])
    journal.apply([EraseSecrets(1)])
    journal.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"s" * 32 not in kept
    assert b"t" * 32 in kept
    assert reopened(journal.path).secrets == (HandSecret(2, b"t" * 32),)


@pytest.mark.parametrize("missing", [1, 30, 60])
def test_a_torn_secret_is_cut_off(tmp_path: Path, missing: int) -> None:
    journal = made(tmp_path)
    journal.apply([SaveSecret(SECRET), SaveSecret(HandSecret(1, SECRET.seed, b"i" * 32))])
    journal.close()
    (secret,) = (tmp_path / "private").glob("*.secret")
    secret.write_bytes(secret.read_bytes()[:-missing])
    again = Journal.open(journal.path)
    assert again.secrets == (SECRET,)
    again.apply([SaveSecret(HandSecret(1, SECRET.seed, b"j" * 32))])
    again.close()
    assert reopened(journal.path).secrets == (HandSecret(1, SECRET.seed, b"j" * 32),)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff" * 100, b"\x00\x00\x00\x01\xc0"])
def test_a_damaged_private_file_is_told(tmp_path: Path, data: bytes) -> None:
    journal = made(tmp_path)
    journal.close()
    (secret,) = (tmp_path / "private").glob("*.secret")
    secret.write_bytes(data)
    assert pending_tables(tmp_path, PKS[1]) == []
    with pytest.raises(UserError, match="damaged"):
        Journal.open(journal.path)


def test_a_torn_tail_is_cut_at_every_byte_and_the_file_goes_on(tmp_path: Path) -> None:
    """Whether the file ends there, or zeros stand where a crash came before the bytes."""
    journal = made(tmp_path)
    journal.apply(ENTRIES[:2])
    good = journal.path.read_bytes()
    journal.apply([ENTRIES[2]])
    journal.close()
    whole = journal.path.read_bytes()
    for end in range(len(good), len(whole)):
        zeros = (0, len(whole) - end) if len(whole) - end >= len(ZEROS) else (0,)
        for beyond in zeros:
            journal.path.write_bytes(whole[:end] + bytes(beyond))
            again = Journal.open(journal.path)
            assert again.entries == tuple(op.raw for op in ENTRIES[:2])
            assert journal.path.read_bytes() == good
            again.apply([ENTRIES[2]])
            again.close()
            assert journal.path.read_bytes() == whole


@pytest.mark.parametrize("zeros", [1, 4, 7, 4096])
def test_zeros_in_place_of_what_a_crash_came_before_are_cut(tmp_path: Path, zeros: int) -> None:
    journal = made(tmp_path)
    journal.apply([*ENTRIES[:2], SaveSecret(SECRET)])
    secret = tmp_path / "private" / (journal.path.stem + ".secret")
    good = journal.path.read_bytes()
    kept = secret.read_bytes()
    journal.apply([SaveSecret(HandSecret(1, SECRET.seed, b"i" * 32, b"j" * 32))])
    journal.close()
    torn = secret.read_bytes()[: len(kept) + 50]
    for name, data in ((journal.path, good), (secret, torn)):
        name.write_bytes(data + bytes(zeros + len(ZEROS)))
    assert len(pending_tables(tmp_path, PKS[1])) == 1
    again = Journal.open(journal.path)
    assert again.entries == tuple(op.raw for op in ENTRIES[:2])
    assert again.secrets == (SECRET,)
    again.apply([ENTRIES[2]])
    again.close()
    assert journal.path.read_bytes() == good + frame_bytes(ENTRIES[2].raw)
    assert secret.read_bytes() == kept


def test_a_frame_over_the_limit_is_no_torn_tail(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.apply(ENTRIES[:1])
    journal.close()
    with journal.path.open("ab") as file:
        file.write((FRAME_MAX + 1).to_bytes(4, "big") + b"rest")
    before = journal.path.read_bytes()
    with pytest.raises(UserError, match="tongits verify"):
        Journal.open(journal.path)
    assert journal.path.read_bytes() == before


def test_one_process_per_table(tmp_path: Path) -> None:
    journal = made(tmp_path)
    code = (
        "import sys; from pathlib import Path; from tongits_lan.store.journal import Journal\n"
        "from tongits_lan.errors import UserError\n"
        "try: Journal.open(Path(sys.argv[1]))\n"
        "except UserError as error: print(int(error.exit_code), error.text)\n"
    )
    command = [sys.executable, "-c", code, str(journal.path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout
    assert told.startswith("1 ")
    assert "another window" in told
    journal.close()
    assert subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout == ""


def test_the_lock_is_taken_before_the_file_has_its_name(tmp_path: Path) -> None:
    journal = made(tmp_path)
    with pytest.raises(UserError, match="another window"):
        Journal.open(journal.path)
    with pytest.raises(UserError, match="already"):
        made(tmp_path)
    journal.close()


@on_posix
def test_private_files_are_private(tmp_path: Path) -> None:
    journal = made(tmp_path / "data")
    journal.apply([SaveSecret(SECRET)])
    journal.remember(Addresses(15213, {PKS[0]: ("10.0.0.1:15213",)}))
    journal.close()
    save_promise(tmp_path / "data", Promise(b"n" * 32, PKS[0], b"table A.", None))
    for path in (tmp_path / "data").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert SECRET.seed not in journal.path.read_bytes()


def test_evidence_lies_beside_and_is_never_overwritten(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.apply([SaveEvidence(b"first"), SaveEvidence(b"second")])
    journal.close()
    found = sorted(path.name for path in journal.path.parent.glob("*.evidence"))
    assert found == [f"{journal.path.stem}-2.evidence", f"{journal.path.stem}.evidence"]
    assert journal.path.with_suffix(".evidence").read_bytes() == b"first"


def test_pending_tables_newest_first(tmp_path: Path) -> None:
    paths = []
    for day in (2, 1, 3):
        journal = made(tmp_path, 1_760_000_000 + day * 86_400, bots=day == 2)
        journal.close()
        paths.append(journal.path)
    found = pending_tables(tmp_path, PKS[1])
    assert [table.path for table in found] == [paths[2], paths[0], paths[1]]
    assert [table.bots for table in found] == [0, 2, 0]
    assert all(table.me == 1 and table.tag == TAG for table in found)
    assert pending_tables(tmp_path, PKS[0]) == []
    assert pending_tables(tmp_path / "nothing", PKS[1]) == []


def test_a_clock_that_was_wrong_hides_no_table(tmp_path: Path) -> None:
    """One set back to the beginning or forward to the last day: dates only name and order the files."""
    names = []
    for moment in (0, 1_760_000_000, UNIX_SECONDS_MAX, 1_760_000_001):
        journal = made(tmp_path, moment)
        journal.apply([ENTRIES[0]])
        journal.close()
        assert reopened(journal.path).entries == (ENTRIES[0].raw,)
        names.append(journal.path.name[:10])
    assert names == ["1970-01-01", "2025-10-09", "2514-05-30", "2025-10-09"]
    found = pending_tables(tmp_path, PKS[1])
    assert [table.path.name[:4] for table in found] == ["2514", "2025", "2025", "1970"]


def test_a_host_ahead_of_time_makes_no_table_that_is_the_newest_for_ever(tmp_path: Path) -> None:
    paths = []
    for moment, written in ((UNIX_SECONDS_MAX, 1_760_000_000), (1_760_086_400, 1_760_086_500)):
        journal = made(tmp_path, moment)
        journal.close()
        os.utime(journal.path, (written, written))
        paths.append(journal.path)
    assert [table.path for table in pending_tables(tmp_path, PKS[1])] == [paths[1], paths[0]]


def test_finished_stopped_and_damaged_tables_are_not_pending(tmp_path: Path) -> None:
    for day in range(4):
        journal = made(tmp_path, 1_760_000_000 + day * 86_400)
        if day == 1:
            journal.finish()
        if day == 2:
            journal.apply([SaveEvidence(b"evidence")])
        journal.close()
        if day == 3:
            journal.path.write_bytes(b"not a ledger")
    found = pending_tables(tmp_path, PKS[1])
    assert [table.descriptor.unix_seconds for table in found] == [1_760_000_000]
    assert not found[0].stopped
    found = pending_tables(tmp_path, PKS[1], stopped=True)  # that one's player may not have read why
    assert [table.stopped for table in found] == [True, False]
    journal = Journal.open(found[0].path)
    assert journal.evidence == b"evidence"
    journal.finish((2,))
    journal.close()
    assert len(pending_tables(tmp_path, PKS[1], stopped=True)) == 1
    assert [table.untold for table in closed_tables(tmp_path, PKS[1])] == [(2,)]


def test_a_private_file_of_another_table_is_refused(tmp_path: Path) -> None:
    first = made(tmp_path / "a")
    second = made(tmp_path / "b", 1_760_000_001)
    for journal in (first, second):
        journal.close()
    secret = next((tmp_path / "a" / "private").glob("*.secret"))
    other = next((tmp_path / "b" / "private").glob("*.secret"))
    secret.write_bytes(other.read_bytes())
    assert pending_tables(tmp_path / "a", PKS[1]) == []
    with pytest.raises(UserError, match="damaged"):
        Journal.open(first.path)


def test_addresses_are_remembered(tmp_path: Path) -> None:
    journal = made(tmp_path)
    assert journal.addresses == Addresses()
    known = Addresses(15214, {PKS[0]: ("10.0.0.1:15213", "192.168.1.5:15213"), PKS[2]: ()})
    journal.remember(known)
    assert read_addresses(journal.path) == known
    journal.finish()
    assert read_addresses(journal.path) == Addresses()
    journal.close()


@with_full_disk
def test_a_full_disk_is_one_sentence_and_the_file_stays_whole(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.apply(ENTRIES[:2])
    whole = journal.path.read_bytes()
    full = os.open("/dev/full", os.O_WRONLY)
    assert journal._fd is not None
    kept = os.dup(journal._fd)
    os.dup2(full, journal._fd)  # from now on every write finds the disk full
    os.close(full)
    with pytest.raises(UserError, match="disk is full") as caught:
        journal.apply([ENTRIES[2]])
    assert caught.value.exit_code == Exit.FAILED
    with pytest.raises(UserError, match="start again"):
        journal.apply([ENTRIES[2]])
    os.close(kept)
    journal.close()
    assert journal.path.read_bytes() == whole
    assert reopened(journal.path).entries == tuple(op.raw for op in ENTRIES[:2])


def test_a_write_that_fails_half_way_is_taken_back(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs limits on file sizes")
    code = (
        "import sys, resource, signal; from pathlib import Path\n"
        "from tongits_lan.store.journal import Journal\n"
        "from tongits_lan.ledger.effects import AppendEntry; from tongits_lan.errors import UserError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "path = Path(sys.argv[1]); journal = Journal.open(path); size = path.stat().st_size + 30\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))\n"
        "try: journal.apply([AppendEntry(b'x' * 100)])\n"
        "except UserError as error: print(int(error.exit_code))\n"
    )
    assert resource.RLIMIT_FSIZE is not None
    journal = made(tmp_path)
    journal.apply(ENTRIES[:2])
    journal.close()
    whole = journal.path.read_bytes()
    command = [sys.executable, "-c", code, str(journal.path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "1\n"
    assert journal.path.read_bytes() == whole


def test_a_replacement_is_the_old_or_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace_private(path, b"old")
    path.with_name("file.new").write_bytes(b"torn by a cra")  # a crash before the rename
    assert path.read_bytes() == b"old"
    replace_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_crash_before_the_ledger_has_its_name_leaves_no_table(tmp_path: Path) -> None:
    journal = made(tmp_path)
    journal.close()
    journal.path.rename(journal.path.with_name(journal.path.name + ".new"))
    assert pending_tables(tmp_path, PKS[1]) == []
    again = made(tmp_path)  # the same table begins after all
    again.close()
    parsed = parse_file(again.path.read_bytes())
    assert (parsed.descriptor_raw, parsed.entries) == (descriptor().raw, ())
    assert LEDGER_HEADER in again.path.read_bytes()


SYNCED = """
import sys; from pathlib import Path; from tongits_lan.store.files import make_folder, remove, replace_private
calls = []
sys.addaudithook(lambda name, given: calls.append((name, given)))
folder = Path(sys.argv[1])
make_folder(folder)
replace_private(folder / "file", b"")
remove(folder / "file")
made = [(name, given) for name, given in calls if name in ("os.mkdir", "open", "os.rename", "os.remove")]
print(*(f"{name} {given[0]}" for name, given in made), sep="\\n")
"""


@on_posix
def test_whatever_changes_in_a_folder_is_synced_in_it(tmp_path: Path) -> None:
    """What a process asks of the system that makes three folders, and a file in the last, and removes it."""
    deep = tmp_path / "a" / "b" / "c"
    command = [sys.executable, "-c", SYNCED, str(deep)]
    calls = subprocess.run(
        command, capture_output=True, text=True, timeout=30, check=True
    ).stdout.splitlines()
    for folder in (tmp_path / "a", tmp_path / "a" / "b", deep):
        assert calls[calls.index(f"os.mkdir {folder}") + 1] == f"open {folder.parent}"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    file = [call.replace(str(deep), "") for call in calls[-5:]]
    assert file == ["open /file.new", "os.rename /file.new", "open ", "os.remove /file", "open "]


FULL_DISK = """
import os, subprocess, sys
from pathlib import Path
from tests.test_journal import ENTRIES, SECRET, made
from tongits_lan.errors import UserError
from tongits_lan.ledger.effects import EraseSecrets, SaveEvidence, SaveSecret
from tongits_lan.ledger.private import HandSecret
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Journal

disk = Path(sys.argv[1])
filler = disk / "filler"

def fill():
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            pass

def refused(act):
    try:
        act()
    except UserError as error:
        print(int(error.exit_code), error.text)

def files():
    return {path: path.read_bytes() for path in disk.rglob("*") if path.is_file() and path != filler}

mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(disk)]
subprocess.run(mount, check=True)
pk = load_or_make_identity(disk / "me").pk
journal = made(disk / "data")
journal.apply([ENTRIES[0], SaveSecret(SECRET)])
journal.close()
before = files()
whole = ENTRIES[1].raw * 200
big = type(ENTRIES[1])(whole)
for ops in ([big], [SaveSecret(HandSecret(1, b"s" * 32, b"i" * 32))] * 100, [SaveEvidence(whole)]):
    journal = Journal.open(journal.path)
    fill()
    refused(lambda: journal.apply(ops))
    refused(lambda: journal.apply([ENTRIES[1]]))
    journal.close()
    filler.unlink()
    again = Journal.open(journal.path)
    assert again.entries == (ENTRIES[0].raw,), again.entries
    assert again.secrets[0].seed == SECRET.seed
    again.close()
fill()
refused(lambda: made(disk / "data", 1_770_000_000))
refused(lambda: load_or_make_identity(disk / "other"))
refused(lambda: Journal.open(journal.path))
filler.unlink()
assert load_or_make_identity(disk / "me").pk == pk
journal = Journal.open(journal.path)
journal.apply([big])
journal.close()
subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
kept = files()
refused(lambda: Journal.open(journal.path))
refused(lambda: made(disk / "data", 1_780_000_000))
refused(lambda: load_or_make_identity(disk / "other"))
assert load_or_make_identity(disk / "me").pk == pk
assert files() == kept
"""


def own_disks() -> bool:
    """Whether a process may mount a disk that it alone sees."""
    if shutil.which("unshare") is None:
        return False
    return (
        subprocess.run(
            ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], check=False, capture_output=True
        ).returncode
        == 0
    )


@pytest.mark.skipif(not own_disks(), reason="needs Linux, and the right to mount a small disk for the test")
def test_a_full_and_a_read_only_disk_lose_nothing_and_say_so(tmp_path: Path) -> None:
    """A disk of 128 kB: each thing that is written, on a disk without room and on one that takes nothing."""
    command = ["unshare", "-rm", sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert all(line.startswith("1 ") for line in told), told
    full, read_only = told[:9], told[9:]
    assert sum("The disk is full" in line for line in full) == 6
    assert sum("could not be kept before: start again" in line for line in full) == 3
    assert len(read_only) == 3
    assert all("cannot be written (no permission)" in line for line in read_only)


def test_an_unwritable_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file in the way")
    with pytest.raises(UserError, match="--data-dir") as caught:
        made(tmp_path)
    assert caught.value.exit_code == Exit.FAILED
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno in (errno.EEXIST, errno.ENOTDIR)


def test_a_promise_is_kept_until_it_is_dropped(tmp_path: Path) -> None:
    assert load_promise(tmp_path) is None
    promise = Promise(b"n" * 32, PKS[0], b"table A.", b"the lobby")
    save_promise(tmp_path, Promise(b"m" * 32, PKS[2], b"table C.", None))
    save_promise(tmp_path, promise)
    assert load_promise(tmp_path) == promise
    assert b"n" * 32 not in repr(promise).encode("latin-1")
    drop_promise(tmp_path)
    drop_promise(tmp_path)
    assert load_promise(tmp_path) is None


def test_a_promise_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    save_promise(tmp_path, Promise(b"n" * 32, PKS[0], b"table A.", None))
    (tmp_path / "private" / "lobby.promise").write_bytes(b"\x93\x01")
    assert load_promise(tmp_path) is None
