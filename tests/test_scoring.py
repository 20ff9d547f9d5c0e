"""Scoring: chips are conserved, and each payment rule pays what the rules say."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from tests import scenarios
from tests.hands import any_move, hand_of, random_rules
from tongits_lan.game import engine, scoring
from tongits_lan.game.moves import Call, Discard, Draw
from tongits_lan.game.payments import Line
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.scoring import Match, Result, Settlement

PAGAT, HOUSE, JOKER = PRESETS["pagat"], PRESETS["house"], PRESETS["joker"]


def _moved(settlement: Settlement, before: Match) -> tuple[int, int, int]:
    chips = [*before.chips]
    for line in settlement.lines:
        if line.from_ is not None:
            chips[line.from_] -= line.chips
        if line.to is not None:
            chips[line.to] += line.chips
    return (chips[0], chips[1], chips[2])


def _check_sums(rules: Rules, before: Match, settlement: Settlement) -> None:
    after = settlement.match
    assert sum(after.chips) + after.pot == sum(before.chips) + before.pot == 0
    assert _moved(settlement, before) == after.chips
    both = zip(before.chips, scoring.brought(settlement), strict=True)
    assert tuple(chips + more for chips, more in both) == after.chips
    assert all(line.chips > 0 and line.from_ != line.to for line in settlement.lines)
    fees = sum(line.chips for line in settlement.lines if line.to is None and line.reason == "fold fee")
    assert sum(settlement.net) == -fees
    antes = [line for line in settlement.lines if line.reason == "ante"]
    assert sum(line.chips for line in antes) == 3 * scoring.ante(rules, before)
    paid = sum(line.chips for line in settlement.lines if line.from_ is None)
    assert paid == settlement.pot_paid
    if settlement.winner is None:
        assert settlement.places is None
    else:
        assert settlement.places is not None
        assert settlement.places[0] == settlement.winner
        assert settlement.winner not in settlement.burned
    assert (after.streak_seat is None) == (after.streak_length == 0)
    assert after.pot >= 0


@pytest.mark.parametrize("name", [*PRESETS, "random"])
def test_chips_are_conserved_over_many_hands(name: str) -> None:
    rng = random.Random(7)
    match = replace(scoring.fresh_match(), dealer=0)
    rules = random_rules(rng) if name == "random" else PRESETS[name]
    ends = set()
    for _ in range(120):
        if name == "random":
            rules = random_rules(rng)
        if rng.random() < 0.1:
            settlement = scoring.settle_forfeit(rules, match, rng.randrange(3))
        else:
            _, settlement = hand_of(rules, match, [any_move] * 3, rng)
        _check_sums(rules, match, settlement)
        match = settlement.match
        ends.add(settlement.end)
    closed = scoring.close(rules, match)
    assert closed.match.pot == 0
    assert sum(closed.match.chips) == 0
    assert {"draw", "forfeit"} <= ends


def _settle(state: dict[str, Any], steps: list[dict[str, Any]], rules: Rules) -> Settlement:
    position = scenarios.play(scenarios.position_of(state, rules), steps)
    return scenarios.settled(state, position, rules)


def _melds(*owned: tuple[int, str]) -> list[dict[str, Any]]:
    return [{"owner": owner, "cards": cards.split()} for owner, cards in owned]


def _state(first: str, second: str, third: str, **more: Any) -> dict[str, Any]:
    hands = [first.split(), second.split(), third.split()]
    opened = _melds((0, "QC QD QH"), (1, "JC JD JH"), (2, "TC TD TH"))
    state = {"hands": hands, "turn": 0, "phase": "action", "melds": opened, "rest": "discards"}
    return state | {"last_drawer": 0} | more


def _discard(card: str, seat: int = 0) -> dict[str, Any]:
    return {"seat": seat, "move": "discard", "cards": [card]}


def _fight(*words: str) -> list[dict[str, Any]]:
    answers = [{"seat": 1 + i, "move": "answer", "answer": word} for i, word in enumerate(words)]
    return [{"seat": 0, "move": "call"}, *answers]


def _calling(first: str, second: str, third: str, **more: Any) -> dict[str, Any]:
    return _state(first, second, third, phase="start", rest="stock", last_drawer=None) | more


def test_stock_end_pays_the_base_and_the_aces() -> None:
    settlement = _settle(_state("AS KD", "9C", "8C"), [_discard("KD")], PAGAT)
    assert settlement.lines == (
        Line(2, 0, 1, "base"),
        Line(2, 0, 1, "ace"),
        Line(1, 0, 1, "base"),
        Line(1, 0, 1, "ace"),
    )
    assert settlement.net == (4, -2, -2)


@pytest.mark.parametrize(
    ("change", "net"),
    [
        ({}, (6, -3, -3)),
        ({"challenged_rate_applies_to": "challengers_and_caller"}, (4, -3, -1)),
        ({"fold_fee": 2}, (5, -3, -2)),
        ({"fold_fee": 0}, (3, -3, 0)),
        ({"fold_fee": 2, "fold_fee_to": "pot"}, (3, -3, -2)),
        ({"base_payers": "last_place"}, (3, -3, 0)),
        ({"variable_payout": "difference"}, (6 + 2 + 5, -6, -7)),
    ],
)
def test_a_challenged_draw(change: dict[str, Any], net: tuple[int, int, int]) -> None:
    rules = replace(PAGAT, **change)
    settlement = _settle(_calling("5S", "9C", "8C 2C"), _fight("challenge", "fold"), rules)
    assert settlement.winner == 0
    assert settlement.challenged
    assert settlement.net == net
    assert settlement.match.pot == -sum(net)


def test_a_fee_goes_to_the_caller_even_if_he_loses() -> None:
    rules = replace(PAGAT, fold_fee=4, fold_fee_to="caller")
    settlement = _settle(_calling("9S", "5C", "8C"), _fight("challenge", "fold"), rules)
    assert settlement.winner == 1
    assert settlement.net == (-3 + 4, 3, -4)


def test_a_fee_in_the_pot_is_won_with_it() -> None:
    rules = replace(PAGAT, fold_fee=4, fold_fee_to="pot")
    state = _calling("5S", "9C", "8C", pot=6, streak={"seat": 0, "wins": 1})
    settlement = _settle(state, _fight("fold", "fold"), rules)
    assert settlement.net == (0, -4, -4)
    assert settlement.pot_paid == 14
    assert settlement.match.pot == 0
    assert settlement.match.ante == "jackpot"


def test_a_folder_with_a_fee_pays_only_the_burned_penalty_besides() -> None:
    rules = replace(JOKER, ace_bonus=2)
    melds = _melds((0, "QC QD QH"), (1, "JC JD JH"))
    settlement = _settle(_calling("AS 4S", "9C", "8C", melds=melds), _fight("challenge"), rules)
    assert settlement.burned == (2,)
    assert settlement.net[2] == -(5 + 10)
    assert settlement.net[1] == -(max(1, 9 - 5) + 5 + 2)


@pytest.mark.parametrize(
    ("rules", "paid"),
    [
        (JOKER, 12 + 10),
        (replace(JOKER, zero_count_fight="off"), 12 + 5),
        (replace(JOKER, zero_count_fight="only_zero"), 12 + 5),
    ],
)
def test_a_draw_won_with_zero(rules: Rules, paid: int) -> None:
    settlement = _settle(_calling("4H 5H 6H", "9C 3D", "8C"), _fight("challenge", "fold"), rules)
    assert settlement.net == (paid + 5, -paid, -5)


def test_a_challenger_with_zero_is_paid_as_usual() -> None:
    settlement = _settle(_calling("2C", "4H 5H 6H", "8C"), _fight("challenge", "fold"), JOKER)
    assert settlement.winner == 1
    assert settlement.net[0] == -(2 + 5)


def test_bonuses_count_what_the_winner_laid_or_holds() -> None:
    rules = replace(PAGAT, long_run_bonus=4)
    melds = _melds((1, "JC JD JH"), (2, "TC TD TH"))
    melds.append({"owner": 0, "cards": ["AS", "2S", "3S", "4S", "5S", "6S"], "by": {"AS": 1}})
    melds.append({"owner": 0, "cards": ["9C", "9D", "9H", "9S"], "face_down": True})
    state = _state("AH KD", "8C", "7C", melds=melds)
    settlement = _settle(state, [_discard("KD")], rules)
    assert settlement.net[1] == -(1 + 1 + 3 + 4)
    melds[2]["by"] = {"AS": 1, "6S": 2}
    settlement = _settle(state, [_discard("KD")], rules)
    assert settlement.net[1] == -(1 + 1 + 3)


def test_any_player_collects_for_secrets() -> None:
    rules = replace(PAGAT, secret_bonus_holder="any_player")
    state = _state("AS KD", "9C 9D 9H 9S 5D", "8C")
    settlement = _settle(state, [_discard("KD")], rules)
    assert settlement.net == (4 - 3, -2 + 6, -2 - 3)


def test_last_place_pays_for_all() -> None:
    settlement = _settle(_state("4S KD", "9C", "8C 7D"), [_discard("KD")], HOUSE)
    assert settlement.lines == (Line(2, 0, 100, "base"),)


def test_rate_below_the_base_with_differences() -> None:
    rules = replace(JOKER, fold_fee=None, draw_unchallenged=0, base=3, burned_rule="off")
    settlement = _settle(_calling("5S", "KC", "6C"), _fight("fold", "fold"), rules)
    assert settlement.net == ((5 - 3) + 0, -(5 - 3), 0)


def test_a_false_hidden_set_undoes_a_win() -> None:
    melds = _melds((1, "JC JD JH"), (2, "TC TD TH"))
    melds.append({"owner": 0, "cards": ["9C", "9D", "9H", "2S"], "face_down": True})
    state = _state("AS KD", "8C", "7C", melds=melds, pot=6, streak={"seat": 1, "wins": 1})
    settlement = _settle(state, [_discard("KD")], PAGAT)
    assert settlement.winner is None
    assert settlement.net == (-12, 6, 6)
    assert settlement.match.pot == 6
    assert (settlement.match.streak_seat, settlement.match.streak_length) == (1, 1)
    assert settlement.match.dealer == 0
    ((seat, text),) = settlement.fouls
    assert seat == 0
    assert text.format("Ana", "Ben", "Carlo") == "Ana laid 9C 9D 9H 2S face down, which is no set of four"


def test_a_losers_false_hidden_set_is_back_in_his_hand() -> None:
    melds = _melds((0, "QC QD QH"), (2, "TC TD TH"))
    melds.append({"owner": 1, "cards": ["9C", "9D", "9H", "2S"], "face_down": True})
    settlement = _settle(_state("AS KD", "8C", "7C", melds=melds), [_discard("KD")], PAGAT)
    assert settlement.winner == 0
    assert settlement.counts == (1, 8 + 2, 7)
    assert settlement.burned == (1,)
    assert settlement.places == (0, 2, 1)
    assert settlement.net == (2 + 2 + 1 + 3, -(2 + 1) - 6, -2 + 3)


def test_a_hidden_joker_is_a_foul() -> None:
    rules = replace(JOKER, secret_face_down="set4")
    melds = _melds((0, "QC QD QH"), (2, "TC TD TH"))
    melds.append({"owner": 1, "cards": ["9C", "9D", "9H", "X1"], "face_down": True})
    settlement = _settle(_state("AS KD", "8C", "7C", melds=melds), [_discard("KD")], rules)
    assert [seat for seat, _ in settlement.fouls] == [1]


def test_a_forbidden_discard_is_a_foul_when_the_cards_are_open() -> None:
    rules = replace(PAGAT, discard_fit_ban=True)
    state = _state("2D QS", "8C 3C", "7C", rest="stock", last_drawer=None)
    position = scenarios.position_of(state, rules)
    queen = scenarios.codes(["QS"])[0]
    assert Discard((queen, queen)) not in scenarios.legal(position, 0)
    position, _ = engine.apply(position, 0, Discard((queen, queen)))
    position, _ = engine.apply(position, 1, Draw())
    eight = scenarios.codes(["8C"])[0]
    position, _ = engine.apply(position, 1, Discard((eight, eight)))
    position, _ = engine.apply(position, 2, Call())
    while position.turn is not None:
        position, _ = engine.apply(position, position.turn, scenarios.legal(position, position.turn)[-1])
    settlement = scenarios.settled(state, position, rules)
    assert settlement.winner == 2
    ((seat, text),) = settlement.fouls
    assert seat == 0
    assert "QS" in text
    assert "2D" in text
    assert settlement.net == (-1 - 6, -1 + 3, 2 + 3)


def test_a_spread_takes_the_pot_and_ends_the_row() -> None:
    rules = PRESETS["wikipedia"]
    state = {
        "hands": [["AS", "2S", "3S", "7H", "7D", "7C"], ["9C", "2D"], ["8C"]],
        "turn": 0,
        "phase": "spread",
        "own_turns": [0, 0, 0],
        "pot": 12,
        "streak": {"seat": 1, "wins": 1},
    }
    settlement = _settle(state, [{"seat": 0, "move": "spread"}], rules)
    assert (settlement.end, settlement.winner, settlement.burned) == ("spread", 0, ())
    assert settlement.net == (6, -3, -3)
    assert settlement.pot_paid == 12
    assert settlement.match.streak_seat is None
    assert settlement.match.ante == "jackpot"


def test_sagasa_stays_paid_without_a_winner() -> None:
    rules = replace(PAGAT, sagasa_bonus=5, stock_tie="no_winner")
    melds = _melds((0, "7C 7D 7H"), (1, "JC JD JH"), (2, "TC TD TH"))
    state = _state("7S 4D KD", "4S", "8C", melds=melds, drew="7S")
    steps = [{"seat": 0, "move": "sapaw", "meld": 0, "cards": ["7S"]}, _discard("KD")]
    settlement = _settle(state, steps, rules)
    assert settlement.winner is None
    assert settlement.net == (10, -5, -5)


def test_a_forfeit_pays_tongits_to_each_and_leaves_the_antes() -> None:
    match = Match((0, 0, 0), 0, 2, 1, 1, "first")
    settlement = scoring.settle_forfeit(HOUSE, match, 1)
    assert settlement.end == "forfeit"
    assert settlement.net == (200, -400, 200)
    assert settlement.match == Match((100, -500, 100), 300, 2, 1, 1, "next")


def test_closing_splits_the_pot_from_the_next_dealer() -> None:
    settlement = scoring.close(PAGAT, Match((-3, -2, -3), 8, None, 0, 2, "next"))
    assert settlement.match.chips == (-3 + 2 + 1, -2 + 2, -3 + 2 + 1)
    assert settlement.match.pot == 0
    assert scoring.close(PAGAT, Match((0, 0, 0), 0, None, 0, None, "first")).lines == ()


def test_a_table_that_goes_on_with_a_pot_pays_the_next_ante() -> None:
    assert scoring.ante(HOUSE, scoring.fresh_match()) == 100
    assert scoring.ante(HOUSE, scoring.start_match((-50, -50, 0), 100, 0, 1, 2)) == 50
    assert scoring.ante(HOUSE, scoring.start_match((1, -1, 0), 0, None, 0, 2)) == 100


def _wins(rules: Rules, *winners: int | None) -> tuple[list[int], Match]:
    match = replace(scoring.fresh_match(), dealer=0)
    paid = []
    for winner in winners:
        places = None if winner is None else (winner, (winner + 1) % 3, (winner + 2) % 3)
        match, _, _, pot = scoring.conclude(rules, match, Result(winner, places), [])
        paid.append(pot)
    return paid, match


def test_two_straight_wins_take_the_pot() -> None:
    assert _wins(PAGAT, 0, 1, 1, 1, 1)[0] == [0, 0, 18, 0, 12]
    after_one = replace(PAGAT, jackpot_streak_after=1)
    assert _wins(after_one, 0, 1, 1, 1, 1)[0] == [0, 0, 18, 6, 6]
    assert _wins(PAGAT, 0, None, 0)[0] == [0, 0, 18]
    assert _wins(replace(PAGAT, no_winner_streak="reset"), 0, None, 0)[0] == [0, 0, 0]


def test_a_second_straight_win_may_be_paid_where_three_take_the_pot() -> None:
    rules = replace(PAGAT, jackpot_wins=3, jackpot_second_win_bonus=5)
    paid, match = _wins(rules, 0, 0)
    assert paid == [0, 0]
    assert match.chips == (-4 + 10, -4 - 5, -4 - 5)
    assert _wins(rules, 0, 0, 0)[0] == [0, 0, 18]
    assert _wins(replace(rules, jackpot_wins=2), 0, 0)[1].chips == (-4 + 12, -4, -4)


@pytest.mark.parametrize(("option", "dealer"), [("winner", 2), ("third_place", 1), ("rotate", 1)])
def test_who_deals_next(option: str, dealer: int) -> None:
    rules = replace(PAGAT, next_dealer=option)
    assert _wins(rules, 2)[1].dealer == dealer
    assert _wins(rules, None)[1].dealer == 0
