"""Named troubles, each alone: what a table must live through."""

import pytest

from tests.circle import Circle, height_of, resumed
from tests.sim.plan import PAIRS, Crash, Cut, Plan, Sleep
from tests.sim.world import World
from tongits_lan.ledger.effects import Awaited, GraceOver
from tongits_lan.limits import SEATS


def ends_level(plan: Plan) -> World:
    """Run the plan to its end, which `World` demands."""
    world = World(plan)
    world.run()
    assert len({tuple(player.shelf.entries) for player in world.players}) == 1
    return world


def test_duplicate_and_reorder() -> None:
    world = ends_level(Plan(1001, double=1.0, jumbled=True, slowest_message=0.5))
    assert world.counts["messages"] > 200


def test_link_flap() -> None:
    cuts = [Cut(PAIRS[number % 3], number // 2, 0.1 + number % 7) for number in range(200)]
    world = ends_level(Plan(1002, cuts=cuts))
    assert world.counts["cuts"] > 100


@pytest.mark.parametrize("seat", range(SEATS))
def test_program_gone_for_90_seconds_in_every_phase(seat: int) -> None:
    heights = (1, 4, 8, 11, 14, 17, 20, 23, 30, 60, 90)
    world = ends_level(Plan(1003 + seat, crashes=[Crash(seat, height, 90.0, 1) for height in heights]))
    assert world.counts["crashes"] >= 5
    assert world.heap.now > 90.0 * 5


def test_slow_proofs() -> None:
    world = ends_level(Plan(1006, slowest_job=30.0))
    assert world.heap.now > 20.0


@pytest.mark.parametrize("clock", ["stands", "jumps"])
@pytest.mark.parametrize("height", [12, 40])
def test_suspend_10_min(clock: str, height: int) -> None:
    sleep = Sleep(1, height, 600.0, "stands" if clock == "stands" else "jumps")
    world = ends_level(Plan(1007, sleeps=[sleep]))
    assert world.counts["sleeps"] == 1
    assert 600.0 < world.heap.now < 700.0


def test_chain_topology() -> None:
    ends_level(Plan(1008, missing=(0, 2), cuts=[Cut((0, 1), 40, 5.0), Cut((1, 2), 60, 5.0)]))


def test_messages_lost_all_the_time() -> None:
    world = ends_level(Plan(1009, drop=0.1))
    assert world.counts["dropped"] > 20


def test_two_gone() -> None:
    """The third waits, closes its program, comes again; nothing is signed until the others are back."""
    height = height_of("discard")
    circle = resumed(height)
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    stays = due.seat
    gone = [seat for seat in range(SEATS) if seat != stays]
    for seat in gone:
        circle.kill(seat)
    circle.restart(stays)
    circle.pass_time(200)
    assert not circle.view(stays).legal
    assert circle.view(stays).height == height
    for seat in gone:
        circle.restart(seat)
    circle.settle()
    circle.play_hand()
    circle.assert_level()


def test_choice_is_offered_to_each_of_the_others_alone() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    circle.kill(due.seat)
    circle.pass_time(70)
    for seat in sorted(circle.alive):
        missed = [event for event in circle.events[seat] if isinstance(event, Awaited | GraceOver)]
        assert [type(event) for event in missed] == [Awaited, GraceOver]
        assert all(event.seat == due.seat for event in missed)
        assert circle.view(seat).grace_over


def test_pending_table_goes_on_exactly_there() -> None:
    """All three go home in mid-hand and come back another day."""
    circle = resumed(height_of("sapaw"))
    circle.settle()
    before = circle.view(1)
    tomorrow = Circle("tomorrow", cast=circle.cast, shelves=circle.shelves, verdicts={})
    tomorrow.settle()
    after = tomorrow.view(1)
    assert (after.height, after.head, after.position) == (before.height, before.head, before.position)
    assert (after.faces, after.legal) == (before.faces, before.legal)
    tomorrow.play_hand()
    tomorrow.assert_level()
