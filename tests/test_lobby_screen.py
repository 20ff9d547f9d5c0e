"""Before the table on the screen: the code read aloud and typed, old friends, strange keys, farewells."""

from dataclasses import replace

import pytest

from tests.test_press import Door
from tongits_lan.console.boxes import cells
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import paste, press
from tongits_lan.console.render import render, text_of
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Screen
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.events import LobbyChanged
from tongits_lan.net.handshake import Asking, Question
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.store.known import Person

WORDS = ("dagat", "mangga", "bituin", "walis")
CARLO = LobbySeat("Carlo", WORDS, True, False, None)
ANA = LobbySeat("Ana", WORDS, False, False, None, Person(bytes(32), "Ana", 1_700_000_000, 1, 12))
BEN = LobbySeat("Ben", WORDS, False, False, None, None, True)
BOT = LobbySeat("Mang Berto", WORDS, True, True, "Carlo")


def hosting(*seats: LobbySeat, **changes: object) -> LobbyView:
    view = LobbyView(
        True, 0, seats, PRESETS["pagat"], None, ("192.168.1.20:15213",), None, code="42-mangga-bituin"
    )
    return replace(view, **changes)  # type: ignore[arg-type]  # fields by name


def asked(asks: Asking) -> LobbyView:
    return hosting(hosting=False, me=None, code=None, question=Question(asks, "Ana", bytes(32)))


def keys(desk: Desk, *names: str) -> Desk:
    for at, name in enumerate(names):
        press(desk, name, 100.0 + at)
    return desk


def shown(desk: Desk, columns: int = 80, rows: int = 24) -> str:
    return text_of(Screen(columns, rows, desk.ui, desk.view))


def test_the_host_reads_the_code_aloud_and_says_the_address() -> None:
    text = shown(Desk(Door(hosting(CARLO)), LETTERS))
    assert "|  Code  42-MANGGA-BITUIN  |" in text
    assert "192.168.1.20:15213" in text
    assert "two are missing" in text
    guest = shown(Desk(Door(hosting(CARLO, ANA, hosting=False, me=1, code=None)), LETTERS))
    assert "Code" not in guest
    assert "You sit at the table" in guest
    assert "open to everybody" in shown(Desk(Door(hosting(CARLO, code=None)), LETTERS))


def test_the_countdown_is_told() -> None:
    assert "begins in 4 s" in shown(Desk(Door(hosting(CARLO, ANA, BOT, countdown=4.0)), LETTERS))
    assert "Not ready yet: Ana" in shown(Desk(Door(hosting(CARLO, ANA, BOT)), LETTERS))


def test_a_code_is_typed_completed_and_given() -> None:
    door = Door(asked("code"))
    desk = keys(Desk(door, LETTERS), *"42 mang", "tab")
    assert desk.mode is Mode.CODE
    assert desk.ui.code == "42 mangga-"
    keys(desk, *"bix", "backspace", "tab")
    assert desk.ui.code.startswith("42 mangga-bi")
    assert "bituin" in shown(desk)
    keys(desk, "backspace", "enter")
    assert desk.ui.note == "That is no join code."
    assert desk.ui.code, "what was typed can be mended"
    door.view = asked("wrong code")
    desk.heard(LobbyChanged(), 1.0)
    assert "not the join code of Ana's table" in shown(desk)
    while desk.ui.code:
        keys(desk, "backspace")
    paste(desk, " 42-mangga-bituin \n")
    keys(desk, "enter")
    assert door.done == ["42-mangga-bituin"]
    assert desk.ui.code == ""


def test_keys_of_the_table_are_letters_while_a_code_is_typed() -> None:
    door = Door(asked("code"))
    desk = keys(Desk(door, LETTERS), *"qck?!mo")
    assert desk.ui.code == "qck?!mo"
    assert door.done == []
    assert keys(desk, "c-c").mode is Mode.QUIT
    keys(desk, "k")
    assert door.done == ["leave"]


@pytest.mark.parametrize(("asks", "said"), [("open", "asks for no code"), ("other key", "with another key")])
def test_item_30_a_strange_key_is_shown_in_words_and_said_yes_to(asks: Asking, said: str) -> None:
    door = Door(asked(asks))
    desk = Desk(door, LETTERS)
    assert desk.mode is Mode.ACCEPT
    assert said in shown(desk)
    assert "   ".join(Question(asks, "Ana", bytes(32)).fingerprint) in shown(desk)
    desk.deafen(99.0, 10.0)
    keys(desk, "enter")
    assert door.done == [], "an Enter from before the question is no yes"
    press(desk, "enter", 200.0)
    assert door.done == ["accept"]


def test_item_30_a_known_name_with_another_key_is_asked_about() -> None:
    door = Door(hosting(CARLO, ANA, BEN))
    desk = Desk(door, LETTERS)
    text = shown(desk)
    assert "12 hands with you" in text
    assert f"OTHER KEY, compare: {' '.join(WORDS)}" in text
    keys(desk, "a")
    assert door.done == ["accept"]
    door.view = hosting(CARLO, ANA)
    desk.heard(LobbyChanged(), 150.0)
    press(desk, "a", 160.0)
    assert door.done == ["accept"]
    assert "the key you know" in (desk.ui.note or "")


def test_somebody_is_asked_to_leave() -> None:
    door = Door(hosting(CARLO, ANA, BOT))
    desk = keys(Desk(door, LETTERS), "k")
    assert desk.mode is Mode.KICK
    assert "Who is to leave?" in shown(desk)
    keys(desk, "2")
    assert door.done == ["kick 1"]
    assert keys(desk, "k", "escape").mode is Mode.LOBBY
    alone = keys(Desk(Door(hosting(CARLO, BOT)), LETTERS), "k")
    assert "nobody to ask" in (alone.ui.note or "")
    guest = keys(Desk(Door(hosting(CARLO, ANA, hosting=False, me=1)), LETTERS), "k")
    assert "Only the host" in (guest.ui.note or "")


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize("name", ["Ana", "国" * 24, "A" * 24, "e\u0301" * 12])
def test_item_22_names_of_any_kind_keep_the_lobby_straight(columns: int, rows: int, name: str) -> None:
    doubted = replace(BEN, name=name)
    for view in (
        hosting(replace(CARLO, name=name), replace(ANA, name=name), doubted, message=name * 9),
        asked("code"),
        asked("other key"),
    ):
        lines = render(Screen(columns, rows, Desk(Door(view), LETTERS).ui, view))
        assert {cells(content) for content in lines} == {columns}
        assert "Enter" in text_of(Screen(columns, rows, Desk(Door(view), LETTERS).ui, view)) or view.doubts
