"""The order of the deal."""

import pytest

from tongits_lan.game.dealing import DEALT, dealt_round, dealt_to


@pytest.mark.parametrize("dealer", range(3))
def test_every_dealt_slot_is_somebodys_and_goes_round_from_the_dealer(dealer: int) -> None:
    hands = [dealt_to(dealer, seat) for seat in range(3)]
    assert sorted(slot for hand in hands for slot in hand) == list(range(DEALT))
    assert [len(hands[(dealer + place) % 3]) for place in range(3)] == [13, 12, 12]
    assert [hands[(dealer + place) % 3][0] for place in range(3)] == [0, 1, 2]
    assert hands[dealer][-1] == 36
    assert all(hands[seat][:12] == tuple(dealt_round(dealer, seat)) for seat in range(3))
