"""What a seat is shown at each point of a hand."""

from tests.circle import Cast, Circle, height_of, recorded, resumed, writer_of
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import ante, fresh_match
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.texts import shown_names
from tongits_lan.ledger.views import TableView


def views(height: int) -> list[TableView]:
    """The three views of a recorded hand at that height, nothing delivered."""
    circle = resumed(height, links=())
    return [circle.view(seat) for seat in range(3)]


def test_new_table_shows_who_signs_first() -> None:
    for seat, view in enumerate(views(0)):
        assert view.me == seat
        assert view.phase is Phase.SIT
        assert view.names == ("Ana", "Ben", "Carlo")
        assert view.bots == (False, False, False)
        assert view.due is not None
        assert (view.due.seat, view.hand_no, view.records_count) == (0, 0, 0)
        assert view.words is None
        assert (view.dealer, view.position, view.record) == (None, None, None)
        assert not view.faces
        assert view.match == fresh_match()
        assert not any((view.can_go_on, view.can_leave, view.can_give_up, view.can_confirm_words))


def test_bots_are_marked() -> None:
    circle = Circle("bots", cast=Cast("bots", bots=True), links=())
    assert circle.view(1).bots == (False, True, True)


def test_words_and_proofs_appear_in_their_time() -> None:
    (view, *_) = views(height_of("commit"))
    assert view.words is not None
    assert view.words == recorded().view(2).words
    for count in range(4):
        (view, *_) = views(height_of("prove") + count)
        assert sum(view.proofs) == count


def test_pot_shows_the_antes_of_a_running_hand() -> None:
    each = ante(PRESETS["pagat"], fresh_match())
    (view, *_) = views(height_of("draw"))
    assert view.match.pot == 0
    assert view.ante_pot == 3 * each
    (view, *_) = views(height_of("next"))
    assert view.ante_pot == view.match.pot


def test_each_seat_sees_its_own_cards_only() -> None:
    circle = resumed(height_of("deal") + 3)
    circle.settle()
    seen: list[int] = []
    for seat in range(3):
        view = circle.view(seat)
        assert view.position is not None
        assert set(view.faces) == set(view.position.hands[seat])
        seen += view.faces.values()
    assert len(seen) == len(set(seen)) == 37


def test_all_cards_are_open_after_the_third_reveal() -> None:
    for view in views(height_of("next")):
        assert view.record is not None
        assert view.record.faces is not None
        assert len(view.record.faces) == 52
        assert view.records_count == 1


def test_giving_up_is_offered_once() -> None:
    height = height_of("draw")
    circle = resumed(height)
    circle.settle()
    seat = (writer_of(height) + 1) % 3
    assert circle.view(seat).can_give_up
    circle.tables[seat].give_up(circle.now)
    assert circle.view(seat).giving_up
    assert not circle.view(seat).can_give_up
    assert not circle.view(writer_of(height)).giving_up


def test_view_is_a_value_of_its_own() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    view = circle.view(0)
    view.faces.clear()
    assert circle.view(0).faces


def test_level_is_what_the_others_said() -> None:
    circle = resumed(height_of("draw"))
    assert not circle.view(0).level
    circle.settle()
    assert all(circle.view(seat).level for seat in range(3))


def test_names_are_cleaned_for_the_screen() -> None:
    assert shown_names(("A\x1b[31mna\u202e", "Ben", "Carlo"))[0] == "A[31mna"
