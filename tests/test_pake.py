"""The join code over a link: who is let in, who is asked what, and what a stranger may try instead."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
import trio

from tests.tables import KEYS, PKS
from tests.test_handshake import TAG, Outcome, both, me, two_links, welcome
from tongits_lan.deck.group import frame
from tongits_lan.errors import LinkLost
from tongits_lan.ledger.messages import (
    Auth,
    Confirm,
    Hello,
    HelloBack,
    Message,
    Pake,
    RefusedCode,
    RefusedLink,
    Welcome,
)
from tongits_lan.net.handshake import (
    PROTOCOL,
    Admit,
    Asks,
    Declined,
    NotOurs,
    Peer,
    Question,
    Terms,
    greet_client,
    greet_server,
)
from tongits_lan.net.join_code import TRIES, Exchange, Gate
from tongits_lan.net.link import Link

CODE = "42-mangga-bituin"
WRONG = "42-mangga-bigas"


def gate(told: list[str] | None = None) -> Gate:
    return Gate(os.urandom, ([] if told is None else told).append, code=CODE)


async def meet(
    terms: Terms,
    door: Gate | None,
    *,
    expects: Callable[[bytes], bool] | None = None,
    admit: Admit = welcome,
) -> tuple[Outcome, Outcome]:
    """What Ben (the client) and Ana come to."""
    links = two_links()
    ben, ana = replace(me(1, "Ben"), entropy=os.urandom), replace(me(0), entropy=os.urandom)
    return await both(
        links,
        lambda: greet_server(links[0], ben, expects, terms),
        lambda: greet_client(links[1], ana, TAG, admit, lambda pk: door),
    )


def asked(outcome: Outcome) -> Question:
    assert isinstance(outcome.error, Asks)
    return outcome.error.question


async def test_the_right_code_lets_in() -> None:
    door = gate()
    client, server = await meet(Terms(code=CODE), door)
    assert client.peer == Peer(PKS[0], "Ana", "1.0", TAG)
    assert server.peer is not None
    assert server.peer.pk == PKS[1]
    assert door.code == CODE


async def test_who_proved_the_code_when_the_last_place_was_gone_hears_why() -> None:
    late: tuple[RefusedCode, str] = ("full", "Just taken.")
    answers = iter([None, None, late])
    client, server = await meet(Terms(code=CODE), gate(), admit=lambda pk: next(answers))
    assert isinstance(client.error, Declined)
    assert str(client.error) == str(server.error) == "Just taken."


async def test_a_wrong_code_ends_the_link_and_is_asked_for_again() -> None:
    door = gate()
    client, server = await meet(Terms(code=WRONG), door)
    assert asked(client) == Question("wrong code", "Ana", PKS[0])
    assert isinstance(server.error, Declined)
    assert server.error.code == "code"
    for text in (str(server.error), str(client.error)):
        assert "mangga" not in text
    assert server.peer is None


async def test_without_a_code_the_player_is_asked() -> None:
    door = gate()
    client, server = await meet(Terms(), door)
    assert asked(client) == Question("code", "Ana", PKS[0])
    assert len(asked(client).fingerprint) == 4
    assert server.peer is None
    assert isinstance(server.error, LinkLost)
    for _ in range(TRIES - 1):
        door.begin().ended(well=False)
    assert door.code == CODE  # asking is no try


async def test_a_player_with_a_code_leaves_a_host_that_asks_for_none() -> None:
    client, _ = await meet(Terms(code=CODE, open=True, known=lambda pk: True), None)
    assert isinstance(client.error, Declined)
    assert client.error.code == "code"
    client, _ = await meet(Terms(code=CODE, seated=PKS[0].__eq__), None)  # they sit at one table already
    assert client.peer is not None


async def test_an_open_table_is_joined_only_with_a_yes() -> None:
    client, _ = await meet(Terms(), None)
    assert asked(client) == Question("open", "Ana", PKS[0])
    for terms in (
        Terms(open=True),
        Terms(known=PKS[0].__eq__),
        Terms(seated=PKS[0].__eq__),
        Terms(accepted=frozenset({PKS[0]})),
    ):
        client, _ = await meet(terms, None)
        assert client.peer is not None
    client, _ = await meet(Terms(known=PKS[2].__eq__, accepted=frozenset({PKS[2]})), None)
    assert asked(client).asks == "open"


@pytest.mark.parametrize("door", [None, CODE])
async def test_a_known_name_with_another_key_is_asked_about_first(door: str | None) -> None:
    terms = Terms(renamed=lambda name, pk: name == "Ana", code=door, open=True)
    client, _ = await meet(terms, None if door is None else gate())
    assert asked(client) == Question("other key", "Ana", PKS[0])
    accepted = replace(terms, accepted=frozenset({PKS[0]}))
    client, _ = await meet(accepted, None if door is None else gate())
    assert client.peer is not None


async def test_wrong_codes_on_parallel_links_share_five_tries() -> None:
    told: list[str] = []
    door = gate(told)
    outcomes: list[Outcome] = []

    async def guess() -> None:
        outcomes.append((await meet(Terms(code=WRONG), door))[1])

    async with trio.open_nursery() as nursery:
        for _ in range(2 * TRIES):
            nursery.start_soon(guess)
    assert all(outcome.peer is None for outcome in outcomes)
    assert len(told) == 2
    assert door.code != CODE
    assert door.waits > 0
    client, _ = await meet(Terms(code=CODE), door)  # what was the code is none any more
    assert asked(client).asks == "wrong code"


# A client of a stranger's making.


Part = Callable[[Message, bytes, Exchange], list[Message]]


async def stranger(door: Gate, *parts: Part) -> Outcome:
    """What Ana comes to with a client that authenticates honestly as Carlo, then answers with `parts`."""
    links = two_links()

    async def client() -> Peer:
        link = links[0]
        hello = Hello((PROTOCOL,), "1.0", "Carlo", PKS[2], b"c" * 32)
        await link.send(hello)
        back = await link.receive()
        assert isinstance(back, HelloBack)
        assert back.needs_code
        transcript = frame("link", bytes(32), hello.nonce, back.nonce, PKS[2], PKS[0])
        await link.send(Auth(KEYS[2].sign(frame("auth", b"client", transcript))))
        heard: Message = await link.receive()
        exchange = Exchange("client", CODE, transcript, os.urandom)
        for part in parts:
            for message in part(heard, transcript, exchange):
                await link.send(message)
            heard = await link.receive()
        assert not isinstance(heard, Welcome | Confirm)
        raise LinkLost("done")

    ana = replace(me(0), entropy=os.urandom)
    server = partial(greet_client, links[1], ana, TAG, welcome, lambda pk: door)
    return (await both(links, client, server))[1]


@pytest.mark.parametrize(
    "parts",
    [
        [lambda heard, t, x: [Pake(b"")]],
        [lambda heard, t, x: [Pake(b"A" + bytes(32))]],
        [lambda heard, t, x: [Pake(b"B" + x.start()[1:])]],
        [lambda heard, t, x: [Pake(x.start())], lambda heard, t, x: [Confirm(bytes(32))]],
        # what the server said, as if it were one's own
        [lambda heard, t, x: [Pake(x.start())], lambda heard, t, x: [Confirm(x.finish(heard.data).theirs)]],
        # for another channel: somebody in the middle passes it on
        [
            lambda heard, t, x: [Pake(Exchange("client", CODE, b"x" + t, os.urandom).start())],
            lambda heard, t, x: [Confirm(bytes(32))],
        ],
    ],
)
async def test_who_does_not_know_the_code_gets_no_further(parts: list[Part]) -> None:
    door = gate()
    outcome = await stranger(door, *parts)
    assert isinstance(outcome.error, Declined)
    assert outcome.error.code == "code"
    for _ in range(TRIES - 1):
        door.begin().ended(well=False)
    assert door.code != CODE  # it was one of the five


@pytest.mark.parametrize(
    "parts",
    [
        [lambda heard, t, x: [Confirm(bytes(32))]],
        [lambda heard, t, x: [Auth(bytes(64))]],
        [lambda heard, t, x: [Pake(x.start())], lambda heard, t, x: [Pake(bytes(33))]],
    ],
)
async def test_a_client_out_of_order(parts: list[Part]) -> None:
    outcome = await stranger(gate(), *parts)
    assert isinstance(outcome.error, NotOurs)


async def test_a_client_that_hangs_up_in_the_middle_has_used_a_try() -> None:
    """As the last of five it changes the code, and the host hears of it at once."""
    told: list[str] = []
    door = gate(told)
    for _ in range(TRIES - 1):
        door.begin().ended(well=False)
    assert (door.code, told) == (CODE, [])
    outcome = await stranger(door, lambda heard, t, x: [Pake(x.start())])
    assert isinstance(outcome.error, LinkLost)
    assert door.code != CODE
    assert len(told) == 1


# A server of a stranger's making: the code must not be learned from a client that knows it.


async def false_host(answer: Callable[[Message, bytes], list[Message]]) -> Outcome:
    """What Ben, who knows Ana's code, comes to with a host that does not."""
    links = two_links()

    async def server() -> Peer:
        link: Link = links[1]
        hello = await link.receive()
        assert isinstance(hello, Hello)
        await link.send(HelloBack(PROTOCOL, "1.0", "Ana", PKS[2], b"s" * 32, True))
        await link.receive()
        transcript = frame("link", bytes(32), hello.nonce, b"s" * 32, PKS[1], PKS[2])
        await link.send(Auth(KEYS[2].sign(frame("auth", b"server", transcript))))
        pake = await link.receive()
        for message in answer(pake, transcript):
            await link.send(message)
        while True:  # until the client leaves
            await link.receive()

    ben = replace(me(1, "Ben"), entropy=os.urandom)
    return (await both(links, lambda: greet_server(links[0], ben, None, Terms(code=CODE)), server))[0]


@pytest.mark.parametrize(
    "answer",
    [
        lambda pake, t: [RefusedLink("code", "no")],
        lambda pake, t: [pake, Confirm(bytes(32))],  # reflected
        lambda pake, t: [Pake(b"B" + pake.data[1:]), Confirm(bytes(32))],
        lambda pake, t: [Pake(Exchange("server", WRONG, t, os.urandom).start()), Confirm(bytes(32))],
        lambda pake, t: [Pake(Exchange("server", WRONG, t, os.urandom).start()), RefusedLink("code", "no")],
    ],
)
async def test_a_host_that_does_not_know_the_code_is_not_believed(
    answer: Callable[[Message, bytes], list[Message]],
) -> None:
    outcome = await false_host(answer)
    assert asked(outcome).asks == "wrong code"


@pytest.mark.parametrize(
    "answer",
    [
        lambda pake, t: [Welcome(TAG)],
        lambda pake, t: [Confirm(bytes(32))],
        lambda pake, t: [Pake(Exchange("server", CODE, t, os.urandom).start()), Welcome(TAG)],
    ],
)
async def test_a_host_that_skips_a_step_is_not_ours(
    answer: Callable[[Message, bytes], list[Message]],
) -> None:
    outcome = await false_host(answer)
    assert isinstance(outcome.error, NotOurs)
