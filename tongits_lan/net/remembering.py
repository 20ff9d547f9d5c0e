"""What a session does for earlier tables while it runs: it tells seats how a table ended, and counts hands
that wait for somebody longer than a day.

Owns nothing but the start of these errands. Must not know the table that is being played.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path

import trio

from tongits_lan.errors import Fault
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.report import Report
from tongits_lan.ledger.verify import verify
from tongits_lan.net.base import Base
from tongits_lan.net.messenger import TABLES, CallOff, Messenger, Tidings
from tongits_lan.store.dropped import dropped_tables
from tongits_lan.store.journal import ClosedTable, PendingTable, closed_tables, pending_tables

DAY_SECONDS = 86_400.0
_TABLES = 16  # pending ones looked at

_log = logging.getLogger(__name__)


async def run_errands(base: Base, wall: Callable[[], float] = time.time) -> None:
    """Until all are done, or cancelled. `wall`: Unix seconds."""
    data_dir, pk = base.config.data_dir, base.identity.pk
    async with trio.open_nursery() as nursery:
        for table in closed_tables(data_dir, pk)[:TABLES]:
            messenger = _messenger(base, table)
            if messenger is not None:
                nursery.start_soon(messenger.run)
        for dropped in dropped_tables(data_dir, pk)[:TABLES]:
            nursery.start_soon(Messenger(base, dropped, CallOff(dropped)).run)
        for pending in pending_tables(data_dir, pk)[:_TABLES]:
            if wall() - _last_change(pending.path) > DAY_SECONDS:
                await _count_absence(base, pending)


def _messenger(base: Base, table: ClosedTable) -> Messenger | None:
    """Who tells how that table ended; nobody where its files do not."""
    try:
        tidings = Tidings(table)
        return Messenger(base, table, tidings) if tidings else None
    except Fault as fault:
        _log.info("the end of a table cannot be read: %s", fault)
        return None


def _last_change(path: Path) -> float:
    """Unix seconds; of a file that is gone, the end of time."""
    try:
        return path.stat().st_mtime
    except OSError:
        return float("inf")


async def _count_absence(base: Base, table: PendingTable) -> None:
    """A hand that nobody has touched for a day: it is noted whom it waits for, once."""
    report = await trio.to_thread.run_sync(_report, table.path)
    awaited = None if report is None else report.pending
    if awaited is None or awaited.hand is None or awaited.due.seat == table.me:
        return
    seat = table.descriptor.seats[awaited.due.seat]
    if seat.operator_pk == seat.pk:
        base.company.left_unfinished(table.descriptor, awaited.due.seat, awaited.hand)


def _report(path: Path) -> Report | None:
    try:
        return verify(parse_file(path.read_bytes()), proofs=False)
    except (OSError, Fault) as error:
        _log.info("a pending table cannot be read: %s", error)
        return None
