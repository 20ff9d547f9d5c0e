"""What only opened cards show to be false: it stops nobody, the hand counts, and the foul has its price."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cheating import body_now
from tests.hostile.stage import stage
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script, plain_choice
from tests.sessions import ledgers, report_of, table
from tongits_lan.game import engine
from tongits_lan.game.moves import Discard, Hide, Move
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.messages import Entries, HideSet
from tongits_lan.ledger.report import sentences
from tongits_lan.ledger.state import Phase


def openly(view: View, legal: Sequence[Move]) -> Move:
    """Plays plainly and lays nothing face down."""
    return plain_choice(view, [move for move in legal if not isinstance(move, Hide)])


def a_false_set_face_down() -> tuple[Script, int]:
    """Four cards of a hand that are no set."""
    script = standing(Phase.PLAY)
    bad = script.writer()
    script.write(HideSet(script.view(bad).position.hands[bad][:4]))
    return script, bad


def a_card_that_must_not_be_thrown() -> tuple[Script, int]:
    """At a table where no card may be thrown that fits a meld: the first one that somebody holds."""
    script = Script("fit ban", rules=replace(PRESETS["pagat"], discard_fit_ban=True), proved=True)
    script.until(Phase.PLAY)
    while True:
        playing = script.due_body() is None
        view = script.view(script.writer()) if playing else None
        if view is not None and view.position.phase is GamePhase.ACTION:
            legal = engine.legal_moves(view)
            fitting = [card for card in view.faces.items() if Discard(card) not in legal]
            if fitting:
                bad = script.writer()
                script.move(Discard(fitting[0]))
                return script, bad
        script.step(openly)


@pytest.mark.parametrize("foul", [a_false_set_face_down, a_card_that_must_not_be_thrown])
async def test_it_is_found_at_the_end_and_scored(
    tmp_path: Path, foul: Callable[[], tuple[Script, int]]
) -> None:
    script, bad = foul()
    script.until(Phase.REVEAL, openly)
    async with stage(tmp_path, script, bad, cut=len(script.entries)) as scene:
        wires = await scene.wires()
        while script.state.phase is Phase.REVEAL:
            mine = script.writer() == bad
            script.write(body_now(script))
            if mine:
                wires[0].say(Entries(script.state.height - 1, tuple(script.entries[-1:])))
            else:
                await scene.reach(script.state.height)
        await scene.reach(script.state.height)
        scene.goes_on()
        ledger = ledgers(tmp_path, [scene.name(scene.first)])[0]
        told = sentences(report_of(ledger))
        assert any(f"foul by {NAMES[bad]}" in line for line in told), told
        assert table(scene.first).match == script.state.match
