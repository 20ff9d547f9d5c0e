"""The hand on the screen and the numbered choices: cards stay put, moves are legal, the best first."""

from dataclasses import replace

import pytest

from tests.screens import NAMES, Seat, cards, dealt
from tongits_lan.console import arrange
from tongits_lan.console.arrange import Layout, find, follow, held, parse_typed, split, suggested
from tongits_lan.console.choices import choice, discards, enter_move, listed, matching, slots_of
from tongits_lan.console.text import Voice
from tongits_lan.game.cards import card_text, parse_card
from tongits_lan.game.moves import Discard, Draw, Hide, Meld, Sapaw
from tongits_lan.game.position import Phase

HAND = "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S"
ME = Voice(NAMES, 2)


def seat_to_play(hand: str = HAND, stock: str = "8D 8C 5H") -> Seat:
    """Seat 2 has just drawn the second card of the stock."""
    seat = Seat(faces=dealt(2, 0, hand, stock))
    seat.others()
    seat.move(2, Draw())
    return seat


def texts(seat: Seat, slots: tuple[int, ...]) -> str:
    return " ".join(card_text(seat.faces[slot]) for slot in slots)


def test_the_hand_is_dealt_out_in_groups() -> None:
    seat = Seat(faces=dealt(2, 0, HAND))
    layout = follow(Layout(), seat.view)
    assert sorted(texts(seat, meld) for meld in layout.melds) == ["3D 4D 5D", "9C 9H 9S"]
    assert texts(seat, layout.loose) == "AC 2H 7S JC QH KD"
    assert sorted(layout.order) == list(held(seat.view))


def test_what_is_owed_is_counted_from_the_loose_cards() -> None:
    seat = Seat(faces=dealt(2, 0, HAND))
    assert split(seat.view).owed == 1 + 2 + 7 + 10 + 10 + 10
    gone = [slot for slot in held(seat.view) if card_text(seat.faces[slot]) in ("9C", "KD")]
    assert split(seat.view, gone).owed == 1 + 2 + 7 + 10 + 10 + 9 + 9


def test_a_new_card_comes_last_and_nothing_else_moves() -> None:
    seat = Seat(faces=dealt(2, 0, HAND, stock="8D 6D"))
    before = follow(Layout(), seat.view)
    seat.others()
    seat.move(2, Draw())
    after = follow(before, seat.view)
    assert after.order[:-1] == before.order
    assert after.new == after.order[-1]
    assert card_text(seat.faces[after.order[-1]]) == "6D"
    assert (
        arrange.grouped_other_way(arrange.grouped_other_way(after, seat.view), seat.view).melds
        != before.melds
    )


def test_a_card_that_is_not_revealed_yet_is_not_laid_out() -> None:
    seat = seat_to_play()
    drawn = seat.position.drew
    assert drawn is not None
    seat.hidden.add(drawn)
    view = seat.show()
    assert view.legal == ()
    assert drawn not in follow(Layout(), view).order


def test_the_cursor_walks_over_groups_and_round_the_ends() -> None:
    layout = Layout(melds=((5, 6, 7),), loose=(1, 2))
    assert arrange.step(layout, 1).cursor == 5
    assert arrange.step(layout, -1).cursor == 2
    walked = layout
    for _ in range(6):
        walked = arrange.step(walked, 1)
    assert walked.cursor == 5
    assert arrange.step(Layout(), 1) == Layout()


def test_cursor_and_marks_follow_their_cards() -> None:
    seat = seat_to_play()
    layout = follow(Layout(), seat.view)
    king = find(layout, seat.view.faces, parse_card("KD"))
    assert king is not None
    layout = arrange.marked(replace(layout, cursor=king))
    for other_way in (arrange.sorted_other_way, arrange.grouped_other_way):
        moved = other_way(layout, seat.view)
        assert (moved.cursor, moved.marks) == (king, frozenset({king}))
    seat.move(2, Discard((king, seat.faces[king])))
    gone = follow(layout, seat.view)
    assert (gone.cursor, gone.marks) == (None, frozenset())


def test_item_16_a_card_can_be_moved_and_the_order_survives_a_draw() -> None:
    seat = Seat(faces=dealt(2, 0, HAND, stock="8D 6D"))
    layout = arrange.step(follow(Layout(), seat.view), 1)
    moved = arrange.shifted(layout, 1)
    assert moved.order[1] == layout.order[0]
    assert not moved.grouped
    assert arrange.shifted(layout, -1) == layout
    seat.others()
    seat.move(2, Draw())
    assert follow(moved, seat.view).order[:-1] == moved.order


def test_item_16_sorting_by_rank_and_by_suit() -> None:
    seat = Seat(faces=dealt(2, 0, "2C AC KH 3S QD 5C 7H 9S JD 4C 8H 6S"))
    layout = Layout(grouped=False)
    by_rank = arrange.arranged(layout, seat.view)
    assert texts(seat, by_rank.loose) == "AC 2C 3S 4C 5C 6S 7H 8H 9S JD QD KH"
    by_suit = arrange.sorted_other_way(by_rank, seat.view)
    assert texts(seat, by_suit.loose) == "AC 2C 4C 5C JD QD 7H 8H KH 3S 6S 9S"


@pytest.mark.parametrize(
    ("typed", "card"),
    [("7h", "7H"), ("10c", "TC"), ("th", "TH"), ("Qs", "QS"), ("aD", "AD"), ("1d", "AD"), (" kc ", "KC")],
)
def test_cards_as_people_type_them(typed: str, card: str) -> None:
    assert parse_typed(typed) == parse_card(card)


@pytest.mark.parametrize("typed", ["", "7", "h", "7x", "11c", "hh", "x3", "é♥"])
def test_what_is_no_card(typed: str) -> None:
    assert parse_typed(typed) is None


def test_jokers_can_be_typed() -> None:
    assert (parse_typed("x1"), parse_typed("X2")) == (52, 53)


def test_the_dearest_loose_card_is_suggested() -> None:
    seat = seat_to_play()
    slot = suggested(seat.view, split(seat.view), tuple(discards(seat.view)))
    assert slot is not None
    assert card_text(seat.faces[slot])[0] in "JQK"


def test_nothing_is_suggested_when_no_card_is_loose() -> None:
    seat = seat_to_play("3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", stock="8D KS")
    assert split(seat.view).owed == 0
    assert suggested(seat.view, split(seat.view), tuple(discards(seat.view))) is None


def test_the_list_holds_every_move_that_lays_cards_and_nothing_else() -> None:
    seat = seat_to_play()
    shown = [item.move for item in listed(seat.view, ME, split(seat.view))]
    assert set(shown) == {m for m in seat.view.legal if isinstance(m, Meld | Hide | Sapaw)}
    assert len(shown) == len(set(shown))


def test_whole_melds_of_the_best_split_come_first() -> None:
    seat = seat_to_play("2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD", stock="8S AD")
    best = split(seat.view)
    items = listed(seat.view, ME, best)
    assert len(items) == 66  # every part of a run of thirteen
    assert slots_of(items[0].move) == frozenset(best.melds[0])
    assert items[0].remark == "Tongits!"


def test_breaking_a_meld_is_told_and_asked() -> None:
    seat = seat_to_play("3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", stock="8D 8C 5H")
    seat.move(
        2, Meld(tuple((s, seat.faces[s]) for s in held(seat.view) if seat.faces[s] in cards("9C 9H 9S")))
    )
    slot = find(follow(Layout(), seat.view), seat.view.faces, parse_card("4D"))
    assert slot is not None
    item = choice(seat.view, ME, split(seat.view), discards(seat.view)[slot])
    assert item.warning is not None
    assert "part of your 3D 4D 5D" in item.warning
    king = find(follow(Layout(), seat.view), seat.view.faces, parse_card("KD"))
    assert king is not None
    assert choice(seat.view, ME, split(seat.view), discards(seat.view)[king]).warning is None


def test_throwing_what_fits_a_meld_on_the_table_is_asked() -> None:
    seat = seat_to_play("3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", stock="8S 9D")
    nines = [s for s in held(seat.view) if seat.faces[s] in cards("9C 9H 9S")]
    seat.move(2, Meld(tuple((s, seat.faces[s]) for s in nines)))
    fourth = find(follow(Layout(), seat.view), seat.view.faces, parse_card("9D"))
    assert fourth is not None
    item = choice(seat.view, ME, split(seat.view), discards(seat.view)[fourth])
    assert item.warning == "9D fits your meld [1] on the table."


def test_marked_cards_find_exactly_their_moves() -> None:
    seat = seat_to_play()
    nines = [s for s in held(seat.view) if seat.faces[s] in cards("9C 9H 9S")]
    assert [slots_of(move) for move in matching(seat.view, nines)] == [frozenset(nines)]
    assert matching(seat.view, nines[:2]) == ()
    assert matching(seat.view, ()) == ()
    assert matching(seat.view, nines[:1]) == (discards(seat.view)[nines[0]],)


def test_enter_throws_the_card_under_the_cursor_only_if_that_is_legal() -> None:
    seat = seat_to_play()
    layout = arrange.step(follow(Layout(), seat.view), -1)
    assert enter_move(seat.view, layout) == discards(seat.view)[layout.order[-1]]
    assert enter_move(seat.view, Layout()) is None
    waiting = Seat(faces=dealt(2, 0, HAND))
    assert enter_move(waiting.view, arrange.step(follow(Layout(), waiting.view), 1)) is None
    assert waiting.position.phase is Phase.ACTION  # of another player
    assert listed(waiting.view, ME, split(waiting.view)) == ()
