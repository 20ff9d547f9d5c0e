"""One session: from opening or joining a table to its end, as console and commands see it.

Owns the public surface of the network: `Session`, `host_session`, `join_session`. Must not know how
messages are framed, entries are checked, or anything is drawn.
"""

from dataclasses import replace
from pathlib import Path

import trio

from tongits_lan.deck import group
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.moves import Move
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.playback import PlayedHand
from tongits_lan.ledger.views import TableView
from tongits_lan.net.base import Base, identity_of, open_base
from tongits_lan.net.code_keeper import reopening
from tongits_lan.net.config import RuleSet, SessionConfig
from tongits_lan.net.events import (
    ChatHeard,
    LinkNote,
    LobbyChanged,
    RulesChanged,
    SessionEvent,
    TableBegan,
)
from tongits_lan.net.guest import Guest
from tongits_lan.net.hosting import Host
from tongits_lan.net.join_code import normalise
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.net.node import Node
from tongits_lan.net.remembering import run_errands
from tongits_lan.net.transport import parse_address
from tongits_lan.store.journal import EVIDENCE_SUFFIX, PendingTable, pending_tables, read_addresses
from tongits_lan.store.known import Person

__all__ = [
    "ChatHeard",
    "LinkNote",
    "LobbyChanged",
    "LobbySeat",
    "LobbyView",
    "RuleSet",
    "RulesChanged",
    "Session",
    "SessionConfig",
    "SessionEvent",
    "TableBegan",
    "host_session",
    "join_session",
]


_ENDED = mark("This table is over and its links are closed: nothing more can be done or said there.")


class Session:
    """A player's way into one table. Actions may be called inside trio or from the loop that hosts it;
    those that cannot be done raise Refused with a sentence. `run` does the work."""

    def __init__(self, base: Base, front: Host | Guest) -> None:
        self._base = base
        self._front = front
        self._next: SessionConfig | None = None
        self._ended = False

    @property
    def view(self) -> LobbyView | TableView:
        """What there is to see now, as one frozen value."""
        node = self._node
        return self._front.view() if node is None else node.view()

    @property
    def identity_pk(self) -> bytes:
        """The 32-byte public key of this installation."""
        return self._base.identity.pk

    @property
    def listening(self) -> tuple[str, ...]:
        """Where other seats can reach this one ("host:port")."""
        return self._base.addresses()

    @property
    def ledger_path(self) -> Path | None:
        """The ledger file, once there is a table; none is kept of one that was called off."""
        node = self._node
        return None if node is None or node.view().called_off is not None else node.path

    @property
    def evidence_path(self) -> Path | None:
        """The file that proves why the table stopped, where there is one."""
        path = None if self.ledger_path is None else self.ledger_path.with_suffix(EVIDENCE_SUFFIX)
        return path if path is not None and path.exists() else None

    def subscribe(self) -> trio.MemoryReceiveChannel[SessionEvent]:
        """Every event from now on; the channel ends with the session."""
        return self._base.herald.subscribe()

    async def wait_changed(self) -> None:
        """Returns after the next change of `view`."""
        await self._base.herald.wait_changed()

    async def run(self) -> None:
        """Plays the session to its end: the table closed (and the linked seats level, or 5 s passed) or
        stopped by a fault (see `view.stopped`). Cancelling it leaves the table pending.

        Raises UserError: NO_TABLE when no table is reached, FAILED when files cannot be kept."""
        base = self._base
        try:
            with base.scope:
                async with trio.open_nursery() as nursery:
                    base.bridge.open()
                    nursery.start_soon(trio.to_thread.run_sync, _warm_up)
                    nursery.start_soon(base.beacon.run)
                    if base.config.operator_pk is None:  # a bot's friends are its operator's
                        nursery.start_soon(run_errands, base)
                    try:
                        await self._front.run(nursery)
                    except UserError as error:
                        base.fail(error)
                    base.scope.cancel()
        finally:
            self.close()
        if base.failure is not None:
            raise base.failure

    def close(self) -> None:
        """Gives port and files back; `run` does so itself. No action can be done after it."""
        self._ended = True
        self._front.close()
        self._base.close()

    # lobby

    def choose(self, tag: bytes) -> None:
        """Guest without an address: joins the table with that tag among `view.tables`."""
        self._guest(mark("This session hosts a table: there is none to choose.")).way.choose(tag)

    def set_ready(self, value: bool) -> None:
        """Says whether this player wants the table to begin."""
        self._lobby(mark("The table has begun: there is nothing to be ready for.")).set_ready(value)

    def add_bot(self, name: str | None = None) -> None:
        """Host: a bot of this machine takes an empty place, of that name or any (see `config.call_bot`).
        Raises Refused."""
        self._host(mark("Only the host seats bots, before the table begins.")).add_bot(name)

    def resume(self) -> None:
        """Host: goes on with the unfinished table of the three in his lobby (see `view.unfinished`). Raises
        Refused."""
        self._host(
            mark("Only the host goes on with an unfinished table, before another one begins.")
        ).resume()

    def rule_sets(self) -> tuple[RuleSet, ...]:
        """Host: what `set_rules` may be given, read anew."""
        return self._base.config.rule_sets()

    def set_rules(self, rules: Rules) -> None:
        """Host: the lobby is under these rules from now on; nobody is ready any more. Raises Refused."""
        self._host(mark("Only the host changes the rules, before the table begins.")).set_rules(rules)

    def enter_code(self, text: str) -> None:
        """Guest: the join code as the player types it, while `view.needs_code`. Raises Refused."""
        self._guest(mark("This session hosts a table: it asks for no code.")).answers.enter_code(text)

    def accept(self) -> None:
        """Says yes: to `view.question` about a key, or to the keys at `view.doubts`. Raises Refused."""
        self._lobby(mark("There is nothing to say yes to now.")).accept()

    def kick(self, place: int) -> None:
        """Host: asks whoever has that place of `view.seats` to leave the lobby. Raises Refused."""
        self._host(mark("Only the host asks somebody to leave, before the table begins.")).kick(place)

    def leave_lobby(self) -> None:
        """Leaves before the table begins, for good: `run` ends. A host closes his table with it."""
        self._lobby(mark("The table has begun: leave it after a hand, or close the program.")).leave()

    def chat(self, text: str) -> None:
        """Says `text` (cleaned and cut) to the others."""
        front = self._open_front()
        if front.node is not None:
            front.node.chat(text)
        else:
            front.chat(text)

    # table

    def submit(self, move: Move) -> None:
        """Makes `move` if the rules allow it now."""
        self._table().submit(move)

    def confirm_words(self) -> None:
        """The players have read the same table words."""
        self._table().confirm_words()

    def words_differ(self) -> None:
        """The players have read different words: the table is called off, nothing was dealt."""
        self._table().words_differ()

    def go_on(self) -> None:
        """Confirms the result of the hand and goes on to the next."""
        self._table().go_on()

    def leave_table(self) -> None:
        """Closes the table for good after the hand that was just settled."""
        self._table().leave()

    def give_up(self) -> None:
        """Forfeits the running hand, now or when this seat's turn to write comes."""
        self._table().give_up()

    def put_aside(self) -> None:
        """Ends the session and leaves its table pending, to begin another one (see `next_config`); a guest
        looks for one anew."""
        self._table()
        self._end_for(replace(self._base.config, fresh=True, again=None, address=None, found=()))

    def play_again(self) -> None:
        """Ends the session to open or join the next table with the same people (see `next_config`): after
        the table is closed, also when this session has ended, or between two hands of one that is not, whose
        chips are carried over."""
        node = self._node if self._ended else self._table()
        if node is None:
            raise Refused(_ENDED)
        view = node.view()
        if view.stopped is not None or not (view.closed or view.can_leave):
            raise Refused("The next table with the same people begins after a hand: finish this one first.")
        if self._ended and not view.closed:
            raise Refused(_ENDED)
        if not view.closed and not _may_be_followed(view):
            raise Refused("Not all three have the result of this hand yet: wait a moment, then try again.")
        self._end_for(replace(self._base.config, fresh=True, again=node.again(), rules=view.rules))

    @property
    def next_config(self) -> SessionConfig | None:
        """What the session that follows is to be opened with, host or guest as this one; None: nothing."""
        return self._next

    @property
    def hosts(self) -> bool:
        """Whether this session opened the table, else it joined."""
        return isinstance(self._front, Host)

    def _end_for(self, config: SessionConfig) -> None:
        self._next = config
        node = self._node
        if self._ended or node is None:
            return
        if node.view().closed:  # it ends when the others are level
            node.parting.part()
        else:
            self._base.bridge.soon(self._base.scope.cancel)

    def part(self) -> None:
        """Ends a session whose player lingers at a table that is over (see `config.lingers`)."""
        self._table().parting.part()

    def keep_waiting(self) -> None:
        """Answers the question about an absent seat: wait on."""
        self._table().keep_waiting()

    def played(self) -> PlayedHand | None:
        """The last settled hand of this table, move by move with open cards; None before there is one."""
        return None if self._node is None else self._node.played()

    def rtt_ms(self, seat: int) -> float | None:
        """Milliseconds of the last ping to that seat over a direct link."""
        return None if self._node is None else self._node.rtt_ms(seat)

    def person(self, seat: int) -> Person | None:
        """What this player remembers of the one at that seat of the table."""
        view = self.view
        return self._base.company.person(view.keys[seat]) if isinstance(view, TableView) else None

    @property
    def _node(self) -> Node | None:
        return self._front.node

    def _open_front(self) -> Host | Guest:
        if self._ended:
            raise Refused(_ENDED)
        return self._front

    def _lobby(self, begun: str) -> Host | Guest:
        """The stage before there is a table. Raises Refused: `begun` once there is one."""
        front = self._open_front()
        if front.node is not None:
            raise Refused(begun)
        return front

    def _host(self, others: str) -> Host:
        """The host's stage before there is a table. Raises Refused: `others` anywhere else."""
        front = self._lobby(others)
        if not isinstance(front, Host):
            raise Refused(others)
        return front

    def _guest(self, host: str) -> Guest:
        """The stage of a guest. Raises Refused: `host` where this session hosts."""
        front = self._open_front()
        if not isinstance(front, Guest):
            raise Refused(host)
        return front

    def _table(self) -> Node:
        node = self._open_front().node
        if node is None:
            raise Refused("There is no table yet: it begins when three players are ready.")
        return node


def _may_be_followed(view: TableView) -> bool:
    """Whether the others need nothing more of this seat before it goes to the next table: they hold what it
    holds, or somebody has gone ahead already. Who lacks the result then is told when that table begins."""
    lost = any(reach.kind == "away" and not reach.left for reach in view.links)
    gone_ahead = any(reach.left for reach in view.links)
    return view.level and (gone_ahead or not lost)


def host_session(config: SessionConfig) -> Session:
    """A session that opens a table, or goes on with the newest unfinished one of this identity; before both
    comes the lobby of a next table in which this host was killed a moment ago.

    Raises UserError(FAILED): the folder cannot be written, the port asked for is taken."""
    _check_code(config)
    identity = identity_of(config)
    lobby = reopening(config, identity.pk)
    if lobby is not None and lobby.again is not None:
        base = open_base(lobby, identity, lobby.again.port)
        if base.door.port == lobby.again.port:
            return Session(base, Host(base, None))
        base.close()  # another program of this player still runs, and has that lobby
    pending: PendingTable | None = None
    if not config.fresh:
        tables = pending_tables(config.data_dir, identity.pk, stopped=True)
        pending = next((table for table in tables if table.own_bots(identity.pk) == config.bots), None)
    base = open_base(config, identity, _port_before(config, pending))
    try:
        return Session(base, Host(base, pending))
    except UserError:
        base.close()
        raise


def join_session(config: SessionConfig) -> Session:
    """A session that joins the table at `config.address`, or goes on with its unfinished one there.

    Raises UserError(FAILED) as host_session, UserError(USAGE) for an address that is none."""
    if config.address is not None:
        parse_address(config.address)
    _check_code(config)
    identity = identity_of(config)
    pending = [] if config.fresh else pending_tables(config.data_dir, identity.pk, stopped=True)
    pending = [table for table in pending if not table.own_bots(identity.pk)]  # those need their bots
    pending.sort(key=lambda table: not _heard_of((config.address, *config.found), table))
    base = open_base(config, identity, _port_before(config, pending[0] if pending else None))
    return Session(base, Guest(base, pending))


def _port_before(config: SessionConfig, pending: PendingTable | None) -> int | None:
    """Where the others look for this player."""
    if config.again is not None:
        return config.again.port
    return None if pending is None else read_addresses(pending.path).port


def _check_code(config: SessionConfig) -> None:
    """Raises UserError(USAGE) for a code that cannot be one."""
    if config.code is not None:
        try:
            normalise(config.code)
        except Refused as refusal:
            raise UserError(refusal.reason, Exit.USAGE) from None


def _warm_up() -> None:
    """Loads the group and its tables while players still wait in the lobby; about 0.2 s the first time."""
    for table in ("BASE", "CARDS", "GENERATORS", "G_STAR"):
        getattr(group, table)


def _heard_of(addresses: tuple[str | None, ...], table: PendingTable) -> bool:
    """Whether a seat of that table was at one of these addresses before."""
    return any(
        address in known for known in read_addresses(table.path).seats.values() for address in addresses
    )
