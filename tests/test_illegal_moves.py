"""Every illegal move the rules know is refused as an entry, with the code and the sentence of its rule."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.illegal import ILLEGAL, ME, UNMET, Illegal, dealt, entry, laid, position_of, templates
from tests.make_catalogue import texts_of
from tests.scripted import Script, trust
from tongits_lan.errors import Code, PeerFault
from tongits_lan.game import engine, refusals
from tongits_lan.game.moves import Meld, Pass, Sapaw
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.messages import Body, ClaimSpread, LayMeld

rows = pytest.mark.parametrize("row", ILLEGAL.values(), ids=ILLEGAL)


@rows
def test_the_rules_refuse_the_move(row: Illegal) -> None:
    assert engine.check(position_of(row), ME, row.move) == row.refusal


@rows
def test_an_entry_with_it_convicts_the_mover(row: Illegal) -> None:
    script = dealt(row)
    state = script.state
    with pytest.raises(PeerFault) as caught:
        accept(state, entry(script, row), trust)
    fault = caught.value
    assert (fault.code, fault.seat, fault.height) == (row.code, ME, state.height)
    if row.code is Code.RULES:
        assert fault.text == row.refusal


MELD = Illegal("", "", Meld(laid("9S 9H 9D")))
SPREAD = ILLEGAL["out of place: a spread that is none"]


@pytest.mark.parametrize(
    "legal",
    [MELD, Illegal("", "", Sapaw(0, laid("8S"))), replace(SPREAD, move=Pass())],
    ids=["meld", "sapaw", "pass"],
)
def test_a_legal_move_in_the_same_places_is_accepted(legal: Illegal) -> None:
    script = dealt(legal)
    state, _ = accept(script.state, entry(script, legal), trust)
    assert state.height == script.state.height + 1


def descending(script: Script) -> Body:
    """A meld whose slots are not in order."""
    slots = sorted(script.faces().index(card) for _, card in laid("9S 9H 9D"))[::-1]
    return LayMeld(tuple(slots), tuple(script.secrets(ME).k[slot] for slot in slots), ())


def in_part(script: Script) -> Body:
    """A spread of all cards but one."""
    slots = script.view(ME).position.hands[ME][1:]
    return ClaimSpread(b"".join(script.secrets(ME).k[slot] for slot in slots))


@pytest.mark.parametrize(("row", "make"), [(MELD, descending), (SPREAD, in_part)])
def test_a_move_that_no_entry_can_spell_is_refused_by_its_form(
    row: Illegal, make: Callable[[Script], Body]
) -> None:
    script = dealt(row)
    with pytest.raises(PeerFault) as caught:
        accept(script.state, script.sign(make(script)), trust)
    assert (caught.value.code, caught.value.seat) == (Code.BODY, ME)


def test_every_refusal_of_the_rules_is_met_or_named() -> None:
    said = {text for name, text in vars(refusals).items() if name.isupper() and isinstance(text, str)}
    source = Path(refusals.__file__).read_text("utf-8")
    said |= {text for _, text in texts_of(source) if isinstance(text, str)}
    met = {template for row in ILLEGAL.values() for template in templates(row.refusal)}
    assert len(said) > 50
    assert said - met == set(UNMET)
