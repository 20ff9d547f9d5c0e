"""Kept ledgers, read in worker threads: a screen lives while a long one is walked through.

Owns that, and the sentence a player sees meanwhile. Must not know what becomes of it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio

from tongits_lan.errors import Exit, Fault, PeerFault, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.table import Table
from tongits_lan.net.base import Base
from tongits_lan.net.before import Past, load_past
from tongits_lan.net.events import LobbyChanged
from tongits_lan.net.parting import alone
from tongits_lan.store.journal import Journal

T = TypeVar("T")


async def read(base: Base, path: Path, walk: Callable[[], T]) -> T:
    """What `walk` returns after it has gone through that ledger file, in a thread of its own; the view says
    so. Cancelled at once: whatever the thread still finds is dropped."""
    with _said(base, path):
        return await trio.to_thread.run_sync(walk, abandon_on_cancel=True)


@contextmanager
def _said(base: Base, path: Path) -> Iterator[None]:
    day = path.stem.rpartition("-")[0]  # a ledger is named by the day of its table
    base.reading = phrase("Reading the table of {day}: a long one takes a while.", day=day)
    base.herald.tell(LobbyChanged())
    try:
        yield
    finally:
        base.reading = None


async def read_past(base: Base, path: Path) -> Past | None:
    """The unclosed table in that ledger file."""
    return await read(base, path, partial(load_past, path))


async def read_table(base: Base, journal: Journal) -> Table:
    """The table of an earlier run that is kept in the journal. Raises UserError(FAILED)."""
    return await read(base, journal.path, partial(table_of, base, journal, loaded=True))


def table_of(base: Base, journal: Journal, *, loaded: bool) -> Table:
    """The table kept in the journal; `loaded`: it comes from an earlier run. Raises UserError(FAILED) when
    the journal's entries are no ledger."""
    try:
        return Table(
            me=journal.me,
            key=base.identity.key,
            descriptor=journal.descriptor,
            nonce=journal.nonce,
            entropy=base.config.entropy,
            entries=journal.entries,
            secrets=journal.secrets,
            evidence=journal.evidence,
            loaded=loaded,
            waits_for_words=base.config.waits_for_words and not alone(base, journal),
        )
    except Fault as fault:
        raise UserError(
            phrase(
                "What lies beside {path} as evidence proves nothing at that table: look at it with `tongits "
                "verify`, or start a new table with --new.",
                path=journal.path,
            ),
            Exit.FAILED,
        ) from fault
    except PeerFault as fault:
        raise UserError(
            phrase(
                "The ledger {path} does not hold ({code} at entry {height}): look at it with `tongits "
                "verify`, or start a new table with --new.",
                path=journal.path,
                code=fault.code,
                height=fault.height,
            ),
            Exit.FAILED,
        ) from fault
