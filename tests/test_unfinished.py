"""Three people who have an unfinished table are offered it in their next lobby, and go on exactly there."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile.test_hosts import EVE, agreed, honest
from tests.sessions import NAMES, Runner, at_table, begun, config, lobby, runner, table, until
from tongits_lan.errors import Refused
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import TableOffer
from tongits_lan.ledger.state import Phase
from tongits_lan.net.session import Session, host_session, join_session


async def put_aside(run: Runner, folder: Path) -> tuple[bytes, bytes]:
    """A table that the three have begun and left: its id and head."""
    sessions = await begun(run, folder, words=True)
    for session in sessions:
        await until(session, lambda s: table(s).phase is Phase.COMMIT)
    view = table(sessions[0])
    for session in sessions:
        await run.stop(session)
    return view.table_id, view.head


async def lobby_again(
    run: Runner, folder: Path, *, fresh: bool, names: tuple[str, ...] = NAMES
) -> list[Session]:
    """The same three in a lobby, whoever hosts it; its host wanted a new table."""
    host = run.start(host_session(replace(config(folder, names[0], words=True), fresh=True)))
    sessions = [host]
    for name in names[1:]:
        made = config(folder, name, address=host.listening[0], words=True)
        sessions.append(run.start(join_session(replace(made, fresh=fresh))))
    for session in sessions:
        await until(session, lambda s: at_table(s) or len(lobby(s).seats) == len(names))
    return sessions


@pytest.mark.parametrize("names", [NAMES, ("Carlo", "Ana", "Ben")], ids=["the same host", "another host"])
@pytest.mark.parametrize("fresh", [False, True], ids=["guests of a list", "guests who wanted a new one"])
async def test_the_unfinished_table_is_offered_and_goes_on(
    tmp_path: Path, names: tuple[str, ...], fresh: bool
) -> None:
    async with runner() as run:
        table_id, _ = await put_aside(run, tmp_path)
        host, *guests = await lobby_again(run, tmp_path, fresh=fresh, names=names)
        for session in (host, *guests):
            day = lobby(session).unfinished
            assert day is not None
            assert len(day) == len("2026-11-29")
        with pytest.raises(Refused, match="Only the host"):
            guests[0].resume()
        guests[0].set_ready(True)
        host.resume()
        for session in (host, *guests):
            await until(session, at_table)
            assert table(session).table_id == table_id
            await until(session, lambda s: all(reach.kind != "away" for reach in table(s).links))
        for name in names:
            assert len(list((tmp_path / name / "tables").glob("*.tongits"))) == 1
        assert run.errors == {}


async def test_a_new_table_may_be_begun_all_the_same(tmp_path: Path) -> None:
    async with runner() as run:
        table_id, _ = await put_aside(run, tmp_path)
        sessions = await lobby_again(run, tmp_path, fresh=False)
        for session in sessions:
            session.set_ready(True)
        for session in sessions:
            await until(session, at_table)
            assert table(session).table_id != table_id
        with pytest.raises(Refused, match="before another one begins"):
            sessions[0].resume()


async def test_other_people_are_offered_nothing(tmp_path: Path) -> None:
    async with runner() as run:
        await put_aside(run, tmp_path)
        host, *_ = await lobby_again(run, tmp_path, fresh=True, names=("Ana", "Ben", "Dora"))
        assert lobby(host).unfinished is None
        with pytest.raises(Refused, match="no unfinished table"):
            host.resume()


async def test_a_host_without_a_seat_there_does_not_call_it_up(tmp_path: Path) -> None:
    """Somebody who got hold of the ledger tells its table: neither signed anew nor gone on with."""
    async with runner() as run:
        await put_aside(run, tmp_path)
    (ledger,) = (tmp_path / "Ben" / "tables").glob("*.tongits")
    before = ledger.read_bytes()
    async with agreed(tmp_path) as (host, guest, seats):
        assert EVE.pk not in before
        raw = parse_file(before).descriptor_raw
        assert raw is not None
        assert raw != honest(seats)
        host.wires[0].say(TableOffer(raw))
        await host.run.ended(guest)
        assert "nothing was signed" in str(host.run.errors.pop(guest))
        assert ledger.read_bytes() == before
