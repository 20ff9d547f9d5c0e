"""Who sits down with what: sessions made from the command line, and the two bots of a practice table.

The only place where entropy is opened. Knows folders and names; no rule, no message.
"""

from __future__ import annotations

import getpass
import os
import random
from argparse import Namespace
from collections.abc import Awaitable, Callable

import msgspec
import trio

from tongits_lan.cli import places
from tongits_lan.cli.auto import autoplay
from tongits_lan.cli.rules import rule_set
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.net.session import Session, SessionConfig, host_session, join_session

BOT_NAMES = ("Mang Berto", "Aling Nena")
SOMEBODY = "Player"
ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound

Play = Callable[[], Awaitable[None]]


def own_name(options: Namespace) -> str:
    """The name asked for, else the name of this account, else "Player"; cleaned and cut."""
    if options.name is not None:
        return clean(options.name, NAME_MAX) or SOMEBODY
    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return SOMEBODY
    return clean(account[:1].upper() + account[1:], NAME_MAX) or SOMEBODY


def table_rules(options: Namespace) -> Rules:
    """The rule set asked for, closed after the hands asked for (else as the rule set says)."""
    rules = rule_set(options.rules)
    return rules if options.hands is None else msgspec.structs.replace(rules, hands=options.hands)


def open_table(options: Namespace, rules: Rules, bots: int) -> tuple[Session, Play]:
    """A session that hosts, and what runs it together with the bots of this machine."""
    session = host_session(
        SessionConfig(
            name=own_name(options),
            data_dir=places.data_dir(options),
            entropy=os.urandom,
            bind=options.bind,
            port=options.port,
            rules=rules,
            bots=bots,
            waits_for_words=not options.auto and bots < len(BOT_NAMES),
            fresh=options.new,
        )
    )
    helpers = [_bot(session, options, name) for name in BOT_NAMES[:bots]]
    for helper in helpers:
        session.seat_bot(helper.identity_pk)
    if bots == len(BOT_NAMES):
        session.set_ready(True)  # nobody else is waited for
    return session, lambda: _run_together(session, helpers)


def join_table(options: Namespace) -> tuple[Session, Play]:
    """A session that joins the table at the address asked for."""
    session = join_session(
        SessionConfig(
            name=own_name(options),
            data_dir=places.data_dir(options),
            entropy=os.urandom,
            bind=options.bind,
            port=options.port,
            address=options.address,
            waits_for_words=not options.auto,
            fresh=options.new,
        )
    )
    return session, session.run


def _bot(host: Session, options: Namespace, name: str) -> Session:
    """A bot with its own key, seeds and files, which joins over loopback and knows this host by its key."""
    port = host.listening[0].rpartition(":")[2]
    address = "127.0.0.1" if options.bind in ANY_ADDRESS else options.bind
    folder = places.data_dir(options) / "bots" / name.lower().replace(" ", "-")
    config = SessionConfig(
        name=name,
        data_dir=folder,
        entropy=os.urandom,
        address=f"{address}:{port}",
        waits_for_words=False,
        operator_pk=host.identity_pk,
        expect_pk=host.identity_pk,
    )
    return join_session(config)


async def _run_together(session: Session, helpers: list[Session]) -> None:
    """Runs the host and its bots in one place; ends when the host's own session ends."""
    async with trio.open_nursery() as nursery:
        for helper in helpers:
            nursery.start_soon(_run_bot, helper)
        await session.run()
        nursery.cancel_scope.cancel()


async def _run_bot(helper: Session) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(autoplay, helper, random.Random(os.urandom(16)))
        await helper.run()
        nursery.cancel_scope.cancel()
