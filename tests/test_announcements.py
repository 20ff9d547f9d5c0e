"""Announcements as values: what is believed of them, and what the list shows when."""

from dataclasses import replace
from ipaddress import ip_interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tongits_lan.ledger.texts import clean
from tongits_lan.limits import ADDRESSES_PER_SEAT, NAME_MAX
from tongits_lan.net.announcements import (
    DOORS_PER_ROW,
    GOODBYE_SECONDS,
    ROWS_MAX,
    STALE_SECONDS,
    Announcement,
    Heard,
    Notice,
    Rows,
    parse,
)
from tongits_lan.net.interfaces import make_interface

TAG = bytes(range(8))
KNOWN = (make_interface("eth0", 2, [ip_interface("192.168.1.9/24"), ip_interface("fe80::9/64")]),)
NOTICE = Notice(TAG, "Ana", 2, "pagat", 15213, "1.2.3")


def heard(instance: str = "one", hosts: tuple[str, ...] = ("192.168.1.20",), **texts: bytes | None) -> Heard:
    """The announcement of NOTICE with some texts replaced, left out (None) or added."""
    said: dict[bytes, bytes | None] = {key.encode(): text.encode() for key, text in NOTICE.texts().items()}
    said.update({key.encode(): value for key, value in texts.items()})
    return Heard(instance, {key: value for key, value in said.items() if value is not None}, hosts, 15213)


def said(tag: bytes = TAG, instance: str = "one", *addresses: str, seats: int = 1) -> Announcement:
    parsed = parse(heard(instance), KNOWN)
    assert parsed is not None
    return replace(parsed, tag=tag, seats=seats, addresses=addresses or (f"192.168.1.20:{len(instance)}",))


def test_what_is_announced_is_what_is_found() -> None:
    found = parse(heard(), KNOWN)
    assert found == Announcement(
        "one", TAG, "Ana", 2, "pagat", "1.2.3", "tongits-lan/1", ("192.168.1.20:15213",)
    )


def test_neither_code_nor_key_is_announced() -> None:
    assert set(NOTICE.texts()) == {"protocol", "version", "host", "seats", "preset", "tag"}


@pytest.mark.parametrize(
    "wrong",
    [
        heard(tag=None),
        heard(tag=b"00"),
        heard(tag=b"zz" * 8),
        heard(tag=b"00" * 4000),
        heard(seats=None),
        heard(seats=b"0"),
        heard(seats=b"4"),
        heard(seats=b"\xff"),
        heard(protocol=None),
        heard(hosts=()),
        heard(hosts=("ana.example", "0.0.0.0", "224.0.0.251")),
        replace(heard(), port=0),
        replace(heard(), port=65_536),
        Heard("one", {}, ("192.168.1.20",), 15213),
    ],
)
def test_what_is_no_announcement_gives_no_row(wrong: Heard) -> None:
    assert parse(wrong, KNOWN) is None


def test_texts_of_strangers_are_cleaned_and_cut() -> None:
    hostile = "\x1b[2J\u202eAna\u200b\nBen".encode() + b"\xff" * 9000
    found = parse(heard(host=hostile, preset=hostile, version=hostile), KNOWN)
    assert found is not None
    for text in (found.host, found.preset, found.version):
        assert text == clean(text, 64)
        assert text.startswith("[2JAnaBen")
    assert len(found.host) == NAME_MAX


def test_no_more_addresses_than_can_be_dialled() -> None:
    many = tuple(f"10.0.{high}.{low}" for high in range(40) for low in range(200))
    found = parse(heard(hosts=many), KNOWN)
    assert found is not None
    assert len(found.addresses) == ADDRESSES_PER_SEAT


def test_a_later_protocol_is_shown_as_one_that_does_not_fit() -> None:
    rows = Rows()
    parsed = parse(heard(protocol=b"tongits-lan/2", version=b"2.0"), KNOWN)
    assert parsed is not None
    rows.heard(parsed, 0.0)
    (row,) = rows.found()
    assert (row.fits, row.version) == (False, "2.0")


@given(
    st.dictionaries(st.sampled_from([b"tag", b"seats", b"host", b"protocol", b"x"]), st.none() | st.binary()),
    st.lists(st.text() | st.ip_addresses().map(str), max_size=4),
    st.integers(-1, 70_000),
)
def test_no_announcement_makes_the_reader_fail(
    texts: dict[bytes, bytes | None], hosts: list[str], port: int
) -> None:
    found = parse(
        Heard("one", {b"tag": TAG.hex().encode(), b"seats": b"1", **texts}, tuple(hosts), port), KNOWN
    )
    assert found is None or len(found.host) <= NAME_MAX


def test_N3_one_row_per_table_whatever_the_number_of_addresses() -> None:
    rows = Rows()
    rows.heard(said(TAG, "one", "192.168.1.20:15213", "10.8.0.2:15213"), 0.0)
    rows.heard(said(TAG, "three", "[fe80::1%eth0]:15213", "192.168.1.20:15213", seats=3), 1.0)
    (row,) = rows.found()
    assert row.addresses == ("192.168.1.20:15213", "10.8.0.2:15213", "[fe80::1%eth0]:15213")
    assert (row.seats, row.full) == (3, True)


def test_a_row_nobody_vouches_for_goes_in_less_than_ten_seconds() -> None:
    rows = Rows()
    rows.heard(said(), 0.0)
    rows.heard(said(), 3.0)
    assert rows.next_deadline() == 3.0 + STALE_SECONDS <= 3.0 + 10
    rows.expire(3.0 + STALE_SECONDS - 0.1)
    assert len(rows.found()) == 1
    rows.expire(3.0 + STALE_SECONDS)
    assert rows.found() == ()
    assert rows.next_deadline() is None


def test_a_port_that_answers_vouches_for_its_row() -> None:
    rows = Rows()
    rows.heard(said(TAG, "one", "192.168.1.20:1"), 0.0)
    rows.answered(TAG, "192.168.1.20:1", 3.0, 5.0)
    rows.expire(STALE_SECONDS)
    assert [row.ping_ms for row in rows.found()] == [3.0]
    rows.silent(TAG)
    assert [row.ping_ms for row in rows.found()] == [None]
    rows.answered(b"another", "192.168.1.20:1", 3.0, 5.0)
    rows.expire(5.0 + STALE_SECONDS)
    assert rows.found() == ()


def test_a_goodbye_counts_after_a_second_even_if_the_port_still_answers() -> None:
    rows = Rows()
    rows.heard(said(TAG, "one", "192.168.1.20:1"), 0.0)
    rows.goodbye("one", 2.0)
    rows.goodbye("never heard of", 2.0)
    rows.answered(TAG, "192.168.1.20:1", 3.0, 2.5)
    rows.expire(2.0 + GOODBYE_SECONDS)
    assert rows.found() == ()


def test_a_goodbye_that_is_taken_back_never_happened() -> None:
    rows = Rows()
    rows.heard(said(), 0.0)
    rows.goodbye("one", 2.0)
    rows.heard(said(), 2.5)
    rows.expire(2.0 + GOODBYE_SECONDS)
    assert len(rows.found()) == 1


def test_a_new_table_at_the_same_port_takes_the_place_of_the_old_one() -> None:
    rows = Rows()
    rows.heard(said(TAG, "one", "192.168.1.20:1"), 0.0)
    rows.heard(said(b"another.", "two", "192.168.1.20:1"), 1.0)
    assert [row.tag for row in rows.found()] == [b"another."]
    rows.heard(said(b"a third.", "two", "192.168.1.20:2"), 2.0)
    assert [row.tag for row in rows.found()] == [b"a third."]


def test_tables_of_two_computers_that_share_one_useless_address_stay_two() -> None:
    rows = Rows()
    rows.heard(said(b"table A.", "one", "192.168.1.20:1", "172.17.0.1:1"), 0.0)
    rows.heard(said(b"table B.", "two", "192.168.1.21:1", "172.17.0.1:1"), 0.0)
    assert len(rows.found()) == 2


def test_a_flood_of_rows_or_doors_is_cut_off() -> None:
    rows = Rows()
    for number in range(3 * ROWS_MAX):
        rows.heard(said(number.to_bytes(8, "big"), f"i{number}", f"10.0.0.1:{number + 1}"), 0.0)
    assert len(rows.found()) == ROWS_MAX
    for number in range(100):
        rows.heard(said(bytes(8), f"j{number}", f"10.0.1.1:{number + 1}"), 0.0)
    assert len(rows.found()[0].addresses) == DOORS_PER_ROW
