"""Every attack of the document is tried, and every way to cheat belongs to one of them."""

import importlib
import re
from pathlib import Path

import pytest

from tests.cheats import CHEATS
from tests.hostile.catalogue import ATTACKS

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"


def numbers_in_document() -> list[int]:
    """The numbers of the list in the chapter about attacks."""
    text = DOCUMENT.read_text(encoding="utf-8")
    chapter = re.split(r"^## ", text, flags=re.MULTILINE)
    (attacks,) = [part for part in chapter if re.match(r"\d+\. Attacks", part)]
    return [int(number) for number in re.findall(r"^ ?(\d+)\. ", attacks.partition("\n")[2], re.MULTILINE)]


def test_every_attack_of_the_document_is_tried() -> None:
    assert numbers_in_document() == list(ATTACKS) == list(range(1, 22))


def test_every_way_to_cheat_belongs_to_an_attack_and_to_one_only() -> None:
    listed = [name for names in ATTACKS.values() for name in names if "::" not in name]
    assert sorted(listed) == sorted(way.name for way in CHEATS)


def test_every_way_that_convicts_says_of_which_check() -> None:
    assert [way.name for way in CHEATS if way.convicts and not way.text] == []


@pytest.mark.parametrize("name", sorted({n for names in ATTACKS.values() for n in names if "::" in n}))
def test_a_test_that_is_named_exists(name: str) -> None:
    module, _, test = name.partition("::")
    here = (Path(__file__).parent / f"{module}.py").exists()
    found = importlib.import_module(f"tests.hostile.{module}" if here else f"tests.{module}")
    assert callable(getattr(found, test))
