"""The listening port under noise: no connection that is none of ours disturbs a lobby or a table."""

import os
import random
import socket
import struct
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.sessions import at_table, begun, config, events_until, lobby, runner, seated, table, until
from tests.system import on_linux
from tongits_lan.errors import LinkLost, UserError
from tongits_lan.ledger.chain import nonce_commitment
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.messages import (
    Bye,
    Chat,
    Entries,
    Get,
    Have,
    Hello,
    Message,
    Presence,
    Roster,
    RosterSeat,
    SetReady,
    TableOffer,
    TakeSeat,
    encode_message,
)
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import LOBBY_LINKS
from tongits_lan.net.handshake import Me, greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.session import ChatHeard, Session, host_session, join_session
from tongits_lan.net.transport import dial, parse_address, secure
from tongits_lan.store.identity import Identity, load_or_make_identity
from tongits_lan.store.promise import load_promise

NOISE = [
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(60),
    b"\xff" * 5000,
    b"\x00\x00\x00\x00" * 3000,
    b"\x00\x00\x00\x05\x91\xa5hello",
    frame_bytes(encode_message(Get(0))),
    frame_bytes(b"\x91" * 2000),
    b"\x00\x00",
    b"",
]


ELSEWHERE = RosterSeat(bytes(32), ("1.2.3.4:5",))


def address_of(session: Session) -> tuple[str, int]:
    return parse_address(session.listening[0])


async def noisy(session: Session, noise: bytes) -> None:
    """One connection that sends that, then hangs up or is reset."""
    stream = await dial(*address_of(session))
    try:
        await stream.send_all(noise)
        with trio.move_on_after(0.05):
            await stream.receive_some(100)
    except trio.BrokenResourceError:
        pass  # thrown out already
    await trio.aclose_forcefully(stream)


async def authenticated(session: Session, identity: Identity, folder: Path) -> Link:
    """A link greeted by a real identity."""
    link = Link(await secure(await dial(*address_of(session)), server=False), server=False)
    await greet_server(link, Me(identity, "Eve", config(folder, "Eve").entropy))
    return link


async def test_a_crowd_does_not_keep_a_player_out(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path, words=True)
        crowd = [await dial(*address_of(sessions[0])) for _ in range(200)]
        async with trio.open_nursery() as nursery:
            for number in range(60):
                nursery.start_soon(noisy, sessions[number % 3], NOISE[number % len(NOISE)])
        assert len(lobby(sessions[0]).seats) == 3
        await run.stop(sessions[1])
        ben = run.start(join_session(config(tmp_path, "Ben", address=sessions[0].listening[0], words=True)))
        await until(ben, lambda s: len(lobby(s).seats) == 3)
        for session in (sessions[0], ben, sessions[2]):
            session.set_ready(True)
        await until(ben, lambda s: at_table(s) and table(s).words is not None)
        assert run.errors == {}
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def noisy_inside(session: Session, noise: bytes, *, reset: bool) -> None:
    """One connection that speaks TLS as it should, then sends that and hangs up or is reset."""
    raw = await dial(*address_of(session))
    try:
        secured = await secure(raw, server=False)
        await secured.stream.send_all(noise)
        if not reset:
            with trio.move_on_after(0.05):
                await secured.stream.receive_some(100)
    except (trio.BrokenResourceError, LinkLost):
        pass  # thrown out already
    if reset:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await trio.aclose_forcefully(raw)


@pytest.mark.parametrize("in_game", [False, True])
async def test_noise_in_and_out_of_tls_makes_no_ripple(tmp_path: Path, in_game: bool) -> None:
    """HTTP, broken TLS, a megabyte of noise, silence, resets and 200 connections, on each of the three."""
    async with runner() as run:
        sessions = await (begun if in_game else seated)(run, tmp_path, words=True)
        if in_game:
            for session in sessions:
                await until(session, lambda s: all(r.kind in ("me", "direct") for r in table(s).links))
        before = [session.view for session in sessions]
        rng = random.Random(2)
        megabyte = rng.randbytes(1_000_000)
        crowd = [await dial(*address_of(sessions[number % 3])) for number in range(200)]
        async with trio.open_nursery() as nursery:
            for number, session in enumerate(sessions):
                nursery.start_soon(noisy, session, megabyte)
                for reset in (False, True):
                    noise = (megabyte, NOISE[0], NOISE[number], b"")[number]
                    nursery.start_soon(partial(noisy_inside, session, noise, reset=reset))
                    nursery.start_soon(partial(noisy_inside, session, rng.randbytes(300), reset=reset))
        channel = sessions[2].subscribe()
        sessions[0].chat("still here?")
        assert (await events_until(channel, ChatHeard))[-1] == ChatHeard(0, "still here?", None)
        after = [session.view for session in sessions]
        if in_game:
            for one, other in zip(before, after, strict=True):
                assert isinstance(one, TableView)
                assert isinstance(other, TableView)
                assert (one.links, one.height, one.stopped) == (other.links, other.height, None)
        else:
            assert before == after
        assert run.errors == {}
        for stream in crowd:
            await trio.aclose_forcefully(stream)


@on_linux
async def test_a_crowd_from_one_computer_keeps_nobody_from_another_out(tmp_path: Path) -> None:
    """The whole of 127/8 is this machine, so that two addresses of it stand for two computers."""
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        early = socket.socket()
        early.bind(("127.0.0.2", 0))
        early.connect(address_of(host))
        alone = trio.SocketStream(trio.socket.from_stdlib_socket(early))
        crowd = [await dial(*address_of(host)) for _ in range(3 * LOBBY_LINKS)]
        assert await crowd[0].receive_some(1) == b""  # the oldest of the crowd made room
        link = Link(await secure(alone, server=False), server=False)
        await greet_server(link, Me(load_or_make_identity(tmp_path / "Ben"), "Ben", os.urandom))
        await link.close()
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def test_silent_connections_are_bounded(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path)
        crowd = [await dial(*address_of(sessions[0])) for _ in range(LOBBY_LINKS + 10)]
        ended = 0
        with trio.fail_after(30):
            for stream in crowd[:10]:  # the oldest make room for the newer ones
                assert await stream.receive_some(1) == b""
                ended += 1
        assert ended == 10
        for stream in crowd:
            await trio.aclose_forcefully(stream)


async def test_noise_does_not_disturb_a_table(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        for session in sessions:
            await until(session, lambda s: table(s).words is not None)
            await until(session, lambda s: all(r.kind in ("me", "direct") for r in table(s).links))
        links = [table(session).links for session in sessions]
        rng = random.Random(1)
        async with trio.open_nursery() as nursery:
            for number in range(90):
                noise = NOISE[number] if number < len(NOISE) else rng.randbytes(rng.randrange(1, 20_000))
                nursery.start_soon(noisy, sessions[number % 3], noise)
        channel = sessions[2].subscribe()
        sessions[0].chat("still here?")
        assert (await events_until(channel, ChatHeard))[-1] == ChatHeard(0, "still here?", None)
        assert [table(session).links for session in sessions] == links
        assert run.errors == {}


@pytest.mark.parametrize(
    "message",
    [
        SetReady(bytes(32)),  # before it has a seat
        Get(0),
        Have(0, bytes(32)),
        Entries(0, (bytes(100),)),
        Chat(0, "I am Ana"),
        Roster((ELSEWHERE, ELSEWHERE, ELSEWHERE)),
    ],
)
async def test_a_visitor_out_of_order_is_thrown_out(tmp_path: Path, message: Message) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path)
        await run.stop(sessions[2])
        await until(sessions[0], lambda s: len(lobby(s).seats) == 2)
        eve = await authenticated(sessions[0], load_or_make_identity(tmp_path / "Eve"), tmp_path)
        await eve.send(message)
        assert "no place in a lobby" in await last_words(eve)
        assert [seat.name for seat in lobby(sessions[0]).seats] == ["Ana", "Ben"]


async def last_words(link: Link) -> str:
    """What the other end says before it ends the link; nothing if it just does."""
    words = ""
    try:
        while True:
            message = await link.receive()
            words = message.text if isinstance(message, Bye) else words
    except LinkLost:
        return words
    finally:
        await link.close()


async def test_somebody_elses_promise_is_not_taken(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path)
        promise = load_promise(tmp_path / "Ben")
        assert promise is not None
        commit = nonce_commitment(sessions[1].identity_pk, promise.nonce)
        await run.stop(sessions[2])
        await until(sessions[0], lambda s: len(lobby(s).seats) == 2)
        eve = await authenticated(sessions[0], load_or_make_identity(tmp_path / "Eve"), tmp_path)
        await eve.send(TakeSeat(commit))
        assert "another seat's" in await last_words(eve)
        assert len(lobby(sessions[0]).seats) == 2


async def test_a_seat_that_misbehaves_loses_its_link_only(tmp_path: Path) -> None:
    """A real seat of the table, with its key, sends what no program of ours would."""
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        host, ben, carlo = sessions
        for session in sessions:
            await until(session, lambda s: table(s).words is not None)
        identity = load_or_make_identity(tmp_path / "Carlo")
        await run.stop(carlo)
        bad: list[Message] = [
            Hello(("x",), "", "", bytes(32), bytes(32)),
            TakeSeat(bytes(32)),
            Entries(6, (b"\xc1",)),
            Entries(6, (bytes(20_000),)),
        ]
        for message in bad:
            link = await authenticated(host, identity, tmp_path)
            assert isinstance(await link.receive(), TableOffer)
            await link.send(message)
            await last_words(link)  # returns: the link is ended from the other side
        flood = await authenticated(host, identity, tmp_path)
        lie = ("a..b:1", "127.0.0.1:1", "x")
        for number in range(50):
            own = RosterSeat(carlo.identity_pk, (f"127.0.0.1:{number + 1}",))
            await flood.send(Roster((RosterSeat(bytes(32), lie), RosterSeat(ben.identity_pk, lie), own)))
            await flood.send(Have(2**62, bytes([number]) * 32))
            await flood.send(Presence(1, "quit"))
            await flood.send(Chat(2, f"line {number}"))
            await flood.send(Chat(0, "I am Ana"))
        await flood.close()
        assert table(host).height == table(ben).height == 6
        assert table(host).stopped is None
        carlo = run.start(join_session(config(tmp_path, "Carlo", address=host.listening[0], words=True)))
        await until(host, lambda s: table(s).links[2].kind == "direct")
        await until(ben, lambda s: table(s).links[0].kind == "direct")
        assert run.errors == {}


async def test_a_host_that_speaks_out_of_order(tmp_path: Path) -> None:
    """After `welcome` comes a lobby or a table, nothing else."""
    from tongits_lan.net.handshake import greet_client

    identity = load_or_make_identity(tmp_path / "Eve")
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")

    async def serve(stream: trio.SocketStream) -> None:
        link = Link(await secure(stream, server=True), server=True)
        eve = Me(identity, "Eve", config(tmp_path, "Eve").entropy)
        await greet_client(link, eve, bytes(8), lambda pk: None)
        await link.send(Get(0))
        await link.close()

    async with runner() as run:
        run.nursery.start_soon(trio.serve_listeners, serve, [listener])
        address = f"127.0.0.1:{listener.socket.getsockname()[1]}"
        guest = run.start(join_session(config(tmp_path, "Ben", address=address)))
        await run.ended(guest)
        error = run.errors[guest]
        assert isinstance(error, UserError)
        assert "broke off" in error.text
