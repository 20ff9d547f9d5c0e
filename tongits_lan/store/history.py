"""What is remembered of the ledger files in a data folder, so that each is verified once.

Owns `history.sqlite3` (0600) beside them: a copy that can be thrown away, for the files are the truth. A file
whose bytes have changed is verified again. Must not know how to verify, nor what is shown.
"""

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tongits_lan.errors import Exit, Fault, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.chain import parse_descriptor
from tongits_lan.ledger.files import FileReader, LedgerFile
from tongits_lan.ledger.frames import Read, Told, counting
from tongits_lan.ledger.past import PastHand, PastTable, past_table
from tongits_lan.ledger.report import Report
from tongits_lan.store.files import create, remove, telling
from tongits_lan.store.identity import FILE_NAME as IDENTITY_FILE
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import EVIDENCE_SUFFIX, LEDGER_SUFFIX

FILE_NAME = "history.sqlite3"
_VERSION = 2  # of the tables below; another one is thrown away
_SCHEMA = """
CREATE TABLE files (name TEXT PRIMARY KEY, digest BLOB NOT NULL);
CREATE TABLE tables (
    name TEXT PRIMARY KEY REFERENCES files ON DELETE CASCADE,
    table_id BLOB NOT NULL, unix_seconds INTEGER NOT NULL, preset TEXT NOT NULL,
    name0 TEXT NOT NULL, name1 TEXT NOT NULL, name2 TEXT NOT NULL,
    key0 BLOB NOT NULL, key1 BLOB NOT NULL, key2 BLOB NOT NULL,
    bot0 INTEGER NOT NULL, bot1 INTEGER NOT NULL, bot2 INTEGER NOT NULL,
    me INTEGER, status TEXT NOT NULL, closed INTEGER NOT NULL,
    chips0 INTEGER NOT NULL, chips1 INTEGER NOT NULL, chips2 INTEGER NOT NULL,
    head BLOB NOT NULL, verdict TEXT NOT NULL, stop_code TEXT, stop_seat INTEGER
);
CREATE TABLE hands (
    name TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, number INTEGER NOT NULL,
    dealer INTEGER NOT NULL, ending TEXT NOT NULL, winner INTEGER,
    net0 INTEGER NOT NULL, net1 INTEGER NOT NULL, net2 INTEGER NOT NULL,
    forfeited_by INTEGER, faces BLOB, dealt0 INTEGER, dealt1 INTEGER, dealt2 INTEGER,
    PRIMARY KEY (name, number)
);
"""

_INSERT_TABLE = "INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_INSERT_HAND = "INSERT INTO hands VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"

Judge = Callable[[LedgerFile], Report]


@dataclass(frozen=True, slots=True)
class Kept:
    """A ledger file and what is remembered of it; `table` is None for a file that says nothing."""

    path: Path
    table: PastTable | None


@dataclass(frozen=True, slots=True)
class Past:
    """All ledgers of a data folder, oldest first; `verified` is how many were verified for it now."""

    kept: tuple[Kept, ...]
    verified: int

    @property
    def tables(self) -> tuple[PastTable, ...]:
        """Those that say something."""
        return tuple(one.table for one in self.kept if one.table is not None)


def read_history(data_dir: Path, judge: Judge, *, rebuild: bool = False, told: Told | None = None) -> Past:
    """What all ledger files of a data folder say; only new and changed ones go through `judge`.

    With `rebuild` all of them do. `told` hears of the bytes that have been looked at.
    Raises UserError(FAILED) for a folder or file that cannot be used.
    """
    paths = sorted((data_dir / "tables").glob(f"*{LEDGER_SUFFIX}"))
    if not paths:
        return Past((), 0)
    pk = _own_key(data_dir)
    place = data_dir / FILE_NAME
    with _telling(place), closing(_open(place, fresh=rebuild)) as database:
        verified = _refresh(database, paths, pk, judge, told or (lambda done, total: None))
        kept = [Kept(path, _load(database, path.name)) for path in paths]
    kept.sort(key=lambda one: (0 if one.table is None else one.table.unix_seconds, one.path.name))
    return Past(tuple(kept), verified)


def _own_key(data_dir: Path) -> bytes | None:
    """The key of this installation; None where there is none yet (it is not made here)."""
    return load_or_make_identity(data_dir).pk if (data_dir / IDENTITY_FILE).exists() else None


@contextlib.contextmanager
def _telling(place: Path) -> Iterator[None]:
    try:
        with telling(place):
            yield
    except sqlite3.Error as error:
        raise UserError(
            phrase(
                "The history in {place} cannot be kept ({why}): check the disk, or remove that file.",
                place=place,
                why=error,
            ),
            Exit.FAILED,
        ) from error


def _open(place: Path, *, fresh: bool) -> sqlite3.Connection:
    """The database; one that is damaged, of another version or not wanted any more is made anew."""
    if fresh:
        _throw_away(place)
    if place.exists():
        database = sqlite3.connect(place)
        try:
            if database.execute("PRAGMA user_version").fetchone() == (_VERSION,):
                database.execute("PRAGMA foreign_keys = ON")
                database.execute("SELECT count(*) FROM files, tables, hands").fetchone()
                return database
        except sqlite3.DatabaseError:
            pass
        database.close()
        _throw_away(place)
    with open(create(place), "rb"):  # private from the beginning
        pass
    database = sqlite3.connect(place)
    database.executescript(f"PRAGMA foreign_keys = ON; {_SCHEMA} PRAGMA user_version = {_VERSION};")
    return database


def _throw_away(place: Path) -> None:
    for ending in ("", "-journal"):
        remove(place.with_name(place.name + ending))


def _refresh(
    database: sqlite3.Connection, paths: Sequence[Path], pk: bytes | None, judge: Judge, told: Told
) -> int:
    """Brings the copy level with the files, one file at a time; how many went through the judge."""
    known: dict[str, bytes] = dict(database.execute("SELECT name, digest FROM files"))
    present = {path.name for path in paths}
    with database:
        gone = [(name,) for name in known if name not in present]
        database.executemany("DELETE FROM files WHERE name = ?", gone)
    verified = done = 0
    total = sum(path.stat().st_size for path in paths)
    for path in paths:
        told(done, total)
        with path.open("rb") as file:
            # the own key is part of it: with another one another seat is the own
            digest = hashlib.file_digest(file, lambda: hashlib.sha256(pk or b"")).digest()
            digest = _with_evidence(path, digest)
            if known.get(path.name) != digest:
                verified += 1
                file.seek(0)
                table = _judged(counting(file.read, told, total, done), pk, judge)
                table = table and _stopped(path, table, judge)
                _keep(database, path.name, digest, table)
            done += os.fstat(file.fileno()).st_size
    told(done, total)
    return verified


def _judged(read: Read, pk: bytes | None, judge: Judge) -> PastTable | None:
    try:
        file = FileReader(read)
    except Fault:
        return None  # its first line is another: none of ours
    return past_table(file, judge(file), pk)


def _evidence(ledger: Path) -> Path:
    return ledger.with_suffix(EVIDENCE_SUFFIX)


def _with_evidence(ledger: Path, digest: bytes) -> bytes:
    """The digest of a ledger together with what lies beside it as evidence."""
    if not _evidence(ledger).exists():
        return digest
    with _evidence(ledger).open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.sha256(digest)).digest()


def _stopped(ledger: Path, table: PastTable, judge: Judge) -> PastTable:
    """The table with why it stopped, where the evidence beside its ledger proves that."""
    if not _evidence(ledger).exists():
        return table
    with _evidence(ledger).open("rb") as read:
        try:
            file = FileReader(read.read)
        except Fault:
            return table
        fault = judge(file).fault
    if fault is None or file.descriptor_raw is None or _table_id(file.descriptor_raw) != table.table_id:
        return table
    return msgspec.structs.replace(table, stop_code=str(fault.code), stop_seat=fault.seat)


def _table_id(descriptor: bytes) -> bytes | None:
    try:
        return parse_descriptor(descriptor).table_id
    except Fault:
        return None


def _keep(database: sqlite3.Connection, name: str, digest: bytes, table: PastTable | None) -> None:
    with database:
        database.execute("DELETE FROM files WHERE name = ?", (name,))
        database.execute("INSERT INTO files VALUES (?, ?)", (name, digest))
        if table is not None:
            _save(database, name, table)


def _save(database: sqlite3.Connection, name: str, table: PastTable) -> None:
    row = (
        name, table.table_id, table.unix_seconds, table.preset, *table.names, *table.keys, *table.bots,
        table.me, table.status, table.closed, *table.chips, table.head, table.verdict,
        table.stop_code, table.stop_seat,
    )  # fmt: skip
    database.execute(_INSERT_TABLE, row)
    for hand in table.hands:
        faces = None if hand.faces is None else bytes(hand.faces)
        line = (
            name, hand.number, hand.dealer, hand.end, hand.winner, *hand.net, hand.forfeited_by, faces,
            *(hand.dealt or (None, None, None)),
        )  # fmt: skip
        database.execute(_INSERT_HAND, line)


def _load(database: sqlite3.Connection, name: str) -> PastTable | None:
    row = database.execute("SELECT * FROM tables WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None
    hands = database.execute("SELECT * FROM hands WHERE name = ? ORDER BY number", (name,)).fetchall()
    return PastTable(
        table_id=row[1],
        unix_seconds=row[2],
        preset=row[3],
        names=row[4:7],
        keys=row[7:10],
        bots=(bool(row[10]), bool(row[11]), bool(row[12])),
        me=row[13],
        status=row[14],
        closed=bool(row[15]),
        chips=row[16:19],
        head=row[19],
        verdict=row[20],
        stop_code=row[21],
        stop_seat=row[22],
        hands=tuple(_hand(line) for line in hands),
    )


def _hand(line: tuple[Any, ...]) -> PastHand:
    return PastHand(
        number=line[1],
        dealer=line[2],
        end=line[3],
        winner=line[4],
        net=line[5:8],
        forfeited_by=line[8],
        faces=None if line[9] is None else tuple(line[9]),
        dealt=None if line[10] is None else line[10:13],
    )
