"""Cards: codes, texts and values."""

import pytest

from tongits_lan.game.cards import card_text, is_joker, parse_card, points, rank, suit


def test_codes_run_through_the_suits_and_end_with_the_jokers() -> None:
    assert [card_text(c) for c in (0, 12, 13, 26, 39, 51, 52, 53)] == [
        "AC",
        "KC",
        "AD",
        "AH",
        "AS",
        "KS",
        "X1",
        "X2",
    ]


def test_a_text_and_its_code_go_both_ways() -> None:
    texts = [card_text(c) for c in range(54)]
    assert [parse_card(t) for t in texts] == list(range(54))
    assert len(set(texts)) == 54


@pytest.mark.parametrize("text", ["", "1C", "10C", "AX", "ac", "X3", "7H "])
def test_what_is_no_card_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        parse_card(text)


def test_values_ranks_and_suits() -> None:
    values = [points(parse_card(r + "H")) for r in "A23456789TJQK"]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [rank(parse_card(r + "S")) for r in "A9TJQK"] == [1, 9, 10, 11, 12, 13]
    assert [suit(parse_card("5" + s)) for s in "CDHS"] == [0, 1, 2, 3]
    assert [is_joker(parse_card(t)) for t in ("KS", "X1", "X2")] == [False, True, True]
