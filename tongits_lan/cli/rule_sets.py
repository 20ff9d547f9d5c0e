"""The rule sets a host can choose from in his lobby: the presets, and the files of his own.

Owns where such files lie. What stands in one is the store's to read.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tongits_lan.cli import preferences
from tongits_lan.errors import UserError
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.config import RuleSet, presets
from tongits_lan.store import house_rules

FOLDER = "rules"
FILES_MAX = 20  # a list that can be chosen from


def folder(options: Namespace) -> Path:
    """Where a player keeps house rules to choose from: `rules` beside his settings (not made here)."""
    return preferences.path(options).parent / FOLDER


def rule_sets(options: Namespace) -> tuple[RuleSet, ...]:
    """The presets, the file named with --rules, the files of the folder by name."""
    files = sorted(folder(options).glob("*.toml"))
    if options.rules.lower() not in PRESETS:
        files.insert(0, Path(options.rules))
    once = list(dict.fromkeys(path.absolute() for path in files))
    return (*presets(), *(_of(path) for path in once[:FILES_MAX]))


def _of(path: Path) -> RuleSet:
    try:
        return RuleSet(path.name, house_rules.load(path))
    except UserError as error:
        return RuleSet(path.name, None, error.text)
