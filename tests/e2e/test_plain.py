"""Three people in plain mode at three terminals: words compared, a word of chat, giving up, leaving."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import PATIENCE, environment
from tests.system import NO_TERMINAL, on_posix
from tongits_lan.console.control import DEAF_SECONDS

pexpect = pytest.importorskip("pexpect", reason=NO_TERMINAL)

pytestmark = [
    pytest.mark.slow,
    on_posix,
]


class Terminals:
    """A program in a terminal for each player."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.players: dict[str, Any] = {}

    def start(self, name: str, *words: str) -> Any:
        """One more player."""
        rest = [
            "--bind",
            "127.0.0.1",
            "--plain",
            "--ascii",
            "--name",
            name,
            "--data-dir",
            str(self.folder / name),
        ]
        self.players[name] = pexpect.spawn(
            sys.executable,
            ["-m", "tongits_lan", *words, *rest],
            env={**environment(self.folder), "TERM": "dumb"},
            encoding="utf-8",
            timeout=PATIENCE,
        )
        self.players[name].delaybeforesend = DEAF_SECONDS + 0.1  # nobody answers what he cannot have read
        return self.players[name]

    def close(self) -> None:
        """Ends every program."""
        for player in self.players.values():
            player.close(force=True)


def test_three_people_at_three_terminals(tmp_path: Path) -> None:
    terminals = Terminals(tmp_path)
    try:
        left = play_and_leave(terminals)
    finally:
        terminals.close()
    assert left == [0, 0, 0]


def three_at_a_table(terminals: Terminals) -> tuple[Any, Any, Any]:
    """Through a lobby with a code to its end."""
    ana = terminals.start("Ana", "host")
    ana.expect(r"join code: (\S+)")
    code = ana.match.group(1)
    ana.expect(r"reached at (127[.0-9]+:[0-9]+)")
    ben, carlo = (terminals.start(name, "join", ana.match.group(1)) for name in ("Ben", "Carlo"))
    ben.expect("asks for the join code")
    ben.sendline("10-abaka-abaka" if code != "10-abaka-abaka" else "11-abaka-abaka")
    ana.expect("Ben gave a wrong join code")
    ben.expect("That is not the join code")
    for player in (ben, carlo):
        if player is carlo:
            carlo.expect("asks for the join code")
        player.sendline(code.upper().replace("-", " "))
    three = (ana, ben, carlo)
    for player in three:  # a question that is asked anew takes no answer to the one before
        player.expect(r"At the table: [^\n]*(Ben[^\n]*Carlo|Carlo[^\n]*Ben)")
        player.expect("1  ready")
        player.sendline("1")
    return three


def play_and_leave(terminals: Terminals) -> list[int]:
    """A lobby, a hand that is given up, and home: the exit codes."""
    three = ana, ben, carlo = three_at_a_table(terminals)
    words = set()
    for player in three:
        player.expect(r"Read these words to each other: (\w+ \w+ \w+ \w+)")
        words.add(player.match.group(1))
        player.expect("2  they differ")
    assert len(words) == 1
    ben.sendline("c hello all")
    ana.expect("Ben: hello all")
    for player in three:
        player.sendline("1")
    for player in three:
        player.expect("Hand 1 is dealt")
        player.expect("Your cards: ")
    ben.sendline("g")
    ben.expect("Sure")
    ben.expect("2  yes, give it up")
    ben.sendline("2")
    for player in three:
        if player is not ben:
            player.sendline("nonsense")
            player.expect("(asked now|a number from)")
    carlo.sendline("q")
    carlo.expect("stays pending")
    carlo.expect(pexpect.EOF)
    ana.expect("Carlo (is out of reach|closed the program)")
    for player in (ana, ben):
        player.sendeof()
        player.expect(pexpect.EOF)
    for player in three:
        player.close()
    return [player.exitstatus for player in three]
