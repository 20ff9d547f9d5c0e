"""A turn that runs out: what is played, when the clock stands still, nothing without a limit."""

from msgspec.structs import replace

from tests.screens import Player, player
from tongits_lan.console.arrange import split
from tongits_lan.console.idle import TurnClock, default_move
from tongits_lan.console.keys import Mode
from tongits_lan.game.cards import card_text
from tongits_lan.game.moves import Answer, Draw, Pass
from tongits_lan.ledger.effects import Reach


def ticks(one: Player, *seconds: float) -> None:
    for passed in seconds:
        one.now += passed
        one.desk.tick(one.now)
        one.follow()


def test_without_a_limit_nothing_ever_happens() -> None:
    one = player()
    ticks(one, 0.0, 10_000.0, 10_000.0)
    assert one.desk.turn_seconds is None
    assert one.seat.done == []


def test_item_18_a_turn_that_runs_out_is_drawn_and_thrown() -> None:
    one = player(turn_seconds=30)
    ticks(one, 0.0, 29.5)
    assert one.desk.turn_seconds == 1
    assert one.seat.done == []
    ticks(one, 1.0, 1.0)
    assert one.seat.position.turn == 0
    assert card_text(one.seat.position.discards[-1][1])[0] in "JQK"
    ticks(one, 1.0)
    assert one.desk.turn_seconds == 30, "everybody sees how long the next player has"


def test_a_question_is_closed_when_time_is_over() -> None:
    one = player(turn_seconds=30)
    one.press("d", "/", "4", "d", "enter")
    assert one.mode() is Mode.CONFIRM
    ticks(one, 0.0, 31.0)
    assert one.mode() is Mode.WAITING
    assert card_text(one.seat.position.discards[-1][1])[0] in "JQK"


def test_item_18_the_clock_stands_still_while_somebody_is_away() -> None:
    one = player(turn_seconds=30)
    ticks(one, 0.0)
    one.seat.show(links=(Reach("away"), Reach("direct"), Reach("me")))
    one.follow()
    ticks(one, 500.0)
    assert one.desk.turn_seconds == 30
    one.seat.show()
    one.follow()
    ticks(one, 10.0)
    assert one.desk.turn_seconds == 20


def test_a_new_turn_has_its_whole_time() -> None:
    one = player(turn_seconds=30)
    ticks(one, 0.0, 20.0)
    one.press("d", "enter")
    ticks(one, 0.0)
    one.others()
    ticks(one, 0.0)
    assert one.desk.turn_seconds == 30


def test_default_answers() -> None:
    view = player().seat.view
    best = split(view)
    assert default_move(view, best) == Draw()
    assert default_move(replace(view, legal=(Answer("challenge"), Answer("fold"))), best) == Answer("fold")
    assert default_move(replace(view, legal=(Pass(),)), best) == Pass()
    assert default_move(replace(view, legal=()), best) is None


def test_when_all_cards_are_melds_one_is_thrown_all_the_same() -> None:
    one = player("3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", stock="8D KS", turn_seconds=30)
    ticks(one, 0.0, 31.0, 1.0)
    assert card_text(one.seat.position.discards[-1][1])[0] == "K"


def test_the_clock_is_a_value() -> None:
    view = player(turn_seconds=60).seat.view
    begun = TurnClock().ticked(view, 5.0)
    assert begun == TurnClock(60.0, 5.0, view.me)
    assert begun.ticked(view, 7.5) == TurnClock(57.5, 7.5, view.me)
    assert begun == TurnClock(60.0, 5.0, view.me)
