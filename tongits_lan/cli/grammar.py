"""The command line as data: commands, their options and what a value can be, read from the parser itself.

Owns nothing of its own, so that help, man page and completion can never tell of another command line.
Help is in the language spoken now.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Literal

from tongits_lan.cli import arguments
from tongits_lan.console.speech import told
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.sentences import Phrase

Value = Literal["", "file", "folder", "rules", "other"]
_KINDS: dict[str, Value] = {"FILE": "file", "DIR": "folder", "PRESET|FILE": "rules", "A": "rules"}


@dataclass(frozen=True, slots=True)
class Option:
    """One option or positional argument (no `names`); `words` are the values it can only have."""

    names: tuple[str, ...]
    metavar: str
    help: str
    value: Value
    words: tuple[str, ...] = ()
    count: str = "1"
    """How many values: "1", "?", "+" or a number."""

    @property
    def completions(self) -> tuple[str, ...]:
        """Words that can be offered for the value."""
        return tuple(PRESETS) if self.value == "rules" else self.words


@dataclass(frozen=True, slots=True)
class Command:
    """A command ("" is the program without one)."""

    name: str
    help: str
    usage: str
    example: str
    options: tuple[Option, ...]

    @property
    def named(self) -> tuple[Option, ...]:
        """The options that begin with a dash."""
        return tuple(option for option in self.options if option.names)

    @property
    def positional(self) -> tuple[Option, ...]:
        """The arguments without a name."""
        return tuple(option for option in self.options if not option.names)


def command_line() -> tuple[Command, ...]:
    """The program itself first, then every command."""
    parser = arguments.build_parser()
    listed = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {action.dest: told(action.help or "") for action in listed._choices_actions}
    commands = [Command("", "", parser.usage or "", "", _options(parser))]
    for name, sub in listed.choices.items():
        assert isinstance(sub.description, Phrase)
        said = dict(sub.description.fields)
        example, about = str(said["line"]), told(str(said["about"]))
        usage = sub.usage or ""
        commands.append(Command(name, helps.get(name) or about, usage, example, _options(sub)))
    return tuple(commands)


def _options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    return tuple(
        _option(action)
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and action.help != argparse.SUPPRESS
    )


def _option(action: argparse.Action) -> Option:
    takes = action.nargs != 0
    metavar = action.metavar if isinstance(action.metavar, str) else "A B" if action.metavar else ""
    words = tuple(str(word) for word in action.choices or ())
    shown = metavar or "|".join(words) or action.dest.upper()
    value: Value = _KINDS.get(shown.split()[0], "other") if takes else ""
    names = tuple(action.option_strings)
    about, count = told(action.help or ""), str(action.nargs or "1")
    return Option(names, shown if takes else "", about, value, words, count)
