"""Whom this player knows, while a session runs: old friends, names that come with another key, broken hands.

Owns the way from what happens at tables to what is kept of the people there. Must not know links, lobbies or
screens.
"""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from tongits_lan.errors import UserError
from tongits_lan.ledger.chain import Descriptor
from tongits_lan.ledger.effects import Stop, Stopped, TableEvent
from tongits_lan.ledger.state import HandForfeited, HandSettled, TableOpened
from tongits_lan.store.known import Known, Person, load_known, save_known

_log = logging.getLogger(__name__)


class Company:
    """The people known to the identity whose data folder it is. `wall`: Unix seconds."""

    def __init__(self, data_dir: Path, wall: Callable[[], float] = time.time) -> None:
        self._data_dir = data_dir
        self._wall = wall
        self._known = load_known(data_dir)
        self._accepted: set[bytes] = set()

    def person(self, pk: bytes) -> Person | None:
        """What is known of a key."""
        return self._known.of(pk)

    def is_known(self, pk: bytes) -> bool:
        """Whether this player has sat at a table with that key."""
        return self._known.of(pk) is not None

    def is_doubted(self, name: str, pk: bytes) -> bool:
        """Whether that name is known with another key, and the player has not said that it is all right."""
        return pk not in self._accepted and self._known.is_renamed(name, pk)

    def accept(self, pk: bytes) -> None:
        """The player says that this key is all right."""
        self._accepted.add(pk)

    def sat_down(self, descriptor: Descriptor, me: int) -> None:
        """The player is at that table; bots are nobody to remember."""
        now = int(self._wall())
        self._change(lambda known, pk, name: known.met(pk, name, now), descriptor, me)

    def heard(self, event: TableEvent, descriptor: Descriptor, me: int) -> None:
        """Something happened at that table."""
        match event:
            case TableOpened():
                self.sat_down(descriptor, me)
            case HandSettled():
                self._change(lambda known, pk, name: known.finished(pk), descriptor, me)
            case HandForfeited(record=record) if record.forfeited_by not in (None, me):
                assert record.forfeited_by is not None
                by = descriptor.seats[record.forfeited_by].pk
                self._change(
                    lambda known, pk, name: known.forfeited(pk) if pk == by else known, descriptor, me
                )
            case Stopped(fault=Stop(seat=int(seat))) if seat != me:
                by, table = descriptor.seats[seat].pk, _mark(descriptor)
                self._change(
                    lambda known, pk, name: known.convicted(pk, table) if pk == by else known, descriptor, me
                )
            case _:
                pass

    def left_unfinished(self, descriptor: Descriptor, seat: int, hand: int) -> None:
        """A hand of that table has waited for `seat` longer than a day."""
        pk = descriptor.seats[seat].pk
        self._keep(load_known(self._data_dir).left_unfinished(pk, f"{_mark(descriptor)}/{hand}"))

    def _change(self, change: Callable[[Known, bytes, str], Known], descriptor: Descriptor, me: int) -> None:
        known = load_known(self._data_dir)  # another program of this player may have written
        for seat, entry in enumerate(descriptor.seats):
            if seat != me and entry.operator_pk == entry.pk:
                known = change(known, entry.pk, entry.name)
        self._keep(known)

    def _keep(self, known: Known) -> None:
        if known == self._known:
            return
        self._known = known
        try:
            save_known(self._data_dir, known)
        except UserError as error:  # nothing of a game hangs on it
            _log.warning("the people met could not be kept: %s", error)


def _mark(descriptor: Descriptor) -> str:
    """What a table is called among the things remembered of a person."""
    return descriptor.table_id.hex()[:16]
