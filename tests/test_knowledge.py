"""What each seat can open at each moment: the table "What going away shows" of docs/protocol.md."""

import functools

from tests.scripted import Script, plain_choice
from tongits_lan.deck.opening import open_element
from tongits_lan.game.dealing import dealt_to
from tongits_lan.game.engine import legal_moves
from tongits_lan.game.moves import Draw
from tongits_lan.ledger.state import Hand, Phase


def hand_of(script: Script) -> Hand:
    assert script.state.hand is not None
    return script.state.hand


def opens(script: Script, seat: int) -> set[int]:
    """The slots of which a seat has all three keys: published ones, its own, those of seeds that are open.

    What it opens with them is the card that lies there."""
    hand = hand_of(script)
    keys = []
    for other in range(3):
        seed_known = other == seat or hand.seeds[other] is not None
        keys.append(dict(enumerate(script.secrets(other).k)) if seed_known else dict(hand.keys[other]))
    slots = set.intersection(*(set(of_seat) for of_seat in keys))
    for slot in slots:
        card = open_element(hand.locks[-1][slot], [of_seat[slot] for of_seat in keys], script.rules.n)
        assert card == script.faces()[slot]
    return slots


@functools.cache
def _locked() -> Script:
    script = Script("knowledge")
    script.until(Phase.READY)
    return script


@functools.cache
def _ending() -> Script:
    script = _locked().clone()
    script.until(Phase.END)
    return script


def own(script: Script, seat: int) -> set[int]:
    return set(dealt_to(hand_of(script).dealer, seat))


def test_before_the_deal_nobody_knows_anything_and_the_last_to_deal_knows_its_cards_first() -> None:
    script = _locked().clone()
    first, second, third = hand_of(script).order
    assert [opens(script, seat) for seat in range(3)] == [set()] * 3
    script.until(Phase.DEAL)
    script.step(plain_choice)
    assert [opens(script, seat) for seat in range(3)] == [set()] * 3
    script.step(plain_choice)
    assert (opens(script, first), opens(script, second)) == (set(), set())
    assert opens(script, third) == own(script, third)
    script.step(plain_choice)
    assert all(opens(script, seat) == own(script, seat) for seat in range(3))


def test_who_gives_a_key_for_a_drawn_card_does_not_learn_it() -> None:
    script = _locked().clone()
    script.until(Phase.PLAY)
    while script.due_body() is not None or Draw() not in legal_moves(script.view(script.writer())):
        script.step(plain_choice)
    drawer = script.writer()
    script.move(Draw())
    due = hand_of(script).key_due
    assert due is not None
    for _ in range(2):
        assert all(due.slot not in opens(script, seat) for seat in range(3))
        script.step(plain_choice)
    assert [due.slot in opens(script, seat) for seat in range(3)] == [seat == drawer for seat in range(3)]


def test_no_entry_before_the_third_end_opens_anything() -> None:
    script = _ending().clone()
    before = [opens(script, seat) for seat in range(3)]
    script.until(Phase.REVEAL)
    assert [opens(script, seat) for seat in range(3)] == before


def test_who_opens_its_seed_later_knows_more_before_it_does() -> None:
    script = _ending().clone()
    script.until(Phase.REVEAL)
    position = hand_of(script).position
    assert position is not None
    first, second, third = hand_of(script).order
    before = opens(script, second)
    script.step(plain_choice)
    assert opens(script, second) == before | set(position.hands[first])
    assert not opens(script, second) & {*position.hands[third], *position.stock}
    script.step(plain_choice)
    assert opens(script, third) == set(range(script.rules.n))
    assert not opens(script, first) & {*position.hands[third], *position.stock}
