"""Illegal moves over real links, at tables whose own options or whose turn of play forbid them.

What every rule refuses is tried without links in test_illegal_moves.py; here two honest programs that play
by the same options stop over it, and the offline check says the same.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cheating import hand_now, held
from tests.hostile.stage import stage
from tests.illegal import rules_of
from tests.make_ledgers import standing
from tests.scripted import NAMES, Script, plain_choice
from tongits_lan.errors import Code, PeerFault
from tongits_lan.game import engine, refusals
from tongits_lan.game.moves import Call, Hide, Move, Sapaw
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.game.position import Position, View
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.messages import (
    AnswerDraw,
    Body,
    CallDraw,
    ClaimSpread,
    HideSet,
    LayOff,
    TakeDiscard,
)
from tongits_lan.ledger.report import sentences
from tongits_lan.ledger.state import Phase

HANDS = 3  # of play in which what is looked for surely comes
STRICT = {
    "spread": "jackpot",
    "secret_face_down": "off",
    "discard_take": "none",
    "sapaw_before_open": False,
    "challenge_requirement": "opened_or_special",
}
Chooser = Callable[[View, Sequence[Move]], Move]
Wanted = Callable[[Script, Position], Body | None]


@dataclass(frozen=True, slots=True)
class Deed:
    """At this table the first move of its kind that is found is made, and `refusal` said."""

    table: Callable[[], Script]
    wanted: Wanted
    refusal: str
    choose: Chooser = plain_choice


def keys(script: Script, slots: Sequence[int]) -> tuple[bytes, ...]:
    """The mover's own keys."""
    secrets = script.secrets(script.writer())
    return tuple(secrets.k[slot] for slot in slots)


def mine(script: Script) -> tuple[int, ...]:
    """What the mover holds."""
    return held(script, script.writer())


def a_spread_of_any_hand(script: Script, position: Position) -> Body | None:
    if position.phase is not GamePhase.SPREAD:
        return None
    return ClaimSpread(b"".join(keys(script, mine(script))))


def a_set_laid_face_down(script: Script, position: Position) -> Body | None:
    return HideSet(mine(script)[:4]) if position.phase is GamePhase.ACTION else None


def a_discard_taken(script: Script, position: Position) -> Body | None:
    if position.phase is not GamePhase.START:
        return None
    slots = mine(script)[:2]
    return TakeDiscard(None, slots, keys(script, slots), ())


def a_discard_taken_onto_a_meld(script: Script, position: Position) -> Body | None:
    if position.phase is not GamePhase.START or not position.melds:
        return None
    return TakeDiscard(0, (), (), ())


def a_lay_off_onto_what_lies_face_down(script: Script, position: Position) -> Body | None:
    if position.phase is not GamePhase.ACTION or not position.melds:
        return None
    slots = mine(script)[:1]
    return LayOff(0, slots, keys(script, slots), ())


def a_lay_off_before_opening(script: Script, position: Position) -> Body | None:
    """A card that would fit, laid by a player without a meld."""
    seat = script.writer()
    if position.phase is not GamePhase.ACTION or position.opened(seat):
        return None
    view = script.view(seat)
    free = replace(position, rules=replace(position.rules, sapaw_before_open=True))
    fitting = [move for move in engine.legal_moves(replace(view, position=free)) if isinstance(move, Sapaw)]
    if not fitting:
        return None
    slots = tuple(slot for slot, _ in fitting[0].cards)
    return LayOff(fitting[0].meld, slots, keys(script, slots), ())


def a_call_while_locked(script: Script, position: Position) -> Body | None:
    seat = script.writer()
    if position.phase is not GamePhase.START or not position.own_turns[seat] or not position.locked[seat]:
        return None
    return CallDraw((), ())


def a_challenge_without_a_special(script: Script, position: Position) -> Body | None:
    if position.phase is not GamePhase.ANSWERS or position.opened(script.writer()):
        return None
    return AnswerDraw("challenge", (), ())


def hiding(view: View, legal: Sequence[Move]) -> Move:
    """Lays four cards of a hand face down, whatever they are, while no meld is there."""
    position = view.position
    if position.phase is GamePhase.ACTION and not position.melds:
        return Hide(position.hands[view.seat][:4])
    return plain_choice(view, [move for move in legal if not isinstance(move, Hide)])


def calling(view: View, legal: Sequence[Move]) -> Move:
    """Calls as soon as that is allowed."""
    return next((move for move in legal if isinstance(move, Call)), plain_choice(view, legal))


def plain() -> Script:
    """A table of pagat, as the first hand is dealt."""
    return standing(Phase.PLAY)


@functools.cache
def _strict() -> Script:
    script = Script("strict", rules=rules_of(STRICT), proved=True)
    script.until(Phase.SPREAD)
    return script


def strict() -> Script:
    """A table with `STRICT`, as the first hand is dealt: a spread may be claimed."""
    return _strict().clone()


DEEDS = {
    "false spread": Deed(strict, a_spread_of_any_hand, refusals.SPREAD_COUNT),
    "hidden where that is off": Deed(strict, a_set_laid_face_down, refusals.HIDE_OFF),
    "taken where nobody takes": Deed(strict, a_discard_taken, refusals.TAKE_OFF),
    "laid off unopened": Deed(strict, a_lay_off_before_opening, refusals.SAPAW_UNOPENED),
    "challenged unentitled": Deed(
        strict, a_challenge_without_a_special, refusals.challenge_needs_special("set4"), choose=calling
    ),
    "taken to lay off": Deed(plain, a_discard_taken_onto_a_meld, refusals.TAKE_NEW_ONLY),
    "onto a hidden set": Deed(
        plain, a_lay_off_onto_what_lies_face_down, refusals.SAPAW_FACE_DOWN, choose=hiding
    ),
    "called while locked": Deed(plain, a_call_while_locked, refusals.NO_CALL),
}


def found(deed: Deed) -> tuple[Script, bytes]:
    """A real ledger at whose end somebody may be tempted, and the entry that gives in."""
    script = deed.table()
    while len(script.state.records) < HANDS:
        playing = script.state.phase in (Phase.SPREAD, Phase.PLAY) and script.due_body() is None
        position = hand_now(script).position if playing else None
        body = None if position is None else deed.wanted(script, position)
        if body is not None:
            return script, script.sign(body)
        script.step(deed.choose)
    raise AssertionError("nobody came into temptation")


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
async def test_both_stop_at_a_move_against_the_rules_of_their_table(tmp_path: Path, deed: Deed) -> None:
    script, raw = found(deed)
    bad = script.writer()
    with pytest.raises(PeerFault) as caught:
        accept(script.state, raw, script.judge)
    assert (caught.value.code, caught.value.seat) == (Code.RULES, bad)
    assert caught.value.text.startswith(deed.refusal)
    async with stage(tmp_path, script, bad) as scene:
        await scene.show(*script.entries[scene.height :], raw)
        report = await scene.convicted(Code.RULES, caught.value.text.format(*NAMES))
        assert "move is against the rules" in sentences(report)[-1]
