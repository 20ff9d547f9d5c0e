"""Rule sets: the presets, the map form, and what a map may not hold."""

import random

import pytest
from msgspec.structs import replace

from tests.hands import random_rules
from tongits_lan.errors import Refused
from tongits_lan.game.rules import OPTIONS, PRESETS, Rules, deck_size, describe, from_map, to_map, values_of

PAGAT = PRESETS["pagat"]


def test_the_presets_differ_where_the_rules_say() -> None:
    assert list(PRESETS) == ["pagat", "wikipedia", "house", "joker"]
    assert [deck_size(r) for r in PRESETS.values()] == [52, 52, 52, 54]
    assert [r.n for r in PRESETS.values()] == [52, 52, 52, 54]
    assert [r.preset for r in PRESETS.values()] == list(PRESETS)
    assert [r.fold_fee for r in PRESETS.values()] == [None, None, 100, 5]
    assert [r.tongits for r in PRESETS.values()] == [3, 3, 200, 11]
    assert [r.ante_first for r in PRESETS.values()] == [2, 2, 100, 2]
    assert [r.spread for r in PRESETS.values()] == ["off", "jackpot", "off", "jackpot"]


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_map_and_its_rules_go_both_ways(name: str) -> None:
    options = to_map(PRESETS[name])
    assert list(options) == sorted(options, key=str.encode)
    assert set(OPTIONS) < set(options)
    assert from_map(options) == PRESETS[name]


def test_random_rules_go_both_ways() -> None:
    rng = random.Random(1)
    for _ in range(50):
        rules = random_rules(rng)
        assert from_map(to_map(rules)) == rules


def test_missing_table_options_take_their_defaults() -> None:
    options = {k: v for k, v in to_map(PAGAT).items() if k in OPTIONS}
    assert from_map(options) == replace(PAGAT, preset="")


def test_every_value_of_every_option_is_taken_and_told_apart() -> None:
    for option in OPTIONS:
        values = values_of(option)
        for value in values if len(values) < 100 else (0, 7, 1_000_000):
            rules = from_map({**to_map(PAGAT), option: value})
            assert getattr(rules, option) == value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"next_dealer": "loser"}, ["next_dealer", "loser", "third_place"]),
        ({"jokers": 1}, ["jokers", "1", "2"]),
        ({"jokers": True}, ["jokers", "True"]),
        ({"draw_call_min_own_turns": True}, ["draw_call_min_own_turns", "True"]),
        ({"discard_fit_ban": 1}, ["discard_fit_ban", "1", "false or true"]),
        ({"base": -1}, ["base", "-1", "1000000"]),
        ({"base": 1_000_001}, ["base", "1000001"]),
        ({"base": 1.0}, ["base", "1.0"]),
        ({"base": None}, ["base", "None"]),
        ({"fold_fee": "none"}, ["fold_fee", "none", "null"]),
        ({"hands": 10_001}, ["hands", "10001", "10000"]),
        ({"grace_seconds": 86_401}, ["grace_seconds", "86401"]),
        ({"turn_seconds": 45}, ["turn_seconds", "45", "60"]),
        ({"hints": 1}, ["hints", "1"]),
        ({"joker_min_naturals": 0}, ["joker_min_naturals", "0", "13"]),
        ({"preset": 7}, ["preset", "7"]),
        ({"stakes": 5}, ["stakes"]),
    ],
)
def test_a_wrong_option_is_refused_by_name(change: dict[str, object], words: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        from_map({**to_map(PAGAT), **change})
    assert all(word in refused.value.reason for word in words), refused.value.reason


@pytest.mark.parametrize("change", [{"x" * 60_000: 1}, {"next_dealer": "\u202e" * 60_000}])
def test_a_strangers_value_is_not_repeated_in_full(change: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        from_map({**to_map(PRESETS["pagat"]), **change})
    assert len(refused.value.reason) < 200
    assert refused.value.reason.isprintable()


def test_a_missing_option_is_refused_by_name() -> None:
    options = to_map(PAGAT)
    del options["ace_bonus"]
    with pytest.raises(Refused, match="ace_bonus"):
        from_map(options)


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_option_that_players_meet_is_told(name: str) -> None:
    sentences = describe(PRESETS[name])
    assert len(set(sentences)) == len(sentences)
    assert all(s.endswith(".") and "_" not in s for s in sentences)
    assert f"{PRESETS[name].tongits} for tongits" in " ".join(sentences)


# options that say nothing in presets where another option switches them off, or that only name a row
_TOLD_ELSEWHERE: dict[str, dict[str, object]] = {
    "meld4_is_self_sapaw": {"lock_by_self": "own_meld"},
    "special_definition": {"draw_call_requirement": "opened_or_special"},
    "stock_nobody_eligible": {"burned_rule": "never_opened"},
    "challenged_rate_applies_to": {"fold_fee": None},
    "fold_fee_to": {"fold_fee": 5},
    "secret_bonus_kinds": {"secret_bonus": 3},
    "secret_bonus_holder": {"secret_bonus": 3},
    "burned_penalty": {"burned_rule": "never_opened"},
    "jackpot_second_win_bonus": {"jackpot_wins": 3},
    "joker_deadwood": {"jokers": 2},
    "joker_min_naturals": {"jokers": 2},
    "joker_max_per_meld": {"jokers": 2},
}


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_changes_what_is_told(option: str) -> None:
    base = from_map({**to_map(PAGAT), **_TOLD_ELSEWHERE.get(option, {})})
    values = values_of(option)
    texts = set()
    tried = values if len(values) < 100 else (1, 4)
    for value in tried:
        rules: Rules = from_map({**to_map(base), option: value})
        texts.add("\n".join(describe(rules)))
    assert len(texts) == len(tried)
