"""Every field report has a test that carries its id in its name, here or beside what it is about."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
REPORTS = (
    *("N1", "N2", "N3", "N4", "N5", "N6", "N7", "N9", "N11", "N14", "N15", "N16", "N19", "N21"),  # networks
    *("R1", "R2", "R5", "R6", "R8", "R9", "R10", "R11", "R14", "R15"),  # leaving
    *("F1", "F2", "F4", "F6"),  # fairness
)


def ids_of(name: str) -> set[str]:
    """The ids at the front of a test's name: `test_N1_N2_found` has two."""
    found = re.match(r"test_((?:[NRF]\d+_)+)", name)
    return set() if found is None else set(found[1].rstrip("_").split("_"))


@pytest.fixture(scope="module")
def tested() -> set[str]:
    """The ids of all tests of this project."""
    names = (
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(
            r"^(?:async )?def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    return {one for name in names for one in ids_of(name)}


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_has_its_test(report: str, tested: set[str]) -> None:
    assert report in tested


def test_no_test_names_a_report_that_is_not_listed(tested: set[str]) -> None:
    assert tested <= set(REPORTS)


def test_ids_are_read_from_names() -> None:
    assert ids_of("test_N1_N2_found") == {"N1", "N2"}
    assert ids_of("test_N11_first_wins") == {"N11"}
    assert ids_of("test_no_N1_here") == set()
