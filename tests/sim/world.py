"""One simulated match: three real tables on one event heap, driven by one seed.

Owns programs, their stores and what players choose. Nothing here sleeps, and nothing is random but by the
seed, so that a failing seed fails again.
"""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from msgspec import structs

from tests.circle import Cast, Entropy, Verdicts, lively
from tests.remembered import Acceptance
from tests.sim.faults import Faults, pairs_of
from tests.sim.heap import Heap
from tests.sim.plan import Crash, Plan, draw
from tests.sim.player import Player
from tests.sim.safety import Safety
from tests.sim.watch import Watch
from tests.sim.wires import Wires
from tongits_lan.deck.proofs import lock_proof_length, shuffle_proof_length
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.effects import GraceOver
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.jobs import JudgeJob, PrepareJob, ProofJob
from tongits_lan.ledger.messages import Entries
from tongits_lan.ledger.state import ProofClaim
from tongits_lan.ledger.table import AppendEntry, Effects, Job, SaveEvidence, Table
from tongits_lan.limits import SEATS

PATIENCE = 600.0
"""Seconds within which the match must end once everything works."""
QUICK_JOB = 0.3
"""Seconds a job takes at most then, and on a seat that is not slow."""
UNPREPARED = 0.7
"""Share of the work ahead that is dropped."""


class World:
    """A match under a plan.

    Unless `computed`, the three seats share what acceptance answers, and proofs are any bytes that all of
    them take as judged: for what is shown here the proofs do not matter, and they are most of the work.
    """

    def __init__(self, plan: Plan, *, computed: bool = False) -> None:
        self.plan = plan
        self.heap = Heap()
        self.rng = random.Random(f"world {plan.seed}")
        rules = structs.replace(PRESETS[plan.preset], hands=plan.hands)
        self.cast = Cast(f"sim {plan.seed}", rules=rules)
        self.verdicts: Verdicts | None = None if computed else {}
        self.acceptance = accept if computed else Acceptance()
        self.safety = Safety(self.cast.descriptor, self.acceptance)
        self.healed = False
        self.counts: Counter[str] = Counter()
        self.players = [
            Player(seat, self.heap, self.rng.uniform(10.0, 1e6), self._pump) for seat in range(SEATS)
        ]
        self.watches = [Watch(seat) for seat in range(SEATS)]
        self.wires = Wires(plan, self.heap, self.rng, self.players, self.counts)
        self._faults = Faults(plan, self.heap, self.safety, self.wires, self.counts, self._die)

    # Running.

    def run(self) -> None:
        """Play to the end. Raises AssertionError for anything unsafe, and if the match does not end."""
        self.begin()
        self.run_on()

    def run_on(self) -> None:
        """From wherever it is to the end."""
        self.until(self._over, self.plan.faults_end + PATIENCE)

    def begin(self) -> None:
        """Start the three programs."""
        for player in self.players:
            self._boot(player, loaded=False)
        self._faults.begin(self.rng.uniform)
        self.heap.at(self.plan.faults_end, self._heal)

    def until(self, reached: Callable[[], bool], most: float) -> None:
        """Play on until that is so, at most until that time."""
        while self.heap and self.heap.now < most:
            if reached():
                return
            self.heap.step()
        raise AssertionError(f"not reached: {[self._where(player) for player in self.players]}")

    def _over(self) -> bool:
        return self.safety.states[-1].closed and self.level()

    def level(self) -> bool:
        """Whether all three are there and hold all that anybody holds."""
        return all(
            player.running and len(player.shelf.entries) == self.safety.height for player in self.players
        )

    def _where(self, player: Player) -> str:
        if player.table is None:
            return "down"
        view = player.table.view(player.clock)
        return f"{view.height} of {self.safety.height}, {view.phase}, due {view.due}, {view.links}"

    def _heal(self) -> None:
        """From now on nothing new goes wrong; a seat that is down or asleep comes back in its time."""
        self.healed = True
        self._faults.end()
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
            acceptance=self.acceptance,
        )
        player.born(table)
        self.watches[player.seat] = Watch(player.seat)
        table.start(player.clock)
        self._pump(player)
        for pair in pairs_of(player):
            self.heap.after(self.rng.uniform(0, 1), partial(self.wires.connect, pair))

    def _die(self, player: Player, seconds: float, *, silent: bool = False) -> None:
        player.dead()
        if silent:
            self.wires.vanish(player)
        for pair in pairs_of(player):
            self.wires.break_off(pair, player)
        self.heap.after(seconds, partial(self._boot, player, loaded=True))

    def _crash(self, player: Player, effects: Effects, crash: Crash) -> None:
        self.counts["crashes"] += 1
        self._store(player, replace(effects, store=effects.store[: crash.ops]))
        if crash.torn and len(effects.store) > crash.ops:
            op = effects.store[crash.ops]
            if isinstance(op, AppendEntry):
                self._tear(player, op.raw, crash.torn)
        self._forget(player, crash.lost)
        self._die(player, crash.seconds, silent=crash.silent)

    def _pump(self, player: Player) -> None:
        news = False
        while player.table is not None and (effects := player.table.take()):
            news = news or bool(effects.store or effects.events)
            crash = self._faults.crash_now(player, effects)
            if crash is not None:
                self._crash(player, effects, crash)
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
            self._hear(player, effects)
        if player.table is not None:
            self.counts["steps"] += 1
            self._schedule_tick(player, player.table)
            if news:
                self._see(player, player.table)
            self._faults.strike(player)

    def _hear(self, player: Player, effects: Effects) -> None:
        """What the table tells its player; one who is asked whether to wait says yes, or nothing."""
        for event in effects.events:
            self.watches[player.seat].heard(event, player.clock)
            if isinstance(event, GraceOver) and self.rng.random() < 0.5:
                self.heap.after(1.0, player.in_life(lambda table: table.wait(player.clock)))

    def _see(self, player: Player, table: Table) -> None:
        """Something has changed for this seat: check what it sees, and let its player think."""
        view = table.view(player.clock)
        self.safety.seen(view)
        self.watches[player.seat].seen(view, player.clock)
        if (view.legal or view.can_go_on) and not player.thinking:
            player.thinking = True
            seconds = self.rng.expovariate(1 / self.plan.thinking)
            self.heap.after(seconds, player.in_life(partial(self._think, player)))

    # Stores.

    def _store(self, player: Player, effects: Effects) -> None:
        for op in effects.store:
            assert not isinstance(op, SaveEvidence), f"seat {player.seat} has evidence against somebody"
            if isinstance(op, AppendEntry):
                self.safety.stored(player.seat, len(player.shelf.entries), op.raw)
            player.shelf.apply((op,))

    def _tear(self, player: Player, raw: bytes, share: float) -> None:
        """The file ends inside the frame of an entry: what is read of it is what was there before."""
        frame = frame_bytes(raw)
        written = frame[: max(1, int(share * len(frame)))]
        parsed = parse_file(ledger_bytes(self.cast.descriptor.raw, player.shelf.entries) + written)
        assert parsed.torn
        assert list(parsed.entries) == player.shelf.entries
        self.counts["torn tails"] += 1

    def _forget(self, player: Player, lost: int) -> None:
        """The disk loses the last entries, as far as both others have stored them."""
        held = min(len(other.shelf.entries) for other in self.players if other is not player)
        keep = max(0, len(player.shelf.entries) - lost)
        if lost and keep < len(player.shelf.entries) <= held:
            del player.shelf.entries[keep:]
            self.counts["lost tails"] += 1

    # Jobs and time.

    def _start_job(self, player: Player, job: Job) -> None:
        if isinstance(job, PrepareJob) and (self.verdicts is not None or self.rng.random() < UNPREPARED):
            return  # it only saves time, where proofs are made

        def done(table: Table) -> None:
            table.finish(job, self._result(player.seat, job), player.clock)

        slow = not self.healed and self.plan.slow_seat in (None, player.seat)
        slowest = self.plan.slowest_job if slow else QUICK_JOB
        self.heap.after(self.rng.uniform(0.01, slowest), player.in_life(done))

    def _result(self, seat: int, job: Job) -> object:
        """What a job returns."""
        if self.verdicts is None:
            return job()
        match job:
            case JudgeJob(claim=claim):
                return self.verdicts[claim]
            case ProofJob():
                proof = self._stand_in(job)
                s, labels = job.secrets, job.secrets.labels if job.kind == "lock" else ()
                claim = ProofClaim(seat, job.kind, s.ctx, s.A, labels, job.deck_in, job.deck_out, proof)
                self.verdicts[claim] = None
                return proof
            case _:
                return job()

    def _stand_in(self, job: ProofJob) -> bytes:
        """Bytes of a proof's length, different for each job."""
        n = len(job.deck_in)
        length = shuffle_proof_length(n) if job.kind == "shuffle" else lock_proof_length(n)
        return hashlib.shake_256(job.nonce_seed).digest(length)

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

        alive = player.in_life(tick)

        def ring() -> None:
            if player.tick_at == when:  # else an earlier tick was asked for after this one
                alive()

        self.heap.at(when, ring)

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


def simulate(seed: int) -> World:
    """Run one seed to its end. In every twentieth seed each seat computes everything itself."""
    world = World(draw(seed), computed=seed % 20 == 0)
    world.run()
    return world


def replay_command(seed: int) -> str:
    """What to type to see one seed again."""
    return f"python -m tests.sim --seeds 1 --from {seed} --jobs 1 --verbose"
