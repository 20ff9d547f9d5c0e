"""The links of a lobby: one for each key, and always the newest."""

import trio
import trio.testing

from tests.test_link import Recorder, linked
from tongits_lan.ledger.messages import Bye, Chat
from tongits_lan.net.link import Link
from tongits_lan.net.visitors import Visitors

ANA, BEN = b"a" * 32, b"b" * 32


def pair() -> tuple[Link, Link]:
    """Both ends of one link: the lobby's, and the visitor's."""
    here, there = trio.testing.memory_stream_pair()
    return linked(here, server=True), linked(there, server=False)


async def test_a_newer_link_of_a_key_takes_the_place_of_the_older() -> None:
    (first, _), (second, _) = pair(), pair()
    visitors = Visitors()
    visitors.came(ANA, first)
    visitors.came(ANA, second)
    assert visitors.link_of(ANA) is second
    async with trio.open_nursery() as nursery:
        with trio.fail_after(5):
            ended = Recorder()
            await first.run(ended)
        assert ended.reason is not None
        assert "newer link" in ended.reason
        nursery.cancel_scope.cancel()
    assert not visitors.went(ANA, first), "that its end is seen later changes nothing"
    assert list(visitors.keys) == [ANA]
    assert visitors.went(ANA, second)
    assert list(visitors.keys) == []
    assert not visitors.went(ANA, second)


async def test_all_hear_what_is_told_but_those_left_out() -> None:
    visitors, ends, heard = Visitors(), {}, {}
    async with trio.open_nursery() as nursery:
        for pk in (ANA, BEN):
            link, ends[pk] = pair()
            visitors.came(pk, link)
            heard[pk] = Recorder()
            nursery.start_soon(link.run, Recorder())
            nursery.start_soon(ends[pk].run, heard[pk])
        visitors.tell(Chat(0, "all"))
        visitors.tell(Chat(0, "not Ana"), but=ANA)
        visitors.tell(Chat(0, "Ana alone"), among=[ANA])
        visitors.tell(Chat(0, "nobody"), but=ANA, among=[ANA])
        with trio.fail_after(5):
            for pk in (ANA, BEN):
                await heard[pk].wait_for(2)
        assert heard[ANA].messages == [Chat(0, "all"), Chat(0, "Ana alone")]
        assert heard[BEN].messages == [Chat(0, "all"), Chat(0, "not Ana")]
        visitors.close("the end", Bye("closing", "the end"))
        with trio.fail_after(5):
            while not all(one.is_over() for one in heard.values()):
                await heard[ANA if not heard[ANA].is_over() else BEN].news.wait()
        nursery.cancel_scope.cancel()
