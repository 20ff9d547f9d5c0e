"""Rule sets: the values of every option, the presets as table columns, and the map form that is signed.

Owns which values each option takes and what a preset assigns (rules.md 9). Knows nothing of play: the engine
reads options, never the name of a preset.
"""

from collections.abc import Mapping
from typing import Any

from tongits_lan import limits
from tongits_lan.errors import Refused
from tongits_lan.game.describe import describe
from tongits_lan.game.options import Rules
from tongits_lan.game.sentences import Phrase, choice, mark, phrase

__all__ = ["OPTIONS", "PRESETS", "Rules", "Value", "deck_size", "describe", "from_map", "to_map", "values_of"]

Value = bool | int | str | None


_FLAG = (False, True)
_AMOUNT = range(limits.AMOUNT_MAX + 1)

# name -> every value it takes; the columns pagat, wikipedia, house, joker of rules.md 9 (one = all the same)
_Row = tuple[tuple[Value, ...] | range, tuple[Value, ...]]
_TABLE: dict[str, _Row] = {
    "jokers": ((0, 2), (0, 0, 0, 2)),
    "first_dealer": (("random", "chosen"), ("random",)),
    "next_dealer": (("winner", "third_place", "rotate"), ("winner", "winner", "third_place", "winner")),
    "discard_take": (
        ("new_meld", "new_meld_or_own", "new_meld_or_any", "none"),
        ("new_meld", "new_meld_or_own", "new_meld", "new_meld_or_own"),
    ),
    "discard_fit_ban": (_FLAG, (False,)),
    "sapaw_before_open": (_FLAG, (True,)),
    "secret_face_down": (("off", "set4"), ("set4", "off", "off", "off")),
    "draw_call_requirement": (
        ("opened", "opened_or_special", "opened_and_special"),
        ("opened", "opened", "opened_or_special", "opened"),
    ),
    "draw_call_min_own_turns": ((0, 1), (1,)),
    "lock_by_others": (("next_turn", "rest_of_round", "none"), ("next_turn",)),
    "lock_by_self": (("own_meld", "any_meld", "none"), ("own_meld", "none", "own_meld", "none")),
    "meld4_is_self_sapaw": (_FLAG, (False,)),
    "special_definition": (
        ("set4", "set4_or_run4", "set4_or_run5"),
        ("set4", "set4", "set4_or_run4", "set4"),
    ),
    "challenge_requirement": (
        ("opened", "opened_or_special", "anyone"),
        ("opened", "opened_or_special", "anyone", "opened_or_special"),
    ),
    "tie_caller": (("challenger", "caller", "no_winner"), ("challenger",)),
    "tie_challengers": (
        ("right_of_caller", "last_challenger"),
        ("right_of_caller", "last_challenger", "right_of_caller", "last_challenger"),
    ),
    "stock_end": (
        ("after_last_drawer_turn", "on_last_draw", "on_failed_draw"),
        ("after_last_drawer_turn",),
    ),
    "stock_tie": (("last_drawer_then_right", "no_winner", "high_card"), ("last_drawer_then_right",)),
    "stock_nobody_eligible": (("no_winner", "lowest"), ("no_winner",)),
    "burned_rule": (
        ("never_opened", "never_opened_and_no_special", "off"),
        ("never_opened", "never_opened_and_no_special", "off", "never_opened_and_no_special"),
    ),
    "tongits_final_discard": (("optional", "required"), ("optional",)),
    "tongits_without_own_meld": (_FLAG, (True,)),
    "showdown_layoff": (_FLAG, (False,)),
    "spread": (("off", "jackpot"), ("off", "jackpot", "off", "jackpot")),
    "sagasa_bonus": (_AMOUNT, (0,)),
    "ante_first": (_AMOUNT, (2, 2, 100, 2)),
    "ante_next": (_AMOUNT, (2, 2, 50, 2)),
    "ante_after_jackpot": (_AMOUNT, (2, 2, 100, 2)),
    "base": (_AMOUNT, (1, 1, 100, 1)),
    "tongits": (_AMOUNT, (3, 3, 200, 11)),
    "draw_unchallenged": (_AMOUNT, (1, 1, 0, 1)),
    "draw_challenged": (_AMOUNT, (3, 3, 100, 6)),
    "challenged_rate_applies_to": (
        ("all_losers", "challengers_and_caller"),
        ("all_losers", "challengers_and_caller", "challengers_and_caller", "challengers_and_caller"),
    ),
    "fold_fee": (_AMOUNT, (None, None, 100, 5)),
    "fold_fee_to": (("winner", "caller", "pot"), ("winner",)),
    "base_payers": (("each_loser", "last_place"), ("each_loser", "each_loser", "last_place", "each_loser")),
    "ace_bonus": (_AMOUNT, (1, 0, 0, 0)),
    "secret_bonus": (_AMOUNT, (3, 3, 200, 3)),
    "secret_bonus_kinds": (("set4", "set4_or_run4"), ("set4", "set4", "set4_or_run4", "set4")),
    "secret_bonus_holder": (("winner", "any_player"), ("winner",)),
    "long_run_bonus": (_AMOUNT, (0,)),
    "burned_penalty": (_AMOUNT, (1, 1, 0, 10)),
    "variable_payout": (("off", "difference"), ("off", "off", "off", "difference")),
    "jackpot_wins": ((2, 3), (2,)),
    "jackpot_second_win_bonus": (_AMOUNT, (0,)),
    "jackpot_streak_after": ((0, 1), (0,)),
    "no_winner_streak": (("unchanged", "reset"), ("unchanged",)),
    "joker_deadwood": ((0, 10), (0,)),
    "joker_min_naturals": (range(1, 14), (2,)),
    "joker_max_per_meld": (range(3), (1,)),
    "zero_count_fight": (("off", "waive_lock", "only_zero"), ("off", "off", "off", "waive_lock")),
}

# Options of the table, not of the game: a map may leave them out.
_TABLE_OPTIONS: dict[str, tuple[Value, ...] | range] = {
    "hands": range(limits.HANDS_MAX + 1),
    "grace_seconds": range(limits.GRACE_MAX + 1),
    "turn_seconds": (0, 30, 60, 90),
    "hints": _FLAG,
}
_PRESET_LENGTH_MAX = 64  # characters
_SHOWN_MAX = 40  # characters of a wrong value
# An "n/a" of rules.md 9 is stored as the joker column's value; `none` of fold_fee is None.
_NULLABLE = frozenset({"fold_fee"})

OPTIONS: tuple[str, ...] = tuple(_TABLE)
"""The names of the rule options, in the order of rules.md 9."""


def _column(name: str, index: int) -> Rules:
    row: dict[str, Any] = {option: cells[index % len(cells)] for option, (_, cells) in _TABLE.items()}
    return Rules(**row, preset=name)


PRESETS: dict[str, Rules] = {
    name: _column(name, index) for index, name in enumerate(("pagat", "wikipedia", "house", "joker"))
}
"""The full assignment of every preset, by name."""


def deck_size(rules: Rules) -> int:
    """Cards in the deck: 52, or 54 with jokers."""
    return rules.n


def values_of(option: str) -> tuple[Value, ...] | range:
    """Every value an option takes, None of `fold_fee` excepted; KeyError for an unknown name."""
    if option in _TABLE:
        return _TABLE[option][0]
    return _TABLE_OPTIONS[option]


def to_map(rules: Rules) -> dict[str, Value]:
    """Every option under its name, table options included, keys sorted by their UTF-8 bytes."""
    return {name: getattr(rules, name) for name in sorted(rules.__struct_fields__, key=str.encode)}


def from_map(options: Mapping[str, object]) -> Rules:
    """The rule set of a map; table options may be missing.

    Refused names the option and both values for an unknown or missing option, a value of the wrong type
    (true is not 1) or one the option does not take.
    """
    known = Rules.__struct_fields__
    for name in options:
        if name not in known:
            raise Refused(
                phrase(
                    "the rules hold the option {name}, which is not one of the {count} known ones",
                    name=_short(name),
                    count=len(known),
                )
            )
    for name in _TABLE:
        if name not in options:
            text = mark("the rules lack the option {name}: it must be {allowed}")
            raise Refused(phrase(text, name=repr(name), allowed=_allowed(name)))
    for name, value in options.items():
        if not _fits(name, value):
            text = mark("the option {name} is {value}, but it must be {allowed}")
            raise Refused(phrase(text, name=repr(name), value=_short(value), allowed=_allowed(name)))
    row: dict[str, Any] = dict(options)
    return Rules(**row)


def _short(value: object) -> str:
    """A stranger's value as text, cut: it may be as long as a message."""
    text = repr(value)
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}.."


def _fits(name: str, value: object) -> bool:
    if name == "preset":
        return isinstance(value, str) and len(value) <= _PRESET_LENGTH_MAX
    if value is None:
        return name in _NULLABLE
    allowed = values_of(name)
    return type(value) is type(allowed[0]) and value in allowed


def _allowed(name: str) -> Phrase:
    if name == "preset":
        return phrase("a name of at most {count} characters", count=_PRESET_LENGTH_MAX)
    allowed = values_of(name)
    if isinstance(allowed, range):
        text = mark("a number from {low} to {high}")
        if name in _NULLABLE:
            text = mark("a number from {low} to {high}, or null for none")
        return phrase(text, low=allowed[0], high=allowed[-1])
    return choice([_spelled(value) for value in allowed])


def _spelled(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)
