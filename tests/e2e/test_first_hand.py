"""From three idle shells to a dealt hand: three people who know no command, each at an own terminal."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.people import NAMES, Person, begin
from tests.lan import HOST, Lan

pytestmark = pytest.mark.slow

PROMISED_SECONDS = 60


def play_a_hand(
    start: Callable[[str], Person], address: str | None = None, names: Sequence[str] = NAMES
) -> list[int]:
    """From the start of three programs to a dealt hand, and home; the keys that each has pressed for it, the
    host first."""
    began = time.monotonic()
    with ExitStack() as stack:
        people = [stack.enter_context(start(name)) for name in names]
        for person in people:
            person.says_name()
        host, *guests = people
        code = host.hosts()
        for guest in guests:
            guest.joins(host.name, code, address)
        begin(people)
        seconds = time.monotonic() - began
        print(f"from three shells to a dealt hand: {seconds:.1f} s")
        assert seconds < PROMISED_SECONDS
        keys = [person.keys for person in people]
        for person in people:
            person.leaves()
            assert f'name = "{person.name}"' in (person.data / "config.toml").read_text("utf-8")
    return keys


def test_item_1_three_people_reach_a_hand_from_the_menu(tmp_path: Path) -> None:
    """Tables are announced and looked for on the loopback interface alone, where at the same time other tests
    may have a table of an Ana."""
    names = (f"Ana{os.getpid()}", "Ben", "Carlo")
    keys = play_a_hand(lambda name: Person(tmp_path, name, "--interface", "lo"), names=names)
    assert keys == [5, 6, 6]


def test_item_1_three_computers_find_each_other(lan: Lan, tmp_path: Path) -> None:
    """No address is typed: with a second interface that leads nowhere and three netmasks."""
    keys = play_a_hand(partial(at_own_computer, lan, tmp_path))
    assert keys == [5, 6, 6]


def test_item_2_with_multicast_dropped_the_address_on_the_screen_is_typed(lan: Lan, tmp_path: Path) -> None:
    """No announcement arrives anywhere, and IPv6 does not work either: the list stays empty, and after a
    while the menu says what the cause may be."""
    for seat in range(3):
        lan.drop_multicast(f"h{seat}")
    keys = play_a_hand(partial(at_own_computer, lan, tmp_path), HOST)
    assert keys == [5, 7, 7]


def at_own_computer(lan: Lan, folder: Path, name: str) -> Person:
    """Ana's computer is h0, and so on."""
    return Person(folder, name, on=lan.command(f"h{NAMES.index(name)}", []))
