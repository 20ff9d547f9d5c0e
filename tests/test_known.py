"""The players met before: names and keys, how their hands ended, and files that are damaged."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import PKS
from tongits_lan.store.known import (
    FILE_NAME,
    PEOPLE_MAX,
    UNFINISHED_MAX,
    Known,
    Person,
    load_known,
    save_known,
)

ANA, BEN, CARLO = PKS


def test_a_name_is_known_by_its_key() -> None:
    known = Known().met(ANA, "Ana", 100).met(ANA, "Ana Maria", 200)
    assert known.of(ANA) == Person(ANA, "Ana Maria", 100, 200)
    assert known.of(BEN) is None


@pytest.mark.parametrize("name", ["Ana", "ANA", " ana ", "Ａｎａ", "A\u200bna"])
def test_a_known_name_with_another_key_is_seen(name: str) -> None:
    known = Known().met(ANA, "Ana", 100)
    assert known.is_renamed(name, BEN)
    assert not known.is_renamed(name, ANA)
    assert not known.is_renamed("Anna", BEN)


def test_somebody_known_by_another_name_is_seen_too() -> None:
    known = Known().met(ANA, "Ana", 100).met(BEN, "Ben", 200)
    assert known.is_renamed("Ana", BEN)
    assert not known.is_renamed("Ana", ANA)
    assert not known.is_renamed("Benjie", BEN)  # a new name of his own


def test_two_friends_of_one_name_are_both_known() -> None:
    known = Known().met(ANA, "Ana", 100).met(BEN, "Ana", 200)
    assert not known.is_renamed("Ana", BEN)
    assert known.is_renamed("Ana", CARLO)


@pytest.mark.parametrize("name", ["", "Player", "player", "\u202e"])
def test_a_name_that_names_nobody_raises_no_alarm(name: str) -> None:
    assert not Known().met(ANA, name, 1).is_renamed(name, BEN)


def test_hands_are_counted_by_key() -> None:
    known = Known().met(ANA, "Ana", 1).finished(ANA).finished(ANA).forfeited(ANA)
    known = known.left_unfinished(ANA, "t/3").left_unfinished(ANA, "t/3").left_unfinished(ANA, "t/4")
    ana = known.of(ANA)
    assert ana is not None
    assert (ana.finished, ana.forfeited, ana.left) == (2, 1, 2)
    for change in (known.finished(BEN), known.forfeited(BEN), known.left_unfinished(BEN, "x")):
        assert change == known  # nobody met


def test_a_stopped_table_is_counted_once_by_key_and_older_files_are_read(tmp_path: Path) -> None:
    known = Known().met(ANA, "Ana", 1).convicted(ANA, "t").convicted(ANA, "t").convicted(ANA, "u")
    ana = known.of(ANA)
    assert ana is not None
    assert ana.convicted == ("t", "u")
    assert known.convicted(BEN, "t") == known  # nobody met
    save_known(tmp_path, known)
    assert load_known(tmp_path) == known
    kept = json.loads((tmp_path / FILE_NAME).read_text("utf-8"))
    for damage, people in ((None, 1), ("t", 0), ([1], 0)):
        kept["people"][0].pop("convicted", None)
        if damage is not None:
            kept["people"][0]["convicted"] = damage
        (tmp_path / FILE_NAME).write_text(json.dumps(kept), "utf-8")
        assert len(load_known(tmp_path).people) == people


def test_what_is_kept_is_read_again_and_is_private(tmp_path: Path) -> None:
    known = Known().met(ANA, "Ana", 1).finished(ANA).left_unfinished(ANA, "t/1").met(BEN, "Niño", 2)
    save_known(tmp_path / "new", known)
    path = tmp_path / "new" / FILE_NAME
    assert load_known(tmp_path / "new") == known
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "Niño" in path.read_text("utf-8")


def test_nobody_is_forgotten_before_many_are_met() -> None:
    known = Known()
    for number in range(PEOPLE_MAX + 5):
        known = known.met(number.to_bytes(32, "big"), "x", number)
    assert len(known.people) == PEOPLE_MAX
    assert known.of((4).to_bytes(32, "big")) is None
    assert known.of((5).to_bytes(32, "big")) is not None
    for number in range(UNFINISHED_MAX + 5):
        known = known.left_unfinished((9).to_bytes(32, "big"), f"t/{number}")
    person = known.of((9).to_bytes(32, "big"))
    assert person is not None
    assert person.left == UNFINISHED_MAX


GOOD = {
    "key": ANA.hex(),
    "name": "Ana\x1b[31m",
    "first_met": 1,
    "last_met": 2,
    "finished": 3,
    "forfeited": 0,
    "unfinished": ["t/1"],
}


@pytest.mark.parametrize(
    "row",
    [
        None,
        [],
        {},
        {**GOOD, "key": "zz" * 32},
        {**GOOD, "key": "00"},
        {**GOOD, "finished": -1},
        {**GOOD, "finished": "3"},
        {**GOOD, "unfinished": [1]},
        {**GOOD, "name": 5},
    ],
)
def test_a_row_that_is_none_is_left_out(tmp_path: Path, row: object) -> None:
    text = json.dumps({"form": "tongits-lan known 1", "people": [row, GOOD]})
    (tmp_path / FILE_NAME).write_text(text)
    known = load_known(tmp_path)
    assert list(known.people) == [ANA]
    person = known.of(ANA)
    assert person is not None
    assert person.name == "Ana[31m"


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_is_read_or_nobody_is_known(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("known", numbered=True)
    (folder / FILE_NAME).write_bytes(data)
    assert load_known(folder) == Known()
    (folder / FILE_NAME).unlink()
    folder.rmdir()


def test_deep_nesting_is_nobody(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("[" * 100_000)
    assert load_known(tmp_path) == Known()


def test_a_meeting_has_a_month_whatever_a_damaged_file_says() -> None:
    assert Person(bytes(32), "Ana", 1_700_000_000, 0).since == (2023, 11)
    assert Person(bytes(32), "Ana", 10**30, 0).since == (9999, 12)
