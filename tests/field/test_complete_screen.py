"""Every promise to players and every field report about rules and terminals has a test named after its id."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ITEMS = (*range(8, 33), 34, 35)  # 33, spectators, is left out of the game: a key without a seat is refused
REPORTS = (
    *("C1", "C4", "C7", "C8", "C10", "C11", "C12", "C14", "C15"),  # rules, hand, bots
    *("T1", "T2", "T3", "T6", "T8", "T9", "T11", "T12", "T13", "T16", "T17", "T18"),  # terminals
)
EARLIER_ITEMS = range(1, 8)  # links and leaving; the suites of the network hold them to their tests


def ids_of(name: str) -> set[str]:
    """The ids at the front of a test's name: `test_item_10_11_T3_quick` has items 10 and 11, and T3."""
    found: set[str] = set()
    words = name.split("_")[1:]
    if words and words[0] == "item":
        del words[0]
        while words and words[0].isdigit():
            found.add(f"item {int(words.pop(0))}")
    for word in words:
        if re.fullmatch(r"[CT]\d+", word) is None:
            break
        found.add(word)
    return found


@pytest.fixture(scope="module")
def tested() -> set[str]:
    """The ids of all tests of this project."""
    pattern = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return {one for text in texts for name in pattern.findall(text) for one in ids_of(name)}


@pytest.mark.parametrize("name", [*(f"item {number}" for number in ITEMS), *REPORTS])
def test_a_promise_has_its_test(name: str, tested: set[str]) -> None:
    assert name in tested


def test_no_test_names_a_promise_that_is_not_listed(tested: set[str]) -> None:
    known = {f"item {number}" for number in (*EARLIER_ITEMS, *ITEMS)} | set(REPORTS)
    assert tested <= known


def test_ids_are_read_from_names() -> None:
    assert ids_of("test_item_10_11_a_plain_turn") == {"item 10", "item 11"}
    assert ids_of("test_item_19_C12_a_fight") == {"item 19", "C12"}
    assert ids_of("test_T3_T13_the_mouse") == {"T3", "T13"}
    assert ids_of("test_no_C1_here") == set()
    assert ids_of("test_items_are_many") == set()
