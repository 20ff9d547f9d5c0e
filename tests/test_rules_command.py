"""`tongits rules`: in words, marked, compared, as a template and as JSON; and what `--rules` takes."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tongits_lan.cli import main, rules, seats
from tongits_lan.errors import UserError
from tongits_lan.game.catalogue import CATALOGUE
from tongits_lan.game.combinations import changed
from tongits_lan.game.describe import chapters, describe
from tongits_lan.game.rules import PRESETS, to_map
from tongits_lan.store import house_rules


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main.main(["rules", *words]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    return [json.loads(line) for line in _run(capsys, *words, "--json").splitlines()]


def test_the_presets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _run(capsys).splitlines()
    assert [line.split()[0] for line in lines if line and line[0] != " "][:4] == list(PRESETS)
    assert max(map(len, lines)) <= 80
    assert [row["preset"] for row in _json(capsys)] == list(PRESETS)


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_preset_is_said_in_words(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = _run(capsys, name)
    joined = " ".join(text.replace("*", " ").split())
    assert all(" ".join(sentence.split()) in joined for sentence in describe(PRESETS[name]))
    assert all(f"\n{chapter.title}\n" in text for chapter in chapters(PRESETS[name]))
    assert max(map(len, text.splitlines()[1:])) <= 80


def test_what_differs_from_pagat_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    usual = _run(capsys, "pagat")
    assert "*" not in usual
    house = _run(capsys, "house").splitlines()
    marked = [line for line in house if line.startswith("  * ")]
    assert "  * Who came third deals the next hand." in marked
    assert "  * Anybody may fight back." in marked
    assert "    Any card may be discarded." in house
    assert house[-1] == "* not as in pagat"


@pytest.mark.parametrize("name", [n for n in PRESETS if n != "pagat"])
def test_every_changed_option_is_in_a_marked_sentence(name: str) -> None:
    """An option that is only the way an absent rule would work is not said, so it cannot be marked."""
    usual = set(describe(PRESETS["pagat"]))
    marked = {
        o for c in chapters(PRESETS[name]) for s in c.sentences if s.text not in usual for o in s.options
    }
    silent = {
        "house": {"burned_penalty", "draw_unchallenged"},  # nobody is burned; who folds pays a fee
        "wikipedia": set(),
        "joker": set(),
    }
    assert set(changed(PRESETS[name], "pagat")) - marked == silent[name]


def test_a_preset_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = _json(capsys, "HOUSE")
    assert row["preset"] == "house"
    assert row["options"] == to_map(PRESETS["house"])
    assert row["sentences"] == describe(PRESETS["house"])
    assert "next_dealer" in row["differs_from_pagat"]
    sentences = [s for chapter in row["chapters"] for s in chapter["sentences"]]
    assert [s["text"] for s in sentences] == row["sentences"][1:]
    third = next(s for s in sentences if s["text"].startswith("Who came third"))
    assert third == {"text": third["text"], "options": ["next_dealer"], "differs": True}


def test_two_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    text = _run(capsys, "--diff", "wikipedia", "joker")
    assert "\njokers: 0 | 2\n" in f"\n{text}"
    assert 'fold_fee: "none" | 5\n' in text
    only_wikipedia, only_joker = text.split("Only in wikipedia:")[1].split("Only in joker:")
    assert "Who folds while another fights back pays the base only." in only_wikipedia
    assert "A joker left over in hand counts 0." in only_joker
    (row,) = _json(capsys, "--diff", "wikipedia", "joker")
    assert row["diff"] == ["wikipedia", "joker"]
    assert row["options"]["fold_fee"] == [None, 5]
    assert list(row["options"]) == [o for o in CATALOGUE if o in row["options"]]
    assert "A joker left over in hand counts 0." in row["sentences"][1]


def test_the_same_rules_do_not_differ(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "--diff", "pagat", "pagat") == "pagat and pagat are the same rules.\n"


def test_a_template_is_printed_that_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(_run(capsys, "--new", "joker").replace("# jackpot_wins = 2", "jackpot_wins = 3"))
    assert rules.rule_set(str(file)) == replace(PRESETS["joker"], jackpot_wins=3)
    assert house_rules.parse(_run(capsys, "--new"), "f") == PRESETS["pagat"]
    assert "* Who wins 3 hands in a row takes the pot." in _run(capsys, str(file))
    text = _run(capsys, "--diff", "joker", str(file))
    assert text.startswith("jackpot_wins: 2 | 3\n")


def test_the_template_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["option"]: row for row in _json(capsys, "--new")}
    assert list(rows) == list(CATALOGUE)
    assert rows["jokers"]["values"][1] == {"value": 2, "what": "54 cards, two jokers", "source": "S2"}
    assert rows["hands"]["from_to"] == [0, 10_000]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rules", "poker"], "There is no rule set 'poker': choose one of pagat, wikipedia, house, joker"),
        (["rules", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["rules", "--new", "poker"], "A template starts from one of pagat"),
        (["rules", "--new", "--diff", "pagat", "house"], "ask for one of the two"),
        (["rules", "house", "--diff", "pagat", "house"], "leave 'house' out"),
        (["rules", "--diff", "pagat", "poker"], "There is no rule set 'poker'"),
        (["rules", "--diff", "pagat"], "--diff"),
        (["demo", "--rules", "FILE"], "line 2: jokers is 3, but it must be 0 or 2"),
        (["host", "--json", "--rules", "FILE"], "line 2: jokers is 3, but it must be 0 or 2"),
        (["play", "--json", "--rules", "FILE"], "line 2: jokers is 3, but it must be 0 or 2"),
        (["rules", "FILE"], "line 2: jokers is 3, but it must be 0 or 2"),
    ],
)
def test_a_wrong_word_is_one_sentence_and_2(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('preset = "pagat"\njokers = 3\n')
    given = [str(file) if word == "FILE" else word for word in words]
    assert main.main([*given, *(["--data-dir", str(tmp_path)] if words[0] != "rules" else [])]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert told in said.err
    assert len(said.err.splitlines()) == 1


def test_the_hands_of_a_file_count_unless_others_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text("hands = 7\n")
    assert seats.table_rules(Namespace(rules=str(file), hands=None, turn_seconds=0)).hands == 7
    assert seats.table_rules(Namespace(rules=str(file), hands=0, turn_seconds=0)).hands == 0
    assert seats.table_rules(Namespace(rules="joker", hands=3, turn_seconds=0)) == replace(
        PRESETS["joker"], hands=3
    )


def test_a_file_without_an_ending_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours").write_text("ace_bonus = 4\n")
    monkeypatch.chdir(tmp_path)
    assert rules.rule_set("ours").ace_bonus == 4
    with pytest.raises(UserError):
        rules.rule_set("theirs")
