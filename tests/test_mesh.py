"""Which link of a pair stays, and who is dialled."""

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from tests.tables import KEYS, PKS, descriptor
from tongits_lan.ledger.messages import Bye, Message, Roster, RosterSeat
from tongits_lan.net.addresses import AddressBook
from tongits_lan.net.base import Base
from tongits_lan.net.config import SessionConfig
from tongits_lan.net.link import Link, Owner
from tongits_lan.net.mesh import CROSSING_SECONDS, Mesh
from tongits_lan.net.transport import Secured, open_door
from tongits_lan.store.identity import Identity


@dataclass
class Deaf:
    """An owner that hears nothing."""

    mesh: Mesh
    seat: int

    def heard(self, link: Link, message: Message) -> None:
        """Nothing is of interest."""

    def drained(self, link: Link) -> None:
        """Nothing was put off."""

    def ended(self, link: Link, reason: str) -> None:
        self.mesh.dropped(self.seat, link)


@dataclass
class Log:
    """What the mesh tells a table."""

    told: list[tuple[str, int]] = field(default_factory=list)
    mesh: Mesh | None = None
    news: trio.Event = field(default_factory=trio.Event)

    def linked(self, seat: int) -> None:
        self._tell("linked", seat)

    def wanted(self, seat: int) -> bool:
        return True

    def unlinked(self, seat: int) -> None:
        self._tell("unlinked", seat)

    def _tell(self, what: str, seat: int) -> None:
        self.told.append((what, seat))
        self.news.set()
        self.news = trio.Event()

    async def changed(self) -> None:
        with trio.move_on_after(0.2):  # the other seat's news count too
            await self.news.wait()

    def owner(self, seat: int) -> Owner:
        assert self.mesh is not None
        return Deaf(self.mesh, seat)


Make = Callable[[int, dict[bytes, tuple[str, ...]]], tuple[Mesh, Log]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes the mesh of one seat, with addresses it knows."""
    bases: list[Base] = []

    def mesh_of(me: int, kept: dict[bytes, tuple[str, ...]]) -> tuple[Mesh, Log]:
        config = SessionConfig(name="x", data_dir=tmp_path, entropy=os.urandom)
        bases.append(Base(config, Identity(KEYS[me], PKS[me]), open_door("127.0.0.1", 0)))
        log = Log()
        mesh = Mesh(bases[-1], descriptor(), me, AddressBook(PKS, me, kept, None), log)
        log.mesh = mesh
        return mesh, log

    yield mesh_of
    for base in bases:
        base.close()


def fresh_link() -> Link:
    return Link(Secured(memory_stream_pair()[0], bytes(32)), server=True)


@pytest.mark.parametrize(
    ("me", "other", "first", "second", "stays"),
    [
        (1, 0, 0, 1, "first"),  # the one dialled by the lower seat stays ..
        (1, 0, 1, 0, "second"),  # .. in whatever order they come ..
        (0, 1, 0, 1, "first"),  # .. and on both sides
        (0, 1, 1, 0, "second"),
        (1, 2, 2, 1, "second"),
        (1, 0, 0, 0, "second"),  # a newer one from the same side replaces the older
        (0, 2, 2, 2, "second"),
    ],
)
async def test_of_two_links_of_a_pair_one_stays(
    make: Make, me: int, other: int, first: int, second: int, stays: str
) -> None:
    mesh, log = make(me, {})
    links = {"first": fresh_link(), "second": fresh_link()}
    mesh.adopt(other, links["first"], dialler=first)
    mesh.adopt(other, links["second"], dialler=second)
    gone = "first" if stays == "second" else "second"
    assert links[stays].reason == ""
    assert links[gone].reason != ""
    mesh.dropped(other, links[gone])
    assert mesh.linked() == (other,)
    assert ("unlinked", other) not in log.told
    mesh.dropped(other, links[stays])
    assert mesh.linked() == ()
    assert log.told[-1] == ("unlinked", other)
    for link in links.values():
        await link.close()


@pytest.mark.parametrize(("age", "stays"), [(CROSSING_SECONDS - 0.1, "old"), (CROSSING_SECONDS, "new")])
async def test_a_seat_that_dials_long_after_the_link_was_made_has_lost_it(
    make: Make, mock_clock: MockClock, age: float, stays: str
) -> None:
    """The lower seat still takes it for alive: the other computer is at another address, say."""
    mesh, log = make(0, {})
    links = {"old": fresh_link(), "new": fresh_link()}
    mesh.adopt(1, links["old"], dialler=0)
    mock_clock.jump(age)
    mesh.adopt(1, links["new"], dialler=1)
    assert [name for name, link in links.items() if link.reason == ""] == [stays]
    for name, link in links.items():
        if name != stays:
            mesh.dropped(1, link)
        await link.close()
    assert mesh.linked() == (1,)
    assert ("unlinked", 1) not in log.told


async def test_seats_that_dial_each_other_end_with_one_link(make: Make) -> None:
    """Two meshes that know each other's port, both dialling; a third seat that nobody answers for."""
    addresses = []
    meshes = []
    for me in (0, 1):
        mesh, log = make(me, {})
        meshes.append((mesh, log))
        addresses.append(mesh._base.addresses())
    async with trio.open_nursery() as nursery:
        for me, (mesh, _) in enumerate(meshes):
            nursery.start_soon(serve, mesh, descriptor().raw)
            mesh._book.heard(2, roster({1 - me: addresses[1 - me], 2: ("127.0.0.1:1",)}), ())
            mesh.run(nursery)
        with trio.fail_after(10):
            while not all(mesh.linked() == (1 - me,) for me, (mesh, _) in enumerate(meshes)):
                await meshes[0][1].changed()
        with trio.fail_after(20):  # lost, it is found again and again
            while sum(told == ("linked", 0) for told in meshes[1][1].told) < 3:
                meshes[0][0].say_bye(Bye("left", ""))
                await meshes[1][1].changed()
        assert ("linked", 2) not in meshes[1][1].told
        nursery.cancel_scope.cancel()


def roster(rows: dict[int, tuple[str, ...]]) -> Roster:
    first, second, third = (RosterSeat(pk, rows.get(seat, ())) for seat, pk in enumerate(PKS))
    return Roster((first, second, third))


async def serve(mesh: Mesh, raw: bytes) -> None:
    """The accepting side of a seat, as the session has it."""
    from tongits_lan.ledger.messages import TableOffer
    from tongits_lan.net.handshake import Peer
    from tongits_lan.net.reception import Reception

    async def arrived(link: Link, peer: Peer) -> None:
        seat = mesh.seat_of(peer.pk)
        assert seat is not None
        link.post(TableOffer(raw))
        mesh.adopt(seat, link, dialler=seat)
        await link.run(mesh._ends.owner(seat))

    await Reception(mesh._base, tag=lambda: bytes(8), admit=lambda pk: None, arrived=arrived).run()


async def test_a_seat_at_another_table_is_left_alone(make: Make) -> None:
    mesh, log = make(0, {})
    other, _ = make(1, {})
    mesh._book.heard(1, roster({1: other._base.addresses()}), ())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, other, descriptor(1).raw)
        mesh._nursery = nursery
        with trio.fail_after(10):
            await mesh._try(1)
        nursery.cancel_scope.cancel()
    assert mesh.linked() == ()
    assert log.told == []


@pytest.mark.parametrize("address", ["a..b:1", "127.0.0.1:1", "[::1]:1"])
async def test_a_useless_address_costs_a_failed_dial(make: Make, address: str) -> None:
    mesh, log = make(0, {})
    mesh._book.heard(1, roster({1: (address,)}), ())
    with trio.fail_after(20):
        await mesh._try(1)
    assert log.told == []


async def test_dialling_slows_down(make: Make, autojump_clock: MockClock) -> None:
    mesh, _ = make(0, {})
    tries: list[float] = []

    async def note(seat: int) -> None:
        tries.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mesh._seek_with, 1, note)
        await trio.sleep(20.5)
        nursery.cancel_scope.cancel()
    gaps = [round(later - earlier) for earlier, later in itertools.pairwise(tries)]
    assert gaps == [1, 2, 4, 4, 4, 4]
