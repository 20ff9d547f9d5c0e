"""ledger.words: the published list."""

import itertools
import json
import re
from pathlib import Path

import pytest

from tongits_lan.ledger.words import WORDS, words_of


def distance(one: str, two: str) -> int:
    """Letters to change, add or drop."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def test_published_list_is_the_same() -> None:
    published = json.loads((Path(__file__).parents[1] / "protocol" / "words.json").read_bytes())
    assert published == list(WORDS)


def test_256_short_words_that_are_not_taken_for_each_other() -> None:
    assert len(WORDS) == len({word[:4] for word in WORDS}) == 256
    assert all(re.fullmatch("[a-z]{3,7}", word) for word in WORDS)
    assert list(WORDS) == sorted(WORDS)
    near = [pair for pair in itertools.combinations(WORDS, 2) if abs(len(pair[0]) - len(pair[1])) < 2]
    assert all(distance(one, two) > 1 for one, two in near)


def test_words_of_four_bytes() -> None:
    assert words_of(bytes([0, 255, 1, 0])) == (WORDS[0], WORDS[255], WORDS[1], WORDS[0])
    with pytest.raises(ValueError, match="unpack"):
        words_of(b"abc")
