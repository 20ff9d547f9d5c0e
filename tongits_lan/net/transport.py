"""Byte streams between machines: addresses, the listening socket, dialling.

Owns sockets and the place where a link is made secure. Must not know messages or tables.
"""

import contextlib
import errno
import ipaddress
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import trio

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import cause, mark, phrase
from tongits_lan.limits import PORT
from tongits_lan.net.interfaces import interfaces, told_hosts, ways_to
from tongits_lan.net.tls import Certificate, open_channel

_ANY_V4, _ANY_V6 = "0.0.0.0", "::"
EVERYWHERE = ("", _ANY_V4, _ANY_V6)
"""What is given to listen on every address of this machine."""
_BACKLOG = 64
_NEXT_PORTS = 20  # tried after the usual one, then any port the system gives
_LOOK_SECONDS = 5.0  # how long a look at this machine's addresses is good for
_MAPPED = "::ffff:"  # an IPv4 address as a socket for both families writes it


@dataclass(frozen=True, slots=True)
class Secured:
    """An encrypted stream ready for messages; `binding` (32 bytes) names the channel in the signatures of
    both ends, `hosts` are its (own, other) hosts where they can be told."""

    stream: trio.abc.Stream
    binding: bytes
    trust: Callable[[], None] = lambda: None
    """Called when the other end has said who it is: it may send as much as it likes."""
    hosts: tuple[str | None, str | None] = (None, None)


async def secure(stream: trio.abc.Stream, *, server: bool, certificate: Certificate | None = None) -> Secured:
    """Makes one end of a fresh stream ready for messages; `server` is the accepting end.

    Every link passes through here. Raises NotEncryptedError."""
    channel = await open_channel(stream, server=server, certificate=certificate)
    return Secured(channel.stream, channel.binding, channel.trust, both_hosts(stream))


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
            phrase(
                "{address} is no address: write it like 192.168.1.20:{port}, as the host's screen shows it.",
                address=ascii(text),
                port=PORT,
            ),
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
    """The bound, listening socket of a session. `only`: the interface whose addresses are told to others."""

    def __init__(self, listening: socket.socket, only: str | None = None) -> None:
        self._socket = listening
        self._listener: trio.SocketListener | None = None
        self._only = only
        self._told: tuple[float, tuple[str, ...]] = (-_LOOK_SECONDS, ())
        self.host, self.port = listening.getsockname()[:2]
        self.everywhere = ipaddress.ip_address(self.host).is_unspecified

    @property
    def families(self) -> tuple[int, ...]:
        """The versions of IP it listens on."""
        if self._socket.family == socket.AF_INET:
            return (4,)
        alone = self._socket.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
        return (6,) if alone else (4, 6)

    def listener(self) -> trio.SocketListener:
        """The listener of this socket, made once, inside trio."""
        if self._listener is None:
            self._listener = trio.SocketListener(trio.socket.from_stdlib_socket(self._socket))
        return self._listener

    def addresses(self) -> tuple[str, ...]:
        """Where others reach this door ("host:port"), the most useful one first, loopback last."""
        if not self.everywhere:
            return (join_address(self.host, self.port),)
        at, told = self._told
        if time.monotonic() - at >= _LOOK_SECONDS:
            told = tuple(join_address(host, self.port) for host in self._hosts())
            self._told = (time.monotonic(), told)
        return told

    def _hosts(self) -> tuple[str, ...]:
        four, six = 4 in self.families, 6 in self.families
        try:
            known = interfaces(self._only)
        except (OSError, UserError):  # an interface that was there when the session began
            known = ()
        loopback = "127.0.0.1" if four else "::1"
        return tuple(dict.fromkeys((*told_hosts(known, v4=four, v6=six), loopback)))

    def close(self) -> None:
        """Stops listening."""
        if self._listener is not None:
            self._listener.socket.close()
        else:
            self._socket.close()


def open_door(bind: str, port: int | None, *, preferred: int | None = None, only: str | None = None) -> Door:
    """Listens on `bind` ("": everywhere, on both versions of IP) at `port`; without one at `preferred`, then
    at the usual port, the next free one, any.

    Raises UserError(FAILED): the port asked for is taken, or the address is not one of this machine."""
    if port is not None:
        return Door(_listen(bind, port), only)
    usual = range(PORT, PORT + _NEXT_PORTS)
    for candidate in (*(() if preferred is None else (preferred,)), *usual):
        with contextlib.suppress(_PortTakenError):
            return Door(_listen(bind, candidate), only)
    return Door(_listen(bind, 0), only)


class _PortTakenError(UserError):
    """The port is in use."""


def _listen(bind: str, port: int) -> socket.socket:
    if not bind:
        return _listen_everywhere(port)
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if bind == _ANY_V6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((bind, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _listen_problem(bind, port, error) from error
    return listening


def _listen_everywhere(port: int) -> socket.socket:
    try:
        return _listen(_ANY_V6, port)
    except _PortTakenError:
        raise
    except UserError:  # a machine without IPv6
        return _listen(_ANY_V4, port)


def _listen_problem(bind: str, port: int, error: Exception) -> UserError:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EADDRINUSE, errno.EACCES) and port:
        text = mark("Port {port} is not allowed to you: choose another with --port, or leave --port out.")
        if number == errno.EADDRINUSE:
            text = mark("Port {port} is already in use: choose another with --port, or leave --port out.")
        return _PortTakenError(phrase(text, port=port), Exit.FAILED)
    return UserError(
        phrase(
            "Nothing can listen on {bind}:{port} ({why}): choose an address of this machine.",
            bind=bind,
            port=port,
            why=cause(error),
        ),
        Exit.FAILED,
    )


def both_hosts(stream: trio.abc.Stream) -> tuple[str | None, str | None]:
    """The (own, other) host of a TCP stream; None for what cannot be told."""
    if not isinstance(stream, trio.SocketStream):
        return None, None
    try:
        own, other = stream.socket.getsockname()[0], stream.socket.getpeername()[0]
    except OSError:
        return None, None
    return str(own).removeprefix(_MAPPED), str(other).removeprefix(_MAPPED)


async def dial(host: str, port: int) -> trio.SocketStream:
    """A TCP stream to that address, a link-local one on whichever interface it answers first. Raises OSError;
    the caller bounds the time."""
    ways = ways_to(host, interfaces()) if ":" in host else (host,)
    if len(ways) == 1:
        return await _dial(ways[0], port)
    streams: list[trio.SocketStream] = []
    failures: list[OSError] = []
    async with trio.open_nursery() as nursery:

        async def attempt(way: str) -> None:
            try:
                streams.append(await _dial(way, port))
            except OSError as error:
                failures.append(error)
            else:
                nursery.cancel_scope.cancel()

        for way in ways:
            nursery.start_soon(attempt, way)
    for late in streams[1:]:
        await trio.aclose_forcefully(late)
    if not streams:
        raise failures[0]
    return streams[0]


async def _dial(host: str, port: int) -> trio.SocketStream:
    try:
        return await trio.open_tcp_stream(host, port)
    except ValueError as error:  # a name no resolver takes, such as one with an empty part
        raise socket.gaierror(socket.EAI_NONAME, f"no name of a computer: {host!a}") from error
