"""What the plan of a simulated match does to its players, their machines and their links, and when."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tests.sim.heap import Heap
from tests.sim.plan import PAIRS, Crash, Cut, Deaf, GiveUp, Jump, Plan, Quit, Sleep, When
from tests.sim.player import Player
from tests.sim.safety import Safety
from tests.sim.wires import Pair, Wires
from tongits_lan.ledger.effects import Effects
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.table import Table
from tongits_lan.limits import SILENCE_SECONDS

Trouble = Cut | Deaf | Crash | Quit | Sleep | Jump | GiveUp
T = TypeVar("T", bound=Trouble)


class Faults:
    """The faults of `plan` that are still to come. `die` ends a program and starts it again later."""

    def __init__(
        self,
        plan: Plan,
        heap: Heap,
        safety: Safety,
        wires: Wires,
        counts: Counter[str],
        die: Callable[[Player, float], None],
    ) -> None:
        self._plan = plan
        self._heap = heap
        self._safety = safety
        self._wires = wires
        self._counts = counts
        self._die = die
        self._crashes = list(plan.crashes)
        self._quits = list(plan.quits)
        self._cuts = list(plan.cuts)
        self._deaf = list(plan.deaf)
        self._sleeps = list(plan.sleeps)
        self._jumps = list(plan.jumps)
        self._gives_up = list(plan.gives_up)
        self._flaps = plan.flaps
        self._over = False

    def end(self) -> None:
        """From now on nothing new goes wrong."""
        self._over = True

    def begin(self, seconds: Callable[[float, float], float]) -> None:
        """Start what goes by time alone. `seconds` draws a duration between two."""

        def flap(pair: Pair) -> None:
            if self._over or not self._flaps:
                return
            down = seconds(1.0, 10.0)
            if self._wires.is_up(pair):
                self._flaps -= 1
                self._wires.cut(pair, down)
            self._heap.after(down + seconds(1.0, 8.0), partial(flap, pair))

        for pair in PAIRS:
            self._heap.after(seconds(1.0, 8.0), partial(flap, pair))

    def crash_now(self, player: Player, effects: Effects) -> Crash | None:
        """The crash that keeps this seat from doing what its table asks for, if there is one."""
        if self._over or not effects.store:
            return None
        for crash in self._crashes:
            if self._is_due(crash, player):
                self._crashes.remove(crash)
                return crash
        return None

    def strike(self, player: Player) -> None:
        """Let happen what is to happen now; `player` has just done something."""
        if self._over:
            return
        for cut in self._due(self._cuts, player):
            self._wires.cut(cut.pair, cut.seconds)
        for deaf in self._due(self._deaf, player):
            self._wires.deafen(deaf.source, deaf.to, deaf.seconds)
        for sleep in self._due(self._sleeps, player):
            self._fall_asleep(player, sleep)
        for jump in self._due(self._jumps, player):
            self._jump(player, jump)
        for _ in self._due(self._gives_up, player):
            self._heap.after(0, player.in_life(partial(self._give_up, player)))
        for leaving in self._due(self._quits, player):
            self._heap.after(0, player.in_life(partial(self._quit, player, leaving)))

    def _due(self, kept: list[T], player: Player) -> list[T]:
        """Take out of the list what is to happen now, to this player if it is to one."""
        taken = [one for one in kept if self._is_due(one, player)]
        for one in taken:
            kept.remove(one)
        return taken

    def _is_due(self, trouble: Trouble, player: Player) -> bool:
        mine = isinstance(trouble, Cut | Deaf) or trouble.seat == player.seat
        return mine and self._reached(trouble.when)

    def _reached(self, when: When) -> bool:
        state = self._safety.states[-1]
        return state.phase is when if isinstance(when, Phase) else state.height >= when

    def _give_up(self, player: Player, table: Table) -> None:
        if table.view(player.clock).can_give_up:
            self._counts["given up"] += 1
            table.give_up(player.clock)

    def _quit(self, player: Player, leaving: Quit, table: Table) -> None:
        self._counts["quits"] += 1
        table.quit(player.clock)
        self._heap.after(0, player.in_life(lambda _: self._die(player, leaving.seconds)))

    def _jump(self, player: Player, jump: Jump) -> None:
        self._counts["jumps"] += 1
        if jump.clock == "stands":
            player.stand(jump.seconds)
        elif jump.clock == "ahead":
            player.offset += jump.seconds
        if jump.clock != "stands" and jump.seconds > SILENCE_SECONDS:
            self._heap.after(0, partial(self._break_all, player))

    def _fall_asleep(self, player: Player, sleep: Sleep) -> None:
        self._counts["sleeps"] += 1
        player.asleep_until = self._heap.now + sleep.seconds
        if sleep.seconds > SILENCE_SECONDS:
            self._heap.after(SILENCE_SECONDS, partial(self._break_all, player))

        def wake() -> None:
            player.asleep_until = None
            if sleep.clock == "stands":
                player.offset -= sleep.seconds
            if sleep.seconds > SILENCE_SECONDS:
                self._break_all(player)
            for pair in pairs_of(player):
                self._wires.connect(pair)

        self._heap.at(player.asleep_until, wake)

    def _break_all(self, player: Player) -> None:
        for pair in pairs_of(player):
            self._wires.break_off(pair)


def pairs_of(player: Player) -> list[Pair]:
    """The links of one seat."""
    return [pair for pair in PAIRS if player.seat in pair]
