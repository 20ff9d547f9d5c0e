"""`tongits tables`: what is announced on this network.

Owns the search from a command line and how a row is printed. Joins nothing.
"""

from __future__ import annotations

from argparse import Namespace

import trio

from tongits_lan.cli.as_json import found_object
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.console.found import say_found
from tongits_lan.console.speech import told
from tongits_lan.errors import Exit, UserError
from tongits_lan.net import causes
from tongits_lan.net.announcements import Found
from tongits_lan.net.discovery import Browser, looking
from tongits_lan.net.interfaces import interfaces, usable

SEARCH_SECONDS = 3.0  # all tables of a quiet network have answered by then
_SETTLE_SECONDS = 0.5  # for the ping of a table heard last


def run(options: Namespace) -> int:
    """Prints a row per table; without any, after PATIENCE_SECONDS, the likely causes (on stderr)."""
    if options.no_discovery:
        raise UserError("With --no-discovery no table can be looked for: leave it out.", Exit.USAGE)
    found, problem = search(options, patience=causes.PATIENCE_SECONDS)
    for table in found:
        if options.json:
            emit(found_object(table))
        else:
            say(say_found(table))
    if problem is not None and not found:
        raise UserError(problem, Exit.FAILED)
    if not found:
        for line in causes.nothing_found(usable(interfaces(options.interface))):
            complain(told(line))
    return Exit.DONE


def search(options: Namespace, *, patience: float) -> tuple[tuple[Found, ...], str | None]:
    """The tables heard in SEARCH_SECONDS, or as soon after as one is heard within `patience` seconds in all;
    and why nothing could be heard, if so. Raises UserError(USAGE) for an interface that is not there."""
    look = looking(options.interface)
    look()  # a wrong --interface is told at once
    return trio.run(_search, Browser(look), patience)


async def _search(browser: Browser, patience: float) -> tuple[tuple[Found, ...], str | None]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.run)
        await trio.sleep(SEARCH_SECONDS)
        with trio.move_on_after(patience - SEARCH_SECONDS):
            while not browser.found and browser.problem is None:
                await browser.wait_changed()
            if any(table.ping_ms is None for table in browser.found):
                await trio.sleep(_SETTLE_SECONDS)
        found, problem = browser.found, browser.problem
        nursery.cancel_scope.cancel()
    return found, problem
