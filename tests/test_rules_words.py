"""A lobby's rules in a few words, and the steps in which a host changes turn and table."""

import msgspec
import pytest

from tongits_lan.console.rules_words import (
    HANDS,
    TURN_SECONDS,
    chosen,
    following,
    name_and_mark,
    news,
    say_change,
    with_hands,
    with_turn,
)
from tongits_lan.game.describe import describe
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.config import RuleSet
from tongits_lan.net.events import RulesChanged

PAGAT, JOKER = PRESETS["pagat"], PRESETS["joker"]


def test_values_go_round_and_a_strange_one_leads_to_the_first() -> None:
    rules, seen = PAGAT, []
    for _ in range(len(TURN_SECONDS) + 1):
        seen.append(rules.turn_seconds)
        rules = with_turn(rules)
    assert seen == [0, 30, 60, 90, 0]
    assert following(HANDS, 7) == HANDS[0]
    assert with_hands(msgspec.structs.replace(PAGAT, hands=HANDS[-1])).hands == 0


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_changes_the_game_and_leaves_the_table(name: str) -> None:
    now = msgspec.structs.replace(PAGAT, turn_seconds=60, hands=7, hints=False, grace_seconds=5)
    rules = chosen(now, RuleSet(name, PRESETS[name]))
    assert rules == msgspec.structs.replace(
        PRESETS[name], turn_seconds=60, hands=7, hints=False, grace_seconds=5
    )
    own = msgspec.structs.replace(PRESETS[name], hands=3)
    assert chosen(now, RuleSet("mine.toml", own)) == own
    assert chosen(now, RuleSet("wrong.toml", None, "no")) is None


def test_what_is_new_is_what_was_not_said_before() -> None:
    assert news(PAGAT, PAGAT) == []
    new = news(PAGAT, JOKER)
    assert set(new) <= set(describe(JOKER))
    assert not set(new) & set(describe(PAGAT))
    slower = msgspec.structs.replace(PAGAT, turn_seconds=90)
    (only,) = news(PAGAT, slower)
    assert "90 seconds" in only
    said = say_change(RulesChanged(PAGAT, slower))
    for fact in (name_and_mark(PAGAT), name_and_mark(slower), "1 sentence of the rules is new"):
        assert fact in said
