"""Whether a move is allowed, as far as the public position and the faces the move shows can tell.

Owns `check`. What only the mover's hidden cards tell (a true face-down set, `discard_fit_ban`) is asked by
`legal_moves` before the move and by the scoring when all cards are open (rules.md 3, 4, 8, 10).
"""

from collections.abc import Sequence
from typing import assert_never

from tongits_lan.game import refusals as say
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.entitle import call_refusal, challenge_refusal
from tongits_lan.game.melds import deadwood
from tongits_lan.game.moves import (
    Answer,
    Call,
    Discard,
    Draw,
    Hide,
    Meld,
    Move,
    Pass,
    Sapaw,
    Spread,
    Take,
)
from tongits_lan.game.position import Phase, Position, TableMeld
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import jokers_fit, kind_of, stand

SECRET_SIZE = 4


def check(position: Position, seat: int, move: Move) -> str | None:
    """None if the move is allowed, else one sentence naming the rule, as `refusals` words it."""
    if position.phase is Phase.OVER:
        return say.over(position.end)
    if seat != position.turn:
        assert position.turn is not None
        return say.not_your_turn(position.turn)
    match move:
        case Discard():
            return _wrong_phase(position, Phase.ACTION) or _discard(position, seat, move)
        case Draw():
            return _wrong_phase(position, Phase.START) or _draw(position)
        case Take():
            return _wrong_phase(position, Phase.START) or _take(position, seat, move)
        case Meld():
            return _wrong_phase(position, Phase.ACTION) or _meld(position, seat, move)
        case Sapaw():
            return _wrong_phase(position, Phase.ACTION) or _sapaw(position, seat, move)
        case Hide():
            return _wrong_phase(position, Phase.ACTION) or _hide(position, seat, move)
        case Call():
            return _call(position, seat, move)
        case Answer():
            return _answer(position, seat, move)
        case Spread():
            return _spread(position, seat, move)
        case Pass():
            return None if position.phase is Phase.SPREAD else say.NO_SPREAD_NOW
        case _:
            assert_never(move)


def _wrong_phase(position: Position, wanted: Phase) -> str | None:
    phase = position.phase
    if phase is wanted:
        return None
    match phase:
        case Phase.SPREAD:
            return say.SPREAD_FIRST
        case Phase.ANSWERS:
            return say.ANSWER_FIRST
        case Phase.START:
            return say.START_FIRST
        case Phase.ACTION:
            seat = position.turn
            begins = seat == position.dealer and position.own_turns == (0, 0, 0) and position.drew is None
            return say.DEALER_BEGINS if begins and not position.discards else say.ACTION_NOW
        case Phase.OVER:
            return say.over(position.end)
        case _:
            assert_never(phase)


def _cards(position: Position, seat: int, cards: Sequence[Laid]) -> str | None:
    hand = position.hands[seat]
    last = -1
    size = position.rules.n
    for slot, card in cards:
        if slot <= last:
            return say.FORM
        if slot not in hand:
            return say.NOT_HELD
        if not 0 <= card < size:
            return say.FACES
        last = slot
    return None


def _discard(position: Position, seat: int, move: Discard) -> str | None:
    return _cards(position, seat, (move.card,))


def _draw(position: Position) -> str | None:
    if position.stock or position.rules.stock_end == "on_failed_draw":
        return None
    return say.STOCK_EMPTY


def _shape(cards: Sequence[int], wild: Sequence[int], rules: Rules) -> str | None:
    stands = stand(cards, wild)
    if stands is None:
        return say.JOKER_STANDS
    if kind_of(sorted(stands)) is None:
        repeated = len(set(stands)) < len(stands)
        return say.JOKER_STANDS if repeated and wild else say.NOT_A_MELD
    return _joker_limits(cards, rules)


def _joker_limits(cards: Sequence[int], rules: Rules) -> str | None:
    jokers = sum(c >= NATURALS for c in cards)
    if jokers_fit(len(cards) - jokers, jokers, rules):
        return None
    return say.joker_limits(rules.joker_min_naturals, rules.joker_max_per_meld)


def _meld(position: Position, seat: int, move: Meld) -> str | None:
    return (
        _cards(position, seat, move.cards)
        or _shape([c for _, c in move.cards], move.wild, position.rules)
        or _keeps_last(position, seat, len(move.cards))
    )


def _keeps_last(position: Position, seat: int, laid: int) -> str | None:
    if position.rules.tongits_final_discard == "required" and laid >= len(position.hands[seat]):
        return say.LAST_CARD
    return None


def _hide(position: Position, seat: int, move: Hide) -> str | None:
    allowed = position.rules.secret_face_down
    if allowed == "off":
        return say.HIDE_OFF
    if len(move.slots) != SECRET_SIZE:
        return say.HIDE_FOUR
    return _cards(position, seat, [(s, 0) for s in move.slots]) or _keeps_last(position, seat, SECRET_SIZE)


def _sapaw(position: Position, seat: int, move: Sapaw) -> str | None:
    if not 0 <= move.meld < len(position.melds):
        return say.NO_MELD_THERE
    if not move.cards:
        return say.SAPAW_NOTHING
    cards = [c for _, c in move.cards]
    return (
        _cards(position, seat, move.cards)
        or _lays_off(position.melds[move.meld], cards, move.wild, position.rules)
        or _may_sapaw(position, seat, len(move.cards))
        or _keeps_last(position, seat, len(move.cards))
    )


def _lays_off(meld: TableMeld, cards: Sequence[int], wild: Sequence[int], rules: Rules) -> str | None:
    if meld.face_down:
        return say.SAPAW_FACE_DOWN
    stands = stand(cards, wild)
    if stands is None:
        return say.JOKER_STANDS
    if kind_of(sorted((*meld.stands, *stands))) is not meld.kind:
        return say.SAPAW_MISFIT
    return _joker_limits([c for c in (*meld.cards, *cards) if c is not None], rules)


def _may_sapaw(position: Position, seat: int, laid: int) -> str | None:
    rules = position.rules
    if rules.sapaw_before_open and rules.tongits_without_own_meld:
        return None
    if position.opened(seat):
        return None
    if not rules.sapaw_before_open:
        return say.SAPAW_UNOPENED
    return say.SAPAW_KEEPS_TWO if len(position.hands[seat]) - laid < 2 else None


def _take(position: Position, seat: int, move: Take) -> str | None:
    rules = position.rules
    if rules.discard_take == "none":
        return say.TAKE_OFF
    if not position.discards:
        return say.TAKE_NOTHING
    refusal = _cards(position, seat, move.cards)
    if refusal is not None:
        return refusal
    cards = [position.discards[-1][1], *(c for _, c in move.cards)]
    if move.meld is None:
        if len(move.cards) < 2:
            return say.TAKE_NOT_A_MELD
        return _shape(cards, move.wild, rules) or _keeps_last(position, seat, len(move.cards))
    return (
        _take_onto(position, seat, move.meld)
        or _lays_off(position.melds[move.meld], cards, move.wild, rules)
        or _may_sapaw(position, seat, len(move.cards))
        or _keeps_last(position, seat, len(move.cards))
    )


def _take_onto(position: Position, seat: int, meld: int) -> str | None:
    if position.rules.discard_take == "new_meld":
        return say.TAKE_NEW_ONLY
    if not 0 <= meld < len(position.melds):
        return say.NO_MELD_THERE
    if position.rules.discard_take == "new_meld_or_own" and position.melds[meld].owner != seat:
        return say.TAKE_OWN_ONLY
    return None


def _call(position: Position, seat: int, move: Call) -> str | None:
    if position.phase is Phase.ACTION:
        return say.CALL_TOO_LATE
    return (
        _wrong_phase(position, Phase.START)
        or _cards(position, seat, move.cards)
        or call_refusal(position, seat, move.cards)
    )


def _answer(position: Position, seat: int, move: Answer) -> str | None:
    if position.phase is not Phase.ANSWERS:
        return say.NO_DRAW_CALLED
    refusal = _cards(position, seat, move.cards)
    if refusal is not None:
        return refusal
    if move.word == "fold":
        return say.ANSWER_SHOWS_NOTHING if move.cards else None
    return challenge_refusal(position, seat, move.cards)


def _spread(position: Position, seat: int, move: Spread) -> str | None:
    if position.phase is not Phase.SPREAD:
        return say.NO_SPREAD_NOW
    refusal = _cards(position, seat, move.cards)
    if refusal is not None:
        return refusal
    if len(move.cards) != len(position.hands[seat]):
        return say.SPREAD_WHOLE
    return say.SPREAD_COUNT if deadwood((c for _, c in move.cards), position.rules) else None
