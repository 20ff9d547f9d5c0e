"""Simulate any number of seeds: `python -m tests.sim --seeds N [--from S] [--jobs J] [--verbose]`.

Stops at the first seed that fails and prints the command that replays it.
"""

import argparse
import os
import sys
import time
from collections import Counter

from tests.sim.soak import outcomes
from tests.sim.world import replay_command


def main() -> int:
    """Run the seeds; exit code 0 if all end well."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds to run (default 100)")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first seed (default 1)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="in how many processes (default: one a core)"
    )
    parser.add_argument("--verbose", action="store_true", help="one line for each seed")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    began, done, speed = time.monotonic(), 0, 0.0
    for one in outcomes(range(options.first, options.first + options.seeds), options.jobs):
        if one.trouble is not None:
            print(f"\n{one.trouble}\nseed {one.seed} fails; replay it with: {replay_command(one.seed)}")
            return 1
        counts += one.counts
        done += 1
        speed = 60 * done / (time.monotonic() - began)
        if options.verbose:
            print(f"seed {one.seed}: {one.height} entries, {one.seconds:.0f} s, {dict(one.counts)}")
        else:
            text = f"\r{done} of {options.seeds} seeds, {speed:.0f} a minute"
            print(text, end="", flush=True, file=sys.stderr)
    print(
        f"\n{done} seeds, {options.first} to {options.first + done - 1}, end level in"
        f" {time.monotonic() - began:.0f} s ({speed:.0f} a minute): {dict(counts.most_common())}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
