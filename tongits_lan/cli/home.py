"""`tongits` without a command: the menu, what was chosen in it, and the menu again when that is over.

Owns the way from a chosen line to the command that does it. Draws nothing; without a full screen the same
menu is numbered lines.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from tongits_lan.cli import arguments, places, preferences
from tongits_lan.cli.output import complain
from tongits_lan.console.skins import skin_for
from tongits_lan.console.speech import told, tr
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import mark, phrase

if TYPE_CHECKING:
    from tongits_lan.console.door import Chosen, Door, Unfinished
    from tongits_lan.net.interfaces import Interface
    from tongits_lan.store.journal import PendingTable

_COMMON = (
    *("ascii", "no_color", "plain", "data_dir", "log_file", "verbose"),
    *("interface", "no_discovery", "name", "port"),
)


def run(options: Namespace) -> int:
    """Shows the menu until the player leaves it or a table he wants to go on with later."""
    note: str | None = None
    while True:
        before = _opened(options, note)
        if options.plain:
            from tongits_lan.cli.home_lines import ask

            door, code = ask(before, lambda: _report(options)), int(Exit.DONE)
        else:
            door, code = _full_screen(options, before)
        _keep(options, before, door)
        if door.chosen is None or code != Exit.DONE:
            return code
        note, code = _sit_down(options, door.chosen)
        if note is None:
            return code


def _keep(options: Namespace, before: Door, door: Door) -> None:
    """Keeps what the player has changed in the menu."""
    chosen = door.settings
    if door.name != before.name:
        chosen = replace(chosen, name=door.name)
        options.name = None  # the one chosen in the menu counts from now on
    if chosen != before.settings:
        preferences.keep(options, chosen)


def _opened(options: Namespace, note: str | None) -> Door:
    from tongits_lan.cli.preferences import own_name
    from tongits_lan.console.door import opened

    settings = preferences.load(options)
    skin = skin_for(sys.stdout.encoding, os.environ, ascii_only=options.ascii or settings.letters)
    name = settings.name if options.name is None else own_name(options)
    door = opened(name, own_name(options), skin, note=note, settings=settings)
    return replace(door, unfinished=unfinished(options), looks=not options.no_discovery)


def _full_screen(options: Namespace, door: Door) -> tuple[Door, int]:
    from tongits_lan.console.door_app import Browsing, Surroundings, run_door

    def known() -> tuple[Interface, ...]:
        from tongits_lan.net.interfaces import interfaces, usable

        return usable(interfaces(options.interface))

    def browser() -> Browsing:
        from tongits_lan.net.discovery import Browser, looking

        return Browser(looking(options.interface))

    around = Surroundings(known, None if options.no_discovery else browser, lambda: _report(options))
    color = not (options.no_color or os.environ.get("NO_COLOR"))
    return run_door(door, around, color=color)


def _report(options: Namespace) -> Sequence[str]:
    """What `tongits doctor` says."""
    from tongits_lan.cli import doctor

    asked = Namespace(**{**vars(options), "port": None, "json": False})
    return doctor.in_words(doctor.examine(asked, doctor.Machine()))


def unfinished(options: Namespace) -> tuple[Unfinished, ...]:
    """The newest table with people that can go on, and the newest one with bots of this machine alone."""
    from tongits_lan.console.door import Unfinished

    folder = places.data_dir(options)
    if not any((folder / "private").glob("*.secret")):
        return ()  # as at every first start, which then need not load what reads tables
    from tongits_lan.store.identity import load_or_make_identity
    from tongits_lan.store.journal import pending_tables

    me = load_or_make_identity(folder).pk
    found: dict[bool, Unfinished] = {}
    for table in pending_tables(folder, me):
        alone = table.own_bots(me) == len(table.descriptor.seats) - 1
        if alone not in found:
            found[alone] = Unfinished(_label(table, alone=alone), _going_on(table, me))
    return tuple(found[alone] for alone in (False, True) if alone in found)


def _label(table: PendingTable, *, alone: bool) -> str:
    names = [name for at, name in enumerate(table.descriptor.names) if at != table.me]
    day = f"{datetime.fromtimestamp(table.descriptor.unix_seconds):%d %b, %H:%M}"
    text = mark("Go on with {one} and {other}  ({day})")
    if alone:
        text = mark("Go on practising with {one} and {other}  ({day})")
    return phrase(text, one=names[0], other=names[1], day=day)


def _going_on(table: PendingTable, me: bytes) -> Chosen:
    from tongits_lan.console.door import Chosen

    match table.own_bots(me):
        case 2:
            return Chosen("play", bots=2, fresh=False)
        case 1:
            return Chosen("host", bots=1, fresh=False)
        case _:
            return Chosen("join", fresh=False)


def words_of(chosen: Chosen) -> list[str]:
    """The command line that does what was chosen."""
    words: list[str] = [chosen.command]
    if chosen.command == "join":
        words += [chosen.address] if chosen.address is not None else []
    else:
        words += ["--rules", chosen.rules]
        words += ["--hands", str(chosen.hands)] if chosen.hands else []
        words += ["--bots", str(chosen.bots)] if chosen.command == "host" else []
    return [*words, "--new"] if chosen.fresh else words


def _sit_down(options: Namespace, chosen: Chosen) -> tuple[str | None, int]:
    """Plays what was chosen: what to say on the menu afterwards (None: leave it), and an exit code."""
    from tongits_lan.cli import play
    from tongits_lan.ledger.views import TableView
    from tongits_lan.net.lobby import LobbyView

    asked = arguments.parse(words_of(chosen))
    for name in _COMMON:
        setattr(asked, name, getattr(options, name))
    asked.turn_seconds = chosen.turn_seconds
    try:
        code, session = play.sit(asked, found=chosen.found, menu=True)
    except UserError as error:
        if options.plain:
            complain(told(error.text))
        return told(error.text), int(error.exit_code)
    view = session.view
    if code == Exit.DONE and session.next_config is not None:
        return tr("Your table stays pending; it is the first line here."), code
    if code == Exit.DONE and isinstance(view, LobbyView):
        return tr("You left before the table began."), code
    if code == Exit.DONE and isinstance(view, TableView) and view.closed:
        mine = view.match.chips[view.me]
        ended = tr(
            "The table is closed. You ended it with {n} chips: {path}", n=mine, path=session.ledger_path
        )
        return ended, code
    return None, code


def may_ask(options: Namespace) -> bool:
    """Whether there is somebody to show a menu to."""
    if options.json or options.auto:
        return False
    full = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return bool(options.plain or full)
