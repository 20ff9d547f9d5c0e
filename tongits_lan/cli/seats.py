"""Who sits down with what: sessions made from the command line, and the two bots of a practice table.

The only place where entropy is opened. Knows folders and names; no rule, no message.
"""

from __future__ import annotations

import os
import random
from argparse import Namespace
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec
import trio

from tongits_lan.bots import NEIGHBOURS, Neighbour, temper_of
from tongits_lan.cli import places
from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.preferences import own_name
from tongits_lan.cli.rule_sets import rule_sets
from tongits_lan.cli.rules import rule_set
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import cause, phrase
from tongits_lan.ledger.views import TableView
from tongits_lan.net.config import Summons
from tongits_lan.net.interfaces import interfaces
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session
from tongits_lan.net.transport import EVERYWHERE, is_loopback, join_address
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import pending_tables

LOOPBACK = "127.0.0.1"
BOTS = 2  # at a practice table
_CODE_MAX = 100  # letters of a file with a code

Play = Callable[[], Awaitable[None]]


def line_mode(options: Namespace) -> bool:
    """Whether lines were asked for in place of the screen."""
    return bool(options.plain or options.json or options.auto)


def full_screen(options: Namespace) -> bool:
    """Whether the table is shown on the full screen."""
    return not line_mode(options) and os.environ.get("TERM") != "dumb"


def table_rules(options: Namespace) -> Rules:
    """The rule set asked for, closed after the hands asked for (else as the rule set says)."""
    rules = rule_set(options.rules)
    if options.turn_seconds:
        rules = msgspec.structs.replace(rules, turn_seconds=options.turn_seconds)
    return rules if options.hands is None else msgspec.structs.replace(rules, hands=options.hands)


def listening_on(options: Namespace) -> str:
    """The address a session listens on: as asked, else every one; practice stays on this machine."""
    if options.bind is not None:
        return str(options.bind)
    return LOOPBACK if options.command == "play" else ""


def discovers(options: Namespace) -> bool:
    """Whether a session announces and looks: not for practice, nor on this machine alone.

    Raises UserError(USAGE) for a network interface that is not there."""
    if options.interface is not None:
        interfaces(options.interface)
    alone = options.bind is not None and is_loopback(options.bind)
    return options.command != "play" and not options.no_discovery and not alone


def open_table(options: Namespace, rules: Rules, bots: int | None) -> tuple[Session, Play]:
    """A session that hosts, with so many bots of this machine (None: as the table that goes on had)."""
    rng = random.Random(os.urandom(16))
    pk = load_or_make_identity(places.data_dir(options)).pk
    names = company(options, pk, bots, rng)
    session = host_session(
        SessionConfig(
            name=own_name(options),
            data_dir=places.data_dir(options),
            entropy=os.urandom,
            bind=listening_on(options),
            port=options.port,
            discovery=discovers(options),
            interface=options.interface,
            rules=rules,
            rule_sets=partial(rule_sets, options),
            bots=len(names),
            call_bot=partial(_bot, options, rng),
            waits_for_words=not options.auto,
            fresh=options.new,
            code=join_code(options),
            open_table=options.open or bots == BOTS,
            asks=not options.auto,
            lingers=full_screen(options),
        )
    )
    return _with_bots(session, names)


def next_table(options: Namespace, before: Session) -> tuple[Session, Play]:
    """The session that follows one that asked for another table, with the bots that sat there."""
    config = before.next_config
    assert config is not None
    if not before.hosts:
        session = join_session(config)
        return session, session.run
    view = before.view
    names: list[str] = []
    if config.again is not None and isinstance(view, TableView):
        names = [name for name, bot in zip(view.names, view.bots, strict=True) if bot]
    return _with_bots(host_session(config), names)


def _with_bots(session: Session, names: Sequence[str]) -> tuple[Session, Play]:
    """A host's session with these bots called in; where nobody else is waited for, its player is ready."""
    try:
        for name in names:
            session.add_bot(name)
    except Refused as refusal:
        session.close()
        raise UserError(refusal.reason, Exit.FAILED) from refusal
    if len(names) == BOTS:
        session.set_ready(True)
    return session, session.run


def join_code(options: Namespace) -> str | None:
    """The join code given with --code or in a file. Raises UserError(USAGE) for an unreadable file."""
    if options.code_file is None:
        return None if options.code is None else str(options.code)
    try:
        with open(options.code_file, encoding="ascii", errors="replace") as file:
            return file.read(_CODE_MAX).strip()
    except OSError as error:
        raise UserError(
            phrase(
                "The join code in {path} cannot be read ({why}): give it with --code.",
                path=options.code_file,
                why=cause(error),
            ),
            Exit.USAGE,
        ) from None


def company(options: Namespace, pk: bytes, bots: int | None, rng: random.Random) -> list[str]:
    """The bots to begin with: those of the unfinished table that goes on now, else so many neighbours.

    Without a number an unfinished table counts whether a bot of this machine sits there or none; one with two
    of them is practice."""
    tables = [] if options.new else pending_tables(places.data_dir(options), pk, stopped=True)
    for table in tables:
        own = table.own_bots(pk)
        if own == bots or (bots is None and own < BOTS):
            return [seat.name for seat in table.descriptor.seats if seat.operator_pk == pk != seat.pk]
    return [one.name for one in rng.sample(NEIGHBOURS, bots or 0)]


def join_table(options: Namespace, found: tuple[str, ...] = ()) -> tuple[Session, Play]:
    """A session that joins the table at the address asked for, or found at all of these."""
    session = join_session(
        SessionConfig(
            name=own_name(options),
            data_dir=places.data_dir(options),
            entropy=os.urandom,
            bind=listening_on(options),
            port=options.port,
            discovery=discovers(options),
            interface=options.interface,
            address=options.address,
            found=found,
            waits_for_words=not options.auto,
            fresh=options.new,
            code=join_code(options),
            open_table=options.open,
            asks=not options.auto,
            lingers=full_screen(options),
        )
    )
    return session, session.run


@dataclass(frozen=True, slots=True)
class _Helper:
    """A bot with its own key, seeds and files, which joins over loopback and knows its host by the key."""

    neighbour: Neighbour
    session: Session

    @property
    def name(self) -> str:
        """The neighbour's."""
        return self.neighbour.name

    @property
    def pk(self) -> bytes:
        """Its 32-byte public key."""
        return self.session.identity_pk

    async def play(self) -> None:
        """Sits down and plays. Raises UserError."""
        failure: UserError | None = None
        async with trio.open_nursery() as nursery:
            rng = random.Random(os.urandom(16))
            nursery.start_soon(autoplay, self.session, rng, None, self.neighbour.temper)
            try:
                await self.session.run()
            except UserError as error:
                failure = error
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Gives its port back."""
        self.session.close()


def _bot(options: Namespace, rng: random.Random, summons: Summons) -> _Helper:
    """The neighbour who is called to a table, else any who does not sit there. Raises UserError."""
    name = summons.name
    if name is None:
        name = rng.choice([one.name for one in NEIGHBOURS if one.name not in summons.taken])
    bind = listening_on(options)
    address = LOOPBACK if bind in EVERYWHERE else bind
    config = SessionConfig(
        name=name,
        data_dir=places.data_dir(options) / "bots" / name.lower().replace(" ", "-"),
        entropy=os.urandom,
        address=join_address(address, summons.port),
        waits_for_words=False,
        operator_pk=summons.operator_pk,
        expect_pk=summons.operator_pk,
        asks=False,
    )
    return _Helper(Neighbour(name, temper_of(name)), join_session(config))
