"""One seat's durable side of one table: its ledger file, and the private file beside it.

Owns `tables/<date>-<first 8 of table_id>.tongits` (append-only, locked by one process), `.evidence` files
next to it, and in `private/<same name>` (0600) `.secret` (own nonce, table tag, seeds of running hands),
`.addresses` and, once the table is closed, `.closed` while a seat may not know that yet. An entry is on the
disk when `apply` returns. Must not know what an entry says, nor links.
"""

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from tongits_lan.errors import Exit, Fault, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.chain import Descriptor, parse_descriptor
from tongits_lan.ledger.effects import AppendEntry, EraseSecrets, SaveEvidence, SaveSecret, StoreOp
from tongits_lan.ledger.encoding import frame_bytes, pack, unpack
from tongits_lan.ledger.files import ParsedFile, ledger_bytes, parse_file
from tongits_lan.ledger.frames import FrameReader
from tongits_lan.ledger.private import HandSecret
from tongits_lan.limits import SEATS
from tongits_lan.store.dropped import DroppedTable, mark_path
from tongits_lan.store.files import (
    birth_name,
    create,
    lock,
    make_folder,
    remove,
    reopen,
    replace_private,
    sync,
    sync_folder,
    telling,
    write_all,
)

_MARK = "tongits-lan/1 private"
_ADDRESSES_MARK = "tongits-lan/1 addresses"
_CLOSED_MARK = "tongits-lan/1 closed"
_SECRET_SUFFIX, _ADDRESSES_SUFFIX, _CLOSED_SUFFIX = ".secret", ".addresses", ".closed"
LEDGER_SUFFIX = ".tongits"
EVIDENCE_SUFFIX = ".evidence"


@dataclass(frozen=True, slots=True)
class Private:
    """What the private file holds beside the seeds."""

    me: int
    nonce: bytes = field(repr=False)
    tag: bytes
    """8 bytes by which the seats find this table again."""
    secrets: tuple[HandSecret, ...] = field(repr=False, default=())


@dataclass(frozen=True, slots=True)
class PendingTable:
    """A table of this identity that is not closed."""

    path: Path
    descriptor: Descriptor
    me: int
    tag: bytes
    stopped: bool = False
    """It stopped for a fault, and its player may not have read why."""

    @property
    def bots(self) -> int:
        """How many seats are played by a program that somebody runs."""
        return sum(seat.operator_pk != seat.pk for seat in self.descriptor.seats)

    def own_bots(self, pk: bytes) -> int:
        """How many of these are run by the program of `pk`."""
        return sum(seat.operator_pk == pk != seat.pk for seat in self.descriptor.seats)


@dataclass(frozen=True, slots=True)
class ClosedTable:
    """A table of this identity that is over; the seats `untold` may not know that: they may lack its last
    entries, or those for which it stopped (`read_offending`)."""

    path: Path
    descriptor: Descriptor
    me: int
    tag: bytes
    untold: tuple[int, ...]
    entries: tuple[bytes, ...] = field(repr=False)

    def keep(self) -> None:
        """Keeps who has yet to be told; where nobody has, forgets it. Raises OSError."""
        if self.untold:
            fields = [_CLOSED_MARK, self.descriptor.table_id, self.me, self.tag, list(self.untold)]
            replace_private(_beside(self.path, _CLOSED_SUFFIX), pack(fields))
        else:
            remove(_beside(self.path, _CLOSED_SUFFIX))
            remove(_beside(self.path, _ADDRESSES_SUFFIX))


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the seats were last heard of ("host:port", by key), and the port this seat listened on."""

    port: int | None = None
    seats: Mapping[bytes, tuple[str, ...]] = field(default_factory=dict)


class Journal:
    """The open files of one table. One per process and table; `close` gives the lock back."""

    def __init__(
        self,
        path: Path,
        fd: int,
        size: int,
        descriptor: Descriptor,
        private: Private,
        entries: Sequence[bytes],
    ) -> None:
        self.path = path
        self.descriptor = descriptor
        self.me = private.me
        self.nonce = private.nonce
        self.tag = private.tag
        self._fd: int | None = fd
        self._size = size
        self._broken = False
        self._loaded = tuple(entries)
        self._secrets = {secret.hand_no: secret for secret in private.secrets}

    @classmethod
    def create(cls, data_dir: Path, descriptor: Descriptor, nonce: bytes, me: int, tag: bytes) -> "Journal":
        """Makes the files of a new table; they are durable and locked before anything is signed.

        Raises UserError(FAILED), also where this very table is kept already."""
        path = data_dir / "tables" / (_name(descriptor) + LEDGER_SUFFIX)
        make_folder(path.parent)
        make_folder(data_dir / "private")
        private = Private(me, nonce, tag)
        data = ledger_bytes(descriptor.raw, ())
        fresh = birth_name(path)
        with telling(path):
            if path.exists():
                raise UserError(
                    phrase("The table is kept in {path} already: start again to go on there.", path=path),
                    Exit.FAILED,
                )
            replace_private(_beside(path, _SECRET_SUFFIX), _private_bytes(descriptor, private))
            remove(fresh)
            fd = create(fresh)
            try:
                _take_lock(fd, path)
                write_all(fd, data)
                sync(fd)
                if fresh != path:
                    fresh.replace(path)
                sync_folder(path.parent)
            except BaseException:
                os.close(fd)
                raise
        return cls(path, fd, len(data), descriptor, private, ())

    @classmethod
    def open(cls, path: Path) -> "Journal":
        """Opens the files of a pending table; what a crash tore off at the end of a file is cut off.

        Raises UserError(FAILED): in use by another process, damaged, or not readable."""
        with telling(path):
            fd = reopen(path)
            try:
                _take_lock(fd, path)
                parsed = _parsed(path)
                private = _read_private(path)
                if parsed is None or private is None or parsed.oversize:
                    raise _damaged(path)
                descriptor = _descriptor(parsed)
                if descriptor is None or private[0] != descriptor.table_id:
                    raise _damaged(path)
                if parsed.torn:
                    os.ftruncate(fd, parsed.good_length)
                    sync(fd)
                replace_private(_beside(path, _SECRET_SUFFIX), _private_bytes(descriptor, private[1]))
            except BaseException:
                os.close(fd)
                raise
        return cls(path, fd, parsed.good_length, descriptor, private[1], parsed.entries)

    @property
    def entries(self) -> tuple[bytes, ...]:
        """The entries found when the journal was opened; those appended since are the table's."""
        return self._loaded

    @property
    def evidence(self) -> bytes | None:
        """The evidence file for which this table stopped, if it did. Raises UserError(FAILED)."""
        path = self.path.with_suffix(EVIDENCE_SUFFIX)
        with telling(path):
            return path.read_bytes() if path.exists() else None

    @property
    def secrets(self) -> tuple[HandSecret, ...]:
        """The secrets of hands that are not over, by hand."""
        return tuple(self._secrets[number] for number in sorted(self._secrets))

    def apply(self, ops: Sequence[StoreOp]) -> None:
        """Carries out `ops` in order; all of them are durable when this returns.

        Raises UserError(FAILED); after that the journal refuses everything, nothing may be sent any more."""
        if self._broken or self._fd is None:
            raise UserError(
                phrase("{path} could not be kept before: start again to go on.", path=self.path),
                Exit.FAILED,
            )
        with telling(self.path):
            try:
                self._carry_out(ops)
            except BaseException:
                self._broken = True
                self._cut_back()
                raise

    def _carry_out(self, ops: Sequence[StoreOp]) -> None:
        frames: list[bytes] = []
        for op in ops:
            if isinstance(op, AppendEntry):
                frames.append(frame_bytes(op.raw))
                continue
            self._append(frames)
            match op:
                case SaveSecret(secret=secret):
                    self._secrets[secret.hand_no] = secret
                    _append_secret(_beside(self.path, _SECRET_SUFFIX), secret)
                case EraseSecrets(up_to_hand=last):
                    if any(number <= last for number in self._secrets):
                        self._secrets = {n: kept for n, kept in self._secrets.items() if n > last}
                        self._rewrite_private()
                case SaveEvidence(data=data):
                    replace_private(_free_name(self.path.with_suffix(EVIDENCE_SUFFIX)), data)
                case _:
                    assert_never(op)
        self._append(frames)

    def _append(self, frames: list[bytes]) -> None:
        """Appends the frames, durably, and empties the list."""
        if not frames:
            return
        assert self._fd is not None
        data = b"".join(frames)
        write_all(self._fd, data)
        sync(self._fd)
        self._size += len(data)
        frames.clear()

    def _cut_back(self) -> None:
        """Takes back what was written in part, so that the file stays whole."""
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)

    def _rewrite_private(self) -> None:
        private = Private(self.me, self.nonce, self.tag, self.secrets)
        replace_private(_beside(self.path, _SECRET_SUFFIX), _private_bytes(self.descriptor, private))

    def remember(self, addresses: Addresses) -> None:
        """Keeps where the seats are, while the file is open; a convenience, so a failure is no error."""
        if self._fd is None:
            return
        seats = [[pk, list(known)] for pk, known in sorted(addresses.seats.items())]
        with contextlib.suppress(OSError):
            data = pack([_ADDRESSES_MARK, addresses.port, seats])
            replace_private(_beside(self.path, _ADDRESSES_SUFFIX), data, durable=False)

    @property
    def addresses(self) -> Addresses:
        """What `remember` kept; nothing where there is nothing to read."""
        return read_addresses(self.path)

    def finish(self, untold: Sequence[int] = ()) -> None:
        """The table is over for good, closed or stopped: forgets nonce and seeds, so that it is pending no
        more, and addresses, unless there are seats that were away and have yet to be told.

        Raises UserError(FAILED)."""
        with telling(self.path):
            ClosedTable(self.path, self.descriptor, self.me, self.tag, tuple(untold), ()).keep()
            remove(_beside(self.path, _SECRET_SUFFIX))

    def drop(self, by: int, untold: Sequence[int]) -> None:
        """The seat `by` has called the table off before anything was dealt: that is kept, and nothing else of
        it; the file is closed. May be said again when fewer are `untold`. Raises UserError(FAILED)."""
        with telling(self.path):
            kept = DroppedTable(
                self.path.with_suffix(""), self.descriptor, self.me, self.tag, by, tuple(untold)
            )
            kept.keep()
            remove(_beside(self.path, _SECRET_SUFFIX))
            self.close()
            remove(self.path)

    def close(self) -> None:
        """Closes the file and with it gives the lock back."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def closed_tables(data_dir: Path, pk: bytes) -> list[ClosedTable]:
    """The closed tables of the identity `pk` of which a seat has yet to be told, newest first."""
    found: list[ClosedTable] = []
    for kept in sorted((data_dir / "private").glob(f"*{_CLOSED_SUFFIX}")):
        path = data_dir / "tables" / (kept.name.removesuffix(_CLOSED_SUFFIX) + LEDGER_SUFFIX)
        with contextlib.suppress(OSError, Fault):
            table = _closed(path, unpack(kept.read_bytes()))
            if table is not None and table.descriptor.seats[table.me].pk == pk:
                found.append(table)
    return sorted(found, key=lambda table: table.descriptor.unix_seconds, reverse=True)


def _closed(path: Path, kept: object) -> ClosedTable | None:
    """The closed table that is kept so. Raises OSError."""
    match kept:
        case [str(mark), bytes(table_id), int(me), bytes(tag), list(untold)] if mark == _CLOSED_MARK:
            pass
        case _:
            return None
    parsed = _parsed(path)
    descriptor = None if parsed is None else _descriptor(parsed)
    if parsed is None or descriptor is None or descriptor.table_id != table_id or me not in range(SEATS):
        return None
    seats = tuple(seat for seat in range(SEATS) if seat != me and seat in untold)
    return ClosedTable(path, descriptor, me, tag, seats, parsed.entries)


def pending_tables(data_dir: Path, pk: bytes, *, stopped: bool = False) -> list[PendingTable]:
    """The tables of the identity `pk` that can go on, newest first; with `stopped` also those that stopped
    for a fault before their player was done reading why. What cannot be read is left out."""
    found: list[tuple[float, float, PendingTable]] = []
    folder = data_dir / "private"
    for secret in sorted(folder.glob(f"*{_SECRET_SUFFIX}")):
        path = data_dir / "tables" / (secret.name.removesuffix(_SECRET_SUFFIX) + LEDGER_SUFFIX)
        with contextlib.suppress(OSError):
            table = _pending(path, pk)
            if table is not None and (stopped or not table.stopped):
                written = path.stat().st_mtime
                # the hour is its host's word, but none begins after it was last written to
                found.append((min(table.descriptor.unix_seconds, written), written, table))
    found.sort(key=lambda item: item[:2], reverse=True)
    return [table for _, _, table in found]


def supersede(data_dir: Path, pk: bytes, table_id: bytes) -> None:
    """A later table carries on what stood at that one, which can go on no more. Raises UserError."""
    for table in pending_tables(data_dir, pk):
        if table.descriptor.table_id == table_id:
            with telling(table.path):
                remove(_beside(table.path, _SECRET_SUFFIX))
                remove(_beside(table.path, _ADDRESSES_SUFFIX))


def read_addresses(path: Path) -> Addresses:
    """Where the seats of the table in the ledger file `path` were last heard of."""
    try:
        fields = unpack(_beside(path, _ADDRESSES_SUFFIX).read_bytes())
    except (OSError, Fault):
        return Addresses()
    match fields:
        case [str(mark), int() | None as port, list(rows)] if mark == _ADDRESSES_MARK:
            seats = {
                bytes(row[0]): tuple(str(address) for address in row[1])
                for row in rows
                if isinstance(row, list)
                and len(row) == 2
                and isinstance(row[0], bytes)
                and isinstance(row[1], list)
            }
            return Addresses(port, seats)
        case _:
            return Addresses()


def read_offending(path: Path) -> tuple[bytes, ...]:
    """The entries for which the table in the ledger file `path` stopped; none where it did not."""
    try:
        return parse_file(path.with_suffix(EVIDENCE_SUFFIX).read_bytes()).offending
    except (OSError, Fault):
        return ()


def _pending(path: Path, pk: bytes) -> PendingTable | None:
    if mark_path(path).exists():
        return None
    parsed = _parsed(path)
    private = _read_private(path)
    if parsed is None or private is None:
        return None
    descriptor = _descriptor(parsed)
    table_id, kept = private
    if descriptor is None or descriptor.table_id != table_id or descriptor.seats[kept.me].pk != pk:
        return None
    stopped = path.with_suffix(EVIDENCE_SUFFIX).exists()  # and a stopped table stays stopped
    return PendingTable(path, descriptor, kept.me, kept.tag, stopped)


def _parsed(path: Path) -> ParsedFile | None:
    """The ledger file in its parts, None if it is none. Raises OSError."""
    try:
        parsed = parse_file(path.read_bytes())
    except Fault:
        return None
    return parsed if parsed.kind == "ledger" else None


def _descriptor(parsed: ParsedFile) -> Descriptor | None:
    if parsed.descriptor_raw is None:
        return None
    try:
        return parse_descriptor(parsed.descriptor_raw)
    except Fault:
        return None


def _name(descriptor: Descriptor) -> str:
    day = datetime.fromtimestamp(descriptor.unix_seconds, UTC).date().isoformat()
    return f"{day}-{descriptor.table_id.hex()[:8]}"


def _beside(ledger: Path, ending: str) -> Path:
    """The private file with that ending of the table in a ledger file."""
    return ledger.parent.parent / "private" / (ledger.stem + ending)


def _free_name(path: Path) -> Path:
    """`path`, or the first of `path-2`, `path-3` .. that is free."""
    number = 2
    free = path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free


def _take_lock(fd: int, path: Path) -> None:
    if not lock(fd):
        raise UserError(
            phrase(
                "The table in {path} is open in another window: close it there, then start again.", path=path
            ),
            Exit.FAILED,
        )


def _damaged(path: Path) -> UserError:
    return UserError(
        phrase(
            "The table in {path} cannot go on, its files are damaged: look at it with `tongits "
            "verify`, or start a new table with --new.",
            path=path,
        ),
        Exit.FAILED,
    )


def _private_bytes(descriptor: Descriptor, private: Private) -> bytes:
    """Frames: what is fixed for the table, then a secret each; a later one of a hand replaces an earlier."""
    fixed = pack([_MARK, descriptor.table_id, private.me, private.nonce, private.tag])
    return b"".join(map(frame_bytes, [fixed, *(secret.to_bytes() for secret in private.secrets)]))


def _append_secret(path: Path, secret: HandSecret) -> None:
    """Adds a secret, durably; one write is cheaper than a new file, and this stands before a deal."""
    fd = reopen(path)
    try:
        write_all(fd, frame_bytes(secret.to_bytes()))
        sync(fd)
    finally:
        os.close(fd)


def _read_private(ledger: Path) -> tuple[bytes, Private] | None:
    """(table_id, private values) beside that ledger file, None if they cannot be read."""
    try:
        with _beside(ledger, _SECRET_SUFFIX).open("rb") as file:
            fixed, *rows = FrameReader(file.read)  # without what a crash tore off at the end
        secrets = {secret.hand_no: secret for secret in map(HandSecret.from_bytes, rows)}
        match unpack(fixed):
            case [str(mark), bytes(table_id), int(me), bytes(nonce), bytes(tag)] if mark == _MARK:
                private = Private(me, nonce, tag, tuple(secrets[number] for number in sorted(secrets)))
                return (table_id, private) if me in (0, 1, 2) else None
            case _:
                return None
    except (OSError, ValueError, Fault):  # ValueError: not even one frame
        return None
