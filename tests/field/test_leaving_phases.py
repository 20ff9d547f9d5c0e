"""R14: whoever leaves in whatever phase of a hand, the others know whom they wait for, and nothing is lost.

In one process, without links of a network; real programs that are killed: tests/e2e.
"""

import random

import msgspec
import pytest

from tests import remembered
from tests.circle import Circle, height_of, lively, recorded, resumed
from tests.screens import Player, Seat, shown
from tongits_lan.console.keys import Mode
from tongits_lan.console.wants import Want
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Meld, Move, Sapaw, Take
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import Awaited, Returned
from tongits_lan.ledger.state import Due
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import HEADS_SECONDS, SEATS

SEEN_SECONDS = 10  # within which the others see who is awaited
GRACE = PRESETS["pagat"].grace_seconds
PLAYED: dict[type[Move], str] = {
    Draw: "draw",
    Take: "take",
    Meld: "meld",
    Sapaw: "sapaw",
    Discard: "discard",
    Call: "call",
    Answer: "answer",
}
BY_ITSELF = ("sit", "open", "commit", "shuffle", "lock", "prove", "ready", "deal", "key", "end", "reveal")
KINDS = {*BY_ITSELF, *PLAYED.values(), "next"}
FIGHT = "fight 4"  # the label of a recorded hand in which each kind of entry occurs


def others_of(seat: int) -> list[int]:
    return [other for other in range(SEATS) if other != seat]


class Leaver(Circle):
    """A circle in which one seat's program dies whenever it has stored an entry of a kind it wrote for the
    first time, before anybody has seen it."""

    def __init__(self, leaver: int) -> None:
        self.leaver = leaver
        self.left_at: list[str] = []
        super().__init__("leaver 13", verdicts={}, choose=self.move, acceptance=remembered.Acceptance())

    def move(self, view: TableView, rng: random.Random) -> Move:
        """The leaver does what it has not done yet; nobody ends a hand before it has ended one, and it ends
        no other."""
        if view.me == self.leaver:
            new = [move for move in view.legal if PLAYED.get(type(move)) not in self.left_at]
            if new:
                return rng.choice(new)
        calls = [move for move in view.legal if isinstance(move, Call)]
        if calls and view.me != self.leaver and "call" in self.left_at:
            return calls[0]
        quiet = tuple(move for move in view.legal if move not in calls)
        return lively(msgspec.structs.replace(view, legal=quiet), rng)

    def collect(self, seat: int) -> bool:
        held = len(self.shelves[seat].entries)
        busy = super().collect(seat)
        for raw in self.shelves[seat].entries[held:]:
            entry = parse_entry(raw)
            if entry.seat == seat == self.leaver and entry.body_value[0] not in self.left_at:
                self.left_at.append(entry.body_value[0])
                self.kill(seat)  # what it was about to send is lost with its links
        return busy


@pytest.mark.parametrize("leaver", range(SEATS))
def test_R14_each_may_leave_in_each_phase_and_no_card_is_lost(leaver: int) -> None:
    """The others see within ten seconds who is awaited, stay at the table, and are asked after the grace
    time; next day the hand goes on from the files, exactly there. A fight is called by the leaver, and one
    it answers."""
    circle = Leaver(leaver)
    one = others_of(leaver)[0]
    while not set(circle.left_at) >= KINDS:
        assert circle.view(one).hand_no <= 3, KINDS - set(circle.left_at)
        circle.settle()
        if leaver in circle.alive:
            assert circle.step(), circle.view(one).due
            continue
        height = len(circle.shelves[one].entries)
        is_awaited_by_both(circle, leaver)
        assert len(circle.shelves[one].entries) == height
        comes_back(circle, leaver)
        assert len(circle.shelves[one].entries) > height, "the entry is not lost"
    circle.settle()
    circle.assert_level()


def is_awaited_by_both(circle: Circle, leaver: int) -> None:
    """After ten seconds both know whom they wait for, after the grace time they have the choice; they talk
    and leave as they like all the time."""
    circle.pass_time(SEEN_SECONDS)
    for other in others_of(leaver):
        view = circle.view(other)
        told = [event for event in circle.events[other] if isinstance(event, Awaited | Returned)]
        assert isinstance(told[-1], Awaited)
        assert told[-1].seat == leaver
        assert view.awaited_since is not None
        assert view.links[leaver].kind == "away"
        says_who_is_missed(view, leaver)
        can_talk_and_leave(view)
    circle.pass_time(GRACE)
    for other in others_of(leaver):
        view = circle.view(other)
        assert view.grace_over
        assert view.stopped is None
        assert "keep waiting" in shown(at(view), away_seconds=GRACE)
        can_talk_and_leave(view)


def at(view: TableView) -> Player:
    """Somebody who sees this."""
    seat = Seat()
    seat.view = view
    return Player(seat)


def says_who_is_missed(view: TableView, leaver: int) -> None:
    picture = shown(at(view), away_seconds=SEEN_SECONDS)
    assert f"{view.names[leaver]} has been away for 0:10." in picture, picture
    assert "leave; it stays pending" in picture, picture


def can_talk_and_leave(view: TableView) -> None:
    one = at(view)
    one.press("c", *"sandali", "enter")
    assert "chat sandali" in one.seat.done
    one.press("q")
    assert one.mode() is Mode.QUIT
    one.press("k")
    assert Want.CLOSE in one.desk.take_wants()


def comes_back(circle: Circle, leaver: int) -> None:
    """The one program again; where Ana is the leaver all three go home and come another day."""
    going = range(SEATS) if leaver == 0 else (leaver,)
    for seat in going:
        circle.kill(seat)
    circle.now += 86_400 if leaver == 0 else 0
    for seat in going:
        circle.restart(seat)
    circle.settle()


def closes(circle: Circle, seat: int) -> None:
    """The program of a seat is closed by its player: it says so, and is gone."""
    circle.tables[seat].quit(circle.now)
    circle.collect(seat)
    for other in others_of(seat):
        while circle.deliver(seat, other):
            pass
    circle.kill(seat)


@pytest.mark.parametrize("closing", [False, True], ids=["killed", "closed"])
@pytest.mark.parametrize("leaver", range(SEATS))
def test_R14_who_leaves_while_another_has_to_write_is_missed_when_it_is_his_turn(
    leaver: int, closing: bool
) -> None:
    """In a hand with a fight: at every kind of entry, whoever was to write it. The two others see at once
    that he is gone, and whether he left or was lost; they go on as far as they can without him."""
    phases = {parse_entry(raw).body_value[0] for raw in recorded(FIGHT).shelves[0].entries}
    assert phases >= KINDS
    for kind in sorted(phases):
        circle = resumed(height_of(kind, label=FIGHT), FIGHT)
        if closing:
            closes(circle, leaver)
        else:
            circle.kill(leaver)
        circle.settle()
        for other in others_of(leaver):
            how = circle.view(other).links[leaver]
            assert (how.kind, how.left) == ("away", closing), kind
        circle.pass_time(HEADS_SECONDS)  # these three were just loaded: first they compare what they hold
        until_due(circle, leaver)
        is_awaited_by_both(circle, leaver)
        held = list(circle.shelves[others_of(leaver)[0]].entries)
        comes_back(circle, leaver)
        circle.assert_level()
        views = [circle.view(seat) for seat in range(SEATS)]
        assert [(view.stopped, view.awaited_since) for view in views] == [(None, None)] * SEATS, kind
        assert circle.shelves[leaver].entries[: len(held)] == held
        assert circle.step(), f"after {kind} nobody can go on: {views[0].due}"


def until_due(circle: Circle, leaver: int) -> None:
    """The two who are there play until it is the leaver who has to write; nobody is missed before."""
    one = circle.view(others_of(leaver)[0])
    while one.due is not None and one.due.seat != leaver:
        circle.pass_time(SEEN_SECONDS)
        assert all(circle.view(other).awaited_since is None for other in others_of(leaver))
        assert circle.step(), one.due
        circle.settle()
        one = circle.view(others_of(leaver)[0])
    assert isinstance(one.due, Due)
