"""What the keys of a running hand do: draw, take, fight, lay, throw, and move cards on the screen.

Owns these acts; every move they make is one of `view.legal`. The guards are the desk's (control.py).
"""

from dataclasses import replace

from tongits_lan.console import arrange, choices, follow, questions
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Act, Mode, act_of
from tongits_lan.console.speech import tr
from tongits_lan.console.ui import Question
from tongits_lan.game import moves as game
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.views import TableView


def draw(desk: Desk, key: str, now: float) -> None:
    """`d`."""
    table = desk.table()
    if table is None or desk.busy:
        desk.too_early()
        return
    if game.Draw() in table.legal:
        desk.submit(game.Draw())
        return
    desk.why(game.Draw())
    return


def take(desk: Desk, key: str, now: float) -> None:
    """`t`: the one possible meld at once, or the marked one, or which of several."""
    table = desk.table()
    if table is None or desk.deaf(now):
        return
    marks = desk.ui.layout.marks
    found = [m for m in choices.takes(table) if not marks or choices.slots_of(m) == marks]
    if len(found) == 1:
        desk.make(found[0], now)
    elif found:
        desk.note("Several ways: press the number of one.")
    else:
        cards = tuple((slot, table.faces[slot]) for slot in sorted(marks))
        desk.why(game.Take(None, cards))


def call(desk: Desk, key: str, now: float) -> None:
    """`f`: asks once more; a second `f` is the yes."""
    table = desk.table()
    if table is None or desk.busy:
        return
    calls = [move for move in table.legal if isinstance(move, game.Call)]
    if not calls:
        desk.why(game.Call())
        return
    move = min(calls, key=lambda m: len(m.cards))
    text = questions.calling(table, follow.voice(desk.ui, table), desk.ui.best, move)
    desk.ui = replace(desk.ui, question=Question(text, move, by_call_key=True))


def number(desk: Desk, key: str, now: float) -> None:
    """`1` to `9`: does that choice; a number without a choice begins the name of a card."""
    at = int(key) - 1
    shown = desk.ui.picked if desk.ui.picked is not None else desk.ui.choices
    if at >= min(len(shown), choices.SHOWN):
        if desk.mode in (Mode.START, Mode.ACTION):
            desk.ui = replace(desk.ui, typing=key)
        else:
            desk.note(_ASKED.get(desk.mode, _NUMBER))
        return
    if not desk.deaf(now):
        desk.make(shown[at].move, now)


def enter(desk: Desk, key: str, now: float) -> None:
    """Enter on the own turn: what is marked, else the discard under the cursor."""
    table = desk.table()
    if table is None or desk.deaf(now):
        return
    marks = desk.ui.layout.marks
    if marks:
        _make_marked(desk, table, now)
    elif desk.mode is not Mode.ACTION:
        desk.note(_ASKED.get(desk.mode, _NUMBER))
    elif not table.rules.hints and not desk.ui.touched:
        desk.note("Choose a card first: Left, Right or its name.")
    elif (move := choices.enter_move(table, desk.ui.layout)) is not None:
        desk.make(move, now)
    elif desk.ui.layout.cursor is None:
        desk.note("Choose a card to discard: Left, Right or its name.")
    else:
        cursor = desk.ui.layout.cursor
        desk.why(game.Discard((cursor, table.faces[cursor])))


_ASKED = {Mode.START: mark("d draws."), Mode.ANSWER: mark("y fights back, n folds.")}
_NUMBER = mark("Press a number.")


def _make_marked(desk: Desk, table: TableView, now: float) -> None:
    marks = desk.ui.layout.marks
    found = choices.matching(table, marks)
    if len(found) == 1:
        desk.make(found[0], now)
    elif found:
        voice = follow.voice(desk.ui, table)
        picked = tuple(choices.choice(table, voice, desk.ui.best, move) for move in found)
        desk.ui = replace(
            desk.ui, picked=picked, note=tr("These cards can do more than one thing: press a number.")
        )
    else:
        cards = tuple((slot, table.faces[slot]) for slot in sorted(marks))
        desk.why(game.Meld(cards) if desk.mode is Mode.ACTION else game.Take(None, cards))


def answer(desk: Desk, key: str, now: float) -> None:
    """`y` or `n` to a fight."""
    table = desk.table()
    if table is None or desk.deaf(now):
        return
    word = "challenge" if key == "y" else "fold"
    found = [m for m in table.legal if isinstance(m, game.Answer) and m.word == word]
    if not found:
        desk.why(game.Answer("challenge" if key == "y" else "fold"))
    else:
        desk.submit(min(found, key=lambda m: len(m.cards)))


def wait(desk: Desk) -> None:
    """A key that acts while another is asked: whose turn it is; while the table works, just to wait."""
    table = desk.table()
    if table is None or table.position is None or table.position.turn in (None, table.me):
        desk.note("Wait.")
    else:
        desk.why(game.Draw())


def hint(desk: Desk, key: str, now: float) -> None:
    """`h`: what the bot would do, if this table allows hints."""
    table = desk.table()
    if table is None:
        return
    if not table.rules.hints:
        desk.note("This table plays without hints.")
        return
    desk.note(follow.hint(desk.ui, table))
    return


def name_card(desk: Desk, key: str, now: float) -> None:
    """`/`: a card is named."""
    desk.ui = replace(desk.ui, typing="")


def type_on(desk: Desk, text: str) -> None:
    """More of a card's name is typed; a whole name moves the cursor there."""
    table = desk.table()
    card = arrange.parse_typed(text)
    if card is None or table is None:
        desk.ui = replace(desk.ui, typing=text if len(text) < 3 else None)
        return
    slot = arrange.find(desk.ui.layout, table.faces, card)
    desk.ui = replace(desk.ui, typing=None)
    if slot is None:
        desk.note(tr("You do not hold {card}.", card=desk.ui.skin.card(card)))
    else:
        _lay_out(desk, replace(desk.ui.layout, cursor=slot))


def _lay_out(desk: Desk, layout: arrange.Layout) -> None:
    desk.ui = replace(desk.ui, layout=layout, touched=True, picked=None)


def rearrange(desk: Desk, key: str, now: float) -> None:
    """The keys that only move cards, cursor or marks on this screen."""
    table = desk.table()
    if table is None:
        return
    layout = desk.ui.layout
    match act_of(desk.mode, key):
        case Act.LEFT:
            layout = arrange.step(layout, -1)
        case Act.RIGHT:
            layout = arrange.step(layout, 1)
        case Act.MOVE_LEFT:
            layout = arrange.shifted(layout, -1)
        case Act.MOVE_RIGHT:
            layout = arrange.shifted(layout, 1)
        case Act.SORT:
            layout = arrange.sorted_other_way(layout, table)
        case Act.GROUP:
            layout = arrange.grouped_other_way(layout, table)
        case Act.MARK:
            layout = arrange.marked(layout)
        case _:
            layout = replace(layout, marks=frozenset())
    _lay_out(desk, layout)
