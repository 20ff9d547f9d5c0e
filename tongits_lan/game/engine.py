"""The rules in motion: what a move changes, and what follows from it by itself.

Owns `deal`, `apply` and `view`, and gathers the names that other rooms use. Sees slots and the faces that are
shown, no hidden card, so whoever calls `apply` answers for the faces (rules.md 2 to 5, 8).
"""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from tongits_lan.errors import Refused
from tongits_lan.game.ban import fits_of
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.check import check
from tongits_lan.game.dealing import DEALT, dealt_to
from tongits_lan.game.entitle import may_challenge
from tongits_lan.game.legal import legal_moves
from tongits_lan.game.moves import (
    Answer,
    Answered,
    Call,
    Called,
    Discard,
    Discarded,
    Draw,
    Drew,
    Ended,
    EndKind,
    Event,
    Hid,
    Hide,
    LockSet,
    Meld,
    Melded,
    Move,
    Pass,
    Passed,
    SagasaPaid,
    Sapaw,
    Sapawed,
    Spread,
    SpreadClaimed,
    Take,
    Took,
    Word,
)
from tongits_lan.game.own import why_not
from tongits_lan.game.position import Faces, Hands, Lock, Locks, Phase, Position, Suspect, TableMeld, View
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import MeldKind, kind_of, stand

__all__ = [
    "EndKind",
    "Lock",
    "MeldKind",
    "Phase",
    "Position",
    "Suspect",
    "TableMeld",
    "View",
    "apply",
    "check",
    "deal",
    "legal_moves",
    "right",
    "view",
    "why_not",
]

Step = tuple[Position, tuple[Event, ...]]


def right(seat: int) -> int:
    """The next seat in turn order."""
    return (seat + 1) % 3


def deal(rules: Rules, dealer: int) -> Position:
    """The position right after the deal: 13 slots to the dealer, 12 to the others (rules.md 2.1)."""
    return Position(
        rules=rules,
        dealer=dealer,
        turn=dealer,
        phase=Phase.ACTION if rules.spread == "off" else Phase.SPREAD,
        hands=(dealt_to(dealer, 0), dealt_to(dealer, 1), dealt_to(dealer, 2)),
        melds=(),
        discards=(),
        stock=tuple(range(DEALT, rules.n)),
    )


def view(position: Position, seat: int, faces: Faces) -> View:
    """What a seat sees; of `faces` (slot -> card) only the slots in its own hand are kept."""
    return View(seat, position, {slot: faces[slot] for slot in position.hands[seat]})


def apply(position: Position, seat: int, move: Move) -> Step:
    """The position after a move and what has happened, in order. Refused with the sentence of `check`."""
    refusal = check(position, seat, move)
    if refusal is not None:
        raise Refused(refusal)
    match move:
        case Discard():
            return _discard(position, seat, move)
        case Draw():
            return _draw(position, seat)
        case Meld():
            return _meld(position, seat, move)
        case Sapaw():
            return _sapaw(position, seat, move.meld, move.cards, stand_in(move.cards, move.wild), move.wild)
        case Take():
            return _take(position, seat, move)
        case Hide():
            return _hide(position, seat, move)
        case Call():
            return _call(position, seat, move)
        case Answer():
            return _answer(position, seat, move)
        case Spread():
            shown = replace(position, shown=move.cards)
            return _end(shown, EndKind.SPREAD, seat, (SpreadClaimed(seat, move.cards),))
        case Pass():
            return _pass(position, seat)
        case _:
            assert_never(move)


def stand_in(cards: Sequence[Laid], wild: Sequence[int]) -> tuple[int, ...]:
    """What laid cards stand for, in the order given; they have passed `check`."""
    stands = stand([c for _, c in cards], wild)
    assert stands is not None
    return stands


def _end(position: Position, kind: EndKind, seat: int | None, events: tuple[Event, ...]) -> Step:
    over = replace(position, turn=None, phase=Phase.OVER, end=kind, end_seat=seat)
    return over, (*events, Ended(kind, seat))


def _with_hand(hands: Hands, seat: int, hand: tuple[int, ...]) -> Hands:
    first, second, third = hands
    if seat == 0:
        return (hand, second, third)
    if seat == 1:
        return (first, hand, third)
    return (first, second, hand)


def _without(hands: Hands, seat: int, slots: Sequence[int]) -> Hands:
    return _with_hand(hands, seat, tuple(s for s in hands[seat] if s not in slots))


def _with_lock(locks: Locks, seat: int, lock: Lock | None) -> Locks:
    """A lasting lock outlives everything."""
    old = locks[seat]
    if old is not None and old.lasting:
        return locks
    out = [*locks]
    out[seat] = lock
    return (out[0], out[1], out[2])


def _draw(position: Position, seat: int) -> Step:
    stock = position.stock
    if not stock:
        return _end(position, EndKind.STOCK, None, ())
    slot = stock[0]
    hand = position.hands[seat]
    grown = (*hand, slot) if not hand or hand[-1] < slot else tuple(sorted((*hand, slot)))
    after = replace(
        position,
        phase=Phase.ACTION,
        hands=_with_hand(position.hands, seat, grown),
        stock=stock[1:],
        last_drawer=seat,
        drew=slot,
        melds_at_draw=len(position.melds),
        locks=_with_lock(position.locks, seat, None),
    )
    events = (Drew(seat, slot),)
    if len(stock) == 1 and position.rules.stock_end == "on_last_draw":
        return _end(after, EndKind.STOCK, None, events)
    return after, events


def _discard(position: Position, seat: int, move: Discard) -> Step:
    slot, card = move.card
    hand = position.hands[seat]
    hands = _without(position.hands, seat, (slot,))
    turns = [*position.own_turns]
    turns[seat] += 1
    suspects = position.suspects
    if position.rules.discard_fit_ban and len(hand) > 1:
        fits = fits_of(position)
        if fits >> card & 1:
            suspects = (*suspects, Suspect(seat, slot, hand, fits))
    out = not hands[seat]
    after = replace(
        position,
        turn=right(seat),
        phase=Phase.START,
        hands=hands,
        discards=(*position.discards, move.card),
        own_turns=(turns[0], turns[1], turns[2]),
        drew=None,
        suspects=suspects,
    )
    events = (Discarded(seat, slot, card),)
    if out:
        return _end(after, EndKind.TONGITS, seat, events)
    if not position.stock and position.rules.stock_end != "on_failed_draw":
        return _end(after, EndKind.STOCK, None, events)
    return after, events


def _laid_out(position: Position, seat: int, events: tuple[Event, ...]) -> Step:
    """Goes out if the last card has been laid (rules.md 5.1)."""
    if position.hands[seat]:
        return position, events
    return _end(position, EndKind.TONGITS, seat, events)


def _table_meld(seat: int, cards: Sequence[Laid], stands: Sequence[int]) -> TableMeld:
    order = sorted(zip(stands, cards, strict=True))
    shape = tuple(s for s, _ in order)
    kind = kind_of(shape)
    assert kind is not None
    return TableMeld(
        owner=seat,
        kind=kind,
        slots=tuple(slot for _, (slot, _) in order),
        cards=tuple(card for _, (_, card) in order),
        stands=shape,
        by=(seat,) * len(order),
    )


def _self_lock(position: Position, seat: int, size: int, cards: tuple[int, ...]) -> tuple[Locks, list[Event]]:
    """A new meld of four or more may count as a lay-off on it (`meld4_is_self_sapaw`)."""
    rules = position.rules
    if size < 4 or not rules.meld4_is_self_sapaw or rules.lock_by_self == "none":
        return position.locks, []
    index = len(position.melds)
    lock = Lock(seat, index, cards, new_meld=True)
    return _with_lock(position.locks, seat, lock), [LockSet(seat, seat, index)]


def _meld(position: Position, seat: int, move: Meld) -> Step:
    return _new_meld(position, seat, move.cards, stand_in(move.cards, move.wild), move.wild)


def _new_meld(
    position: Position, seat: int, cards: Sequence[Laid], stands: Sequence[int], wild: tuple[int, ...]
) -> Step:
    meld = _table_meld(seat, cards, stands)
    locks, set_now = _self_lock(position, seat, len(cards), tuple(c for _, c in cards))
    after = replace(
        position,
        hands=_without(position.hands, seat, meld.slots),
        melds=(*position.melds, meld),
        locks=locks,
    )
    laid = Melded(seat, len(position.melds), tuple(cards), wild)
    return _laid_out(after, seat, (laid, *set_now))


def _hide(position: Position, seat: int, move: Hide) -> Step:
    meld = TableMeld(
        owner=seat,
        kind=MeldKind.SET,
        slots=move.slots,
        cards=(None,) * len(move.slots),
        stands=(),
        by=(seat,) * len(move.slots),
        face_down=True,
    )
    locks, set_now = _self_lock(position, seat, len(move.slots), ())
    after = replace(
        position,
        hands=_without(position.hands, seat, move.slots),
        melds=(*position.melds, meld),
        locks=locks,
    )
    return _laid_out(after, seat, (Hid(seat, len(position.melds), move.slots), *set_now))


def _sapaw(
    position: Position,
    seat: int,
    index: int,
    cards: Sequence[Laid],
    stands: Sequence[int],
    wild: tuple[int, ...],
) -> Step:
    old = position.melds[index]
    assert not old.face_down
    lying = zip(old.slots, old.cards, old.by, strict=True)
    laid = [(slot, card, seat) for slot, card in cards]
    order = sorted(zip((*old.stands, *stands), (*lying, *laid), strict=True))
    grown = TableMeld(
        owner=old.owner,
        kind=old.kind,
        slots=tuple(slot for _, (slot, _, _) in order),
        cards=tuple(card for _, (_, card, _) in order),
        stands=tuple(s for s, _ in order),
        by=tuple(by for _, (_, _, by) in order),
    )
    locks, events = _sapaw_locks(position, seat, index, tuple(c for _, c in cards))
    sagasa = _is_sagasa(position, seat, index, cards)
    if sagasa and position.rules.sagasa_bonus:
        events.append(SagasaPaid(seat, position.rules.sagasa_bonus))
    after = replace(
        position,
        hands=_without(position.hands, seat, [slot for slot, _ in cards]),
        melds=(*position.melds[:index], grown, *position.melds[index + 1 :]),
        locks=locks,
        sagasas=(*position.sagasas, seat) if sagasa else position.sagasas,
    )
    return _laid_out(after, seat, (Sapawed(seat, index, tuple(cards), wild), *events))


def _sapaw_locks(
    position: Position, seat: int, index: int, cards: tuple[int, ...]
) -> tuple[Locks, list[Event]]:
    """The locks a lay-off sets (rules.md 4.3)."""
    rules = position.rules
    owner = position.melds[index].owner
    locks = position.locks
    events: list[Event] = []
    if owner != seat and rules.lock_by_others != "none":
        lasting = rules.lock_by_others == "rest_of_round"
        locks = _with_lock(locks, owner, Lock(seat, index, cards, lasting))
        events.append(LockSet(owner, seat, index))
    if rules.lock_by_self == "any_meld" or (rules.lock_by_self == "own_meld" and owner == seat):
        locks = _with_lock(locks, seat, Lock(seat, index, cards))
        events.append(LockSet(seat, seat, index))
    return locks, events


def _is_sagasa(position: Position, seat: int, index: int, cards: Sequence[Laid]) -> bool:
    """The card just drawn completes an own natural trio that lay there before (rules.md 8.3)."""
    meld = position.melds[index]
    return (
        position.drew is not None
        and meld.owner == seat
        and meld.kind is MeldKind.SET
        and index < position.melds_at_draw
        and cards[0][0] == position.drew
        and cards[0][1] < NATURALS
        and all(c is not None and c < NATURALS for c in meld.cards)
    )


def _take(position: Position, seat: int, move: Take) -> Step:
    top = position.discards[-1]
    stands = stand_in((top, *move.cards), move.wild)
    order = sorted(zip((top, *move.cards), stands, strict=True))
    cards = tuple(laid for laid, _ in order)
    shape = tuple(s for _, s in order)
    wild = tuple(s for (_, c), s in order if c >= NATURALS)
    drawn = replace(
        position,
        phase=Phase.ACTION,
        discards=position.discards[:-1],
        drew=None,
        melds_at_draw=len(position.melds),
        locks=_with_lock(position.locks, seat, None),
    )
    if move.meld is None:
        index = len(position.melds)
        after, events = _new_meld(drawn, seat, cards, shape, wild)
    else:
        index = move.meld
        after, events = _sapaw(drawn, seat, index, cards, shape, wild)
    return after, (Took(seat, *top, index), *events)


def _call(position: Position, seat: int, move: Call) -> Step:
    called = replace(
        position, phase=Phase.ANSWERS, caller=seat, shown=(*position.shown, *move.cards), turn=right(seat)
    )
    return _ask(called, (Called(seat, move.cards),))


def _answer(position: Position, seat: int, move: Answer) -> Step:
    answered = replace(
        position,
        answers=(*position.answers, (seat, move.word, False)),
        shown=(*position.shown, *move.cards),
    )
    return _ask(answered, (Answered(seat, move.word, False, move.cards),))


def _ask(position: Position, events: tuple[Event, ...]) -> Step:
    """Asks the next seat, folds those who may not challenge, ends the hand when both have answered."""
    caller = position.caller
    assert caller is not None
    word: Word = "fold"
    while len(position.answers) < 2:
        seat = (caller + 1 + len(position.answers)) % 3
        if may_challenge(position, seat):
            return replace(position, turn=seat), events
        position = replace(position, answers=(*position.answers, (seat, word, True)))
        events = (*events, Answered(seat, word, True, ()))
    return _end(position, EndKind.DRAW, caller, events)


def _pass(position: Position, seat: int) -> Step:
    passes = position.passes + 1
    if passes < 3:
        after = replace(position, passes=passes, turn=right(seat))
    else:
        after = replace(position, passes=passes, turn=position.dealer, phase=Phase.ACTION)
    return after, (Passed(seat),)
