"""The published vectors of encoding and ledger are those their makers make."""

import re
from functools import cache

import pytest

from tests.make_vectors import make, text_of
from tests.vectors import FORMATS, VECTORS, Vector

made = cache(make)


@pytest.mark.parametrize("name", list(FORMATS))
def test_published_vectors_are_the_made_ones(name: str) -> None:
    assert (VECTORS / name).read_text() == text_of(made()[name])


def test_an_unknown_key_in_a_vector_fails() -> None:
    with pytest.raises(AssertionError, match="unknown keys"):
        Vector({"id": "v", "what": "x", "expect": "ok", "byte": ""}, {"bytes"})


def test_the_readme_names_every_file_and_key() -> None:
    readme = (VECTORS.parent / "README.md").read_text("utf-8")
    rows = {
        match[1]: match[2] for match in re.finditer(r"^\| `(\w+/\w+\.json)` \| (.*) \|.*\|$", readme, re.M)
    }
    assert rows.keys() == FORMATS.keys()
    for name, keys in FORMATS.items():
        assert keys <= set(re.findall(r"`(\w+)`", rows[name])), name
    published = {path.relative_to(VECTORS).as_posix() for path in VECTORS.rglob("*.json")}
    assert all(f"`{name}`" in readme for name in published)
