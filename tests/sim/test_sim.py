"""Whole matches under crashes, cuts, sleep and loss: always safe, and after healing always at an end."""

import pytest

from tests.sim.plan import Crash, Cut, GiveUp, Plan, Sleep
from tests.sim.world import World, replay_command, simulate
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.verify import verify

SEEDS = range(1, 51)


@pytest.mark.parametrize("seed", SEEDS)
def test_seed_ends_level_and_fair(seed: int) -> None:
    try:
        world = simulate(seed)
    except Exception as error:
        error.add_note(f"replay it with: {replay_command(seed)}")
        raise
    assert world.safety.states[-1].closed
    ledgers = {tuple(player.shelf.entries) for player in world.players}
    assert ledgers == {tuple(world.safety.chain)}
    assert all(not player.shelf.secrets and player.shelf.most_secrets == 1 for player in world.players)


@pytest.mark.parametrize("seed", [5, 22, 33])
def test_ledger_of_a_simulated_match_is_fair(seed: int) -> None:
    world = simulate(seed)
    data = ledger_bytes(world.cast.descriptor.raw, world.safety.chain)
    report = verify(parse_file(data), proofs=True)
    assert report.status == "fair"
    assert report.closed
    assert report.chips == world.safety.states[-1].match.chips


def test_same_seed_same_match() -> None:
    plan = Plan(7, crashes=[Crash(1, 30, 2.0, 1, 0)], cuts=[Cut((0, 2), 50, 5.0)], jumbled=True)
    once, again = World(plan, {}), World(plan, {})
    once.run()
    again.run()
    assert once.safety.chain == again.safety.chain
    assert once.counts == again.counts


def test_every_kind_of_fault_happens() -> None:
    plan = Plan(
        3,
        crashes=[Crash(0, 20, 2.0, 0, 0), *(Crash(2, height, 2.0, 1, 2) for height in (40, 50, 60))],
        cuts=[Cut((0, 1), 10, 1.0)],
        sleeps=[Sleep(1, 45, 600.0, "jumps")],
        gives_up=[GiveUp(2, 70)],
        drop=0.03,
        double=0.5,
    )
    world = World(plan, {})
    world.run()
    for kind in ("crashes", "lost tails", "cuts", "sleeps", "dropped", "given up"):
        assert world.counts[kind] > 0, kind
