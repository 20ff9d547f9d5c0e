"""The player's guide: its keys, commands, options and words are those of the program."""

import re
from pathlib import Path

from tongits_lan.cli.grammar import command_line
from tongits_lan.console.keys import BINDINGS
from tongits_lan.console.speech import speaking, tr

GUIDE = (Path(__file__).parents[1] / "docs" / "guide.md").read_text("utf-8")


def rows(head: str) -> list[tuple[str, str]]:
    """The rows of the table with this head."""
    table = GUIDE.split(f"{head}\n|---|---|\n")[1].split("\n\n")[0]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
    return [(one, other) for one, other in cells]


def test_its_keys_are_those_of_the_help() -> None:
    listed = {(binding.shown, binding.help) for binding in BINDINGS}
    told = [(key.strip("`"), does) for key, does in rows("| key | does |")]
    assert len(told) > 10
    assert [row for row in told if row not in listed] == []


def test_its_words_are_those_of_the_catalogue() -> None:
    words = rows("| English | Filipino |")
    with speaking("fil"):
        assert [(english, filipino) for english, filipino in words if tr(english) != filipino] == []


def test_its_commands_and_options_exist() -> None:
    commands = {command.name for command in command_line()}
    options = {name for command in command_line() for option in command.named for name in option.names}
    code = re.findall(r"`([^`]+)`", GUIDE)
    for text in code:
        words = text.split()
        if words[0] == "tongits" and len(words) > 1 and not words[1].startswith("-"):
            assert words[1] in commands, text
        for word in words:
            if word.startswith("--"):
                assert word in options, text


def test_it_fits_on_a_page() -> None:
    assert len(GUIDE.splitlines()) < 110
    assert max(map(len, GUIDE.splitlines())) <= 120
