"""Words that differ: one player says so, and nothing is begun at that table, by nobody."""

import pytest

from tests.circle import CHAIN, Circle
from tongits_lan.errors import Refused
from tongits_lan.ledger.effects import CalledOff
from tongits_lan.ledger.messages import Differ
from tongits_lan.ledger.state import Phase


def with_words(links: tuple[tuple[int, int], ...] = ((0, 1), (0, 2), (1, 2))) -> Circle:
    """Three seats that see the table words and have confirmed nothing."""
    circle = Circle("dispute", links=links, waits_for_words=True)
    circle.settle()
    assert all(circle.view(seat).can_confirm_words for seat in range(3))
    return circle


def heard_by(circle: Circle, seat: int) -> list[int]:
    return [event.seat for event in circle.events[seat] if isinstance(event, CalledOff)]


@pytest.mark.parametrize("links", [((0, 1), (0, 2), (1, 2)), CHAIN])
def test_all_three_hear_it_once_and_nothing_is_written(links: tuple[tuple[int, int], ...]) -> None:
    circle = with_words(links)
    circle.tables[0].words_differ(circle.now)
    circle.settle()
    for seat in range(3):
        view = circle.view(seat)
        assert (view.called_off, view.is_over, view.height) == (0, True, 6)
        assert circle.tables[seat].unaware == ()
        assert not view.can_confirm_words
        assert heard_by(circle, seat) == [0]
        with pytest.raises(Refused, match="words differ"):
            circle.tables[seat].confirm_words(circle.now)
    circle.pass_time(60.0)
    assert all(circle.view(seat).height == 6 for seat in range(3))


def test_who_links_later_hears_it_and_says_that_he_did() -> None:
    circle = with_words()
    circle.cut(0, 2)
    circle.cut(1, 2)
    circle.tables[1].words_differ(circle.now)
    circle.settle()
    assert circle.tables[1].unaware == (2,)
    assert circle.view(2).called_off is None
    circle.join(0, 2)
    circle.settle()
    assert circle.view(2).called_off == 1
    assert [circle.tables[seat].unaware for seat in (0, 2)] == [(), ()]
    circle.join(1, 2)
    circle.settle()
    assert [circle.tables[seat].unaware for seat in range(3)] == [(), (), ()]


def test_it_counts_after_another_has_begun() -> None:
    """The dealer's player was quick to say yes: his commitment binds nobody to a table with two stories."""
    circle = with_words()
    dealer = circle.view(0).due
    assert dealer is not None
    circle.tables[dealer.seat].confirm_words(circle.now)
    circle.settle()
    assert circle.view(dealer.seat).height == 7
    other = (dealer.seat + 1) % 3
    circle.tables[other].words_differ(circle.now)
    circle.settle()
    assert [circle.view(seat).called_off for seat in range(3)] == [other] * 3


def test_who_has_begun_cannot_say_it_any_more() -> None:
    circle = with_words()
    for seat in range(3):
        circle.tables[seat].confirm_words(circle.now)
    circle.settle()
    for seat in range(3):
        with pytest.raises(Refused, match="were confirmed"):
            circle.tables[seat].words_differ(circle.now)
    assert circle.view(0).phase not in (Phase.SIT, Phase.OPEN, Phase.COMMIT)
    circle.puppet(1)
    for about in (1, 2):  # nor can a modified program, of itself or of another
        circle.say(1, 0, Differ(about))
    circle.settle()
    assert circle.view(0).called_off is None


def test_nobody_else_says_what_this_player_has_read() -> None:
    circle = with_words()
    circle.puppet(1)
    circle.say(1, 0, Differ(0))
    circle.settle()
    assert circle.view(0).called_off is None
    circle.say(1, 0, Differ(2))
    circle.settle()
    assert circle.view(0).called_off == 2  # as if it had said so of itself: nothing was begun


def test_what_comes_after_it_is_not_taken_in() -> None:
    circle = with_words()
    late = circle.view(0).due
    assert late is not None
    away = late.seat
    circle.cut(away, (away + 1) % 3)
    circle.cut(away, (away + 2) % 3)
    circle.tables[away].confirm_words(circle.now)
    circle.tables[(away + 1) % 3].words_differ(circle.now)
    circle.settle()
    assert circle.view(away).height == 7
    circle.join(away, (away + 2) % 3)
    circle.settle()
    assert circle.view((away + 2) % 3).height == 6
    assert circle.view(away).called_off == (away + 1) % 3
