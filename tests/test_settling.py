"""Ways to a seat that change back and forth are told once, when they have settled."""

from collections.abc import Callable

from tongits_lan.ledger.effects import LinkChanged, Reach
from tongits_lan.ledger.reach import AWAY, LEFT
from tongits_lan.net.settling import SECONDS, Settling

DIRECT, THROUGH = LinkChanged(1, Reach("direct")), LinkChanged(1, Reach("through", 0))


class Clock:
    """Does what was put off when its time has come."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[LinkChanged] = []
        self._put_off: list[tuple[float, Callable[[], None]]] = []
        self.settling = Settling(self.told.append, self._later)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._put_off.append((self.now + seconds, act))

    def hear(self, *events: LinkChanged, every: float = 0.2) -> None:
        for event in events:
            self.settling.heard(event)
            self.wait(every)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        due = [act for at, act in self._put_off if at <= self.now]
        self._put_off = [(at, act) for at, act in self._put_off if at > self.now]
        for act in due:
            act()


def test_what_goes_to_and_fro_is_told_when_it_stays() -> None:
    clock = Clock()
    clock.hear(THROUGH, DIRECT, THROUGH, DIRECT)
    assert clock.told == []
    clock.wait(SECONDS)
    assert clock.told == [DIRECT]


def test_a_seat_that_is_back_as_it_was_is_no_news() -> None:
    clock = Clock()
    clock.hear(DIRECT, every=SECONDS)
    clock.hear(LinkChanged(1, AWAY), DIRECT)
    clock.wait(SECONDS)
    assert clock.told == [DIRECT]


def test_a_change_that_lasts_is_told_and_seats_do_not_wait_for_each_other() -> None:
    clock = Clock()
    clock.hear(DIRECT, LinkChanged(2, Reach("direct")), every=0.5)
    clock.wait(SECONDS)
    clock.hear(LinkChanged(1, LEFT), every=SECONDS)
    assert clock.told == [DIRECT, LinkChanged(2, Reach("direct")), LinkChanged(1, LEFT)]


def test_one_who_was_never_here_is_no_news_either() -> None:
    clock = Clock()
    clock.hear(DIRECT, LinkChanged(1, AWAY), every=0.1)
    clock.wait(SECONDS)
    assert clock.told == []
