"""The published vectors of encoding and ledger are those their makers make."""

import pytest

from tests.make_vectors import make, text_of
from tests.vectors import FORMATS, VECTORS, Vector

MADE = make()


@pytest.mark.parametrize("name", list(FORMATS))
def test_published_vectors_are_the_made_ones(name: str) -> None:
    assert (VECTORS / name).read_text() == text_of(MADE[name])


def test_an_unknown_key_in_a_vector_fails() -> None:
    with pytest.raises(AssertionError, match="unknown keys"):
        Vector({"id": "v", "what": "x", "expect": "ok", "byte": ""}, {"bytes"})
