"""The checks on a simulated match find what they are there to find."""

from collections.abc import Callable

import pytest
from msgspec import structs

from tests.circle import Circle, height_of, recorded, resumed, writer_of
from tests.sim.safety import Safety
from tests.sim.watch import Watch
from tongits_lan.errors import Code
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.chain import sign_entry
from tongits_lan.ledger.effects import Awaited, GraceOver, LinkChanged, Reach, Returned, Stop
from tongits_lan.ledger.messages import ForfeitHand
from tongits_lan.ledger.table import TableView

DIRECT, AWAY = Reach("direct"), Reach("away")
ME, GONE = 0, 1


def checked(height: int) -> Safety:
    """The checks after a beginning of the recorded hand."""
    record = recorded()
    safety = Safety(record.cast.descriptor, accept)
    for place, raw in enumerate(record.shelves[0].entries[:height]):
        safety.stored(0, place, raw)
    return safety


def at_draw() -> tuple[Circle, Safety, TableView]:
    """A seat about to draw, and the checks."""
    height = height_of("draw")
    circle = resumed(height)
    circle.settle()
    return circle, checked(height), circle.view(writer_of(height))


def test_another_entry_of_a_stored_height_is_found() -> None:
    height = height_of("draw")
    circle, safety, view = at_draw()
    safety.stored(1, height - 1, circle.shelves[0].entries[-1])
    other = sign_entry(
        circle.cast.keys[view.me], view.table_id, view.me, height - 1, safety.states[-2].head, ForfeitHand()
    )
    with pytest.raises(AssertionError, match="another entry"):
        safety.stored(1, height - 1, other)
    with pytest.raises(AssertionError, match="another entry"):
        safety.left(1, height - 1, [other])
    with pytest.raises(AssertionError, match="before anybody stored it"):
        safety.left(1, height, [other])


def without_a_key(view: TableView) -> TableView:
    """It sees a card of the stock."""
    assert view.position is not None
    left = next(card for card in range(52) if card not in view.faces.values())
    return structs.replace(view, faces={**view.faces, view.position.stock[0]: left})


def a_foreign_card(view: TableView) -> TableView:
    assert view.position is not None
    left = next(card for card in range(52) if card not in view.faces.values())
    return structs.replace(view, faces={**view.faces, view.position.hands[(view.me + 1) % 3][0]: left})


def another_card(view: TableView) -> TableView:
    """One of its cards is another than it was."""
    slot = next(iter(view.faces))
    left = next(card for card in range(52) if card not in view.faces.values())
    return structs.replace(view, faces={**view.faces, slot: left})


def stopped(view: TableView) -> TableView:
    return structs.replace(view, stopped=Stop(Code.FORK, "a fork", 1, 1, view.height))


def secrets_lost(view: TableView) -> TableView:
    return structs.replace(view, secrets_lost=True)


@pytest.mark.parametrize("spoil", [without_a_key, a_foreign_card, another_card, stopped, secrets_lost])
def test_a_view_that_should_not_be_is_found(spoil: Callable[[TableView], TableView]) -> None:
    _, safety, view = at_draw()
    safety.seen(view)
    with pytest.raises(AssertionError):
        safety.seen(spoil(view))


def test_a_card_seen_falsely_is_found_at_the_end() -> None:
    _, safety, view = at_draw()
    assert view.position is not None
    mine, other = view.position.hands[view.me][:2]
    swapped = {**view.faces, mine: view.faces[other], other: view.faces[mine]}
    safety.seen(structs.replace(view, faces=swapped))
    third = height_of("reveal") + 2
    entries = recorded().shelves[0].entries
    for height in range(view.height, third):
        safety.stored(0, height, entries[height])
    with pytest.raises(AssertionError):
        safety.stored(0, third, entries[third])


def watching(since: float, back_at: float) -> tuple[Watch, TableView]:
    """Seat 0 misses seat 1, who is due, since then; that was lost, back at `back_at`, and lost again."""
    view = resumed(height_of("draw"), links=()).view(ME)
    assert view.due is not None
    watch = Watch(ME)
    watch.heard(LinkChanged(GONE, DIRECT), 0.0)
    watch.heard(LinkChanged(GONE, AWAY), 1.0)
    watch.heard(LinkChanged(GONE, DIRECT), back_at)
    watch.heard(LinkChanged(GONE, AWAY), back_at)
    watch.heard(Awaited(GONE, ("draw",), since), 30.0)
    return watch, structs.replace(view, due=structs.replace(view.due, seat=GONE), awaited_since=since)


def test_a_count_that_outlives_a_return_is_found() -> None:
    watch, view = watching(since=20.0, back_at=20.0)
    watch.seen(view, 30.0)
    watch, view = watching(since=1.0, back_at=20.0)
    with pytest.raises(AssertionError, match="from before a return"):
        watch.seen(view, 30.0)


def test_a_player_who_thinks_and_is_hurried_is_found() -> None:
    watch, view = watching(since=20.0, back_at=20.0)
    watch.heard(LinkChanged(GONE, DIRECT), 30.0)
    with pytest.raises(AssertionError, match="hurries a player"):
        watch.seen(view, 30.0)


@pytest.mark.parametrize("event", [GraceOver(2), Returned(2), Awaited(2, ("draw",), 3.0)])
def test_news_of_a_seat_that_is_not_missed_are_found(event: GraceOver | Returned | Awaited) -> None:
    watch, _ = watching(since=20.0, back_at=20.0)
    with pytest.raises(AssertionError, match="miss"):
        watch.heard(event, 40.0)
