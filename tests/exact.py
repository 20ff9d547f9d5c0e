"""The game's exactness at length: `python -m tests.exact [--hands 20000] [--deals 10000]`.

Deadwood against brute force on random hands of 1 to 13 cards with 0 to 2 jokers, and whole random hands in
every preset: each ends, no card is lost or doubled at any step, and chips and pot sum to zero; and as many
hands of three bots, each of whose moves is legal. The suite does the same in small; this is the long run.
"""

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from msgspec.structs import replace

from tests.hands import any_move, play_on, shuffled
from tests.test_melds import brute
from tongits_lan.bots import choose
from tongits_lan.game import engine, scoring
from tongits_lan.game.engine import View
from tongits_lan.game.melds import deadwood
from tongits_lan.game.moves import Move
from tongits_lan.game.rules import PRESETS


def hands_agree(seed: int, count: int) -> int:
    """Compares `count` random hands; returns how many."""
    rng, rules = random.Random(seed), PRESETS["joker"]
    for _ in range(count):
        jokers = rng.sample((52, 53), rng.choice((0, 0, 1, 2)))
        size = rng.randint(1, 13)
        pool = [c for c in range(52) if c % 13 <= 6] if rng.random() < 0.5 else list(range(52))
        hand = [*jokers, *rng.sample(pool, size)][:13]
        assert deadwood(hand, rules) == brute(hand, rules), hand
    return count


def deals_end(preset: str, count: int) -> int:
    """Plays `count` random hands to their ends; returns how many moves they took."""
    rng, rules = random.Random(preset), PRESETS[preset]
    match, moves = replace(scoring.fresh_match(), dealer=0), 0
    for _ in range(count):
        assert match.dealer is not None
        faces = shuffled(rules, rng)
        positions, _ = play_on(engine.deal(rules, match.dealer), faces, [any_move] * 3, rng)
        for position in positions:
            held = [*position.stock, *(slot for slot, _ in position.discards)]
            held += [slot for hand in position.hands for slot in hand]
            held += [slot for meld in position.melds for slot in meld.slots]
            assert sorted(held) == list(range(rules.n))
        assert positions[-1].end is not None
        match = scoring.settle(rules, match, positions[-1], dict(enumerate(faces))).match
        assert sum(match.chips) + match.pot == 0
        moves += len(positions) - 1
    return moves


def bots_play(preset: str, count: int) -> int:
    """Three bots play `count` hands; every move is legal, or `apply` refuses it. Returns the moves."""
    rng, rules, moves = random.Random(f"bots {preset}"), PRESETS[preset], 0
    for hand in range(count):
        faces = shuffled(rules, rng)
        positions, _ = play_on(engine.deal(rules, hand % 3), faces, [_legal] * 3, rng)
        assert positions[-1].end is not None
        moves += len(positions) - 1
    return moves


def _legal(view: View, legal: Sequence[Move], rng: random.Random) -> Move:
    move = choose(view, legal, rng)
    assert move in legal, move
    return move


def main() -> None:
    """Runs all parts on two workers and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--deals", type=int, default=10_000, help="in each preset")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(2) as pool:
        deals = {preset: pool.submit(deals_end, preset, chosen.deals) for preset in PRESETS}
        bots = {preset: pool.submit(bots_play, preset, chosen.deals) for preset in PRESETS}
        parts = [pool.submit(hands_agree, seed, chosen.hands // 20) for seed in range(20)]
        for preset, result in deals.items():
            print(f"{preset}: {chosen.deals} hands ended, {result.result()} moves", flush=True)
        for preset, result in bots.items():
            print(f"{preset}: {chosen.deals} hands of bots, {result.result()} legal moves", flush=True)
        print(f"deadwood: {sum(part.result() for part in parts)} hands equal to brute force", flush=True)


if __name__ == "__main__":
    main()
