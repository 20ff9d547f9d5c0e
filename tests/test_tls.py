"""Encrypted channels: what they bind to, what they refuse, and somebody who sits between two of them."""

import hashlib
import os
import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from cryptography import x509
from trio.testing import memory_stream_pair

from tests.tables import KEYS, PKS
from tongits_lan.errors import Exit, LinkLost, UserError
from tongits_lan.limits import UNAUTHENTICATED_MAX
from tongits_lan.net import tls
from tongits_lan.net.handshake import Me, NotOurs, greet_client, greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.transport import Secured, secure
from tongits_lan.store.identity import Identity


def me(seat: int) -> Me:
    return Me(Identity(KEYS[seat], PKS[seat]), "Ana", os.urandom)


@asynccontextmanager
async def channels(certificate: tls.Certificate | None = None) -> AsyncIterator[tuple[Secured, Secured]]:
    """The client's and the server's end of one encrypted stream in memory."""
    left, right = memory_stream_pair()
    ends: dict[bool, Secured] = {}

    async def end(stream: trio.abc.Stream, *, server: bool) -> None:
        ends[server] = await secure(stream, server=server, certificate=certificate)

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: end(left, server=False))
            nursery.start_soon(lambda: end(right, server=True))
        yield ends[False], ends[True]
    for secured in ends.values():
        await trio.aclose_forcefully(secured.stream)


async def test_both_ends_name_the_certificate_of_the_server() -> None:
    async with channels() as (client, server):
        assert client.binding == server.binding == hashlib.sha256(tls.own_certificate().der).digest()
        await client.stream.send_all(b"kumusta")
        assert await server.stream.receive_some(100) == b"kumusta"


class Tapped(tls.Bounded):
    """A stream somebody listens in on."""

    def __init__(self, stream: trio.abc.Stream, limit: int) -> None:
        super().__init__(stream, limit)
        self.crossed = bytearray()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.crossed += data
        await super().send_all(data)


async def test_what_is_said_does_not_cross_the_wire_readable() -> None:
    left, right = memory_stream_pair()
    tapped = Tapped(left, UNAUTHENTICATED_MAX)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: secure(right, server=True))
        client = await secure(tapped, server=False)
    await client.stream.send_all(b"a word that is nobody's business")
    assert len(tapped.crossed) > 100
    assert b"nobody's business" not in tapped.crossed


async def test_tls_1_3_and_no_session_to_come_back_to() -> None:
    async with channels() as (client, server):
        for end in (client, server):
            assert isinstance(end.stream, trio.SSLStream)
            assert end.stream.version() == "TLSv1.3"
            assert not end.stream.session_reused
        await server.stream.send_all(b"x")
        assert await client.stream.receive_some(1) == b"x"
        assert isinstance(client.stream, trio.SSLStream)
        session = client.stream.session  # a ticket would have come before these bytes
        assert session is None or not session.has_ticket


def older(server: bool) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


async def test_an_older_tls_is_refused() -> None:
    left, right = memory_stream_pair()
    async with trio.open_nursery() as nursery:

        async def old_client() -> None:
            with pytest.raises(trio.BrokenResourceError):
                await trio.SSLStream(left, older(server=False), https_compatible=True).do_handshake()

        nursery.start_soon(old_client)
        with pytest.raises(tls.NotEncryptedError):
            await secure(right, server=True)
        await trio.aclose_forcefully(right)


@pytest.mark.parametrize("server", [True, False])
@pytest.mark.parametrize("noise", [b"GET / HTTP/1.1\r\n\r\n", bytes(100), b"\x16\x03\x01\x00\x05hello", b""])
async def test_what_is_no_tls_is_told_in_one_way(noise: bytes, server: bool) -> None:
    left, right = memory_stream_pair()
    await left.send_all(noise)
    await left.send_eof()
    with trio.fail_after(5), pytest.raises(tls.NotEncryptedError):
        await secure(right, server=server)


async def read(stream: trio.abc.ReceiveStream, count: int) -> None:
    """Reads so many bytes."""
    while count > 0:
        count -= len(await stream.receive_some(1000))


async def test_too_much_before_it_said_who_it_is() -> None:
    async with channels() as (client, server):
        await client.stream.send_all(bytes(UNAUTHENTICATED_MAX))
        with pytest.raises(trio.BrokenResourceError):
            await read(server.stream, UNAUTHENTICATED_MAX + 1)
    async with channels() as (client, server):
        server.trust()
        await client.stream.send_all(bytes(UNAUTHENTICATED_MAX))
        await read(server.stream, UNAUTHENTICATED_MAX)


async def test_a_handshake_that_never_ends_is_bounded() -> None:
    """A hello that promises more and more bytes is cut at the limit, long before it is whole."""
    left, right = memory_stream_pair()
    record = b"\x16\x03\x01\x40\x00" + b"\x01\x01\x00\x00" + bytes(0x4000 - 4)
    await left.send_all(record)
    with trio.fail_after(5), pytest.raises(tls.NotEncryptedError):
        await secure(right, server=True)


def test_a_certificate_says_nothing_of_this_machine() -> None:
    one, other = tls.make_certificate(), tls.make_certificate()
    assert one.der != other.der
    parsed = x509.load_der_x509_certificate(one.der)
    assert parsed.subject.rfc4514_string() == "CN=tongits-lan"
    assert parsed.not_valid_before_utc.year == 2000


def test_making_a_certificate_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    tls.make_certificate()
    assert list(tmp_path.iterdir()) == []


def test_without_a_temporary_folder_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    tls.own_certificate.cache_clear()
    with pytest.raises(UserError, match="TMPDIR") as caught:
        tls.own_certificate()
    assert caught.value.exit_code == Exit.FAILED


async def test_a_certificate_swapped_in_the_middle() -> None:
    """Somebody with a channel to each end passes every message on, and neither end believes the other."""
    results: dict[str, BaseException] = {}

    async def client(link: Link) -> None:
        try:
            await greet_server(link, me(1))
        except LinkLost as lost:
            results["client"] = lost
        await link.close()

    async def server(link: Link) -> None:
        try:
            await greet_client(link, me(0), bytes(8), lambda pk: None)
        except LinkLost as lost:
            results["server"] = lost
        await link.close()

    async def pass_on(source: Secured, to: Secured) -> None:
        try:
            while data := await source.stream.receive_some(1000):
                await to.stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        await trio.aclose_forcefully(to.stream)

    async with channels(tls.make_certificate()) as (one, eve_serves), channels() as (eve_dials, other):
        assert one.binding != other.binding
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client, Link(one, server=False))
            nursery.start_soon(server, Link(other, server=True))
            nursery.start_soon(pass_on, eve_serves, eve_dials)
            nursery.start_soon(pass_on, eve_dials, eve_serves)
    assert isinstance(results["server"], NotOurs)
    assert "signature" in str(results["server"])
    assert isinstance(results["client"], LinkLost)
