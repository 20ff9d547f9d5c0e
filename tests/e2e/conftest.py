"""The network of the tests that have one."""

from collections.abc import Iterator

import pytest

from tests.lan import Lan, three_computers


@pytest.fixture
def lan() -> Iterator[Lan]:
    """Three computers of its own for each test."""
    with three_computers() as lan:
        yield lan
