"""One of three real processes dies in mid-hand and is started again with the same command: all ends fair."""

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.processes import Program, table, tongits

pytestmark = pytest.mark.slow


def assert_level_and_fair(folder: Path, programs: list[Program]) -> None:
    ledgers = [program.ledger() for program in programs]
    assert len({path.read_bytes() for path in ledgers}) == 1
    done = tongits(folder, "verify", "--proofs", "--json", str(ledgers[0]))
    report = json.loads(done.stdout)
    assert report["status"] == "fair", report["fault"]
    assert report["closed"] is True
    assert report["hands"] == 1


@pytest.mark.parametrize(
    ("victim", "event", "times"),
    [
        (0, "discarded", 2),
        (1, "drew", 2),
        (2, "deck_shuffled", 2),
        (1, "proofs_accepted", 1),
        (0, "keys_dealt", 2),
    ],
)
def test_kill_9_in_mid_hand(tmp_path: Path, victim: int, event: str, times: int) -> None:
    with table(tmp_path) as programs:
        three = list(programs.three_bots("--hands", "1"))
        three[victim].wait_event(event, times)
        three[victim].kill()
        three[victim] = programs.again(three[victim])
        assert [program.end() for program in three] == [0, 0, 0], [program.stderr() for program in three]
        assert_level_and_fair(tmp_path, three)


def test_all_three_die_and_go_on(tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        three = list(programs.three_bots("--hands", "1"))
        three[0].wait_event("discarded", 1)
        for program in three:
            program.kill()
        three = [programs.again(program) for program in three]
        assert [program.end() for program in three] == [0, 0, 0], [program.stderr() for program in three]
        assert_level_and_fair(tmp_path, three)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_a_program_with_its_code_and_the_hand_stays_pending(
    tmp_path: Path, number: signal.Signals
) -> None:
    with table(tmp_path) as programs:
        ana, ben, carlo = programs.three_bots("--hands", "0")
        ben.wait_event("hand_dealt")
        ben.signal(number)
        assert ben.end() == 128 + number
        assert ben.stderr() == ""
        ana.wait_for(lambda lines: any(line["event"] in ("awaited", "link_changed") for line in lines[-20:]))
        done = tongits(tmp_path, "verify", "--json", str(ben.ledger()))
        assert json.loads(done.stdout)["status"] in ("incomplete", "fair")
        assert carlo.process.poll() is None
