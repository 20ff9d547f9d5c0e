"""`tongits history`: tables played before, who won what against whom, whether the deals were even.

Reads the ledgers of the data folder, each verified once (store/history.py keeps what it said). Shows a
progress line where that takes longer than a second.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from datetime import datetime
from pathlib import Path

from tongits_lan.cli import native, places, replay, verify
from tongits_lan.cli.as_json import plain
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.cli.progress import Progress
from tongits_lan.console.speech import tr
from tongits_lan.console.text_history import deals_lines, summary_lines, table_line, totals_lines
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.deals import Deals, deals
from tongits_lan.ledger.files import LedgerFile
from tongits_lan.ledger.past import PastTable, Totals, past_table, totals
from tongits_lan.ledger.report import Report
from tongits_lan.store.history import Past, read_history


def run(options: Namespace) -> int:
    """Tells of the tables; 1 where a summary is asked for and there is no table to sum up."""
    native.load()
    if options.summary:
        return _summary(_one(Path(options.summary)), options)
    past = _read(options)
    if options.summary is not None:
        tables = [table for table in past.tables if table.me is not None and table.hands]
        if not tables:
            raise UserError("There is no table with a finished hand yet: play one first.", Exit.FAILED)
        return _summary(tables[-1], options)
    own = totals(past.tables)
    even = deals_of(past.tables) if options.deals else None
    if options.json:
        _emit(past, own, even, with_deals=options.deals)
        return Exit.DONE
    if options.deals:
        for text in deals_lines(even):
            say(text)
        return Exit.DONE
    for kept in past.kept:
        if kept.table is None:
            complain(tr("{path} is no ledger that can be read: it is left out.", path=kept.path))
        else:
            say(table_line(kept.table, day_of(kept.table)))
    for text in totals_lines(own):
        say(text)
    return Exit.DONE


def _read(options: Namespace) -> Past:
    with Progress(time.monotonic, sys.stderr.isatty(), _patience) as progress:
        return read_history(places.data_dir(options), _judge, rebuild=options.rebuild, told=progress)


def _patience() -> str:
    return tr("Checking the ledgers, which takes a while the first time.")


def _judge(file: LedgerFile) -> Report:
    return verify.check_file(file, proofs=False)


def _one(path: Path) -> PastTable:
    """A single file, verified now; raises UserError where it is no table with a finished hand."""
    file = replay.parsed(path)
    table = past_table(file, _judge(file), None)
    if table is None or not table.hands:
        raise UserError(
            phrase("{path} holds no finished hand to sum up.", path=path),
            Exit.FAILED,
        )
    return table


def _summary(table: PastTable, options: Namespace) -> int:
    if options.json:
        emit({"summary": table_object(table)})
    else:
        for text in summary_lines(table, day_of(table)):
            say(text)
    return verify.EXIT_OF_STATUS["faulty"] if table.status == "faulty" else Exit.DONE


def deals_of(tables: tuple[PastTable, ...]) -> Deals | None:
    """The statistics over the own hands of tables that are not faulty."""
    return deals(
        (hand, table.me)
        for table in tables
        if table.me is not None and table.status != "faulty"
        for hand in table.hands
    )


def day_of(table: PastTable) -> str:
    """The day the table was opened, by the calendar of this machine."""
    try:
        return datetime.fromtimestamp(table.unix_seconds).astimezone().strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return tr("day unknown")


def _emit(past: Past, own: Totals, even: Deals | None, *, with_deals: bool) -> None:
    for kept in past.kept:
        said = None if kept.table is None else table_object(kept.table)
        emit({"file": str(kept.path), "table": said})
    emit({"totals": plain(own)})
    if with_deals:
        emit({"deals": plain(even)})


def table_object(table: PastTable) -> dict[str, object]:
    """A table as JSON has it: the hands without their cards, which `replay` and `verify` show."""
    fields = {name: plain(getattr(table, name)) for name in table.__struct_fields__ if name != "hands"}
    hands = [
        {"hand": h.number, "dealer": h.dealer, "end": h.end, "winner": h.winner, "net": list(h.net)}
        for h in table.hands
    ]
    return {**fields, "hands": hands}
