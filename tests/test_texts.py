"""ledger.texts: strangers' names and lines."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tongits_lan.ledger.texts import alike, clean, shown_names


@pytest.mark.parametrize(
    ("text", "limit", "cleaned"),
    [
        ("Ana", 24, "Ana"),
        ("Jose\u0301", 24, "José"),
        ("e\u200b\u0301", 24, "é"),
        ("\x1b[2J\x1b]0;gone\x07Ben", 24, "[2J]0;goneBen"),
        ("\u202eneB\u2066", 24, "neB"),
        ("one\ntwo\r\u2028three\u2029", 24, "onetwothree"),
        ("\ue000\U000f0000\ud800x", 24, "x"),
        ("n" * 30, 24, "n" * 24),
        ("\U0001f0a1" * 3, 2, "\U0001f0a1" * 2),
        ("\u200bAna", 3, "Ana"),
        ("", 24, ""),
    ],
)
def test_clean(text: str, limit: int, cleaned: str) -> None:
    assert clean(text, limit) == cleaned


@given(st.text(st.characters(), max_size=60), st.integers(0, 40))
@settings(deadline=None)
def test_what_is_clean_stays_as_it_is(text: str, limit: int) -> None:
    once = clean(text, limit)
    assert clean(once, limit) == once
    assert len(once) <= limit
    assert unicodedata.is_normalized("NFC", once)
    assert not {unicodedata.category(char) for char in once} & {"Cc", "Cf", "Cs", "Co"}


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Ana", "B\x1ben", "Carlo"), ("Ana", "Ben", "Carlo")),
        (("Ana", "Ben", " ben"), ("Ana (1)", "Ben (2)", " ben (3)")),
        (("Ben (2)", "Ben", "Ben"), ("Ben (2) (1)", "Ben (2)", "Ben (3)")),
        (("", "", ""), (" (1)", " (2)", " (3)")),
    ],
)
def test_two_of_one_name_are_told_apart(names: tuple[str, str, str], shown: tuple[str, str, str]) -> None:
    assert shown_names(names) == shown
    assert len({alike(name) for name in shown}) == 3
