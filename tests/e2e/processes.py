"""Real programs of this package, started, listened to and ended: each test leaves none behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

PATIENCE = 90.0  # seconds until a program that does not come to its end fails the test
Line = dict[str, Any]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a child: a temporary folder of its own, no home of a real player."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    home = {
        name: str(folder / "home") for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    }
    return {**os.environ, **home, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}


def tongits(folder: Path, *words: str, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Runs one command to its end."""
    command = [sys.executable, "-m", "tongits_lan", *words]
    given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        **given,
    )


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Program:
    """One running program in JSON mode; its lines are read as they come."""

    def __init__(self, folder: Path, name: str, words: Sequence[str], on: Sequence[str] = ()) -> None:
        self.on = on
        """The command that runs another one on a computer of its own; else the program is heard on this
        machine only."""
        if not on and words[0] in ("host", "join") and "--bind" not in words:
            words = (*words, "--bind", "127.0.0.1")
        codes = {"--open", "--code", "--code-file"}
        if not on and words[0] in ("host", "join") and not codes.intersection(words):
            words = (*words, "--open")
        self.words = [*words, "--json", "--name", name, "--data-dir", str(folder / name.lower())]
        self.folder = folder
        self.lines: list[Line] = []
        self._news = threading.Condition()
        self._ended = False
        self._answered = 0
        self.process = subprocess.Popen(
            [*on, sys.executable, "-m", "tongits_lan", *self.words],
            env=environment(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8",
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def wait_for(self, wanted: Callable[[list[Line]], bool]) -> list[Line]:
        """Returns the lines as soon as they are as wanted; fails if it ends or falls silent before."""
        with self._news:
            came = self._news.wait_for(lambda: wanted(self.lines) or self._ended, PATIENCE)
            assert came, f"{self.words}: silent after {self.lines[-3:]}"
            assert wanted(self.lines), f"{self.words}: ended after {self.lines[-3:]}"
            return list(self.lines)

    def wait_event(self, event: str, times: int = 1) -> Line:
        """The line of this kind that came as the `times`-th."""
        lines = self.wait_for(lambda lines: sum(line["event"] == event for line in lines) >= times)
        return [line for line in lines if line["event"] == event][times - 1]

    def say(self, line: str) -> None:
        """Types a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self, choose: Callable[[list[Line]], int]) -> None:
        """Answers the newest question, unless that is done: where another has taken its place meanwhile, the
        program refuses what was meant for the old one."""
        with self._news:
            asked = [line for line in self.lines if line["event"] == "choices"]
        if asked and asked[-1]["number"] > self._answered:
            self._answered = asked[-1]["number"]
            self.say(f"{self._answered}:{choose(asked[-1]['choices'])}")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    def signal(self, number: signal.Signals) -> None:
        """Any other signal."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Its exit code, when it has ended by itself."""
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def stderr(self) -> str:
        """What it said there; after its end."""
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def ledger(self) -> Path:
        """The one ledger in its folder."""
        folder = Path(self.words[self.words.index("--data-dir") + 1])
        (path,) = (folder / "tables").glob("*.tongits")
        return path

    def close(self) -> None:
        """Ends it whatever it does, and closes its pipes."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class Table:
    """Programs of one test, all ended when the test is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs: list[Program] = []

    def start(self, name: str, *words: str, on: Sequence[str] = ()) -> Program:
        """One more program, perhaps run by the command `on`."""
        program = Program(self.folder, name, words, on)
        self.programs.append(program)
        return program

    def three_bots(self, *host_words: str) -> tuple[Program, Program, Program]:
        """A host and two that join it, all played by bots. The host's port is its own when it comes back:
        the usual one may be another test's by then."""
        ana = self.start("Ana", "host", "--auto", "--port", str(free_port()), *host_words)
        address = ana.wait_event("listening")["addresses"][0]
        ben, carlo = (self.start(name, "join", address, "--auto") for name in ("Ben", "Carlo"))
        return ana, ben, carlo

    def again(self, program: Program) -> Program:
        """The same command once more, after its end."""
        name = program.words[program.words.index("--name") + 1]
        words = program.words[: program.words.index("--json")]
        return self.start(name, *words, on=program.on)

    def __enter__(self) -> "Table":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for program in self.programs:
            program.close()


@contextmanager
def table(folder: Path) -> Iterator[Table]:
    """A table whose programs end with the block."""
    with Table(folder) as programs:
        yield programs
