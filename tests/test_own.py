"""What a seat writes by itself at each height of a hand."""

import pytest

from tests.circle import Entropy, height_of, recorded, writer_of
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.jobs import Workshop
from tongits_lan.ledger.messages import Body, ForfeitHand, LeaveTable, NextHand, encode_body
from tongits_lan.ledger.own import Author, Wishes, legal
from tongits_lan.ledger.private import Private
from tongits_lan.ledger.state import State


def author_at(height: int, seat: int, wishes: Wishes) -> tuple[Author, State]:
    record = recorded()
    state = Book(record.cast.descriptor, record.shelves[0].entries[:height]).state
    kept = tuple(record.shelf(seat, height).secrets.values())
    private = Private(seat, 52, Entropy("own"), kept, lambda _: None)
    workshop = Workshop(seat, Entropy("own"), lambda _: None, None)
    return Author(seat, record.cast.nonces[seat], private, workshop, wishes), state


def written(height: int, seat: int, wishes: Wishes | None = None) -> Body | None:
    author, state = author_at(height, seat, wishes or Wishes(words_confirmed=True))
    return author.body(state, {})


@pytest.mark.parametrize("kind", ["sit", "open", "shuffle", "lock", "ready", "deal", "key", "end", "reveal"])
def test_same_entry_again_from_what_was_stored(kind: str) -> None:
    height = height_of(kind)
    seat = writer_of(height)
    body = written(height, seat)
    assert body is not None
    assert encode_body(body) == parse_entry(recorded().shelves[0].entries[height]).body_value


@pytest.mark.parametrize("kind", ["sit", "commit", "key", "draw", "reveal", "next"])
def test_nothing_is_written_for_another_seat(kind: str) -> None:
    height = height_of(kind)
    wishes = Wishes(words_confirmed=True, go_on_after=1, leave_after=1, give_up=1)
    for step in (1, 2):
        assert written(height, (writer_of(height) + step) % 3, wishes) is None


@pytest.mark.parametrize("kind", ["draw", "discard", "prove", "next"])
def test_what_a_player_or_a_job_decides_is_not_written(kind: str) -> None:
    height = height_of(kind)
    assert written(height, writer_of(height)) is None


def test_wishes_are_written_in_their_hand_only() -> None:
    height = height_of("next")
    seat = writer_of(height)
    assert isinstance(written(height, seat, Wishes(True, go_on_after=1)), NextHand)
    assert isinstance(written(height, seat, Wishes(True, leave_after=1)), LeaveTable)
    assert written(height, seat, Wishes(True, go_on_after=2, leave_after=2)) is None
    height = height_of("draw")
    seat = writer_of(height)
    assert isinstance(written(height, seat, Wishes(True, give_up=1)), ForfeitHand)
    assert written(height, seat, Wishes(True, give_up=2)) is None


def test_commit_waits_for_the_words() -> None:
    height = height_of("commit")
    assert written(height, writer_of(height), Wishes(words_confirmed=False)) is None
    assert written(height, writer_of(height)) is not None


def test_moves_need_the_own_cards_and_the_turn() -> None:
    height = height_of("draw")
    seat = writer_of(height)
    record = recorded()
    state = Book(record.cast.descriptor, record.shelves[0].entries[:height]).state
    private = Private(
        seat, 52, Entropy("own"), tuple(record.shelf(seat, height).secrets.values()), lambda _: None
    )
    assert state.hand is not None
    faces = private.faces(state.hand)
    assert legal(state, seat, faces)
    assert legal(state, seat, {}) == ()
    assert legal(state, (seat + 1) % 3, faces) == ()
