"""The values of a match: who holds which slot, what a proof claims, and what no text of them shows."""

from tests.scripted import Script, plain_choice
from tongits_lan.game.dealing import DEALT
from tongits_lan.ledger.accept import slots_due
from tongits_lan.ledger.hand import claims_of
from tongits_lan.ledger.messages import Prove
from tongits_lan.ledger.state import Hand, Phase, ProofClaim


def _hand(script: Script) -> Hand:
    assert script.state.hand is not None
    return script.state.hand


def test_claims_name_the_decks_of_their_seat() -> None:
    script = Script("claims")
    script.until(Phase.PROVE)
    script.step(plain_choice)
    seat, body = script.writer(), script.due_body()
    assert isinstance(body, Prove)
    hand = _hand(script)
    one, two = claims_of(script.state, seat, body)
    assert (one.seat, one.deck_in, one.deck_out) == (seat, hand.shuffles[0], hand.shuffles[1])
    assert (two.deck_in, two.deck_out) == (hand.locks[0], hand.locks[1])
    assert one.ctx == two.ctx == script.secrets(seat).ctx
    again: dict[ProofClaim, bool] = {one: True, two: True}
    assert again[claims_of(script.state, seat, body)[0]]


def test_every_dealt_slot_has_one_owner() -> None:
    script = Script("owners")
    script.until(Phase.DEAL)
    hand = _hand(script)
    owned = [slot for seat in hand.order for slot in hand.slots_of(seat)]
    assert sorted(owned) == list(range(DEALT))
    assert [len(hand.slots_of(seat)) for seat in hand.order] == [13, 12, 12]
    writer = script.writer()
    assert set(slots_due(script.state, writer)) == set(range(DEALT)) - set(hand.slots_of(writer))
    assert slots_due(script.state, (writer + 1) % 3) == ()
    script.until(Phase.PLAY)
    position = _hand(script).position
    assert position is not None
    assert all(position.hands[seat] == hand.slots_of(seat) for seat in range(3))


def test_secrets_do_not_stand_in_the_text_of_a_state() -> None:
    script = Script("repr")
    script.until(Phase.PLAY)
    seeds = [script.secrets(seat).seed for seat in range(3)]
    text = repr(script.state)
    assert not any(repr(seed)[2:-1] in text or seed.hex() in text for seed in seeds)
