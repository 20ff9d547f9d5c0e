"""The engine: the deal, the walk of a turn, events, and what stays true in every position."""

import random

import pytest
from msgspec.structs import replace

from tests.hands import any_move, play_on, random_rules, shuffled
from tongits_lan.errors import Refused
from tongits_lan.game import engine
from tongits_lan.game.cards import parse_card
from tongits_lan.game.engine import EndKind, Phase, Position
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
    Hide,
    LockSet,
    Meld,
    Melded,
    Pass,
    SagasaPaid,
    Sapaw,
    Take,
    Took,
)
from tongits_lan.game.rules import PRESETS

PAGAT = PRESETS["pagat"]


def _laid(*texts: str) -> tuple[tuple[int, int], ...]:
    """Cards of a test where slot and card code are the same number."""
    return tuple(sorted((parse_card(t), parse_card(t)) for t in texts))


def _slots(*texts: str) -> tuple[int, ...]:
    return tuple(sorted(parse_card(t) for t in texts))


def _set_up(first: str, second: str, third: str, **fields: object) -> Position:
    hands = tuple(_slots(*hand.split()) for hand in (first, second, third))
    held = {slot for hand in hands for slot in hand}
    stock = tuple(s for s in range(52) if s not in held)
    position = Position(
        rules=PAGAT,
        dealer=0,
        turn=0,
        phase=Phase.ACTION,
        hands=(hands[0], hands[1], hands[2]),
        melds=(),
        discards=(),
        stock=stock,
        own_turns=(1, 1, 1),
    )
    return replace(position, **fields)


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_deal_goes_round_from_the_dealer(preset: str, dealer: int) -> None:
    rules = PRESETS[preset]
    position = engine.deal(rules, dealer)
    assert position.hands[dealer] == (*range(0, 36, 3), 36)
    assert position.hands[(dealer + 1) % 3] == tuple(range(1, 36, 3))
    assert position.hands[(dealer + 2) % 3] == tuple(range(2, 36, 3))
    assert position.stock == tuple(range(37, rules.n))
    assert position.turn == dealer


def test_every_slot_is_in_one_place_through_whole_hands() -> None:
    rng = random.Random(11)
    ends = set()
    for _ in range(120):
        rules = random_rules(rng)
        faces = shuffled(rules, rng)
        positions, _ = play_on(engine.deal(rules, rng.randrange(3)), faces, [any_move] * 3, rng)
        for position in positions:
            slots = [
                *(s for hand in position.hands for s in hand),
                *(s for meld in position.melds for s in meld.slots),
                *(s for s, _ in position.discards),
                *position.stock,
            ]
            assert sorted(slots) == list(range(rules.n))
            assert all(list(hand) == sorted(hand) for hand in position.hands)
            assert (position.turn is None) == (position.phase is Phase.OVER) == (position.end is not None)
        last = positions[-1]
        assert last.turn is None
        ends.add(last.end)
        for meld in last.melds:
            assert meld.face_down or all(faces[s] == c for s, c in zip(meld.slots, meld.cards, strict=True))
        assert all(faces[slot] == card for slot, card in (*last.discards, *last.shown))
    assert {EndKind.DRAW, EndKind.STOCK} <= ends


def test_a_position_is_not_touched_by_what_follows() -> None:
    rng = random.Random(5)
    faces = shuffled(PAGAT, rng)
    start = engine.deal(PAGAT, 0)
    positions, _ = play_on(start, faces, [any_move] * 3, rng)
    again = engine.deal(PAGAT, 0)
    assert start == again
    assert len({id(p) for p in positions}) == len(positions)
    assert hash(positions[-1]) != hash(start)


def test_a_turn_draws_lays_and_discards() -> None:
    position = _set_up("KD 2C", "5H 6H 7H 9C", "3S 4D", turn=0)
    position, events = engine.apply(position, 0, Discard(_laid("KD")[0]))
    assert events == (Discarded(0, parse_card("KD"), parse_card("KD")),)
    assert (position.turn, position.phase) == (1, Phase.START)
    top = position.stock[0]
    position, events = engine.apply(position, 1, Draw())
    assert events == (Drew(1, top),)
    assert (position.drew, position.last_drawer, position.phase) == (top, 1, Phase.ACTION)
    position, events = engine.apply(position, 1, Meld(_laid("5H", "6H", "7H")))
    assert events == (Melded(1, 0, _laid("5H", "6H", "7H"), ()),)
    assert position.opened(1)
    assert not position.opened(0)
    assert position.own_turns == (2, 1, 1)


def test_taking_the_discard_lays_it_at_once() -> None:
    position = _set_up("9C 9D KS", "5H", "3S", phase=Phase.START, discards=(_laid("9H")[0],))
    position = replace(position, stock=tuple(s for s in position.stock if s != parse_card("9H")))
    after, events = engine.apply(position, 0, Take(None, _laid("9C", "9D")))
    nine = parse_card("9H")
    assert events == (Took(0, nine, nine, 0), Melded(0, 0, _laid("9C", "9D", "9H"), ()))
    assert after.hands[0] == _slots("KS")
    assert after.discards == ()
    assert after.melds[0].slots == _slots("9C", "9D", "9H")
    assert after.last_drawer is None


def test_a_lay_off_locks_its_owner_until_he_draws() -> None:
    position = _set_up("8H KS", "5H 6H 7H 9C 2C", "3S 4D", turn=1)
    position, _ = engine.apply(position, 1, Meld(_laid("5H", "6H", "7H")))
    position, _ = engine.apply(position, 1, Discard(_laid("9C")[0]))
    position, _ = engine.apply(position, 2, Draw())
    position, _ = engine.apply(position, 2, Discard(_laid("4D")[0]))
    position, _ = engine.apply(position, 0, Draw())
    position, events = engine.apply(position, 0, Sapaw(0, _laid("8H")))
    assert LockSet(1, 0, 0) in events
    assert position.locked == (False, True, False)
    assert position.melds[0].by == (1, 1, 1, 0)
    position, _ = engine.apply(position, 0, Discard(_laid("KS")[0]))
    reason = engine.check(position, 1, Call())
    assert reason is not None
    assert reason.format("Ana", "Ben", "Carlo") == (
        "you cannot call a fight: Ana laid off 8H on your run since your last turn"
    )
    position, _ = engine.apply(position, 1, Draw())
    assert position.locked == (False, False, False)


def test_a_call_folds_the_unopened_and_asks_the_others() -> None:
    position = _set_up("4C 4D 4H 2S 3C", "9C 9D 9H KD 2C", "3S 4S 5S", turn=0)
    position, _ = engine.apply(position, 0, Meld(_laid("4C", "4D", "4H")))
    position, _ = engine.apply(position, 0, Discard(_laid("3C")[0]))
    for seat, card in ((1, "KD"), (2, "5S")):
        position, _ = engine.apply(position, seat, Draw())
        if seat == 1:
            position, _ = engine.apply(position, 1, Meld(_laid("9C", "9D", "9H")))
        position, _ = engine.apply(position, seat, Discard(_laid(card)[0]))
    position, events = engine.apply(position, 0, Call())
    assert events == (Called(0, ()),)
    assert (position.turn, position.phase, position.caller) == (1, Phase.ANSWERS, 0)
    position, events = engine.apply(position, 1, Answer("challenge"))
    assert events == (
        Answered(1, "challenge", False, ()),
        Answered(2, "fold", True, ()),
        Ended(EndKind.DRAW, 0),
    )
    assert position.answers == ((1, "challenge", False), (2, "fold", True))


def test_a_hidden_set_shows_no_face() -> None:
    position = _set_up("4C 4D 4H 4S 3C", "9C", "3S")
    position, _ = engine.apply(position, 0, Hide(_slots("4C", "4D", "4H", "4S")))
    meld = position.melds[0]
    assert (meld.face_down, meld.cards, meld.stands) == (True, (None,) * 4, ())
    assert position.opened(0)
    assert engine.check(position, 0, Sapaw(0, _laid("3C"))) is not None


def test_sagasa_is_told_when_it_happens() -> None:
    rules = replace(PAGAT, sagasa_bonus=5)
    position = _set_up("7C 7D 7H KS 2C", "9C", "3S", rules=rules, turn=0)
    position, _ = engine.apply(position, 0, Meld(_laid("7C", "7D", "7H")))
    position, _ = engine.apply(position, 0, Discard(_laid("2C")[0]))
    seven = parse_card("7S")
    rest = tuple(s for s in position.stock if s != seven)
    position = replace(position, turn=0, stock=(seven, *rest))
    position, _ = engine.apply(position, 0, Draw())
    position, events = engine.apply(position, 0, Sapaw(0, _laid("7S")))
    assert SagasaPaid(0, 5) in events
    assert position.sagasas == (0,)


def test_a_trio_laid_after_the_draw_is_no_sagasa() -> None:
    rules = replace(PAGAT, sagasa_bonus=5)
    seven = parse_card("7S")
    position = _set_up("7C 7D 7H KS 2C", "9C", "3S", rules=rules, phase=Phase.START)
    rest = tuple(s for s in position.stock if s != seven)
    position, _ = engine.apply(replace(position, stock=(seven, *rest)), 0, Draw())
    position, _ = engine.apply(position, 0, Meld(_laid("7C", "7D", "7H")))
    position, events = engine.apply(position, 0, Sapaw(0, _laid("7S")))
    assert not any(isinstance(e, SagasaPaid) for e in events)
    assert position.sagasas == ()


def test_apply_refuses_with_the_sentence_of_check() -> None:
    position = _set_up("KD 2C", "5H", "3S")
    reason = engine.check(position, 1, Draw())
    assert reason == "it is not your turn: {0} moves now"
    with pytest.raises(Refused) as refused:
        engine.apply(position, 1, Draw())
    assert refused.value.reason == reason


def test_a_spread_is_passed_round_from_the_dealer() -> None:
    position = engine.deal(PRESETS["wikipedia"], 1)
    assert position.phase is Phase.SPREAD
    for seat in (1, 2, 0):
        assert position.turn == seat
        position, _ = engine.apply(position, seat, Pass())
    assert (position.turn, position.phase) == (1, Phase.ACTION)


def test_a_view_holds_the_own_faces_only() -> None:
    position = engine.deal(PAGAT, 2)
    view = engine.view(position, 0, list(range(52)))
    assert set(view.faces) == set(position.hands[0])
    assert engine.legal_moves(view) == ()
