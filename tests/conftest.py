"""Options of the test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--scenarios",
        metavar="FILE_OR_DIR",
        default=None,
        help="rule scenarios to run in place of protocol/vectors/rules/scenarios.json",
    )
