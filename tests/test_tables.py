"""`tongits tables` on loopback: rows as JSON and in words, and what it says when there are none."""

import json
import os
import sys

import pytest

from tests.lan import running
from tongits_lan import __version__
from tongits_lan.cli import doctor
from tongits_lan.cli.arguments import parse
from tongits_lan.cli.as_json import found_object
from tongits_lan.cli.doctor import State
from tongits_lan.cli.main import main
from tongits_lan.console.found import say_found
from tongits_lan.errors import Exit
from tongits_lan.net.announcements import Found
from tongits_lan.net.interfaces import interfaces

FOUND = Found(bytes(8), "Ana", 2, "pagat", __version__, "tongits-lan/1", ("192.168.1.20:15213",), 3.0)
LOOPBACK = ["--interface", "127.0.0.1"]


def test_an_announced_table_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    tag = os.urandom(8).hex()
    with running([sys.executable, "-m", "tests.announce", tag, "Ana", "2", "127.0.0.1"], ready="up"):
        assert main(["tables", "--json", *LOOPBACK]) == Exit.DONE
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert main(["tables", *LOOPBACK]) == Exit.DONE
        lines = capsys.readouterr().out.splitlines()
        check = doctor._tables(parse(["doctor", *LOOPBACK]), interfaces("127.0.0.1"))
    (row,) = [row for row in rows if row["tag"] == tag]
    ping, address = row.pop("ping_ms"), row.pop("addresses")[0]
    assert row == {
        "tag": tag,
        "host": "Ana",
        "seats": 2,
        "preset": "pagat",
        "version": "0.1.0",
        "protocol": "tongits-lan/1",
        "fits": True,
    }
    assert ping is not None
    assert any(line.startswith("Ana's table (2/3)") and line.endswith(address) for line in lines)
    assert check.state is State.OK
    assert address in check.text


def test_n14_a_row_says_which_version_and_whether_it_fits() -> None:
    assert say_found(FOUND) == (
        f"Ana's table (2/3)  rules pagat  version {__version__}  3 ms  192.168.1.20:15213"
    )
    later = Found(bytes(8), "Ben", 1, "kil", "9.9", "tongits-lan/9", ("10.0.0.1:1", "10.0.0.2:1"))
    assert say_found(later) == (
        f"Ben's table (1/3)  rules kil  version 9.9, you have {__version__}, which cannot play with yours"
        "  does not answer  10.0.0.1:1"
    )
    assert found_object(later)["fits"] is False


def test_without_discovery_there_is_nothing_to_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--no-discovery"]) == Exit.USAGE
    assert "--no-discovery" in capsys.readouterr().err


def test_an_interface_that_is_not_there_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--interface", "nosuch0"]) == Exit.USAGE
    assert "'nosuch0'" in capsys.readouterr().err
