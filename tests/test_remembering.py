"""What a session does for earlier tables: hands that wait for somebody longer than a day are counted."""

import time
from dataclasses import replace
from pathlib import Path

import trio

from tests.hostile.stage import lay_down
from tests.scripted import NAMES, Script
from tests.sessions import config, runner
from tongits_lan.ledger.state import Phase
from tongits_lan.net.remembering import DAY_SECONDS, run_errands
from tongits_lan.net.session import Session, host_session
from tongits_lan.store.journal import ClosedTable, closed_tables
from tongits_lan.store.known import Known, load_known, save_known


async def errands(session: Session, *, later: float) -> None:
    with trio.fail_after(20):
        await run_errands(session._base, wall=lambda: time.time() + later)


async def test_a_hand_that_waits_for_somebody_for_a_day_is_counted_once(tmp_path: Path) -> None:
    script = Script(proved=True)
    script.until(Phase.PLAY)
    due = script.writer()
    me = (due + 1) % 3
    home = tmp_path / NAMES[me]
    lay_down(tmp_path, script, me, script.entries)
    keys = [seat.pk for seat in script.descriptor.seats]
    known = Known()
    for seat, pk in enumerate(keys):
        if seat != me:
            known = known.met(pk, NAMES[seat], 1)
    save_known(home, known)
    session = host_session(config(tmp_path, NAMES[me]))
    try:
        for hours in (0, 23):
            await errands(session, later=hours * 3_600.0)
            assert load_known(home) == known
        for _ in range(2):
            await errands(session, later=24 * 3_600.0 + 60)
        left = {seat: person.left for seat, pk in enumerate(keys) if (person := load_known(home).of(pk))}
        assert left == {seat: int(seat == due) for seat in range(3) if seat != me}
    finally:
        session.close()


async def test_damaged_files_stop_no_errand(tmp_path: Path) -> None:
    async with runner():
        session = host_session(config(tmp_path, "Ana"))
        folder = tmp_path / "Ana" / "private"
        folder.mkdir(exist_ok=True)
        for name in ("x.closed", "y.closed", "z.secret"):
            (folder / name).write_bytes(b"\x95\x01\x02")
        await errands(session, later=DAY_SECONDS + 60)
        assert sorted(path.name for path in folder.glob("[xyz].*")) == ["x.closed", "y.closed", "z.secret"]
        session.close()


async def test_a_closed_table_whose_end_cannot_be_read_stops_no_errand(tmp_path: Path) -> None:
    script = Script()
    lay_down(tmp_path, script, 0, [b"no entry"])
    home = tmp_path / NAMES[0]
    (path,) = (home / "tables").glob("*.tongits")
    ClosedTable(path, script.descriptor, 0, b"8 bytes.", (1,), ()).keep()
    session = host_session(replace(config(tmp_path, NAMES[0]), fresh=True))
    assert len(closed_tables(home, session.identity_pk)) == 1
    await errands(session, later=0.0)
    session.close()
