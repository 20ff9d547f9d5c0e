"""The way to a host: every failure is one sentence, with exit code 3."""

import errno
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from tests.sessions import config, lobby, runner, seated, until
from tests.tables import KEYS, PKS
from tongits_lan.cli import arguments, seats
from tongits_lan.errors import Exit, UserError
from tongits_lan.net.handshake import Me
from tongits_lan.net.joining import NoAnswerError, reach, reach_first, why_unreachable
from tongits_lan.net.session import host_session
from tongits_lan.store.identity import Identity

ME = Me(Identity(KEYS[1], PKS[1]), "Ben", os.urandom)


@asynccontextmanager
async def service(answer: Callable[[trio.SocketStream], Awaitable[None]]) -> AsyncIterator[str]:
    """Something that listens on a free port; yields its address."""
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, answer, [listener])
        yield f"127.0.0.1:{listener.socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


async def told(address: str | None) -> UserError:
    with pytest.raises(UserError) as caught:
        await reach(ME, address, None)
    assert caught.value.exit_code == Exit.NO_TABLE
    assert caught.value.text.count(". ") == 0  # one sentence
    return caught.value


def no_route() -> OSError:
    """As trio sums up tries that all ended with "no route to host"."""
    summed = OSError("all attempts to connect failed")
    summed.__cause__ = ExceptionGroup("tries", [OSError(errno.EHOSTUNREACH, "No route to host")])
    return summed


def test_N9_no_route_on_macos_names_the_permission() -> None:
    where = ("192.168.1.20", "192.168.1.20:15213")
    text = why_unreachable(no_route(), *where, system="darwin")
    assert text.startswith("192.168.1.20:15213 cannot be reached: ")
    assert "System Settings > Privacy & Security > Local Network" in text
    assert "Local Network" not in why_unreachable(no_route(), *where, system="linux")
    assert "Local Network" not in why_unreachable(no_route(), "127.0.0.1", "127.0.0.1:1", system="darwin")


async def lobby_of_nobody(stream: trio.SocketStream) -> None:
    """Something else that listens at one of a host's addresses."""
    with suppress(trio.BrokenResourceError):
        await stream.send_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    await stream.aclose()


async def test_N11_of_a_hosts_addresses_the_one_that_is_its_door_is_taken(tmp_path: Path) -> None:
    """A closed port, an address that leads nowhere, one without a scope, and a stranger stand in the way."""
    async with runner() as run, service(lobby_of_nobody) as stranger:
        host = run.start(host_session(config(tmp_path, "Ana")))
        addresses = (
            stranger,
            f"127.0.0.1:{closed_port()}",
            "[fe80::1]:15213",
            "[fe80::1%nosuch0]:15213",
            host.listening[0],
        )
        link, peer = await reach_first(ME, addresses, None)
        assert (peer.pk, peer.name) == (host.identity_pk, "Ana")
        await link.close()


async def test_N11_a_row_of_the_menu_is_dialled_at_all_its_addresses(tmp_path: Path) -> None:
    async with runner() as run, service(lobby_of_nobody) as stranger:
        host = run.start(host_session(config(tmp_path, "Ana")))
        asked = arguments.parse(["join", "--open", "--name", "Ben", "--data-dir", str(tmp_path / "Ben")])
        asked.bind = "127.0.0.1"
        found = (stranger, f"127.0.0.1:{closed_port()}", host.listening[0])
        ben, _ = seats.join_table(asked, found)
        run.start(ben)
        await until(host, lambda s: [seat.name for seat in lobby(s).seats] == ["Ana", "Ben"])
        assert run.errors == {}


async def test_of_addresses_none_of_which_answers_the_table_is_not_reached() -> None:
    with pytest.raises(NoAnswerError, match="No address of that table answers"):
        await reach_first(ME, (f"127.0.0.1:{closed_port()}", "[fe80::1%nosuch0]:15213"), None)


async def test_a_refusal_of_the_host_itself_ends_the_tries(tmp_path: Path) -> None:
    async with runner() as run:
        host, _, _ = await seated(run, tmp_path)
        with pytest.raises(UserError, match="full"):
            await reach_first(ME, (host.listening[0], host.listening[0]), None)


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_a_closed_port() -> None:
    port = closed_port()
    error = await told(f"127.0.0.1:{port}")
    assert isinstance(error, NoAnswerError)
    assert error.text.startswith(f"Nobody hosts a table at 127.0.0.1:{port}")


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b"])
async def test_a_name_that_nobody_has(host: str) -> None:
    error = await told(f"{host}:15213")
    assert isinstance(error, NoAnswerError)
    assert host in error.text


async def test_no_address_at_all() -> None:
    assert isinstance(await told(None), NoAnswerError)


@pytest.mark.parametrize("reply", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-x\r\n", bytes(20), b""])
async def test_a_port_that_is_not_ours(reply: bytes) -> None:
    async def answer(stream: trio.SocketStream) -> None:
        await stream.send_all(reply)
        await stream.aclose()

    async with service(answer) as address:
        error = await told(address)
        assert not isinstance(error, NoAnswerError)
        assert "not a Tongits table" in error.text
        assert address in error.text


async def test_a_port_that_says_nothing(mock_clock: MockClock) -> None:
    met = trio.Event()

    async def answer(stream: trio.SocketStream) -> None:
        met.set()
        await trio.sleep_forever()

    async with service(answer) as address, trio.open_nursery() as nursery:

        async def guest() -> None:
            error = await told(address)
            assert "not a Tongits table" in error.text
            nursery.cancel_scope.cancel()

        nursery.start_soon(guest)
        await met.wait()
        await trio.testing.wait_all_tasks_blocked(0.05)
        mock_clock.jump(6)
        await trio.sleep_forever()


async def test_an_address_that_does_not_answer(mock_clock: MockClock) -> None:
    """A listening socket whose queue is full takes no further connection and refuses none."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(8)]
        try:
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(address)
            async with trio.open_nursery() as nursery:

                async def guest() -> None:
                    error = await told(f"127.0.0.1:{address[1]}")
                    assert "does not answer" in error.text or "not a Tongits table" in error.text
                    nursery.cancel_scope.cancel()

                nursery.start_soon(guest)
                while True:
                    await trio.testing.wait_all_tasks_blocked(0.05)
                    mock_clock.jump(4)
        finally:
            for one in waiting:
                one.close()
