"""What the coach says on the screen: the key `h` in a turn and after a hand, and every sentence of it."""

import pytest

from tests.screens import player
from tests.test_coach import every_turn, whole
from tongits_lan.bots.coach import Costly, Hint, Regret, Risk, Why, costliest, hint
from tongits_lan.console.boxes import wrap
from tongits_lan.console.keys import Mode
from tongits_lan.console.render import text_of
from tongits_lan.console.text import Voice
from tongits_lan.console.text_coach import hint_text, review_lines
from tongits_lan.console.ui import Screen
from tongits_lan.game.cards import parse_card
from tongits_lan.game.moves import Discard
from tongits_lan.game.rules import PRESETS

VOICE = Voice(("Ana", "Ben", "Carlo"), 2)
NOTE_CELLS = 2 * 76  # the note in 80 columns


def test_h_gives_a_reason_and_what_the_next_player_can_do_with_the_card() -> None:
    one = player()
    one.press("h")
    assert one.note.startswith("Perhaps: draw from the stock")
    one.press("d", "h")
    assert one.note.startswith("Perhaps: ")
    assert len(wrap(one.note, 76)) <= 2


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_hint_of_whole_hands_fits_the_box(preset: str) -> None:
    for seed in range(8):
        for view, legal in every_turn(PRESETS[preset], seed):
            text = hint_text(Voice(VOICE.names, view.seat), view, hint(view, legal))
            assert len(text) <= NOTE_CELLS, text
            assert "{" not in text
            assert "None" not in text


def discard_hint(chance: float, safest: float, owed: int = 20, cheapest: int = 20) -> tuple[str, Hint]:
    view, legal = next(
        (view, legal) for view, legal in every_turn(PRESETS["pagat"], 1)
        if isinstance(hint(view, legal).move, Discard)
    )  # fmt: skip
    found = hint(view, legal)
    assert isinstance(found.move, Discard)
    slot, card = found.move.card
    changed = type(found)(
        move=found.move, why=Why.DEAREST, owed=30, after=owed, rival=None, best=found.best,
        thrown=Risk(slot, card, owed, chance),
        safest=Risk(0, parse_card("2H"), 28, safest),
        cheapest=Risk(1, parse_card("KD"), cheapest, 0.5),
    )  # fmt: skip
    return hint_text(Voice(("Ana", "Ben", "Carlo"), (view.seat)), view, changed), changed


@pytest.mark.parametrize(
    ("chance", "said"), [(0.0, "cannot use it"), (0.12, "can take it 12 times in 100"), (1.0, "can take it.")]
)
def test_chances_are_said_as_a_guess_deserves(chance: float, said: str) -> None:
    text, _ = discard_hint(chance, chance)
    assert said in text
    assert "Safest" not in text
    assert "Cheapest" not in text


def test_a_safer_and_a_cheaper_discard_are_named() -> None:
    text, _ = discard_hint(0.3, 0.04, owed=20, cheapest=15)
    assert text.endswith("Safest: 2H (4 in 100). Cheapest: KD (leaves 15).")


COSTLY = [
    (Costly(3, parse_card("QC"), Regret.FED, 20, cards=(24, 37), by=1),
     "Turn 3, QC: Ben took it and got rid of QD QH with it, 20 points."),
    (Costly(1, parse_card("7D"), Regret.NEEDED, 27, instead=parse_card("KS"),
            cards=(parse_card("8D"), parse_card("7D"), parse_card("9D"))),
     "Turn 1, 7D: at the end it would have made 7D 8D 9D. Had you thrown KS instead, you would have owed "
     "27 points less."),
    (Costly(2, parse_card("AC"), Regret.KEPT_DEAR, 1, instead=parse_card("2C")),
     "Turn 2, AC: 2C stayed in your hand to the end instead, 1 point more."),
    (Costly(4, parse_card("6D"), Regret.FITTED, 10, instead=parse_card("TC")),
     "Turn 4, 6D: it fitted a meld on the table. Laid off there, it would have let you throw 10C, "
     "10 points less."),
]  # fmt: skip


@pytest.mark.parametrize(("costly", "said"), COSTLY)
def test_each_regret_is_a_sentence(costly: Costly, said: str) -> None:
    assert review_lines(VOICE, [costly])[-1] == said


def test_how_many_discards_are_named_is_said() -> None:
    assert "two discards" in review_lines(VOICE, [COSTLY[0][0], COSTLY[1][0]])[0]
    assert "discard that cost" in review_lines(VOICE, [COSTLY[0][0]])[0]
    assert len(review_lines(VOICE, [])) == 1


def test_item_31_after_a_hand_h_shows_what_the_discards_cost() -> None:
    one = player()
    one.press("h", "d", "enter", "enter")
    for _ in range(30):
        if one.seat.position.turn is None:
            break
        one.others()
        one.press("d", "enter", "enter")
    one.seat.over()
    one.follow()
    one.press("h", every=2.0)
    assert one.mode() is Mode.OVERLAY
    picture = text_of(Screen(80, 24, one.desk.ui, one.seat.view))
    assert "YOUR DISCARDS" in picture
    played = one.seat.played()
    assert played is not None
    assert one.desk.ui.review == tuple(review_lines(VOICE, costliest(played, 2)))
    assert "Turn" in picture or "None of your discards" in picture
    one.press("h")
    assert one.mode() is Mode.RESULT
    assert "h coach" in text_of(Screen(80, 24, one.desk.ui, one.seat.view))


def test_before_any_hand_is_over_there_is_nothing_to_look_back_on() -> None:
    one = player()
    one.seat.show(closed=True)
    one.follow()
    one.press("h", every=2.0)
    assert one.note == "No hand has been played to its end yet."


def test_the_review_of_a_whole_hand_names_cards_of_that_seat_only() -> None:
    game, _ = whole(3)
    for seat in range(3):
        found = costliest(game.played(), seat)
        lines = review_lines(Voice(VOICE.names, seat), found)
        assert len([line for line in lines if line.startswith("Turn")]) == len(found)
