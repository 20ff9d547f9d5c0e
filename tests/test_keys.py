"""The table of keys: one meaning a key and mode, help made from it, nothing costly on Escape."""

from pathlib import Path

import pytest

from tongits_lan.console import press as pressing
from tongits_lan.console.keys import BINDINGS, Act, Mode, act_of, help_lines, special_keys


def test_no_key_means_two_things_in_one_mode() -> None:
    for mode in Mode:
        keys = [key for binding in BINDINGS if mode in binding.modes for key in binding.keys]
        assert keys
        assert len(set(keys)) == len(keys), mode


def test_every_act_of_the_table_can_be_done() -> None:
    for binding in BINDINGS:
        for mode in binding.modes:
            assert (mode, binding.act) in pressing._BY_MODE or binding.act in pressing._BY_ACT


def test_T2_keys_that_terminals_swallow_are_not_used() -> None:
    keys = {key for binding in BINDINGS for key in binding.keys}
    assert not keys & {"c-s", "c-q"}
    assert not [key for key in keys if key.startswith(("f1", "f2", "s-", "escape-"))]


@pytest.mark.parametrize("mode", list(Mode))
def test_escape_does_nothing_costly(mode: Mode) -> None:
    assert act_of(mode, "escape") in (None, Act.CLOSE, Act.UNMARK)


@pytest.mark.parametrize("mode", list(Mode))
def test_each_thing_that_escape_closes_has_another_key(mode: Mode) -> None:
    if act_of(mode, "escape") is Act.CLOSE:
        closing = [b for b in BINDINGS if mode in b.modes and b.act is Act.CLOSE]
        assert {key for b in closing for key in b.keys} - {"escape"}


@pytest.mark.parametrize("mode", list(Mode))
def test_ctrl_c_and_the_signal_ask_everywhere(mode: Mode) -> None:
    assert act_of(mode, "c-c") is act_of(mode, "<sigint>") is Act.INTERRUPT


def test_help_lists_only_what_works_there() -> None:
    assert any("draw from the stock" in line for line in help_lines(Mode.START))
    assert not any("draw from the stock" in line for line in help_lines(Mode.ACTION))
    assert any("leave the table for good" in line for line in help_lines(Mode.RESULT))
    assert any("ready" in line for line in help_lines(Mode.LOBBY))


def test_every_listed_key_has_words_for_it() -> None:
    assert all(bool(binding.shown) == bool(binding.help) for binding in BINDINGS)


def test_special_keys_are_names_that_the_screen_library_knows() -> None:
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()
    for name in special_keys():
        bindings.add(name)(lambda event: None)
    assert len(bindings.bindings) == len(special_keys())


def test_the_help_page_is_made_from_the_table() -> None:
    source = Path(pressing.__file__).with_name("overlays.py").read_text("utf-8")
    assert "help_lines(" in source
