"""Many seeds in several processes."""

import multiprocessing
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice

from tests.sim.world import simulate

AHEAD = 3
"""How many seeds each process is given at a time."""


@dataclass(frozen=True)
class Outcome:
    """How one seed ended; `trouble` is the traceback of one that failed."""

    seed: int
    height: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    trouble: str | None = None


def outcome(seed: int) -> Outcome:
    """Run one seed."""
    try:
        world = simulate(seed)
    except Exception:
        return Outcome(seed, trouble=traceback.format_exc())
    return Outcome(seed, world.safety.height, world.heap.now, world.counts)


def outcomes(seeds: range, jobs: int) -> Iterator[Outcome]:
    """Run the seeds in so many processes, in whatever order they end, up to the first that fails."""
    if jobs == 1:
        yield from map(outcome, seeds)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(outcome, seed) for seed in seeds[: jobs * AHEAD]}
        rest = iter(seeds[jobs * AHEAD :])
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            found = [future.result() for future in ended]
            if all(one.trouble is None for one in found):
                waiting |= {pool.submit(outcome, seed) for seed in islice(rest, len(found))}
            yield from found
