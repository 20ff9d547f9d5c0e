"""Named troubles of whole matches, each alone: what a table must live through (all of them: `test_names`)."""

import functools
import random
from collections.abc import Iterable
from typing import ClassVar, Literal

import pytest
import trio
from msgspec import structs
from trio.testing import MockClock, memory_stream_pair

from tests.circle import Circle, Verdicts, encoded
from tests.remembered import Acceptance
from tests.sim.plan import PHASES, SEATS, Crash, Cut, Jump, Plan, Quit, Sleep
from tests.sim.world import World
from tests.test_link import PLAIN, Recorder, linked
from tongits_lan.game.moves import Call, Meld, Move
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.messages import Entries, Get
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.table import TableMessage, TableView
from tongits_lan.limits import HAVE_SECONDS
from tongits_lan.net.link import Link
from tongits_lan.net.transport import Secured


def ends_level(plan: Plan) -> World:
    """Run the plan to its end, which `World` demands."""
    world = World(plan)
    world.run()
    assert len({tuple(player.shelf.entries) for player in world.players}) == 1
    assert world.safety.states[-1].closed
    return world


def asked(world: World) -> int:
    """How often anybody was asked whether to wait on."""
    return sum(watch.asked for watch in world.watches)


# Nothing goes wrong.


def test_calm_match() -> None:
    rules = structs.replace(PRESETS["pagat"], hands=10)
    circle = Circle("ten", rules=rules, verdicts={}, prepares=False, acceptance=Acceptance())
    circle.until(lambda view: view.closed, most=10_000)
    circle.settle()
    circle.assert_level()
    assert circle.view(0).records_count == 10
    assert {message.first for _, _, message in circle.sent if isinstance(message, Get)} <= {0}
    crossed = [
        (source, to, height)
        for source, to, message in circle.sent
        if isinstance(message, Entries)
        for height, _ in enumerate(message.entries, message.first)
    ]
    assert len(crossed) == len(set(crossed))
    entries = circle.shelves[0].entries
    assert len(entries) == len(set(entries)) > 400


# Messages.


def by_head(view: TableView, _: random.Random) -> Move:
    """A player whose choice hangs on the ledger alone: he opens and calls a draw as soon as he may."""

    def preference(move: Move) -> tuple[bool, bool, float]:
        lot = random.Random(view.head + repr(move).encode()).random()
        return not isinstance(move, Call), not isinstance(move, Meld), lot

    return min(view.legal, key=preference)


class Losing(Circle):
    """A whole hand of which one message is lost. All of these share what they compute."""

    answers: ClassVar = Acceptance()
    judged: ClassVar[Verdicts] = {}

    def __init__(self, number: int | None) -> None:
        self.number = number
        self.crossed = 0
        super().__init__(
            "lost",
            rules=structs.replace(PRESETS["pagat"], hands=1),
            wire=self._lose,
            choose=by_head,
            verdicts=self.judged,
            prepares=False,
            acceptance=self.answers,
        )

    def _lose(self, source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        self.crossed += 1
        return () if self.crossed == self.number else encoded(source, to, message)

    def play_on(self) -> bool:
        """Play until the message has been lost, or else (False) to the end."""
        while self.number is None or self.crossed < self.number:
            if self.view(0).closed:
                return False
            self.step()
            self.settle()
        self.number = None
        return True


@functools.cache
def calm_hand() -> Losing:
    """The hand of which nothing is lost."""
    circle = Losing(None)
    circle.play_on()
    return circle


@pytest.mark.parametrize("part", range(6))
def test_drop_each_message(part: int) -> None:
    calm = calm_hand()
    assert calm.crossed > 150
    for number in range(1 + part, calm.crossed + 1, 6):
        circle = Losing(number)
        assert circle.play_on()
        circle.pass_time(HAVE_SECONDS)
        circle.assert_level()
        circle.play_on()
        circle.pass_time(HAVE_SECONDS)
        circle.assert_level()
        assert circle.shelves[0].entries == calm.shelves[0].entries
        assert all(circle.view(seat).stopped is None for seat in range(SEATS))


def test_duplicate_and_reorder() -> None:
    """Every frame comes twice and out of order; a seat that closed a link for it would end the run."""
    world = ends_level(Plan(1001, double=1.0, jumbled=True, slowest_message=0.5))
    assert world.counts["messages"] > 200
    chain = world.safety.chain
    assert len(chain) == len(set(chain))


def test_messages_lost_all_the_time() -> None:
    world = ends_level(Plan(1009, drop=0.1))
    assert world.counts["dropped"] > 20


# Links.


def test_chain_topology() -> None:
    world = ends_level(Plan(1008, missing=(0, 2), cuts=[Cut((0, 1), 40, 5.0), Cut((1, 2), 60, 5.0)]))
    for end, far in ((0, 2), (2, 0)):
        player = world.players[end]
        assert player.table is not None
        assert player.table.view(player.clock).links[far] == Reach("through", 1)


def test_link_flap() -> None:
    """Slow players and six hands, so that there is time for a thousand cuts. `Watch` holds each seat to it
    that no count of an absence lives on after a return."""
    world = ends_level(Plan(1002, hands=6, flaps=1_000, thinking=20.0, faults_end=20_000.0))
    assert world.counts["cuts"] == 1_000
    assert sum(watch.missed_often for watch in world.watches) > 100
    assert len(world.safety.states[-1].records) == 6


# Programs.


@pytest.mark.parametrize("seconds", [90.0, 2.0], ids=["long-missed", "before-its-old-links-are-found-dead"])
def test_host_returns(seconds: float) -> None:
    """Its machine vanishes in every phase and is back at another address: the others keep their ends of the
    old links until they find them dead or a new one is there."""
    crashes = [Crash(0, phase, seconds, 1, silent=True) for phase in PHASES]
    world = ends_level(Plan(1003, preset="joker", crashes=crashes))
    assert world.counts["crashes"] == len(PHASES)
    assert_one_hand(world)


@pytest.mark.parametrize("seat", range(SEATS))
def test_leave_everywhere(seat: int) -> None:
    """The player closes the program in every phase and opens it again."""
    quits = [Quit(seat, phase, 20.0) for phase in PHASES]
    world = ends_level(Plan(1100 + seat, preset="joker", quits=quits))
    assert world.counts["quits"] == len(PHASES)
    assert world.heap.now > 20.0 * len(PHASES)
    assert_one_hand(world)


def assert_one_hand(world: World) -> None:
    """It went on where it was: one hand, played to its end."""
    (record,) = world.safety.states[-1].records
    assert record.forfeited_by is None
    assert record.faces is not None


# Machines and clocks.


@pytest.mark.parametrize("clock", ["stands", "jumps"])
@pytest.mark.parametrize("when", [12, Phase.PLAY])
def test_suspend_10_min(clock: str, when: int | Phase) -> None:
    sleeper = 1
    sleep = Sleep(sleeper, when, 600.0, "stands" if clock == "stands" else "jumps")
    world = World(Plan(1007, sleeps=[sleep]))
    world.begin()
    player = world.players[sleeper]
    world.until(lambda: player.asleep_until is not None, 100.0)
    woken = player.asleep_until
    assert woken is not None
    world.until(lambda: world.heap.now >= woken, 1_000.0)
    before = world.safety.height
    world.until(lambda: world.level() and world.safety.height > before, woken + 10.0)
    assert world.watches[sleeper].asked == 0
    world.run_on()
    assert world.watches[sleeper].asked == 0
    assert world.heap.now < woken + 100.0


@pytest.mark.parametrize("slow", range(SEATS))
def test_slow_proofs(slow: int) -> None:
    """Proving takes up to half a minute on one seat: nobody is dropped, and it answers all the while."""
    world = World(Plan(1006, slowest_job=30.0, slow_seat=slow))
    world.begin()
    world.until(lambda: world.safety.states[-1].phase is Phase.PROVE, 200.0)
    table, clock = world.players[slow].table, world.players[slow].clock
    assert table is not None
    table.receive((slow + 1) % SEATS, Get(0), clock)
    answers = [message for _, message in table.take().send if isinstance(message, Entries)]
    assert [answer.first for answer in answers] == [0]
    world.run_on()
    assert world.counts["links"] == SEATS
    assert world.heap.now > 15.0


JUMPS: dict[str, tuple[Literal["ahead", "stands", "wall"], float]] = {
    "wall clock a day ahead": ("wall", 86_400.0),
    "wall clock a day back": ("wall", -86_400.0),
    "steady clock a day ahead": ("ahead", 86_400.0),
    "steady clock stands for half a minute": ("stands", 30.0),
}


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("name", JUMPS)
def test_clock_jumps(name: str, seat: int) -> None:
    """In the deal, in play and when the cards are opened. Nobody is asked whether to wait for somebody."""
    clock, seconds = JUMPS[name]
    jumps = [Jump(seat, when, seconds, clock) for when in (2, Phase.PROVE, Phase.PLAY, 40, Phase.REVEAL)]
    world = ends_level(Plan(1010 + seat, jumps=jumps))
    assert world.counts["jumps"] >= 4
    assert asked(world) == 0
    assert world.heap.now < 120.0


@pytest.mark.parametrize(("seconds", "ends"), [(86_400.0, True), (-86_400.0, False)])
async def test_clock_jumps_at_a_link(seconds: float, ends: bool, autojump_clock: MockClock) -> None:
    """The only reader of the wall clock while a table is played takes a jump ahead for sleep, and dials
    again; one back is nothing."""
    left, right = memory_stream_pair()
    ahead = 0.0
    one, other = Recorder(), Recorder()
    near = Link(
        Secured(left, PLAIN),
        server=True,
        clock=trio.current_time,
        wall=lambda: 1e9 + trio.current_time() + ahead,
    )
    near.trust()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.run, one)
        nursery.start_soon(linked(right, server=False).run, other)
        await trio.sleep(20)
        ahead = seconds
        await trio.sleep(20)
        assert one.reason == ("this machine slept" if ends else None)
        nursery.cancel_scope.cancel()
