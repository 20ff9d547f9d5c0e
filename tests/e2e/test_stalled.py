"""Nobody reads what a real program says: the hand is played to its end all the same, or ended at a word."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.processes import PATIENCE, environment
from tests.stalled import Stalled
from tests.system import on_posix
from tongits_lan.cli import verify
from tongits_lan.errors import UserError
from tongits_lan.ledger.report import Report

pytestmark = [pytest.mark.slow, on_posix]


def play(folder: Path, pipe: Stalled, *words: str) -> "subprocess.Popen[bytes]":
    """A practice table whose lines go to that pipe; its stdin is silent."""
    command = [sys.executable, "-m", "tongits_lan", "play", "--hands", "1", "--data-dir", str(folder), *words]
    return subprocess.Popen(
        command,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=pipe.writer,
        stderr=subprocess.PIPE,
    )


def report(folder: Path) -> Report | None:
    """On the one ledger there, as far as it is written."""
    try:
        return next(
            (verify.check(path, proofs=False) for path in (folder / "tables").glob("*.tongits")), None
        )
    except UserError:
        return None


def until(folder: Path, wanted: Callable[[Report], bool]) -> Report:
    """The report as soon as it is as wanted."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = report(folder)
        if found is not None and wanted(found):
            return found
        time.sleep(0.2)
    raise AssertionError("the table does not go on")


def test_a_hand_that_nobody_watches_ends_fair_and_is_told_in_full_later(tmp_path: Path) -> None:
    with Stalled() as pipe, play(tmp_path, pipe, "--auto", "--json") as program:
        until(tmp_path, lambda found: found.closed)
        pipe.start_reading()
        assert program.wait(PATIENCE) == 0
        told = [json.loads(line) for line in pipe.lines()]
    events = [line["event"] for line in told]
    assert events[0] == "listening"
    assert events[-1] == "ended"
    assert events.index("hand_dealt") < events.index("hand_settled") < events.index("table_closed")
    assert [line["at"] for line in told] == sorted(line["at"] for line in told)
    (path,) = (tmp_path / "tables").glob("*.tongits")
    assert verify.check(path, proofs=True).status == "fair"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_program_that_nobody_reads(number: signal.Signals, tmp_path: Path) -> None:
    with Stalled() as pipe, play(tmp_path, pipe, "--plain") as program:
        until(tmp_path, lambda found: found.pending is not None and found.pending.hand == 1)
        (path,) = (tmp_path / "tables").glob("*.tongits")
        before = path.read_bytes()
        program.send_signal(number)
        assert program.wait(PATIENCE) == 128 + number
        assert program.stderr is not None
        assert program.stderr.read() == b""
    assert path.read_bytes().startswith(before)
    found = verify.check(path, proofs=False)
    assert (found.status, found.torn, found.fault) == ("incomplete", False, None)


def test_a_reader_who_goes_away_ends_the_program(tmp_path: Path) -> None:
    with Stalled() as pipe, play(tmp_path, pipe, "--plain") as program:
        until(tmp_path, lambda found: found.height > 0)
        pipe.abandon()
        assert program.wait(PATIENCE) == 1
        assert program.stderr is not None
        assert program.stderr.read() == b""
