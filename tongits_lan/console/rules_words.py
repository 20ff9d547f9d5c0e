"""The rules of a lobby in a few words: what they are called, how long a turn and a table last, what is new.

Owns these words and the steps in which a host changes turn and table. Judges no rule and draws nothing.
"""

from typing import TypeVar

import msgspec

from tongits_lan.console.speech import told, tr, trn
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.describe import only_in
from tongits_lan.game.rules import Rules, values_of
from tongits_lan.net.config import RuleSet
from tongits_lan.net.events import RulesChanged
from tongits_lan.net.lobby import rules_mark

HANDS = (0, 5, 10, 20)
TURN_SECONDS = tuple(value for value in values_of("turn_seconds") if isinstance(value, int))
_T = TypeVar("_T")


def following(values: tuple[_T, ...], now: _T) -> _T:
    """The value after this one, round and round; the first after one that is not among them."""
    return values[(values.index(now) + 1) % len(values)] if now in values else values[0]


def name_and_mark(rules: Rules) -> str:
    """What a rule set is called, and the digits by which three screens are compared."""
    return f"{told(rules_name(rules))} [{rules_mark(rules)}]"


def say_turn(seconds: int) -> str:
    """How long a turn lasts."""
    return tr("{seconds} s a turn", seconds=seconds) if seconds else tr("no limit for a turn")


def say_hands(hands: int) -> str:
    """How long a table lasts."""
    return (
        trn("closes after {count} hand", "closes after {count} hands", hands) if hands else tr("no last hand")
    )


def with_turn(rules: Rules) -> Rules:
    """The rules with the next limit for a turn."""
    return msgspec.structs.replace(rules, turn_seconds=following(TURN_SECONDS, rules.turn_seconds))


def with_hands(rules: Rules) -> Rules:
    """The rules with the next number of hands."""
    return msgspec.structs.replace(rules, hands=following(HANDS, rules.hands))


def chosen(now: Rules, rule_set: RuleSet) -> Rules | None:
    """The rules of a table after its host has chosen this set: a preset says nothing of turn and table."""
    rules = rule_set.rules
    if rules is None or rule_set.name != rules.preset:
        return rules
    kept = ("hands", "grace_seconds", "turn_seconds", "hints")
    return msgspec.structs.replace(rules, **{name: getattr(now, name) for name in kept})


def news(before: Rules, after: Rules) -> list[str]:
    """What is true now that was not before, a sentence a line."""
    return [told(text) for text in only_in(after, before)]


def say_change(event: RulesChanged) -> str:
    """One sentence for the log."""
    now, before = name_and_mark(event.after), name_and_mark(event.before)
    changed = trn(
        "{count} sentence of the rules is new.",
        "{count} sentences of the rules are new.",
        len(only_in(event.after, event.before)),
    )
    return tr("The host changed the rules from {before} to {now}.", before=before, now=now) + " " + changed
