"""`tongits verify`: checks ledger and evidence files again, offline. Judges nothing: ledger.verify does."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from tongits_lan.cli import native, replay
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.cli.progress import Progress
from tongits_lan.console.notices import fault_words
from tongits_lan.console.speech import knows, told, tr
from tongits_lan.console.text import Voice, fill, grouped_lines
from tongits_lan.errors import Exit, Fault, UserError
from tongits_lan.ledger.files import LedgerFile
from tongits_lan.ledger.report import FaultFound, Report, as_json, phrases, without_table
from tongits_lan.ledger.verify import verify
from tongits_lan.limits import SEATS

EXIT_OF_STATUS = {"fair": Exit.DONE, "faulty": Exit.FAULT, "incomplete": Exit.FAILED}


def run(options: Namespace) -> int:
    """Checks each file and says what was found; the exit code is the gravest of all files.

    4 faulty, 2 not one of our files, 1 incomplete or unreadable, 0 fair."""
    native.load()
    codes = [_one(Path(name), options) for name in options.files]
    return max(codes)


def check(path: Path, *, proofs: bool) -> Report:
    """The report on one file, which is read while it is judged; on a terminal a bar says how far.

    Raises UserError where it cannot be read, or is another kind."""
    with Progress(time.monotonic, sys.stderr.isatty()) as progress, replay.opened(path, progress) as file:
        return check_file(file, proofs=proofs)


def check_file(file: LedgerFile, *, proofs: bool) -> Report:
    """The report on a file."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:  # the group library frees the interpreter
        return verify(file, proofs=proofs, spread=pool.map)


def _one(path: Path, options: Namespace) -> int:
    try:
        report = check(path, proofs=options.proofs)
    except UserError as error:
        if options.json and isinstance(error.__cause__, Fault):
            emit(as_json(foreign(error.__cause__)))
        complain(told(error.text))
        return int(error.exit_code)
    if options.json:
        emit(as_json(report))
    else:
        prefix = f"{path}: " if len(options.files) > 1 else ""
        if options.proofs and report.status == "fair":
            say(prefix + tr("Every zero-knowledge proof holds."))
        for sentence in in_words(report):
            say(f"{prefix}{sentence}")
    return EXIT_OF_STATUS[report.status]


def in_words(report: Report) -> list[str]:
    """The sentences of a report, and below each hand its transfers, a line each, as the screen words them."""
    texts = brief(report)
    if report.names is None:
        return texts
    voice = Voice(report.names)
    hands: list[str] = []
    for sentence, record in zip(texts, report.records, strict=False):
        lines = grouped_lines(voice, replace(record.settlement, fouls=()))
        hands += [sentence, *(f"  {line}." for line in lines)]
    return [*hands, *texts[len(report.records) :]]


def brief(report: Report) -> list[str]:
    """The sentences of a report in the language of the player; the verdict is the last."""
    voice = Voice(report.names or tuple(tr("seat {n}", n=seat) for seat in range(SEATS)))
    fault = report.fault
    if fault is not None and not knows(fault.text):  # the words of a check that only developers read
        report = dataclasses.replace(
            report, fault=dataclasses.replace(fault, text=fault_words(voice, fault.code, fault.seat))
        )
    return [fill(text, voice) for text in phrases(report)]


def foreign(fault: Fault) -> Report:
    """The report on a file whose first line is another: nothing in it is believed."""
    return without_table("ledger", FaultFound(fault.code, fault.text, seat=None, hand=None, height=None))
