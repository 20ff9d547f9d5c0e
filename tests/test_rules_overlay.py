"""The rules of the table on the screen: named for what they are, in words, with marks."""

from tests.screens import Player, player
from tongits_lan.console.render import text_of
from tongits_lan.console.ui import Overlay, Screen


def _pages(one: Player) -> str:
    """All that scrolling through the overlay shows."""
    shown = []
    for _ in range(30):
        shown.append(text_of(Screen(80, 24, one.desk.ui, one.seat.view)))
        one.press("down")
    return "\n".join(shown)


def test_rules_of_a_preset_have_no_marks() -> None:
    one = player()
    one.press("o")
    assert one.desk.ui.overlay is Overlay.OPTIONS
    text = _pages(one)
    assert "pagat: 52 cards" in text
    assert "not as in pagat" not in text
    assert "The winner of a hand deals the next one." in text


def test_changed_rules_are_called_house_rules_and_marked() -> None:
    one = player(next_dealer="rotate", ace_bonus=2)
    one.press("o")
    text = _pages(one)
    assert "house rules (pagat, 2 changed): 52 cards" in text
    assert "* = not as in pagat" in text
    assert "* The deal goes round in turn order." in text
    assert "  Any card may be discarded." in text
    assert "* Any card may be discarded." not in text
