"""Nobody makes a program keep, show or send without bound by saying much."""

from pathlib import Path

import pytest
import trio

from tests.hostile.stage import Wire, channel, last_word, open_link, stranger, waiting
from tests.hostile.test_hosts import agreed
from tests.sessions import config, lobby, runner, seated, until
from tongits_lan.errors import LinkLost
from tongits_lan.ledger.effects import RejectedByPeer
from tongits_lan.ledger.messages import Hello, RefusedLink, SetReady, TakeSeat
from tongits_lan.net.base import HEARSAY
from tongits_lan.net.events import UNREAD_MAX, ChatHeard, Herald, LinkNote, LobbyChanged, TableBegan
from tongits_lan.net.flood import Allowance, Pace
from tongits_lan.net.session import Session, SessionEvent, host_session


def unread(channel: trio.MemoryReceiveChannel[SessionEvent]) -> list[SessionEvent]:
    events = []
    while True:
        try:
            events.append(channel.receive_nowait())
        except trio.WouldBlock:
            return events


def test_an_allowance_is_a_burst_and_then_so_much_a_second() -> None:
    allowance = Allowance(burst=3, per_second=0.5)
    assert [allowance.allows(0, 10.0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert allowance.allows(1, 10.0), "another one has its own"
    assert [allowance.allows(0, 12.0) for _ in range(2)] == [True, False]
    assert [allowance.allows(0, 1_000.0) for _ in range(4)] == [True] * 3 + [False]


def test_who_speaks_faster_than_its_pace_is_left() -> None:
    pace = Pace(2, 1.0)
    for now in (0.0, 0.0, 1.0, 2.0):
        pace.heard(now)
    with pytest.raises(LinkLost, match="too much"):
        pace.heard(2.0)


# What is told to who does not read.


async def test_one_unread_change_of_the_lobby_is_enough() -> None:
    herald = Herald()
    channel = herald.subscribe()
    for _ in range(5_000):
        herald.tell(LobbyChanged())
    herald.tell(LinkNote("x"))
    herald.tell(LobbyChanged())
    assert unread(channel) == [LobbyChanged(), LinkNote("x")]
    herald.tell(LobbyChanged())
    herald.tell(LobbyChanged())
    assert unread(channel) == [LobbyChanged()], "read ones do not count"


async def test_hearsay_ends_where_nobody_reads_and_the_ledger_does_not(tmp_path: Path) -> None:
    herald = Herald()
    slow, quick = herald.subscribe(), herald.subscribe()
    seen = 0
    for number in range(2 * UNREAD_MAX):
        herald.tell((ChatHeard(0, "x", None), LinkNote("x"), RejectedByPeer(1, "x", "x"))[number % 3])
        seen += len(unread(quick))
    for _ in range(3):
        herald.tell(TableBegan(tmp_path))
    kept = unread(slow)
    assert len(kept) == UNREAD_MAX + 3
    assert kept[-3:] == [TableBegan(tmp_path)] * 3
    assert seen == 2 * UNREAD_MAX, "who reads hears everything"


# Strangers and visitors of a real lobby.


async def hello_of_old(session: Session, number: int) -> None:
    """A stranger that speaks a protocol of its own."""
    _, link = await channel(session)
    await link.send(Hello((f"tongits-lan/{number + 7}",), f"9.{number}", "Old", stranger().pk, bytes(32)))
    refusal = await last_word(link)
    assert isinstance(refusal, RefusedLink)
    assert refusal.code == "version"


async def test_a_stranger_does_not_fill_the_hosts_screen_with_versions(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        notes = host.subscribe()
        for number in range(40):
            await hello_of_old(host, number)
        told = [event.text for event in unread(notes) if isinstance(event, LinkNote)]
        assert HEARSAY <= len(told) <= HEARSAY + 2
        assert "9.0" in told[0], "the first ones are told"
        assert run.errors == {}


@pytest.mark.parametrize("toggles", [False, True])
async def test_a_visitor_that_shouts_is_put_out_and_disturbs_nobody(tmp_path: Path, toggles: bool) -> None:
    """Each message of a visitor makes the host tell everybody the lobby anew."""
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        await run.stop(carlo)
        await until(host, lambda s: len(lobby(s).seats) == 2)
        link = await open_link(host, stranger(), "Eve")
        wire = Wire(link)
        run.nursery.start_soon(link.run, wire)
        wire.say(TakeSeat(bytes(32)))
        with waiting():
            await until(host, lambda s: len(lobby(s).seats) == 3)
        for number in range(2_000):
            wire.say(SetReady(None) if toggles else TakeSeat(number.to_bytes(32)))
        assert "too much" in await wire.gone()
        with waiting():
            await until(ben, lambda s: len(lobby(s).seats) == 2)
        assert run.errors == {}


async def test_a_host_that_shouts_is_left(tmp_path: Path) -> None:
    """Each lobby that differs is kept by who has said yes to it, so that a host could wear a disk out."""
    async with agreed(tmp_path) as (host, guest, _):
        wire = host.wires[0]
        for _ in range(1_000):
            wire.say(host.lobby(guest.identity_pk))
        assert "too much" in await wire.gone()
        assert host.run.errors == {}
