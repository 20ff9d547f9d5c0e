"""`tongits` without a command: what was chosen becomes a command line, and the menu in plain lines."""

import io
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile.stage import lay_down
from tests.scripted import Script
from tongits_lan.cli import arguments, home, preferences
from tongits_lan.cli.home_lines import ask
from tongits_lan.console.door import Chosen, Door, opened
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.speech import speaking
from tongits_lan.net.sitting import going_on
from tongits_lan.store.journal import pending_tables
from tongits_lan.store.settings import Settings


def options(folder: Path, *words: str) -> Namespace:
    return arguments.parse(["--data-dir", str(folder), *words])


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (Chosen("host"), ["host", "--rules", "pagat", "--bots", "0", "--new"]),
        (
            Chosen("host", "house", 1, 60, 5),
            ["host", "--rules", "house", "--hands", "5", "--bots", "1", "--new"],
        ),
        (Chosen("play", bots=2, fresh=False), ["play", "--rules", "pagat"]),
        (Chosen("join", address="192.168.1.20", fresh=False), ["join", "192.168.1.20"]),
        (Chosen("join", fresh=False), ["join"]),
    ],
)
def test_what_was_chosen_is_a_command_line(chosen: Chosen, words: list[str]) -> None:
    assert home.words_of(chosen) == words
    assert arguments.parse(words).command == chosen.command


def test_without_a_terminal_nobody_is_asked(tmp_path: Path) -> None:
    assert not home.may_ask(options(tmp_path))
    assert not home.may_ask(options(tmp_path, "--json", "--plain"))
    assert home.may_ask(options(tmp_path, "--plain"))


def test_where_nothing_is_unfinished_no_key_is_made(tmp_path: Path) -> None:
    assert home.unfinished(options(tmp_path)) == ()
    assert list(tmp_path.iterdir()) == []


def test_names_of_an_unfinished_table_cannot_paint(tmp_path: Path) -> None:
    script = Script(names=("Ana", "\x1b]0;x\x07Ben", "Carlo\r\nYou win"))
    lay_down(tmp_path, script, 0, ())
    (found,) = home.unfinished(options(tmp_path / "Ana"))
    (table,) = pending_tables(tmp_path / "Ana", script.descriptor.seats[0].pk)
    for said in (found.label, going_on(table)):
        assert "with ]0;xBen and CarloYou win" in said
        assert said.isprintable()


def test_the_name_is_kept_where_the_data_is(tmp_path: Path) -> None:
    here = options(tmp_path)
    assert preferences.path(here) == tmp_path / "config.toml"
    preferences.keep(here, Settings(name="Ana"))
    assert preferences.own_name(here) == "Ana"
    assert preferences.own_name(options(tmp_path, "play", "--name", "B\x1ben")) == "Ben"


def test_a_name_on_the_command_line_is_the_one_of_the_menu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = options(tmp_path, "--plain", "--no-discovery", "--name", "Ana")
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    assert home.run(here) == 0
    assert capsys.readouterr().out.startswith("Ana, what now?")
    assert preferences.load(here).name == "", "said for this time alone"
    monkeypatch.setattr(sys, "stdin", io.StringIO("6\nBen\nq\n"))
    assert home.run(here) == 0
    assert preferences.load(here).name == "Ben"
    assert preferences.own_name(here) == "Ben"


def test_options_of_the_menu_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = options(tmp_path, "--plain", "--no-discovery")
    preferences.keep(here, Settings(name="Ana"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("o\n2\n6\nq\nq\n"))
    with speaking("en"):
        assert home.run(here) == 0
    assert preferences.load(here) == Settings(name="Ana", bell=False, lang="fil")
    said = capsys.readouterr().out
    assert "  6  language / wika: English" in said
    assert "  6  language / wika: Filipino" in said
    assert "Ana, what now?" not in said.split("Filipino")[1]


def answers(monkeypatch: pytest.MonkeyPatch, door: Door, *lines: str) -> Door:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return ask(door, lambda: ["ok network eth0"])


def test_item_35_the_menu_is_numbered_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    door = answers(monkeypatch, opened("", "Root", LETTERS), "Ana", "9", "5", "1", "r", "")
    assert door.name == "Ana"
    assert door.chosen == Chosen("host", "wikipedia")
    said = capsys.readouterr().out
    assert "Your name (Root)?" in said
    assert "There is no such choice." in said
    assert "ok network eth0" in said
    assert "  3  Practice with bots" in said
    assert "rules wikipedia" in said


def test_item_35_the_first_guess_of_the_name_is_taken_with_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch, opened("", "Root", LETTERS), "", "q").name == "Root"


def test_item_35_an_address_is_typed_or_tables_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    door = opened("Ana", "", LETTERS)
    assert answers(monkeypatch, door, "2", "192.168.1.20").chosen == Chosen(
        "join", address="192.168.1.20", fresh=False
    )
    assert answers(monkeypatch, door, "2", "").chosen == Chosen("join")
    assert answers(monkeypatch, door, "2", "a b", "q", "q").left
    assert "is no address" in capsys.readouterr().out


def test_item_35_the_end_of_input_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch, opened("Ana", "", LETTERS)).left
    assert answers(monkeypatch, replace(opened("Ana", "", LETTERS), note="Hello."), "4").left
