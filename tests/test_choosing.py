"""The choice among the tables found: what is taken without asking and what is refused."""

import pytest
import trio
from trio.testing import MockClock

from tongits_lan.errors import Refused
from tongits_lan.net.announcements import Found
from tongits_lan.net.causes import PATIENCE_SECONDS
from tongits_lan.net.choosing import ONLY_SECONDS, Chooser
from tongits_lan.net.events import Herald, LobbyChanged

ANA = Found(b"table A.", "Ana", 1, "pagat", "0.1.0", "tongits-lan/1", ("192.168.1.20:15213",))
BEN = Found(b"table B.", "Ben", 2, "house", "0.1.0", "tongits-lan/1", ("192.168.1.21:15213",))
FULL = Found(b"table C.", "Carlo", 3, "pagat", "0.1.0", "tongits-lan/1", ("192.168.1.22:15213",))
LATER = Found(b"table D.", "Dina", 1, "pagat", "9.9", "tongits-lan/9", ("192.168.1.23:15213",))


class Listed:
    """A live list whose rows a test puts there."""

    def __init__(self, *found: Found) -> None:
        self.found = found
        self.problem: str | None = None
        self._since = 0.0
        self._changed = trio.Event()

    @property
    def nothing_for(self) -> float:
        return 0.0 if self.found else trio.current_time() - self._since

    def show(self, *found: Found) -> None:
        self.found = found
        self._since = trio.current_time()
        self._changed.set()
        self._changed = trio.Event()

    async def wait_changed(self) -> None:
        await self._changed.wait()

    async def run(self) -> None:
        self._since = trio.current_time()
        await trio.sleep_forever()


def chooser(listed: Listed, herald: Herald | None = None, mine: bytes | None = None) -> Chooser:
    return Chooser(listed, lambda: (), herald or Herald(), mine)


async def test_the_only_table_is_joined_after_a_moment(autojump_clock: MockClock) -> None:
    began = trio.current_time()
    assert await chooser(Listed(ANA)).choice() == ANA
    assert trio.current_time() - began == pytest.approx(ONLY_SECONDS)


async def test_a_second_table_in_that_moment_leaves_the_choice_open(autojump_clock: MockClock) -> None:
    listed = Listed(ANA)
    choosing = chooser(listed)
    async with trio.open_nursery() as nursery:

        async def player() -> None:
            await trio.sleep(ONLY_SECONDS / 2)
            listed.show(ANA, BEN)
            await trio.sleep(60)
            choosing.choose(BEN.tag)

        nursery.start_soon(player)
        assert await choosing.choice() == BEN
        assert trio.current_time() > 60


async def test_of_two_the_one_that_stays_is_joined(autojump_clock: MockClock) -> None:
    listed = Listed(ANA, BEN)
    async with trio.open_nursery() as nursery:

        async def network() -> None:
            await trio.sleep(30)
            listed.show(BEN)

        nursery.start_soon(network)
        assert await chooser(listed).choice() == BEN


@pytest.mark.parametrize("only", [FULL, LATER])
async def test_a_table_that_cannot_be_joined_is_not_joined(only: Found, autojump_clock: MockClock) -> None:
    with trio.move_on_after(120) as waited:
        await chooser(Listed(only)).choice()
    assert waited.cancelled_caught


async def test_a_full_table_is_open_to_who_holds_a_seat_there(autojump_clock: MockClock) -> None:
    assert await chooser(Listed(FULL), mine=FULL.tag).choice() == FULL
    among = chooser(Listed(ANA, FULL), mine=FULL.tag)
    among.choose(FULL.tag)
    assert await among.choice() == FULL


def test_N14_a_table_of_another_version_is_refused_with_both_names() -> None:
    with pytest.raises(Refused, match=r"Dina has version 9\.9"):
        chooser(Listed(LATER)).choose(LATER.tag)


def test_a_full_table_and_one_that_is_gone_are_refused() -> None:
    with pytest.raises(Refused, match="Carlo's table is full"):
        chooser(Listed(FULL)).choose(FULL.tag)
    with pytest.raises(Refused, match="not announced any more"):
        chooser(Listed(ANA)).choose(BEN.tag)


async def test_N6_after_eight_seconds_of_nothing_the_causes_are_shown(autojump_clock: MockClock) -> None:
    assert PATIENCE_SECONDS == 8
    listed, herald = Listed(), Herald()
    events = herald.subscribe()
    choosing = chooser(listed, herald)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(choosing.choice)
        await trio.sleep(PATIENCE_SECONDS - 0.1)
        assert not choosing.hints
        await trio.sleep(1.0)
        assert [hint.split(" ")[0] for hint in choosing.hints[1:4]] == ["1.", "2.", "3."]
        assert isinstance(events.receive_nowait(), LobbyChanged)
        listed.show(ANA, BEN)
        await trio.sleep(PATIENCE_SECONDS)
        assert not choosing.hints
        assert choosing.tables == (ANA, BEN)
        nursery.cancel_scope.cancel()


async def test_why_nothing_can_be_heard_is_shown_at_once() -> None:
    listed = Listed()
    listed.problem = "Tables cannot be looked for (No such device): type the host's address."
    assert chooser(listed).hints == (listed.problem,)
