"""The command line: its words, their help and the defaults. Imports nothing slow before there is something to
say, and what is said is said in the language of the player (`usage.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

from tongits_lan.cli.usage import Formatter, Parser, wrong
from tongits_lan.game.sentences import Phrase, mark, phrase

EXAMPLES = (
    ("tongits", mark("the menu: host, join, practice, check")),
    ("tongits play", mark("practice against two bots on this machine")),
    ("tongits host", mark("open a table for two friends")),
    ("tongits join", mark("find it on this network and sit down")),
    ("tongits join 192.168.1.20", mark("the same, where finding does not work")),
)

COMMANDS = {
    "play": mark("practice against two bots on this machine"),
    "host": mark("open a table for two others"),
    "join": mark("sit down at somebody's table"),
    "tables": mark("list the tables announced on this network"),
    "doctor": mark("find out why others cannot find you"),
    "verify": mark("check ledger files again, from the first byte to the last"),
    "show": mark("print a ledger as JSON lines, hidden cards hidden"),
    "replay": mark("watch the finished hands of a ledger, all cards open"),
    "history": mark("your tables, opponents, chips, streaks and deals"),
    "rules": mark("rule sets: list, read, compare, begin one of your own"),
    "demo": mark("three bot processes play, and everything is checked"),
    "bench": mark("measure this program on this machine"),
}

LANGUAGES = ("en", "fil")
SHELLS = ("bash", "zsh", "fish")
DEFAULTS: dict[str, object] = {
    "name": None,
    "port": None,
    "bind": None,
    "ascii": False,
    "no_color": False,
    "plain": False,
    "json": False,
    "auto": False,
    "lang": None,
    "data_dir": None,
    "log_file": None,
    "verbose": 0,
    "version": False,
    "new": False,
    "code": None,
    "code_file": None,
    "open": False,
    "interface": None,
    "no_discovery": False,
    "turn_seconds": 0,
}


_Group: TypeAlias = "argparse._ArgumentGroup"
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
_NEEDED = mark("a number from {low} to {high} is needed, not '{value}'")


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65_536:
        raise wrong("a port is a number from 1 to 65535, not '{value}'", value=text)
    return int(text)


def _between(low: int, high: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise wrong(_NEEDED, low=low, high=high, value=text)
        return int(text)

    return number


def _add_common(parser: argparse.ArgumentParser) -> _Group:
    """The options that mean the same everywhere; they may stand before or after the command."""
    how = parser.add_argument_group("everywhere", argument_default=argparse.SUPPRESS)
    how.add_argument("--json", action="store_true", help="results or events as JSON, one object a line")
    how.add_argument("--plain", action="store_true", help="one line an event and numbered choices, no screen")
    how.add_argument("--ascii", action="store_true", help="letters instead of suit symbols and plain borders")
    how.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR=1)")
    how.add_argument("--lang", choices=LANGUAGES, help="English or Filipino (else as your system speaks)")
    how.add_argument("--data-dir", metavar="DIR", help="where key, ledgers and unfinished hands are kept")
    how.add_argument("--log-file", metavar="FILE", help="where the log goes (rotated at 1 MB)")
    how.add_argument("-v", "--verbose", action="count", help="more in the log; twice: addresses in full")
    return how


def _add_seat_common(group: _Group) -> None:
    """The options of a seat that may stand before the command, too."""
    group.add_argument("--name", help="what the others call you")
    group.add_argument(
        "--port", type=_port, metavar="P", help="TCP port to listen on (else 15213 or the next free)"
    )
    group.add_argument("--auto", action="store_true", help="the bot plays your seat; nothing is read")


def _add_seat(parser: argparse.ArgumentParser) -> None:
    """The options of commands that sit down at a table."""
    own = parser.add_argument_group("at the table", argument_default=argparse.SUPPRESS)
    _add_seat_common(own)
    own.add_argument(
        "--bind",
        metavar="ADDRESS",
        help="address to listen on (else all of them; 127.0.0.1: this machine only)",
    )
    own.add_argument("--new", action="store_true", help="start afresh, leave an unfinished table as it is")


def _add_code(parser: argparse.ArgumentParser) -> None:
    """The options of commands that meet strangers."""
    code = parser.add_argument_group("who may sit down", argument_default=argparse.SUPPRESS)
    code.add_argument("--code", metavar="CODE", help="the join code, as the host reads it aloud")
    code.add_argument("--code-file", metavar="FILE", help="the join code is in this file")
    code.add_argument("--open", action="store_true", help="host: ask for no code; join: go without one")


def _network_group(parser: argparse.ArgumentParser) -> _Group:
    return parser.add_argument_group("network", argument_default=argparse.SUPPRESS)


def _add_network(group: _Group) -> None:
    """The options of commands that look at the network."""
    group.add_argument("--interface", metavar="NAME", help="use this network interface (or address) only")
    group.add_argument("--no-discovery", action="store_true", help="announce nothing and look for nothing")


def _add_version(group: _Group) -> None:
    group.add_argument(
        "--version", action="store_true", help="print the version (with -v: where files are, too)"
    )


def _add_unlisted(command: argparse.ArgumentParser) -> None:
    """What stands before every command may stand behind it, too; help does not offer it where it changes
    nothing."""
    others = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for add in (_add_version, _add_network, _add_seat_common):
        add(others.add_argument_group(argument_default=argparse.SUPPRESS))
    for action in others._actions:
        if not command._option_string_actions.keys() & set(action.option_strings):
            action.help = argparse.SUPPRESS
            command._add_action(action)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        metavar="PRESET|FILE",
        default="pagat",
        help="a rule set or a TOML file (see: tongits rules)",
    )


def _example(line: str, about: str) -> Phrase:
    return phrase("example:\n  {line}\n\n{about}", line=line, about=phrase(about))


def _examples() -> Phrase:
    rows = phrase("")
    for line, about in EXAMPLES:
        rows = phrase("{rows}\n{line}{about}", rows=rows, line=f"  {line:<38}", about=phrase(about))
    return phrase("examples:{rows}\n", rows=rows)


def _add(commands: Commands, name: str, usage: str, example: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=COMMANDS[name],
        usage=f"tongits {name} {usage}",
        description=_example(f"tongits {name} {example}", COMMANDS[name]),
        formatter_class=Formatter,
        allow_abbrev=False,
    )


def _add_table_commands(commands: Commands) -> None:
    """The commands that sit down at a table."""
    play = _add(commands, "play", "[options]", "--hands 5")
    host = _add(commands, "host", "[options]", "--rules house")
    host.add_argument("--bots", type=_between(0, 2), metavar="N", help="seat N bots (0 to 2)")
    for opens in (play, host):
        _add_rules(opens)
        opens.add_argument(
            "--hands", type=_between(0, 10_000), metavar="N", help="the table closes after N hands"
        )
    join = _add(commands, "join", "[HOST[:PORT]] [options]", "192.168.1.20:15213")
    join.add_argument("address", metavar="HOST[:PORT]", nargs="?", help="else: look for tables")
    for sits in (play, host, join):
        _add_seat(sits)
    for meets in (host, join):
        _add_code(meets)
    for meets in (host, join):
        _add_network(_network_group(meets))


def _add_network_commands(commands: Commands) -> None:
    """The commands that look at the network and sit down nowhere."""
    tables = _add(commands, "tables", "[--json] [--interface NAME]", "--json")
    doctor = _add(commands, "doctor", "[--json] [--interface NAME] [--port P]", "--json")
    doctor.add_argument(
        "--port", type=_port, metavar="P", default=argparse.SUPPRESS, help="the port a table is to have"
    )
    for looks in (tables, doctor):
        _add_network(_network_group(looks))


def _add_file_commands(commands: Commands) -> None:
    """The commands that check, show and measure."""
    verify = _add(commands, "verify", "FILE.. [--proofs] [--json]", "game.tongits --proofs")
    verify.add_argument("files", metavar="FILE", nargs="+", help="a ledger or an evidence file")
    verify.add_argument("--proofs", action="store_true", help="check every zero-knowledge proof too")
    show = _add(commands, "show", "FILE", "game.tongits")
    show.add_argument("file", metavar="FILE", help="a ledger or an evidence file")
    watched = _add(commands, "replay", "FILE [--plain] [--json]", "game.tongits")
    watched.add_argument("file", metavar="FILE", help="a ledger file")
    past = _add(commands, "history", "[--deals] [--summary [FILE]] [--rebuild] [--json]", "--summary")
    past.add_argument("--deals", action="store_true", help="statistics of the deals over all own hands")
    past.add_argument(
        "--summary",
        metavar="FILE",
        nargs="?",
        const="",
        help="one table to paste into a chat (without FILE: the last one)",
    )
    past.add_argument("--rebuild", action="store_true", help="read and verify every ledger file again")
    rules = _add(commands, "rules", "[PRESET|FILE.toml] [--diff A B] [--new] [--json]", "--diff pagat house")
    rules.add_argument("preset", metavar="PRESET|FILE", nargs="?", help="one rule set, in words")
    rules.add_argument("--diff", nargs=2, metavar=("A", "B"), help="what two rule sets do not have in common")
    rules.add_argument(
        "--new", action="store_true", default=argparse.SUPPRESS, help="a template for rules of your own"
    )
    demo = _add(commands, "demo", "[--hands N] [--rules R] [--dir DIR] [--json]", "--hands 3 --json")
    demo.add_argument("--hands", type=_between(1, 10_000), metavar="N", default=1, help="hands to play")
    _add_rules(demo)
    demo.add_argument("--dir", metavar="DIR", help="keep what the three processes leave in DIR")
    _add(commands, "bench", "[--json]", "--json")
    shell = commands.add_parser(  # without help, so that the list of commands stays short
        "completion",
        usage="tongits completion SHELL",
        description=_example(
            "tongits completion bash > ~/.local/share/bash-completion/completions/tongits",
            mark("print what a shell needs to complete commands, options and rule sets"),
        ),
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    shell.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = Parser(
        prog="tongits",
        usage="tongits COMMAND [options]",
        description=_examples(),
        formatter_class=Formatter,
        allow_abbrev=False,
        add_help=False,
    )
    commands = parser.add_subparsers(
        dest="command", title=mark("commands"), metavar="COMMAND", parser_class=Parser, prog="tongits"
    )
    everywhere = _add_common(parser)
    everywhere.add_argument("-h", "--help", action="help", help="show this help message and exit")
    _add_version(everywhere)
    _add_network(everywhere)
    _add_seat_common(everywhere)
    _add_table_commands(commands)
    _add_network_commands(commands)
    _add_file_commands(commands)
    for command in commands.choices.values():
        _add_common(command)
        _add_unlisted(command)
    return parser


def glance(words: list[str]) -> argparse.Namespace:
    """What a command line says about the language, whether or not the rest of it can be understood."""
    found = argparse.Namespace(lang=None, data_dir=None, json="--json" in words)
    for word, after in zip(words, [*words, None][1:], strict=True):
        name, equals, value = word.partition("=")
        if name == "--lang" and (value if equals else after) in LANGUAGES:
            found.lang = value if equals else after
        elif name == "--data-dir":
            found.data_dir = value if equals else after
    return found


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The parsed command line, with the default of every option that means the same everywhere.

    Raises SystemExit(2) after one sentence for a line that cannot be understood."""
    parsed = build_parser().parse_args(arguments)
    for name, value in DEFAULTS.items():
        if not hasattr(parsed, name):
            setattr(parsed, name, value)
    return parsed
