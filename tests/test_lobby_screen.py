"""Before the table on the screen: the code read aloud and typed, old friends, strange keys, farewells."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.test_press import Door
from tongits_lan.cli.printers import PlainPrinter
from tongits_lan.console.boxes import cells
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import paste, press
from tongits_lan.console.render import render, text_of
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Screen
from tongits_lan.game.rules import PRESETS
from tongits_lan.net.config import RuleSet
from tongits_lan.net.events import LobbyChanged, RulesChanged
from tongits_lan.net.handshake import Asking, Question
from tongits_lan.net.lobby import LobbySeat, LobbyView, rules_mark
from tongits_lan.store.known import Person

WORDS = ("dagat", "mangga", "bituin", "walis")
CARLO = LobbySeat("Carlo", WORDS, True, False, None)
ANA = LobbySeat("Ana", WORDS, False, False, None, Person(bytes(32), "Ana", 1_700_000_000, 1, 12))
BEN = LobbySeat("Ben", WORDS, False, False, None, None, True)
BOT = LobbySeat("Mang Berto", WORDS, True, True, "Carlo")


def hosting(*seats: LobbySeat, **changes: Any) -> LobbyView:
    view = LobbyView(
        True, 0, seats, PRESETS["pagat"], None, ("192.168.1.20:15213",), None, code="42-mangga-bituin"
    )
    return replace(view, **changes)


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


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_guest_sees_who_hosts_and_who_is_new_to_him(
    columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    long = replace(CARLO, name="Bernardino de la Cruz")
    view = hosting(ANA, long, hosting=False, me=0, code=None, host=1)
    rows = shown(Desk(Door(view), LETTERS), columns).splitlines()
    assert [row[2:6] for row in rows if "(host)" in row] == ["2  B"]
    said = " ".join(" ".join(rows).replace("|", " ").split())
    assert "(you)" in said
    assert "new to you, key: dagat" in said
    own = shown(Desk(Door(hosting(CARLO, ANA, host=0)), LETTERS), columns)
    assert "Carlo (you)" in own
    assert "(host)" not in own
    PlainPrinter().event(LobbyChanged(), view, Voice(()))
    assert "Bernardino de la Cruz (host, ready)" in capsys.readouterr().out


def test_everybody_can_read_out_the_words_of_the_own_key(capsys: pytest.CaptureFixture[str]) -> None:
    for own, hosting_it in ((0, True), (1, False)):
        text = shown(Desk(Door(hosting(CARLO, ANA, hosting=hosting_it, me=own)), LETTERS))
        row = next(part for part in text.splitlines() if "(you)" in part)
        assert f"key: {' '.join(WORDS)}" in row
    printer = PlainPrinter()
    for seats in ((CARLO,), (CARLO, ANA)):
        printer.event(LobbyChanged(), hosting(*seats), Voice(()))
    said = f"Your key, if somebody asks: {' '.join(WORDS)}."
    assert capsys.readouterr().out.splitlines().count(said) == 1


def test_the_countdown_is_told() -> None:
    assert "begins in 4 s" in shown(Desk(Door(hosting(CARLO, ANA, BOT, countdown=4.0)), LETTERS))
    assert "Not ready yet: Ana" in shown(Desk(Door(hosting(CARLO, ANA, BOT)), LETTERS))


def test_a_code_is_typed_completed_and_given() -> None:
    door = Door(asked("code"))
    desk = Desk(door, LETTERS)
    for columns, rows in ((60, 16), (80, 24)):
        for key in ("Enter  give the code", "Tab  complete", "Ctrl-C  leave"):
            assert key in shown(desk, columns, rows)
    keys(desk, *"42 mang", "tab")
    assert desk.mode is Mode.CODE
    assert desk.ui.code == "42 mangga-"
    assert keys(desk, "-", " ").ui.code == "42 mangga-", "Tab has put the dash there"
    keys(desk, *"bix", "backspace", "tab")
    assert desk.ui.code.startswith("42 mangga-bi")
    assert "bituin" in shown(desk)
    assert keys(desk, "c-w").ui.code == "42 mangga-"
    keys(desk, "b", "enter")
    assert desk.ui.note == "That is no join code."
    assert desk.ui.code, "what was typed can be mended"
    door.view = asked("wrong code")
    desk.heard(LobbyChanged(), 1.0)
    assert "not the join code of Ana's table" in shown(desk)
    assert keys(desk, "c-u").ui.code == ""
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
    assert keys(Desk(Door(hosting(CARLO, BOT)), LETTERS), "k").mode is Mode.KICK, "a bot is sent away so"
    alone = keys(Desk(Door(hosting(CARLO)), LETTERS), "k")
    assert "nobody to ask" in (alone.ui.note or "")
    guest = keys(Desk(Door(hosting(CARLO, ANA, hosting=False, me=1)), LETTERS), "k")
    assert "Only the host" in (guest.ui.note or "")


def test_a_bot_is_seated_with_one_key_and_offered_where_there_is_a_place() -> None:
    door = Door(hosting(CARLO, ANA, can_seat_bot=True))
    desk = keys(Desk(door, LETTERS), "b")
    assert door.done == ["bot"]
    assert "3  (waiting for a player)   b  seat a bot" in shown(desk)
    assert shown(Desk(Door(hosting(CARLO, can_seat_bot=True)), LETTERS)).count("seat a bot") == 1
    full = Desk(Door(hosting(CARLO, ANA, BOT)), LETTERS)
    assert "seat a bot" not in shown(full)
    assert "No place is empty" in (keys(full, "b").ui.note or "")
    for size in ((80, 24), (60, 16)):
        assert "3  Mang Berto" in shown(full, *size)
        assert "bot of Carlo" in shown(full, *size)
    guest = keys(Desk(Door(hosting(CARLO, ANA, hosting=False, me=1)), LETTERS), "b")
    assert "Only the host" in (guest.ui.note or "")


def test_an_unfinished_table_of_these_three_comes_first() -> None:
    view = hosting(replace(CARLO, ready=False), ANA, BEN, unfinished="2026-11-29")
    view = replace(view, seats=tuple(replace(seat, doubted=False) for seat in view.seats))
    door = Door(view)
    desk = Desk(door, LETTERS)
    for size in ((60, 16), (80, 24)):
        text = shown(desk, *size)
        first, second = (
            text.index("go on with your unfinished table of 2026-11-29"),
            text.index("for a new table"),
        )
        assert first < second
    keys(desk, "g")
    assert door.done == ["resume"]
    guest = Desk(Door(replace(view, hosting=False, me=1, code=None)), LETTERS)
    assert "You three have an unfinished table of 2026-11-29" in " ".join(shown(guest).split())
    assert "Only the host" in (keys(guest, "g").ui.note or "")
    none = keys(Desk(Door(hosting(CARLO, ANA)), LETTERS), "g")
    assert "no unfinished table" in (none.ui.note or "")


OWN = RuleSet("bahay.toml", msgspec.structs.replace(PRESETS["house"], base=50, turn_seconds=90))
BROKEN = RuleSet("luma.toml", None, "luma.toml, line 3: there is no option.")


def test_the_host_changes_the_rules_the_turn_and_the_hands() -> None:
    door = Door(hosting(CARLO, ANA), files=(OWN, BROKEN))
    desk = keys(Desk(door, LETTERS), "r")
    assert desk.mode is Mode.RULES
    text = shown(desk)
    for fact in ("> 1  pagat", "4  joker", "5  bahay.toml", "house rules (house, 1 changed)", "line 3"):
        assert fact in text
    assert "Nothing is new" in text
    keys(desk, "4", "t", "n", "5", "6", "9")
    pagat = PRESETS["pagat"]
    assert door.done == [
        PRESETS["joker"],
        msgspec.structs.replace(pagat, turn_seconds=30),
        msgspec.structs.replace(pagat, hands=5),
        OWN.rules,
    ]
    assert "no rules with that number" in (desk.ui.note or "")
    assert "line 3" in (keys(desk, "6").ui.note or "")
    door.view = hosting(CARLO, ANA, rules=PRESETS["joker"])
    desk.heard(LobbyChanged(), 500.0)
    assert "> 4  joker" in shown(desk, 80, 30)
    assert keys(desk, "r").mode is Mode.LOBBY


def test_a_preset_keeps_turn_and_hands_and_a_file_brings_its_own() -> None:
    door = Door(hosting(CARLO, rules=msgspec.structs.replace(PRESETS["pagat"], turn_seconds=60, hands=20)))
    door.files = (OWN,)
    desk = keys(Desk(door, LETTERS), "r", "2", "5")
    assert door.done == [msgspec.structs.replace(PRESETS["wikipedia"], turn_seconds=60, hands=20), OWN.rules]
    assert "60 s a turn" in shown(desk)
    assert "closes after 20 hands" in shown(desk)


def test_everybody_sees_what_is_new_until_he_has_said_yes() -> None:
    """The name, the digits to compare, and the sentences that are true now and were not before."""
    pagat, joker = PRESETS["pagat"], PRESETS["joker"]
    door = Door(hosting(CARLO, replace(ANA, ready=True), hosting=False, me=1, code=None))
    desk = Desk(door, LETTERS)
    assert f"Rules: pagat [{rules_mark(pagat)}]   (o: in words)" in shown(desk)
    for rules in (PRESETS["house"], joker):  # what counts is what he said yes to
        door.view = hosting(CARLO, ANA, rules=rules, hosting=False, me=1, code=None)
        desk.heard(RulesChanged(pagat, rules), 1.0)
    text = shown(desk)
    assert f"Rules: joker [{rules_mark(joker)}]   (NEW: r shows what)" in text
    assert f"changed the rules from pagat [{rules_mark(pagat)}] to joker" in text
    page = shown(keys(desk, "r"), 120, 60)
    assert desk.mode is Mode.OVERLAY, "only the host chooses"
    assert f"(pagat [{rules_mark(pagat)}])" in page
    assert "* A joker left over in hand counts 0." in page
    assert "1-9 choose" not in page
    keys(desk, "escape")
    door.view = hosting(CARLO, replace(ANA, ready=True), rules=joker, hosting=False, me=1, code=None)
    desk.heard(LobbyChanged(), 300.0)
    assert "NEW" not in shown(desk)
    assert "Nothing is new" in shown(keys(desk, "r"))


def test_the_smallest_window_has_all_that_a_lobby_needs() -> None:
    """Code and address, three places, the rules, what is waited for, and what Enter does."""
    new = replace(ANA, known=None)
    view = hosting(CARLO, new, can_seat_bot=True)
    text = shown(Desk(Door(view), LETTERS), 60, 16)
    for fact in ("42-MANGGA-BITUIN", "192.168.1.20:15213", "1  Carlo (you)", "2  Ana", "seat a bot"):
        assert fact in text
    for fact in (*WORDS, "Rules: pagat", "one is missing", "Enter  I am not ready", "? help"):
        assert fact in text
    full = shown(Desk(Door(hosting(CARLO, ANA, BEN, rules=OWN.rules)), LETTERS), 60, 16)
    for fact in ("3  Ben", "OTHER KEY", "Rules: house rules (house, 1 changed)", "90 s a"):
        assert fact in full


@pytest.mark.parametrize(("columns", "rows"), [(60, 16), (80, 24), (120, 40)])
def test_the_page_of_rules_fits_every_window(columns: int, rows: int) -> None:
    long = RuleSet("\u202e" + "x" * 90 + ".toml", OWN.rules)
    door = Door(hosting(CARLO, ANA), files=(long, BROKEN, *[OWN] * 18))
    desk = keys(Desk(door, LETTERS), "r", "6")
    door.view = hosting(replace(CARLO, ready=False), ANA, rules=PRESETS["joker"])
    desk.heard(RulesChanged(PRESETS["pagat"], PRESETS["joker"]), 300.0)
    for _ in range(30):
        lines = render(Screen(columns, rows, desk.ui, desk.view))
        assert {cells(content) for content in lines} == {columns}
        assert len(lines) == rows
        keys(desk, "down")
    keys(desk, *["pagedown"] * 6)
    assert "All else is as before" in shown(desk, columns, rows)


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
