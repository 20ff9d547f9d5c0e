"""Sessions that find each other on loopback: nobody types an address."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from tests.sessions import at_table, config, ledgers, lobby, play, runner, table, until
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.announcements import Found
from tongits_lan.net.discovery import Browser, looking
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session

PATIENCE = 90


def found_by(folder: Path, name: str) -> SessionConfig:
    """A session that announces and looks, on loopback only."""
    return replace(config(folder, name), discovery=True)


def unique(name: str) -> str:
    """A host name no other test of this machine announces."""
    return f"{name}-{os.urandom(4).hex()}"


async def choose(guest: Session, host_name: str) -> None:
    """Picks the host's table from the list; other tests may announce tables too."""
    await until(guest, lambda s: any(row.host == host_name for row in lobby(s).tables))
    assert lobby(guest).looking
    (row,) = [row for row in lobby(guest).tables if row.host == host_name]
    guest.choose(row.tag)


async def test_three_sit_down_without_an_address(tmp_path: Path) -> None:
    name = unique("Ana")
    async with runner() as run:
        host = run.start(host_session(replace(found_by(tmp_path, "Ana"), name=name)))
        guests = [run.start(join_session(found_by(tmp_path, who))) for who in ("Ben", "Carlo")]
        async with trio.open_nursery() as nursery:
            for guest in guests:
                nursery.start_soon(choose, guest, name)
        for session in (host, *guests):
            await until(session, lambda s: len(lobby(s).seats) == 3)
            session.set_ready(True)
        for session in (host, *guests):
            await until(session, at_table)
        with pytest.raises(Refused):
            host.choose(bytes(8))
        with pytest.raises(Refused):
            guests[0].choose(bytes(8))
        assert run.errors == {}


async def listed(browser: Browser, holds: Callable[[Found], bool]) -> Found:
    """The first row for which `holds` is true."""
    with trio.fail_after(PATIENCE):
        while True:
            for row in browser.found:
                if holds(row):
                    return row
            await browser.wait_changed()


def is_row(name: str, seats: int, row: Found) -> bool:
    return (row.host, row.seats) == (name, seats)


async def test_what_is_announced_follows_the_lobby_and_the_table(tmp_path: Path) -> None:
    name = unique("Ana")
    rules = msgspec.structs.replace(PRESETS["house"], hands=7)
    browser = Browser(looking(bind="127.0.0.1"))
    async with runner() as run, trio.open_nursery() as nursery:
        nursery.start_soon(browser.run)
        host = run.start(host_session(replace(found_by(tmp_path, "Ana"), name=name, rules=rules)))
        row = await listed(browser, lambda row: row.host == name)
        assert (row.seats, row.preset, row.addresses) == (1, "house", host.listening)
        guests = []
        for seats, who in enumerate(("Ben", "Carlo"), 2):
            guests.append(run.start(join_session(config(tmp_path, who, address=host.listening[0]))))
            await listed(browser, partial(is_row, name, seats))
        for session in (host, *guests):
            await until(session, lambda s: len(lobby(s).seats) == 3)
            session.set_ready(True)
        await until(host, at_table)
        again = await listed(browser, lambda row: row.host == name)
        assert (again.tag, again.full) == (row.tag, True)
        nursery.cancel_scope.cancel()


def forget_addresses(folder: Path) -> None:
    """Nobody knows any more where the others were."""
    for kept in folder.glob("*/private/*.addresses"):
        kept.unlink()


def is_linked(session: Session) -> bool:
    return at_table(session) and any(reach.kind == "direct" for reach in table(session).links)


async def test_R5_a_seat_at_a_new_port_is_found_again_by_the_tag(tmp_path: Path) -> None:
    """All come back without an address of each other, the third when the first two have met."""
    async with runner() as run:
        host = run.start(host_session(found_by(tmp_path, "Ana")))
        guests = [
            run.start(join_session(replace(found_by(tmp_path, who), address=host.listening[0])))
            for who in ("Ben", "Carlo")
        ]
        for session in (host, *guests):
            await until(session, lambda s: len(lobby(s).seats) == 3)
            session.set_ready(True)
        for session in (host, *guests):
            await until(session, lambda s: at_table(s) and table(s).height > 5)
        for session in (host, *guests):
            await run.stop(session)
        forget_addresses(tmp_path)
        back = [run.start(host_session(found_by(tmp_path, "Ana")))]
        back.append(run.start(join_session(found_by(tmp_path, "Ben"))))
        for session in back:
            await until(session, is_linked)
        back.append(run.start(join_session(found_by(tmp_path, "Carlo"))))
        async with trio.open_nursery() as nursery:
            for number, session in enumerate(back):
                nursery.start_soon(play, session, random.Random(number))
        for session in back:
            await run.ended(session)
        assert run.errors == {}
        first, second, third = ledgers(tmp_path)
        assert first == second == third
