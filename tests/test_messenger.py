"""A seat that was away when the others closed the table learns it, and nobody is kept at a dead table."""

import random
from dataclasses import replace
from pathlib import Path

import trio

from tests.sessions import (
    NAMES,
    again,
    at_table,
    begun,
    config,
    free_port,
    ledgers,
    lobby,
    runner,
    table,
    until,
    until_kept,
)
from tongits_lan.bots import choose
from tongits_lan.game.engine import view as seat_view
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import Session, host_session
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import closed_tables, pending_tables


def has_pending(folder: Path, name: str) -> bool:
    return bool(pending_tables(folder / name, load_or_make_identity(folder / name).pk))


def untold(folder: Path, name: str) -> list[tuple[int, ...]]:
    return [kept.untold for kept in closed_tables(folder / name, load_or_make_identity(folder / name).pk)]


async def one_hand(session: Session, rng: random.Random) -> None:
    """Plays a seat until the hand is settled; it neither goes on nor leaves."""
    while True:
        view = session.view
        assert isinstance(view, TableView)
        if view.can_leave:
            return
        if view.legal:
            assert view.position is not None
            session.submit(choose(seat_view(view.position, view.me, view.faces), view.legal, rng))
        else:
            await session.wait_changed()


async def test_who_was_away_when_the_table_was_closed_is_told_later(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        ana = sessions[0]
        async with trio.open_nursery() as nursery:
            for number, session in enumerate(sessions):
                nursery.start_soon(one_hand, session, random.Random(number))
        due = table(ana).due
        assert due is not None
        away = (due.seat + 1) % 3  # it is not his turn to write
        rest = [seat for seat in range(3) if seat != away]
        await run.stop(sessions[away])
        await until(sessions[due.seat], lambda s: table(s).links[away].kind == "away")
        sessions[due.seat].leave_table()
        for seat in rest:
            await run.ended(sessions[seat])
            assert untold(tmp_path, NAMES[seat]) == [(away,)]
            assert not has_pending(tmp_path, NAMES[seat])
        assert has_pending(tmp_path, NAMES[away])
        # One of the two opens another table; who was away starts his program, which goes on at the old one.
        elsewhere = replace(config(tmp_path, NAMES[rest[0]]), port=free_port())  # all are on one machine here
        host = run.start(host_session(elsewhere))
        late = run.start(again(tmp_path, NAMES[away]))
        await until(late, lambda s: at_table(s) and table(s).closed)
        await run.ended(late)
        assert run.errors == {}
        first, second, third = ledgers(tmp_path)
        assert first == second == third
        assert not has_pending(tmp_path, NAMES[away])
        with trio.fail_after(20):
            await until_kept(lambda: not untold(tmp_path, NAMES[rest[0]]))
        assert len(lobby(host).seats) == 1
