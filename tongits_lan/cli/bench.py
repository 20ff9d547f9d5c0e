"""`tongits bench`: figures of this program on this machine, each one measured now, none assumed.

The deal and the moves are timed by three real processes at one table, the rest in this process.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from tongits_lan.cli import native, peers, replay, timing, verify
from tongits_lan.cli.bench_screen import screen_figures
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.console.speech import tr
from tongits_lan.errors import Exit
from tongits_lan.game.engine import apply, deal, legal_moves, view
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.sentences import mark

HANDS = 12
SECONDS = 2.0  # for each figure measured in this process
MULTIPLICATIONS = 2_000
STARTS = 7
_WIDTH = 62  # of what is measured


def run(options: Namespace) -> int:
    """Measures and prints; about half a minute."""
    native.load()
    with tempfile.TemporaryDirectory(prefix="tongits-bench-") as folder:
        complain(tr("Three programs play {n} hands ...", n=HANDS))
        three = peers.play(Path(folder), HANDS, "pagat")
        figures = table_figures(three)
        complain(tr("Engine, group and verification ..."))
        figures.update(local_figures(three[0].ledger(), SECONDS))
        complain(tr("The screen ..."))
        figures.update(screen_figures(replay.parsed(three[0].ledger())))
    figures["version_ms"] = version_ms()
    ordered = {name: figures[name] for name in WORDS if name in figures}
    if options.json:
        emit(ordered)
    else:
        for name, value in ordered.items():
            say(f"{tr(WORDS[name]):<{_WIDTH}} {_figure(value)}")
    return Exit.DONE


WORDS = {
    "engine_moves_per_s": mark("random legal moves a second, listing them included"),
    "deal_ms": mark("proved shuffle and deal by three processes, ms"),
    "mult_us": mark("one multiplication of the group library, microseconds"),
    "verify_hands_per_s": mark("hands verified a second"),
    "verify_proofs_hands_per_s": mark("hands verified a second with every proof"),
    "move_latency_ms": mark("a move chosen here and seen by another process, ms"),
    "entries_per_hand": mark("ledger entries a hand"),
    "bytes_per_hand": mark("ledger bytes a hand"),
    "version_ms": mark("tongits --version, ms"),
    "menu_ms": mark("from the start to the menu on the screen, ms"),
    "key_echo_ms": mark("a key typed while a deck is proved, until it is shown, ms"),
    "redraw_ms": mark("one picture of a table at 120x40, ms"),
    "rss_mb": mark("memory of a playing process at its highest, MB"),
}


def _figure(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value)


def table_figures(three: tuple[peers.Peer, peers.Peer, peers.Peer]) -> dict[str, object]:
    """What the lines of three playing programs tell."""
    outputs = [peer.lines() for peer in three]
    dealt, moves = timing.deal_ms(outputs), timing.move_ms(outputs)
    memory = [lines[-1]["max_rss_mb"] for lines in outputs]
    return {
        "deal_ms": {
            "p50": round(timing.percentile(dealt, 0.5), 1),
            "p90": round(timing.percentile(dealt, 0.9), 1),
        },
        "move_latency_ms": {
            "p50": round(timing.percentile(moves, 0.5), 2),
            "p99": round(timing.percentile(moves, 0.99), 2),
        },
        "rss_mb": max((mb for mb in memory if isinstance(mb, int | float)), default=None),
    }


def local_figures(ledger: Path, seconds: float) -> dict[str, object]:
    """What this process measures by itself, with a ledger just played; `seconds` for each figure."""
    file = replay.parsed(ledger)
    hands = len(verify.check(ledger, proofs=False).records)
    return {
        "engine_moves_per_s": round(engine_moves_per_s(PRESETS["pagat"], seconds)),
        "mult_us": round(mult_us(), 1),
        "verify_hands_per_s": round(
            hands * _per_second(lambda: verify.check(ledger, proofs=False), seconds), 1
        ),
        "verify_proofs_hands_per_s": round(
            hands * _per_second(lambda: verify.check(ledger, proofs=True), seconds), 1
        ),
        "entries_per_hand": round(len(file.entries) / max(1, hands), 1),
        "bytes_per_hand": round(ledger.stat().st_size / max(1, hands)),
    }


def _per_second(work: Callable[[], object], seconds: float) -> float:
    """How often `work` can be done in a second; it is done once or more."""
    started = time.perf_counter()
    times = 0
    while True:
        work()
        times += 1
        passed = time.perf_counter() - started
        if passed >= seconds:
            return times / passed


def engine_moves_per_s(rules: Rules, seconds: float) -> float:
    """Random legal moves a second: view, list of the legal moves, choice and application of each."""
    rng = random.Random(1)
    moves = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        moves += _random_hand(rules, rng)
    return moves / (time.perf_counter() - started)


def _random_hand(rules: Rules, rng: random.Random) -> int:
    faces = dict(enumerate(rng.sample(range(rules.n), rules.n)))
    position = deal(rules, rng.randrange(3))
    moves = 0
    while position.turn is not None:
        seat = position.turn
        legal = legal_moves(view(position, seat, faces))
        position, _ = apply(position, seat, rng.choice(legal))
        moves += 1
    return moves


def mult_us() -> float:
    """Microseconds of one scalar multiplication, the library's own call."""
    import rbcl

    points = [rbcl.crypto_core_ristretto255_random() for _ in range(64)]
    scalars = [rbcl.crypto_core_ristretto255_scalar_random() for _ in range(64)]
    started = time.perf_counter()
    for number in range(MULTIPLICATIONS):
        rbcl.crypto_scalarmult_ristretto255(scalars[number % 64], points[(number * 7) % 64])
    return (time.perf_counter() - started) / MULTIPLICATIONS * 1e6


def version_ms() -> float:
    """Milliseconds of `tongits --version`, the median of several starts."""
    command = [sys.executable, "-m", "tongits_lan", "--version"]
    times = []
    for _ in range(STARTS):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(1000 * (time.perf_counter() - started))
    return round(timing.percentile(times, 0.5), 1)
