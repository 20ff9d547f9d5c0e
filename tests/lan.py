"""A small network of network namespaces for tests: computers on one bridge, all of it inside the kernel.

Needs Linux, iproute2 and root; `why_not` says in a sentence what is missing.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

import pytest

from tests.system import ROOT

SECONDS = 60  # for a command to end; one that takes longer hangs


@functools.cache
def why_not() -> str | None:
    """Why no namespaces can be made here, None if they can."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return "network namespaces need Linux and the ip command (iproute2)"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"tl{os.getpid()}x"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return f"the system allows no network namespaces: {made.stderr.strip()}"
    try:
        pair = ["ip", "-n", name, "link", "add", "veth0", "type", "veth", "peer", "name", "veth1"]
        done = subprocess.run(pair, capture_output=True, text=True)
        return None if done.returncode == 0 else f"the kernel has no veth: {done.stderr.strip()}"
    finally:
        subprocess.run(["ip", "netns", "del", name], check=True)


class Lan:
    """Namespaces `h0`, `h1`, .. whose interface eth0 hangs on one bridge; IPv4 addresses are added by hand,
    IPv6 ones are link-local. Everything is gone after the `with` block. Where none can be made, the test that
    wants them is skipped."""

    def __init__(self, hosts: int) -> None:
        self._prefix = f"tl{os.getpid()}"
        self._hosts = hosts

    def __enter__(self) -> "Lan":
        reason = why_not()
        if reason is not None:
            pytest.skip(reason)
        try:
            self._make("hub")
            self.ip("hub", "link add br0 type bridge", "link set br0 up")
            for host in range(self._hosts):
                self._make(f"h{host}")
                self.cable(f"h{host}", "eth0")
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def name(self, host: str) -> str:
        """The namespace of a host."""
        return f"{self._prefix}{host}"

    def ip(self, host: str, *commands: str) -> None:
        """`ip COMMAND` inside a host."""
        for command in commands:
            subprocess.run(["ip", "-n", self.name(host), *command.split()], check=True, capture_output=True)

    def cable(self, host: str, interface: str, *, bridge: str = "br0") -> None:
        """A cable from a host to the bridge; it has carrier at once."""
        end = f"{host}{interface}"
        self.ip("hub", f"link add {end} type veth peer name {interface} netns {self.name(host)}")
        self.ip("hub", f"link set {end} master {bridge}", f"link set {end} up")
        self.ip(host, f"link set {interface} up")

    def drop_multicast(self, host: str, interface: str = "eth0") -> None:
        """No multicast reaches that host any more."""
        port = [
            "bridge",
            "link",
            "set",
            "dev",
            f"{host}{interface}",
            "mcast_flood",
            "off",
            "bcast_flood",
            "on",
        ]
        subprocess.run(self.command("hub", port), check=True, capture_output=True)

    def command(self, host: str, words: Sequence[str]) -> list[str]:
        """The command line that runs `words` on a host."""
        return ["ip", "netns", "exec", self.name(host), *words]

    def python(self, host: str, *words: str) -> list[str]:
        """The command line that runs this Python on a host."""
        return self.command(host, [sys.executable, *words])

    def tongits(self, host: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs `tongits WORDS` on a host to its end."""
        return subprocess.run(
            self.python(host, "-m", "tongits_lan", *words),
            cwd=ROOT,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
        )

    def tables(self, host: str) -> list[dict[str, object]]:
        """What `tongits tables --json` prints on a host."""
        done = self.tongits(host, "tables", "--json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _make(self, host: str) -> None:
        subprocess.run(["ip", "netns", "add", self.name(host)], check=True, capture_output=True)
        self.ip(host, "link set lo up")
        at_once = "echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad"  # addresses are good from the start
        subprocess.run(self.command(host, ["sh", "-c", at_once]), check=True, capture_output=True)

    def _remove(self) -> None:
        for host in ("hub", *(f"h{host}" for host in range(self._hosts))):
            subprocess.run(["ip", "netns", "del", self.name(host)], check=False, capture_output=True)


@contextmanager
def running(command: Sequence[str], *, ready: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has printed `ready`; killed at the end of the block."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line == ready, line
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


HOST = "10.5.0.1"


@contextmanager
def three_computers() -> Iterator[Lan]:
    """The host's, h0, has a second interface with the default route, and it leads nowhere; the three have
    different ideas of how large their network is."""
    with Lan(3) as lan:
        lan.ip("h0", f"addr add {HOST}/16 dev eth0")
        lan.ip("h1", "addr add 10.5.3.2/22 dev eth0")
        lan.ip("h2", "addr add 10.5.0.3/24 dev eth0")
        lan.ip("hub", "link add nowhere type bridge", "link set nowhere up")
        lan.cable("h0", "vpn0", bridge="nowhere")
        lan.ip("h0", "addr add 10.99.0.1/24 dev vpn0", "route add default via 10.99.0.2 dev vpn0 metric 1")
        yield lan
