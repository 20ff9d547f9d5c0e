"""What the screen and the line modes say a fight costs."""

import msgspec
import pytest

from tests.screens import HAND, player, shown
from tests.test_control import with_trio
from tongits_lan.cli.menu import menu
from tongits_lan.console import text_stakes
from tongits_lan.console.text import Voice
from tongits_lan.game.moves import Discard
from tongits_lan.game.stakes import Price


@pytest.mark.parametrize(
    ("price", "text"),
    [
        (Price(3, 3), "3 chips"),
        (Price(1, 1), "1 chip"),
        (Price(3, None), "3 chips or more"),
        (Price(3, 12), "3 to 12 chips"),
    ],
)
def test_a_price_is_as_exact_as_it_is_known(price: Price, text: str) -> None:
    assert text_stakes.price(price) == text


def test_a_fight_and_a_fold_say_what_they_cost() -> None:
    text = shown(with_trio(HAND))
    assert "You owe 38 points" in text
    assert "fight back   (losing costs 3 chips or more)" in text
    assert "fold   (costs 1 chip or more)" in text
    assert "The caller loses a tie." in text
    certain = {"ace_bonus": 0, "secret_bonus": 0, "challenge_requirement": "anyone", "turn_seconds": 60}
    text = shown(with_trio(HAND, **certain))
    assert "fight back   (losing costs 3 chips)" in text
    assert "No key in time means fold." in text
    one = with_trio(HAND, **certain)
    one.seat.position = msgspec.structs.replace(one.seat.position, caller=1, answers=())
    one.seat.show()
    one.follow()
    assert "fold   (costs 1 chip if Ana folds too, else 3 chips)" in shown(one)


def test_the_line_modes_say_the_same() -> None:
    one = with_trio(HAND)
    asked = menu(one.seat.view, Voice(one.seat.view.names, 2))
    assert asked is not None
    texts = [choice.text for choice in asked.choices]
    assert "fight back (losing costs 3 chips or more)" in texts
    assert "fold (costs 1 chip or more)" in texts


def test_other_moves_have_no_price_and_unknown_cards_give_none() -> None:
    one = player()
    view = one.seat.view
    voice = Voice(view.names, 2)
    assert text_stakes.remark(view, voice, Discard((0, 0)), 40) == ""
    assert text_stakes.of(msgspec.structs.replace(view, faces={})) is None
    assert text_stakes.of(msgspec.structs.replace(view, position=None)) is None
