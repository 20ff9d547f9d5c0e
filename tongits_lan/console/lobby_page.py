"""The page before the table: who sits, who is ready, how the others get here.

Owns its lines; like all drawing it reads no clock and asks nothing.
"""

from tongits_lan.console import looking, overlays, parts
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.boxes import BLANK, Line, line, wrap
from tongits_lan.console.keys import Mode
from tongits_lan.console.pages import framed
from tongits_lan.console.ui import Screen, mode_of
from tongits_lan.game.combinations import rules_name
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.lobby import LobbyView


def lobby(screen: Screen, view: LobbyView) -> list[Line]:
    """Before the table: who sits, who is ready, where to find this table."""
    ui = screen.ui
    room = screen.columns - 4
    mode = mode_of(ui, view)
    if ui.overlay is not None:
        return overlays.before_the_table(screen, view)
    if view.looking:
        return _looking(screen, view, mode)
    body: list[Line] = [BLANK]
    if view.hosting and view.addresses:
        body.append(
            line("The table is open.  The others type:  ", ("class:key", f"tongits join {view.addresses[0]}"))
        )
        body.extend(line(("class:dim", f"    or {address}")) for address in view.addresses[1:3])
    elif not view.hosting:
        body.append(line("You are at the door of the table." if view.me is None else "You sit at the table."))
    body.append(BLANK)
    body.extend(_seats(view))
    body.append(BLANK)
    rules = rules_name(view.rules) if view.rules is not None else "not known yet"
    body.append(line(f"Rules: {rules}", ("class:dim", "   (o shows them in words)")))
    if view.countdown is not None:
        body.append(line(("class:turn", f"All are ready: the table begins in {view.countdown:.0f} s.")))
    if view.message:
        body.extend(line(("class:note", text)) for text in wrap(clean(view.message, CHAT_MAX), room))
    body.append(BLANK)
    body.extend(_lobby_prompt(screen, view, mode, room))
    free = screen.rows - 3 - len(body) - 1
    if ui.log and free > 1:
        body.append(BLANK)
        body.extend(parts.log_lines(ui.log, room, free))
    title = line(("class:title", "TONGITS"), "  before the table")
    foot = line(("class:dim", " Enter ready  c chat  o rules  ? help  q leave"))
    return framed(ui.skin, screen.columns, screen.rows, title, body, foot)


def _looking(screen: Screen, view: LobbyView, mode: Mode) -> list[Line]:
    body = looking.lines(screen, view, mode, screen.columns - 4)
    title = line(("class:title", "TONGITS"), "  find a table")
    foot = line(("class:dim", " 1-9 join  ? help  q leave"))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def _seats(view: LobbyView) -> list[Line]:
    lines = []
    for at in range(3):
        if at >= len(view.seats):
            lines.append(line(("class:dim", f"{at + 1}  (waiting for a player)")))
            continue
        seat = view.seats[at]
        who = f" (bot of {seat.operator})" if seat.bot else " (you)" if at == view.me else ""
        ready = ("class:turn", "ready    ") if seat.ready else ("", "not ready")
        words = ("class:dim", f"  {' '.join(seat.fingerprint)}")
        lines.append(line(f"{at + 1}  {parts.fit_text(seat.name + who, 28)} ", ready, words))
    return lines


def _lobby_prompt(screen: Screen, view: LobbyView, mode: Mode, room: int) -> list[Line]:
    ui = screen.ui
    note = [line(("class:note", text)) for text in wrap(ui.note, room)] if ui.note else []
    if mode is Mode.QUIT:
        return [
            line(("class:key", "k"), "  leave and close the program      ", ("class:key", "Esc"), "  stay"),
            *note,
        ]
    if mode is Mode.CHAT:
        return [line(("class:key", "> "), (ui.chatting or "")[-(room - 4) :], ("class:cursor", "_")), *note]
    if mode is Mode.PHRASE:
        return [line(("class:key", f"{n}  "), text) for n, text in enumerate(PHRASES, 1)]
    is_ready = view.me is not None and view.me < len(view.seats) and view.seats[view.me].ready
    return [line(("class:key", "Enter"), "  I am not ready after all" if is_ready else "  I am ready"), *note]
