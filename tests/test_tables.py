"""`tongits tables` on loopback: rows as JSON and in words, and what it says when there are none."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.lan import running
from tests.tables import PKS
from tongits_lan import __version__
from tongits_lan.cli import doctor, seats
from tongits_lan.cli.arguments import parse
from tongits_lan.cli.as_json import found_object
from tongits_lan.cli.doctor import State
from tongits_lan.cli.lines import voice_of
from tongits_lan.cli.main import main
from tongits_lan.cli.menu import menu
from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
from tongits_lan.console.found import say_found
from tongits_lan.console.skins import LETTERS
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.announcements import Found
from tongits_lan.net.causes import nothing_found
from tongits_lan.net.events import LobbyChanged
from tongits_lan.net.interfaces import interfaces
from tongits_lan.net.lobby import Lobby, LobbyView
from tongits_lan.net.session import SessionConfig, join_session

FOUND = Found(bytes(8), "Ana", 2, "pagat", __version__, "tongits-lan/1", ("192.168.1.20:15213",), 3.0)
LOOPBACK = ["--interface", "127.0.0.1"]


def test_an_announced_table_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    tag = os.urandom(8).hex()
    with running([sys.executable, "-m", "tests.announce", tag, "Ana", "2", "127.0.0.1"], ready="up"):
        assert main(["tables", "--json", *LOOPBACK]) == Exit.DONE
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert main(["tables", *LOOPBACK]) == Exit.DONE
        lines = capsys.readouterr().out.splitlines()
        check = doctor._tables(parse(["doctor", *LOOPBACK]), interfaces("127.0.0.1"))
    (row,) = [row for row in rows if row["tag"] == tag]
    ping, address = row.pop("ping_ms"), row.pop("addresses")[0]
    assert row == {
        "tag": tag,
        "host": "Ana",
        "seats": 2,
        "preset": "pagat",
        "version": "0.1.0",
        "protocol": "tongits-lan/1",
        "fits": True,
    }
    assert ping is not None
    assert any(line.startswith("Ana's table (2/3)") and line.endswith(address) for line in lines)
    assert check.state is State.OK
    assert address in check.text


def test_N14_a_row_says_which_version_and_whether_it_fits() -> None:
    assert say_found(FOUND) == (
        f"Ana's table (2/3)  rules pagat  version {__version__}  3 ms  192.168.1.20:15213"
    )
    later = Found(bytes(8), "Ben", 1, "kil", "9.9", "tongits-lan/9", ("10.0.0.1:1", "10.0.0.2:1"))
    assert say_found(later) == (
        f"Ben's table (1/3)  rules kil  version 9.9, you have {__version__}, which cannot play with yours"
        "  does not answer  10.0.0.1:1"
    )
    assert found_object(later)["fits"] is False


def looking(*found: Found, hints: tuple[str, ...] = ()) -> LobbyView:
    view = Lobby(PRESETS["pagat"]).view(me=PKS[1], host=PKS[0], addresses=(), message=None)
    return replace(view, rules=None, looking=True, tables=found, hints=hints)


VOICE = voice_of(looking(), LETTERS)


def test_the_line_modes_ask_which_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = replace(FOUND, tag=b"another.", host="Ben", ping_ms=None)
    assert menu(looking(), VOICE) is None
    asked = menu(looking(FOUND, other), VOICE)
    assert asked is not None
    assert [choice.does for choice in asked.choices] == ["choose", "choose", "quit"]
    session = join_session(SessionConfig("Ben", tmp_path, os.urandom))
    with pytest.raises(Refused, match="no table to choose now"):
        asked.choices[1].act(session)
    session.close()
    again = menu(looking(replace(FOUND, ping_ms=9.0), other), VOICE)
    assert again is not None
    assert again.key == asked.key, "another ping is no other question"
    PlainPrinter().menu(asked, looking(FOUND, other), VOICE)
    assert "  2  Ben's table (2/3)" in capsys.readouterr().out


def test_the_line_modes_tell_the_causes_once(capsys: pytest.CaptureFixture[str]) -> None:
    printer = PlainPrinter()
    hints = nothing_found(system="linux")
    for view in (looking(), looking(hints=hints), looking(hints=hints)):
        printer.event(LobbyChanged(), view, VOICE)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["Looking for tables on this network.", *hints]
    JsonPrinter().event(LobbyChanged(), looking(FOUND, hints=hints), VOICE)
    told = json.loads(capsys.readouterr().out)
    assert told["hints"] == list(hints)
    assert told["tables"] == [found_object(FOUND)]


@pytest.mark.parametrize(
    ("words", "on"),
    [
        (["host"], True),
        (["join"], True),
        (["join", "192.168.1.20"], True),
        (["play"], False),
        (["host", "--no-discovery"], False),
        (["host", "--bind", "127.0.0.1"], False),
        (["join", "--bind", "192.168.1.9"], True),
    ],
)
def test_who_announces_and_looks(words: list[str], on: bool) -> None:
    assert seats.discovers(parse(words)) is on


def test_practice_stays_on_this_machine_and_tables_for_friends_do_not() -> None:
    assert seats.listening_on(parse(["play"])) == "127.0.0.1"
    assert seats.listening_on(parse(["host"])) == ""
    assert seats.listening_on(parse(["join", "--bind", "192.168.1.9"])) == "192.168.1.9"


def test_a_wrong_interface_is_told_before_the_table_opens() -> None:
    with pytest.raises(UserError, match="'nosuch0'"):
        seats.discovers(parse(["host", "--interface", "nosuch0"]))


def test_without_discovery_there_is_nothing_to_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--no-discovery"]) == Exit.USAGE
    assert "--no-discovery" in capsys.readouterr().err


def test_an_interface_that_is_not_there_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--interface", "nosuch0"]) == Exit.USAGE
    assert "'nosuch0'" in capsys.readouterr().err
