"""Sitting down: the table a lobby makes, or a guest is told of, is judged, kept, and becomes a seat at work.

Owns whether a table that begins is the one the guest agreed to. Must not know links or lobbies in motion.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from tongits_lan.errors import Exit, Fault, Refused, UserError
from tongits_lan.game.sentences import mark, phrase
from tongits_lan.ledger.chain import nonce_commitment, parse_descriptor
from tongits_lan.ledger.messages import Lobby as LobbyMessage
from tongits_lan.ledger.messages import decode_message
from tongits_lan.net.base import Base
from tongits_lan.net.before import Before, check_start, continued
from tongits_lan.net.handshake import Peer
from tongits_lan.net.lobby import Lobby, check_table, descriptor_of, lobby_of
from tongits_lan.net.node import Node
from tongits_lan.net.reading import read_past, read_table, table_of
from tongits_lan.store.dropped import DroppedTable, dropped_tables
from tongits_lan.store.journal import Journal, PendingTable
from tongits_lan.store.promise import Promise, drop_promise

_ELSEWHERE = mark(
    "{name}'s table has a seat of yours, but its files are not in {folder}: use the folder you joined it"
    " from (--data-dir)."
)
_IMPOSSIBLE = mark("The host's table cannot be: {why}. Nothing was signed.")


async def go_on(base: Base, table: PendingTable) -> Node:
    """A seat at a table that is kept already. Raises UserError."""
    base.note(going_on(table))
    journal = Journal.open(table.path)
    try:
        return Node(base, journal, await read_table(base, journal))
    except BaseException:
        journal.close()
        raise


async def sit_down(
    base: Base,
    pending: Sequence[PendingTable],
    promised: tuple[Promise | None, Lobby | None],
    host: Peer,
    raw: bytes,
) -> Node:
    """A seat at a table that begins, if it is the one agreed to; `promised` is what this guest said to the
    host and the lobby he said yes to. Raises UserError."""
    promise, agreed = promised
    pk = base.identity.pk
    if promise is not None and promise.host_pk == host.pk and agreed is None:
        raise UserError(
            phrase(
                "{name} began the table before you were ready for these rules: nothing was signed. Join "
                "again.",
                name=host.name,
            ),
            Exit.NO_TABLE,
        )
    if promise is None or agreed is None or promise.host_pk != host.pk:
        raise UserError(phrase(_ELSEWHERE, name=host.name, folder=base.config.data_dir), Exit.NO_TABLE)
    commit = nonce_commitment(pk, promise.nonce)
    try:
        descriptor = parse_descriptor(raw)
        check_table(descriptor, agreed, pk, commit)
        if descriptor.previous is not None:
            path = continued(descriptor, base.config.data_dir, pk)
            check_start(descriptor, None if path is None else await read_past(base, path))
    except Refused as refusal:
        raise UserError(refusal.reason, Exit.NO_TABLE) from refusal
    except Fault as fault:
        raise UserError(phrase(_IMPOSSIBLE, why=fault.text), Exit.FAULT) from fault
    used = [*(_commit_of(table, pk) for table in pending)]
    used += [_commit_of(table, pk) for table in dropped_tables(base.config.data_dir, pk)]
    if commit in used:
        raise UserError(
            "The host used your promise of chance for a second table: nothing was signed.", Exit.FAULT
        )
    me = next(seat for seat, entry in enumerate(descriptor.seats) if entry.pk == pk)
    journal = Journal.create(base.config.data_dir, descriptor, promise.nonce, me, host.tag)
    node = _fresh(base, journal)
    drop_promise(base.config.data_dir)
    return node


def lay_table(base: Base, lobby: Lobby, nonce: bytes, tag: bytes, before: Before | None) -> Node:
    """The host's own seat at the table that the three places of his lobby make, which may continue `before`;
    `nonce` and `tag` are those of the lobby. Raises UserError."""
    try:
        descriptor = descriptor_of(lobby, int(time.time()), before)
    except Fault as fault:
        raise UserError(
            phrase("These three cannot sit at one table: {why}.", why=fault.text), Exit.FAILED
        ) from fault
    me = lobby.place_of(base.identity.pk)
    assert me is not None
    return _fresh(base, Journal.create(base.config.data_dir, descriptor, nonce, me, tag))


def going_on(table: PendingTable) -> str:
    """What the player is told who comes back to a table that is not over for him, and the way past it."""
    names = [name for at, name in enumerate(table.descriptor.names) if at != table.me]
    day = datetime.fromtimestamp(table.descriptor.unix_seconds, UTC).date().isoformat()
    if table.stopped:
        return phrase(
            "The table of {day} with {one} and {other} stopped for a fault: here is once more why.",
            day=day,
            one=names[0],
            other=names[1],
        )
    return phrase(
        "Going on at the unfinished table of {day} with {one} and {other}; --new leaves it as it is and "
        "begins anew.",
        day=day,
        one=names[0],
        other=names[1],
    )


def agreed_in(promise: Promise | None) -> Lobby | None:
    """The lobby a kept promise was made in."""
    if promise is None or promise.agreed is None:
        return None
    try:
        message = decode_message(promise.agreed, from_server=True)
        return lobby_of(message) if isinstance(message, LobbyMessage) else None
    except (Fault, Refused):
        return None


def _fresh(base: Base, journal: Journal) -> Node:
    """The seat at a table without entries."""
    try:
        return Node(base, journal, table_of(base, journal, loaded=False))
    except UserError:
        journal.close()
        raise


def _commit_of(table: PendingTable | DroppedTable, pk: bytes) -> bytes | None:
    return next((seat.nonce_commit for seat in table.descriptor.seats if seat.pk == pk), None)
