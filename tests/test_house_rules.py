"""House rules from a file: what is taken, and what is refused with its line and the values allowed."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.catalogue import CATALOGUE, ORIGINS, SOURCES, allowed, spelled
from tongits_lan.game.combinations import changed, conflict, rules_name
from tongits_lan.game.rules import OPTIONS, PRESETS, Rules, Value, from_map, to_map, values_of
from tongits_lan.store import house_rules

PAGAT = PRESETS["pagat"]

TEN = """\
# ours
preset = "wikipedia"
next_dealer = "rotate"
discard_take = 'new_meld_or_any'
discard_fit_ban = true
lock_by_others = "rest_of_round"
stock_end = "on_failed_draw"
sagasa_bonus = 2
jackpot_wins = 3
jackpot_second_win_bonus = 4
fold_fee = 5
fold_fee_to = "pot"
hands = 20
"""


def test_a_preset_and_the_options_that_differ() -> None:
    assert house_rules.parse(TEN, "ours.toml") == replace(
        PRESETS["wikipedia"],
        next_dealer="rotate",
        discard_take="new_meld_or_any",
        discard_fit_ban=True,
        lock_by_others="rest_of_round",
        stock_end="on_failed_draw",
        sagasa_bonus=2,
        jackpot_wins=3,
        jackpot_second_win_bonus=4,
        fold_fee=5,
        fold_fee_to="pot",
        hands=20,
    )


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_file_may_name_a_preset_and_no_more(name: str) -> None:
    assert house_rules.parse(f'preset = "{name}"\n', "f") == PRESETS[name]


def test_without_a_preset_it_is_pagat() -> None:
    assert house_rules.parse("ace_bonus = 0", "f") == replace(PAGAT, ace_bonus=0)


def test_no_fold_fee_is_written_none() -> None:
    assert house_rules.parse('preset = "house"\nfold_fee = "none"', "f").fold_fee is None


@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_of_every_option_can_be_written(option: str) -> None:
    values = values_of(option)
    for value in values if len(values) < 100 else (0, 7, 1_000_000):
        # beside it whatever it needs to have an effect
        needs: dict[str, Value] = {"jokers": 2, "fold_fee": 3, "jackpot_wins": 3, "lock_by_self": "any_meld"}
        if option == "challenged_rate_applies_to":
            needs["fold_fee"] = None
        if option == "joker_min_naturals":
            needs["joker_max_per_meld"] = 0
        text = "".join(f"{k} = {spelled(v)}\n" for k, v in {**needs, option: value}.items())
        assert getattr(house_rules.parse(text, "f"), option) == value


_REFUSED: list[tuple[str, int, str]] = [
    ('next_daler = "winner"', 1, 'no option "next_daler": did you mean next_dealer, which is "winner", '),
    ("\n\nxyzzy = 1", 3, 'no option "xyzzy": see tongits rules --new'),
    (
        'next_dealer = "loser"',
        1,
        'next_dealer is "loser", but it must be "winner", "third_place" or "rotate"',
    ),
    ("jokers = 1", 1, "jokers is 1, but it must be 0 or 2"),
    ("# a\njokers = true", 2, "jokers is true, but it must be 0 or 2"),
    ("discard_fit_ban = 1", 1, "discard_fit_ban is 1, but it must be false or true"),
    ('discard_fit_ban = "true"', 1, 'discard_fit_ban is "true", but it must be false or true'),
    ("ace_bonus = -1", 1, "ace_bonus is -1, but it must be a number from 0 to 1000000"),
    ("ace_bonus = 1_000_001", 1, "ace_bonus is 1000001, but it must be"),
    ("ace_bonus = 1.0", 1, "ace_bonus is 1.0, but it must be a number"),
    ("ace_bonus = nan", 1, "ace_bonus is nan, but it must be a number"),
    ('fold_fee = "no"', 1, 'fold_fee is "no", but it must be a number from 0 to 1000000, or "none"'),
    ("fold_fee = 2026-01-31", 1, "fold_fee is 2026-01-31, but it must be"),
    ("hands = 10001", 1, "hands is 10001, but it must be a number from 0 to 10000"),
    ("turn_seconds = 45", 1, "turn_seconds is 45, but it must be 0, 30, 60 or 90"),
    ('preset = "poker"', 1, 'preset is "poker", but it must be "pagat", "wikipedia", "house" or "joker"'),
    ('base = "joker"', 1, "the rule set to start from is named by preset"),
    ("jokers = [2]", 1, "jokers is a list, but it must be 0 or 2"),
    ("hints = true\n[rules]\nbase = 2", 2, '"rules" is a table: write options one a line'),
    ("base.chips = 2", 1, '"base" is a table'),
    ('jokers = """\n\n"""\n', 1, "jokers is"),
    ('hints = true\nnext_dealer = """\nwho\n"""\nbase = 3', 2, "next_dealer is"),
    (f'next_dealer = "{"x" * 100}"', 1, "..., but it must be"),
    ('next_dealer = "\\u001b[2J"', 1, '"\\u001b[2J"'),
    ("base = 1\nbase = 2", 2, "options stand one a line"),
    ("hints = true\nbase 2", 2, "options stand one a line"),
    ('hints = true\nnext_dealer = "win', 2, "options stand one a line"),
    ("base = 1\n\x1b[2J = 1", 2, "options stand one a line"),
]


@pytest.mark.parametrize(("text", "line", "words"), _REFUSED)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(UserError) as refused:
        house_rules.parse(text, "ours.toml")
    told = refused.value.text
    assert told.startswith(f"ours.toml, line {line}: ")
    assert words in told
    assert told.isprintable()
    assert refused.value.exit_code is Exit.USAGE


_CONFLICTS: list[tuple[str, int, str]] = [
    ("joker_deadwood = 10", 1, "joker_deadwood is 10, but jokers is 0, so there are none"),
    ("joker_min_naturals = 3", 1, "joker_min_naturals is 3, but jokers is 0"),
    ("joker_max_per_meld = 2", 1, "joker_max_per_meld is 2, but jokers is 0"),
    (
        "jokers = 2\njoker_min_naturals = 13",
        2,
        "joker_min_naturals is 13 and joker_max_per_meld is 1, but no meld has more than 13 cards",
    ),
    (
        'preset = "wikipedia"\nmeld4_is_self_sapaw = true',
        2,
        'meld4_is_self_sapaw is true, but lock_by_self is "none"',
    ),
    ('burned_rule = "off"\nburned_penalty = 2', 2, 'burned_penalty is 2, but burned_rule is "off"'),
    (
        'preset = "house"\nstock_nobody_eligible = "lowest"',
        2,
        'stock_nobody_eligible is "lowest", but burned_rule is "off"',
    ),
    ('fold_fee_to = "pot"', 1, 'fold_fee_to is "pot", but fold_fee is "none"'),
    (
        'preset = "joker"\nchallenged_rate_applies_to = "all_losers"',
        2,
        'challenged_rate_applies_to is "all_losers", but who folds pays the fold fee of 5',
    ),
    (
        'secret_bonus = 0\nsecret_bonus_kinds = "set4_or_run4"',
        2,
        'secret_bonus_kinds is "set4_or_run4" and secret_bonus_holder is "winner", but secret_bonus is 0',
    ),
    (
        'secret_bonus = 0\nsecret_bonus_holder = "any_player"',
        2,
        'secret_bonus_holder is "any_player", but secret_bonus is 0',
    ),
    ("jackpot_second_win_bonus = 5", 1, "jackpot_second_win_bonus is 5, but jackpot_wins is 2"),
    (
        'preset = "joker"\nbase = 20',
        2,
        "tongits holds the base and what is paid on top, so 11 cannot be less",
    ),
    (
        'variable_payout = "difference"\ntongits = 9\nbase = 5',
        3,
        "draw_challenged holds the base and what is paid on top, so 3 cannot be less than base = 5",
    ),
]


@pytest.mark.parametrize(("text", "line", "words"), _CONFLICTS)
def test_options_that_cannot_go_together_are_said(text: str, line: int, words: str) -> None:
    with pytest.raises(UserError) as refused:
        house_rules.parse(text, "ours.toml")
    assert refused.value.text.startswith(f"ours.toml, line {line}: ")
    assert words in refused.value.text


def test_what_a_preset_brings_along_is_no_conflict() -> None:
    rules = house_rules.parse('burned_rule = "off"', "f")
    assert (rules.burned_rule, rules.burned_penalty) == ("off", 1)
    for name, preset in PRESETS.items():
        assert conflict(preset, changed(preset, "pagat")) is None, name


def test_a_rule_set_bears_the_name_of_a_preset_only_if_it_plays_so() -> None:
    for name, preset in PRESETS.items():
        assert rules_name(preset) == name
        assert rules_name(replace(preset, preset="", hands=5, hints=False)) == name
    assert rules_name(house_rules.parse(TEN, "f")) == "house rules (wikipedia, 10 changed)"
    assert rules_name(replace(PAGAT, ace_bonus=2)) == "house rules (pagat, 1 changed)"
    assert rules_name(replace(PRESETS["house"], preset="pagat")) == "house"
    assert rules_name(replace(PAGAT, preset="fair and square", base=9)) == "house rules"


def test_every_conflict_names_both_options_and_a_way_out() -> None:
    for text, _, _ in _CONFLICTS:
        with pytest.raises(UserError) as refused:
            house_rules.parse(text, "f")
        named = [option for option in OPTIONS if option in refused.value.text]
        assert len(named) >= 2
        assert ": set " in refused.value.text


@pytest.mark.parametrize("name", list(PRESETS))
def test_the_template_plays_as_its_preset(name: str) -> None:
    text = house_rules.template(name)
    assert len(text) < house_rules.SIZE_MAX / 2
    assert max(map(len, text.splitlines())) <= 110
    assert house_rules.parse(text, "f") == PRESETS[name]
    options = {f"# {option} = " for option in CATALOGUE}
    bare = [line[2:] if any(line.startswith(o) for o in options) else line for line in text.splitlines()]
    opened = "\n".join(bare)
    assert opened.count(" = ") == len(CATALOGUE) + 1
    assert house_rules.parse(opened, "f") == PRESETS[name]


def test_the_template_tells_every_value_and_its_source() -> None:
    paragraphs = house_rules.template("joker").split("\n\n")
    for option, about in CATALOGUE.items():
        paragraph = next(p for p in paragraphs if f"\n# {option} = " in p)
        assert paragraph.startswith(f"# {about.what}\n")
        for value, meaning, source in about.values:
            assert f"{spelled(value)} " in paragraph
            assert f"{meaning} [{source}]" in paragraph


def test_the_catalogue_is_whole() -> None:
    assert tuple(o for o in CATALOGUE if o in OPTIONS) == OPTIONS
    assert set(CATALOGUE) == set(Rules.__struct_fields__) - {"preset"}
    assert list(ORIGINS) == list(PRESETS)
    known = {name for names in SOURCES for name in names.split()}
    for option, about in CATALOGUE.items():
        values = values_of(option)
        if about.values:
            assert {v for v, _, _ in about.values} == set(values), option
            assert len(about.values) == len(values)
        else:
            assert isinstance(values, range)
            assert about.source
        words = " ".join([about.source, *(source for _, _, source in about.values)]).replace(",", " ")
        assert {w for w in words.split() if w.isupper() and len(w) > 1} <= known, option


def test_a_bool_is_told_apart_from_a_number() -> None:
    assert allowed("jokers") == "0 or 2"
    assert allowed("hints") == "false or true"


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(TEN, encoding="utf-8")
    assert house_rules.load(file) == house_rules.parse(TEN, "x")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"hints = true\n# caf\xe9\n", ", line 2: this is no UTF-8 text"),
        (b"#" * (house_rules.SIZE_MAX + 1), "is larger than 32768 bytes"),
        (b"x = " + b"[" * 20_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_none_is_said(tmp_path: Path, data: bytes | None, words: str) -> None:
    file = tmp_path / "ours.toml"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(UserError) as refused:
        house_rules.load(file)
    assert str(file) in refused.value.text
    assert words in refused.value.text


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        house_rules.load(tmp_path)


_WORDS = [
    "base",
    "jokers",
    "hints",
    "preset",
    "fold_fee",
    "=",
    ".",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "#",
    "true",
    "2",
]
_MARKS = ['"', "'''", '"""', '"none"', "-1", "1e9", "é", "\\u0041", "\n", "\x00", "\t"]
_PIECES = st.sampled_from([*_WORDS, *_MARKS])


def _told(text: str) -> str | None:
    """The sentence of a refusal, None if the text is taken."""
    try:
        rules = house_rules.parse(text, "f")
    except UserError as error:
        return error.text
    assert from_map(to_map(rules)) == rules
    return None


@given(st.lists(_PIECES, max_size=40).map(" ".join) | st.text(max_size=60))
def test_any_text_is_rules_or_one_sentence(text: str) -> None:
    told = _told(text)
    assert told is None or (told.isprintable() and told.startswith("f"))


@given(st.fixed_dictionaries({}, optional={o: st.sampled_from(list(values_of(o))[:20]) for o in CATALOGUE}))
def test_what_is_written_is_what_is_played(options: dict[str, Any]) -> None:
    text = "".join(f"{option} = {spelled(value)}\n" for option, value in options.items())
    try:
        rules = house_rules.parse(text, "f")
    except UserError:
        whole = from_map({**to_map(PAGAT), **options})
        assert conflict(whole, changed(whole, "pagat")) is not None
    else:
        assert rules == from_map({**to_map(PAGAT), **options})
