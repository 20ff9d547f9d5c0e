"""Whose chat is left out: by key, at a table, in the lobby and in the line modes."""

from dataclasses import replace
from typing import cast

import pytest
import trio

from tests.screens import KEYS, Seat
from tongits_lan.cli.lines import LineTable
from tongits_lan.cli.printers import PlainPrinter
from tongits_lan.console.mute import KEPT, muted, turned
from tongits_lan.console.skins import LETTERS
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.net.events import ChatHeard, SessionEvent
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.net.session import Session
from tongits_lan.store.known import Person
from tongits_lan.store.settings import Settings

_WORDS = ("dagat", "mangga", "bituin", "walis")


def test_a_key_is_muted_and_shown_again() -> None:
    view = Seat().view
    silent = turned(Settings(), KEYS[0])
    assert [muted(silent, view, seat) for seat in range(3)] == [True, False, False]
    assert turned(silent, KEYS[0]) == Settings()
    both = turned(silent, KEYS[1])
    assert both.muted.split() == [KEYS[0].hex(), KEYS[1].hex()]


def test_not_more_keys_are_kept_than_anybody_needs() -> None:
    settings = Settings()
    for number in range(KEPT + 5):
        settings = turned(settings, number.to_bytes(32, "big"))
    assert len(settings.muted.split()) == KEPT
    assert settings.muted.split()[-1] == f"{KEPT + 4:064x}"


def test_somebody_known_is_muted_in_the_lobby_too() -> None:
    known = Person(KEYS[0], "Ana", 0, 0)
    seats = (
        LobbySeat("Ana", _WORDS, False, False, None, known),
        LobbySeat("Ben", _WORDS, False, False, None),
    )
    lobby = LobbyView(
        hosting=False, me=1, seats=seats, rules=None, countdown=None, addresses=(), message=None
    )
    silent = turned(turned(Settings(), KEYS[0]), KEYS[1])
    assert [muted(silent, lobby, place) for place in range(3)] == [True, False, False]


def _lines(kept: list[Settings]) -> LineTable:
    async def play() -> None:
        """Nothing is played."""

    session = cast("Session", Seat())
    return LineTable(session, play, PlainPrinter(), LETTERS, None, keep=kept.append)


def test_the_line_modes_mute_by_name_and_keep_it(capsys: pytest.CaptureFixture[str]) -> None:
    kept: list[Settings] = []
    table = _lines(kept)
    table._take("m Ben", None)
    assert kept == [turned(Settings(), KEYS[1])]
    with pytest.raises(Refused, match="Ana and Ben"):
        table._take("m Zoe", None)
    with pytest.raises(Refused):
        table._take("m Carlo", None)
    send, receive = trio.open_memory_channel[SessionEvent](9)
    for seat in range(2):
        send.send_nowait(ChatHeard(seat, "hello", None))
    table._drain(receive)
    table._take("m Ben", None)
    assert kept[-1] == Settings()
    said = capsys.readouterr().out.splitlines()
    assert said == ["The chat of Ben is muted.", "Ana: hello", "The chat of Ben is shown."]


def test_what_cannot_be_kept_is_said_and_holds_for_now(capsys: pytest.CaptureFixture[str]) -> None:
    def full(settings: Settings) -> None:
        raise UserError("the disk is full", Exit.FAILED)

    table = replace(_lines([]), keep=full)
    table._take("m Ana", None)
    assert table.remarks.ui.settings == turned(Settings(), KEYS[0])
    assert capsys.readouterr().out.splitlines() == ["the disk is full", "The chat of Ana is muted."]
