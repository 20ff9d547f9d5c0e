"""Three separate bot processes of this very program at one table over loopback TCP, and what they leave.

Owns their folders, their outputs and their end: no process outlives this one. Reads only what
any program could: the lines they print and the files they keep.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import trio

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import cause, phrase

NAMES = ("Ana", "Ben", "Carlo")
SILENCE_SECONDS = 120.0  # a table that says nothing for so long is given up
TERMINATE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Peer:
    """One player of a demonstration: `folder` is its data folder, the others are files beside it."""

    name: str
    folder: Path

    @property
    def out(self) -> Path:
        """What it printed: JSON lines."""
        return self.folder.with_suffix(".out")

    @property
    def err(self) -> Path:
        """What it said on stderr."""
        return self.folder.with_suffix(".err")

    @property
    def log(self) -> Path:
        """Its log file."""
        return self.folder.with_suffix(".log")

    def lines(self) -> list[dict[str, object]]:
        """The JSON lines it printed."""
        return [json.loads(line) for line in self.out.read_text("utf-8").splitlines()]

    def ledger(self) -> Path:
        """The ledger it kept; raises UserError if it says of none."""
        last = self.lines()[-1:]
        path = last[0].get("ledger") if last else None
        if not isinstance(path, str):
            raise UserError(
                phrase("{name}'s program kept no ledger: its output is {out}.", name=self.name, out=self.out),
                Exit.FAILED,
            )
        return Path(path)


def peers_in(folder: Path) -> tuple[Peer, Peer, Peer]:
    """The three players of a demonstration kept in `folder`."""
    ana, ben, carlo = (Peer(name, folder / name.lower()) for name in NAMES)
    return ana, ben, carlo


def play(folder: Path, hands: int, preset: str) -> tuple[Peer, Peer, Peer]:
    """Plays a match of `hands` hands to its end; every program leaves when the three ledgers are level.

    Raises UserError when a program fails or the table falls silent."""
    peers = peers_in(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            phrase(
                "The folder {folder} cannot be made ({why}): choose another with --dir.",
                folder=folder,
                why=cause(error),
            ),
            Exit.FAILED,
        ) from None
    trio.run(_play, peers, hands, preset)
    return peers


class _Table:
    """The three running programs."""

    def __init__(self, peers: Sequence[Peer], scope: trio.CancelScope) -> None:
        self.peers = peers
        self.scope = scope
        self.address = trio.Event()
        self.host_address = ""
        self.code_file = peers[0].folder.with_suffix(".code")
        self.problem: UserError | None = None

    async def run_peer(self, peer: Peer, arguments: list[str]) -> None:
        """One program from start to end, its output copied to its file; a failure ends all three."""
        command = [sys.executable, "-m", "tongits_lan", *arguments, "--auto", "--json", "--new", "-v"]
        command += [
            "--bind",
            "127.0.0.1",
            "--name",
            peer.name,
            "--data-dir",
            str(peer.folder),
            "--log-file",
            str(peer.log),
        ]
        with ExitStack() as files:
            err = files.enter_context(peer.err.open("wb"))
            out = files.enter_context(peer.out.open("wb"))
            process = await trio.lowlevel.open_process(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err
            )
            try:
                assert process.stdout is not None
                await self._copy(peer, process.stdout, out)
                code = await process.wait()
            finally:
                await _end(process)
        if code != Exit.DONE:
            said = peer.err.read_text("utf-8", "replace").strip().splitlines()
            why = said[-1] if said else phrase("it said nothing.")
            self.problem = UserError(
                phrase(
                    "{name}'s program ended with {code}: {why} Its log is {log}.",
                    name=peer.name,
                    code=code,
                    why=why,
                    log=peer.log,
                ),
                Exit.FAULT if code == Exit.FAULT else Exit.FAILED,
            )
            self.scope.cancel()

    async def _copy(self, peer: Peer, stdout: trio.abc.ReceiveStream, out: IO[bytes]) -> None:
        seen = b""
        async for chunk in stdout:
            out.write(chunk)
            self.scope.deadline = trio.current_time() + SILENCE_SECONDS
            if peer is self.peers[0] and not self.address.is_set():
                seen += chunk
                if b"\n" in seen:
                    first = json.loads(seen.split(b"\n", 1)[0])
                    self.host_address = first["addresses"][0]
                    _keep_private(self.code_file, first["code"])
                    self.address.set()


async def _play(peers: tuple[Peer, Peer, Peer], hands: int, preset: str) -> None:
    with trio.move_on_after(SILENCE_SECONDS) as scope:
        table = _Table(peers, scope)
        async with trio.open_nursery() as playing:
            host = ["host", "--hands", str(hands), "--rules", preset]
            playing.start_soon(table.run_peer, peers[0], host)
            await table.address.wait()
            joins = ["join", table.host_address, "--code-file", str(table.code_file)]
            for peer in peers[1:]:
                playing.start_soon(table.run_peer, peer, joins)
        table.code_file.unlink(missing_ok=True)
    if table.problem is not None:
        raise table.problem
    if scope.cancelled_caught:
        raise UserError(
            phrase(
                "The three programs said nothing for {seconds} seconds: their logs are in {folder}.",
                seconds=round(SILENCE_SECONDS),
                folder=peers[0].folder.parent,
            ),
            Exit.FAILED,
        )


def _keep_private(path: Path, code: str) -> None:
    """Puts the join code where only this player can read it: what is said to a program, others may list."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(code)


async def _end(process: trio.Process) -> None:
    """Ends a program that still runs: asked first, then without asking."""
    if process.poll() is not None:
        return
    with trio.CancelScope(shield=True):
        process.terminate()
        with trio.move_on_after(TERMINATE_SECONDS):
            await process.wait()
        if process.poll() is None:
            process.kill()
            await process.wait()
