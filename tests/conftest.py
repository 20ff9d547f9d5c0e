"""Options of the test run."""

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.scenarios")

# A busy machine is no failure: no deadline, no complaint about slow examples.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--scenarios",
        metavar="FILE_OR_DIR",
        default=None,
        help="rule scenarios to run in place of protocol/vectors/rules/scenarios.json",
    )
