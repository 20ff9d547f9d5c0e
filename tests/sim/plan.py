"""What goes wrong in one simulated match, all drawn from one seed.

Faults are tied to heights of the ledger, not to times: so they fall into the quick phases of a deal as
often as into the slow ones of play.
"""

import random
from dataclasses import dataclass, field
from typing import Literal

SEATS = 3
PAIRS = ((0, 1), (0, 2), (1, 2))
HEIGHTS = 120
"""About the entries of one hand."""


@dataclass(frozen=True)
class Crash:
    """The program of `seat` dies while it stores what belongs to `height`, and is back after `seconds`.

    `ops` of the store operations it was about to perform are done; nothing is sent. Up to `lost` entries
    at the end of its ledger are gone as well, as on a disk that forgets.
    """

    seat: int
    height: int
    seconds: float
    ops: int
    lost: int


@dataclass(frozen=True)
class Cut:
    """The link between two seats breaks when somebody reaches `height`, for `seconds`."""

    pair: tuple[int, int]
    height: int
    seconds: float


@dataclass(frozen=True)
class Sleep:
    """The machine of `seat` is suspended at `height` for `seconds`; its clock stands still or jumps."""

    seat: int
    height: int
    seconds: float
    clock: Literal["stands", "jumps"]


@dataclass(frozen=True)
class GiveUp:
    """The player of `seat` gives the hand up at `height`."""

    seat: int
    height: int


@dataclass
class Plan:
    """The faults of one run; `hands` are played."""

    seed: int
    preset: str = "pagat"
    hands: int = 1
    crashes: list[Crash] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    sleeps: list[Sleep] = field(default_factory=list)
    gives_up: list[GiveUp] = field(default_factory=list)
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
    slowest_message: float = 0.05
    """Seconds."""
    early_leaver: int | None = None
    """A seat that leaves after the first hand instead of going on."""


def draw(seed: int) -> Plan:
    """The plan of a seed."""
    rng = random.Random(f"plan {seed}")

    def height() -> int:
        return rng.randint(0, HEIGHTS)

    def chance(share: float) -> bool:
        return rng.random() < share

    plan = Plan(seed, hands=2 if chance(0.15) else 1)
    plan.preset = rng.choice(("pagat", "pagat", "wikipedia", "house", "joker"))
    plan.crashes = [
        Crash(
            rng.randrange(SEATS),
            height(),
            rng.choice((0.1, 2.0, 20.0, 90.0)),
            rng.randint(0, 4),
            rng.choice((0, 0, 0, 1, 2, 5)),
        )
        for _ in range(rng.choice((0, 1, 1, 2, 3)))
    ]
    plan.cuts = [
        Cut(rng.choice(PAIRS), height(), rng.choice((0.2, 1.0, 5.0, 10.0)))
        for _ in range(rng.choice((0, 1, 2, 4, 8)))
    ]
    if chance(0.2):
        plan.sleeps = [Sleep(rng.randrange(SEATS), height(), 600.0, rng.choice(("stands", "jumps")))]
    if chance(0.15):
        plan.gives_up = [GiveUp(rng.randrange(SEATS), height())]
    plan.missing = rng.choice(PAIRS) if chance(0.2) else None
    plan.drop = 0.03 if chance(0.2) else 0.0
    plan.double = 0.5 if chance(0.2) else 0.0
    plan.jumbled = chance(0.2)
    plan.slowest_job = 30.0 if chance(0.15) else 0.3
    plan.slowest_message = rng.choice((0.001, 0.05, 0.5))
    plan.early_leaver = rng.randrange(SEATS) if chance(0.2) else None
    return plan
