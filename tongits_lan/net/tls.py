"""Encrypted channels: TLS 1.3 with a certificate of this run's own making.

Owns the certificate, what is allowed of TLS, and the limit on bytes of a channel nobody has signed for.
A certificate proves nothing here: its hash names the channel in what both ends sign with their identity
keys (docs/protocol.md, "Link"). Must not know messages, keys of players or sockets.
"""

import contextlib
import functools
import hashlib
import os
import secrets
import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import trio

from tongits_lan.errors import Exit, LinkLost, UserError
from tongits_lan.game.sentences import cause, phrase
from tongits_lan.limits import UNAUTHENTICATED_MAX

# Nobody looks at dates or names, so they say nothing about this machine or its clock.
_FROM, _TO = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


class NotEncryptedError(LinkLost):
    """The other end does not speak TLS 1.3."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A server's certificate (DER) and what serves it."""

    der: bytes
    context: ssl.SSLContext = field(repr=False)


@dataclass(frozen=True, slots=True)
class Channel:
    """An encrypted stream; `binding` is the SHA-256 of the server's certificate (DER).

    `trust` lifts the limit on what may be received: the other end has said who it is."""

    stream: trio.abc.Stream
    binding: bytes
    trust: Callable[[], None]


def make_certificate() -> Certificate:
    """A fresh P-256 key with its certificate. Raises OSError where no temporary file can be made.

    The standard library reads keys from files alone: it gets an encrypted one (0600) that is gone at once,
    and whose password was never outside this function."""
    from cryptography import x509  # slow to load, and not needed before there is a door
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
    from cryptography.x509.oid import NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tongits-lan")])
    key = ec.generate_private_key(ec.SECP256R1())
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
        .not_valid_after(_TO)
        .sign(key, hashes.SHA256())
    )
    password = secrets.token_hex(32).encode("ascii")
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    context = _strict(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    context.num_tickets = 0
    fd, path = tempfile.mkstemp(prefix="tongits-", suffix=".pem")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(pem + made.public_bytes(Encoding.PEM))
        context.load_cert_chain(path, password=password)
    finally:
        with contextlib.suppress(OSError):
            Path(path).unlink()
    return Certificate(made.public_bytes(Encoding.DER), context)


@functools.cache
def own_certificate() -> Certificate:
    """The certificate of this run. Raises UserError(FAILED)."""
    try:
        return make_certificate()
    except OSError as error:
        raise UserError(
            phrase(
                "No temporary file can be made ({why}): free some space, or set TMPDIR.",
                why=cause(error),
            ),
            Exit.FAILED,
        ) from error


@functools.cache
def _client_context() -> ssl.SSLContext:
    context = _strict(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _strict(context: ssl.SSLContext) -> ssl.SSLContext:
    """TLS 1.3 alone, and every connection a new one: what is resumed would skip the certificate."""
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_TICKET
    return context


async def open_channel(
    stream: trio.abc.Stream, *, server: bool, certificate: Certificate | None = None
) -> Channel:
    """Encrypts a fresh stream; the accepting end shows `certificate` (its own one of this run).

    Raises NotEncryptedError; the caller bounds the time and closes the stream."""
    bounded = Bounded(stream, UNAUTHENTICATED_MAX)
    own = (certificate or own_certificate()) if server else None
    context = own.context if own is not None else _client_context()
    secured = trio.SSLStream(bounded, context, server_side=server, https_compatible=True)
    try:
        await secured.do_handshake()
    except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
        raise NotEncryptedError("the other end does not speak TLS 1.3") from error
    der = own.der if own is not None else secured.getpeercert(binary_form=True)
    if not der or secured.version() != "TLSv1.3" or secured.session_reused:
        raise NotEncryptedError("the other end does not speak TLS as it has to")
    return Channel(secured, hashlib.sha256(der).digest(), bounded.lift)


class Bounded(trio.abc.Stream):
    """A stream that breaks when more than `limit` bytes come in, until that is lifted."""

    def __init__(self, stream: trio.abc.Stream, limit: int) -> None:
        self._stream = stream
        self._left: int | None = limit

    def lift(self) -> None:
        """From now on there is no limit."""
        self._left = None

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                raise trio.BrokenResourceError("too many bytes before it said who it is")
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()
