"""Play entries: bodies and moves are two forms of one thing, and hands of every preset can be played."""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.scripted import Script, plain_choice, trust
from tongits_lan.game import engine
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Move, Spread, Take
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.accept import accept, due, slots_due
from tongits_lan.ledger.hand import Tools
from tongits_lan.ledger.play import body_of, play
from tongits_lan.ledger.state import KeyDue, KeyReleased, Phase, Played


class _Chooser:
    """Any legal move, a discard or draw more often than its share."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.chosen: list[Move] = []

    def __call__(self, view: View, legal: Sequence[Move]) -> Move:
        plain = [move for move in legal if isinstance(move, Discard | Draw | Call | Spread)]
        move = self._rng.choice(plain if plain and self._rng.random() < 0.4 else list(legal))
        self.chosen.append(move)
        return move


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(2))
def test_random_hands_of_every_preset_are_settled(preset: str, seed: int) -> None:
    script = Script(f"{preset}/{seed}", rules=PRESETS[preset])
    script.play_hand(_Chooser(random.Random(seed)))
    (record,) = script.state.records
    assert sum(script.state.match.chips) + script.state.match.pot == 0
    assert sorted(record.faces or ()) == list(range(script.rules.n))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_legal_move_has_a_body_that_makes_it(preset: str) -> None:
    script = Script(f"bodies/{preset}", rules=PRESETS[preset])
    choose = _Chooser(random.Random(preset))
    seen: set[type[Move]] = set()
    while script.state.phase is not Phase.SETTLE:
        if script.due_body() is None:
            view = script.view(script.writer())
            k = script.secrets(view.seat).k
            for move in engine.legal_moves(view):
                body = body_of(script.state, move, k.__getitem__)
                after, _ = play(script.state, view.seat, body, Tools(trust))
                assert after.hand is not None
                assert after.hand.position == engine.apply(view.position, view.seat, move)[0]
                seen.add(type(move))
        script.step(choose)
    assert {Draw, Discard} <= seen


def test_a_draw_waits_for_two_keys_in_turn_order() -> None:
    script = Script("keys")
    script.until(Phase.PLAY)
    while not _drawing(script):
        script.step(plain_choice)
    seat = script.writer()
    script.move(Draw())
    hand = script.state.hand
    assert hand is not None
    assert hand.key_due == KeyDue(37, ((seat + 1) % 3, (seat + 2) % 3))
    assert slots_due(script.state, (seat + 1) % 3) == (37,)
    assert slots_due(script.state, (seat + 2) % 3) == ()
    first = due(script.state)
    assert first is not None
    assert (first.seat, first.kinds) == ((seat + 1) % 3, ("key", "forfeit"))
    script.step(plain_choice)
    script.step(plain_choice)
    assert script.events[-1] == KeyReleased((seat + 2) % 3, 37)
    assert script.writer() == seat
    assert script.state.hand is not None
    assert script.state.hand.key_due is None


def _drawing(script: Script) -> bool:
    return Draw() in engine.legal_moves(script.view(script.writer())) if script.due_body() is None else False


@pytest.mark.parametrize(
    ("stock_end", "keys"), [("after_last_drawer_turn", 30), ("on_last_draw", 30), ("on_failed_draw", 30)]
)
def test_the_last_stock_card_has_its_keys_too(stock_end: str, keys: int) -> None:
    rules = replace(PRESETS["pagat"], stock_end=stock_end)
    script = Script(f"stock/{stock_end}", rules=rules)
    script.play_hand(_discard_only)
    assert script.state.records[0].settlement.end == "stock"
    assert sum(isinstance(event, KeyReleased) for event in script.events) == keys


def _discard_only(_: View, legal: Sequence[Move]) -> Move:
    return next(move for move in legal if isinstance(move, Discard | Draw))


def test_moves_become_events_of_the_mover() -> None:
    script = Script("events")
    script.play_hand()
    played = [event for event in script.events if isinstance(event, Played)]
    assert {event.seat for event in played} == {0, 1, 2}


def test_a_called_draw_is_answered_in_turn() -> None:
    def answered(number: int) -> int:
        choose = _CallsAndAnswers()
        Script(f"call/{number}", rules=PRESETS["wikipedia"]).play_hand(choose)
        return choose.answered

    assert any(map(answered, range(12)))  # at the first hand in which somebody calls


class _CallsAndAnswers:
    """Calls when it may, challenges when it may."""

    def __init__(self) -> None:
        self.answered = 0

    def __call__(self, view: View, legal: Sequence[Move]) -> Move:
        if isinstance(legal[0], Answer):
            self.answered += 1
            return max((m for m in legal if isinstance(m, Answer)), key=lambda m: m.word == "challenge")
        calls = [move for move in legal if isinstance(move, Call)]
        takes = [move for move in legal if isinstance(move, Take)]
        return (calls or takes or [plain_choice(view, legal)])[0]


def test_the_pass_row_goes_round_and_then_play_begins() -> None:
    script = Script("spread", rules=PRESETS["wikipedia"])
    script.until(Phase.SPREAD)
    hand = script.state.hand
    assert hand is not None
    for seat in hand.order:
        now = due(script.state)
        assert now is not None
        assert (now.seat, now.kinds) == (seat, ("pass", "spread", "forfeit"))
        assert len(slots_due(script.state, seat)) == (13 if seat == hand.dealer else 12)
        script.step(plain_choice)
    assert script.state.phase is Phase.PLAY


def test_the_same_state_takes_another_entry_after_a_refusal() -> None:
    script = Script("after a refusal")
    script.until(Phase.PLAY)
    state = script.state
    script.step(plain_choice)
    assert accept(state, script.entries[-1], script.judge)[0] == script.state
