"""One of three real processes dies in mid-hand and is started again with the same command: all ends fair."""

import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.processes import Line, Program, Table, free_port, table
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.verify import verify

if sys.platform == "linux":
    import resource

pytestmark = pytest.mark.slow


def assert_level_and_fair(programs: list[Program]) -> None:
    (ledger,) = {program.ledger().read_bytes() for program in programs}
    report = verify(parse_file(ledger), proofs=True)
    assert report.status == "fair", report.fault
    assert report.closed
    assert len(report.records) == 1


@pytest.mark.parametrize(
    ("victim", "event", "times"),
    [
        (0, "discarded", 2),
        (2, "deck_shuffled", 2),
        (1, "proofs_accepted", 1),
    ],
)
def test_kill_9_in_mid_hand(tmp_path: Path, victim: int, event: str, times: int) -> None:
    with table(tmp_path) as programs:
        three = list(programs.three_bots("--hands", "1"))
        three[victim].wait_event(event, times)
        three[victim].kill()
        three[victim] = programs.again(three[victim])
        assert [program.end() for program in three] == [0, 0, 0], [program.stderr() for program in three]
        assert_level_and_fair(three)


def test_all_three_die_and_go_on(tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        three = list(programs.three_bots("--hands", "1"))
        three[0].wait_event("discarded", 1)
        for program in three:
            program.kill()
        three = [programs.again(program) for program in three]
        assert [program.end() for program in three] == [0, 0, 0], [program.stderr() for program in three]
        assert_level_and_fair(three)


def test_bots_keep_keys_and_seeds_when_the_program_that_runs_them_dies(tmp_path: Path) -> None:
    """One process holds three seats here; each goes on with its own files in the middle of the hand."""
    with table(tmp_path) as programs:
        ana = programs.start("Ana", "play", "--auto", "--hands", "1", "--port", str(free_port()))
        ana.wait_event("discarded", 2)
        ana.kill()
        begun = ana.ledger().read_bytes()
        ana = programs.again(ana)
        assert ana.end() == 0, ana.stderr()
        (own,) = {ledger.read_bytes() for ledger in (tmp_path / "ana").rglob("*.tongits")}
        assert len(list((tmp_path / "ana").rglob("*.tongits"))) == 3
        assert own.startswith(begun)
        assert_level_and_fair([ana])


def test_a_program_that_cannot_go_on_ends_with_its_code_and_the_hand_stays_pending(tmp_path: Path) -> None:
    """For three signals, and for a disk that takes no more: it goes on where it was, each time."""
    with table(tmp_path) as programs:
        ana, ben, carlo = programs.three_bots("--hands", "0")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            ben.wait_event("hand_dealt" if number is signal.SIGTERM else "loaded")
            heard = len(ana.lines)
            ben.signal(number)
            assert ben.end() == 128 + number
            assert ben.stderr() == ""
            ana.wait_for(partial(speaks_of_an_absence, since=heard))
            checked = verify(parse_file(ben.ledger().read_bytes()), proofs=False)
            assert checked.status in ("incomplete", "fair")
            assert ana.process.poll() is None
            assert carlo.process.poll() is None
            ben = programs.again(ben)
        if sys.platform == "linux":
            no_room_goes_on(programs, ben, carlo)


def no_room_goes_on(programs: Table, ben: Program, carlo: Program) -> None:
    """Ben's files may grow no more: one sentence, and later he goes on with all he had."""
    ben.wait_event("loaded")
    most = ben.ledger().stat().st_size + 100
    resource.prlimit(ben.process.pid, resource.RLIMIT_FSIZE, (most, most))
    assert ben.end() == 1
    (said,) = ben.stderr().splitlines()
    assert str(ben.ledger()) in said
    assert carlo.process.poll() is None
    whole = ben.ledger().read_bytes()
    assert not parse_file(whole).torn
    ben = programs.again(ben)
    ben.wait_event("discarded")
    for program in (ben, carlo):
        assert program.ledger().read_bytes().startswith(whole)


def speaks_of_an_absence(lines: Sequence[Line], since: int) -> bool:
    """Whether somebody was missed after so many lines."""
    return any(line["event"] in ("awaited", "link_changed") for line in lines[since:])
