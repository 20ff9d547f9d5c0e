"""Links: framing, limits, life signs and last words, over streams in memory and real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock, memory_stream_one_way_pair, memory_stream_pair

from tongits_lan.errors import Fault, LinkLost
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.messages import (
    Auth,
    Bye,
    Chat,
    Entries,
    Get,
    Hello,
    Message,
    Pong,
    Welcome,
    encode_message,
)
from tongits_lan.limits import FRAME_MAX, UNAUTHENTICATED_MAX
from tongits_lan.net import link as link_module
from tongits_lan.net.link import Link
from tongits_lan.net.transport import Secured

PLAIN = bytes(32)


@dataclass
class Recorder:
    """An owner that writes everything down."""

    refuses: type[object] | None = None
    messages: list[Message] = field(default_factory=list)
    drained_after: list[int] = field(default_factory=list)
    reason: str | None = None
    news: trio.Event = field(default_factory=trio.Event)

    def heard(self, link: Link, message: Message) -> None:
        if self.refuses is not None and isinstance(message, self.refuses):
            raise LinkLost("out of place")
        self.messages.append(message)
        self._tell()

    def drained(self, link: Link) -> None:
        self.drained_after.append(len(self.messages))

    def ended(self, link: Link, reason: str) -> None:
        self.reason = reason
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.news = trio.Event()

    def is_over(self) -> bool:
        return self.reason is not None

    async def wait_for(self, count: int) -> None:
        while len(self.messages) < count:
            await self.news.wait()


def linked(stream: trio.abc.Stream, *, server: bool) -> Link:
    link = Link(Secured(stream, PLAIN), server=server, clock=trio.current_time, wall=trio.current_time)
    link.trust()
    return link


async def read_to_the_end(link: Link) -> tuple[int, str]:
    """How many messages came before the link was lost, and why it was."""
    count = 0
    try:
        while True:
            await link.receive()
            count += 1
    except LinkLost as lost:
        return count, str(lost)


@asynccontextmanager
async def running(
    one: Recorder, other: Recorder
) -> AsyncIterator[tuple[Link, Link, trio.testing.MemorySendStream]]:
    """Two ends of a link at work (server first), and the stream into the first for other bytes."""
    left, right = memory_stream_pair()
    server, client = linked(left, server=True), linked(right, server=False)
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run, one)
            nursery.start_soon(client.run, other)
            assert isinstance(right.send_stream, trio.testing.MemorySendStream)
            yield server, client, right.send_stream
            nursery.cancel_scope.cancel()


async def test_messages_cross_in_order_both_ways() -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (server, client, _):
        for number in range(50):
            client.post(Get(number))
            server.post(Entries(number, (bytes(100),)))
        await one.wait_for(50)
        await other.wait_for(50)
    assert one.messages == [Get(number) for number in range(50)]
    assert other.messages == [Entries(number, (bytes(100),)) for number in range(50)]


async def test_what_arrives_together_is_acted_on_together() -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (_, client, _raw):
        for number in range(10):
            client.post(Get(number))
        await one.wait_for(10)
        await trio.testing.wait_all_tasks_blocked()
    assert one.drained_after == [0, 10]


async def test_a_flood_of_questions_is_acted_on_piece_by_piece() -> None:
    """Each one may cost a full message: what is not read of the answers must end the link before that."""
    one, other = Recorder(), Recorder()
    async with running(one, other) as (_, _client, raw):
        await raw.send_all(b"".join(frame_bytes(encode_message(Get(number))) for number in range(5_000)))
        await one.wait_for(5_000)
        await trio.testing.wait_all_tasks_blocked()
    assert max(later - earlier for earlier, later in pairwise(one.drained_after)) <= 64
    assert one.drained_after[-1] == 5_000


async def test_an_ended_link_queues_nothing() -> None:
    left, _right = memory_stream_pair()
    server = linked(left, server=True)
    server.end("enough")
    server.post(Get(1))
    assert not server._queue


async def test_a_message_in_single_bytes() -> None:
    sender, receiver = memory_stream_one_way_pair()
    link = linked(trio.StapledStream(memory_stream_one_way_pair()[0], receiver), server=True)
    async with trio.open_nursery() as nursery:

        async def drip() -> None:
            for byte in frame_bytes(encode_message(Get(7))):
                await sender.send_all(bytes([byte]))
                await trio.testing.wait_all_tasks_blocked()

        nursery.start_soon(drip)
        assert await link.receive() == Get(7)


async def test_a_frame_over_the_limit_ends_the_link(autojump_clock: MockClock) -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (_, _client, raw):
        await raw.send_all((FRAME_MAX + 1).to_bytes(4, "big"))
        await trio.testing.wait_all_tasks_blocked()
        assert one.reason is not None
        assert str(FRAME_MAX) in one.reason


@pytest.mark.parametrize(
    "noise", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"]
)
async def test_garbage_ends_the_link(noise: bytes, autojump_clock: MockClock) -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (_, _client, raw):
        await raw.send_all(noise)
        await trio.sleep(10)
        assert one.reason is not None


async def test_bytes_that_are_no_message_are_answered_with_bye(autojump_clock: MockClock) -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (_, _client, raw):
        await raw.send_all(frame_bytes(b"\xc1"))
        await trio.testing.wait_all_tasks_blocked()
        assert one.reason == "it sent what is no message"
        assert other.reason is not None
        assert other.reason.startswith("not one well-formed value")


async def test_a_message_of_the_other_side_is_none() -> None:
    left, right = memory_stream_pair()
    server, client = linked(left, server=True), linked(right, server=False)
    await client.send(Get(1))
    assert await server.receive() == Get(1)
    await right.send_all(frame_bytes(encode_message(Welcome(bytes(8)))))
    with pytest.raises(Fault):
        await server.receive()


async def test_out_of_order_is_told_to_the_other_end() -> None:
    one, other = Recorder(refuses=Get), Recorder()
    async with running(one, other) as (_, client, _raw):
        client.post(Get(1))
        await trio.testing.wait_all_tasks_blocked()
    assert one.reason == "out of place"
    assert other.reason == "out of place"  # it came with `bye`


async def test_unauthenticated_bytes_are_counted() -> None:
    left, right = memory_stream_pair()
    link = Link(Secured(left, PLAIN), server=True)
    hello = encode_message(Hello(("tongits-lan/1",), "1", "Ana", bytes(32), bytes(32)))
    async with trio.open_nursery() as nursery:

        async def flood() -> None:
            for _ in range(2 * UNAUTHENTICATED_MAX // len(hello)):
                await right.send_all(frame_bytes(hello))

        nursery.start_soon(flood)
        count, lost = await read_to_the_end(link)
        nursery.cancel_scope.cancel()
    assert str(UNAUTHENTICATED_MAX) in lost
    assert 0 < count <= UNAUTHENTICATED_MAX // len(hello)


async def test_an_unauthenticated_frame_is_short() -> None:
    left, right = memory_stream_pair()
    link = Link(Secured(left, PLAIN), server=True)
    await right.send_all((UNAUTHENTICATED_MAX + 1).to_bytes(4, "big"))
    with pytest.raises(LinkLost, match="longer"):
        await link.receive()


async def test_ping_is_answered_and_measured(autojump_clock: MockClock) -> None:
    one, other = Recorder(), Recorder()
    async with running(one, other) as (server, client, _):
        await trio.sleep(60)
        assert one.reason is None
        assert server.rtt is not None
        assert client.rtt is not None
        server._hear(Pong(999_999))  # an answer to no question changes nothing
    assert one.messages == []
    assert (one.reason, other.reason) != (None, None)


async def test_silence_ends_the_link(autojump_clock: MockClock) -> None:
    left, _right = memory_stream_pair()
    one = Recorder()
    with trio.fail_after(10):
        await linked(left, server=True).run(one)
    assert one.reason == "nothing was heard for 6 s"


async def test_a_jump_of_the_clock_ends_the_link(autojump_clock: MockClock) -> None:
    left, right = memory_stream_pair()
    slept = 0.0
    one, other = Recorder(), Recorder()
    client = linked(right, server=False)
    server = Link(
        Secured(left, PLAIN),
        server=True,
        clock=trio.current_time,
        wall=lambda: trio.current_time() + slept,
    )
    server.trust()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run, one)
        nursery.start_soon(client.run, other)
        await trio.sleep(20)
        assert not one.is_over()
        slept = 600.0
        await trio.sleep(3)
        assert one.reason == "this machine slept"
        nursery.cancel_scope.cancel()


async def test_an_end_that_does_not_read_is_dropped(autojump_clock: MockClock) -> None:
    left, _right = memory_stream_pair()
    stuck = memory_stream_one_way_pair()[0]
    stuck.send_all_hook = trio.sleep_forever
    server = linked(trio.StapledStream(stuck, left.receive_stream), server=True)
    one = Recorder()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run, one)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(link_module._QUEUE_MAX // 60_000 + 2):
            server.post(Entries(0, (bytes(60_000),)))
        await trio.sleep(1)
        assert one.reason == "the other end does not read"


async def test_a_cancelled_link_says_that_it_leaves() -> None:
    left, right = memory_stream_pair()
    one = Recorder()
    client = linked(right, server=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(linked(left, server=True).run, one)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert one.reason == "this session ended"
    assert await client.receive() == Bye("left", "")


async def test_an_owner_hands_the_link_over() -> None:
    one, other, late = Recorder(), Recorder(), Recorder()
    async with running(one, other) as (server, client, _):
        client.post(Get(1))
        await one.wait_for(1)
        server.owner = late
        client.post(Chat(1, "hi"))
        await late.wait_for(1)
        client.end("enough")
        await trio.testing.wait_all_tasks_blocked()
    assert one.messages == [Get(1)]
    assert one.reason is None
    assert late.reason == "the connection was closed"


async def test_a_held_link_stays_alive_and_hears_the_rest_later(autojump_clock: MockClock) -> None:
    """Its owner is busy, for longer than silence may last; the next one hears the rest, in order."""

    class Busy(Recorder):
        def heard(self, link: Link, message: Message) -> None:
            super().heard(link, message)
            link.hold()

    one, other, late = Busy(), Recorder(), Recorder()
    async with running(one, other) as (server, client, _):
        for number in range(5):
            client.post(Get(number))
        await one.wait_for(1)
        await trio.sleep(20)
        assert (one.messages, one.reason, other.reason) == ([Get(0)], None, None)
        server.owner = late
        server.release()
        await late.wait_for(4)
        await trio.sleep(20)
        assert (late.reason, other.reason) == (None, None)
    assert late.messages == [Get(number) for number in range(1, 5)]


async def test_a_link_ended_before_it_ran_says_its_last_words() -> None:
    left, right = memory_stream_pair()
    one = Recorder()
    server = linked(left, server=True)
    server.post(Auth(bytes(64)))
    server.end("no room", Bye("full", "no room"))
    server.end("a second reason")
    await server.run(one)
    assert one.reason == "no room"
    client = linked(right, server=False)
    assert await client.receive() == Auth(bytes(64))
    assert await client.receive() == Bye("full", "no room")


async def test_a_reset_connection_is_only_lost() -> None:
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    one = Recorder()
    async with trio.open_nursery() as nursery:

        async def accept() -> None:
            await linked(await listener.accept(), server=True).run(one)

        nursery.start_soon(accept)
        host, port = listener.socket.getsockname()[:2]
        stream = await trio.open_tcp_stream(host, port)
        await stream.send_all(b"\x00\x00")
        stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        await trio.aclose_forcefully(stream)
    assert one.reason in ("the connection was cut", "the connection was closed")
    await listener.aclose()
