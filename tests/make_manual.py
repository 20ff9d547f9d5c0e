"""`python -m tests.make_manual`: writes docs/tongits.1 from the command line itself and the texts below."""

import sys
from collections.abc import Iterator
from pathlib import Path

from tongits_lan.cli.arguments import EXAMPLES
from tongits_lan.cli.grammar import Command, Option, command_line
from tongits_lan.console.keys import BINDINGS, Mode
from tongits_lan.errors import Exit
from tongits_lan.limits import PORT

PAGE = Path(__file__).parents[1] / "docs" / "tongits.1"
_KEYS = (Mode.START, Mode.ACTION, Mode.ANSWER)
_EXITS = {
    Exit.DONE: "done; for verify: the game was fair; for doctor: all is well",
    Exit.FAILED: "something failed or is not complete: a file that cannot be read or written, a port in use",
    Exit.USAGE: "the command line is not understood, the terminal is unusable, a file is not one of ours",
    Exit.NO_TABLE: "no table was reached: wrong address or code, closed port, no common version",
    Exit.FAULT: "a player's program broke the protocol; for verify: the file shows it",
}
_FILES = (
    ("tongits/config.toml", "in the configuration folder of the system: your choices, a comment above each"),
    ("tongits/tables/", "in the data folder: one ledger (.tongits) a table, and evidence where there is any"),
    ("tongits/private/", "in the data folder: secrets of hands that are not over; readable by you alone"),
    ("tongits/tongits.log", "in the state folder: what happened, without any card; three files of 1 MB"),
)
_ENVIRONMENT = (
    ("NO_COLOR", "no colours, whatever it is set to"),
    ("TERM", "with dumb there is no full screen: use --plain"),
    ("LC_ALL, LC_MESSAGES, LANG", "a Filipino system (fil or tl) is spoken to in Filipino; see --lang"),
)


def page() -> str:
    """The whole manual page, in the man macros."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    program, *commands = command_line()
    yield '.TH TONGITS 1 "" "tongits" "Games"'
    yield ".SH NAME"
    yield "tongits \\- Tongits for three friends on one network, without a server"
    yield ".SH SYNOPSIS"
    yield ".B tongits"
    yield "[\\fICOMMAND\\fR] [\\fIoptions\\fR]"
    yield ".SH DESCRIPTION"
    yield "Three players, one network, no server and no trusted dealer: the three programs shuffle the deck"
    yield "together, and each proves that it did so honestly. Without a command the menu opens."
    yield "Every finished game is a file that anybody can check again with"
    yield '.BR "tongits verify" .'
    yield ".SH COMMANDS"
    shared = {(option.names, option.help) for option in program.named}
    for command in commands:
        yield from _command(command, shared)
    yield ".SH OPTIONS"
    yield "These stand before any command or behind one that heeds them, and always mean the same."
    for option in program.named:
        yield from _option(option)
    yield ".SH KEYS"
    yield "What works in your turn; ? on the screen lists the keys of every other moment."
    for shown, does in _keys():
        yield from _item(shown, does)
    yield ".SH EXIT STATUS"
    for code, means in _EXITS.items():
        yield from _item(str(int(code)), means)
    yield from _item("129, 130, 143", "ended by a signal; the terminal is as it was before")
    yield ".SH FILES"
    for name, what in _FILES:
        yield from _item(name, what)
    yield ".SH ENVIRONMENT"
    for name, what in _ENVIRONMENT:
        yield from _item(name, what)
    yield ".SH NETWORK"
    yield f"Tables listen on TCP port {PORT} or the next free one and are found with mDNS (UDP port 5353)."
    yield "Every link is encrypted. Nothing leaves the local network."
    yield ".SH EXAMPLES"
    yield ".nf"
    yield from (_safe(f"{line:<38}{about}") for line, about in EXAMPLES)
    yield ".fi"


def _command(command: Command, shared: set[tuple[tuple[str, ...], str]]) -> Iterator[str]:
    own = [o for o in command.named if (o.names, o.help) not in shared]
    yield f".SS {_safe(command.usage)}"
    yield _safe(command.help[:1].upper() + command.help[1:] + ".")
    for option in (*command.positional, *own):
        yield from _option(option)


def _option(option: Option) -> Iterator[str]:
    names = ", ".join(f"\\fB{_safe(name)}\\fR" for name in option.names)
    value = f"\\fI{_safe(option.metavar)}\\fR" if option.metavar else ""
    yield ".TP"
    yield " ".join(part for part in (names, value) if part)
    yield _safe(option.help)


def _item(term: str, text: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_safe(term)}"
    yield _safe(text)


def _keys() -> Iterator[tuple[str, str]]:
    for binding in BINDINGS:
        if binding.help and any(mode in binding.modes for mode in _KEYS):
            yield binding.shown, binding.help


def _safe(text: str) -> str:
    """A line that no macro and no escape can come out of."""
    line = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line


def main() -> int:
    """Writes the page."""
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
