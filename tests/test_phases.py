"""The rows of writers, and the questions whose answer follows from a state."""

import pytest

from tests.scripted import Script, plain_choice
from tongits_lan.deck.shuffle import first_deck
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import start_match
from tongits_lan.ledger.accept import HANDLERS
from tongits_lan.ledger.chain import coin, result_digest
from tongits_lan.ledger.phases import PLAY_ROWS, ROWS, due, kind_name, outcome, pass_input, result_now
from tongits_lan.ledger.state import Hand, Phase, TableOpened


def _hand(script: Script) -> Hand:
    assert script.state.hand is not None
    return script.state.hand


def test_the_rows_before_play() -> None:
    script = Script("rows")
    rows: list[tuple[Phase, int, tuple[str, ...]]] = []
    while script.state.phase is not Phase.PLAY:
        now = due(script.state)
        assert now is not None
        rows.append((script.state.phase, now.seat, now.kinds))
        script.step(plain_choice)
    order = _hand(script).order
    expected: list[tuple[Phase, int, tuple[str, ...]]]
    expected = [(phase, seat, (str(phase),)) for phase in (Phase.SIT, Phase.OPEN) for seat in range(3)]
    for phase in (Phase.COMMIT, Phase.SHUFFLE, Phase.LOCK, Phase.PROVE, Phase.READY, Phase.DEAL):
        expected += [(phase, seat, (str(phase), "forfeit")) for seat in order]
    assert rows == expected


def test_the_rows_after_play() -> None:
    script = Script("rows after")
    script.until(Phase.END)
    rows = []
    for _ in range(9):
        now = due(script.state)
        assert now is not None
        rows.append((now.seat, now.kinds))
        script.step(plain_choice)
    dealer = script.state.records[0].dealer
    order = [(dealer + turn) % 3 for turn in range(3)]
    kinds = [("end",), ("reveal",), ("next", "leave")]
    assert rows == [(seat, kind) for kind in kinds for seat in order]


def test_the_coin_names_the_first_dealer_and_the_outcome_does_not() -> None:
    script = Script("coin")
    script.until(Phase.COMMIT)
    assert outcome(script.state) == script.descriptor.start
    assert outcome(script.state).dealer is None
    assert _hand(script).dealer == coin(script.nonces)
    opened = [event for event in script.events if isinstance(event, TableOpened)]
    assert [event.dealer for event in opened] == [coin(script.nonces)]
    assert script.state.words == opened[0].words


@pytest.mark.parametrize("dealer", range(3))
def test_a_table_that_goes_on_keeps_its_dealer_and_chips(dealer: int) -> None:
    start = start_match((5, -9, 1), 3, 1, 1, dealer)
    script = Script("goes on", start=start, previous=(bytes(32), bytes(32)))
    script.until(Phase.COMMIT)
    assert _hand(script).dealer == dealer
    assert _hand(script).ante == PRESETS["pagat"].ante_next
    assert outcome(script.state).chips == (5, -9, 1)


def test_each_pass_goes_on_from_the_one_before() -> None:
    script = Script("passes")
    script.until(Phase.SHUFFLE)
    assert pass_input(script.state) == first_deck(52)
    script.step(plain_choice)
    assert pass_input(script.state) == _hand(script).shuffles[0]
    script.until(Phase.LOCK)
    assert pass_input(script.state) == _hand(script).shuffles[2]
    script.step(plain_choice)
    assert pass_input(script.state) == _hand(script).locks[0]
    script.until(Phase.PROVE)
    order = _hand(script).order
    assert [_hand(script).passes[seat] for seat in order] == [(9, 12), (10, 13), (11, 14)]


def test_the_result_is_that_of_the_hand() -> None:
    script = Script("result")
    script.play_hand()
    assert result_now(script.state) == result_digest(1, script.state.match)
    assert result_now(script.state) != result_digest(2, script.state.match)


def test_every_phase_has_a_row_and_every_row_its_handlers() -> None:
    assert {*ROWS, Phase.PLAY} == set(Phase)
    assert all((phase, kind) in HANDLERS for phase, row in ROWS.items() for kind in row)
    assert all((Phase.PLAY, kind) in HANDLERS for row in PLAY_ROWS.values() for kind in row)
    names = {kind_name(kind) for _, kind in HANDLERS}
    assert len(names) == len({kind for _, kind in HANDLERS}) == 24
