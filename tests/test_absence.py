"""Who is missed, and when the others are asked."""

from tongits_lan.ledger.absence import Absence
from tongits_lan.ledger.effects import Awaited, GraceOver, Returned, TableEvent
from tongits_lan.ledger.state import Due

DRAW = Due(1, ("draw",))
READY = Due(1, ("ready",))


def away(absence: Absence, now: float, height: int = 5) -> list[TableEvent]:
    return absence.update(DRAW, height, now, away=True, automatic=False)


def over(absence: Absence) -> bool:
    return absence.grace_over


def since(absence: Absence) -> float | None:
    return absence.since


def thinking(absence: Absence, now: float, height: int = 5) -> list[TableEvent]:
    return absence.update(DRAW, height, now, away=False, automatic=False)


def working(absence: Absence, now: float, height: int = 5) -> list[TableEvent]:
    return absence.update(READY, height, now, away=False, automatic=True)


def test_seat_out_of_reach_is_missed_after_a_second() -> None:
    absence = Absence(60)
    assert away(absence, 10.0) == []
    assert since(absence) is None
    assert absence.deadline() == 11.0
    assert away(absence, 11.0) == [Awaited(1, ("draw",), 10.0)]
    assert away(absence, 12.0) == []
    assert since(absence) == 10.0
    assert absence.deadline() == 70.0


def test_question_comes_after_the_grace_time_and_again_after_waiting() -> None:
    absence = Absence(60)
    away(absence, 10.0)
    assert away(absence, 70.0) == [Awaited(1, ("draw",), 10.0), GraceOver(1)]
    assert over(absence)
    assert absence.deadline() is None
    absence.wait(75.0)
    assert not over(absence)
    assert away(absence, 134.0) == []
    assert away(absence, 135.0) == [GraceOver(1)]


def test_return_closes_the_question() -> None:
    absence = Absence(60)
    away(absence, 10.0)
    away(absence, 70.0)
    assert thinking(absence, 71.0) == [Returned(1)]
    assert not over(absence)
    assert since(absence) is None
    assert away(absence, 72.0) == []
    assert away(absence, 131.0) == [Awaited(1, ("draw",), 72.0)]


def test_entry_closes_the_question() -> None:
    absence = Absence(60)
    away(absence, 10.0)
    away(absence, 12.0)
    assert away(absence, 13.0, height=6) == [Returned(1)]
    assert absence.deadline() == 14.0


def test_player_who_thinks_is_never_missed() -> None:
    absence = Absence(60)
    assert thinking(absence, 10.0) == []
    assert thinking(absence, 1e6) == []
    assert absence.deadline() is None


def test_silent_program_is_missed_though_its_link_is_up() -> None:
    absence = Absence(60)
    assert working(absence, 10.0) == []
    assert absence.deadline() == 16.0
    assert working(absence, 16.0) == [Awaited(1, ("ready",), 10.0)]


def test_own_turn_and_closed_table_miss_nobody() -> None:
    absence = Absence(60)
    away(absence, 10.0)
    away(absence, 12.0)
    assert absence.update(None, 5, 13.0, away=False, automatic=False) == [Returned(1)]
    assert absence.deadline() is None


def test_own_sleep_counts_for_nobody() -> None:
    absence = Absence(60)
    away(absence, 10.0)
    away(absence, 12.0)
    absence.shift(600.0)
    assert away(absence, 612.0) == []
    assert away(absence, 670.0) == [GraceOver(1)]
