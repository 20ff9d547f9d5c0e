"""Plain lines for people who cannot see a screen: how the table stands, what a turn asks, a hint."""

import io

import msgspec
import pytest

from tests.screens import Seat, dealt, player
from tongits_lan.cli.menu import menu
from tongits_lan.cli.printers import PlainPrinter
from tongits_lan.cli.standing import hint, overview, turn_facts
from tongits_lan.cli.typed import chosen
from tongits_lan.console.text import Voice
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Reach

VOICE = Voice(("Ana", "Ben", "Carlo"), 2)


def test_item_35_the_table_is_told_in_lines() -> None:
    seat = player().seat
    lines = overview(seat.seen(links=(Reach("away"), Reach("direct"), Reach("me"))), VOICE)
    assert lines[0] == "Hand 1, pot 6, fair: 3/3 proofs."
    assert any(line.startswith("Ana: ") and "out of reach" in line for line in lines)
    assert any(line.startswith("You: 12 cards") for line in lines)
    assert any("in the stock; thrown, newest first: " in line for line in lines)
    assert not any("+-" in line or "|" in line for line in lines)


def test_item_35_melds_of_all_are_told_and_face_down_ones_only_to_their_owner() -> None:
    one = player("3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", stock="8D KS")
    one.press("d", "1")
    view = one.seat.view
    assert any(line.endswith("four cards face down") for line in overview(view, VOICE))
    position = view.position
    assert position is not None
    own = {slot: one.seat.faces[slot] for slot in position.melds[0].slots}
    told = overview(msgspec.structs.replace(view, faces={**view.faces, **own}), VOICE)
    assert any("four cards face down (KC KD KH KS)" in line for line in told)


def test_item_35_a_turn_says_what_lies_there_and_every_card_that_can_be_thrown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = player()
    printer = PlainPrinter()
    view = one.seat.view
    asked = menu(view, VOICE)
    assert asked is not None
    printer.menu(asked, view, VOICE)
    said = capsys.readouterr().out
    assert "On the discards lies 8D; 14 cards in the stock." in said
    assert "At any time: ?" in said
    one.press("d")
    view = one.seat.view
    asked = menu(view, VOICE)
    assert asked is not None
    printer.menu(asked, view, VOICE)
    said = capsys.readouterr().out
    assert "At any time" not in said, "said once"
    assert turn_facts(view, VOICE) is None
    (throws,) = [line for line in said.splitlines() if "throw a card" in line]
    assert throws.count("(") == 13
    numbers = [line for line in said.splitlines() if line.strip()[:1].isdigit()]
    assert len(numbers) == 2, "two melds; what works at any time is not repeated"


def test_a_card_is_thrown_by_its_name() -> None:
    one = player()
    one.press("d")
    asked = menu(one.seat.view, VOICE)
    assert asked is not None
    choice = chosen("7s", asked)
    assert choice is not None
    assert choice.text == "discard 7S"
    assert chosen("8h", asked) is None
    assert chosen("hello", asked) is None


def test_a_hint_only_where_hints_are_allowed() -> None:
    assert "Perhaps" in hint(player().seat.view, VOICE)
    strict = msgspec.structs.replace(PRESETS["pagat"], hints=False)
    assert "without hints" in hint(
        Seat(faces=dealt(2, 0, "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S"), rules=strict).view, VOICE
    )
    assert hint(Seat(me=1, dealer=0).view, Voice(("Ana", "Ben", "Carlo"), 1)) == "Nothing to do now."


def test_asides_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    PlainPrinter().asides(["one", "two"])
    assert io.StringIO(capsys.readouterr().out).readlines() == ["one\n", "two\n"]
