"""Every named trouble has its test, found under its name."""

import pytest

from tests.sim import test_absences, test_liars, test_scenarios, test_sim, test_stores

NAMES = (
    "calm_match",
    "drop_each_message",
    "duplicate_and_reorder",
    "chain_topology",
    "link_flap",
    "host_gone",
    "host_returns",
    "kill_between_store_and_send",
    "torn_tail",
    "two_processes",
    "suspend_10_min",
    "return_while_asked",
    "last_reveal_private",
    "leave_everywhere",
    "forfeit_each_phase",
    "two_gone",
    "liar_forks_play",
    "liar_forks_shuffle",
    "relay_corrupts",
    "refused_entry",
    "continue_table",
    "slow_proofs",
    "clock_jumps",
    "random_soak",
)
"""In the order of the scenarios; the last is any number of seeds of the others mixed."""
MODULES = (test_scenarios, test_stores, test_absences, test_liars, test_sim)


@pytest.mark.parametrize("name", NAMES)
def test_a_named_trouble_has_one_test_of_its_name(name: str) -> None:
    homes = [module.__name__ for module in MODULES if hasattr(module, f"test_{name}")]
    assert len(homes) == 1
