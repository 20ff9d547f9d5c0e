"""Which options cannot go together: something is asked for that another option makes impossible.

Owns one sentence for each such pair. Every rule set of possible values can be played, so the engine and the
ledger need none of this; it keeps a person who makes a rule set from a wish that could never come true.
"""

from collections.abc import Callable, Collection

import msgspec

from tongits_lan.game.options import Rules
from tongits_lan.game.rules import OPTIONS, PRESETS, to_map
from tongits_lan.game.sentences import Phrase, mark, phrase

_LONGEST_MELD = 13  # cards of a whole suit


class Conflict(msgspec.Struct, frozen=True):
    """The option whose wish cannot come true, and a sentence naming both values and the way out."""

    option: str
    text: Phrase


class _Pair(msgspec.Struct, frozen=True):
    """`options`: a conflict is laid to the first of these that was asked for."""

    options: tuple[str, ...]
    clash: Callable[[Rules], bool]
    text: Callable[[Rules], Phrase]


def _without_jokers(option: str) -> _Pair:
    return _Pair(
        (option,),
        lambda rules: rules.jokers == 0,
        lambda rules: phrase(
            "{option} is {value}, but jokers is 0, so there are none: set jokers = 2, or leave {option} out",
            option=option,
            value=getattr(rules, option),
        ),
    )


def _below_base(option: str) -> _Pair:
    return _Pair(
        (option, "base", "variable_payout"),
        lambda rules: rules.variable_payout == "difference" and getattr(rules, option) < rules.base,
        lambda rules: phrase(
            'with variable_payout = "difference" {option} holds the base and what is paid on top, so '
            "{value} cannot be less than base = {base}: set {option} to {base} or more",
            option=option,
            value=getattr(rules, option),
            base=rules.base,
        ),
    )


_PAIRS: tuple[_Pair, ...] = (
    *(_without_jokers(name) for name in ("joker_deadwood", "joker_min_naturals", "joker_max_per_meld")),
    _Pair(
        ("joker_min_naturals", "joker_max_per_meld"),
        lambda rules: (
            rules.jokers > 0
            and rules.joker_max_per_meld > 0
            and rules.joker_min_naturals + rules.joker_max_per_meld > _LONGEST_MELD
        ),
        lambda rules: phrase(
            "joker_min_naturals is {joker_min_naturals} and joker_max_per_meld is "
            "{joker_max_per_meld}, but no meld has more than {most} cards: set "
            "joker_min_naturals to {fitting} or less",
            joker_min_naturals=rules.joker_min_naturals,
            joker_max_per_meld=rules.joker_max_per_meld,
            most=_LONGEST_MELD,
            fitting=_LONGEST_MELD - rules.joker_max_per_meld,
        ),
    ),
    _Pair(
        ("meld4_is_self_sapaw",),
        lambda rules: rules.meld4_is_self_sapaw and rules.lock_by_self == "none",
        lambda rules: phrase(
            'meld4_is_self_sapaw is true, but lock_by_self is "none", so your own lay-off locks nobody:'
            ' set lock_by_self = "own_meld", or meld4_is_self_sapaw = false'
        ),
    ),
    _Pair(
        ("burned_penalty",),
        lambda rules: rules.burned_penalty > 0 and rules.burned_rule == "off",
        lambda rules: phrase(
            'burned_penalty is {burned_penalty}, but burned_rule is "off", so nobody is burned: set '
            'burned_rule = "never_opened", or burned_penalty = 0',
            burned_penalty=rules.burned_penalty,
        ),
    ),
    _Pair(
        ("stock_nobody_eligible",),
        lambda rules: rules.stock_nobody_eligible == "lowest" and rules.burned_rule == "off",
        lambda rules: phrase(
            'stock_nobody_eligible is "lowest", but burned_rule is "off", so somebody is always '
            'eligible: set burned_rule = "never_opened", or leave stock_nobody_eligible out'
        ),
    ),
    _Pair(
        ("fold_fee_to",),
        lambda rules: rules.fold_fee is None and rules.fold_fee_to != "winner",
        lambda rules: phrase(
            'fold_fee_to is "{fold_fee_to}", but fold_fee is "none", so nobody pays one: set fold_fee'
            " to an amount, or leave fold_fee_to out",
            fold_fee_to=rules.fold_fee_to,
        ),
    ),
    _Pair(
        ("challenged_rate_applies_to",),
        lambda rules: rules.fold_fee is not None and rules.challenged_rate_applies_to == "all_losers",
        lambda rules: phrase(
            'challenged_rate_applies_to is "all_losers", but who folds pays the fold fee of '
            '{fold_fee} instead: set fold_fee = "none", or challenged_rate_applies_to = '
            '"challengers_and_caller"',
            fold_fee=rules.fold_fee,
        ),
    ),
    _Pair(
        ("secret_bonus_kinds", "secret_bonus_holder"),
        lambda rules: (
            rules.secret_bonus == 0
            and (rules.secret_bonus_kinds, rules.secret_bonus_holder) != ("set4", "winner")
        ),
        lambda rules: phrase(
            'secret_bonus_kinds is "{secret_bonus_kinds}" and secret_bonus_holder is '
            '"{secret_bonus_holder}", but secret_bonus is 0, so nothing is earned: set secret_bonus '
            "to an amount, or leave them out",
            secret_bonus_kinds=rules.secret_bonus_kinds,
            secret_bonus_holder=rules.secret_bonus_holder,
        ),
    ),
    _Pair(
        ("jackpot_second_win_bonus",),
        lambda rules: rules.jackpot_second_win_bonus > 0 and rules.jackpot_wins < 3,
        lambda rules: phrase(
            "jackpot_second_win_bonus is {jackpot_second_win_bonus}, but jackpot_wins is "
            "{jackpot_wins}, so the second win takes the pot already: set jackpot_wins = 3, or "
            "jackpot_second_win_bonus = 0",
            jackpot_second_win_bonus=rules.jackpot_second_win_bonus,
            jackpot_wins=rules.jackpot_wins,
        ),
    ),
    _below_base("tongits"),
    _below_base("draw_challenged"),
)


def conflict(rules: Rules, asked: Collection[str]) -> Conflict | None:
    """The first of the options asked for (those that somebody has set on purpose) that cannot come true."""
    for pair in _PAIRS:
        blamed = next((option for option in pair.options if option in asked), None)
        if blamed is not None and pair.clash(rules):
            return Conflict(blamed, pair.text(rules))
    return None


def rules_name(rules: Rules) -> str:
    """What a rule set may be called: a preset only if it plays as that preset, whatever name it bears."""
    for name, preset in PRESETS.items():
        if all(getattr(rules, option) == getattr(preset, option) for option in OPTIONS):
            return name
    if rules.preset in PRESETS:
        count = len([option for option in changed(rules, rules.preset) if option in OPTIONS])
        return phrase("house rules ({preset}, {count} changed)", preset=rules.preset, count=count)
    return mark("house rules")


def changed(rules: Rules, preset: str) -> tuple[str, ...]:
    """The options in which a rule set differs from a preset, sorted; the names of the two are no option."""
    mine, theirs = to_map(rules), to_map(PRESETS[preset])
    return tuple(name for name in mine if mine[name] != theirs[name] and name != "preset")
