"""The menu as numbered lines, for screen readers and pipes.

Owns how it is asked and answered a line at a time; what it offers is the console's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from tongits_lan.cli.output import say
from tongits_lan.console.door import Door, Page, Reading, items, options, press
from tongits_lan.console.door_page import reading_lines
from tongits_lan.console.speech import tr, trn


def ask(door: Door, report: Callable[[], Sequence[str]]) -> Door:
    """Asks until something is chosen; end of input leaves."""
    if door.note:
        say(door.note)
    while door.chosen is None and not door.left:
        shown = _shown(door)
        for text in shown:
            say(text)
        line = sys.stdin.readline()
        if not line:
            return replace(door, left=True)
        before, door = door, _answered(door, line.strip())
        if door == before and line.strip():
            say(tr("There is no such choice."))
        if door.note:
            say(door.note)
        if door.page is Page.READ:
            texts = report() if door.reading is Reading.NETWORK else reading_lines(door)
            for text in texts:
                say(text)
            door = press(door, "enter")
    return door


def _shown(door: Door) -> list[str]:
    match door.page:
        case Page.NAME:
            return [tr("Your name ({name})?", name=door.typed) if door.typed else tr("Your name?")]
        case Page.SETUP:
            return _setup(door)
        case Page.OPTIONS:
            lines = [f"  {at}  {one.label}: {one.state}" for at, one in enumerate(options(door), 1)]
            return [tr("Options"), *lines, f"  q  {tr('back')}"]
        case Page.TABLES | Page.ADDRESS:
            return [
                tr("The address on the host's screen, like 192.168.1.20 (nothing: look for tables; q: back)?")
            ]
        case _:
            lines = [f"  {at}  {item.label}" for at, item in enumerate(items(door), 1)]
            return [tr("{name}, what now?", name=door.name), *lines, f"  q  {tr('leave')}"]


def _setup(door: Door) -> list[str]:
    setup = door.setup
    what = tr("Practice") if setup.command == "play" else tr("A table")
    turn = tr("no limit for a turn")
    if setup.turn_seconds:
        turn = tr("{seconds} s a turn", seconds=setup.turn_seconds)
    hands = (
        trn("closes after {count} hand", "closes after {count} hands", setup.hands)
        if setup.hands
        else tr("no last hand")
    )
    facts = [tr("rules {name}", name=setup.rules), turn, hands]
    if setup.command == "host" and setup.bots:
        facts.append(tr("one seat for a bot"))
    keys = [
        ("Enter", tr("open the table")),
        ("r", tr("the next rule set")),
        ("v", tr("read this rule set")),
        ("t", tr("seconds for a turn")),
        ("n", tr("hands until the table closes")),
    ]
    keys += [("b", tr("how many seats bots take (host)"))] if setup.command == "host" else []
    lines = [f"  {key}  {does}" for key, does in [*keys, ("q", tr("back"))]]
    return [f"{what}: {', '.join(facts)}.", *lines]


def _answered(door: Door, line: str) -> Door:
    match door.page:
        case Page.NAME:
            typed = replace(door, typed=line) if line else door
            return press(typed, "enter")
        case Page.TABLES | Page.ADDRESS:
            return _address(door, line)
        case _:
            return press(door, line[:1] if line else "enter") if line or door.page is Page.SETUP else door


def _address(door: Door, line: str) -> Door:
    from tongits_lan.console.door import Chosen

    if line == "q":
        return replace(door, page=Page.HOME)
    if not line:
        return replace(door, chosen=Chosen("join"))
    return press(replace(door, page=Page.ADDRESS, typed=line), "enter")
