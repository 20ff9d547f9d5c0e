"""The page of a guest who looks for a table: what is found, numbered, or why nothing is.

Owns its lines; like all drawing it reads no clock and asks nothing.
"""

from tongits_lan.console.boxes import BLANK, Line, cells, line, width, wrap
from tongits_lan.console.found import say_version, say_versions, short
from tongits_lan.console.keys import Mode
from tongits_lan.console.parts import fit_text
from tongits_lan.console.speech import told, tr
from tongits_lan.console.ui import Screen
from tongits_lan.net.announcements import Found
from tongits_lan.net.lobby import LobbyView

NUMBERED = 9  # tables that have a key; more of them are only shown
_NARROW, _WIDE = 70, 100
_COLUMNS = ((22, 6), (28, 9), (34, 12))
"""Cells for whose table it is and for its rules: in a narrow, a usual and a wide window."""


def lines(screen: Screen, view: LobbyView, mode: Mode, room: int) -> list[Line]:
    """The list, the causes if there are any, and what can be done."""
    body: list[Line] = [BLANK, line(tr("Looking for tables on this network ...")), BLANK]
    for number, table in enumerate(view.tables, 1):
        body.append(table_row(number, table, room))
    for hint in view.hints:
        body.extend(line(("class:warn", text)) for text in wrap(told(hint), room))
    body.append(BLANK)
    if mode is Mode.QUIT:
        body.append(
            line(
                ("class:key", "k"),
                f"  {tr('stop looking and close the program')}      ",
                ("class:key", "Esc"),
                f"  {tr('stay')}",
            )
        )
    elif view.tables:
        body.append(line(("class:key", "1-9"), f"  {tr('join that table')}"))
    else:
        body.append(line(("class:dim", tr("A table that is opened now appears here by itself."))))
    if screen.ui.note:
        body.extend(line(("class:note", text)) for text in wrap(screen.ui.note, room))
    return body


def table_row(number: int, table: Found, room: int) -> Line:
    """One table of the list; in a narrow window the versions are said in fewer words."""
    can_join = table.fits and not table.full
    mark = ("class:key" if can_join else "class:dim", f"{number}  " if number <= NUMBERED else "   ")
    whose, rules = _COLUMNS[0 if room < _NARROW else 1 if room < _WIDE else 2]
    name = ("" if can_join else "class:dim", f"{fit_text(short(table, whose), whose)} ")
    ping = tr("no answer") if table.ping_ms is None else f"{table.ping_ms:.0f} ms"
    begun = line(mark, name, ("class:dim", f"{fit_text(table.preset, rules)} "))
    full, brief = say_version(table), say_versions(table)
    for rest in (f"{full}  {ping}", f"{brief}  {ping}"):
        if cells(begun) + width(rest) <= room:
            return (*begun, ("class:dim", rest))
    return (*begun, ("class:dim", brief))
