"""Pictures: always exactly as large as the window, nothing that matters cut off, letters where needed."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import msgspec
import pytest
from prompt_toolkit.utils import get_cwidth

from tests.screens import KEYS, Player, Seat, cards, dealt, player
from tests.test_control import with_trio
from tongits_lan.bots import choose
from tongits_lan.console import boxes, parts, prompt
from tongits_lan.console.boxes import LEAST, cells, fit, line, plain, spelled, wrap
from tongits_lan.console.control import Desk
from tongits_lan.console.press import press
from tongits_lan.console.render import render, text_of, window_title
from tongits_lan.console.skins import LETTERS, SYMBOLS, Skin
from tongits_lan.console.text import Voice
from tongits_lan.console.ui import Proved, Screen
from tongits_lan.errors import Code
from tongits_lan.game.engine import legal_moves
from tongits_lan.game.engine import view as seen_by
from tongits_lan.game.moves import Discard, Meld
from tongits_lan.game.position import TableMeld
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.shapes import MeldKind
from tongits_lan.ledger.chain import fingerprint
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.ledger.state import Due, Phase
from tongits_lan.ledger.views import TableView
from tongits_lan.net.events import ChatHeard
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.store.known import Person

HAND = "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S"
SIZES = [
    (60, 16),
    (80, 24),
    (80, 25),
    (100, 30),
    (109, 29),
    (110, 30),
    (120, 40),
    (200, 60),
    (61, 40),
    (180, 17),
]


_SECONDS = count(1)


def screen(desk: Desk, columns: int = 80, rows: int = 24, away: int | None = None) -> Screen:
    return Screen(columns, rows, desk.ui, desk.view, away, None, (12.0, 9.0, None))


def size_of(picture: Screen) -> tuple[int, int]:
    """How many columns and rows the picture takes, the same in every line."""
    lines = render(picture)
    (columns,) = {cells(content) for content in lines}
    return columns, len(lines)


def to_play(hand: str = HAND, stock: str = "8D 8C 5H", skin: Skin = LETTERS) -> tuple[Seat, Desk]:
    seat = Seat(faces=dealt(2, 0, hand, stock))
    seat.others()
    return seat, at_desk(seat, skin)


def at_desk(seat: Seat, skin: Skin = LETTERS) -> Desk:
    desk = Desk(seat, skin)
    for event in seat.heard:
        desk.heard(event, 0.0)
    seat.heard.clear()
    return desk


def keys(seat: Seat, desk: Desk, *pressed: str) -> None:
    for key in pressed:
        now = float(next(_SECONDS))
        press(desk, key, now)
        for event in seat.heard:
            desk.heard(event, now)
        seat.heard.clear()
        desk.changed(now)


def bots_play(preset: str, seed: int) -> Iterator[Seat]:
    """Every position of one hand among bots, seen by seat 2."""
    rng = random.Random(seed)
    seat = Seat(seed=seed, rules=PRESETS[preset])
    while seat.position.turn is not None:
        turn = seat.position.turn
        view = seen_by(seat.position, turn, dict(enumerate(seat.faces)))
        seat.move(turn, choose(view, legal_moves(view), rng))
        yield seat
    seat.over()
    yield seat


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_picture_of_a_hand_fills_its_window(preset: str) -> None:
    desk: Desk | None = None
    for at, seat in enumerate(bots_play(preset, 11)):
        desk = desk or at_desk(seat, SYMBOLS)
        for event in seat.heard:
            desk.heard(event, float(at))
        seat.heard.clear()
        desk.changed(float(at))
        columns, rows = SIZES[at % len(SIZES)]
        assert size_of(screen(desk, columns, rows)) == (columns, rows)
        assert size_of(screen(desk)) == (80, 24)
    assert desk is not None
    assert desk.ui.log


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_own_turn_shows_every_card_and_the_way_to_play(columns: int, rows: int) -> None:
    seat, desk = to_play()
    keys(seat, desk, "d")
    picture = text_of(screen(desk, columns, rows))
    for word in ("3D", "4D", "5D", "9C", "9H", "9S", "AC", "2H", "KD", "QH", "JC", "7S", "8C*"):
        assert word in picture
    assert "Enter" in picture
    assert "YOUR TURN" in picture
    assert size_of(screen(desk, columns, rows)) == (columns, rows)


def test_the_box_says_what_enter_does() -> None:
    seat, desk = to_play()
    keys(seat, desk, "d")
    cursor = desk.ui.layout.cursor
    assert cursor is not None
    assert f"Enter  discard {LETTERS.card(seat.faces[cursor])} (10 points)" in text_of(screen(desk))
    keys(seat, desk, "/", "9", "c", " ")
    assert "Enter  play just 9C" in text_of(screen(desk))


def test_letters_and_plain_lines_need_ascii_only() -> None:
    seat, desk = to_play()
    keys(seat, desk, "d", "1")
    for picture in (screen(desk), screen(desk, 120, 40)):
        assert text_of(picture).isascii()
    seat, desk = to_play(skin=SYMBOLS)
    assert "♦" in text_of(screen(desk))
    assert not text_of(screen(desk)).isascii()


@pytest.mark.parametrize("size", [(59, 24), (80, 15), (10, 3), (1, 1), (59, 15)])
def test_a_window_too_small_says_so(size: tuple[int, int]) -> None:
    _seat, desk = to_play()
    picture = screen(desk, *size)
    assert size_of(picture) == (picture.columns, picture.rows)
    assert "Window too small"[: size[0] - 1] in text_of(picture)
    assert LEAST == (60, 16)


def test_C10_a_run_of_thirteen_and_eight_melds_fit_80_columns() -> None:
    seat, desk = to_play()
    suit = tuple(cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"))
    long = TableMeld(0, MeldKind.RUN, tuple(range(13)), suit, suit, (0,) * 13)
    sets = []
    for rank in "2346789T":
        codes = tuple(cards(f"{rank}C {rank}D {rank}H"))
        sets.append(TableMeld(1, MeldKind.SET, (1, 2, 3), codes, codes, (1, 1, 1)))
    hidden = TableMeld(0, MeldKind.SET, (40, 41, 42, 43), (None,) * 4, (), (0,) * 4, face_down=True)
    seat.position = msgspec.structs.replace(seat.position, melds=(long, *sets, hidden))
    seat.show()
    desk.changed(9.0)
    picture = text_of(screen(desk))
    assert size_of(screen(desk)) == (80, 24)
    assert "[1] AS to KS" in picture
    assert "[10] ## ## ## ##" in picture
    assert all(f"[{at}] " in picture for at in range(1, 11))
    assert "10C 10D 10H" in picture
    assert "YOUR TURN" in picture
    wide = text_of(screen(desk, 200, 60))
    assert "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS" in wide


def _asked(moment: str) -> Player:
    """A player in one of the moments at which the box of choices has most to say."""
    one = with_trio(HAND, turn_seconds=60) if moment == "fight" else player()
    match moment:
        case "play" | "costly":
            one.press("d", *(("/", "4", "d", "enter") if moment == "costly" else ()))
        case "away":
            one.press("d", "enter")
            one.seat.show(awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)))
            one.follow()
        case "leave":
            one.press("q")
        case _:
            pass
    return one


@pytest.mark.parametrize("crowded", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("moment", ["start", "play", "costly", "fight", "away", "leave"])
@pytest.mark.parametrize("size", [(60, 16), (60, 18), (80, 24)])
def test_whatever_is_asked_is_whole_on_the_screen(size: tuple[int, int], moment: str, crowded: bool) -> None:
    one = _asked(moment)
    if crowded:
        melds = one.seat.position.melds
        for rank in "234678TJ":
            codes = tuple(cards(f"{rank}C {rank}D {rank}H"))
            melds = (*melds, TableMeld(len(melds) % 3, MeldKind.SET, (1, 2, 3), codes, codes, (0, 0, 0)))
        view = one.seat.view
        position = msgspec.structs.replace(one.seat.position, melds=melds)
        one.desk.view = msgspec.structs.replace(view, position=position)
    away = 97 if moment == "away" else None
    shown = Screen(*size, one.desk.ui, one.desk.view, away)
    assert size_of(shown) == (shown.columns, shown.rows)
    picture = text_of(shown)
    assert isinstance(shown.view, TableView)
    voice = Voice(shown.view.names, 2)
    for content in prompt.needed(shown, shown.view, voice, size[0] - 4, 9):
        assert plain(content).strip() in picture
    for keys in {"fight": "yn", "away": "w", "leave": "k", "start": "d"}.get(moment, ""):
        assert f"| {keys}  " in picture


def test_item_22_names_of_any_kind_keep_the_frame_straight() -> None:
    seat, desk = to_play()
    seat.show(names=("Ж" * 24, "牌" * 24, "é" * 24), bots=(True, False, False))
    desk.changed(9.0)
    for columns, rows in SIZES:
        assert size_of(screen(desk, columns, rows)) == (columns, rows)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_names_give_way_before_numbers_do(size: tuple[int, int]) -> None:
    one = player(hands=100)
    match = msgspec.structs.replace(
        one.seat.match, chips=(12345, -54321, -9999), streak_seat=0, streak_length=1
    )
    names = ("Maria Clara de los Santo", "牌" * 12, "Crisostomo Ibarra y Mags")
    one.seat.show(names=names, match=match, ante_pot=41975, hand_no=87)
    one.follow()
    shown = Screen(*size, one.desk.ui, one.desk.view, None, None, (999.0, 999.0, None))
    assert size_of(shown) == (shown.columns, shown.rows)
    picture = text_of(shown)
    for fact in ("hand 87 of 100  pot 41975", "fair: 3/3 proofs", "you owe 40"):
        assert fact in picture
    numbers = set(re.findall(r"-?\b\d{4,5}\b", picture))
    assert numbers == {"41975", "12345", "-54321", "-9999"}
    if size[0] >= 80:
        assert re.search(r"hitter Mari.* x1 fair.* net 999ms| x1  .* net 999ms", picture)


def test_a_player_who_is_away_is_missed_with_the_seconds() -> None:
    seat, desk = to_play()
    keys(seat, desk, "d", "enter")
    reach = (Reach("away"), Reach("direct"), Reach("me"))
    seat.show(links=reach, awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)))
    desk.changed(9.0)
    picture = text_of(screen(desk, away=75))
    assert "Ana has been away for 1:15." in picture
    assert "out of reach" in picture
    assert "keep waiting" in picture
    assert "stays pending" in picture


def test_a_large_window_says_who_the_others_are_and_when_proofs_were_checked() -> None:
    one = player()
    proved = tuple(Proved(seat, f"20:14:0{seat}", 0.5) for seat in range(3))
    ana = Person(KEYS[0], "Ana", 1_700_000_000, 1_700_000_000)
    shown = Screen(120, 40, replace(one.desk.ui, proved=proved), one.desk.view, known=(ana, None, None))
    picture = text_of(shown)
    assert f"Ana: connected, key {' '.join(fingerprint(KEYS[0]))}, known since Nov 2023 " in picture
    assert f"Ben: connected, key {' '.join(fingerprint(KEYS[1]))} " in picture
    assert "Shuffle proofs checked here: 3 of 3, the last at 20:14:02." in picture
    assert f"table {'0' * 8}  rules: pagat  hand 1" in picture
    one.seat.show(bots=(False, True, False), proofs=(True, False, False))
    one.follow()
    picture = text_of(replace(shown, view=one.desk.view))
    assert "Ben: connected, a bot " in picture
    assert "Shuffle proofs checked here: 1 of 3." in picture


def test_the_score_counts_the_hands_won() -> None:
    seat = list(bots_play("pagat", 11))[-1]
    (record,) = seat.view.records
    view = seat.view
    rows = [plain(content) for content in parts.score(view, Voice(view.names, 2), 31)]
    assert record.settlement.winner is not None
    won = {name: row.split()[-1] for name in view.names for row in rows if name in row}
    assert won == {name: str(int(at == record.settlement.winner)) for at, name in enumerate(view.names)}


def test_the_end_of_a_hand_opens_all_hands_and_lists_the_payments() -> None:
    seat, desk = to_play("3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", stock="8D KS")
    keys(seat, desk, "d", "1", "1", "1", "1")
    seat.over()
    desk.changed(999.0)
    for size in ((80, 24), (60, 16), (120, 40)):
        assert size_of(screen(desk, *size)) == size
    picture = text_of(screen(desk))
    assert "You won hand 1 with Tongits." in picture
    for other in (0, 1):
        for slot in seat.position.hands[other]:
            assert LETTERS.card(seat.faces[slot]) in picture
    assert "Ana and Ben pay you 3 chips each: " in picture
    assert "Enter  next hand" in picture
    assert "burned" in picture
    now = re.search(r"Chips now: you (\S+), Ana (\S+), Ben (\S+); in the pot", picture)
    brought = re.findall(r"\| (?:You|Ana|Ben) +([+-]\d+) ", picture)
    assert now
    assert [int(figure) for figure in brought] == [int(figure) for figure in now.groups()]


def test_a_stopped_table_names_the_fault() -> None:
    seat, desk = to_play()
    seat.show(stopped=Stop(Code.PROOF, "x", 1, 1, 61))
    desk.changed(9.0)
    picture = " ".join(text_of(screen(desk)).replace("|", " ").split())
    assert "Ben's shuffle proof does not hold (hand 1, record 61, proof)" in picture
    assert "Enter close this table" in picture
    assert size_of(screen(desk, 60, 16)) == (60, 16)


def test_the_table_words_stand_alone() -> None:
    seat, desk = to_play()
    seat.show(can_confirm_words=True, phase=Phase.COMMIT, position=None, legal=())
    desk.changed(9.0)
    picture = text_of(screen(desk))
    assert "dagat   mangga   bituin   walis" in picture
    assert "x  they differ" in picture
    for columns, rows in SIZES:
        assert size_of(screen(desk, columns, rows)) == (columns, rows)


def test_shuffling_says_how_far_it_is() -> None:
    seat, desk = to_play()
    seat.show(phase=Phase.PROVE, position=None, legal=(), due=Due(1, ("prove",)), proofs=(True, False, False))
    desk.changed(9.0)
    picture = text_of(screen(desk))
    assert "SHUFFLING" in picture
    assert "Waiting for Ben to prove the shuffle." in picture
    assert "Shuffle proofs checked here: Ana." in picture
    assert "fair: 1/3 proofs" in picture
    assert picture.count("no cards yet") == 3


@pytest.mark.parametrize("key", ["?", "v", "l", "p", "o"])
def test_pages_fill_the_window_at_every_size(key: str) -> None:
    seat, desk = to_play()
    keys(seat, desk, key, *["down"] * 40)
    for columns, rows in SIZES:
        assert size_of(screen(desk, columns, rows)) == (columns, rows)


def test_the_log_page_begins_at_its_end() -> None:
    seat, desk = to_play()
    for number in range(60):
        desk.heard(ChatHeard(0, f"line {number}", None), 1.0)
    keys(seat, desk, "l")
    assert "Ana: line 59" in text_of(screen(desk))
    keys(seat, desk, *["down"] * 30)
    assert "Ana: line 59" in text_of(screen(desk))
    keys(seat, desk, "pageup", "pageup", *["up"] * 5)
    assert "Ana: line 30" in text_of(screen(desk))
    assert "Ana: line 59" not in text_of(screen(desk))


def test_chat_and_questions_show_in_the_box() -> None:
    seat, desk = to_play()
    keys(seat, desk, "c", *"hello")
    assert "> hello_" in text_of(screen(desk))
    keys(seat, desk, "escape", "q")
    assert "k  close the program" in text_of(screen(desk))
    keys(seat, desk, "g")
    assert "ARE YOU SURE?" in text_of(screen(desk))
    keys(seat, desk, "escape", "!")
    assert "2  Teka lang." in text_of(screen(desk))
    assert size_of(screen(desk, 60, 16)) == (60, 16)


def test_many_choices_are_cut_to_eight_and_all_can_be_seen() -> None:
    seat, desk = to_play("2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD", stock="8S AD")
    keys(seat, desk, "d")
    picture = text_of(screen(desk, 100, 40))
    assert "0  shows all 66 choices" in picture
    assert "| 8  lay run" in picture
    assert "| 9  lay" not in picture
    assert "shows all 66" in text_of(screen(desk))
    keys(seat, desk, "0", *["down"] * 65)
    assert "> lay run" in text_of(screen(desk))


def lobby(**changes: Any) -> LobbyView:
    seats = (
        LobbySeat("Ana", ("dagat", "mangga", "bituin", "walis"), True, False, None),
        LobbySeat("Robot", ("ulap", "baso", "ilog", "puno"), False, True, "Ana"),
    )
    view = LobbyView(True, 0, seats, PRESETS["house"], 4.0, ("192.168.1.20:15213",), "Hello there.")
    return replace(view, **changes)


def test_the_lobby_shows_seats_and_address() -> None:
    _seat, desk = to_play()
    picture = text_of(Screen(80, 24, desk.ui, lobby()))
    assert "192.168.1.20:15213" in picture
    assert "bot of Ana" in picture
    assert "(waiting for a player)" in picture
    assert "begins in 4 s" in picture
    assert "Rules: house" in picture
    assert "Hello there." in picture
    guest = text_of(Screen(80, 24, desk.ui, lobby(hosting=False, rules=None, me=None, seats=())))
    assert "not known yet" in guest
    for columns, rows in SIZES:
        assert size_of(Screen(columns, rows, desk.ui, lobby())) == (columns, rows)


def test_the_window_title_says_whose_turn_it_is() -> None:
    seat, desk = to_play()
    assert "YOUR TURN" in window_title(screen(desk))
    keys(seat, desk, "d", "enter")
    assert "YOUR TURN" not in window_title(screen(desk))
    assert "waiting" in window_title(Screen(80, 24, desk.ui, lobby()))


def test_no_hidden_card_of_another_is_in_any_picture() -> None:
    seat, desk = to_play()
    keys(seat, desk, "d", "enter")
    shown = {seat.faces[slot] for slot in seat.view.faces}
    hidden = [LETTERS.card(seat.faces[s]) for other in (0, 1) for s in seat.position.hands[other]]
    assert not {seat.faces[s] for other in (0, 1) for s in seat.position.hands[other]} & shown
    for columns, rows in SIZES:
        words = set(text_of(screen(desk, columns, rows)).replace("*", " ").replace(".", " ").split())
        assert not words & set(hidden)


def test_a_face_down_set_is_seen_by_its_owner_only() -> None:
    seat, desk = to_play("3D 4D 5D 9C 9H 9S 9D 2H KD QH JC 7S")
    keys(seat, desk, "d")
    hide = next(i for i, item in enumerate(desk.ui.choices, 1) if "face down" in item.label)
    assert sorted(desk.ui.choices[hide - 1].label.split()[1:5]) == ["9C", "9D", "9H", "9S"]
    keys(seat, desk, str(hide))
    laid = seat.position.melds[0]
    assert laid.face_down
    ana = Seat(me=0, faces=seat.faces)
    ana.position = seat.position
    ana.show()
    assert "[1] ## ## ## ##" in text_of(screen(at_desk(ana)))


def test_lines_are_cut_by_cells() -> None:
    assert plain(fit(line("abc"), 5)) == "abc  "
    assert plain(fit(line("abcdef"), 5)) == "abcd~"
    assert plain(fit(line("牌牌牌"), 5)) == "牌牌~"
    assert plain(fit(line("牌牌牌"), 4)) == "牌 ~"
    assert cells(fit(line(("x", "牌牌"), ("y", "牌")), 3)) == 3
    assert fit(line("abc"), 0) == ()


def test_what_an_output_has_no_letter_for_keeps_its_cells() -> None:
    for text, said in {"Ana": "Ana", "Niño": "Ni?o", "国": "??", "e\u0301a": "ea", "7♥": "7?"}.items():
        assert spelled(text, "ascii") == said
        assert spelled(text, "utf-8") == text
    assert spelled("Niño♥", "cp1252") == "Niño?"


def test_words_wrap_and_long_ones_break() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("", 7) == [""]
    assert wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert all(get_cwidth(part) <= 5 for part in wrap("牌牌牌牌 牌", 5))


def test_frames_join() -> None:
    assert boxes.joints(LETTERS, "top") == "+++"
    assert boxes.joints(SYMBOLS, "bottom") == "└┴┘"


def test_discards_are_shown_newest_first() -> None:
    seat, desk = to_play()
    keys(seat, desk, "d")
    slot = seat.position.hands[2][0]
    assert isinstance(seat.view.legal[-1], Discard | Meld)
    seat.move(2, Discard((slot, seat.faces[slot])))
    seat.others()
    desk.changed(99.0)
    codes = [LETTERS.card(card) for _, card in reversed(seat.position.discards)]
    assert f"DISCARD {codes[0]} (Ben)   earlier: {' '.join(codes[1:])}" in text_of(screen(desk))
