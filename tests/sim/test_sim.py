"""Whole matches under crashes, cuts, sleep and loss: always safe, and after healing always at an end."""

import pytest

from tests.remembered import remembering
from tests.sim.plan import Crash, Cut, Deaf, GiveUp, Jump, Plan, Quit, Sleep, draw
from tests.sim.world import World, replay_command, simulate
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.verify import verify

SEEDS = range(1, 201)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_soak(seed: int) -> None:
    try:
        world = simulate(seed)
    except Exception as error:
        error.add_note(f"replay it with: {replay_command(seed)}")
        raise
    assert world.safety.states[-1].closed
    ledgers = {tuple(player.shelf.entries) for player in world.players}
    assert ledgers == {tuple(world.safety.chain)}
    assert all(not player.shelf.secrets and player.shelf.most_secrets == 1 for player in world.players)


@pytest.mark.parametrize("seed", [20, 60])
def test_ledger_of_a_simulated_match_is_fair(seed: int) -> None:
    """Of seeds whose proofs are real."""
    world = simulate(seed)
    data = ledger_bytes(world.cast.descriptor.raw, world.safety.chain)
    report = verify(parse_file(data), proofs=True, spread=remembering)
    assert report.status == "fair"
    assert report.closed
    assert report.chips == world.safety.states[-1].match.chips


def test_same_seed_same_match() -> None:
    plan = Plan(7, crashes=[Crash(1, 30, 2.0, 1)], cuts=[Cut((0, 2), 50, 5.0)], jumbled=True)
    once, again = World(plan), World(plan)
    once.run()
    again.run()
    assert once.safety.chain == again.safety.chain
    assert once.counts == again.counts


def test_shared_answers_change_nothing() -> None:
    """Where the seats share what acceptance answers, all but the proofs is as if each computed it."""
    plan = Plan(11, crashes=[Crash(2, 40, 2.0, 1)], double=0.5)
    shared, alone = World(plan), World(plan, computed=True)
    for world in (shared, alone):
        world.run()
        assert len({tuple(player.shelf.entries) for player in world.players}) == 1
    proofs = [height for height in range(24) if shared.safety.states[height].phase is Phase.PROVE]
    assert shared.safety.chain[: proofs[0]] == alone.safety.chain[: proofs[0]]
    assert [state.phase for state in shared.safety.states[:25]] == [
        state.phase for state in alone.safety.states[:25]
    ]


def test_every_kind_of_fault_happens() -> None:
    plan = Plan(
        3,
        crashes=[
            Crash(0, 20, 2.0, 0, torn=0.5),
            *(Crash(2, height, 2.0, 1, 2) for height in (40, 42, 44)),
            Crash(1, 48, 20.0, 1, silent=True),
        ],
        cuts=[Cut((0, 1), 10, 1.0)],
        deaf=[Deaf(0, 2, 30, 9.0)],
        sleeps=[Sleep(1, 45, 600.0, "jumps")],
        jumps=[Jump(1, 33, 30.0, "ahead"), Jump(0, 35, 30.0, "stands"), Jump(2, 37, 86_400.0, "wall")],
        quits=[Quit(0, Phase.DEAL, 5.0)],
        gives_up=[GiveUp(0, 50)],
        drop=0.03,
        double=0.5,
    )
    world = World(plan)
    world.run()
    kinds = ("crashes", "torn tails", "lost tails", "cuts", "deaf", "sleeps", "jumps", "quits", "dropped")
    for kind in (*kinds, "given up"):
        assert world.counts[kind] > 0, kind


def test_seeds_try_every_kind_of_trouble_alone_and_with_others() -> None:
    """In every phase, and by every seat."""
    plans = [draw(seed) for seed in range(1, 2_001)]
    lists = ("crashes", "quits", "cuts", "deaf", "sleeps", "jumps", "gives_up")
    for name in lists:
        found = [one for plan in plans for one in getattr(plan, name)]
        assert {one.when for one in found} >= set(Phase) - {Phase.CLOSED}, name
        assert {getattr(one, "seat", 0) for one in found} >= ({0, 1, 2} if hasattr(found[0], "seat") else {0})
        others = [sum(bool(getattr(plan, other)) for other in lists) for plan in plans if getattr(plan, name)]
        assert {1, 2, 3} <= set(others), name
