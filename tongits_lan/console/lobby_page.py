"""The page before the table: who sits, who is ready, how the others get here, what has to be said first.

Owns its lines; like all drawing it reads no clock and asks nothing.
"""

from calendar import month_abbr

from tongits_lan.console import looking, overlays, parts, rules_page
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.boxes import BLANK, Line, border, cells, framed, joints, line, row, width, wrap
from tongits_lan.console.keys import Mode
from tongits_lan.console.people import say_past
from tongits_lan.console.rules_words import name_and_mark, say_hands, say_turn
from tongits_lan.console.scrolling import Picture
from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.console.speech import told, tr
from tongits_lan.console.ui import Overlay, Screen, mode_of
from tongits_lan.game.describe import summary
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.words import WORDS
from tongits_lan.limits import CHAT_MAX, NAME_MAX, SEATS
from tongits_lan.net.handshake import Question
from tongits_lan.net.lobby import LobbySeat, LobbyView

_ASKED = (Mode.CODE, Mode.ACCEPT)
_HINTS_MAX = 6  # words of the list that are shown while one is typed
_SEAT_CELLS = 28
_SPARE = 7  # free lines from which on the rules are told in a sentence, too
_AIRY = 18  # lines of a page from which on it has room for frames and blanks


def picture(screen: Screen, view: LobbyView) -> Picture:
    """The lobby, or the page laid over it."""
    if screen.ui.overlay is Overlay.RULES:
        return rules_page.page(screen, view)
    if screen.ui.overlay is not None:
        return overlays.before_the_table(screen, view)
    return Picture(_lobby(screen, view))


def _lobby(screen: Screen, view: LobbyView) -> list[Line]:
    """Before the table: who sits, who is ready, where to find this table."""
    ui = screen.ui
    room = screen.columns - 4
    mode = mode_of(ui, view)
    if view.question is not None:
        return _question(screen, view.question, mode)
    if view.looking:
        return _looking(screen, view, mode)
    asked = _prompt(screen, view, mode, room)
    height = screen.rows - 3
    gap = [] if height < _AIRY else [BLANK]
    invited = _invitation(ui.skin, view, room) if gap else _invited_briefly(view, room)
    body = [*invited, *gap, *_seats(view, room, tight=not gap), *gap]
    body.extend(_rules(view, ui.agreed, room))
    body.extend(_when(view))
    if view.message:
        body.extend(line(("class:note", text)) for text in wrap(clean(view.message, CHAT_MAX), room))
    body = [*body[: height - len(asked) - 1], BLANK, *asked]
    free = height - len(body) - 1
    if view.rules is not None and free >= _SPARE:
        at = len(body) - len(asked) - 1
        said = [line(("class:dim", text)) for text in wrap(told(summary(view.rules)), room)]
        body = [*body[:at], BLANK, *said, *body[at:]]
        free -= len(said) + 1
    if ui.log and free > 1:
        body.append(BLANK)
        body.extend(parts.log_lines(ui.log, room, free))
    title = line(("class:title", "TONGITS"), tr("  before the table"))
    foot = line(("class:dim", _foot(view, room)))
    return framed(ui.skin, screen.columns, screen.rows, title, body, foot)


def _foot(view: LobbyView, room: int) -> str:
    """The keys that work here, those of a host only where they do something."""
    kick = tr("  k ask to leave") if view.hosting and len(view.seats) > 1 else ""
    bot = tr("  b bot") if view.can_seat_bot else ""
    rules = tr("  r rules")
    keys = tr(" Enter ready{more}  c chat  o options  ? help  q leave", more=rules + bot + kick)
    return (
        keys if cells(line(keys)) <= room + 4 else tr(" Enter ready{more}  ? help  q leave", more=bot + kick)
    )


def _rules(view: LobbyView, agreed: Rules | None, room: int) -> list[Line]:
    """What the rules are called, the digits to compare them by, turn and hands, and whether they are new."""
    if view.rules is None:
        return [line(tr("Rules: {rules}", rules=tr("not known yet")))]
    facts = [name_and_mark(view.rules)]
    facts += [say_turn(view.rules.turn_seconds)] if view.rules.turn_seconds else []
    facts += [say_hands(view.rules.hands)] if view.rules.hands else []
    said = tr("Rules: {rules}", rules=", ".join(facts))
    is_new = agreed is not None and agreed != view.rules
    hint = tr("NEW: r shows what") if is_new else tr("r changes them") if view.hosting else tr("o: in words")
    style = "class:turn" if is_new else "class:dim"
    whole = line(said, (style, f"   ({hint})"))
    if cells(whole) <= room:
        return [whole]
    return [*(line(text) for text in wrap(said, room)), line((style, f"   ({hint})"))]


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


def _invited_briefly(view: LobbyView, room: int) -> list[Line]:
    """The same for a low window: the code and one address."""
    if not view.hosting:
        return _invitation(LETTERS, view, room)[1:]
    code = tr("Open to all on this network") if view.code is None else view.code.upper()
    at = [line("   ", ("class:key", address)) for address in view.addresses[:1]]
    said = line(tr("Code  ") if view.code is not None else "", ("class:turn", code))
    whole = (*said, *(part for address in at for part in address))
    return [whole] if cells(whole) <= room else [said, *at]


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


def _seats(view: LobbyView, room: int, *, tight: bool) -> list[Line]:
    """The three places; in a low window an old friend takes one line."""
    lines: list[Line] = []
    for at in range(SEATS):
        if at >= len(view.seats):
            waiting = line(("class:dim", tr("{place}  (waiting for a player)", place=at + 1)))
            if view.can_seat_bot and at == len(view.seats):
                waiting = (*waiting, ("", "   "), ("class:key", "b"), ("", tr("  seat a bot")))
            lines.append(waiting)
            continue
        seat = view.seats[at]
        name = _named(view, at, _SEAT_CELLS if room > 70 else _SEAT_CELLS // 2)
        ready = ("class:turn", tr("ready    ")) if seat.ready else ("", tr("not ready"))
        first = line(f"{at + 1}  {name} ", ready, "  ")
        facts = wrap(_known(view, at, seat), max(12, room - cells(first))) or [""]
        lines.append((*first, ("class:dim", facts[0])))
        more = [] if tight and seat.known is not None else facts[1:]
        lines.extend(line(" " * cells(first), ("class:dim", text)) for text in more)
        if seat.doubted:
            words = " ".join(seat.fingerprint)
            lines.append(line(("class:warn", tr("   OTHER KEY, compare: {words}", words=words))))
    return lines


def _named(view: LobbyView, at: int, room: int) -> str:
    """A name in so many cells; whether he is this player, or the host, is never cut off."""
    what = tr(" (you)") if at == view.me else tr(" (host)") if at == view.host else ""
    name = parts.shortened(clean(view.seats[at].name, NAME_MAX), room - width(what))
    return parts.fit_text(name + what, room)


def _known(view: LobbyView, at: int, seat: LobbySeat) -> str:
    """What is known of a player: whose bot, old friend, or the words of a key never met; of the own seat the
    words that others may ask for."""
    words = " ".join(seat.fingerprint)
    if seat.bot:
        return tr("bot of {operator}", operator=clean(seat.operator or "?", CHAT_MAX))
    if at == view.me:
        return tr("key: {words}", words=words)
    if seat.known is None:
        return tr("new to you, key: {words}", words=words)
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
    if view.unfinished is not None and not is_ready:
        said = tr("  I am ready for a new table")
    return [*_unfinished(view, room), line(("class:key", "Enter"), said), *note]


def _unfinished(view: LobbyView, room: int) -> list[Line]:
    """The table that these three have not finished comes before a new one."""
    if view.unfinished is None:
        return []
    if view.hosting:
        text = tr("go on with your unfinished table of {day}", day=view.unfinished)
        return [line(("class:key", "g"), ("class:turn", f"      {text}"))]
    text = tr("You three have an unfinished table of {day}: the host can go on with it.", day=view.unfinished)
    return [line(("class:turn", part)) for part in wrap(text, room)]


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
            ("class:key", "Enter"),
            tr("  give the code      "),
            ("class:key", "Tab"),
            tr("  complete   "),
            ("class:key", "Ctrl-C"),
            tr("  leave"),
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
    foot = line(("class:dim", tr(" Enter go on  ? help  Ctrl-C leave")))
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
                "aloud the key on {name}'s screen, and go on if its words are these:",
                name=name,
            )
        case _:
            return tr(
                "Somebody called {name} is known to you with another key. Let {name} read aloud the key "
                "on {name}'s screen, and go on if its words are these:",
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
