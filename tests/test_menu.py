"""The numbered choices: exactly what the view allows, in words and as JSON."""

import json
from dataclasses import replace
from typing import cast

import msgspec
import pytest

from tests.screens import Seat
from tongits_lan.cli.menu import Choice, Menu, menu
from tongits_lan.console.text import Voice
from tongits_lan.errors import Refused
from tongits_lan.game.moves import Discard, Draw
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.state import Due
from tongits_lan.net.config import RuleSet, presets
from tongits_lan.net.session import LobbySeat, LobbyView, Session

VOICE = Voice(("Ana", "Ben", "Carlo"), 2)


def test_every_legal_move_has_a_number_and_nothing_else_is_a_move() -> None:
    seat = Seat(me=0, dealer=0)
    asked = menu(seat.view, VOICE)
    assert asked is not None
    moves = [choice.move for choice in asked.choices if choice.move is not None]
    assert set(moves) == set(seat.view.legal)
    assert len(moves) == len(seat.view.legal)
    assert len({choice.text for choice in asked.choices}) == len(asked.choices), "no two lines are the same"
    assert isinstance(moves[-1], Discard), "discards come last"
    assert asked.choices[-1].does == "quit"


def test_choices_are_json_with_the_cards_of_the_move() -> None:
    seat = Seat(me=0, dealer=0)
    asked = menu(seat.view, VOICE)
    assert asked is not None
    shown = [json.loads(json.dumps(choice.as_object(n))) for n, choice in enumerate(asked.choices, 1)]
    discards = [line for line in shown if line.get("move") == "discard"]
    assert len(discards) == 13
    assert {len(line["cards"]) if "cards" in line else 1 for line in discards} == {1}
    assert [line["n"] for line in shown] == list(range(1, len(shown) + 1))


def test_nothing_is_asked_while_another_is_on_turn() -> None:
    assert menu(Seat(me=2, dealer=0).view, VOICE) is None


def test_giving_up_asks_once_more_and_names_the_cost() -> None:
    view = msgspec.structs.replace(Seat(me=0, dealer=0).view, can_give_up=True)
    asked = menu(view, VOICE)
    assert asked is not None
    (choice,) = [choice for choice in asked.choices if choice.does == "give_up"]
    assert "3 chips" in choice.text
    assert choice.sure is not None
    sure = choice.sure(cast(Session, Asked()))
    assert [inner.does for inner in sure.choices] == ["play_on", "give_up"]
    assert sure.key == asked.key, "the question stays the same one"


def test_the_words_are_compared_before_anything_else() -> None:
    asked = menu(Seat(me=0, dealer=0).seen(can_confirm_words=True), VOICE)
    assert asked is not None
    assert "dagat mangga bituin walis" in asked.question
    assert [choice.does for choice in asked.choices] == ["confirm_words", "words_differ"]


def test_an_absent_seat_may_be_waited_for() -> None:
    view = msgspec.structs.replace(
        Seat(me=2, dealer=0).view, grace_over=True, due=Due(0, ("draw",)), awaited_since=1.0
    )
    asked = menu(view, VOICE)
    assert asked is not None
    assert asked.question.startswith("Ana")
    assert [choice.does for choice in asked.choices] == ["keep_waiting", "put_aside", "quit"]


def test_the_lobby_asks_once_whether_one_is_ready() -> None:
    def lobby(ready: bool) -> LobbyView:
        seat = LobbySeat("Ana", ("a", "b", "c", "d"), ready, bot=False, operator=None)
        return LobbyView(True, 0, (seat,), None, None, (), None)

    asked = menu(lobby(ready=False), VOICE)
    assert asked is not None
    assert asked.choices[0].does == "ready"
    assert menu(lobby(ready=True), VOICE) is None


class Asked:
    """A session that only notes what it is asked for."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def add_bot(self) -> None:
        self.done.append("bot")

    def kick(self, place: int) -> None:
        self.done.append(place)

    def resume(self) -> None:
        self.done.append("resume")

    def set_rules(self, rules: Rules) -> None:
        self.done.append(rules)

    def rule_sets(self) -> tuple[RuleSet, ...]:
        house = msgspec.structs.replace(PRESETS["house"], base=50)
        return (*presets(), RuleSet("bahay.toml", house), RuleSet("luma.toml", None, "line 3 is wrong"))


def test_a_host_changes_rules_turn_hands_and_bots_by_number() -> None:
    pagat = PRESETS["pagat"]
    words = ("a", "b", "c", "d")
    seats = (LobbySeat("Ana", words, False, False, None), LobbySeat("Mang Berto", words, True, True, "Ana"))
    view = LobbyView(True, 0, seats, pagat, None, (), None, can_seat_bot=True)
    session = Asked()

    def of(shown: Menu | None, text: str) -> Choice:
        assert shown is not None
        (found,) = [choice for choice in shown.choices if text in choice.text]
        return found

    def do(choice: Choice) -> object:
        choice.act(cast(Session, session))
        return session.done.pop()

    asked = menu(view, VOICE)
    assert do(of(asked, "seat a bot")) == "bot"
    assert do(of(asked, "send the bot Mang Berto away")) == 1
    assert do(of(asked, "30 s a turn")) == msgspec.structs.replace(pagat, turn_seconds=30)
    assert do(of(asked, "after 5 hands")) == msgspec.structs.replace(pagat, hands=5)
    other = of(asked, "other rules")
    assert other.sure is not None
    sets = other.sure(cast(Session, session))
    assert asked is not None
    assert sets.key == asked.key, "the question stays until the lobby is another one"
    assert "pagat [24f09bd1]" in sets.question
    assert do(of(sets, "joker")) == PRESETS["joker"]
    assert do(of(sets, "bahay.toml")) == msgspec.structs.replace(PRESETS["house"], base=50)
    with pytest.raises(Refused, match="line 3"):
        do(of(sets, "luma.toml"))
    of(sets, "leave them").act(cast(Session, session))
    assert session.done == []
    unfinished = menu(replace(view, unfinished="2026-11-29"), VOICE)
    assert unfinished is not None
    assert (unfinished.choices[0].does, unfinished.choices[1].does) == ("resume", "ready")
    assert do(unfinished.choices[0]) == "resume"
    changed = menu(replace(view, rules=PRESETS["joker"]), VOICE)
    assert changed is not None
    assert changed.key != asked.key
    guest = menu(replace(view, hosting=False, can_seat_bot=False), VOICE)
    assert guest is not None
    assert [choice.does for choice in guest.choices] == ["ready", "leave_lobby"]


def test_a_closed_table_asks_nothing() -> None:
    assert menu(msgspec.structs.replace(Seat(me=0, dealer=0).view, closed=True), VOICE) is None


def test_a_draw_is_offered_at_the_start_of_a_turn() -> None:
    seat = Seat(me=2, dealer=0)
    while seat.position.turn != 2:
        seat.others()
    asked = menu(seat.seen(), VOICE)
    assert asked is not None
    assert any(isinstance(choice.move, Draw) for choice in asked.choices)
