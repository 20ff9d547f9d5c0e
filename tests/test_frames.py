"""Frames read one after the other: whole, torn, too long, and among zeros."""

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.frames import ZEROS, FrameReader, counting
from tongits_lan.limits import FRAME_MAX


def read(data: bytes) -> tuple[list[bytes], FrameReader]:
    reader = FrameReader(BytesIO(data).read)
    return list(reader), reader


@given(st.lists(st.sampled_from([b"", b"one", b"x" + ZEROS, bytes(8), bytes(3), b"two" * 2000])))
@settings(deadline=None)
def test_frames_of_any_kind_come_back_before_one_that_is_none_of_zeros(frames: list[bytes]) -> None:
    """Zeros read ahead, to see whether anything follows them, are not lost."""
    data = b"".join(map(frame_bytes, [*frames, b"end"]))
    found, reader = read(data)
    assert found == [*frames, b"end"]
    assert (reader.end, reader.rest, reader.torn, reader.oversize) == (len(data), b"", False, False)


@pytest.mark.parametrize(
    ("tail", "rest"),
    [
        (b"\0", b"\0"),
        (b"\0\0\0\x05four", b"\0\0\0\x05four"),
        (bytes(4), bytes(4)),
        (bytes(9000), bytes(4)),
        (frame_bytes(b"abc" + ZEROS) + bytes(9000), frame_bytes(b"abc" + ZEROS)),
    ],
)
def test_what_a_crash_leaves_at_the_end_is_no_frame(tail: bytes, rest: bytes) -> None:
    good = frame_bytes(b"one")
    found, reader = read(good + tail)
    assert found == [b"one"]
    assert (reader.end, reader.rest, reader.torn, reader.oversize) == (len(good), rest, True, False)


@pytest.mark.parametrize("tail", [frame_bytes(b"abc" + ZEROS[1:]), frame_bytes(bytes(3))])
def test_fewer_zeros_than_eight_may_end_a_frame(tail: bytes) -> None:
    found, reader = read(tail)
    assert [frame_bytes(frame) for frame in found] == [tail]
    assert not reader.torn


def test_a_length_over_the_limit_ends_the_reading() -> None:
    found, reader = read(frame_bytes(b"one") + (FRAME_MAX + 1).to_bytes(4) + bytes(FRAME_MAX + 1))
    assert (found, reader.oversize, reader.torn) == ([b"one"], True, False)
    longest = bytes(FRAME_MAX - 1) + b"."
    assert read(frame_bytes(longest))[0] == [longest]


def test_bytes_before_the_frames_are_taken_as_they_are() -> None:
    reader = FrameReader(BytesIO(b"first line\n" + frame_bytes(b"one")).read)
    assert reader.take(11) == b"first line\n"
    assert list(reader) == [b"one"]
    assert reader.take(5) == b""


def test_counting_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    counted = counting(BytesIO(b"0123456789").read, lambda done, total: told.append((done, total)), 30, 20)
    assert (counted(4), counted(99), counted(1)) == (b"0123", b"456789", b"")
    assert told == [(24, 30), (30, 30), (30, 30)]
