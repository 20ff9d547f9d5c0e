"""Announcing and finding on the loopback interface, and between computers made of network namespaces."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_interface

import pytest
import trio

from tests.lan import Lan, running, three_computers
from tests.system import ROOT
from tongits_lan.net.announcements import Found, Notice
from tongits_lan.net.discovery import Announcer, Browser, Pace, looking
from tongits_lan.net.interfaces import Interface, make_interface, own_hosts
from tongits_lan.net.transport import open_door

LOOK = looking(bind="127.0.0.1")
FAST = Pace(questions=(0.1, 0.2, 0.4), stale=2.0, ping=0.4, watch=0.2, retry=0.2)
PATIENCE = 60  # seconds; a test that waits longer hangs
MDNS = ("224.0.0.251", 5353)


def new_tag() -> bytes:
    return os.urandom(8)


def notice(tag: bytes, host: str = "Ana", seats: int = 1, port: int = 1) -> Notice:
    return Notice(tag, host, seats, "pagat", port, "1.2.3")


def row(browser: Browser, tag: bytes) -> Found | None:
    """The row of a tag; other programs on this machine may announce tables too."""
    return next((found for found in browser.found if found.tag == tag), None)


async def until(browser: Browser, tag: bytes, holds: Callable[[Found | None], bool]) -> None:
    with trio.fail_after(PATIENCE):
        while not holds(row(browser, tag)):
            await browser.wait_changed()


async def test_a_table_is_found_changes_and_says_goodbye() -> None:
    tag, door = new_tag(), open_door("127.0.0.1", None)
    announcer, browser = Announcer(LOOK, "m1", pace=FAST), Browser(LOOK, pace=FAST)
    changes = browser.subscribe()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.run)
        async with trio.open_nursery() as announcing:
            announcing.start_soon(announcer.run)
            announcer.announce(notice(tag, port=door.port))
            await until(browser, tag, lambda found: found is not None and found.ping_ms is not None)
            assert browser.nothing_for == 0.0
            first = row(browser, tag)
            assert first is not None
            assert (first.host, first.seats, first.preset, first.version) == ("Ana", 1, "pagat", "1.2.3")
            assert first.addresses == (f"127.0.0.1:{door.port}",)
            announcer.announce(notice(tag, seats=2, port=door.port))
            await announcer.said()
            await until(browser, tag, lambda found: found is not None and found.seats == 2)
            announcing.cancel_scope.cancel()
        await until(browser, tag, lambda found: found is None)
        nursery.cancel_scope.cancel()
    seen = [
        [found.seats for found in rows if found.tag == tag] for rows in [state async for state in changes]
    ]
    assert [1] in seen
    assert seen[-1] == []
    assert (announcer.problem, browser.problem) == (None, None)
    door.close()


async def test_another_table_or_none_may_be_announced_later() -> None:
    first, second = new_tag(), new_tag()
    announcer, browser = Announcer(LOOK, "m2", pace=FAST), Browser(LOOK, pace=FAST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.run)
        nursery.start_soon(announcer.run)
        announcer.announce(notice(first))
        await until(browser, first, lambda found: found is not None)
        announcer.announce(notice(second))
        await until(browser, second, lambda found: found is not None)
        await until(browser, first, lambda found: found is None)
        announcer.announce(None)
        await until(browser, second, lambda found: found is None)
        assert (announcer.problem, browser.problem) == (None, None)
        nursery.cancel_scope.cancel()


async def test_one_program_does_not_find_itself() -> None:
    """Whoever else listens hears both."""
    own, other = new_tag(), new_tag()
    mine, theirs = Announcer(LOOK, "mine", pace=FAST), Announcer(LOOK, "theirs", pace=FAST)
    browser, anybody = Browser(LOOK, mine=("mine",), pace=FAST), Browser(LOOK, pace=FAST)
    async with trio.open_nursery() as nursery:
        for task in (mine, theirs, browser, anybody):
            nursery.start_soon(task.run)
        mine.announce(notice(own))
        await until(anybody, own, lambda found: found is not None)
        theirs.announce(notice(other, port=2))
        for one in (browser, anybody):
            await until(one, other, lambda found: found is not None)
        assert row(anybody, own) is not None
        assert row(browser, own) is None
        nursery.cancel_scope.cancel()


async def test_the_row_of_a_killed_program_goes_by_itself() -> None:
    tag = new_tag()
    browser = Browser(LOOK, pace=FAST)
    command = [sys.executable, "-m", "tests.announce", tag.hex(), "Ana", "1", "127.0.0.1"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.run)
        with running(command, ready="up") as process:
            await until(browser, tag, lambda found: found is not None and found.ping_ms is not None)
            process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
            await until(browser, tag, lambda found: found is None)
            assert browser.problem is None
        nursery.cancel_scope.cancel()


async def test_noise_on_the_wire_harms_nothing() -> None:
    tag = new_tag()
    announcer, browser = Announcer(LOOK, "m3", pace=FAST), Browser(LOOK, pace=FAST)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(browser.run)
            await trio.sleep(0.3)
            for packet in hostile_packets():
                mouth.sendto(packet, MDNS)
            nursery.start_soon(announcer.run)
            announcer.announce(notice(tag, host="\x1b[31mAna\u202e"))
            await until(browser, tag, lambda found: found is not None)
            for packet in hostile_packets():
                mouth.sendto(packet, MDNS)
            await trio.sleep(FAST.stale)
            assert row(browser, tag) is not None
            assert {found.host for found in browser.found if found.tag == tag} == {"[31mAna"}
            assert not any("\x1b" in found.host or "evil" in found.host for found in browser.found)
            nursery.cancel_scope.cancel()


def hostile_packets() -> list[bytes]:
    """Bytes, cut-off messages, and announcements of our service that are wrong in their records."""
    header = b"\0\0\x84\0\0\0\0\x01\0\0\0\0"
    service = b"\x08_tongits\x04_tcp\x05local\0"
    instance = b"\x04evil" + service
    pointer = service + b"\0\x0c\0\x01\0\0\x11\x94" + len(instance).to_bytes(2, "big") + instance
    text = instance + b"\0\x10\x80\x01\0\0\x11\x94\0\x07\x06tag=zz"
    loop = b"\xc0\x0c" + b"\0\x0c\0\x01\0\0\x11\x94\0\x02\xc0\x0c"
    return [
        b"",
        b"\xff" * 9000,
        os.urandom(300),
        header,
        header + pointer,
        header + pointer[:-9],
        header + text,
        header + loop,
        header[:6] + b"\xff\xff" + header[8:] + pointer,
        header + b"\x3f" + b"\x1b[31m" * 12 + b"\x80\x80" + service + pointer[len(service) :],
    ]


class Fickle:
    """A look at this machine that fails as often as it is told to."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    def __call__(self) -> tuple[Interface, ...]:
        if self.failures > 0:
            self.failures -= 1
            raise OSError(19, "No such device")
        return LOOK()


async def in_trouble(one: Announcer | Browser) -> str:
    """Why it cannot work, as soon as it says so."""
    with trio.fail_after(PATIENCE):
        while (problem := one.problem) is None:  # noqa: ASYNC110 - a sentence on a screen has no event
            await trio.sleep(0.01)
    return problem


async def test_a_failing_library_is_a_note_and_tried_again() -> None:
    tag = new_tag()
    announcer = Announcer(Fickle(2), "m4", pace=FAST)
    browser = Browser(Fickle(10**6), pace=FAST)
    finder = Browser(LOOK, pace=FAST)
    async with trio.open_nursery() as nursery:
        for task in (announcer, browser, finder):
            nursery.start_soon(task.run)
        announcer.announce(notice(tag))
        assert await in_trouble(announcer) == (
            "The table cannot be announced (No such device): tell the others the address."
        )
        assert await in_trouble(browser) == (
            "Tables cannot be looked for (No such device): type the host's address."
        )
        await until(finder, tag, lambda found: found is not None)
        assert announcer.problem is None
        assert browser.nothing_for > 0
        nursery.cancel_scope.cancel()


async def test_a_machine_without_a_network_looks_until_there_is_one() -> None:
    tag, known = new_tag(), list[Interface]()
    announcer, browser = Announcer(LOOK, "m5", pace=FAST), Browser(lambda: tuple(known), pace=FAST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer.run)
        announcer.announce(notice(tag))
        nursery.start_soon(browser.run)
        assert "there is no network" in await in_trouble(browser)
        known.extend(LOOK())
        await until(browser, tag, lambda found: found is not None)
        assert browser.problem is None
        known.clear()  # the cable is pulled
        await until(browser, tag, lambda found: found is None)
        nursery.cancel_scope.cancel()


# The library forgets to close its socket when it fails to open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_ipv6_that_does_not_work_leaves_ipv4() -> None:
    broken = make_interface("eth9", 9, [ip_interface("127.0.0.1/8"), ip_interface("2001:db8::77/64")])
    tag = new_tag()
    announcer = Announcer(lambda: (broken,), "m7", v6=True, pace=FAST)
    browser = Browser(LOOK, pace=FAST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcer.run)
        nursery.start_soon(browser.run)
        announcer.announce(notice(tag))
        await until(browser, tag, lambda found: found is not None)
        assert announcer.problem is None
        nursery.cancel_scope.cancel()


def test_discovery_works_where_another_loop_hosts_trio() -> None:
    tag = new_tag()

    async def both() -> Found | None:
        announcer, browser = Announcer(LOOK, "m6", pace=FAST), Browser(LOOK, pace=FAST)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(announcer.run)
            nursery.start_soon(browser.run)
            announcer.announce(notice(tag))
            await until(browser, tag, lambda found: found is not None)
            nursery.cancel_scope.cancel()
        return row(browser, tag)

    async def host() -> Found | None:
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        trio.lowlevel.start_guest_run(
            both,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        found: Found | None = (await done).unwrap()
        return found

    found = asyncio.run(host())
    assert found is not None
    assert found.host == "Ana"


def test_a_bound_address_is_the_only_one_announced() -> None:
    (only,) = LOOK()
    assert own_hosts((only,)) == ("127.0.0.1",)


def test_no_library_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, tongits_lan.net.session, tongits_lan.net.discovery, tongits_lan.cli.tables,"
        "tongits_lan.cli.seats, tongits_lan.cli.lines;"
        "print(*({'zeroconf', 'ifaddr', 'prompt_toolkit'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# between computers


@pytest.fixture(scope="module")
def lan() -> Iterator[Lan]:
    """Ana (h0), Ben (h1) and Carlo (h2), and what the containers of a computer add to its interfaces."""
    with three_computers() as lan:
        lan.cable("h1", "docker0", bridge="nowhere")
        lan.ip("h1", "addr add 172.17.0.1/16 dev docker0")
        yield lan


def test_N1_N2_N3_N11_found_across_interfaces_and_netmasks_as_one_row(lan: Lan) -> None:
    tag = new_tag().hex()
    announce = lan.python("h0", "-m", "tests.announce", tag, "Ana", "2", "::")
    with running(announce, ready="up"), ThreadPoolExecutor(2) as pool:
        (found,), (same,) = pool.map(lan.tables, ("h1", "h2"))
    assert (found["tag"], found["host"], found["seats"], found["preset"]) == (tag, "Ana", 2, "pagat")
    addresses = found["addresses"]
    assert isinstance(addresses, list)
    assert addresses[0].startswith("10.5.0.1:")
    assert any(address.startswith("[fe80::") and "%" in address for address in addresses)
    assert any(address.startswith("10.99.0.1:") for address in addresses)
    assert found["ping_ms"] is not None
    assert same["ping_ms"] is not None


def test_N7_no_route_and_no_names_are_needed(lan: Lan) -> None:
    done = lan.tongits("h2", "doctor", "--no-discovery")
    assert done.returncode == 0, done.stdout
    assert "10.5.0.3" in done.stdout


def test_N6_with_multicast_dropped_the_causes_are_named_in_order(lan: Lan) -> None:
    lan.drop_multicast("h2")
    with running(
        lan.python("h0", "-m", "tests.announce", new_tag().hex(), "Ana", "1", "0.0.0.0"), ready="up"
    ):
        done = lan.tongits("h2", "tables")
    assert (done.returncode, done.stdout) == (0, "")
    places = [done.stderr.index(word) for word in ("keeps its computers apart", "A VPN", "A firewall")]
    assert places == sorted(places)
    assert "Joining by address works" in done.stderr
