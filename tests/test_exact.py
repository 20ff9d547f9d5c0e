"""The long run of the game's exactness, a little of it."""

import pytest

from tests.exact import bots_play, deals_end, hands_agree
from tongits_lan.game.rules import PRESETS


def test_random_hands_agree_with_brute_force() -> None:
    assert hands_agree(1, 30) == 30


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_random_hands_end_and_nothing_is_lost(preset: str) -> None:
    assert deals_end(preset, 20) > 20


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_C7_moves_of_bots_are_legal(preset: str) -> None:
    assert bots_play(preset, 60) > 60
