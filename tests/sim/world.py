"""One simulated match: three real tables on one event heap, driven by one seed.

Owns virtual time, links, crashes and what players choose. Nothing here sleeps, and nothing is random but
by the seed, so that a failing seed fails again.
"""

import heapq
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from msgspec import structs

from tests.circle import Cast, Entropy, Shelf, Verdicts, lively
from tests.sim.plan import PAIRS, Crash, Plan, draw
from tests.sim.safety import Safety
from tongits_lan.errors import Refused
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.jobs import JudgeJob
from tongits_lan.ledger.messages import Entries, decode_message, encode_message
from tongits_lan.ledger.table import AppendEntry, Effects, Job, Table, TableMessage
from tongits_lan.limits import SEATS

FAULTS_END = 1_500.0
"""Seconds after which everything works."""
PATIENCE = 600.0
"""Seconds within which the match must end then."""


_T = TypeVar("_T")


class Player:
    """One seat: its program when it runs, its store, its clock."""

    def __init__(self, seat: int, offset: float) -> None:
        self.seat = seat
        self.shelf = Shelf()
        self.table: Table | None = None
        self.life = 0
        """Counts starts: what belongs to an earlier life is dropped."""
        self.offset = offset
        self.asleep_until: float | None = None
        self.thinking = False
        self.linked: dict[int, int] = {}
        """Other seat -> which link to it the program knows to be up."""
        self.tick_at = math.inf


class World:
    """A match under a plan. `verdicts` is shared by the three seats, or None: each judges for itself."""

    def __init__(self, plan: Plan, verdicts: Verdicts | None) -> None:
        self.plan = plan
        self.rng = random.Random(f"world {plan.seed}")
        rules = structs.replace(PRESETS["pagat"], hands=plan.hands)
        self.cast = Cast(f"sim {plan.seed}", rules=rules)
        self.safety = Safety(self.cast.descriptor)
        self.verdicts = verdicts
        self.now = 0.0
        self.healed = False
        self.counts: Counter[str] = Counter()
        self.players = [Player(seat, self.rng.uniform(10.0, 1e6)) for seat in range(SEATS)]
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._number = itertools.count()
        self._links: dict[tuple[int, int], int | None] = dict.fromkeys(PAIRS)
        self._blocked: dict[tuple[int, int], float] = {}
        self._arrivals: dict[tuple[int, int], float] = {}
        self._epochs = itertools.count(1)
        self._crashes = list(plan.crashes)
        self._cuts = list(plan.cuts)
        self._sleeps = list(plan.sleeps)
        self._gives_up = list(plan.gives_up)

    # Running.

    def run(self) -> None:
        """Play to the end. Raises AssertionError for anything unsafe, and if the match does not end."""
        for player in self.players:
            self._boot(player, loaded=False)
        self._at(FAULTS_END, self._heal)
        while self._heap and self.now < FAULTS_END + PATIENCE:
            self.now, _, event = heapq.heappop(self._heap)
            event()
            if self._over():
                return
        raise AssertionError(f"the match does not end: {[self._where(player) for player in self.players]}")

    def _over(self) -> bool:
        if not self.safety.states[-1].closed:
            return False
        views = [p.table.view(self._clock(p)) for p in self._awake() if p.table is not None]
        return len(views) == SEATS and all(
            view.closed and view.height == self.safety.height for view in views
        )

    def _where(self, player: Player) -> str:
        if player.table is None:
            return "down"
        view = player.table.view(self._clock(player))
        return f"{view.height} of {self.safety.height}, {view.phase}, due {view.due}, {view.links}"

    def _at(self, when: float, event: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (max(when, self.now), next(self._number), event))

    def _after(self, seconds: float, event: Callable[[], None]) -> None:
        self._at(self.now + seconds, event)

    def _clock(self, player: Player) -> float:
        return self.now + player.offset

    def _awake(self) -> Iterator[Player]:
        return (p for p in self.players if p.table is not None and p.asleep_until is None)

    def _heal(self) -> None:
        """From now on nothing new goes wrong; a seat that is down or asleep comes back in its time."""
        self.healed = True
        self._blocked.clear()
        for pair in PAIRS:
            self._connect(pair)

    # Programs.

    def _boot(self, player: Player, *, loaded: bool) -> None:
        shelf = player.shelf
        player.life += 1
        player.thinking = False
        player.linked = {}
        player.tick_at = math.inf
        player.table = Table(
            me=player.seat,
            key=self.cast.keys[player.seat],
            descriptor=self.cast.descriptor,
            nonce=self.cast.nonces[player.seat],
            entropy=Entropy(f"{self.plan.seed}/{player.seat}/{player.life}"),
            entries=tuple(shelf.entries),
            secrets=tuple(shelf.secrets.values()),
            loaded=loaded,
            waits_for_words=False,
            verdicts=self.verdicts,
        )
        player.table.start(self._clock(player))
        self._pump(player)
        for pair in PAIRS:
            if player.seat in pair:
                self._after(self.rng.uniform(0, 1), partial(self._connect, pair))

    def _die(self, player: Player, seconds: float) -> None:
        self.counts["crashes"] += 1
        player.table = None
        player.life += 1
        for pair in PAIRS:
            if player.seat in pair:
                self._break(pair, player)
        self._after(seconds, lambda: self._boot(player, loaded=True))

    def _in_life(self, player: Player, event: Callable[[Table], None]) -> Callable[[], None]:
        """The event, if the program still runs then; a sleeping machine takes it when it wakes."""
        life = player.life

        def happen() -> None:
            if player.life != life or player.table is None:
                return
            if player.asleep_until is not None:
                self._at(player.asleep_until, happen)
                return
            event(player.table)
            self._pump(player)

        return happen

    def _pump(self, player: Player) -> None:
        while player.table is not None and (effects := player.table.take()):
            crash = self._crash_now(player, effects)
            if crash is not None:
                self._store(player, replace(effects, store=effects.store[: crash.ops]))
                if crash.lost:
                    del player.shelf.entries[-crash.lost :]
                    self.counts["lost tails"] += 1
                self._die(player, crash.seconds)
                return
            self._store(player, effects)
            for to, message in effects.send:
                self._post(player, to, message)
            for other, reason in effects.close:
                raise AssertionError(f"seat {player.seat} closed its link to seat {other}: {reason}")
            for job in effects.jobs:
                self._start_job(player, job)
        if player.table is not None:
            self._after_pump(player, player.table)

    def _after_pump(self, player: Player, table: Table) -> None:
        self.counts["steps"] += 1
        view = table.view(self._clock(player))
        self.safety.seen(view)
        self._schedule_tick(player, table)
        if (view.legal or view.can_go_on) and not player.thinking:
            player.thinking = True
            self._after(self.rng.expovariate(4.0), self._in_life(player, lambda t: self._think(player, t)))
        self._faults(player)

    def _store(self, player: Player, effects: Effects) -> None:
        for op in effects.store:
            if isinstance(op, AppendEntry):
                self.safety.stored(player.seat, len(player.shelf.entries), op.raw)
            player.shelf.apply((op,))

    def _start_job(self, player: Player, job: Job) -> None:
        def done(table: Table) -> None:
            if self.verdicts is not None and isinstance(job, JudgeJob) and job.claim in self.verdicts:
                table.finish(job, self.verdicts[job.claim], self._clock(player))
            else:
                table.finish(job, job(), self._clock(player))

        slowest = 0.3 if self.healed else self.plan.slowest_job
        self._after(self.rng.uniform(0.01, slowest), self._in_life(player, done))

    def _schedule_tick(self, player: Player, table: Table) -> None:
        deadline = table.next_deadline()
        if deadline is None:
            return
        when = deadline - player.offset + 1e-6  # clocks round
        if when >= player.tick_at:
            return
        player.tick_at = when

        def tick(table: Table) -> None:
            player.tick_at = math.inf
            table.tick(self._clock(player))

        self._at(when, self._in_life(player, tick))

    def _think(self, player: Player, table: Table) -> None:
        player.thinking = False
        view = table.view(self._clock(player))
        try:
            if view.legal:
                table.submit(lively(view, self.rng), self._clock(player))
            elif view.can_go_on and self.plan.stingy_leaver == player.seat:
                table.leave(self._clock(player))
            elif view.can_go_on:
                table.go_on(self._clock(player))
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
            self._blocked[cut.pair] = self.now + cut.seconds
            self._break(cut.pair, None)
            self._after(cut.seconds, partial(self._connect, cut.pair))
        for sleep in _taken(self._sleeps, lambda s: s.seat == player.seat and s.height <= height):
            self._fall_asleep(player, sleep.seconds, jumps=sleep.clock == "jumps")
        for _ in _taken(self._gives_up, lambda w: w.seat == player.seat and w.height <= height):
            self._after(0, self._in_life(player, lambda t: self._give_up(player, t)))

    def _give_up(self, player: Player, table: Table) -> None:
        if table.view(self._clock(player)).can_give_up:
            self.counts["given up"] += 1
            table.give_up(self._clock(player))

    def _fall_asleep(self, player: Player, seconds: float, *, jumps: bool) -> None:
        self.counts["sleeps"] += 1
        player.asleep_until = self.now + seconds
        for pair in PAIRS:
            if player.seat in pair:
                self._after(6.0, partial(self._break, pair, None))

        def wake() -> None:
            player.asleep_until = None
            if not jumps:
                player.offset -= seconds
            for pair in PAIRS:
                if player.seat in pair:
                    self._break(pair, None)
                    self._connect(pair)

        self._at(player.asleep_until, wake)

    # Links.

    def _connect(self, pair: tuple[int, int]) -> None:
        ends = [self.players[seat] for seat in pair]
        up = self._links[pair] is not None
        if up or pair == self.plan.missing or self._blocked.get(pair, 0.0) > self.now:
            return
        if any(end.table is None or end.asleep_until is not None for end in ends):
            self._after(2.0, lambda: self._connect(pair))
            return
        self.counts["links"] += 1
        epoch = self._links[pair] = next(self._epochs)
        for end, other in zip(ends, reversed(pair), strict=True):
            self._arrivals.pop((end.seat, other), None)
            if self._links[pair] == epoch:  # the first end may have died of it
                self._link_up(end, other, epoch)

    def _break(self, pair: tuple[int, int], gone: Player | None) -> None:
        """A link is down; a side that is still there notices at once, or after up to 6 s of silence."""
        epoch = self._links[pair]
        if epoch is None:
            return
        self._links[pair] = None
        for seat, other in (pair, pair[::-1]):
            end = self.players[seat]
            if end is gone:
                continue
            self._link_down(end, other, epoch)
        if gone is None:
            self._after(self.rng.uniform(0.0, 4.0), lambda: self._connect(pair))

    def _link_up(self, end: Player, other: int, epoch: int) -> None:
        def up(table: Table) -> None:
            end.linked[other] = epoch
            table.link_up(other, self._clock(end))

        self._in_life(end, up)()

    def _link_down(self, end: Player, other: int, epoch: int) -> None:
        def down(table: Table) -> None:
            if end.linked.get(other) == epoch:  # a sleeper may hear of it after the next link is up
                del end.linked[other]
                table.link_down(other, self._clock(end))

        self._in_life(end, down)()

    def _post(self, player: Player, to: int, message: TableMessage) -> None:
        if isinstance(message, Entries):
            self.safety.left(player.seat, message.first, message.entries)
        pair = (min(player.seat, to), max(player.seat, to))
        epoch = self._links[pair]
        if epoch is None:
            return
        lost = not self.healed and self.rng.random() < self.plan.drop
        self.counts["messages"] += 1
        if lost:
            self.counts["dropped"] += 1
            return
        copies = 2 if not self.healed and self.rng.random() < self.plan.double else 1
        for _ in range(copies):
            self._send(player.seat, to, epoch, encode_message(message))

    def _send(self, source: int, to: int, epoch: int, data: bytes) -> None:
        receiver = self.players[to]
        pair = (min(source, to), max(source, to))
        when = self.now + self.rng.uniform(0.0001, self.plan.slowest_message)
        if self.healed or not self.plan.jumbled:
            when = max(when, self._arrivals.get((source, to), 0.0))
        self._arrivals[source, to] = when

        def arrive(table: Table) -> None:
            if self._links[pair] != epoch:
                return
            message = decode_message(data, from_server=True)
            assert isinstance(message, TableMessage)
            table.receive(source, message, self._clock(receiver))

        self._at(when, self._in_life(receiver, arrive))


def _taken(kept: list[_T], wanted: Callable[[_T], bool]) -> list[_T]:
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
