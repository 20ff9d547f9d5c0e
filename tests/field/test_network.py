"""Field reports about networks, discovery and firewalls: what went wrong elsewhere must not go wrong here.

Rows that are tested beside what they are about (N1, N3, N6, N9, N14) are not repeated: test_complete.py finds
them.
"""

import contextlib
import functools
import ipaddress
import logging
import os
import re
import signal
import socket
import ssl
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from tests.e2e.processes import Line, table, tongits
from tests.e2e.test_kill import assert_level_and_fair
from tests.hostile.stage import channel, open_link, stage, stranger, waiting
from tests.hostile.test_links import loud, reset, silent
from tests.make_ledgers import standing
from tests.sessions import config, events_until, lobby, runner, seated, until
from tests.sessions import table as table_of
from tests.sim.plan import Plan, Sleep
from tests.sim.test_scenarios import ends_level
from tests.system import ROOT
from tests.test_beacon import choose, found_by, unique
from tests.test_joining import ME, closed_port
from tests.test_reception import NOISE, noisy
from tongits_lan import __version__
from tongits_lan.errors import LinkLost
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.state import Phase
from tongits_lan.limits import FRAME_MAX, HANDSHAKE_SECONDS, PORT
from tongits_lan.net.causes import firewall_steps, nothing_found
from tongits_lan.net.handshake import Declined, Me, greet_server
from tongits_lan.net.joining import reach_first
from tongits_lan.net.session import ChatHeard, LinkNote, Session, host_session, join_session
from tongits_lan.net.transport import parse_address

HANGS = 60.0  # real seconds after which a test with a stopped clock is given up


# Finding each other.


async def test_N2_an_address_typed_by_hand_is_enough_and_the_screen_says_so(tmp_path: Path) -> None:
    """Nothing is announced and nothing is looked for: only the address on the host's screen is known."""
    assert "Joining by address works" in nothing_found()[-1]
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        shown = lobby(host).addresses[0]
        guest = run.start(join_session(config(tmp_path, "Ben", address=shown)))
        await until(guest, lambda s: len(lobby(s).seats) == 2)
        assert run.errors == {}


def test_N4_the_host_says_its_address_before_it_waits(tmp_path: Path) -> None:
    """And whoever never gets the prompt of the firewall again is told which rule to delete."""
    words = ("host", "--plain", "--open", "--bind", "127.0.0.1", "--name", "Ana")
    done = tongits(tmp_path, *words, "--data-dir", str(tmp_path / "ana"), stdin="")
    assert "127.0.0.1:" in done.stdout.splitlines()[0]
    windows = readme_row("Windows")
    assert "it never asks again: delete the blocking rules" in windows
    assert any("delete the rules" in line for line in nothing_found(system="win32"))


def test_N5_the_documents_name_the_python_that_windows_asks_about() -> None:
    windows = readme_row("Windows")
    assert "*python.exe*, not for tongits" in windows
    assert "pipx\\venvs\\tongits-lan\\Scripts\\python.exe" in windows
    assert "`tongits doctor` says which" in windows


def test_the_readme_has_one_table_for_every_system_that_says_what_the_program_says() -> None:
    asked = {"linux": ("Linux, ufw", "Linux, firewalld"), "darwin": ("macOS",), "win32": ("Windows",)}
    for system, rows in asked.items():
        said = " ".join(firewall_steps(system))
        commands = {command for command in re.findall(r"`sudo [^`]+`", said) if command in readme_table()}
        assert len(commands) == {"linux": 3}.get(system, 0)
        for row in rows:
            assert f"TCP {PORT}" in readme_row(row)
            assert system != "linux" or any(command in readme_row(row) for command in commands)
    assert "Local Network: switch on your terminal app" in readme_row("macOS")
    assert "set the network to Private" in readme_row("Windows")
    assert "use the hotspot of one of the laptops, or a cable" in readme_row("guest Wi-Fi, phone hotspots")
    assert "turn it off" in readme_row("VPN")


def readme_table() -> str:
    """The table of the README about networks: lines without a gap."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text[text.index("| where | port, protocol |") :].partition("\n\n")[0]


def readme_row(where: str) -> str:
    """The row of that table for a system or a network."""
    (row,) = [line for line in readme_table().splitlines() if line.startswith(f"| {where} |")]
    return row


async def test_N7_no_name_is_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name server three find each other: whatever asks for a name fails, and nothing does."""
    asked: list[object] = []
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getfqdn"):
        monkeypatch.setattr(socket, name, numbers_only(getattr(socket, name), asked))
    name = unique("Ana")
    async with runner() as run:
        host = run.start(host_session(replace(found_by(tmp_path, "Ana"), name=name)))
        guest = run.start(join_session(found_by(tmp_path, "Ben")))
        await choose(guest, name)
        by_hand = run.start(join_session(config(tmp_path, "Carlo", address=host.listening[0])))
        for session in (host, guest, by_hand):
            await until(session, lambda s: len(lobby(s).seats) == 3)
        assert run.errors == {}
    assert asked == []


def numbers_only(ask: Callable[..., object], asked: list[object]) -> Callable[..., object]:
    """A resolver that knows no names and remembers those it was asked for."""

    @functools.wraps(ask)
    def answer(host: object = "", *more: object, **named: object) -> object:
        text = host.decode() if isinstance(host, bytes) else host
        try:
            if text is not None:
                ipaddress.ip_address(str(text))
        except ValueError:
            asked.append(host)
            raise socket.gaierror(socket.EAI_NONAME, "there is no name server") from None
        return ask(host, *more, **named)

    return answer


async def test_N11_an_address_that_swallows_everything_holds_up_no_other(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """The clock stands still: nothing here may wait for a dial to fail."""
    with socket.socket() as full, watchdog():
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waits = [socket.socket() for _ in range(8)]
        try:
            for one in waits:
                one.setblocking(False)
                one.connect_ex(full.getsockname())
            async with runner() as run:
                host = run.start(host_session(config(tmp_path, "Ana")))
                swallows = f"127.0.0.1:{full.getsockname()[1]}"
                addresses = (
                    swallows,
                    f"[fe80::1%lo]:{closed_port()}",
                    f"[fe80::1]:{closed_port()}",
                    host.listening[0],
                )
                link, peer = await reach_first(ME, addresses, None)
                assert peer.pk == host.identity_pk
                await link.close()
        finally:
            for one in waits:
                one.close()


@contextmanager
def watchdog() -> Iterator[None]:
    """Ends a test whose clock stands still and that waits for it all the same."""
    timer = threading.Timer(HANGS, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


async def test_N15_two_versions_are_a_sentence_on_both_screens_at_once(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """Both name both versions and the command; the clock stands still, so nothing was waited for."""
    with watchdog():
        async with runner() as run:
            host = run.start(host_session(config(tmp_path, "Ana")))
            notes = host.subscribe()
            old = Me(stranger(), "Ben", os.urandom, ("tongits-lan/0",), "0.0.1")
            _, link = await channel(host)
            with pytest.raises(Declined) as refused:
                await greet_server(link, old)
            await link.close()
            note = (await events_until(notes, LinkNote))[-1]
            assert isinstance(note, LinkNote)
            for text in (str(refused.value), note.text):
                assert "0.0.1" in text
                assert __version__ in text
                assert "pipx upgrade tongits-lan" in text
            assert len(lobby(host).seats) == 1


# What knocks at the port.


async def test_N16_a_browser_at_the_port_of_a_lobby(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path)
        await disturb(sessions[0])
        channel_of_ben = sessions[1].subscribe()
        sessions[0].chat("still here?")
        assert (await events_until(channel_of_ben, ChatHeard))[-1] == ChatHeard(0, "still here?", None)
        assert [len(lobby(session).seats) for session in sessions] == [3, 3, 3]
        assert run.errors == {}


async def test_N16_a_browser_at_the_port_of_a_game(tmp_path: Path) -> None:
    script = standing(Phase.PLAY)
    async with stage(tmp_path, script, script.writer()) as scene:
        links = [table_of(session).links for session in scene.honest.values()]
        for session in scene.honest.values():
            await disturb(session)
        assert [table_of(session).links for session in scene.honest.values()] == links
        await scene.show(*script.entries[scene.height :])
        await scene.reach(len(script.entries))
        scene.goes_on()


async def test_N16_who_does_not_say_in_time_who_he_is_is_shut_out(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """However he spreads the few bytes that he sends; those who sit there stay."""
    with watchdog():
        async with runner() as run:
            sessions = await seated(run, tmp_path)
            stream, _ = await channel(sessions[0])
            for byte in b"\x00\x00\x01\x00":  # so long a greeting will never come
                await stream.send_all(bytes([byte]))
                mock_clock.jump(HANDSHAKE_SECONDS / 4)
            with contextlib.suppress(trio.BrokenResourceError):  # hung up on in the rude way
                assert await stream.receive_some(1) == b""
            await trio.aclose_forcefully(stream)
            assert [len(lobby(session).seats) for session in sessions] == [3, 3, 3]
            assert run.errors == {}


async def disturb(session: Session) -> None:
    """A browser, noise of every kind, a reset, a megabyte, and one that says nothing all the while."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(silent, session)
        await trio.to_thread.run_sync(browse, parse_address(session.listening[0]))
        for noise in NOISE:
            await noisy(session, noise)
        await loud(session)
        await reset(session)
        nursery.cancel_scope.cancel()


def browse(address: tuple[str, int]) -> None:
    """What https://ADDRESS in a browser does: the greeting of TLS works, and then it speaks HTTP."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    trusting.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(address, HANGS) as raw, trusting.wrap_socket(raw) as stream:
        stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n")
        try:
            while stream.recv(4096):
                pass
        except OSError:
            return  # hung up on, as it should be


# Sleep.


@pytest.mark.parametrize("clock", ["stands", "jumps"])
@pytest.mark.parametrize("seconds", [20.0, 300.0])
def test_N19_a_peer_that_sleeps_is_missed_and_comes_back(seconds: float, clock: str) -> None:
    world = ends_level(Plan(1900, sleeps=[Sleep(1, 40, seconds, "stands" if clock == "stands" else "jumps")]))
    assert world.counts["sleeps"] == 1
    assert world.heap.now > seconds


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop a process")
def test_N19_a_stopped_program_looks_away_and_goes_on_when_it_wakes(tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        three = list(programs.three_bots("--hands", "1"))
        three[1].wait_event("hand_dealt")
        three[1].signal(signal.SIGSTOP)
        try:
            three[0].wait_for(misses_somebody)
            three[2].wait_for(misses_somebody)
        finally:
            three[1].signal(signal.SIGCONT)
        assert [program.end() for program in three] == [0, 0, 0], [program.stderr() for program in three]
        assert_level_and_fair(three)


def misses_somebody(lines: list[Line]) -> bool:
    """Whether the connection to a seat counts as lost (and not as closed by its player)."""
    ways = {line["seat"]: line["how"] for line in lines if line["event"] == "link_changed"}
    return {"kind": "away", "left": False} in ways.values()


async def test_N19_a_return_is_by_key_and_replaces_the_dead_connection(tmp_path: Path) -> None:
    script = standing(Phase.PLAY)
    async with stage(tmp_path, script, script.writer()) as scene:
        dead = await scene.wire(scene.first)
        back = await open_link(scene.first, scene.identity, "Another name")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(back.receive)  # the table is told to it
            assert "newer" in await dead.gone()
        _, link = await channel(scene.first)
        name = scene.script.descriptor.seats[scene.bad].name
        with pytest.raises(Declined) as refused, waiting():
            await greet_server(link, Me(stranger(), name, os.urandom))
        await link.close()
        assert refused.value.code == "stranger"
        assert table_of(scene.first).links[scene.bad].kind == "direct"
        await back.close()
        scene.goes_on()


# Sizes.

BOMBS = [
    b"\xff\xff\xff\xff",
    (FRAME_MAX + 1).to_bytes(4, "big") + bytes(FRAME_MAX),
    frame_bytes(b"\x93\xa7entries\x00\xdd\xff\xff\xff\xff"),
    frame_bytes(b"\x93\xa4chat\x00\xdb\xff\xff\xff\xff"),
    frame_bytes(b"\x91" * 60_000),
]


async def test_N21_a_few_bytes_that_claim_much_cost_little_and_are_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """From a stranger and from a real seat, fifty times: memory stays, and the log says what it was."""
    script = standing(Phase.PLAY)
    caplog.set_level(logging.INFO, "tongits_lan")
    async with stage(tmp_path, script, script.writer()) as scene:
        tracemalloc.start()
        try:
            for _ in range(5):
                for bomb in BOMBS:
                    await blow_up(*await channel(scene.first), bomb)
                    await blow_up(*await scene.greeted(scene.first), bomb)
            assert tracemalloc.get_traced_memory()[1] < 50_000_000
        finally:
            tracemalloc.stop()
        scene.goes_on()
    for reason in ("4294967295 bytes is longer than 10240", "4294967295 bytes is longer than 65536"):
        assert any(reason in record.getMessage() for record in caplog.records), reason


async def blow_up(stream: trio.abc.Stream, link: object, bomb: bytes) -> None:
    """Sends it and waits until the other end has hung up."""
    with waiting():
        try:
            await stream.send_all(bomb)
            while await stream.receive_some(65_536):
                pass
        except (trio.BrokenResourceError, LinkLost):
            pass
        await trio.aclose_forcefully(stream)
