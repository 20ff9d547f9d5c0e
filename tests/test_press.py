"""Keys around the hand: leaving, the end of a hand, table words, absence, the lobby."""

import random
from dataclasses import dataclass, field, replace

import msgspec
import pytest

from tests.screens import Player, Seat, finished, player
from tongits_lan.bots import choose
from tongits_lan.console.boxes import cells
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode, special_keys
from tongits_lan.console.press import press
from tongits_lan.console.render import render, text_of
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Screen
from tongits_lan.console.wants import Want
from tongits_lan.errors import Code, Refused
from tongits_lan.game.cards import parse_card
from tongits_lan.game.engine import legal_moves, view
from tongits_lan.game.moves import Move
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.net.config import RuleSet, presets
from tongits_lan.net.events import LobbyChanged
from tongits_lan.net.lobby import LobbySeat, LobbyView


def test_leaving_asks_and_can_keep_or_give_up() -> None:
    one = player()
    one.press("q")
    assert one.mode() is Mode.QUIT
    one.press("enter")
    assert one.mode() is Mode.START
    one.desk.take_wants()
    one.press("q", "k")
    assert one.desk.take_wants() == (Want.CLOSE,)
    one.press("escape", "q", "g")
    question = one.desk.ui.question
    assert question is not None
    assert "you pay 3 chips to each" in question.text
    one.press("enter")
    assert one.seat.done == ["give_up"]


def test_an_enter_meant_for_a_card_does_not_skip_the_result() -> None:
    one = finished()
    one.press("enter", every=0.3)
    assert one.note == "That key came too early: look, then press it again."
    one.press("enter", every=0.6)
    assert one.seat.done[-1] == "go_on"


def test_an_act_without_effect_does_not_hold_the_keys_for_ever() -> None:
    one = player()
    one.press("q", "g", "enter")
    assert one.seat.done == ["give_up"]
    one.press("d")
    assert one.note == "That key came too early: look, then press it again."
    one.press("d", every=5.0)
    assert one.seat.done == ["give_up", "submit"]


def test_ctrl_c_twice_closes() -> None:
    one = player()
    one.desk.take_wants()
    one.press("c-c")
    assert one.mode() is Mode.QUIT
    one.press("c-c", every=2.1)
    assert one.desk.take_wants() == ()
    one.press("c-c", every=1.0)
    assert one.desk.take_wants() == (Want.INTERRUPT,)


def test_the_end_of_a_hand_goes_on_or_leaves() -> None:
    one = finished()
    assert one.mode() is Mode.RESULT
    one.press("l")
    assert one.mode() is Mode.CONFIRM
    one.press("escape", "L", "escape")
    assert one.seat.done.count("leave_table") == 0
    one.press("l", "enter")
    assert one.seat.done[-1] == "leave_table"
    one.seat.show(can_go_on=True, height=99)
    one.follow()


def test_enter_confirms_the_result_once() -> None:
    one = finished()
    one.press("enter", "enter")
    assert one.seat.done.count("go_on") == 1


def test_the_table_words_are_confirmed_or_refused() -> None:
    one = player()
    one.seat.show(can_confirm_words=True)
    one.follow()
    assert one.mode() is Mode.WORDS
    one.press("d", "x", "escape")
    assert one.seat.done == []
    one.press("x", "enter")
    assert one.seat.done == ["words_differ"]
    one.press("enter")
    assert one.seat.done == ["words_differ", "confirm_words"]


def test_waiting_for_an_absent_player() -> None:
    one = player()
    one.press("d", "enter", "w")
    assert "Nobody" in one.note
    one.seat.show(grace_over=True, awaited_since=3.0)
    one.follow()
    one.press("w")
    assert one.seat.done[-1] == "keep_waiting"


def test_another_table_is_begun_while_a_player_is_away() -> None:
    one = player()
    one.press("d", "enter", "n")
    assert "while a player is away" in one.note
    links = (Reach("away"), Reach("direct"), Reach("me"))
    one.seat.show(links=links)
    one.follow()
    assert "n  begin another table" in text_of(Screen(80, 24, one.desk.ui, one.desk.view, 4))
    assert "w  keep waiting" not in text_of(Screen(80, 24, one.desk.ui, one.desk.view, 4))
    one.press("n")
    assert one.mode() is Mode.CONFIRM
    one.press("escape")
    assert "put_aside" not in one.seat.done
    one.seat.show(links=links, grace_over=True)
    one.follow()
    for size in ((80, 24), (60, 16)):
        shown = text_of(Screen(*size, one.desk.ui, one.desk.view, 4))
        for key in ("w  keep waiting", "n  begin another table", "q  leave"):
            assert key in shown
    one.press("n", "enter")
    assert one.seat.done[-1] == "put_aside"
    assert Want.CLOSE in one.desk.take_wants()


def test_a_stopped_table_is_closed_with_one_key() -> None:
    one = player()
    one.seat.show(stopped=Stop(Code.PROOF, "x", 1, 1, 9))
    one.follow()
    assert one.mode() is Mode.CLOSED
    one.desk.take_wants()
    one.press("enter")
    assert one.desk.take_wants() == (Want.CLOSE,)
    one.press("q")
    assert one.desk.take_wants() == (Want.CLOSE,)


@dataclass
class Door:
    """A session in its lobby."""

    view: LobbyView
    done: list[object] = field(default_factory=list)
    files: tuple[RuleSet, ...] = ()

    def choose(self, tag: bytes) -> None:
        self.done.append(tag)

    def set_ready(self, value: bool) -> None:
        self.done.append(value)

    def chat(self, text: str) -> None:
        self.done.append(text)

    def enter_code(self, text: str) -> None:
        if text.count("-") != 2:
            raise Refused("That is no join code.")
        self.done.append(text)

    def accept(self) -> None:
        self.done.append("accept")

    def kick(self, place: int) -> None:
        self.done.append(f"kick {place}")

    def leave_lobby(self) -> None:
        self.done.append("leave")

    def add_bot(self) -> None:
        if not self.view.can_seat_bot:
            raise Refused("No place is empty.")
        self.done.append("bot")

    def resume(self) -> None:
        if self.view.unfinished is None:
            raise Refused("These three have no unfinished table here.")
        self.done.append("resume")

    def rule_sets(self) -> tuple[RuleSet, ...]:
        return (*presets(), *self.files)

    def set_rules(self, rules: Rules) -> None:
        self.done.append(rules)

    def _no_table(self) -> None:
        raise Refused("There is no table yet.")

    confirm_words = words_differ = go_on = leave_table = give_up = _no_table
    keep_waiting = put_aside = play_again = _no_table

    def submit(self, move: Move) -> None:
        self._no_table()

    def played(self) -> None:
        return None


def lobby(*, ready: bool = False) -> LobbyView:
    seats = (LobbySeat("Ana", ("a", "b", "c", "d"), ready, False, None),)
    return LobbyView(True, 0, seats, PRESETS["pagat"], None, ("127.0.0.1:15213",), None)


def test_the_lobby_is_ready_with_enter_or_space() -> None:
    door = Door(lobby())
    desk = Desk(door, LETTERS)
    press(desk, "enter", 1.0)
    door.view = lobby(ready=True)
    desk.heard(LobbyChanged(), 2.0)
    press(desk, " ", 3.0)
    assert door.done == [True, False]
    press(desk, "q", 4.0)
    press(desk, "g", 5.0)
    assert "no hand to give up" in (desk.ui.note or "")
    press(desk, "q", 6.0)
    press(desk, "k", 7.0)
    assert door.done[-1] == "leave", "the others are told, then the session ends by itself"


def test_the_screen_goes_from_lobby_to_table() -> None:
    door = Door(lobby())
    desk = Desk(door, LETTERS)
    assert desk.mode is Mode.LOBBY
    seat = player().seat
    table = Desk(seat, LETTERS)
    assert table.mode is Mode.START
    assert table.ui.layout.order
    assert parse_card("KD") in {seat.faces[slot] for slot in table.ui.layout.order}


def test_other_keys_want_the_program_around() -> None:
    one = player()
    one.desk.take_wants()
    one.press("c-l", "c-z")
    assert one.desk.take_wants() == (Want.REDRAW, Want.SUSPEND)


LIKELY = ("d", "enter", "escape", "1", "f", "y", "n", "right", " ")
KEYS = (*special_keys(), *"abcdefghijklmnopqrstuvwxyzLQJT0123456789 !?/<>,.é")


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_any_keys_at_any_time_break_nothing_and_only_make_legal_moves(preset: str) -> None:
    rng = random.Random(preset)
    one = Player(Seat(rules=PRESETS[preset], seed=rng.randrange(1000), dealer=rng.randrange(3)))
    made = 0
    sizes = ((60, 16), (80, 24), (120, 40))
    for step in range(700):
        turn = one.seat.position.turn
        if turn is None:
            one = Player(Seat(rules=PRESETS[preset], seed=rng.randrange(1000), dealer=rng.randrange(3)))
            continue
        if turn != 2 or rng.random() < 0.03:
            seen = view(one.seat.position, turn, dict(enumerate(one.seat.faces)))
            one.seat.move(turn, choose(seen, legal_moves(seen), rng))
            one.follow()
            continue
        keys = LIKELY if rng.random() < 0.7 else KEYS
        one.press(rng.choice(keys), every=rng.choice((0.01, 1.0)))
        picture = render(Screen(*sizes[step % 3], one.desk.ui, one.desk.view))
        assert {cells(content) for content in picture} == {sizes[step % 3][0]}
        made += len(one.seat.done)
        one.seat.done.clear()
    assert made > 10


def test_item_23_a_new_table_with_the_same_three_is_one_key() -> None:
    one = player()
    one.seat.show(closed=True, legal=(), position=None)
    one.follow(wait=5.0)
    one.desk.take_wants()
    one.press("a")
    assert one.seat.done == ["play_again"]
    assert Want.CLOSE in one.desk.take_wants()


def test_item_23_between_two_hands_a_new_table_is_asked_about() -> None:
    one = finished(wait=5.0)
    one.seat.done.clear()
    one.press("a")
    assert one.mode() is Mode.CONFIRM
    one.press("enter")
    assert one.seat.done == ["play_again"]
    one.seat.view = msgspec.structs.replace(one.seat.view, can_leave=False, can_go_on=False)
    one.follow(wait=5.0)
    one.desk.change(replace(one.desk.ui, question=None))
    one.press("a")
    assert "between two hands" in one.note
