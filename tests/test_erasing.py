"""What Backspace, Ctrl-W and Ctrl-U leave of a line being typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tongits_lan.console.erasing import ERASERS, erased


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("42-mangga-", "42-"),
        ("42-mang", "42-"),
        ("Mang Ben", "Mang "),
        ("Mang Ben ", "Mang "),
        ("bilis naman!", "bilis "),
        ("192.168.1.20", "192.168.1."),
        ("?!", ""),
        ("", ""),
    ],
)
def test_a_word_goes_with_what_stands_behind_it(typed: str, left: str) -> None:
    assert erased(typed, "c-w") == left


@given(st.text(max_size=30))
def test_every_eraser_leaves_a_beginning_and_takes_something(typed: str) -> None:
    for key in ERASERS:
        left = erased(typed, key)
        assert typed.startswith(left)
        assert len(left) < len(typed) or not typed
    assert erased(typed, "backspace") == typed[:-1]
    assert erased(typed, "c-u") == ""


def test_another_key_erases_nothing() -> None:
    with pytest.raises(KeyError):
        erased("abc", "enter")
