"""The page before the table: who sits, who is ready, how the others get here, what has to be said first.

Owns its lines; like all drawing it reads no clock and asks nothing.
"""

from calendar import month_abbr

from tongits_lan.console import looking, overlays, parts
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.boxes import BLANK, Line, border, cells, framed, joints, line, row, wrap
from tongits_lan.console.keys import Mode
from tongits_lan.console.people import say_past
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import tr
from tongits_lan.console.ui import Screen, mode_of
from tongits_lan.game.combinations import rules_name
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.words import WORDS
from tongits_lan.limits import CHAT_MAX, NAME_MAX, SEATS
from tongits_lan.net.handshake import Question
from tongits_lan.net.lobby import LobbySeat, LobbyView

_ASKED = (Mode.CODE, Mode.ACCEPT)
_HINTS_MAX = 6  # words of the list that are shown while one is typed
_SEAT_CELLS = 28


def lobby(screen: Screen, view: LobbyView) -> list[Line]:
    """Before the table: who sits, who is ready, where to find this table."""
    ui = screen.ui
    room = screen.columns - 4
    mode = mode_of(ui, view)
    if ui.overlay is not None:
        return overlays.before_the_table(screen, view)
    if view.question is not None:
        return _question(screen, view.question, mode)
    if view.looking:
        return _looking(screen, view, mode)
    asked = _prompt(screen, view, mode, room)
    height = screen.rows - 3
    body = [*_invitation(ui.skin, view, room), *_seats(view, room)]
    if len(body) + len(asked) + 6 <= height:
        body = [*_invitation(ui.skin, view, room), BLANK, *_seats(view, room), BLANK]
    rules = rules_name(view.rules) if view.rules is not None else tr("not known yet")
    body.append(line(tr("Rules: {rules}", rules=rules), ("class:dim", tr("   (o shows them in words)"))))
    body.extend(_when(view))
    if view.message:
        body.extend(line(("class:note", text)) for text in wrap(clean(view.message, CHAT_MAX), room))
    body = [*body[: height - len(asked) - 1], BLANK, *asked]
    free = height - len(body) - 1
    if ui.log and free > 1:
        body.append(BLANK)
        body.extend(parts.log_lines(ui.log, room, free))
    kick = tr("  k ask to leave") if view.hosting and len(view.seats) > 1 else ""
    title = line(("class:title", "TONGITS"), tr("  before the table"))
    foot = line(("class:dim", tr(" Enter ready  c chat{kick}  o options  ? help  q leave", kick=kick)))
    return framed(ui.skin, screen.columns, screen.rows, title, body, foot)


def _invitation(skin: Skin, view: LobbyView, room: int) -> list[Line]:
    """What the host reads aloud, and where the others find this table."""
    if not view.hosting:
        said = tr("You are at the door of the table.") if view.me is None else tr("You sit at the table.")
        return [BLANK, line(said)]
    name = view.seats[view.me].name if view.me is not None else ""
    host = view.addresses[0] if view.addresses else ""
    if view.code is None:
        body = [BLANK, line(tr("The table is open to everybody on this network."))]
    else:
        said = tr("Read this code aloud. The others choose Join a table and see yours.")
        body = [*_big(skin, view.code), *(line(text) for text in wrap(said, room))]
    if host:
        hint = tr("Is {name}'s table not in their list? Then they type the address:", name=name)
        body.extend(line(("class:dim", text)) for text in wrap(hint, room))
        more = "".join(tr("   or {address}", address=address) for address in view.addresses[1:2])
        body.append(line("   ", ("class:key", host), ("class:dim", more)))
    return body


def _big(skin: Skin, code: str) -> list[Line]:
    """The code in a frame of its own, with its letters apart."""
    spread = line(tr("Code  "), ("class:turn", code.upper()))
    inner = cells(spread) + 4
    edge = ((BLANK, BLANK),)
    return [
        border(skin, (inner,), edge, joints(skin, "top")),
        row(skin, (((("", " "), *spread, ("", " ")), inner),)),
        border(skin, (inner,), edge, joints(skin, "bottom")),
    ]


def _when(view: LobbyView) -> list[Line]:
    """When the table begins."""
    if view.countdown is not None:
        seconds = f"{view.countdown:.0f}"
        return [line(("class:turn", tr("All are ready: the table begins in {seconds} s.", seconds=seconds)))]
    missing = SEATS - len(view.seats)
    if missing == 1:
        return [line(("class:dim", tr("The table begins when three are ready; one is missing.")))]
    if missing:
        return [line(("class:dim", tr("The table begins when three are ready; two are missing.")))]
    waiting = [seat.name for seat in view.seats if not seat.ready]
    return [line(("class:dim", tr("Not ready yet: {names}.", names=", ".join(waiting))))] if waiting else []


def _seats(view: LobbyView, room: int) -> list[Line]:
    lines: list[Line] = []
    for at in range(SEATS):
        if at >= len(view.seats):
            lines.append(line(("class:dim", tr("{place}  (waiting for a player)", place=at + 1))))
            continue
        seat = view.seats[at]
        who = ""
        if seat.bot:
            who = tr(" (bot of {operator})", operator=seat.operator or "?")
        elif at == view.me:
            who = tr(" (you)")
        name = parts.fit_text(clean(seat.name, NAME_MAX) + who, _SEAT_CELLS if room > 70 else 14)
        ready = ("class:turn", tr("ready    ")) if seat.ready else ("", tr("not ready"))
        first = line(f"{at + 1}  {name} ", ready, "  ")
        facts = wrap(_known(view, at, seat), max(12, room - cells(first))) or [""]
        lines.append((*first, ("class:dim", facts[0])))
        lines.extend(line(" " * cells(first), ("class:dim", text)) for text in facts[1:])
        if seat.doubted:
            words = " ".join(seat.fingerprint)
            lines.append(line(("class:warn", tr("   OTHER KEY, compare: {words}", words=words))))
    return lines


def _known(view: LobbyView, at: int, seat: LobbySeat) -> str:
    """What is known of a player: host, old friend, or the words of a key never met."""
    if seat.bot or at == view.me:
        return tr("host") if at == 0 and not seat.bot else ""
    if seat.known is None:
        return tr("new: {words}", words=" ".join(seat.fingerprint))
    year, month = seat.known.since
    return tr("since {month}, {past}", month=f"{month_abbr[month]} {year}", past=say_past(seat.known))


def _prompt(screen: Screen, view: LobbyView, mode: Mode, room: int) -> list[Line]:
    ui = screen.ui
    note = [line(("class:note", text)) for text in wrap(ui.note, room)] if ui.note else []
    match mode:
        case Mode.QUIT:
            what = tr("  close this table; the others are told") if view.hosting else tr("  leave this table")
            return [line(("class:key", "k"), what, ("class:key", "      Esc"), tr("  stay")), *note]
        case Mode.CHAT:
            typed = (ui.chatting or "")[-(room - 4) :]
            return [line(("class:key", "> "), typed, ("class:cursor", "_")), *note]
        case Mode.PHRASE:
            return [line(("class:key", f"{n}  "), text) for n, text in enumerate(PHRASES, 1)]
        case Mode.KICK:
            return [
                line(
                    tr("Who is to leave?  "),
                    ("class:key", "1-3"),
                    "      ",
                    ("class:key", "Esc"),
                    tr("  nobody"),
                )
            ]
    if view.doubts:
        yes = line(
            ("class:key", "a"),
            tr("  I have asked: the key is right      "),
            ("class:key", "k"),
            tr("  ask to leave"),
        )
        return [yes if view.hosting else yes[:2], *note]
    is_ready = view.me is not None and view.me < len(view.seats) and view.seats[view.me].ready
    said = tr("  I am not ready after all") if is_ready else tr("  I am ready")
    return [line(("class:key", "Enter"), said), *note]


def _looking(screen: Screen, view: LobbyView, mode: Mode) -> list[Line]:
    body = looking.lines(screen, view, mode, screen.columns - 4)
    title = line(("class:title", "TONGITS"), tr("  find a table"))
    foot = line(("class:dim", tr(" 1-9 join  ? help  q leave")))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


# --- what has to be said first ------------------------------------------------------------------------


def _question(screen: Screen, question: Question, mode: Mode) -> list[Line]:
    """The code is asked for, or whether a key is right."""
    room = screen.columns - 4
    name = clean(question.name, NAME_MAX) or tr("The host")
    body: list[Line] = [BLANK, *(line(text) for text in wrap(_asked(question, name), room)), BLANK]
    if question.asks in ("code", "wrong code"):
        body.extend(_code(screen.ui.code))
        keys = line(
            ("class:key", "Enter"), tr("  give the code      "), ("class:key", "Ctrl-C"), tr("  leave")
        )
    else:
        body.extend([line("     ", ("class:turn", "   ".join(question.fingerprint))), BLANK])
        keys = line(("class:key", "Enter"), tr("  it is so: go on      "), ("class:key", "q"), tr("  leave"))
    if mode is Mode.QUIT:
        keys = line(("class:key", "k"), tr("  leave this table      "), ("class:key", "Esc"), tr("  stay"))
    body.extend([BLANK, keys])
    if screen.ui.note:
        body.extend([BLANK, *(line(("class:note", text)) for text in wrap(screen.ui.note, room))])
    title = line(("class:title", "TONGITS"), tr("  at the door of {name}'s table", name=name))
    foot = line(("class:dim", tr(" Enter go on  Ctrl-C leave")))
    return framed(screen.ui.skin, screen.columns, screen.rows, title, body, foot)


def _asked(question: Question, name: str) -> str:
    match question.asks:
        case "code":
            return tr(
                "{name}'s table asks for the join code, a number and two words: {name} reads it aloud.",
                name=name,
            )
        case "wrong code":
            return tr("That is not the join code of {name}'s table. Listen again, then type it.", name=name)
        case "open":
            return tr(
                "{name}'s table asks for no code, and you have not met this key before. Let {name} read "
                "these words aloud, and go on if they are the same:",
                name=name,
            )
        case _:
            return tr(
                "Somebody called {name} is known to you with another key. Let {name} read these words aloud, "
                "and go on if they are the same:",
                name=name,
            )


def _code(typed: str) -> list[Line]:
    """What is typed, and the words of the list that begin like the last one."""
    last = typed.lower().replace("-", " ").split(" ")[-1]
    fitting = [word for word in WORDS if last.isalpha() and word.startswith(last)]
    words = "   ".join(fitting[:_HINTS_MAX]) + ("   ..." if len(fitting) > _HINTS_MAX else "")
    return [
        line(tr("  Code: "), ("class:name", typed), ("class:cursor", "_")),
        line(("class:dim", f"        {words}")),
    ]
