"""One simulated match: three real tables on one event heap, driven by one seed.

Owns programs, their crashes and what players choose. Nothing here sleeps, and nothing is random but by the
seed, so that a failing seed fails again.
"""

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from msgspec import structs

from tests.circle import Cast, Entropy, Verdicts, lively
from tests.sim.heap import Heap
from tests.sim.plan import PAIRS, Crash, Plan, Sleep, draw
from tests.sim.player import Player
from tests.sim.safety import Safety
from tests.sim.wires import Wires
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.jobs import JudgeJob, PrepareJob, ProofJob
from tongits_lan.ledger.messages import Entries
from tongits_lan.ledger.state import ProofClaim
from tongits_lan.ledger.table import AppendEntry, Effects, Job, Table
from tongits_lan.limits import SEATS, SILENCE_SECONDS

FAULTS_END = 1_500.0
"""Seconds after which everything works."""
PATIENCE = 600.0
"""Seconds within which the match must end then."""
QUICK_JOB = 0.3
"""Seconds a job takes at most once everything works."""

UNPREPARED = 0.7
"""Share of the work ahead that is dropped."""

T = TypeVar("T")


class World:
    """A match under a plan. `verdicts` is shared by the three seats, or None: each judges for itself."""

    def __init__(self, plan: Plan, verdicts: Verdicts | None) -> None:
        self.plan = plan
        self.heap = Heap()
        self.rng = random.Random(f"world {plan.seed}")
        rules = structs.replace(PRESETS[plan.preset], hands=plan.hands)
        self.cast = Cast(f"sim {plan.seed}", rules=rules)
        self.safety = Safety(self.cast.descriptor)
        self.verdicts = verdicts
        self.healed = False
        self.counts: Counter[str] = Counter()
        self.players = [
            Player(seat, self.heap, self.rng.uniform(10.0, 1e6), self._pump) for seat in range(SEATS)
        ]
        self.wires = Wires(plan, self.heap, self.rng, self.players, self.counts)
        self._crashes = list(plan.crashes)
        self._cuts = list(plan.cuts)
        self._sleeps = list(plan.sleeps)
        self._gives_up = list(plan.gives_up)

    # Running.

    def run(self) -> None:
        """Play to the end. Raises AssertionError for anything unsafe, and if the match does not end."""
        for player in self.players:
            self._boot(player, loaded=False)
        self.heap.at(FAULTS_END, self._heal)
        while self.heap and self.heap.now < FAULTS_END + PATIENCE:
            self.heap.step()
            if self._over():
                return
        raise AssertionError(f"the match does not end: {[self._where(player) for player in self.players]}")

    def _over(self) -> bool:
        if not self.safety.states[-1].closed:
            return False
        tables = [player.table for player in self.players if player.running]
        views = [table.view(self.players[0].clock) for table in tables if table is not None]
        return len(views) == SEATS and all(view.height == self.safety.height for view in views)

    def _where(self, player: Player) -> str:
        if player.table is None:
            return "down"
        view = player.table.view(player.clock)
        return f"{view.height} of {self.safety.height}, {view.phase}, due {view.due}, {view.links}"

    def _heal(self) -> None:
        """From now on nothing new goes wrong; a seat that is down or asleep comes back in its time."""
        self.healed = True
        self.wires.heal()

    # Programs.

    def _boot(self, player: Player, *, loaded: bool) -> None:
        table = Table(
            me=player.seat,
            key=self.cast.keys[player.seat],
            descriptor=self.cast.descriptor,
            nonce=self.cast.nonces[player.seat],
            entropy=Entropy(f"{self.plan.seed}/{player.seat}/{player.life}"),
            entries=tuple(player.shelf.entries),
            secrets=tuple(player.shelf.secrets.values()),
            loaded=loaded,
            waits_for_words=False,
            verdicts=self.verdicts,
        )
        player.born(table)
        table.start(player.clock)
        self._pump(player)
        for pair in _pairs_of(player):
            self.heap.after(self.rng.uniform(0, 1), partial(self.wires.connect, pair))

    def _die(self, player: Player, seconds: float) -> None:
        self.counts["crashes"] += 1
        player.dead()
        for pair in _pairs_of(player):
            self.wires.break_off(pair, player)
        self.heap.after(seconds, partial(self._boot, player, loaded=True))

    def _pump(self, player: Player) -> None:
        news = False
        while player.table is not None and (effects := player.table.take()):
            news = news or bool(effects.store or effects.events)
            crash = self._crash_now(player, effects)
            if crash is not None:
                self._store(player, replace(effects, store=effects.store[: crash.ops]))
                self._forget(player, crash.lost)
                self._die(player, crash.seconds)
                return
            self._store(player, effects)
            for to, message in effects.send:
                if isinstance(message, Entries):
                    self.safety.left(player.seat, message.first, message.entries)
                self.wires.post(player.seat, to, message)
            for other, reason in effects.close:
                raise AssertionError(f"seat {player.seat} closed its link to seat {other}: {reason}")
            for job in effects.jobs:
                self._start_job(player, job)
        if player.table is not None:
            self.counts["steps"] += 1
            self._schedule_tick(player, player.table)
            if news:
                self._see(player, player.table)
            self._faults(player)

    def _see(self, player: Player, table: Table) -> None:
        """Something has changed for this seat: check what it sees, and let its player think."""
        view = table.view(player.clock)
        self.safety.seen(view)
        if (view.legal or view.can_go_on) and not player.thinking:
            player.thinking = True
            self.heap.after(self.rng.expovariate(4.0), player.in_life(partial(self._think, player)))

    def _store(self, player: Player, effects: Effects) -> None:
        for op in effects.store:
            if isinstance(op, AppendEntry):
                self.safety.stored(player.seat, len(player.shelf.entries), op.raw)
            player.shelf.apply((op,))

    def _forget(self, player: Player, lost: int) -> None:
        """The disk loses the last entries, as far as both others have stored them."""
        held = min(len(other.shelf.entries) for other in self.players if other is not player)
        keep = max(0, len(player.shelf.entries) - lost)
        if lost and keep < len(player.shelf.entries) <= held:
            del player.shelf.entries[keep:]
            self.counts["lost tails"] += 1

    def _start_job(self, player: Player, job: Job) -> None:
        if isinstance(job, PrepareJob) and self.rng.random() < UNPREPARED:
            return  # it only saves time

        def done(table: Table) -> None:
            table.finish(job, self._result(player.seat, job), player.clock)

        slowest = QUICK_JOB if self.healed else self.plan.slowest_job
        self.heap.after(self.rng.uniform(0.01, slowest), player.in_life(done))

    def _result(self, seat: int, job: Job) -> object:
        """What a job returns; with a shared memory of verdicts what one seat proves, all take as judged."""
        if self.verdicts is None:
            return job()
        if isinstance(job, JudgeJob) and job.claim in self.verdicts:
            return self.verdicts[job.claim]
        result = job()
        if isinstance(job, ProofJob):
            assert isinstance(result, bytes)
            s, labels = job.secrets, job.secrets.labels if job.kind == "lock" else ()
            claim = ProofClaim(seat, job.kind, s.ctx, s.A, labels, job.deck_in, job.deck_out, result)
            self.verdicts[claim] = None
        return result

    def _schedule_tick(self, player: Player, table: Table) -> None:
        deadline = table.next_deadline()
        if deadline is None:
            return
        when = deadline - player.offset + 1e-6  # the two clocks round differently
        if when >= player.tick_at:
            return
        player.tick_at = when

        def tick(table: Table) -> None:
            player.tick_at = math.inf
            table.tick(player.clock)

        self.heap.at(when, player.in_life(tick))

    def _think(self, player: Player, table: Table) -> None:
        player.thinking = False
        view = table.view(player.clock)
        try:
            if view.legal:
                table.submit(lively(view, self.rng), player.clock)
            elif view.can_go_on and self.plan.early_leaver == player.seat:
                table.leave(player.clock)
            elif view.can_go_on:
                table.go_on(player.clock)
        except Refused as refused:
            raise AssertionError(f"seat {player.seat}: {refused.reason}") from refused

    # Faults.

    def _crash_now(self, player: Player, effects: Effects) -> Crash | None:
        if self.healed or not effects.store:
            return None
        for crash in self._crashes:
            if crash.seat == player.seat and crash.height <= self.safety.height:
                self._crashes.remove(crash)
                return crash
        return None

    def _faults(self, player: Player) -> None:
        if self.healed:
            return
        height = self.safety.height
        for cut in _taken(self._cuts, lambda cut: cut.height <= height):
            self.counts["cuts"] += 1
            self.wires.cut(cut)
        for sleep in _taken(self._sleeps, lambda s: s.seat == player.seat and s.height <= height):
            self._fall_asleep(player, sleep)
        for _ in _taken(self._gives_up, lambda w: w.seat == player.seat and w.height <= height):
            self.heap.after(0, player.in_life(partial(self._give_up, player)))

    def _give_up(self, player: Player, table: Table) -> None:
        if table.view(player.clock).can_give_up:
            self.counts["given up"] += 1
            table.give_up(player.clock)

    def _fall_asleep(self, player: Player, sleep: Sleep) -> None:
        self.counts["sleeps"] += 1
        player.asleep_until = self.heap.now + sleep.seconds
        for pair in _pairs_of(player):
            self.heap.after(SILENCE_SECONDS, partial(self.wires.break_off, pair, None))

        def wake() -> None:
            player.asleep_until = None
            if sleep.clock == "stands":
                player.offset -= sleep.seconds
            for pair in _pairs_of(player):
                self.wires.break_off(pair, None)
                self.wires.connect(pair)

        self.heap.at(player.asleep_until, wake)


def _pairs_of(player: Player) -> list[tuple[int, int]]:
    return [pair for pair in PAIRS if player.seat in pair]


def _taken(kept: list[T], wanted: Callable[[T], bool]) -> list[T]:
    """Take what is wanted out of the list."""
    taken = [one for one in kept if wanted(one)]
    kept[:] = [one for one in kept if not wanted(one)]
    return taken


def simulate(seed: int) -> World:
    """Run one seed to its end. Every tenth seed runs without the shared memory of verdicts."""
    world = World(draw(seed), None if seed % 10 == 0 else {})
    world.run()
    return world


def replay_command(seed: int) -> str:
    """What to type to see one seed again."""
    return f"python -m tests.sim --seeds 1 --from {seed} --verbose"
