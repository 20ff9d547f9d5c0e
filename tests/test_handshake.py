"""Who is at the other end: honest greetings, and everything a stranger may try instead."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import memory_stream_pair

from tests.tables import KEYS, PKS
from tongits_lan.deck.group import frame
from tongits_lan.errors import LinkLost
from tongits_lan.ledger.messages import Auth, Hello, HelloBack, Message, RefusedCode, RefusedLink, Welcome
from tongits_lan.net.handshake import PROTOCOL, Declined, Me, NotOurs, Peer, greet_client, greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.transport import Secured
from tongits_lan.store.identity import Identity

TAG = b"the tag."
SMALL_ORDER = (1).to_bytes(32, "little")


def me(seat: int, name: str = "Ana") -> Me:
    numbers = itertools.count(seat * 1000)
    return Me(
        Identity(KEYS[seat], PKS[seat]), name, lambda size: next(numbers).to_bytes(size, "big"), version="1.0"
    )


def welcome(_pk: bytes) -> tuple[RefusedCode, str] | None:
    return None


def two_links(one: bytes = bytes(32), other: bytes = bytes(32)) -> tuple[Link, Link]:
    """Client and server end of one link with these channel bindings."""
    left, right = memory_stream_pair()
    return (
        Link(Secured(left, one), server=False),
        Link(Secured(right, other), server=True),
    )


@dataclass
class Outcome:
    """What one side came to."""

    peer: Peer | None = None
    error: LinkLost | None = None


async def both(
    links: tuple[Link, Link], client: Callable[[], Awaitable[Peer]], server: Callable[[], Awaitable[Peer]]
) -> tuple[Outcome, Outcome]:
    """What the two sides of a link come to; each closes its end when it gives up."""
    outcomes = Outcome(), Outcome()

    async def side(greet: Callable[[], Awaitable[Peer]], outcome: Outcome, link: Link) -> None:
        try:
            outcome.peer = await greet()
        except LinkLost as lost:
            outcome.error = lost
            await link.close()

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(side, client, outcomes[0], links[0])
            nursery.start_soon(side, server, outcomes[1], links[1])
    return outcomes


async def greet(
    client: Me,
    server: Me,
    *,
    admit: Callable[[bytes], tuple[RefusedCode, str] | None] = welcome,
    expects: Callable[[bytes], bool] | None = None,
    bindings: tuple[bytes, bytes] = (bytes(32), bytes(32)),
) -> tuple[Outcome, Outcome]:
    links = two_links(*bindings)
    return await both(
        links,
        lambda: greet_server(links[0], client, expects),
        lambda: greet_client(links[1], server, TAG, admit),
    )


async def test_each_learns_who_the_other_is() -> None:
    client, server = await greet(me(1, "Ben\x1b[31m\u202e"), me(0))
    assert client.peer == Peer(PKS[0], "Ana", "1.0", TAG)
    assert server.peer == Peer(PKS[1], "Ben[31m", "1.0", TAG)


async def test_no_common_version_is_told_on_both_sides() -> None:
    old = replace(me(1, "Ben"), protocols=("tongits-lan/0",), version="0.9")
    client, server = await greet(old, me(0))
    for outcome in (client, server):
        assert isinstance(outcome.error, Declined)
        assert outcome.error.code == "version"
        text = str(outcome.error)
        assert "1.0" in text
        assert "0.9" in text
        assert "pipx upgrade tongits-lan" in text


async def test_the_same_identity_is_refused_on_both_sides() -> None:
    client, server = await greet(me(0), me(0))
    for outcome in (client, server):
        assert isinstance(outcome.error, Declined)
        assert outcome.error.code == "identity"
        assert "--data-dir" in str(outcome.error)


async def test_who_is_not_admitted_hears_why() -> None:
    client, server = await greet(me(1), me(0), admit=lambda pk: ("full", "Ana's table is full."))
    assert str(client.error) == str(server.error) == "Ana's table is full."


async def test_who_is_not_admitted_any_more_after_the_signature_hears_why() -> None:
    late: tuple[RefusedCode, str] = ("full", "Just taken.")
    answers = iter([None, late])
    client, server = await greet(me(1), me(0), admit=lambda pk: next(answers))
    assert isinstance(client.error, Declined)
    assert str(client.error) == str(server.error) == "Just taken."


async def test_a_server_with_another_key_gets_no_signature() -> None:
    client, server = await greet(me(1), me(0), expects=PKS[2].__eq__)
    assert isinstance(client.error, Declined)
    assert server.peer is None
    assert "closed" in str(server.error)


async def test_ends_of_different_channels_do_not_meet() -> None:
    """Somebody between them, with a channel to each, can pass everything on and still not be believed."""
    client, server = await greet(me(1), me(0), bindings=(b"a" * 32, b"b" * 32))
    assert isinstance(server.error, NotOurs)
    assert client.peer is None


async def scripted_server(messages: Callable[[Hello], list[Message]]) -> Outcome:
    """What an honest client comes to with a server that sends just these."""
    links = two_links()

    async def server() -> Peer:
        hello = await links[1].receive()
        assert isinstance(hello, Hello)
        for message in messages(hello):
            await links[1].send(message)
        await links[1].close()
        raise LinkLost("done")

    return (await both(links, lambda: greet_server(links[0], me(1)), server))[0]


async def scripted_client(messages: Callable[[HelloBack | None], list[Message]]) -> Outcome:
    """What an honest server comes to with a client that sends just these, in two parts."""
    links = two_links()

    async def client() -> Peer:
        first = messages(None)
        for message in first:
            await links[0].send(message)
        if not first:
            raise LinkLost("done")
        back = await links[0].receive()
        if isinstance(back, HelloBack):
            for message in messages(back):
                await links[0].send(message)
        await links[0].close()
        raise LinkLost("done")

    return (await both(links, client, lambda: greet_client(links[1], me(0), TAG, welcome)))[1]


def signed(key: Ed25519PrivateKey, role: bytes, *fields: bytes) -> Auth:
    return Auth(key.sign(frame("auth", role, frame("link", bytes(32), *fields))))


HELLO = Hello((PROTOCOL,), "1.0", "Ben", PKS[1], b"c" * 32)


@pytest.mark.parametrize(
    "auth",
    [
        lambda back: Auth(bytes(64)),
        lambda back: signed(KEYS[2], b"client", HELLO.nonce, back.nonce, PKS[1], PKS[0]),  # another key
        lambda back: signed(KEYS[1], b"server", HELLO.nonce, back.nonce, PKS[1], PKS[0]),  # reflected
        lambda back: signed(KEYS[1], b"client", HELLO.nonce, b"x" * 32, PKS[1], PKS[0]),  # replayed
        lambda back: signed(KEYS[1], b"client", HELLO.nonce, back.nonce, PKS[1], PKS[2]),  # for somebody else
    ],
)
async def test_a_wrong_client_signature_is_not_believed(auth: Callable[[HelloBack], Auth]) -> None:
    outcome = await scripted_client(lambda back: [HELLO] if back is None else [auth(back)])
    assert isinstance(outcome.error, NotOurs)


async def test_the_right_client_signature_is() -> None:
    outcome = await scripted_client(
        lambda back: (
            [HELLO] if back is None else [signed(KEYS[1], b"client", HELLO.nonce, back.nonce, PKS[1], PKS[0])]
        )
    )
    assert outcome.error is None or "cut" in str(outcome.error)  # it hangs up without reading the answer


def answer(pk: bytes = PKS[0]) -> HelloBack:
    return HelloBack(PROTOCOL, "1.0", "Ana", pk, b"s" * 32, False)


@pytest.mark.parametrize(
    "messages",
    [
        lambda hello: [answer(), Auth(bytes(64))],
        lambda hello: [answer(), signed(KEYS[0], b"client", hello.nonce, b"s" * 32, PKS[1], PKS[0])],
        lambda hello: [answer(), Welcome(TAG)],
        lambda hello: [Welcome(TAG)],
        lambda hello: [],
    ],
)
async def test_a_server_that_does_not_sign_is_not_ours(messages: Callable[[Hello], list[Message]]) -> None:
    outcome = await scripted_server(messages)
    assert isinstance(outcome.error, NotOurs)


@pytest.mark.parametrize(
    ("back", "code"),
    [
        (answer(PKS[1]), "identity"),
        (answer(SMALL_ORDER), "stranger"),
        (HelloBack("tongits-lan/9", "9.0", "Ana", PKS[0], b"s" * 32, False), "version"),
        (RefusedLink("busy", "Ask again\x07 later."), "busy"),
    ],
)
async def test_what_a_client_does_not_go_on_with(back: Message, code: str) -> None:
    outcome = await scripted_server(lambda hello: [back])
    assert isinstance(outcome.error, Declined)
    assert outcome.error.code == code
    assert outcome.error.args[0].isprintable()


async def test_a_key_of_small_order_gets_no_answer_but_no() -> None:
    hello = Hello((PROTOCOL,), "1.0", "Eve", SMALL_ORDER, b"c" * 32)
    outcome = await scripted_client(lambda back: [hello])
    assert isinstance(outcome.error, Declined)
    assert outcome.error.code == "identity"


@pytest.mark.parametrize("first", [Auth(bytes(64)), None])
async def test_a_client_that_does_not_greet(first: Message | None) -> None:
    outcome = await scripted_client(lambda back: [] if first is None or back is not None else [first])
    assert isinstance(outcome.error, LinkLost)
    assert outcome.peer is None
