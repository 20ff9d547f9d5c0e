"""What a host finds in his lobby: the presets, the file he named, the files beside his settings."""

import argparse
from pathlib import Path

from tongits_lan.cli import arguments
from tongits_lan.cli.rule_sets import FILES_MAX, folder, rule_sets
from tongits_lan.game.rules import PRESETS


def options(data_dir: Path, rules: str = "pagat") -> argparse.Namespace:
    return argparse.Namespace(**{**arguments.DEFAULTS, "data_dir": str(data_dir), "rules": rules})


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_without_files_there_are_the_presets(tmp_path: Path) -> None:
    found = rule_sets(options(tmp_path))
    assert {one.name: one.rules for one in found} == PRESETS
    assert not folder(options(tmp_path)).exists(), "looking makes no folder"


def test_files_of_the_folder_come_by_name_and_a_wrong_one_says_why(tmp_path: Path) -> None:
    place = folder(options(tmp_path))
    written(place / "b.toml", 'preset = "house"\nbase = 50\n')
    written(place / "a.toml", "zzz = 1\n")
    written(place / "notes.txt", "no rules")
    found = rule_sets(options(tmp_path))[len(PRESETS) :]
    assert [one.name for one in found] == ["a.toml", "b.toml"]
    assert found[0].rules is None
    assert "zzz" in found[0].problem
    assert found[1].rules is not None
    assert found[1].rules.base == 50
    written(place / "a.toml", "base = 2\n")
    assert rule_sets(options(tmp_path))[len(PRESETS)].rules is not None, "read anew each time"


def test_the_file_of_the_command_line_comes_first_and_once(tmp_path: Path) -> None:
    place = folder(options(tmp_path))
    here = written(place / "b.toml", "base = 2\n")
    written(place / "a.toml", "base = 3\n")
    elsewhere = written(tmp_path / "mine.toml", "base = 4\n")
    names = [one.name for one in rule_sets(options(tmp_path, str(elsewhere)))[len(PRESETS) :]]
    assert names == ["mine.toml", "a.toml", "b.toml"]
    names = [one.name for one in rule_sets(options(tmp_path, str(here)))[len(PRESETS) :]]
    assert names == ["b.toml", "a.toml"]


def test_a_crowd_of_files_is_cut(tmp_path: Path) -> None:
    for number in range(FILES_MAX + 5):
        written(folder(options(tmp_path)) / f"{number:02}.toml", "base = 2\n")
    assert len(rule_sets(options(tmp_path))) == len(PRESETS) + FILES_MAX
