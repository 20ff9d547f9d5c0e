"""One refusal for each rule: what may not be done is said in a sentence that names the rule."""

from typing import Any

import pytest
from msgspec.structs import replace

from tests import scenarios
from tongits_lan.game import engine, refusals
from tongits_lan.game.cards import parse_card
from tongits_lan.game.engine import Phase, Position
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
from tongits_lan.game.rules import PRESETS, from_map, to_map


def _laid(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((parse_card(t), parse_card(t)) for t in text.split()))


def _slots(text: str) -> tuple[int, ...]:
    return tuple(slot for slot, _ in _laid(text))


_HANDS = ["9S 9H 9D 9C 8S QC QS 2H X", "8D 6C 4D", "8C 6D 4C"]
_MELDS = [
    {"owner": 1, "cards": ["5S", "6S", "7S"]},
    {"owner": 2, "cards": ["TC", "TD", "TH"]},
    {"owner": 1, "cards": ["AC", "AD", "AH", "AS"], "face_down": True},
]


def _position(rules: dict[str, Any], **fields: Any) -> Position:
    options = from_map({**to_map(PRESETS["pagat"]), **rules})
    first = _HANDS[0].replace("X", "X1" if options.jokers else "2S")
    state = {
        "hands": [h.split() for h in (first, *_HANDS[1:])],
        "turn": 0,
        "phase": "action",
        "melds": _MELDS,
        "discards": ["QD"],
    }
    state |= fields
    return scenarios.position_of(state, options)


_START = {"phase": "start"}
_SPECIAL = {"draw_call_requirement": "opened_or_special"}
_ASKED = {"phase": "answers", "caller": 2}
_LOCKED = {"phase": "start", "locked": [0], "melds": [*_MELDS, {"owner": 0, "cards": ["KC", "KD", "KH"]}]}
_ONE = {"hands": [["8S"], ["8D"], ["8C"]]}

_CASES: list[tuple[dict[str, Any], dict[str, Any], Move, str]] = [
    ({}, {"turn": 1}, Draw(), "it is not your turn: Ben moves now"),
    ({}, {}, Draw(), "you have had your card for this turn"),
    ({}, {"own_turns": [0, 0, 0], "discards": []}, Draw(), "the dealer begins with thirteen cards"),
    ({}, {}, Call(), "a fight is called at the start of your turn"),
    ({}, {}, Answer("fold"), "nobody has called a fight"),
    ({}, {}, Pass(), "a spread is claimed right after the deal only"),
    ({}, {}, Spread(_laid("2H")), "a spread is claimed right after the deal only"),
    ({}, {}, Discard(_laid("KS")[0]), "you can only play cards that you hold"),
    ({}, {}, Discard((parse_card("2H"), 53)), "must be a card of this deck"),
    ({}, {}, Meld(((40, 40), (39, 39))), "ascending order"),
    ({}, {}, Meld(_laid("9S 9H QC")), "a meld is three or four cards of one rank"),
    ({}, {}, Meld(_laid("9S 9H")), "a meld is three or four cards of one rank"),
    ({"jokers": 2}, {}, Meld(_laid("9S 9H X1")), "say for each joker"),
    ({"jokers": 2}, {}, Meld(_laid("9S 9H X1"), (parse_card("9S"),)), "say for each joker"),
    (
        {"jokers": 2, "joker_min_naturals": 3},
        {},
        Meld(_laid("9S 9H X1"), (parse_card("9C"),)),
        "needs at least 3 natural cards and holds at most 1 joker",
    ),
    ({"secret_face_down": "off"}, {}, Hide(_slots("9S 9H 9D 9C")), "not laid face down at this table"),
    ({}, {}, Hide(_slots("9S 9H 9D")), "only a set of four"),
    ({}, {}, Sapaw(7, _laid("8S")), "there is no meld with that number"),
    ({}, {}, Sapaw(2, _laid("8S")), "lies face down"),
    ({}, {}, Sapaw(0, _laid("9S")), "continues a run at an end without a gap"),
    ({}, {}, Sapaw(1, _laid("9S")), "continues a run at an end without a gap"),
    ({}, {}, Sapaw(0, ()), "a lay-off needs at least one card"),
    ({"jokers": 2}, {}, Sapaw(0, _laid("X1")), "say for each joker"),
    (
        {"jokers": 2, "joker_max_per_meld": 0},
        {},
        Sapaw(0, _laid("X1"), (parse_card("8S"),)),
        "holds at most 0 jokers",
    ),
    ({"sapaw_before_open": False}, {}, Sapaw(0, _laid("8S")), "must have laid a meld of your own first"),
    ({"tongits_without_own_meld": False}, _ONE, Sapaw(0, _laid("8S")), "two must stay in hand"),
    ({"tongits_final_discard": "required"}, _ONE, Sapaw(0, _laid("8S")), "the last card must be discarded"),
    ({}, _START, Meld(_laid("9S 9H 9D")), "your turn begins with a card"),
    ({}, _START, Discard(_laid("2H")[0]), "your turn begins with a card"),
    ({"discard_take": "none"}, _START, Take(None, _laid("QC QS")), "cards come from the stock only"),
    ({}, {"phase": "start", "discards": []}, Take(None, _laid("QC QS")), "the pile is empty"),
    ({}, _START, Take(None, _laid("QC")), "at least two cards of your hand"),
    ({}, _START, Take(None, _laid("QC 2H")), "a meld is three or four cards of one rank"),
    ({}, {"phase": "start", "discards": ["TS"]}, Take(1, ()), "it must make a new meld"),
    (
        {"discard_take": "new_meld_or_own"},
        {"phase": "start", "discards": ["TS"]},
        Take(1, ()),
        "not onto another player's",
    ),
    ({}, _START, Call(), "you have not laid a meld of your own"),
    ({}, _START | {"own_turns": [0, 1, 1]}, Call(), "before you have completed a turn"),
    ({}, _LOCKED, Call(), "a card was laid off on your melds since your last turn"),
    (_SPECIAL, _START, Call(), "showing exactly a natural four of a kind would let you"),
    (_SPECIAL, _START, Call(_laid("9S 9H 9D")), "showing exactly a natural four of a kind"),
    (
        {"draw_call_requirement": "opened_and_special"},
        _LOCKED | {"locked": []},
        Call(),
        "you can call a fight only by showing exactly a natural four of a kind",
    ),
    ({}, _LOCKED | {"locked": []}, Call(_laid("2H")), "needs no cards shown"),
    ({"zero_count_fight": "only_zero"}, _LOCKED | {"locked": []}, Call(), "a hand that counts zero"),
    ({}, _ASKED, Draw(), "a fight has been called: fight back or fold"),
    ({"challenge_requirement": "opened_or_special"}, _ASKED, Answer("challenge"), "only by showing"),
    ({"challenge_requirement": "anyone"}, _ASKED, Answer("challenge", _laid("2H")), "no cards shown"),
    ({}, _ASKED, Answer("fold", _laid("2H")), "no cards shown"),
    ({"spread": "jackpot"}, {"phase": "spread"}, Draw(), "claim a spread or pass"),
    ({"spread": "jackpot"}, {"phase": "spread"}, Spread(_laid("2H")), "shows the whole hand"),
    ({"spread": "jackpot"}, {"phase": "spread"}, Spread(_laid("8D")), "cards that you hold"),
    (
        {"spread": "jackpot"},
        {"phase": "spread"},
        Spread(_laid("9S 9H 9D 9C 8S QC QS 2H 2S")),
        "not all of your cards form melds",
    ),
]


@pytest.mark.parametrize(("rules", "fields", "move", "words"), _CASES)
def test_the_refusal_names_the_rule(
    rules: dict[str, Any], fields: dict[str, Any], move: Move, words: str
) -> None:
    position = _position(rules, **fields)
    reason = engine.check(position, 0, move)
    assert reason is not None
    told = reason.format("Ana", "Ben", "Carlo")
    assert words in told
    assert "{" not in told
    assert move not in scenarios.legal(position, 0)


_OWN_CASES: list[tuple[dict[str, Any], Move, str]] = [
    ({"discard_fit_ban": True}, Discard(_laid("8S")[0]), "you cannot discard a card that fits a meld"),
    ({}, Hide(_slots("9S 9H 9D 8S")), "only a set of four cards of one rank"),
    ({"jokers": 2}, Hide(_slots("9S 9H 9D X1")), "only a set of four cards of one rank"),
    ({}, Discard((parse_card("2H"), parse_card("KS"))), "you can only play cards that you hold"),
    ({}, Meld(_laid("9S 9H")), "a meld is three or four cards of one rank"),
]


@pytest.mark.parametrize(("rules", "move", "words"), _OWN_CASES)
def test_what_only_the_own_hand_tells_is_said(rules: dict[str, Any], move: Move, words: str) -> None:
    position = _position(rules)
    reason = engine.why_not(engine.view(position, 0, range(position.rules.n)), move)
    assert reason is not None
    assert words in reason
    assert move not in scenarios.legal(position, 0)


def test_an_empty_stock_is_said() -> None:
    position = replace(_position({}, phase="start"), stock=())
    assert engine.check(position, 0, Draw()) == "you cannot draw: the stock is empty"


def test_the_end_is_said() -> None:
    position = _position({}, **_ONE)
    over, _ = engine.apply(position, 0, Discard(_laid("8S")[0]))
    assert over.phase is Phase.OVER
    assert engine.check(over, 1, Draw()) == "play of this hand is over: it ended by tongits"


@pytest.mark.parametrize(
    ("rules", "steps", "words"),
    [
        ({}, [("meld", 1, "KC KD KH"), ("sapaw", 1, "KS")], "you laid off KS on a set in your last turn"),
        (
            {"lock_by_self": "any_meld"},
            [("meld", 1, "KC KD KH"), ("sapaw", 0, "8S")],
            "you laid off 8S on a run in your last turn",
        ),
        (
            {"meld4_is_self_sapaw": True},
            [("meld", 1, "KC KD KH KS")],
            "you laid a meld of four or more in your last turn",
        ),
    ],
)
def test_an_own_lay_off_is_said(rules: dict[str, Any], steps: list[tuple[str, int, str]], words: str) -> None:
    options = from_map({**to_map(PRESETS["pagat"]), **rules})
    state = {
        "hands": [["KC", "KD", "KH", "KS", "8S", "2H", "3H"], ["8D", "2C"], ["8C", "2D"]],
        "turn": 0,
        "phase": "action",
        "melds": [{"owner": 1, "cards": ["5S", "6S", "7S"]}],
        "stock": ["4H", "6H"],
    }
    position = scenarios.position_of(state, options)
    for kind, index, cards in steps:
        laid = _laid(cards)
        move = Meld(laid) if kind == "meld" else Sapaw(index, laid)
        position, _ = engine.apply(position, 0, move)
    position, _ = engine.apply(position, 0, Discard(_laid("3H")[0]))
    for seat, card in ((1, "4H"), (2, "6H")):
        position, _ = engine.apply(position, seat, Draw())
        position, _ = engine.apply(position, seat, Discard(_laid(card)[0]))
    assert engine.check(position, 0, Call()) == f"you cannot call a fight: {words}"


def test_a_lock_of_the_rest_of_the_hand_outlives_a_draw() -> None:
    options = replace(PRESETS["pagat"], lock_by_others="rest_of_round")
    state = {
        "hands": [["2H", "3H"], ["8S", "2C", "2S"], ["8C", "2D"]],
        "turn": 1,
        "phase": "action",
        "melds": [{"owner": 0, "cards": ["5S", "6S", "7S"]}],
        "stock": ["4H", "6H", "4C", "6C", "9C"],
    }
    position = scenarios.position_of(state, options)
    position, _ = engine.apply(position, 1, Sapaw(0, _laid("8S")))
    position, _ = engine.apply(position, 1, Discard(_laid("2C")[0]))
    for seat, card in ((2, "4H"), (0, "6H"), (1, "4C"), (2, "6C")):
        position, _ = engine.apply(position, seat, Draw())
        position, _ = engine.apply(position, seat, Discard(_laid(card)[0]))
    reason = engine.check(position, 0, Call())
    assert reason is not None
    assert reason.format("Ana", "Ben", "Carlo") == (
        "you cannot call a fight: Ben laid off 8S on your run in this hand"
    )


def test_C15_every_refusal_there_is_has_been_run_into() -> None:
    """The sentences that are made of parts have tests of their own above."""
    said = {engine.check(_position(rules, **fields), 0, move) for rules, fields, move, _ in _CASES}
    for rules, move, _ in _OWN_CASES:
        position = _position(rules)
        said.add(engine.why_not(engine.view(position, 0, range(position.rules.n)), move))
    said.add(engine.check(replace(_position({}, phase="start"), stock=()), 0, Draw()))
    whole = {name: text for name, text in vars(refusals).items() if name.isupper() and name != "NO_CALL"}
    assert len(whole) > 30
    assert {name for name, text in whole.items() if isinstance(text, str) and text not in said} == set()
