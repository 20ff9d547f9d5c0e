"""The golden ledgers: made again byte for byte, and judged as the .json beside each says."""

import functools
import json

import pytest

from tests.cheats import CHEATS
from tests.make_ledgers import CHOSEN, FOLDER, Golden, expected, golden
from tongits_lan.errors import Code

NAMES = sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".json")


@functools.cache
def _made() -> dict[str, Golden]:
    return {item.name: item for item in golden()}


def _said(name: str) -> dict[str, object]:
    found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_folder_holds_what_is_made_and_nothing_else() -> None:
    assert sorted(_made()) == NAMES
    assert sorted(path.name for path in FOLDER.glob("*.json")) == [f"{name}.json" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_ledger_is_reproduced_and_judged(name: str) -> None:
    item = _made()[name]
    assert (FOLDER / name).read_bytes() == item.data
    assert _said(name) == json.loads(json.dumps(expected(item)))


@pytest.mark.parametrize("name", CHOSEN)
def test_a_cheat_is_named_by_what_it_is(name: str) -> None:
    """The files are made by the program that judges them; this is what they must say whatever it thinks."""
    way = next(way for way in CHEATS if way.name == name)
    report = _said(f"cheat-{name}.tongits")["verify"]
    assert isinstance(report, dict)
    fault = report["fault"]
    assert report["status"] == "faulty"
    assert fault["code"] == way.code
    assert (fault["seat"] is None) == (not way.convicts)
    assert way.text in fault["text"]


@pytest.mark.parametrize(
    ("name", "exit_code", "status"),
    [
        ("honest.tongits", 0, "fair"),
        ("joker.tongits", 0, "fair"),
        ("forfeited.tongits", 0, "fair"),
        ("foul.tongits", 0, "fair"),
        ("no-hand.tongits", 1, "incomplete"),
        ("pending.tongits", 1, "incomplete"),
        ("torn.tongits", 1, "incomplete"),
        ("nobody.evidence", 1, "incomplete"),
        ("fork-in-play.evidence", 4, "faulty"),
        ("fork-in-shuffle.evidence", 4, "faulty"),
        ("fork-unseen.evidence", 4, "faulty"),
        ("tagged-card.evidence", 4, "faulty"),
        ("changed-descriptor.tongits", 4, "faulty"),
    ],
)
def test_the_verdicts(name: str, exit_code: int, status: str) -> None:
    said = _said(name)
    report = said["verify"]
    assert isinstance(report, dict)
    assert (said["exit"], report["status"]) == (exit_code, status)


def test_another_first_line_is_no_ledger() -> None:
    said = _said("another-first-line.tongits")
    assert (said["exit"], said["code"], said["verify"]) == (2, Code.HEADER, None)
