"""`tongits doctor`: each check tells the truth about machines made up here; the exit code is 0 or 1."""

import json
import os
import socket
import sys
from argparse import Namespace
from collections.abc import Sequence
from ipaddress import ip_interface
from pathlib import Path

import pytest

from tongits_lan.cli import doctor
from tongits_lan.cli.arguments import parse
from tongits_lan.cli.doctor import Check, Machine, State
from tongits_lan.cli.main import main
from tongits_lan.errors import Exit, UserError
from tongits_lan.net.interfaces import Interface, make_interface

MINUTE = (60.0, 60.0)  # by both clocks


def interface(name: str, *addresses: str) -> Interface:
    return make_interface(name, 2, [ip_interface(address) for address in addresses])


WIFI = interface("wlan0", "192.168.1.9/24")
LO = interface("lo", "127.0.0.1/8")


def options(folder: Path, *more: str) -> Namespace:
    """The command line of a doctor that sends nothing."""
    return parse(["doctor", "--no-discovery", "--data-dir", str(folder), *more])


def machine(system: str, files: dict[str, str] | None = None, said: str | None = None) -> Machine:
    def ask(command: Sequence[str]) -> str | None:
        return said

    return Machine(system, "/opt/pipx/bin/python", (files or {}).get, ask)


@pytest.fixture
def taken() -> socket.socket:
    return socket.create_server(("0.0.0.0", 0))


def test_item_21_every_promised_check_is_there_and_has_its_data(tmp_path: Path) -> None:
    checks = doctor.examine(options(tmp_path), Machine())
    assert [check.name for check in checks] == [
        "program",
        "network",
        "addresses",
        "port",
        "answers",
        "multicast",
        "vpn",
        "firewall",
        "clock",
        "terminal",
        "encoding",
        "files",
    ]
    for check in checks:
        assert {"check", "state", "text", "do"} < check.as_object().keys()
    assert checks[0].data["executable"] == sys.executable


def test_N5_the_python_to_allow_is_named(tmp_path: Path) -> None:
    program = doctor.examine(options(tmp_path), machine("win32"))[0]
    firewall = doctor.examine(options(tmp_path), machine("win32"))[7]
    assert "/opt/pipx/bin/python" in program.text
    assert any("/opt/pipx/bin/python" in step for step in firewall.do)


def test_the_report_is_one_object_and_its_exit_code_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["doctor", "--no-discovery", "--json", "--data-dir", str(tmp_path)])
    (line,) = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    bad = [check["check"] for check in report["checks"] if check["state"] == "bad"]
    assert report["ok"] is (bad == [])
    assert code == (0 if report["ok"] else 1)


def test_the_report_for_people_marks_what_is_not_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["doctor", "--no-discovery", "--interface", "127.0.0.1", "--data-dir", str(tmp_path)]
    assert main(arguments) == Exit.FAILED
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("BAD   network ") for line in lines)
    assert lines[-1] == "Something is not well: see the lines that begin with BAD."
    assert not list(tmp_path.iterdir()), "a look changes nothing"


def test_an_interface_that_is_not_there_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--interface", "nosuch0", "--data-dir", str(tmp_path)]) == Exit.USAGE
    assert "'nosuch0'" in capsys.readouterr().err


def test_a_port_that_is_asked_for_and_taken_is_not_well(tmp_path: Path, taken: socket.socket) -> None:
    with taken:
        port = taken.getsockname()[1]
        found = by_name(doctor.examine(options(tmp_path, "--port", str(port)), Machine()), "port")
    assert found.state is State.BAD
    assert str(port) in found.text
    assert found.data == {"port": port, "free": False}
    found = by_name(doctor.examine(options(tmp_path, "--port", str(port)), Machine()), "port")
    assert (found.state, found.data) == (State.OK, {"port": port, "free": True})


def by_name(checks: Sequence[Check], name: str) -> Check:
    return next(check for check in checks if check.name == name)


def test_no_network_but_loopback_is_not_well() -> None:
    assert doctor._network([LO]).state is State.BAD
    assert doctor._network([]).state is State.BAD
    assert doctor._network([WIFI, LO]).state is State.OK
    assert doctor._addresses([LO]).data == {"addresses": []}
    assert doctor._addresses([WIFI, LO]).data == {"addresses": ["192.168.1.9"]}


def test_an_address_that_cannot_be_reached_from_here_is_not_well() -> None:
    gone = doctor._answers([interface("eth0", "192.0.2.77/24")])
    assert (gone.state, gone.data) == (State.BAD, {"unanswered": ["192.0.2.77"]})
    assert doctor._answers([LO]).state is State.OK


def test_a_vpn_that_is_on_is_named() -> None:
    on = doctor._vpn([WIFI, interface("wg0", "10.8.0.2/24")])
    assert on.state is State.WARN
    assert "wg0 is on here" in on.text
    assert doctor._vpn([WIFI, LO]).state is State.OK


@pytest.mark.parametrize(
    ("system", "files", "said", "state", "words"),
    [
        ("linux", {"/etc/ufw/ufw.conf": "ENABLED=yes\n"}, None, State.WARN, "sudo ufw allow 15300/tcp"),
        ("linux", {"/etc/ufw/ufw.conf": "ENABLED=no\n"}, None, State.OK, ""),
        ("linux", {"/etc/ufw/ufw.conf": "ENABLED=no\n"}, "running\n", State.WARN, "firewall-cmd"),
        ("linux", {}, None, State.INFO, "sudo ufw allow 5353/udp"),
        ("darwin", {}, "Firewall is enabled. (State = 1)", State.WARN, "Local Network"),
        ("darwin", {}, "Firewall is disabled. (State = 0)", State.OK, ""),
        ("darwin", {}, None, State.INFO, "Local Network"),
        ("win32", {}, None, State.INFO, "delete the rules for python.exe that block"),
    ],
)
def test_firewalls_are_told_with_what_to_do(
    system: str, files: dict[str, str], said: str | None, state: State, words: str
) -> None:
    found = doctor._firewall(machine(system, files, said), 15300)
    assert found.state is state
    assert words in " ".join(found.do)
    assert bool(found.do) is (state is not State.OK)


def test_a_clock_that_was_never_set_is_not_well() -> None:
    assert doctor._clock(0.0, MINUTE).state is State.BAD
    assert doctor._clock(1_900_000_000.0, MINUTE).state is State.OK
    assert doctor._clock(1_900_000_000.0, (3600.0, 0.1)).state is State.WARN


def test_the_terminal_is_measured() -> None:
    wide, narrow = os.terminal_size((120, 40)), os.terminal_size((60, 16))
    assert doctor._terminal(True, wide, {"TERM": "xterm"}).state is State.OK
    small = doctor._terminal(True, narrow, {})
    assert (small.state, small.text) == (State.WARN, "60x16, TERM=not set")
    assert doctor._terminal(False, wide, {}).state is State.INFO


def test_the_encoding_decides_between_symbols_and_letters() -> None:
    assert doctor._encoding("utf-8", {}, ascii_only=False).data["symbols"] is True
    assert "letters C D H S" in doctor._encoding("ascii", {}, ascii_only=False).text
    assert doctor._encoding("utf-8", {"TERM": "linux"}, ascii_only=False).data["symbols"] is False


def test_a_folder_that_cannot_be_made_is_not_well(tmp_path: Path) -> None:
    assert doctor._folder(tmp_path / "not" / "yet").state is State.OK
    (tmp_path / "file").write_text("")
    found = doctor._folder(tmp_path / "file" / "games")
    assert found.state is State.BAD
    assert "--data-dir" in found.do[0]


def test_a_program_of_the_system_that_is_missing_or_fails_says_nothing() -> None:
    assert doctor._ask(["no-such-program-here"]) is None
    assert doctor._ask([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert doctor._ask([sys.executable, "-c", "print('running')"]) == "running\n"
    assert doctor._read("/no/such/file") is None


def test_a_usage_error_is_told_before_anything_is_looked_at(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        doctor.examine(options(tmp_path, "--interface", "nosuch0"), Machine())
