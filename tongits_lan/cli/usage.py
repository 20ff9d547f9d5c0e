"""How the command line answers: its help and its one sentence about a wrong line, in the player's language.

Owns the wording of usage errors, argparse's own among them. Knows no command and no option; the catalogue is
loaded only when there is something to say.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import NoReturn

from tongits_lan.game.sentences import mark

HEADINGS = (
    mark("usage: "),
    mark("options"),
    mark("positional arguments"),
    mark("show this help message and exit"),
)
"""What argparse says in a help text of its own accord."""

COMPLAINTS = (
    (r"unrecognized arguments: (?P<words>.*)", mark("{words} is not understood")),
    (r"the following arguments are required: (?P<words>.*)", mark("{words} is missing")),
    (r"expected one argument", mark("its value is missing")),
    (r"expected (?P<n>\d+) arguments", mark("it takes {n} values")),
    (r"expected at least one argument", mark("it takes one value or more")),
    (r"ignored explicit argument (?P<word>.*)", mark("it takes no value, not {word}")),
    (
        r"invalid choice: (?P<word>.*?) \((?:maybe .*\? )?\(?choose from (?P<words>.*)\)",
        mark("{word} is none of {words}"),
    ),
)
"""What argparse has to say about a wrong line, and how a player is told."""

_REFUSED = mark("{prog}: {what}. See: {prog} -h")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """A help text whose parts are looked up while it is put together."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """The line about what may be typed."""
        super().add_usage(usage, actions, groups, _told("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        """A group of options."""
        super().start_section(heading and _told(heading))

    def add_text(self, text: str | None) -> None:
        """The text between usage and options."""
        super().add_text(text and _told(text))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and _told(action.help)


class Parser(argparse.ArgumentParser):
    """An argument parser that ends a usage error with one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Says what is wrong with the line and where its help is. Raises SystemExit(2)."""
        self.exit(2, _told(_REFUSED, prog=self.prog, what=in_words(message)) + "\n")


def in_words(message: str) -> str:
    """A complaint of argparse in the language of the player; one that is not known stays as it is."""
    option, colon, complaint = message.removeprefix("argument ").partition(": ")
    for before, text in (("", message), (option + colon, complaint)):
        for pattern, template in COMPLAINTS:
            found = re.fullmatch(pattern, text)
            if found is not None:
                return before + _told(template, **found.groupdict())
    return message.removeprefix("argument ")


def wrong(text: str, /, **fields: object) -> argparse.ArgumentTypeError:
    """A value that an option cannot have."""
    return argparse.ArgumentTypeError(_told(text, **fields))


def _told(text: str, /, **fields: object) -> str:
    from tongits_lan.console.speech import told, tr

    return tr(text, **fields) if fields else told(text)
