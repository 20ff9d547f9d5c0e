"""The demonstration with real processes, and `play` without a terminal: what they print and leave behind."""

import base64
import json
from pathlib import Path

import pytest

from tests.e2e.processes import tongits
from tongits_lan.cli import demo, peers, replay
from tongits_lan.cli.secret_search import secrets_of

pytestmark = pytest.mark.slow


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "tmp").iterdir())


def test_F4_three_processes_leave_the_same_fair_ledger_and_no_secret(tmp_path: Path) -> None:
    done = tongits(tmp_path, "demo", "--hands", "2", "--dir", "match", "--json")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    result = json.loads(line)
    assert list(result) == ["ledgers", "hands", "chips", "deal_ms", "secrets_found"]
    assert result["hands"] == 2
    assert result["secrets_found"] == 0
    assert len(result["deal_ms"]) == 2
    assert all(ms > 0 for ms in result["deal_ms"])
    assert sum(result["chips"]) == 0, "the table is closed, the pot is split"
    ledgers = [Path(path) for path in result["ledgers"]]
    assert len({path.read_bytes() for path in ledgers}) == 1
    assert len(set(ledgers)) == 3
    checked = tongits(tmp_path, "verify", "--proofs", "--json", *result["ledgers"])
    assert checked.returncode == 0
    reports = [json.loads(line) for line in checked.stdout.splitlines()]
    assert [report["status"] for report in reports] == ["fair"] * 3
    assert reports[0]["chips"] == result["chips"]
    assert reports[0]["closed"] is True
    assert left_in(tmp_path) == [], "the temporary folder is as it was"
    planted_secrets_are_found(tmp_path / "match")


def planted_secrets_are_found(folder: Path) -> None:
    """The search that found nothing finds a seed in a log, a key in an output and a card told too early."""
    three = peers.peers_in(folder)
    walk = replay.walk(replay.parsed(three[0].ledger()))
    seed, scalar, *_ = secrets_of(walk)
    three[0].log.write_text(three[0].log.read_text() + seed.value.hex())
    three[1].err.write_bytes(base64.b64encode(b"x" + scalar.value))
    told = three[2].out.read_text().splitlines()
    first_cards = next(line for line in told if '"cards"' in line and '"slots"' in line)
    three[2].out.write_text("\n".join([first_cards, *told]))
    found = demo.search(three)
    assert {finding.path for finding in found} == {three[0].log, three[1].err, three[2].out}
    assert {finding.what for finding in found if finding.path != three[2].out} == {seed.what, scalar.what}


def test_a_rule_set_that_does_not_exist_starts_nothing(tmp_path: Path) -> None:
    done = tongits(tmp_path, "demo", "--dir", "match", "--json", "--rules", "nobody")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "match").exists()


def test_play_without_a_terminal_plays_one_hand_and_verifies_it(tmp_path: Path) -> None:
    done = tongits(tmp_path, "play", "--name", "Dina")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert "by itself" in said[0]
    assert "can be reached at 127.0.0.1:" in said[1]
    assert said[-1].strip().startswith("Fair: 1 hand")
    assert done.stderr == ""
    ledgers = sorted((tmp_path / "home").rglob("*.tongits"))
    assert len(ledgers) == 3, "the player and two bots, each with its own"
    assert len({path.read_bytes() for path in ledgers}) == 1
    assert len({path.read_bytes() for path in (tmp_path / "home").rglob("identity.key")}) == 3
    assert left_in(tmp_path) == []


def test_choices_are_read_from_stdin_and_its_end_leaves_the_hand_pending(tmp_path: Path) -> None:
    # One choice: it is still her turn when the input ends, so that no bot can have ended the hand.
    done = tongits(tmp_path, "play", "--plain", "--ascii", "--hands", "1", "--name", "Dina", stdin="1\n")
    assert done.returncode == 0, done.stderr
    assert "Your turn." in done.stdout
    assert done.stdout.isascii()
    (ledger,) = (tmp_path / "home" / "tongits" / "tables").glob("*.tongits")
    pending = tongits(tmp_path, "verify", "--json", str(ledger))
    report = json.loads(pending.stdout)
    assert report["status"] == "incomplete"
    assert report["pending"]["hand"] == 1
    again = tongits(tmp_path, "play", "--auto", "--json", "--name", "Dina")
    last = json.loads(again.stdout.splitlines()[-1])
    assert (last["event"], last["code"], last["ledger"]) == ("ended", 0, str(ledger)), "the same hand goes on"
    assert json.loads(tongits(tmp_path, "verify", "--json", str(ledger)).stdout)["status"] == "fair"
