"""The choices box: what is asked, what every key would do, and what is waited for.

Owns its lines and title; the box is always at the same place and always says what Enter does.
"""

from dataclasses import replace
from itertools import zip_longest

from tongits_lan.console import absent, questions, text_stakes
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.boxes import BLANK, Line, cells, fit, line, wrap
from tongits_lan.console.choices import SHOWN, Choice, choice, discards, laid_off_by, takes
from tongits_lan.console.keys import Mode
from tongits_lan.console.notices import forfeit_cost
from tongits_lan.console.parts import clock
from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, listing, points, say_draw, say_due
from tongits_lan.console.ui import Screen, Ui, mode_of, table_mode
from tongits_lan.game.moves import Answer, Call, Draw
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.views import TableView

_SETTING_UP = (Phase.SIT, Phase.OPEN)
_SHUFFLING = (Phase.COMMIT, Phase.SHUFFLE, Phase.LOCK, Phase.PROVE, Phase.READY, Phase.DEAL)


def title(screen: Screen, view: TableView, voice: Voice) -> tuple[Line, Line]:
    """The title of the box and, on the right, the seconds that run."""
    mode = mode_of(screen.ui, view)
    text = _title(screen, mode if mode in _OPEN_TITLES else table_mode(view), view, voice)
    style = (
        "class:turn"
        if table_mode(view) in (Mode.START, Mode.ACTION, Mode.ANSWER, Mode.SPREAD)
        else "class:title"
    )
    away = screen.away_seconds if missed(screen, view) else None
    seconds = screen.turn_seconds if away is None else away
    return line((style, text)), BLANK if seconds is None else line(clock(seconds))


_OPEN_TITLES = {
    Mode.CONFIRM: mark("ARE YOU SURE?"),
    Mode.QUIT: mark("LEAVE?"),
    Mode.CHAT: mark("CHAT"),
    Mode.PHRASE: mark("SAY"),
    Mode.LIST: mark("ALL CHOICES"),
}


def missed(screen: Screen, view: TableView) -> bool:
    """Whether the one who has to write is another player who is away."""
    return screen.away_seconds is not None and view.due is not None and view.due.seat != view.me


def absence(screen: Screen, view: TableView, voice: Voice) -> list[Line]:
    """Who is missed, and for how long; nothing while nobody is."""
    if not missed(screen, view) or view.due is None:
        return []
    time = clock(screen.away_seconds or 0)
    away = tr("{who} has been away for {time}.", who=voice.who(view.due.seat), time=time)
    return [line(("class:warn", away))]


def _title(screen: Screen, mode: Mode, view: TableView, voice: Voice) -> str:
    match mode:
        case Mode.START:
            fights = any(isinstance(move, Call) for move in view.legal)
            if takes(view):
                return tr("YOUR TURN: draw, take or fight" if fights else "YOUR TURN: draw or take")
            return tr("YOUR TURN: draw or fight" if fights else "YOUR TURN: draw")
        case Mode.ACTION:
            return tr("YOUR TURN: play or discard")
        case Mode.ANSWER:
            caller = view.position.caller if view.position is not None else None
            if caller is None:
                return tr("A FIGHT IS CALLED")
            return tr("{who} CALLS A FIGHT", who=voice.whom(caller))
        case Mode.SPREAD:
            return tr("IS IT A SPREAD?")
        case Mode.WAITING if view.phase in _SHUFFLING or view.phase in _SETTING_UP:
            return tr("SHUFFLING")
        case Mode.WAITING if missed(screen, view) and view.due is not None:
            return tr("{who} IS AWAY", who=voice.whom(view.due.seat))
        case Mode.WAITING if view.phase is Phase.PLAY and view.due is not None and view.due.seat != view.me:
            return tr("{whose} turn", whose=voice.whose(view.due.seat))
        case _:
            return tr(_OPEN_TITLES[mode]) if mode in _OPEN_TITLES else tr("WAITING")


def lines(screen: Screen, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    """At most `rows` lines; the note, if there is one, is the last."""
    note = _note(screen.ui, room)
    free = rows - len(note)
    body = _body(screen, view, voice, room, free)
    return [*body[:free], *[BLANK] * (free - len(body)), *note]


def needed(screen: Screen, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    """What has to be said, in so many rows at most; advice is left out."""
    note = _note(screen.ui, room)
    settings = replace(screen.ui.settings, tips=False)
    screen = replace(screen, ui=replace(screen.ui, settings=settings))
    return [*_body(screen, view, voice, room, rows - len(note))[: rows - len(note)], *note]


def _body(screen: Screen, view: TableView, voice: Voice, room: int, free: int) -> list[Line]:
    ui = screen.ui
    mode = mode_of(ui, view)
    match mode:
        case Mode.CONFIRM:
            return _question(ui, view, voice, room, free)
        case Mode.QUIT:
            return _quit(view, room)
        case Mode.PHRASE:
            return [line(("class:key", f"{n}  "), text) for n, text in enumerate(PHRASES, 1)]
        case Mode.CHAT:
            return [
                _typed_line(ui.chatting or "", room),
                BLANK,
                line(("class:dim", tr("Enter sends, Esc leaves."))),
            ]
        case Mode.LIST:
            return _all(ui, room, free)
        case _:
            return _asked(screen, view, voice, room, free)


def _typed_line(text: str, room: int) -> Line:
    tail = text
    while len(tail) > 0 and len(tail) + 4 > room:
        tail = tail[1:]
    return line(("class:key", "> "), tail, ("class:cursor", "_"))


def _note(ui: Ui, room: int) -> list[Line]:
    if ui.typing is not None:
        return [
            line(
                ("class:key", tr("Card:") + " "),
                ui.typing,
                ("class:cursor", "_"),
                ("class:dim", "   " + tr("such as 7h, 10c, qs")),
            )
        ]
    return [line(("class:note", text)) for text in wrap(ui.note, room)[:2]] if ui.note else []


def _question(ui: Ui, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    """The question and its keys, which have their row whatever there is to say."""
    question = ui.question
    assert question is not None
    key = tr("f again") if question.by_call_key else "Enter"
    no = line(("class:key", "Esc"), f"  {tr('no')}")
    answers = (
        line(("class:key", key), f"  {what}      ") for what in questions.yes(view, voice, question.then)
    )
    yes = next((answer for answer in answers if cells(answer) + cells(no) <= room), BLANK)
    asked = [line(("class:warn", text)) for text in wrap(question.text, room)][: max(0, rows - 1)]
    return [*asked, *[BLANK] * (len(asked) + 1 < rows), (*yes, *no)]


def _quit(view: TableView, room: int) -> list[Line]:
    stays = tr("close the program; the table stays pending and goes on when you three meet again")
    keep = wrap(stays, room - 3)
    body = [line(("class:key", "k"), f"  {keep[0]}"), *(line(f"   {more}") for more in keep[1:])]
    if view.can_give_up:
        cost = wrap(tr("give this hand up: {cost}", cost=forfeit_cost(view.rules)), room - 3)
        body.append(line(("class:key", "g"), f"  {cost[0]}"))
        body.extend(line(f"   {more}") for more in cost[1:])
    return [*body, line(("class:key", "Esc"), f"  {tr('stay')}")]


def _all(ui: Ui, room: int, rows: int) -> list[Line]:
    at = ui.list_at or 0
    height = max(1, rows - 1)
    top = max(0, min(at - height // 2, len(ui.choices) - height))
    shown = []
    for index, item in enumerate(ui.choices[top : top + height], top):
        style = "class:cursor" if index == at else ""
        sign = ">" if index == at else " "
        shown.append(_remarked(line((style, f"{sign} {item.label}")), (item.remark, *item.briefly), room))
    return [
        *shown,
        line(
            ("class:key", tr("Up Down Enter")),
            f"  {tr('choose and do it')}      ",
            ("class:key", "Esc"),
            f"  {tr('back')}",
        ),
    ]


def _asked(screen: Screen, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    ui = screen.ui
    mode = table_mode(view)
    match mode:
        case Mode.START:
            asked = _start(ui, view, voice, room, rows)
            return [*asked, *_advice(ui, view, mode, room, rows - len(asked))]
        case Mode.ACTION:
            advice = _advice(ui, view, mode, room, rows - min(len(_shown(ui)), rows) - 1)
            return [
                *numbered(_shown(ui), room, rows - 1 - len(advice), len(ui.choices)),
                _enter_line(ui, view, voice, room),
                *advice,
            ]
        case Mode.ANSWER:
            return _answer(ui, view, voice, room)
        case Mode.SPREAD:
            return numbered(ui.choices, room, rows, len(ui.choices))
        case Mode.WAITING | Mode.RESULT | Mode.CLOSED | Mode.WORDS:
            return _waiting(screen, view, voice, room)
        case _:
            return []


_BURNS = mark("Tip: lay a meld of your own early, or you are burned when another wins.")
_ADVICE = {
    Mode.START: (
        mark("Tip: d draws; t takes the thrown card if it makes a meld with two of yours."),
        _BURNS,
        mark("Tip: ? shows every key, h gives a hint, v the cards thrown so far."),
    ),
    Mode.ACTION: (
        mark("Tip: a number lays its meld, Enter throws the card over ^, arrows choose."),
        mark("Tip: sapaw adds cards to any meld; its owner may then not fight next turn."),
        mark("Tip: cards in no meld count against you; throw the high ones first."),
    ),
}


def _advice(ui: Ui, view: TableView, mode: Mode, room: int, free: int) -> list[Line]:
    """A tip for a new player in each of the first turns, where there is room and it is of use."""
    said = _ADVICE[mode]
    if not ui.settings.tips or not 0 < ui.turns <= len(said):
        return []
    advice = said[ui.turns - 1]
    opened = view.position is not None and view.position.opened(view.me)
    if advice == _BURNS and (opened or view.rules.burned_rule == "off"):
        return []
    tip = wrap(tr(advice), room)
    return [line(("class:dim", text)) for text in tip] if len(tip) <= free else []


def _shown(ui: Ui) -> tuple[Choice, ...]:
    return ui.picked if ui.picked is not None else ui.choices


def _start(ui: Ui, view: TableView, voice: Voice, room: int, rows: int) -> list[Line]:
    position = view.position
    assert position is not None
    body = []
    if Draw() in view.legal:
        body.append(line(("class:key", "d"), f"  {say_draw(len(position.stock))}"))
    ways = takes(view)
    if len(ways) == 1:
        one = choice(view, voice, ui.best, ways[0])
        body.append(_keyed("t", one.label, (one.remark, *one.briefly), room))
    call = next((move for move in view.legal if isinstance(move, Call)), None)
    if call is not None:
        risk = text_stakes.remarks(view, voice, call, ui.best.owed)
        body.append(_keyed("f", tr("fight"), risk, room))
    elif ui.no_call is not None and view.position is not None:
        first, *more = wrap(tr("not now: {why}", why=ui.no_call), room - 3)
        body.append(line(("class:dim", f"f  {first}")))
        body.extend(line(("class:dim", f"   {part}")) for part in more[:1])
    rest = _shown(ui) if len(_shown(ui)) > 1 or not ways else ()
    return [*body, *numbered(rest, room, rows - len(body), len(rest))] if rest else body


def numbered(items: tuple[Choice, ...], room: int, rows: int, total: int) -> list[Line]:
    """Numbered choices in one column; in two without remarks where they need the rows and fit the room."""
    items = items[:SHOWN]
    if not items:
        return []
    more = line(("class:key", "0"), f"  {tr('shows all {n} choices', n=total)}")
    whole = total <= len(items)
    keyed = [(str(number), item) for number, item in enumerate(items, 1)]
    free = rows if whole else rows - 1
    if len(keyed) > free:
        columns = _in_two(keyed, room, free)
        if columns:
            return columns if whole else [*columns, more]
        keyed, whole = keyed[: max(1, rows - 1)], False
    lines = [_keyed(number, item.label, (item.remark, *item.briefly), room) for number, item in keyed]
    return lines if whole else [*lines, more]


def _in_two(keyed: list[tuple[str, Choice]], room: int, rows: int) -> list[Line]:
    """The choices side by side; nothing where they would not be whole."""
    half = (len(keyed) + 1) // 2
    width = room // 2 - 1
    parts = [line(("class:key", number), f"  {item.label}") for number, item in keyed]
    if half > rows or any(cells(part) > width for part in parts):
        return []
    return [
        (*fit(left, width), ("", "  "), *right)
        for left, right in zip_longest(parts[:half], parts[half:], fillvalue=BLANK)
    ]


def _keyed(key: str, label: str, remarks: tuple[str, ...], room: int) -> Line:
    """A key and what it does."""
    return _remarked(line(("class:key", key), f"  {label}"), remarks, room)


def _remarked(bare: Line, remarks: tuple[str, ...], room: int) -> Line:
    """A choice with the longest remark that fits behind it."""
    for remark in remarks:
        told = (*bare, _dim(remark))
        if cells(told) <= room:
            return told
    return fit(bare, room)


def _dim(remark: str) -> tuple[str, str]:
    """What is said behind a choice."""
    return ("class:dim", f"   ({remark})" if remark else "")


def _enter_line(ui: Ui, view: TableView, voice: Voice, room: int) -> Line:
    if ui.layout.marks:
        marked = voice.skin.cards(view.faces[s] for s in ui.layout.order if s in ui.layout.marks)
        return fit(
            line(
                ("class:key", "Enter"),
                f"  {tr('play just {cards}', cards=marked)}      ",
                ("class:key", "Esc"),
                f"  {tr('unmark')}",
            ),
            room,
        )
    move = None if ui.layout.cursor is None else discards(view).get(ui.layout.cursor)
    if move is None or not (view.rules.hints or ui.touched):
        return line(("class:key", tr("Left Right")), f"  {tr('choose the card to discard, then Enter')}")
    card = choice(view, voice, ui.best, move)
    number = laid_off_by(ui.choices, ui.layout.cursor) if ui.layout.cursor is not None else None
    instead = "" if number is None else tr(", or {number} lays it off", number=number)
    enter = line(("class:key", "Enter"), f"  {card.label} ({card.remark}){instead}")
    other = line(("class:key", tr("Left Right")), f"  {tr('another card')}")
    gap = min(6, room - cells(enter) - cells(other))
    return (*enter, ("", " " * gap), *other) if gap >= 2 else fit(enter, room)


def _answer(ui: Ui, view: TableView, voice: Voice, room: int) -> list[Line]:
    position = view.position
    assert position is not None
    said = [
        tr("{who} fights back" if word == "challenge" else "{who} folds", who=voice.whom(seat))
        for seat, word, _ in position.answers
    ]
    owed = points(ui.best.owed)
    if position.opened(view.me):
        stand = tr("You owe {points} and you have opened.", points=owed)
    else:
        stand = tr("You owe {points} and you have not opened.", points=owed)
    body = [fit(line(f"{stand} {listing(said)}"), room)]
    words = {getattr(move, "word", None) for move in view.legal}
    if "challenge" in words:
        fights = text_stakes.remarks(view, voice, Answer("challenge"), ui.best.owed)
        body.append(_keyed("y", tr("fight back"), fights, room))
    folds = text_stakes.remarks(view, voice, Answer("fold"), ui.best.owed)
    body.append(_keyed("n", tr("fold"), folds, room))
    timed = [tr("No key in time means fold.")] if view.rules.turn_seconds else []
    body.append(line(("class:dim", " ".join([*timed, text_stakes.tie(view)]))))
    return [*body, *numbered(ui.choices, room, 3, len(ui.choices))] if ui.choices else body


def _waiting(screen: Screen, view: TableView, voice: Voice, room: int) -> list[Line]:
    body: list[Line] = []
    if view.due is not None:
        body.append(line(say_due(voice, view.due)))
    if view.phase in _SHUFFLING:
        proved = [voice.whom(seat) for seat in range(3) if view.proofs[seat]]
        whose = listing(proved) if proved else tr("none yet")
        body.append(line(("class:dim", tr("Shuffle proofs checked here: {whose}.", whose=whose))))
    if missed(screen, view):
        body.extend(absence(screen, view, voice))
        body.append(line(tr("The game goes on when all are back.")))
    body.extend(absent.choices(view, room))
    if view.giving_up:
        body.append(line(("class:warn", tr("You give this hand up as soon as it is your turn to write."))))
    if view.secrets_lost:
        body.extend(
            line(("class:warn", text))
            for text in wrap(tr("This program cannot go on in this hand: its secrets are lost."), room)
        )
    return body
