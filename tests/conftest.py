"""Options of the test run."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tongits_lan.console.speech import speaking

pytest.register_assert_rewrite("tests.scenarios")

# A busy machine is no failure: no deadline, no complaint about slow examples.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A test that switches the language leaves none of it to the next one."""
    with speaking("en"):
        yield


# The tests read English, also on a machine that speaks Filipino to its user.
for _name in ("LC_ALL", "LC_MESSAGES", "LANG"):
    if os.environ.get(_name, "").startswith(("fil", "tl")):
        os.environ[_name] = "en_US.UTF-8"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--scenarios",
        metavar="FILE_OR_DIR",
        default=None,
        help="rule scenarios to run in place of protocol/vectors/rules/scenarios.json",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two more than there are cores: many tests wait for programs that wait for each other."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_finish() -> None:
    """Some thousand tests live to the end: no search for garbage need go through them again and again."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long is begun first, in the shares of two workers: those mostly wait, while the others
    compute; and at the end no worker has minutes left that nobody can take from it."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers < 2:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    quick = [item for item in items if not item.get_closest_marker("slow")]
    one, other = slow[::2], slow[1::2]
    rest = max(0, len(items) // workers - len(one))  # of the first worker's share
    items[:] = [*one, *quick[:rest], *other, *quick[rest:]]
