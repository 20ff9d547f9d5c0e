"""Small trials of this machine's network: does a port open, does it answer, does multicast come back.

Owns their sockets. They stay on this machine: nothing is sent to another one. Must not know tables.
"""

import contextlib
import socket
from collections.abc import Iterable

from tongits_lan.game.sentences import cause
from tongits_lan.net.causes import MDNS_PORT
from tongits_lan.net.transport import open_door

_GROUP = "239.255.152.13"  # of the range for one site's own use
_TOKEN = b"tongits-lan: does multicast come back?"
_SECONDS = 1.0
_LOOPBACK = "127.0.0.1"


def free_port(bind: str, port: int | None) -> int:
    """The port a table would get on `bind`. Raises UserError(FAILED) when the one asked for is taken."""
    door = open_door(bind, port)
    try:
        return int(door.port)
    finally:
        door.close()


def unanswered(hosts: Iterable[str]) -> tuple[str, ...]:
    """Those of this machine's own addresses at which a listening port of it cannot be reached."""
    return tuple(host for host in hosts if not _answers(host))


def _answers(host: str) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        where = socket.getaddrinfo(host, 0, family, socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)[0][4]
        with socket.socket(family, socket.SOCK_STREAM) as listening:
            listening.bind(where)
            listening.listen(1)
            with socket.socket(family, socket.SOCK_STREAM) as calling:
                calling.settimeout(_SECONDS)
                calling.connect(listening.getsockname())
                return True
    except OSError:
        return False


def multicast_returns() -> bool:
    """Whether a multicast datagram sent on loopback comes back; about a second when it does not."""
    member = socket.inet_aton(_GROUP) + socket.inet_aton(_LOOPBACK)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear, _mouth() as mouth:
            ear.bind(("", 0))
            ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            ear.settimeout(_SECONDS)
            mouth.sendto(_TOKEN, (_GROUP, ear.getsockname()[1]))
            while ear.recv(len(_TOKEN)) != _TOKEN:
                pass
            return True
    except OSError:
        return False


def _mouth() -> socket.socket:
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(_LOOPBACK))
    mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)
    return mouth


def mdns_port_problem() -> str | None:
    """Why this program cannot listen for announcements beside others that do; None if it can."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with contextlib.suppress(OSError):
                ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            ear.bind(("", MDNS_PORT))
        except OSError as error:
            return cause(error)
    return None
