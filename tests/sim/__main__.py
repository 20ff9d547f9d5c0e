"""Simulate any number of seeds: `python -m tests.sim --seeds N [--from S] [--verbose]`.

Stops at the first seed that fails and prints the command that replays it.
"""

import argparse
import sys
import time
import traceback
from collections import Counter

from tests.sim.world import replay_command, simulate


def main() -> int:
    """Run the seeds; exit code 0 if all end well."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds to run (default 100)")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first seed (default 1)")
    parser.add_argument("--verbose", action="store_true", help="one line for each seed")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    began = time.monotonic()
    for done, seed in enumerate(range(options.first, options.first + options.seeds), 1):
        try:
            world = simulate(seed)
        except Exception:
            traceback.print_exc()
            print(f"\nseed {seed} fails; replay it with: {replay_command(seed)}")
            return 1
        counts += world.counts
        if options.verbose:
            print(f"seed {seed}: {world.safety.height} entries, {world.heap.now:.0f} s, {dict(world.counts)}")
        else:
            print(f"\r{done} of {options.seeds} seeds", end="", flush=True, file=sys.stderr)
    print(f"\n{options.seeds} seeds end level in {time.monotonic() - began:.0f} s: {dict(counts)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
