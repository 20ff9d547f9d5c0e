"""Practice on a computer that no cable leads to."""

import subprocess
from pathlib import Path

import pytest

from tests.e2e.processes import tongits
from tests.lan import Lan

pytestmark = pytest.mark.slow


def test_item_15_practice_needs_no_network_at_all(tmp_path: Path) -> None:
    with Lan(1) as lan:
        lan.ip("h0", "link set eth0 down")
        shown = subprocess.run(lan.command("h0", ["ip", "-br", "addr"]), capture_output=True, text=True)
        assert "127.0.0.1" in shown.stdout
        assert "UP" not in shown.stdout.replace("UNKNOWN", "")
        played = lan.tongits("h0", "play", "--auto", "--plain", "--hands", "1", "--data-dir", str(tmp_path))
    assert played.returncode == 0, played.stderr
    assert "hand 1" in played.stdout
    (ledger,) = (tmp_path / "tables").glob("*.tongits")
    assert tongits(tmp_path, "verify", "--proofs", str(ledger)).returncode == 0
