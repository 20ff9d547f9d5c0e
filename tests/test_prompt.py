"""The box of choices: advice is given only where it is of use."""

import pytest

from tests.screens import Player, player, shown

BURNS = "or you are burned when another wins"


def in_the_second_turn(*first: str, burned_rule: str) -> Player:
    one = player(burned_rule=burned_rule)
    one.press("d", *first, "enter")
    one.others()
    assert one.desk.ui.turns == 2
    return one


def test_who_has_no_meld_is_told_that_losers_burn() -> None:
    assert BURNS in shown(in_the_second_turn(burned_rule="never_opened"))


@pytest.mark.parametrize(("burned_rule", "first"), [("never_opened", ("1",)), ("off", ())])
def test_nobody_is_told_who_cannot_burn(burned_rule: str, first: tuple[str, ...]) -> None:
    assert "Tip: " not in shown(in_the_second_turn(*first, burned_rule=burned_rule))
