"""Who sits down with what: sessions made from the command line, and the two bots of a practice table.

The only place where entropy is opened. Knows folders and names; no rule, no message.
"""

from __future__ import annotations

import os
import random
from argparse import Namespace
from collections.abc import Awaitable, Callable

import msgspec
import trio

from tongits_lan.bots import NEIGHBOURS, Neighbour, Temper, temper_of
from tongits_lan.cli import places
from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.preferences import own_name
from tongits_lan.cli.rules import rule_set
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.views import TableView
from tongits_lan.net.interfaces import interfaces
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session
from tongits_lan.net.transport import is_loopback
from tongits_lan.store.journal import pending_tables

LOOPBACK = "127.0.0.1"
BOTS = 2  # at a practice table
_CODE_MAX = 100  # letters of a file with a code
ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound

Play = Callable[[], Awaitable[None]]


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


def open_table(options: Namespace, rules: Rules, bots: int) -> tuple[Session, Play]:
    """A session that hosts, and what runs it together with the bots of this machine."""
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
            bots=bots,
            waits_for_words=not options.auto and bots < BOTS,
            fresh=options.new,
            code=join_code(options),
            open_table=options.open or bots == BOTS,
            asks=not options.auto,
        )
    )
    company = neighbours(options, session.identity_pk, bots, random.Random(os.urandom(16)))
    return session, _with_bots(session, options, company)


def next_table(options: Namespace, before: Session) -> tuple[Session, Play]:
    """The session that follows one that asked for another table, with the bots that sat there."""
    config = before.next_config
    assert config is not None
    if not before.hosts:
        session = join_session(config)
        return session, session.run
    session = host_session(config)
    view = before.view
    names: list[str] = []
    if config.again is not None and isinstance(view, TableView):
        names = [name for name, bot in zip(view.names, view.bots, strict=True) if bot]
    company = [Neighbour(name, temper_of(name)) for name in names]
    if len(company) != config.bots:
        company = random.Random(os.urandom(16)).sample(NEIGHBOURS, config.bots)
    return session, _with_bots(session, options, company)


def _with_bots(session: Session, options: Namespace, company: list[Neighbour]) -> Play:
    """What runs a host's session together with the bots of this machine."""
    helpers = [_bot(session, options, one) for one in company]
    for helper in helpers:
        session.seat_bot(helper.identity_pk)
    if len(company) == BOTS:
        session.set_ready(True)  # nobody else is waited for
    return lambda: _run_together(session, list(zip(helpers, company, strict=True)))


def join_code(options: Namespace) -> str | None:
    """The join code given with --code or in a file. Raises UserError(USAGE) for an unreadable file."""
    if options.code_file is None:
        return None if options.code is None else str(options.code)
    try:
        with open(options.code_file, encoding="ascii", errors="replace") as file:
            return file.read(_CODE_MAX).strip()
    except OSError as error:
        raise UserError(
            f"The join code in {options.code_file} cannot be read ({error.strerror}): give it with --code.",
            Exit.USAGE,
        ) from None


def neighbours(options: Namespace, pk: bytes, bots: int, rng: random.Random) -> list[Neighbour]:
    """So many neighbours: those who sit at the unfinished table that goes on now, else any."""
    tables = [] if options.new or not bots else pending_tables(places.data_dir(options), pk)
    table = next((table for table in tables if table.bots == bots), None)
    if table is None:
        return rng.sample(NEIGHBOURS, bots)
    names = [seat.name for seat in table.descriptor.seats if seat.operator_pk != seat.pk]
    return [Neighbour(name, temper_of(name)) for name in names]


def join_table(options: Namespace) -> tuple[Session, Play]:
    """A session that joins the table at the address asked for."""
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
            waits_for_words=not options.auto,
            fresh=options.new,
            code=join_code(options),
            open_table=options.open,
            asks=not options.auto,
        )
    )
    return session, session.run


def _bot(host: Session, options: Namespace, neighbour: Neighbour) -> Session:
    """A bot with its own key, seeds and files, which joins over loopback and knows this host by its key."""
    port = host.listening[0].rpartition(":")[2]
    bind = listening_on(options)
    address = LOOPBACK if bind in ANY_ADDRESS else bind
    folder = places.data_dir(options) / "bots" / neighbour.name.lower().replace(" ", "-")
    config = SessionConfig(
        name=neighbour.name,
        data_dir=folder,
        entropy=os.urandom,
        address=f"{address}:{port}",
        waits_for_words=False,
        operator_pk=host.identity_pk,
        expect_pk=host.identity_pk,
        asks=False,
    )
    return join_session(config)


async def _run_together(session: Session, helpers: list[tuple[Session, Neighbour]]) -> None:
    """Runs the host and its bots in one place; ends when the host's own session ends."""
    async with trio.open_nursery() as nursery:
        for helper, neighbour in helpers:
            nursery.start_soon(_run_bot, helper, neighbour.temper)
        await session.run()
        nursery.cancel_scope.cancel()


async def _run_bot(helper: Session, temper: Temper) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(autoplay, helper, random.Random(os.urandom(16)), None, temper)
        await helper.run()
        nursery.cancel_scope.cancel()
