"""`tongits play`, `host` and `join`: a session, and the front end that suits the place it is started from."""

from __future__ import annotations

import os
import random
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import msgspec
import trio

from tongits_lan.cli import logfile, native, preferences, seats
from tongits_lan.cli.output import say
from tongits_lan.console.notices import say_proof
from tongits_lan.console.skins import Skin, skin_for
from tongits_lan.console.speech import tr
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import Session

if TYPE_CHECKING:
    from tongits_lan.cli.lines import Printer

Follow = Callable[[Session, seats.Play], int]
"""Shows a table to its end; returns the exit code."""


def run(options: Namespace) -> int:
    """Sits down and plays; returns the exit code of the front end.

    `play` without a terminal plays one hand by itself in plain mode and checks its ledger."""
    alone = options.command == "play" and not _terminal() and not seats.line_mode(options)
    if alone:
        options.auto = options.plain = options.new = True
    elif not _terminal() and not seats.line_mode(options):
        raise UserError(
            "The full screen needs a terminal, and this is none: use --plain, --json or --auto.", Exit.USAGE
        )
    if alone:
        say(tr("There is no terminal here, so the program plays one hand by itself."))
    code, session = sit(options, alone=alone)
    if alone and code == Exit.DONE:
        return _check(session)
    return code


def sit(
    options: Namespace, *, alone: bool = False, found: tuple[str, ...] = (), menu: bool = False
) -> tuple[int, Session]:
    """Opens or joins a table, that `found` at these addresses or as the options say, and follows it to its
    end: the exit code, and the session as it ended. With a `menu` to go back to, it ends when a table is put
    aside; else another one is begun."""
    logfile.start_log(options)
    native.load()
    sitting = partial(_sit, options, *_open(options, alone=alone, found=found), menu=menu)
    if seats.full_screen(options):
        return sitting(partial(_on_screen, options))
    from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
    from tongits_lan.cli.spool import way_out

    printer = JsonPrinter if options.json else PlainPrinter
    numbers = count(1)
    with way_out(sys.stdout, printer.left_out) as out:
        return sitting(lambda session, play: _in_lines(options, session, play, printer(out), numbers))


def _sit(
    options: Namespace, session: Session, play: seats.Play, follow: Follow, *, menu: bool
) -> tuple[int, Session]:
    """One table after another."""
    code = follow(session, play)
    while code == Exit.DONE and session.next_config is not None:
        if menu and session.next_config.again is None:
            break
        session, play = seats.next_table(options, session)
        code = follow(session, play)
    return code, session


def _terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _open(options: Namespace, *, alone: bool, found: tuple[str, ...]) -> tuple[Session, seats.Play]:
    if options.command == "join":
        return seats.join_table(options, found)
    rules = seats.table_rules(options)
    if alone:
        rules = msgspec.structs.replace(rules, hands=1)
    return seats.open_table(options, rules, 2 if options.command == "play" else options.bots)


def _on_screen(options: Namespace, session: Session, play: seats.Play) -> int:
    from tongits_lan.console.app import ConsoleOptions, run_fullscreen

    shown = ConsoleOptions(
        ascii=options.ascii,
        color=_color(options),
        settings=preferences.load(options),
        keep=partial(preferences.keep, options),
    )
    code = run_fullscreen(session, shown, run=play)
    if session.ledger_path is not None:
        say(tr("The game is kept in {path}", path=session.ledger_path))
    if session.evidence_path is not None:
        say(say_proof(session.evidence_path))
    if isinstance(session.view, TableView) and session.view.closed and session.view.records_count:
        say(tr("To paste the score into a chat: tongits history --summary"))
    return code


def _in_lines(
    options: Namespace, session: Session, play: seats.Play, printer: Printer, numbers: Iterator[int]
) -> int:
    from tongits_lan.cli.lines import LineTable

    rng = random.Random(os.urandom(16)) if options.auto else None
    settings = preferences.load(options)
    table = LineTable(
        session, play, printer, _skin(options), rng, settings, partial(preferences.keep, options), numbers
    )
    return trio.run(table.run)


def _skin(options: Namespace) -> Skin:
    return skin_for(sys.stdout.encoding, os.environ, ascii_only=options.ascii)


def _color(options: Namespace) -> bool:
    return not (options.no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")


def _check(session: Session) -> int:
    """Verifies the ledger of the hand just played, with every proof, and says so."""
    from tongits_lan.cli import verify

    path = session.ledger_path
    assert path is not None
    report = verify.check(path, proofs=True)
    say(tr("The ledger is checked again from the file, with every proof:"))
    for sentence in verify.brief(report):
        say(f"  {sentence}")
    return verify.EXIT_OF_STATUS[report.status]
