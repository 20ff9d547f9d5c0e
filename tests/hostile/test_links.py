"""What a modified client may try on a link instead of in the ledger: who it says it is, how it speaks."""

import contextlib
import os
import random
import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.cheating import body_now
from tests.hostile.stage import (
    TAG,
    Stage,
    Wire,
    answer,
    channel,
    last_word,
    lay_down,
    open_link,
    stage,
    stranger,
    waiting,
)
from tests.make_ledgers import standing
from tests.scripted import NAMES
from tests.sessions import config, events_until, ledgers, lobby, play, report_of, runner, table, until
from tongits_lan.deck.group import frame
from tongits_lan.errors import LinkLost
from tongits_lan.ledger.effects import RejectedByPeer
from tongits_lan.ledger.encoding import frame_bytes, pack
from tongits_lan.ledger.messages import (
    Auth,
    Bye,
    Chat,
    Have,
    Hello,
    HelloBack,
    Message,
    Presence,
    RefusedLink,
    Reject,
    TableOffer,
    TakeSeat,
    Welcome,
    encode_message,
)
from tongits_lan.ledger.state import Phase
from tongits_lan.limits import FRAME_MAX, PORT
from tongits_lan.net.handshake import PROTOCOL
from tongits_lan.net.link import Link
from tongits_lan.net.session import ChatHeard, Session, host_session, join_session
from tongits_lan.net.transport import dial, join_address, parse_address
from tongits_lan.store.journal import Addresses, Journal, pending_tables

PRIME = 2**255 - 19
BAD_KEYS = {
    "zero": 0,
    "one": 1,
    "minus one": PRIME - 1,
    "the prime": PRIME,
    "one beyond the prime": PRIME + 1,
    "all ones": 2**256 - 1,
}


# Whose key it is.


async def test_keys_under_which_anything_is_signed_are_refused(tmp_path: Path) -> None:
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        for name, y in BAD_KEYS.items():
            _, link = await channel(scene.first)
            await link.send(Hello((PROTOCOL,), "1", "Eve", y.to_bytes(32, "little"), os.urandom(32)))
            refusal = await last_word(link)
            assert isinstance(refusal, RefusedLink), name
            assert refusal.code == "identity", name
        scene.goes_on()


async def hello(link: Link, pk: bytes) -> tuple[bytes, HelloBack]:
    nonce = os.urandom(32)
    await link.send(Hello((PROTOCOL,), "1", "Eve", pk, nonce))
    back = await link.receive()
    assert isinstance(back, HelloBack)
    return nonce, back


def signed(link: Link, key: Ed25519PrivateKey, role: bytes, nonce: bytes, back: HelloBack, pk: bytes) -> Auth:
    transcript = frame("link", link.binding, nonce, back.nonce, pk, back.pk)
    return Auth(key.sign(frame("auth", role, transcript)))


async def test_nobody_sits_down_on_anothers_key(tmp_path: Path) -> None:
    """The key of the other honest seat, with every signature that can be had without its private half."""
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        victim = scene.second.identity_pk
        _, own = await channel(scene.first)
        nonce, back = await hello(own, scene.identity.pk)
        good = signed(own, scene.identity.key, b"client", nonce, back, scene.identity.pk)
        await own.send(good)
        theirs = await own.receive()
        assert isinstance(theirs, Auth)
        made: list[Callable[[Link, bytes, HelloBack], Auth]] = [
            lambda link, nonce, back: Auth(bytes(64)),
            lambda link, nonce, back: good,  # of an earlier link
            lambda link, nonce, back: theirs,  # reflected
            lambda link, nonce, back: signed(link, scene.identity.key, b"client", nonce, back, victim),
            lambda link, nonce, back: signed(link, scene.identity.key, b"server", nonce, back, victim),
        ]
        for make in made:
            _, link = await channel(scene.first)
            nonce, back = await hello(link, victim)
            await link.send(make(link, nonce, back))
            assert not isinstance(await last_word(link), Welcome)
        await own.close()
        scene.goes_on()
        assert table(scene.first).links[table(scene.second).me].kind == "direct"


async def test_a_key_without_a_seat_is_not_told_the_table(tmp_path: Path) -> None:
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        for session in scene.honest.values():
            _, link = await channel(session)
            await link.send(Hello((PROTOCOL,), "1", "Eve", stranger().pk, os.urandom(32)))
            refusal = await last_word(link)
            assert isinstance(refusal, RefusedLink)
            assert refusal.code == "stranger"
        scene.goes_on()


@pytest.mark.parametrize("says_it_is_the_seat", [False, True])
async def test_a_stranger_at_the_address_of_a_seat(tmp_path: Path, says_it_is_the_seat: bool) -> None:
    """It is dialled, and left: for its key at once, for its signature if it borrows the key."""
    script = standing(Phase.SHUFFLE)
    missing = script.writer()
    mine = (missing + 1) % 3
    pk = script.descriptor.seats[missing].pk if says_it_is_the_seat else stranger().pk
    left: list[Message | None] = []
    done = trio.Event()

    async def serve(stream: trio.SocketStream) -> None:
        link = await answer(stream)
        try:
            greeting = await link.receive()
            assert isinstance(greeting, Hello)
            await link.send(HelloBack(PROTOCOL, "1", NAMES[missing], pk, os.urandom(32), False))
            if says_it_is_the_seat:
                assert isinstance(await link.receive(), Auth)
                await link.send(Auth(stranger().key.sign(b"anything")))
                await link.send(Welcome(TAG))
                await link.send(TableOffer(script.descriptor.raw))
            left.append(await last_word(link))
        except LinkLost:
            left.append(None)
        done.set()

    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    lay_down(tmp_path, script, mine, script.entries)
    (found,) = pending_tables(tmp_path / NAMES[mine], script.descriptor.seats[mine].pk)
    journal = Journal.open(found.path)
    address = join_address(*listener.socket.getsockname()[:2])
    journal.remember(Addresses(PORT, {script.descriptor.seats[missing].pk: (address,)}))
    journal.close()
    async with runner() as run:
        run.nursery.start_soon(trio.serve_listeners, serve, [listener])
        session = run.start(host_session(config(tmp_path, NAMES[mine])))
        with waiting():
            await done.wait()
        assert left[0] is None or isinstance(left[0], Bye)
        assert table(session).links[missing].kind == "away"
        assert run.errors == {}


# How it speaks.

SPEECH = {
    "a length of four thousand million": b"\xff\xff\xff\xff",
    "a frame one byte too long": (FRAME_MAX + 1).to_bytes(4, "big") + bytes(64),
    "twenty arrays": frame_bytes(b"\x91" * 20 + pack("have")),
    "an array of four thousand million": frame_bytes(b"\xdd\xff\xff\xff\xff\xa4have"),
    "a text of four thousand million": frame_bytes(b"\x92\xa4chat\xdb\xff\xff\xff\xff"),
    "a bool for a number": frame_bytes(pack(["have", True, bytes(32)])),
    "a number below zero": frame_bytes(b"\x92\xa3get\xff"),
    "a fraction": frame_bytes(b"\x92\xa3get\xcb" + bytes(8)),
    "a text that is no text": frame_bytes(b"\x93\xa4chat\x00\xa2\xff\xfe"),
    "bytes behind the message": frame_bytes(encode_message(Have(0, bytes(32))) + b"\x00"),
    "a long form": frame_bytes(b"\x92\xa3get\xcd\x00\x05"),
    "a message too short": frame_bytes(pack(["have", 5])),
    "a head too short": frame_bytes(pack(["have", 5, bytes(31)])),
    "a kind that does not exist": frame_bytes(pack(["peek", 5])),
    "a map": frame_bytes(b"\x81\xa4have\x05"),
    "nothing in a frame": frame_bytes(b""),
    "a greeting in the middle": frame_bytes(
        encode_message(Hello((PROTOCOL,), "1", "Eve", bytes(range(32)), bytes(32)))
    ),
    "the word of a server": frame_bytes(encode_message(Welcome(TAG))),
    "too many entries": frame_bytes(b"\x93\xa7entries\x00\xdc\x01\x01" + b"\xc4\x00" * 257),
    "a chat line too long": frame_bytes(pack(["chat", 0, "x" * 501])),
    "a seat that is none": frame_bytes(pack(["chat", 3, "x"])),
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a megabyte of noise": bytes(range(1, 256)) * 4200,
}


async def test_a_seat_that_speaks_otherwise_loses_its_link_only(tmp_path: Path) -> None:
    """It holds a real key and is let in each time; both honest seats go on, their link as it was."""
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        for number, (what, data) in enumerate(SPEECH.items()):
            session = (scene.first, scene.second)[number % 2]
            await speak(scene, session, data, what)
            assert not scene.run.is_over(session), what
        scene.goes_on()
        assert table(scene.first).links[table(scene.second).me].kind == "direct"
        wire = await scene.show(script.sign(body_now(script)))
        await scene.reach(scene.height + 1)
        assert wire.reason is None


async def speak(scene: Stage, session: Session, data: bytes, what: str) -> None:
    """Greets, sends these bytes and waits until the other end has hung up."""
    stream, link = await scene.greeted(session)
    with contextlib.suppress(trio.BrokenResourceError):  # it has read enough
        await stream.send_all(data)
    why = await hung_up(link)
    assert "this session ended" not in why, what


async def hung_up(link: Link) -> str:
    """Why the other end did."""
    with waiting():
        try:
            while True:
                await link.receive()
        except LinkLost as lost:
            return str(lost)
        finally:
            await link.close()


# What knocks at the door while a hand is played.


@asynccontextmanager
async def connection(session: Session) -> AsyncIterator[trio.SocketStream]:
    """A bare connection to the session's door; hanging up on the way is no failure."""
    stream = await dial(*parse_address(session.listening[0]))
    try:
        with contextlib.suppress(trio.BrokenResourceError):
            yield stream
    finally:
        await trio.aclose_forcefully(stream)


async def slow(session: Session) -> None:
    """A byte now and then of a greeting that never comes to its end."""
    async with connection(session) as stream:
        for byte in b"\x00\x00\x10\x00" + bytes(400):
            await stream.send_all(bytes([byte]))
            await trio.sleep(0.05)


async def reset(session: Session) -> None:
    """Hangs up in the rude way."""
    async with connection(session) as stream:
        await stream.send_all(b"\x00")
        stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, b"\x01" + bytes(7))


async def loud(session: Session) -> None:
    """A megabyte of noise."""
    async with connection(session) as stream:
        for _ in range(16):
            await stream.send_all(os.urandom(65_536))


async def silent(session: Session) -> None:
    """Says nothing for as long as it may."""
    async with connection(session) as stream:
        await stream.receive_some(1)


async def test_a_hand_is_played_while_strangers_crowd_the_doors(tmp_path: Path) -> None:
    script = standing(Phase.DEAL)
    for seat, _ in enumerate(NAMES):
        lay_down(tmp_path, script, seat, script.entries)
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, NAMES[0])))
        guests = [run.start(join_session(config(tmp_path, n, address=host.listening[0]))) for n in NAMES[1:]]
        sessions = [host, *guests]
        async with trio.open_nursery() as crowd:
            for number in range(60):
                for knock in (slow, reset, loud, silent):
                    crowd.start_soon(knock, sessions[number % 3])
            async with trio.open_nursery() as players:
                for seat, session in enumerate(sessions):
                    await until(session, lambda s: hasattr(s.view, "links"))
                    players.start_soon(play, session, random.Random(seat))
            crowd.cancel_scope.cancel()
        assert run.errors == {}
        assert [table(session).closed for session in sessions] == [True] * 3
    one, two, three = ledgers(tmp_path)
    assert one == two == three
    assert report_of(one).status == "fair"


# What it says.

PAINT = "\x1b[2J\x1b[31mAna\u202e\x07\u0000\u2066 wins\r\n\x9b?1000h"


def harmless(text: str) -> bool:
    """No control, format, surrogate or private character is left."""
    return not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co") for char in text)


async def test_a_chat_line_cannot_paint_and_not_speak_for_others_directly(tmp_path: Path) -> None:
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        heard = scene.first.subscribe()
        wire = await scene.wire(scene.first)
        second = table(scene.second).me
        wire.say(Chat(scene.bad, PAINT), Chat(second, PAINT), Chat(table(scene.first).me, "I am you"))
        wire.say(Chat(scene.bad, "\x1b\u202e"), Chat(second, "the last one"))
        lines: list[ChatHeard] = []
        with waiting():
            while not lines or lines[-1].text != "the last one":
                event = (await events_until(heard, ChatHeard))[-1]
                assert isinstance(event, ChatHeard)
                lines.append(event)
        assert all(harmless(line.text) for line in lines)
        assert [(line.seat, line.via) for line in lines] == [
            (scene.bad, None),
            # shown as what it is: said to be of the other, who does not say it, and passed on by this one
            (second, scene.bad),
            (second, scene.bad),
        ]
        scene.goes_on()


async def test_a_flood_of_gossip_does_not_drown_the_screen(tmp_path: Path) -> None:
    script = standing(Phase.SHUFFLE)
    async with stage(tmp_path, script, script.writer()) as scene:
        heard = scene.first.subscribe()
        wire = await scene.wire(scene.first)
        for number in range(2_000):
            wire.say(Reject(number, "body", "no"), Presence(scene.bad, "quit"))
        wire.say(Chat(scene.bad, "the last one"))
        told = await events_until(heard, ChatHeard)
        assert len([event for event in told if isinstance(event, RejectedByPeer)]) < 50
        scene.goes_on()


async def test_a_name_cannot_paint_either(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        for number, name in enumerate((PAINT[:24], "\u202e" * 24, "Ana")):
            link = await open_link(host, stranger(name.encode()[:20]), name)
            wire = Wire(link)
            run.nursery.start_soon(link.run, wire)
            wire.say(TakeSeat(bytes([number]) * 32))
            with waiting():
                await until(host, lambda s: len(lobby(s).seats) == 2)
            shown = lobby(host).seats[1].name
            assert harmless(shown)
            assert shown.strip()
            link.end("enough", Bye("left", ""))
            with waiting():
                await until(host, lambda s: len(lobby(s).seats) == 1)
        assert run.errors == {}
