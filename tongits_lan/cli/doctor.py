"""`tongits doctor`: why others cannot find me. Looks at this machine and says what is well and what is not.

Owns the list of checks and what counts as well. Repairs nothing, and sends nothing but the question which
tables there are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tongits_lan import __version__
from tongits_lan.cli import places
from tongits_lan.cli.as_json import found_object
from tongits_lan.cli.output import emit, say
from tongits_lan.console.found import say_found
from tongits_lan.console.skins import SYMBOLS, skin_for
from tongits_lan.console.speech import told, tr
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import in_a_row, mark, phrase
from tongits_lan.limits import PORT
from tongits_lan.net import causes, probes
from tongits_lan.net.interfaces import Interface, Kind, interfaces, own_hosts, told_hosts, usable

COLUMNS, ROWS = 80, 24  # of a terminal in which everything fits
EARLIEST = 1_735_689_600  # 2025-01-01: a clock before that was never set
_RUN_SECONDS = 3.0
_STEP_SECONDS = 0.1
_JUMP_SECONDS = 1.0
_TITLE_WIDTH = 10  # of the word for a check; a language with longer words takes more


class State(StrEnum):
    """How a check went; only `bad` makes the exit code 1."""

    OK = "ok"
    INFO = "info"
    WARN = "warn"
    BAD = "bad"


TITLES = {
    "program": mark("program"),
    "network": mark("network"),
    "addresses": mark("addresses"),
    "port": mark("port"),
    "answers": mark("answers"),
    "multicast": mark("multicast"),
    "vpn": mark("vpn"),
    "firewall": mark("firewall"),
    "clock": mark("clock"),
    "terminal": mark("terminal"),
    "encoding": mark("encoding"),
    "files": mark("files"),
    "tables": mark("tables"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report: what was found, what to do about it, and the same as `data` for programs."""

    name: str
    state: State
    text: str
    do: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What is checked, in a word for people."""
        return TITLES[self.name]

    def as_object(self) -> dict[str, object]:
        """The check as JSON has it."""
        shown: dict[str, object] = {"check": self.name, "state": str(self.state), "text": self.text}
        return {**shown, "do": list(self.do), **self.data}


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return None


def _ask(command: Sequence[str]) -> str | None:
    """What a program of the system prints, None if it is not there or fails."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, *command[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_RUN_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Machine:
    """What is known of the system the program runs on."""

    system: str = sys.platform
    python: str = sys.executable
    read: Callable[[str], str | None] = _read
    ask: Callable[[Sequence[str]], str | None] = _ask


def run(options: Namespace) -> int:
    """Prints the report; 0 if all is well, 1 if something is not."""
    checks = examine(options, Machine())
    well = all(check.state is not State.BAD for check in checks)
    if options.json:
        emit({"ok": well, "version": __version__, "checks": [check.as_object() for check in checks]})
    else:
        for line in in_words(checks):
            say(line)
        say(tr("All is well." if well else "Something is not well: see the lines that begin with BAD."))
    return Exit.DONE if well else Exit.FAILED


def in_words(checks: Sequence[Check]) -> list[str]:
    """The report as lines, a check or a step a line."""
    lines = []
    width = max(_TITLE_WIDTH, *(len(told(check.title)) for check in checks))
    for check in checks:
        sign = check.state.upper() if check.state in (State.WARN, State.BAD) else str(check.state)
        lines.append(f"{sign:5} {told(check.title):{width}} {told(check.text)}")
        lines.extend(f"{'':{width + 6}} -> {told(step)}" for step in check.do)
    return lines


def examine(options: Namespace, machine: Machine) -> list[Check]:
    """Every check in the order of the report. Raises UserError(USAGE) for an interface that is not there."""
    known = interfaces(options.interface)
    bind = ""  # every address, as a table for others listens
    checks = [
        _program(machine),
        _network(known),
        _addresses(known),
        _port(bind, options.port),
        _answers(known),
        _multicast(),
        _vpn(known),
        _firewall(machine, options.port or PORT),
        _clock(time.time(), _step()),
        _terminal(sys.stdout.isatty() and sys.stdin.isatty(), shutil.get_terminal_size(), os.environ),
        _encoding(sys.stdout.encoding, os.environ, ascii_only=options.ascii),
        _folder(places.data_dir(options)),
    ]
    if not options.no_discovery:
        checks.append(_tables(options, known))
    return checks


def _program(machine: Machine) -> Check:
    python = ".".join(str(part) for part in sys.version_info[:3])
    return Check(
        "program",
        State.INFO,
        phrase(
            "tongits {version}, Python {python} at {path} ({system})",
            version=__version__,
            python=python,
            path=machine.python,
            system=machine.system,
        ),
        data={
            "version": __version__,
            "python": python,
            "executable": machine.python,
            "system": machine.system,
        },
    )


_CONNECT = mark("Connect to the Wi-Fi or cable the others are on. Practice (`tongits play`) works without.")


def _network(known: Sequence[Interface]) -> Check:
    shown = [
        {"name": one.name, "kind": str(one.kind), "addresses": [str(ip) for ip in one.addresses]}
        for one in known
    ]
    lines = "; ".join(f"{one.name} ({one.kind}) {' '.join(one.hosts())}" for one in known)
    if all(one.kind is Kind.LOOPBACK for one in known):
        return Check(
            "network",
            State.BAD,
            phrase("no network but this computer's own ({found})", found=lines or phrase("none at all")),
            (_CONNECT,),
            {"interfaces": shown},
        )
    return Check("network", State.OK, lines, data={"interfaces": shown})


def _addresses(known: Sequence[Interface]) -> Check:
    hosts = () if all(one.kind is Kind.LOOPBACK for one in known) else told_hosts(known)
    where = phrase("others cannot reach it")
    if hosts:
        where = phrase("others can reach this computer at {hosts}", hosts=", ".join(hosts))
    return Check("addresses", State.INFO, where, data={"addresses": list(hosts)})


def _port(bind: str, asked: int | None) -> Check:
    wanted = PORT if asked is None else asked
    try:
        port = probes.free_port(bind, asked)
    except UserError as error:
        return Check("port", State.BAD, error.text, data={"port": wanted, "free": False})
    if port == wanted:
        return Check(
            "port", State.OK, phrase("TCP port {port} is free", port=port), data={"port": port, "free": True}
        )
    return Check(
        "port",
        State.WARN,
        phrase(
            "TCP port {wanted} is taken, perhaps by a table that is open already; a new one would get {port}",
            wanted=wanted,
            port=port,
        ),
        (
            phrase(
                "A firewall that lets {wanted} through does not let {port} through: close the other program.",
                wanted=wanted,
                port=port,
            ),
        ),
        {"port": port, "free": False},
    )


def _answers(known: Sequence[Interface]) -> Check:
    silent = probes.unanswered(own_hosts(known))
    data = {"unanswered": list(silent)}
    if silent:
        return Check(
            "answers",
            State.BAD,
            phrase("this computer cannot reach itself at {hosts}", hosts=", ".join(silent)),
            (mark("A firewall or security program stands in between: allow Python in it."),),
            data,
        )
    return Check(
        "answers", State.OK, mark("a port opened here answers at each of these addresses"), data=data
    )


def _multicast() -> Check:
    returns, problem = probes.multicast_returns(), probes.mdns_port_problem()
    data = {"returns": returns, "mdns_port": problem or "free to share"}
    by_hand = mark("Tables are not found by themselves here: type the address the host's screen shows.")
    if problem is not None:
        text = phrase(
            "UDP port {port} cannot be shared ({why}): another mDNS program holds it alone",
            port=causes.MDNS_PORT,
            why=problem,
        )
        return Check("multicast", State.BAD, text, (by_hand,), data)
    if not returns:
        silent = mark("a multicast datagram sent on loopback does not come back")
        return Check("multicast", State.BAD, silent, (by_hand,), data)
    well = mark("multicast comes back on loopback, the mDNS port can be shared")
    return Check("multicast", State.OK, well, data=data)


def _vpn(known: Sequence[Interface]) -> Check:
    names = [one.name for one in known if one.kind is Kind.VPN]
    if names:
        _, vpn, _ = causes.causes(known)
        return Check("vpn", State.WARN, vpn.what, (vpn.do,), {"vpn": names})
    return Check("vpn", State.OK, mark("no VPN is on"), data={"vpn": []})


def _firewall(machine: Machine, port: int) -> Check:
    name, active = firewall_of(machine)
    steps = causes.firewall_steps(machine.system, port=port, python=machine.python, name=name)
    data = {"firewall": name, "active": active}
    if active is False:
        return Check("firewall", State.OK, phrase("the firewall {name} is off", name=name), data=data)
    if active is None:
        return Check("firewall", State.INFO, mark("whether a firewall is on cannot be told"), steps, data)
    text = phrase(
        "the firewall {name} is on: others see nothing of you unless it lets the table through", name=name
    )
    return Check("firewall", State.WARN, text, steps, data)


def firewall_of(machine: Machine) -> tuple[str | None, bool | None]:
    """The firewall of this system and whether it is on; None for what cannot be told without more rights."""
    match machine.system:
        case "darwin":
            said = machine.ask(["/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate"])
            return "macOS", None if said is None else "enabled" in said
        case "win32":
            return "Windows Defender", None  # what netsh says of it is in the language of the system
        case _:
            ufw = machine.read("/etc/ufw/ufw.conf")
            if ufw is not None and "ENABLED=yes" in ufw.replace(" ", ""):
                return "ufw", True
            if (machine.ask(["firewall-cmd", "--state"]) or "").strip() == "running":
                return "firewalld", True
            return ("ufw", False) if ufw is not None else (None, None)


def _step() -> tuple[float, float]:
    """Seconds that passed by the wall clock and by the steady one while this function waited."""
    wall, steady = time.time(), time.monotonic()
    time.sleep(_STEP_SECONDS)
    return time.time() - wall, time.monotonic() - steady


def _clock(now: float, step: tuple[float, float]) -> Check:
    shown = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))
    data = {"time": int(now)}
    if now < EARLIEST:
        return Check(
            "clock",
            State.BAD,
            phrase("the clock says {time}, which cannot be", time=shown),
            (mark("Set the clock: ledgers carry the date of their table."),),
            data,
        )
    if abs(step[0] - step[1]) > _JUMP_SECONDS:
        return Check(
            "clock",
            State.WARN,
            phrase("the clock ({time}) jumps", time=shown),
            (mark("Let the system set it once, not often."),),
            data,
        )
    return Check("clock", State.OK, shown, data=data)


def _terminal(interactive: bool, size: os.terminal_size, environ: Mapping[str, str]) -> Check:
    term = environ.get("TERM", "")
    data = {"terminal": interactive, "columns": size.columns, "rows": size.lines, "term": term}
    if not interactive:
        none = mark("this is no terminal: only --plain, --json and --auto work")
        return Check("terminal", State.INFO, none, data=data)
    text = phrase(
        "{columns}x{rows}, TERM={term}", columns=size.columns, rows=size.lines, term=term or phrase("not set")
    )
    if size.columns < COLUMNS or size.lines < ROWS:
        return Check(
            "terminal",
            State.WARN,
            text,
            (phrase("Make it {size} or larger.", size=f"{COLUMNS}x{ROWS}"),),
            data,
        )
    return Check("terminal", State.OK, text, data=data)


def _encoding(encoding: str | None, environ: Mapping[str, str], *, ascii_only: bool) -> Check:
    symbols = skin_for(encoding, environ, ascii_only=ascii_only) is SYMBOLS
    text = mark("{encoding}: suits are shown as the letters C D H S")
    if symbols:
        text = mark("{encoding}: suits are shown as symbols")
    return Check(
        "encoding", State.OK, phrase(text, encoding=encoding), data={"encoding": encoding, "symbols": symbols}
    )


def _folder(folder: Path) -> Check:
    data = {"data_dir": str(folder)}
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return Check("files", State.OK, phrase("games are kept in {folder}", folder=folder), data=data)
    return Check(
        "files",
        State.BAD,
        phrase("nothing can be written in {folder}, where games are to be kept", folder=there),
        (mark("Choose another folder with --data-dir."),),
        data,
    )


def _tables(options: Namespace, known: Sequence[Interface]) -> Check:
    from tongits_lan.cli import tables

    found, problem = tables.search(options, patience=tables.SEARCH_SECONDS)
    data = {"tables": [found_object(one) for one in found]}
    if problem is not None:
        return Check("tables", State.WARN, problem, data=data)
    if not found:
        text = phrase("no table is announced (looked for {seconds} s)", seconds=f"{tables.SEARCH_SECONDS:g}")
        steps = (in_a_row([cause.what, cause.do]) for cause in causes.causes(usable(known)))
        return Check("tables", State.INFO, text, (mark("If somebody hosts one now:"), *steps), data)
    return Check("tables", State.OK, "; ".join(say_found(one) for one in found), data=data)
