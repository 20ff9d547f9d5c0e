"""The orders of a table, in the order they are given."""

from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.effects import AppendEntry, Effects, Outbox, fits, one_message
from tongits_lan.ledger.messages import Entries, Have, Reject, decode_message, encode_message
from tongits_lan.limits import ENTRIES_PER_MESSAGE, ENTRY_MAX, FRAME_MAX


def test_taking_empties_the_box() -> None:
    box = Outbox()
    assert not box.take()
    box.store.append(AppendEntry(b"one"))
    box.send(1, Have(0, bytes(32)))
    effects = box.take()
    assert effects
    assert effects.store == (AppendEntry(b"one"),)
    assert box.take() == Effects()


def test_entries_that_follow_each_other_go_together() -> None:
    box = Outbox()
    box.send_entry(1, 5, b"five")
    box.send_entry(2, 5, b"five")
    box.send_entry(1, 6, b"six")
    box.send_entry(1, 8, b"eight")
    assert box.take().send == (
        (1, Entries(5, (b"five", b"six"))),
        (2, Entries(5, (b"five",))),
        (1, Entries(8, (b"eight",))),
    )


def test_nothing_overtakes_on_one_link() -> None:
    box = Outbox()
    box.send_entry(1, 5, b"five")
    box.send(1, Have(6, bytes(32)))
    box.send_entry(1, 6, b"six")
    assert [type(message) for _, message in box.take().send] == [Entries, Have, Entries]


def test_messages_stay_within_a_frame() -> None:
    box = Outbox()
    for height in range(10):
        box.send_entry(1, height, bytes(ENTRY_MAX))
    sent = [message for _, message in box.take().send if isinstance(message, Entries)]
    assert [message.first for message in sent] == [0, 3, 6, 9]
    assert all(len(encode_message(message)) <= FRAME_MAX for message in sent)


def test_limits_of_one_message() -> None:
    assert fits([b"x"] * ENTRIES_PER_MESSAGE)
    assert not fits([b"x"] * (ENTRIES_PER_MESSAGE + 1))
    largest = [bytes(ENTRY_MAX)] * 3
    assert fits(largest)
    assert not fits([*largest, bytes(ENTRY_MAX)])


def test_an_answer_holds_as_many_entries_as_one_message_takes() -> None:
    large = [bytes(ENTRY_MAX)] * 7
    assert [len(one_message(large, first)) for first in (0, 3, 6, 7, 2**63 - 1)] == [3, 3, 1, 0, 0]
    small = [bytes([number % 256]) for number in range(600)]
    assert one_message(small, 100) == tuple(small[100 : 100 + ENTRIES_PER_MESSAGE])
    assert one_message(small, 400) == tuple(small[400:])


def test_reason_of_a_refusal_fits_its_field() -> None:
    box = Outbox()
    box.reject(1, 5, Fault(Code.CHAIN, "x" * 2_000))
    ((seat, message),) = box.take().send
    assert seat == 1
    assert isinstance(message, Reject)
    assert decode_message(encode_message(message), from_server=True) == message
