"""The legal moves as a player chooses among them: numbered, ranked, found from marked cards.

Owns the order and the wording of the list; every move in it comes from `view.legal`, none is made here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from tongits_lan.console import text_stakes
from tongits_lan.console.arrange import Layout, Split, split, suggested, value
from tongits_lan.console.speech import tr, trn
from tongits_lan.console.text import Voice, points, say_move
from tongits_lan.game import moves as game
from tongits_lan.game.moves import Move
from tongits_lan.game.position import Phase
from tongits_lan.ledger.views import TableView

SHOWN = 8
BY_LETTER: Mapping[str, Move] = {
    "d": game.Draw(),
    "t": game.Take(None, ()),
    "f": game.Call(),
    "y": game.Answer("challenge"),
    "n": game.Answer("fold"),
}
"""What a letter asks for, whether or not it can be done now: the rules say why not."""
_COUNTED = 40  # choices whose "you would owe" is reckoned; further ones are shown without it


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal move: its line in the list, a remark, and why to ask once more (None: do it at once)."""

    move: Move
    label: str
    remark: str = ""
    warning: str | None = None
    briefly: tuple[str, ...] = ()
    """The remark in fewer words, the longest first."""


def letter_of(move: Move) -> str:
    """The letter that asks for this move, "" for one without."""
    return next((letter for letter, asked in BY_LETTER.items() if _kind(asked) == _kind(move)), "")


def _kind(move: Move) -> tuple[type[Move], str | None]:
    return type(move), move.word if isinstance(move, game.Answer) else None


def slots_of(move: Move) -> frozenset[int]:
    """The own hand slots a move lays, shows or throws."""
    match move:
        case game.Draw() | game.Pass():
            return frozenset()
        case game.Hide(slots=slots):
            return frozenset(slots)
        case game.Discard(card=(slot, _)):
            return frozenset((slot,))
        case (
            game.Take(cards=cards)
            | game.Meld(cards=cards)
            | game.Sapaw(cards=cards)
            | game.Call(cards=cards)
            | game.Answer(cards=cards)
            | game.Spread(cards=cards)
        ):
            return frozenset(slot for slot, _ in cards)
        case _:
            assert_never(move)


def discards(view: TableView) -> dict[int, Move]:
    """Slot -> the legal discard of it."""
    return {move.card[0]: move for move in view.legal if isinstance(move, game.Discard)}


def takes(view: TableView) -> tuple[Move, ...]:
    """The legal ways to take the top discard."""
    return tuple(move for move in view.legal if isinstance(move, game.Take))


def listed(view: TableView, voice: Voice, best: Split) -> tuple[Choice, ...]:
    """Every legal move that gets a number now, the best first."""
    position = view.position
    if position is None or position.turn != view.me:
        return ()
    match position.phase:
        case Phase.START:
            moves: tuple[Move, ...] = (
                *takes(view),
                *(m for m in view.legal if isinstance(m, game.Call) and m.cards),
            )
        case Phase.ACTION:
            moves = tuple(m for m in view.legal if isinstance(m, game.Meld | game.Hide | game.Sapaw))
        case Phase.ANSWERS:
            moves = tuple(m for m in view.legal if isinstance(m, game.Answer) and m.cards)
        case Phase.SPREAD:
            moves = view.legal
        case Phase.OVER:
            moves = ()
        case _:
            assert_never(position.phase)
    ranked = sorted(moves, key=lambda move: _place(move, view, best))
    return tuple(choice(view, voice, best, move, counted=at < _COUNTED) for at, move in enumerate(ranked))


def choice(view: TableView, voice: Voice, best: Split, move: Move, *, counted: bool = True) -> Choice:
    """The line for one legal move."""
    position = view.position
    assert position is not None
    label = say_move(voice, move, position, view.faces)
    if isinstance(move, game.Discard):
        return _discard_choice(view, voice, best, move, label)
    if isinstance(move, game.Call | game.Answer):
        remark, *briefly = text_stakes.remarks(view, voice, move, best.owed) or ("",)
        return Choice(move, label, remark, briefly=tuple(briefly))
    if not counted or not isinstance(move, game.Meld | game.Hide | game.Sapaw | game.Take):
        return Choice(move, label)
    after = split(view, slots_of(move))
    left = len(after.loose) + sum(map(len, after.melds))
    if not left:
        return Choice(move, label, tr("Tongits!"))
    broken = _broken(move, best, after)
    warning = None
    if broken:
        meld = voice.skin.cards(view.faces[s] for s in broken)
        owed = points(after.owed)
        warning = tr("This breaks your {cards}: you would owe {points}.", cards=meld, points=owed)
    remark, brief = _counted(after.owed, left, still=after.owed == best.owed)
    if not broken:
        return Choice(move, label, remark, warning, (brief,))
    breaks = tr("breaks a meld: {what}", what=remark)
    return Choice(
        move, label, breaks, warning, (tr("breaks a meld: {what}", what=brief), tr("breaks a meld"))
    )


def _counted(owed: int, left: int, *, still: bool) -> tuple[str, str]:
    """What a hand would count with so many cards left; the second in fewer words."""
    if still:
        remark = trn(
            "you still owe {owed}, {count} card left",
            "you still owe {owed}, {count} cards left",
            left,
            owed=owed,
        )
        return remark, tr("you still owe {owed}", owed=owed)
    remark = trn(
        "you would owe {owed}, {count} card left",
        "you would owe {owed}, {count} cards left",
        left,
        owed=owed,
    )
    return remark, tr("you would owe {owed}", owed=owed)


def matching(view: TableView, marks: Iterable[int]) -> tuple[Move, ...]:
    """The legal moves made of exactly the marked cards."""
    wanted = frozenset(marks)
    return tuple(move for move in view.legal if wanted and slots_of(move) == wanted)


def enter_move(view: TableView, layout: Layout) -> Move | None:
    """What Enter does with no card marked: throw the card under the cursor, if that is legal."""
    return None if layout.cursor is None else discards(view).get(layout.cursor)


def laid_off_by(shown: tuple[Choice, ...], slot: int) -> int | None:
    """The number of the choice that lays just this card off; 0 where it is only in the whole list."""
    for number, item in enumerate(shown, 1):
        if isinstance(item.move, game.Sapaw) and slots_of(item.move) == {slot}:
            return number if number <= SHOWN else 0
    return None


def is_suggested(view: TableView, best: Split, move: Move) -> bool:
    """Whether the screen itself offers this discard: beside it stands what else the card could do."""
    if not view.rules.hints or not isinstance(move, game.Discard):
        return False
    return move.card[0] == suggested(view, best, tuple(discards(view)))


def _discard_choice(view: TableView, voice: Voice, best: Split, move: game.Discard, label: str) -> Choice:
    slot, card = move.card
    cost = points(value(card, view.rules.joker_deadwood))
    return Choice(move, label, cost, _regret(view, voice, best, slot, card))


def _regret(view: TableView, voice: Voice, best: Split, slot: int, card: int) -> str | None:
    """Why a player may not mean to throw this card: it breaks a meld, or fits one on the table."""
    face = voice.skin.card(card)
    position = view.position
    after = split(view, (slot,))
    owner = best.meld_of(slot)
    if owner is not None and after.owed > best.owed:
        meld = voice.skin.cards(view.faces[s] for s in best.melds[owner])
        owed = points(after.owed)
        return tr(
            "{card} is part of your {cards}: without it you owe {points}.", card=face, cards=meld, points=owed
        )
    if position is None:
        return None
    for other in view.legal:
        if isinstance(other, game.Sapaw) and slots_of(other) == {slot}:
            owned = position.melds[other.meld].owner
            return tr(
                "{card} fits {whose} meld [{n}] on the table.",
                card=face,
                whose=voice.whose(owned),
                n=other.meld + 1,
            )
    return None


def _broken(move: Move, best: Split, after: Split) -> tuple[int, ...]:
    """The first meld of the best split that the move takes cards from without laying it, at a cost."""
    if after.owed <= best.owed:
        return ()
    used = slots_of(move)
    return next((meld for meld in best.melds if used & set(meld) and not used >= set(meld)), ())


def _place(move: Move, view: TableView, best: Split) -> tuple[int, int, int]:
    """Sorting key: whole melds of the best split, then what breaks nothing, then the rest; larger first."""
    used = slots_of(move)
    if isinstance(move, game.Spread):
        return (0, 0, 0)
    worth = sum(min(view.faces[slot] % 13 + 1, 10) for slot in used)
    if any(used == frozenset(meld) for meld in best.melds):
        group = 0 if isinstance(move, game.Hide) else 1
    elif used <= frozenset(best.loose):
        group = 2
    else:
        group = 3
    return (group, -len(used), -worth)
