"""What is asked of the ledgers of other seats, and when."""

import pytest

from tests.circle import recorded
from tongits_lan.ledger.book import Book
from tongits_lan.ledger.effects import Outbox
from tongits_lan.ledger.messages import Entries, Get, Have
from tongits_lan.ledger.sync import Sync
from tongits_lan.limits import ENTRIES_PER_MESSAGE, FRAME_MAX, HAVE_SECONDS

HELD = 20


def synced(held: int = HELD) -> tuple[Sync, Book, Outbox]:
    """The ledgers of seat 0 with a link to seat 1, whose first `have` was sent."""
    record = recorded()
    book, box = Book(record.cast.descriptor, record.shelves[0].entries[:held]), Outbox()
    sync = Sync(book, box)
    sync.link_up(1)
    return sync, book, box


def asked(box: Outbox) -> list[int]:
    return [message.first for _, message in box.take().send if isinstance(message, Get)]


def level(sync: Sync) -> bool:
    return sync.level


def test_new_link_is_told_how_far_this_seat_is() -> None:
    _, book, box = synced()
    assert box.take().send == ((1, Have(HELD, book.heads[HELD])),)


def test_level_and_longer_ledgers() -> None:
    sync, book, box = synced()
    assert not level(sync)
    sync.have(1, Have(HELD, book.heads[HELD]), HELD)
    assert level(sync)
    assert asked(box) == []
    sync.have(1, Have(HELD + 7, bytes(32)), HELD)
    assert not level(sync)
    assert asked(box) == [HELD]


def test_shorter_ledger_asks_itself() -> None:
    sync, book, box = synced()
    sync.have(1, Have(5, book.heads[5]), HELD)
    assert asked(box) == []
    assert not level(sync)


@pytest.mark.parametrize(("height", "first"), [(HELD, HELD - 8), (12, 4), (3, 0)])
def test_another_head_is_looked_for_lower(height: int, first: int) -> None:
    sync, _, box = synced()
    sync.have(1, Have(height, bytes(32)), HELD)
    assert asked(box) == [first]


def test_nothing_is_asked_for_that_waits_here_already() -> None:
    sync, _, box = synced()
    sync.have(1, Have(HELD + 2, bytes(32)), HELD + 2)
    assert asked(box) == []


def test_steps_go_lower_and_lower_and_end() -> None:
    sync, _, box = synced()
    box.take()
    firsts = []
    height = 100_000
    while sync.step_back(1, height):
        firsts += asked(box)
    assert firsts == [height - 8, height - 64, height - 512, height - 4096, height - 32768, 0, 0]


def test_seat_that_contradicts_itself_is_not_asked_again() -> None:
    sync, book, box = synced()
    sync.have(1, Have(HELD, book.heads[HELD]), HELD)
    box.take()
    assert not sync.step_back(1, HELD)
    assert not sync.step_back(1, 0)
    assert asked(box) == []


def test_question_is_not_repeated_while_its_answer_is_under_way() -> None:
    sync, _, box = synced()
    box.take()
    sync.ask_once(1, HELD)
    sync.ask_once(1, HELD)
    assert asked(box) == [HELD]
    assert not sync.answered(1, HELD + 3, 1)
    assert sync.answered(1, HELD, 4)
    sync.ask_once(1, HELD + 4)
    assert asked(box) == [HELD + 4]


def test_answers_fit_a_message() -> None:
    record = recorded()
    sync, book, box = synced(len(record.shelves[0].entries))
    box.take()
    got: list[bytes] = []
    while True:
        sync.answer(1, Get(len(got)))
        ((_, message),) = box.take().send
        assert isinstance(message, Entries)
        assert len(message.entries) <= ENTRIES_PER_MESSAGE
        assert sum(map(len, message.entries)) < FRAME_MAX
        if not message.entries:
            break
        got += message.entries
    assert got == book.entries


def test_answer_to_a_height_far_away_is_empty() -> None:
    sync, _, box = synced()
    box.take()
    sync.answer(1, Get(2**63 - 1))
    assert box.take().send == ((1, Entries(2**63 - 1, ())),)


def test_have_goes_out_every_four_seconds() -> None:
    sync, _, box = synced()
    box.take()
    assert sync.tick(10.0)
    assert not sync.tick(10.0 + HAVE_SECONDS - 0.1)
    assert sync.deadline(comparing=False) == 10.0 + HAVE_SECONDS
    assert sync.tick(10.0 + HAVE_SECONDS)
    assert len(box.take().send) == 2


def test_comparing_needs_one_and_waits_for_the_second() -> None:
    sync, book, _ = synced()
    assert not sync.compared(50.0, (1, 2))
    sync.have(1, Have(HELD + 1, bytes(32)), HELD)
    assert not sync.compared(51.0, (1, 2))
    sync.have(1, Have(HELD - 1, book.heads[HELD - 1]), HELD)
    assert not sync.compared(52.0, (1, 2))
    sync.tick(52.0)
    assert sync.deadline(comparing=True) == 56.0
    assert not sync.compared(56.9, (1, 2))
    assert sync.compared(57.0, (1, 2))


def test_comparing_ends_at_once_with_both_and_starts_over_without() -> None:
    sync, book, _ = synced()
    sync.link_up(2)
    sync.have(1, Have(HELD, book.heads[HELD]), HELD)
    assert not sync.compared(50.0, (1, 2))
    sync.link_down(1)
    assert not sync.compared(60.0, (1, 2))
    sync.have(2, Have(HELD, book.heads[HELD]), HELD)
    assert not sync.compared(61.0, (1, 2))
    sync.link_up(1)
    sync.have(1, Have(2, book.heads[2]), HELD)
    assert sync.compared(61.5, (1, 2))
