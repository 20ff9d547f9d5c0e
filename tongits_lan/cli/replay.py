"""A ledger file walked entry by entry, with the state and the events after each.

Owns the walk; judges no proof (verify does) and prints nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tongits_lan.errors import Code, Exit, Fault, UserError
from tongits_lan.game.sentences import Phrase, cause, phrase
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.chain import parse_descriptor
from tongits_lan.ledger.files import FileReader, LedgerFile, ParsedFile, read_whole
from tongits_lan.ledger.frames import Told, counting
from tongits_lan.ledger.state import LedgerEvent, ProofClaim, State, begin


class Step(NamedTuple):
    """One accepted entry: its bytes, its height, the state after it and what it brought about."""

    height: int
    raw: bytes
    state: State
    events: tuple[LedgerEvent, ...]


def read(path: Path) -> bytes:
    """The bytes of a file; raises UserError (failed) with one sentence where there are none."""
    with _telling(path):
        return path.read_bytes()


@contextlib.contextmanager
def opened(path: Path, told: Told | None = None) -> Iterator[FileReader]:
    """A ledger or evidence file to be read frame by frame; `told` hears of the bytes read and of all bytes.

    Raises UserError: failed for a file that cannot be read (then or later on), usage for another kind."""
    with _telling(path):
        file = path.open("rb")
    with file:
        size = os.fstat(file.fileno()).st_size

        def read_on(count: int) -> bytes:
            with _telling(path):
                return file.read(count)

        read = read_on if told is None else counting(read_on, told, size)
        try:
            reader = FileReader(read)
        except Fault as fault:
            raise UserError(foreign(path), Exit.USAGE) from fault
        yield reader


def parsed(path: Path) -> ParsedFile:
    """All frames of a ledger or evidence file. Raises as `opened` does."""
    with opened(path) as file:
        return read_whole(file)


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except IsADirectoryError:
        raise UserError(
            phrase("{path} is a folder: name the ledger file in it.", path=path),
            Exit.FAILED,
        ) from None
    except FileNotFoundError:
        raise UserError(
            phrase("There is no file {path}: check the name.", path=path),
            Exit.FAILED,
        ) from None
    except OSError as error:
        raise UserError(
            phrase("{path} cannot be read ({why}): check its permissions.", path=path, why=cause(error)),
            Exit.FAILED,
        ) from None


def foreign(path: Path) -> Phrase:
    """What is said of a file that is none of ours."""
    return phrase(
        "{path} is no Tongits ledger (its first line is another): name a .tongits or .evidence file.",
        path=path,
    )


def opening(file: LedgerFile) -> State:
    """The state before the first entry; raises Fault(DESCRIPTOR)."""
    if file.descriptor_raw is None:
        raise Fault(Code.DESCRIPTOR, "the file ends before the descriptor does")
    return begin(parse_descriptor(file.descriptor_raw))


def steps(file: LedgerFile) -> Iterator[Step]:
    """Every entry in turn; raises Fault or PeerFault at the first that is not accepted."""
    state = opening(file)
    for height, raw in enumerate(file.entries):
        state, events = accept(state, raw, _believe)
        yield Step(height, raw, state, events)


class Walk(NamedTuple):
    """A whole ledger walked once: the state before its first entry, and every step."""

    file: ParsedFile
    start: State
    steps: tuple[Step, ...]


def walk(file: ParsedFile) -> Walk:
    """Walks a ledger to its end; raises Fault or PeerFault at the first entry that is not accepted."""
    return Walk(file, opening(file), tuple(steps(file)))


def _believe(claim: ProofClaim) -> None:
    """Holds every proof for true: a walk is no verification."""
