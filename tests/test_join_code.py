"""The join code: its form, how it is typed, and how often it may be tried."""

import os
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tongits_lan.errors import Refused
from tongits_lan.ledger.words import WORDS
from tongits_lan.net.join_code import (
    PAUSE_MAX,
    PAUSE_SECONDS,
    TRIES,
    Exchange,
    Gate,
    WrongCodeError,
    complete,
    completions,
    make_code,
    normalise,
    typed_on,
)

T = b"the channel"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def gate(clock: Clock | None = None) -> tuple[Gate, list[str]]:
    told: list[str] = []
    return Gate(os.urandom, told.append, clock=clock or Clock()), told


def test_a_code_is_its_own_normal_form() -> None:
    codes = {make_code(os.urandom) for _ in range(200)}
    assert len(codes) > 190
    for code in codes:
        assert normalise(code) == code
        number, first, second = code.split("-")
        assert 10 <= int(number) <= 99
        assert {first, second} <= set(WORDS)


def test_every_number_and_word_can_come() -> None:
    assert make_code(lambda n: bytes(n)) == f"10-{WORDS[0]}-{WORDS[0]}"
    assert make_code(lambda n: b"\xff" * n).endswith(f"-{WORDS[255]}-{WORDS[255]}")
    numbers = {make_code(partial(drawn.to_bytes, byteorder="big"))[:2] for drawn in range(90)}
    assert numbers == {str(number) for number in range(10, 100)}


@pytest.mark.parametrize(
    "typed",
    ["42-mangga-bituin", " 42 Mangga  BITUIN ", "42_mangga.bituin", "42-mang-bit", "42, mangga, bituin"],
)
def test_what_is_typed_is_read_kindly(typed: str) -> None:
    assert normalise(typed) == "42-mangga-bituin"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "42",
        "mangga-bituin",
        "42-mangga",
        "9-mangga-bituin",
        "100-mangga-bituin",
        "42-mangga-nosuch",
        "42-m-bituin",
        "42-mangga-bituin-x",
        "٤٢-mangga-bituin",
        "42-mangga-bituin\x00",
    ],
)
def test_what_is_no_code_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(Refused) as caught:
        normalise(typed)
    assert caught.value.reason.isprintable()
    assert "nosuch" not in caught.value.reason


@pytest.mark.parametrize(
    ("typed", "said"),
    [("42-m-bituin", "More than one"), ("42-mangga-m", "More than one"), ("42-qq-bituin", "The first word")],
)
def test_a_word_that_is_not_finished_is_not_called_unknown(typed: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        normalise(typed)


@given(st.text(max_size=40))
def test_any_text_is_a_code_or_refused(typed: str) -> None:
    try:
        code = normalise(typed)
    except Refused:
        return
    assert normalise(code) == code


def test_tab_completes_a_word_as_far_as_one_way_leads_on() -> None:
    assert complete("42-mang") == "42-mangga-"
    assert complete("42-mangga-bitu") == "42-mangga-bituin"
    assert complete("42-MANG") == "42-mangga-"
    assert complete("42-ma") == "42-ma"
    assert complete("42-xx") == "42-xx"
    assert complete("42-") == "42-"
    assert completions("") == []
    assert "mangga" in completions("MA")


def test_what_parts_the_words_is_there_once_whoever_typed_it() -> None:
    for again in ("-", " ", "--", " - "):
        assert typed_on("42-mangga-", again) == "42-mangga-"
        assert typed_on("42-mangga-", f"{again}bituin") == "42-mangga-bituin"
        assert typed_on("", f"{again}42") == "42"
    assert typed_on("42", "-") == "42-"
    assert typed_on("42", " mangga bituin") == "42 mangga bituin"


def test_both_sides_of_one_code_show_the_same() -> None:
    client = Exchange("client", "42-mangga-bituin", T, os.urandom)
    server = Exchange("server", "42-mangga-bituin", T, os.urandom)
    from_client, from_server = client.start(), server.start()
    mine, theirs = client.finish(from_server), server.finish(from_client)
    mine.check(theirs.mine)
    theirs.check(mine.mine)
    with pytest.raises(WrongCodeError):
        mine.check(mine.mine)  # reflected
    assert mine.mine.hex() not in repr(mine)


@pytest.mark.parametrize(
    ("code", "transcript"), [("42-mangga-bigas", T), ("42-mangga-bituin", b"another channel")]
)
def test_another_code_or_channel_shows_something_else(code: str, transcript: bytes) -> None:
    client = Exchange("client", "42-mangga-bituin", T, os.urandom)
    server = Exchange("server", code, transcript, os.urandom)
    from_client, from_server = client.start(), server.start()
    with pytest.raises(WrongCodeError):
        client.finish(from_server).check(server.finish(from_client).mine)


@pytest.mark.parametrize(
    "message", [b"", b"B", b"A" + bytes(32), b"B" + bytes(32), b"B" + b"\xff" * 32, bytes(256)]
)
def test_bytes_that_are_no_message_count_as_a_wrong_code(message: bytes) -> None:
    client = Exchange("client", "42-mangga-bituin", T, os.urandom)
    client.start()
    with pytest.raises(WrongCodeError):
        client.finish(message).check(bytes(32))


def test_an_own_message_that_comes_back_counts_as_a_wrong_code() -> None:
    client = Exchange("client", "42-mangga-bituin", T, os.urandom)
    message = client.start()
    for reflected in (message, b"B" + message[1:]):
        fresh = Exchange("client", "42-mangga-bituin", T, os.urandom)
        fresh.start()
        with pytest.raises(WrongCodeError):
            fresh.finish(reflected).check(bytes(32))
    with pytest.raises(WrongCodeError):
        client.finish(b"B" + message[1:])


def test_a_code_is_used_up_by_five_tries_that_did_not_end_well() -> None:
    clock = Clock()
    door, told = gate(clock)
    first = door.code
    for _ in range(TRIES):
        assert door.code == first
        assert door.waits == 0
        door.begin().ended(well=False)
    assert door.code != first
    assert len(told) == 1
    assert first not in told[0]
    assert door.code not in told[0]  # it may be logged
    assert door.waits == PAUSE_SECONDS
    clock.now += PAUSE_SECONDS
    assert door.waits == 0


def test_tries_in_parallel_do_not_help() -> None:
    """All are counted when they begin: the sixth is one at another code."""
    door, _ = gate()
    first = door.code
    tries = [door.begin() for _ in range(3 * TRIES)]
    assert [one.code for one in tries[:TRIES]] == [first] * TRIES
    assert len({one.code for one in tries}) == 3
    for one in tries:
        one.ended(well=False)


def test_what_becomes_of_tries_at_an_old_code_leaves_the_new_one_its_five() -> None:
    door, told = gate()
    old = [door.begin() for _ in range(TRIES)]
    late = door.begin()  # the code is used up, and this is the first try at another one
    new = door.code
    for number, one in enumerate(old):
        one.ended(well=number % 2 == 0)
    late.ended(well=False)
    for _ in range(TRIES - 2):
        door.begin().ended(well=False)
    assert door.code == new
    door.begin().ended(well=False)
    assert door.code != new
    assert len(told) == 2


def test_tries_that_end_well_do_not_count() -> None:
    door, told = gate()
    for _ in range(20):
        attempt = door.begin()
        attempt.ended(well=True)
        attempt.ended(well=False)  # only the first word counts
    for _ in range(TRIES - 1):
        door.begin().ended(well=False)
    assert told == []


def test_guessing_gets_slower_and_slower() -> None:
    clock = Clock()
    door, _ = gate(clock)
    pauses = []
    for _ in range(20):
        for _ in range(TRIES):
            door.begin().ended(well=False)
        pauses.append(door.waits)
        clock.now += door.waits
    assert pauses == sorted(pauses)
    assert pauses[-1] == PAUSE_MAX
