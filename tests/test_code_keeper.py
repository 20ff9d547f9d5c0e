"""A host that is killed in its lobby comes back with the same join code; one that closed it does not."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import at_table, code_of, config, free_port, lobby, runner, until, until_kept
from tongits_lan.net.code_keeper import KEPT_SECONDS
from tongits_lan.net.join_code import TRIES
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session
from tongits_lan.store.lobby_code import LobbyCode, load_code, save_code

WRONG = "10-abaka-abaka"


def door(folder: Path, port: int, **changes: Any) -> SessionConfig:
    made = replace(config(folder, "Ana", words=True), open_table=False, port=port)
    return replace(made, **changes)


def guest(folder: Path, name: str, host: Session, code: str) -> Session:
    made = config(folder, name, address=host.listening[0], words=True)
    return join_session(replace(made, open_table=False, code=code))


async def test_who_waits_in_the_lobby_is_back_without_a_word(tmp_path: Path) -> None:
    async with runner() as run:
        port = free_port()
        host = run.start(host_session(door(tmp_path, port)))
        code = code_of(host)
        ben = run.start(guest(tmp_path, "Ben", host, code))
        await until(host, lambda s: len(lobby(s).seats) == 2)
        await run.stop(host)
        back = run.start(host_session(door(tmp_path, port)))
        assert code_of(back) == code
        await until(back, lambda s: [seat.name for seat in lobby(s).seats] == ["Ana", "Ben"])
        await until(ben, lambda s: lobby(s).message is None and lobby(s).question is None)
        assert run.errors == {}


async def test_a_code_that_was_used_up_stays_used_up(tmp_path: Path) -> None:
    async with runner() as run:
        port = free_port()
        host = run.start(host_session(door(tmp_path, port)))
        first = code_of(host)
        for number in range(TRIES):
            eve = run.start(guest(tmp_path, f"Eve{number}", host, WRONG))
            await until(eve, lambda s: lobby(s).question is not None)
        second = code_of(host)
        assert second != first
        await until_kept(lambda: kept(tmp_path).code == second)
        await run.stop(host)
        back = host_session(door(tmp_path, port))
        assert code_of(back) == second
        back.close()


def kept(folder: Path) -> LobbyCode:
    found = load_code(folder / "Ana")
    assert found is not None
    return found


async def test_it_is_forgotten_when_the_lobby_is_over(tmp_path: Path) -> None:
    async with runner() as run:
        port = free_port()
        host = run.start(host_session(door(tmp_path, port)))
        code = code_of(host)
        await until_kept(lambda: load_code(tmp_path / "Ana") is not None)
        host.leave_lobby()
        await run.ended(host)
        assert load_code(tmp_path / "Ana") is None
        host = run.start(host_session(door(tmp_path, port)))
        assert code_of(host) != code
        sessions = [
            host,
            *(run.start(guest(tmp_path, name, host, code_of(host))) for name in ("Ben", "Carlo")),
        ]
        for session in sessions:
            await until(session, lambda s: lobby(s).me is not None)
            session.set_ready(True)
        for session in sessions:
            await until(session, at_table)
        await until_kept(lambda: load_code(tmp_path / "Ana") is None)


@pytest.mark.parametrize(
    ("kept_port", "age", "code", "same"),
    [
        (0, 0, "42-mangga-bituin", True),
        (0, KEPT_SECONDS - 5, "42-mangga-bituin", True),
        (0, KEPT_SECONDS + 5, "42-mangga-bituin", False),
        (0, -60, "42-mangga-bituin", False),
        (1, 0, "42-mangga-bituin", False),
        (0, 0, "no code", False),
    ],
    ids=["just now", "minutes ago", "long ago", "in the future", "another port", "no code"],
)
def test_only_the_lobby_of_a_moment_ago_at_this_port(
    tmp_path: Path, kept_port: int, age: int, code: str, same: bool
) -> None:
    port = free_port()
    save_code(tmp_path / "Ana", LobbyCode(code, port + kept_port, int(time.time()) - age))
    host = host_session(door(tmp_path, port))
    try:
        assert (code_of(host) == code) is same
    finally:
        host.close()


def test_a_code_chosen_by_its_host_counts_before_one_that_was_kept(tmp_path: Path) -> None:
    port = free_port()
    save_code(tmp_path / "Ana", LobbyCode("42-mangga-bituin", port, int(time.time())))
    host = host_session(door(tmp_path, port, code="11-mangga-bituin"))
    try:
        assert code_of(host) == "11-mangga-bituin"
    finally:
        host.close()
