"""The runner of the rule scenarios itself: what it must not let pass, and what the files must cover."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests import scenarios
from tongits_lan.game.rules import OPTIONS, values_of

_RULES = Path(__file__).parent.parent / "protocol" / "vectors" / "rules"
_SCHEMA = json.loads((_RULES / "scenarios.schema.json").read_text(encoding="utf-8"))

_ONE: dict[str, Any] = {
    "id": "ZZ01",
    "kind": "play",
    "rules": "pagat",
    "source": "S1",
    "what": "the last card discarded: 3 each, and 1 each for having no own meld",
    "disputed": False,
    "state": {
        "hands": [["KD"], ["8D"], ["8C"]],
        "turn": 0,
        "phase": "action",
        "melds": [{"owner": 0, "cards": ["QC", "QD", "QH"]}],
    },
    "steps": [{"seat": 0, "move": "discard", "cards": ["KD"]}],
    "expect": {"end": "tongits", "winner": 0, "net": [8, -4, -4]},
}


def _has_the_form(scenario: dict[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(_SCHEMA).is_valid([scenario]))


def test_the_sample_passes() -> None:
    assert _has_the_form(_ONE)
    scenarios.run(_ONE, "pagat")


@pytest.mark.parametrize("where", [(), ("state",), ("expect",), ("steps", 0), ("state", "melds", 0)])
def test_an_unknown_key_is_refused(where: tuple[str | int, ...]) -> None:
    scenario = json.loads(json.dumps(_ONE))
    inner = scenario
    for key in where:
        inner = inner[key]
    inner["colour"] = "red"
    assert not _has_the_form(scenario)


def test_an_unknown_option_is_refused() -> None:
    scenario = {**_ONE, "rules": {"preset": "pagat", "stakes": 5}}
    assert not _has_the_form(scenario)
    with pytest.raises(AssertionError, match="stakes"):
        scenarios.run(scenario, "pagat")


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"winner": 1}},
        {"expect": {"net": [6, -3, -3]}},
        {"expect": {"end": "stock"}},
        {"expect": {"burned": [1]}},
        {"expect": {"phase": "start"}},
        {"expect": {"counts": [0, 8, 9]}},
        {"steps": [{"seat": 0, "move": "discard", "cards": ["KD"], "legal": False}], "expect": {}},
        {"steps": [{"seat": 1, "move": "discard", "cards": ["8D"]}], "expect": {}},
        {"steps": [], "expect": {"end": "tongits"}},
        {"rules": "house"},
        {"kind": "meld", "cards": ["KD", "KC"], "expect": {"kind": "set"}},
        {"kind": "deadwood", "cards": ["KD", "KC"], "expect": {"count": 10}},
        {"kind": "deal", "dealer": 0, "expect": {"hand_sizes": [12, 13, 12]}},
    ],
)
def test_what_does_not_hold_fails(change: dict[str, Any]) -> None:
    scenario = {**_ONE, **change}
    with pytest.raises(AssertionError):
        scenarios.run(scenario, scenario["rules"])


def _published() -> list[dict[str, Any]]:
    files = [p for p in sorted(_RULES.glob("*.json")) if not p.name.endswith(".schema.json")]
    return [scenario for file in files for scenario in json.loads(file.read_text(encoding="utf-8"))]


def test_no_id_is_used_twice() -> None:
    ids = [scenario["id"] for scenario in _published()]
    assert len(set(ids)) == len(ids)


def test_every_value_of_every_option_stands_in_some_scenario() -> None:
    """Of amounts some scenario has one above zero. Who deals first is settled before any scenario."""
    played: dict[str, set[Any]] = {option: set() for option in OPTIONS}
    for scenario in _published():
        for preset in scenarios.presets_of(scenario["rules"]):
            rules = scenarios.rules_of(scenario, preset)
            for option in OPTIONS:
                played[option].add(getattr(rules, option))
    for option in OPTIONS:
        values = values_of(option)
        if len(values) > 13:
            assert max(value or 0 for value in played[option]) > 0, option
        elif option not in ("first_dealer", "joker_min_naturals"):
            assert played[option] == set(values), option
    assert len(played["joker_min_naturals"]) >= 3
