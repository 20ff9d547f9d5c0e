"""What goes wrong in one simulated match, all drawn from one seed.

Faults are tied to heights and phases of the ledger, not to times: so they fall into the quick phases of a
deal as often as into the slow ones of play.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, TypeVar

from tongits_lan.ledger.state import Phase

SEATS = 3
PAIRS = ((0, 1), (0, 2), (1, 2))
HEIGHTS = 120
"""About the entries of one hand."""
PHASES = tuple(phase for phase in Phase if phase is not Phase.CLOSED)

Fault = TypeVar("Fault")
When = int | Phase
"""As soon as somebody reaches this height, or while the longest ledger stands in this phase."""


@dataclass(frozen=True)
class Crash:
    """The program of `seat` dies while it stores something, and is back after `seconds`.

    `ops` of the store operations it was about to perform are done; nothing is sent. Of the next one, if it
    appends an entry, the share `torn` of the bytes is written. Up to `lost` entries at the end of its ledger
    are gone as well, as on a disk that forgets. A `silent` one takes the machine with it: the others find
    out by themselves, unless the seat is back before, at another address.
    """

    seat: int
    when: When
    seconds: float
    ops: int
    lost: int = 0
    torn: float = 0.0
    silent: bool = False


@dataclass(frozen=True)
class Quit:
    """The player of `seat` closes the program and comes back after `seconds`."""

    seat: int
    when: When
    seconds: float


@dataclass(frozen=True)
class Cut:
    """The link between two seats breaks for `seconds`."""

    pair: tuple[int, int]
    when: When
    seconds: float


@dataclass(frozen=True)
class Deaf:
    """Nothing of `source` reaches `to` for `seconds`, while the other direction works.

    What is sent meanwhile comes late, or is lost with the link when that is found dead.
    """

    source: int
    to: int
    when: When
    seconds: float


@dataclass(frozen=True)
class Sleep:
    """The machine of `seat` is suspended for `seconds`; its clock stands still or jumps."""

    seat: int
    when: When
    seconds: float
    clock: Literal["stands", "jumps"]


@dataclass(frozen=True)
class Jump:
    """A clock of `seat` goes wrong by `seconds`: the steady one jumps ahead or stands, the wall clock is set.

    A link that sees a clock jump ahead ends, for the machine may have slept.
    """

    seat: int
    when: When
    seconds: float
    clock: Literal["ahead", "stands", "wall"]


@dataclass(frozen=True)
class GiveUp:
    """The player of `seat` gives the hand up."""

    seat: int
    when: When


def apart(alone: int | None, when: When, seconds: float) -> list[Cut]:
    """The cuts that part one seat from both others, or (None) all three from each other."""
    return [Cut(pair, when, seconds) for pair in PAIRS if alone is None or alone in pair]


@dataclass
class Plan:
    """The faults of one run; `hands` are played."""

    seed: int
    preset: str = "pagat"
    hands: int = 1
    crashes: list[Crash] = field(default_factory=list)
    quits: list[Quit] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    deaf: list[Deaf] = field(default_factory=list)
    sleeps: list[Sleep] = field(default_factory=list)
    jumps: list[Jump] = field(default_factory=list)
    gives_up: list[GiveUp] = field(default_factory=list)
    flaps: int = 0
    """How many more cuts of 1-10 s there are, one after the other on each link."""
    missing: tuple[int, int] | None = None
    """A pair that never gets a link."""
    drop: float = 0.0
    """Share of messages lost without the link breaking."""
    double: float = 0.0
    """Share of messages that arrive twice."""
    jumbled: bool = False
    """Whether messages overtake each other on one link."""
    slowest_job: float = 0.3
    """Seconds."""
    slow_seat: int | None = None
    """The only seat whose jobs take up to `slowest_job`; None: all."""
    slowest_message: float = 0.05
    """Seconds."""
    thinking: float = 0.25
    """Seconds a player takes for a move, on the average."""
    faults_end: float = 1_500.0
    """Seconds after which everything works."""
    early_leaver: int | None = None
    """A seat that leaves after the first hand instead of going on."""


class _Lots:
    """Draws the plan of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"plan {seed}")

    def seat(self) -> int:
        return self.rng.randrange(SEATS)

    def when(self) -> When:
        return self.rng.choice(PHASES) if self.chance(0.4) else self.rng.randint(0, HEIGHTS)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def seconds(self, *choices: float) -> float:
        return self.rng.choice(choices)

    def some(self, share: float, make: Callable[[], Fault], most: int) -> list[Fault]:
        """With that chance up to `most` of them, else none."""
        return [make() for _ in range(self.rng.randint(1, most))] if self.chance(share) else []

    def crash(self) -> Crash:
        rng = self.rng
        seconds = self.seconds(0.1, 2.0, 20.0, 90.0)
        lost = rng.choice((0, 0, 0, 1, 2, 5))
        torn = rng.random() if self.chance(0.4) else 0.0
        return Crash(
            self.seat(), self.when(), seconds, rng.randint(0, 4), lost, torn, silent=self.chance(0.3)
        )

    def quit(self) -> Quit:
        return Quit(self.seat(), self.when(), self.seconds(0.5, 5.0, 70.0, 200.0))

    def cut(self) -> Cut:
        return Cut(self.rng.choice(PAIRS), self.when(), self.seconds(0.2, 1.0, 5.0, 10.0))

    def partition(self) -> list[Cut]:
        return apart(self.rng.choice((0, 1, 2, None)), self.when(), self.seconds(1.0, 10.0, 100.0))

    def deaf(self) -> Deaf:
        source, to = self.rng.sample(range(SEATS), 2)
        return Deaf(source, to, self.when(), self.seconds(0.5, 4.0, 8.0, 70.0))

    def sleep(self) -> Sleep:
        return Sleep(
            self.seat(), self.when(), self.seconds(4.0, 20.0, 600.0), self.rng.choice(("stands", "jumps"))
        )

    def jump(self) -> Jump:
        clock: Literal["ahead", "stands", "wall"] = self.rng.choice(("ahead", "stands", "wall"))
        seconds = self.seconds(-86_400.0, 86_400.0) if clock == "wall" else self.seconds(3.0, 30.0, 3_600.0)
        if clock == "stands":
            seconds = min(seconds, 30.0)
        return Jump(self.seat(), self.when(), seconds, clock)

    def give_up(self) -> GiveUp:
        return GiveUp(self.seat(), self.when())


def draw(seed: int) -> Plan:
    """The plan of a seed: a random few of the kinds of trouble, so that each is met alone and with others."""
    lots = _Lots(seed)
    rng, chance = lots.rng, lots.chance
    plan = Plan(seed, hands=2 if chance(0.15) else 1)
    plan.preset = rng.choice(("pagat", "pagat", "wikipedia", "house", "joker"))
    plan.slowest_message = rng.choice((0.001, 0.05, 0.5))
    plan.crashes = lots.some(0.4, lots.crash, most=4)
    plan.quits = lots.some(0.3, lots.quit, most=3)
    plan.cuts = lots.some(0.35, lots.cut, most=8)
    plan.cuts += chain.from_iterable(lots.some(0.25, lots.partition, most=2))
    plan.deaf = lots.some(0.25, lots.deaf, most=3)
    plan.sleeps = lots.some(0.2, lots.sleep, most=2)
    plan.jumps = lots.some(0.2, lots.jump, most=3)
    plan.gives_up = lots.some(0.15, lots.give_up, most=3)
    plan.missing = rng.choice(PAIRS) if chance(0.2) else None
    plan.drop = 0.03 if chance(0.2) else 0.0
    plan.double = 0.5 if chance(0.2) else 0.0
    plan.jumbled = chance(0.2)
    if chance(0.15):
        plan.slowest_job, plan.slow_seat = 30.0, rng.choice((0, 1, 2, None))
    plan.early_leaver = lots.seat() if chance(0.2) else None
    return plan
