"""Named troubles with seats that are gone: who is missed, who is asked, and where a table goes on."""

from pathlib import Path

import pytest

from tests.circle import Cast, Circle, height_of, recorded, resumed, writer_of
from tests.hostile.stage import lay_down
from tests.scripted import NAMES, Script
from tongits_lan.errors import Refused
from tongits_lan.game.moves import Draw
from tongits_lan.game.scoring import Match, fresh_match
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import Awaited, GraceOver, Returned, TableEvent
from tongits_lan.ledger.state import HandForfeited, Phase
from tongits_lan.ledger.table import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.before import check_start, continued, load_past
from tongits_lan.store.journal import pending_tables

GRACE = 60.0
DAY = 86_400.0


def told(circle: Circle, seat: int) -> list[TableEvent]:
    """What a seat was told of absences."""
    return [event for event in circle.events[seat] if isinstance(event, Awaited | GraceOver | Returned)]


def due_seat(circle: Circle) -> int:
    """Who has to write, as the first seat that runs sees it."""
    due = circle.view(min(circle.alive)).due
    assert due is not None
    return due.seat


def test_host_gone() -> None:
    """In the second hand, so that there is an outcome before it."""
    record = recorded()
    circle = resumed(len(record.shelves[0].entries))
    circle.until(lambda view: view.due is not None and view.due.seat == 0 and view.phase == "play", seat=1)
    (counted,) = circle.view(1).records
    before = counted.settlement.match
    assert any(before.chips)
    height = circle.view(1).height
    circle.kill(0)
    circle.settle()
    circle.pass_time(GRACE)
    for seat in (1, 2):
        assert [type(event) for event in told(circle, seat)] == [Awaited, GraceOver]
        assert all(getattr(event, "seat", None) == 0 for event in told(circle, seat))
        assert circle.view(seat).grace_over
    circle.tables[1].wait(circle.now)  # one waits on, the other leaves the table pending
    circle.tables[2].quit(circle.now)
    circle.kill(2)
    circle.pass_time(GRACE)
    assert [type(event) for event in told(circle, 1)] == [Awaited, GraceOver, GraceOver]
    for seat in (1, 2):
        view = circle.view(seat)
        assert (view.match.chips, view.match.pot) == (before.chips, before.pot)
        assert (view.height, view.due and view.due.seat, view.closed) == (height, 0, False)
        assert len(circle.shelves[seat].entries) == height


@pytest.mark.parametrize("through", [None, 1, 2], ids=["both", "one-other", "the-other-other"])
def test_return_while_asked(through: int | None) -> None:
    """Back over both links, or over one only: then its entry reaches the second seat through the first."""
    circle = resumed(height_of("draw"))
    circle.settle()
    gone = due_seat(circle)
    others = [(gone + step) % SEATS for step in (1, 2)]
    height = circle.view(gone).height
    circle.kill(gone)
    circle.settle()
    circle.pass_time(GRACE)
    assert all(circle.view(seat).grace_over for seat in others)
    assert all(len(shelf.entries) == height for shelf in circle.shelves)
    circle.restart(gone, links=None if through is None else [others[through - 1]])
    circle.settle()
    circle.pass_time(6)  # with one link it waits for the second of two heads
    for seat in others:
        assert [type(event) for event in told(circle, seat)] == [Awaited, GraceOver, Returned]
        assert not circle.view(seat).grace_over
        assert circle.view(seat).awaited_since is None
        assert circle.view(seat).height == height
    circle.tables[gone].submit(Draw(), circle.now)
    circle.settle()
    assert {parse_entry(shelf.entries[height]).seat for shelf in circle.shelves} == {gone}
    circle.play_hand()
    circle.assert_level()
    assert not any(isinstance(event, HandForfeited) for event in circle.events[gone])


def test_last_reveal_private() -> None:
    """The third revealer alone knows how the hand ended. It tells a day later."""
    third = height_of("reveal") + 2
    last = writer_of(third)
    others = [(last + step) % SEATS for step in (1, 2)]
    circle = resumed(third)
    before = circle.view(last).match.chips
    circle.doomed = last
    circle.settle()
    assert len(circle.shelves[last].entries) == third + 1
    circle.pass_time(GRACE)
    for seat in others:
        view = circle.view(seat)
        assert (view.height, view.phase, view.match.chips) == (third, Phase.REVEAL, before)
        assert view.due is not None
        assert (view.due.seat, view.due.kinds) == (last, ("reveal",))
        assert view.grace_over
        assert circle.shelves[seat].secrets
        circle.kill(seat)
    circle.now += DAY
    for seat in others:
        circle.restart(seat)
    circle.pass_time(20)
    assert all(circle.view(seat).height == third for seat in others)
    circle.restart(last)
    circle.settle()
    circle.assert_level()
    assert circle.view(0).phase == Phase.SETTLE
    assert circle.view(0).match.chips != before
    assert not any(shelf.secrets for shelf in circle.shelves)


def test_two_gone() -> None:
    """The third waits, closes its program, comes again; nothing is signed until the others are back."""
    height = height_of("discard")
    circle = resumed(height)
    circle.settle()
    stays = due_seat(circle)
    gone = [seat for seat in range(SEATS) if seat != stays]
    for seat in gone:
        circle.kill(seat)
    circle.pass_time(200)
    circle.restart(stays)
    circle.pass_time(200)
    assert not circle.view(stays).legal
    assert circle.view(stays).height == height
    for seat in gone:
        circle.restart(seat)
    circle.settle()
    circle.play_hand()
    circle.assert_level()


def same_place(one: TableView, other: TableView) -> bool:
    """Whether a seat sees the same table, with the same cards and the same choices."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("height", "head", "phase", "position", "faces", "legal", "due", "match", "can_go_on")
    )


@pytest.mark.parametrize("kind", ["sapaw", "end", "next"], ids=["in-play", "while-opening", "open-end"])
def test_continue_table(kind: str) -> None:
    """All three go home and come back another day: the same ledger goes on, at an open end by one key."""
    circle = resumed(height_of(kind), links=())
    tomorrow = Circle(
        "tomorrow",
        cast=circle.cast,
        shelves=circle.shelves,
        verdicts=circle.verdicts,
        acceptance=circle.acceptance,
    )
    held = list(circle.shelves[0].entries)
    if kind == "end":  # opened by the programs
        tomorrow.settle()
        assert tomorrow.view(0).phase == Phase.SETTLE
    else:
        today = resumed(height_of(kind))
        today.settle()
        tomorrow.settle()
        assert all(same_place(today.view(seat), tomorrow.view(seat)) for seat in range(SEATS))
        tomorrow.play_hand()
    tomorrow.assert_level()
    assert tomorrow.shelves[0].entries[: len(held)] == held


def open_ended(phase: Phase) -> Script:
    """A table with a counted hand that was left in this phase: of that hand, or of the next."""
    script = Script("open-ended")
    script.play_hand()
    if phase is not Phase.SETTLE:
        script.next_hand()
        script.until(phase)
    return script


@pytest.mark.parametrize("phase", [Phase.SETTLE, Phase.PLAY], ids=["open-end", "pending"])
def test_continue_table_as_a_new_one(tmp_path: Path, phase: Phase) -> None:
    """Its `start` is the outcome on all three, each by its own files; any other is refused."""
    script = open_ended(phase)
    (counted,) = script.state.records
    homes = [tmp_path / name for name in NAMES]
    pks = [seat.pk for seat in script.descriptor.seats]
    for seat in range(SEATS):
        lay_down(tmp_path, script, seat, script.entries)
    found = [load_past(pending_tables(home, pk)[0].path) for home, pk in zip(homes, pks, strict=True)]
    past = found[0]
    assert past is not None
    assert found == [past] * SEATS
    before = past.as_it_stands()
    assert before.outcome.chips == counted.settlement.match.chips != fresh_match().chips

    def following(start: Match) -> Cast:
        return Cast("next", rules=script.rules, start=start, previous=before.reference, keys=script.keys)

    cast = following(before.outcome)
    for home, pk, own in zip(homes, pks, found, strict=True):
        assert continued(cast.descriptor, home, pk) == pending_tables(home, pk)[0].path
        check_start(cast.descriptor, own)
    with pytest.raises(Refused, match="does not start where"):
        check_start(following(fresh_match()).descriptor, past)
    circle = Circle("next", cast=cast, verdicts={}, prepares=False)
    circle.until(lambda view: view.phase == "play")
    circle.assert_level()
    for seat in range(SEATS):
        view = circle.view(seat)
        assert (view.match.chips, view.match.pot) == (before.outcome.chips, before.outcome.pot)
        assert view.dealer == before.outcome.dealer
    circle.play_hand()
    circle.assert_level()
    match = circle.view(0).match
    assert sum(match.chips) + match.pot == 0
