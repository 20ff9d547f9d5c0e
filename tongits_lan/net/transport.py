"""Byte streams between machines: addresses, the listening socket, dialling.

Owns sockets and the place where a link is made secure. Must not know messages or tables.
"""

import contextlib
import errno
import ipaddress
import socket
import sys
from dataclasses import dataclass

import trio

from tongits_lan.errors import Exit, UserError
from tongits_lan.limits import PORT

_BACKLOG = 64
_NEXT_PORTS = 20  # tried after the usual one, then any port the system gives


@dataclass(frozen=True, slots=True)
class Secured:
    """A byte stream ready for messages; `binding` (32 bytes) names the channel in the signatures of both
    ends.

    A plain TCP stream binds to nothing: 32 zero bytes stand for the hash of the certificate it lacks."""

    stream: trio.abc.Stream
    binding: bytes
    protected: bool


async def secure(stream: trio.abc.Stream, *, server: bool) -> Secured:
    """Makes one end of a fresh stream ready for messages; `server` is the accepting end.

    Every link passes through here, so that encryption has one place to be added in."""
    del server  # both ends of a plain stream are alike
    return Secured(stream, bytes(32), protected=False)


def parse_address(text: str) -> tuple[str, int]:
    """(host, port) of "host:port", "host" or "[v6]:port". Raises UserError(USAGE)."""
    host, port = text.strip(), PORT
    if host.startswith("["):
        host, bracket, rest = host[1:].partition("]")
        number = rest[1:] if rest.startswith(":") else None if not rest else "?"
        host = host if bracket else ""
    elif host.count(":") == 1:
        host, _, number = host.partition(":")
    else:
        number = None
    if number is not None:
        port = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
    if not host or not 0 < port < 65_536 or any(c.isspace() or not c.isprintable() for c in host):
        raise UserError(
            f"{text!a} is no address: write it like 192.168.1.20:{PORT}, as the host's screen shows it.",
            Exit.USAGE,
        )
    return host, port


def join_address(host: str, port: int) -> str:
    """The text "host:port" of an address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether an address can only mean this very machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Door:
    """The bound, listening socket of a session."""

    def __init__(self, listening: socket.socket) -> None:
        self._socket = listening
        self._listener: trio.SocketListener | None = None
        self.host, self.port = listening.getsockname()[:2]
        self.everywhere = ipaddress.ip_address(self.host).is_unspecified

    def listener(self) -> trio.SocketListener:
        """The listener of this socket, made once, inside trio."""
        if self._listener is None:
            self._listener = trio.SocketListener(trio.socket.from_stdlib_socket(self._socket))
        return self._listener

    def addresses(self) -> tuple[str, ...]:
        """Where others reach this door ("host:port"), the most useful one first."""
        hosts: list[str] = [self.host]
        if self.everywhere:
            hosts = [own for own in (_own_host(self._socket.family),) if own is not None]
            hosts.append("127.0.0.1" if self._socket.family == socket.AF_INET else "::1")
        return tuple(join_address(host, self.port) for host in hosts)

    def close(self) -> None:
        """Stops listening."""
        if self._listener is not None:
            self._listener.socket.close()
        else:
            self._socket.close()


def open_door(bind: str, port: int | None, *, preferred: int | None = None) -> Door:
    """Listens on `bind` at `port`; without one at `preferred`, then at the usual port, the next free one,
    any.

    Raises UserError(FAILED): the port asked for is taken, or the address is not one of this machine."""
    if port is not None:
        return Door(_listen(bind, port))
    usual = range(PORT, PORT + _NEXT_PORTS)
    for candidate in (*(() if preferred is None else (preferred,)), *usual):
        with contextlib.suppress(_PortTakenError):
            return Door(_listen(bind, candidate))
    return Door(_listen(bind, 0))


class _PortTakenError(UserError):
    """The port is in use."""


def _listen(bind: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((bind, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _listen_problem(bind, port, error) from error
    return listening


def _listen_problem(bind: str, port: int, error: Exception) -> UserError:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, errno.EACCES) and port:
        why = "is already in use" if number == errno.EADDRINUSE else "is not allowed to you"
        return _PortTakenError(
            f"Port {port} {why}: choose another with --port, or leave --port out.", Exit.FAILED
        )
    return UserError(
        f"Nothing can listen on {bind}:{port} ({getattr(error, 'strerror', None) or error}):"
        " choose an address of this machine.",
        Exit.FAILED,
    )


def _own_host(family: socket.AddressFamily) -> str | None:
    """This machine's address on its usual network; asks the routing table, sends nothing."""
    probe = ("192.0.2.1", 9) if family == socket.AF_INET else ("2001:db8::1", 9)
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect(probe)
        host = str(asking.getsockname()[0])
        return None if ipaddress.ip_address(host).is_unspecified else host
    return None


def both_hosts(stream: trio.abc.Stream) -> tuple[str | None, str | None]:
    """The (own, other) host of a TCP stream; None for what cannot be told."""
    if not isinstance(stream, trio.SocketStream):
        return None, None
    try:
        return str(stream.socket.getsockname()[0]), str(stream.socket.getpeername()[0])
    except OSError:
        return None, None


async def dial(host: str, port: int) -> trio.SocketStream:
    """A TCP stream to that address. Raises OSError; the caller bounds the time."""
    try:
        return await trio.open_tcp_stream(host, port)
    except ValueError as error:  # a name no resolver takes, such as one with an empty part
        raise socket.gaierror(socket.EAI_NONAME, f"no name of a computer: {host!a}") from error
