"""The page for players: its table is the presets, its examples are scenarios, its commands exist."""

import json
import re
import shlex
from typing import Any

import pytest

from tests.system import ROOT
from tongits_lan.cli import main
from tongits_lan.game.cards import parse_card
from tongits_lan.game.catalogue import CATALOGUE, SOURCES
from tongits_lan.game.melds import deadwood
from tongits_lan.game.rules import PRESETS, to_map
from tongits_lan.store import house_rules

_PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
_NAMES = ("Ana", "Ben", "Carlo")


def _scenarios() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for file in sorted((ROOT / "protocol" / "vectors" / "rules").glob("*.json")):
        if not file.name.endswith(".schema.json"):
            found |= {s["id"]: s for s in json.loads(file.read_text(encoding="utf-8"))}
    return found


_SCENARIOS = _scenarios()


def _examples() -> list[tuple[str, str, str]]:
    """(preset, scenario, text) of every example on the page."""
    part = _PAGE.split("## Examples\n")[1].split("\n## ")[0]
    found = []
    for section in part.split("\n### ")[1:]:
        preset, _, body = section.partition("\n")
        for item in body.split("\n* ")[1:]:
            text = " ".join(item.split())
            name = re.match(r"\*\*[^*]+\*\* \(([A-Z]+\d+)\)\. ", text)
            assert name is not None, text
            found.append((preset, name[1], text))
    return found


_EXAMPLES = _examples()


def _cards(text: str) -> list[int]:
    return [parse_card(c.replace("10", "T")) for c in text.split()]


def _quoted(text: str) -> list[int]:
    groups = re.findall(r"`((?:(?:10|[A2-9JQK])[CDHS] ?)+)`", text)
    return [card for group in groups for card in _cards(group)]


def test_every_preset_has_examples() -> None:
    assert {preset for preset, _, _ in _EXAMPLES} == set(PRESETS)
    assert min(sum(p == preset for p, _, _ in _EXAMPLES) for preset in PRESETS) >= 4


@pytest.mark.parametrize(("preset", "name", "text"), _EXAMPLES, ids=[name for _, name, _ in _EXAMPLES])
def test_an_example_is_its_scenario(preset: str, name: str, text: str) -> None:
    """Same rules, its cards are in the position, and the chips at its end are what the scenario expects."""
    scenario = _SCENARIOS[name]
    rules = scenario["rules"]
    assert rules == preset or (isinstance(rules, list) and preset in rules)
    state = json.dumps(scenario.get("state", {}))
    in_state = {parse_card(c) for c in re.findall(r'"([A2-9TJQK][CDHS])"', state)}
    assert set(_quoted(text)) <= in_state
    paid = re.search(r"Ana ([+-]?\d+), Ben ([+-]?\d+), Carlo ([+-]?\d+)\.$", text)
    expected = scenario["expect"].get("net")
    assert (paid is None) == (expected is None or scenario["kind"] == "session")
    if paid is not None:
        assert [int(chips) for chips in paid.groups()] == expected
    winner = scenario["expect"].get("winner")
    if winner is not None and paid is None:
        assert f"{_NAMES[winner]} " in text


def test_the_example_of_a_count_is_right() -> None:
    hand = _cards("5H 5D 5S 6S 7S")
    assert "`5H 5D 5S 6S 7S` counts 10" in _PAGE
    assert deadwood(hand, PRESETS["pagat"]) == 10
    assert "three fives would leave 13" in _PAGE


def test_the_table_is_what_the_presets_do_differently() -> None:
    table = _PAGE.split("| option | pagat | wikipedia | house | joker |\n")[1].split("\n\n")[0]
    told = {}
    for line in table.splitlines()[1:]:
        option, *values = (cell.strip() for cell in line.strip("|").split("|"))
        told[option.strip("`")] = values
    maps = [to_map(rules) for rules in PRESETS.values()]
    differing = [o for o in CATALOGUE if len({json.dumps(m[o]) for m in maps}) > 1]
    assert list(told) == differing
    for option, values in told.items():
        assert values == ["none" if m[option] is None else str(m[option]).lower() for m in maps], option


def test_the_file_on_the_page_is_taken() -> None:
    block = next(b for b in _blocks() if b.startswith("preset"))
    assert house_rules.parse(block, "page").jackpot_second_win_bonus == 2


def _blocks() -> list[str]:
    """The indented blocks of the page, without their indent."""
    return [re.sub(r"(?m)^    ", "", b).strip("\n") for b in re.findall(r"(?:\n    [^\n]+)+", _PAGE)]


def test_the_commands_on_the_page_are_commands(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for block in _blocks() for line in block.splitlines() if line.startswith("tongits rules")]
    assert len(lines) >= 4
    for line in lines:
        words = shlex.split(re.split(r"  +| > ", line)[0])
        assert main.main(words[1:]) == 0, line
    capsys.readouterr()


def test_every_source_is_told() -> None:
    part = _PAGE.split("## Where the rules come from")[1]
    for names in SOURCES:
        for name in names.split():
            assert re.search(rf"\b{name}\b", part), name
