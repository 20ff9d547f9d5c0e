"""What people expect of a table, one promise a test; the number is that of the promise.

Others of these tests stand where the thing itself is tested (their names begin alike): 1, 2, 13, 15, 18, 21,
24, 25, 27, 30 to 32, 34 and 35.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest

from tests.make_screens import SCREENS
from tests.screens import KEYS, NAMES, Player, Seat, cards, dealt, finished, player, shown
from tongits_lan.bots import choose
from tongits_lan.console.arrange import split
from tongits_lan.console.control import Desk
from tongits_lan.console.keys import BINDINGS, Act, Mode, act_of, help_lines
from tongits_lan.console.notices import forfeit_cost
from tongits_lan.console.options import switches
from tongits_lan.console.overlays import idle_at_table, idle_in_lobby
from tongits_lan.console.press import press
from tongits_lan.console.render import render, text_of, window_title
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.styles import Look, style
from tongits_lan.console.ui import TIP_TURNS, Overlay, Screen, Ui, mode_of
from tongits_lan.console.wants import Want
from tongits_lan.game.engine import legal_moves
from tongits_lan.game.engine import view as seen_by
from tongits_lan.game.moves import Pass, Sapaw
from tongits_lan.game.position import Phase as Play
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.state import DeckLocked, Due, HandBegan, Phase, ProofsAccepted
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.events import ChatHeard
from tongits_lan.net.handshake import Question
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.store.settings import Settings


def own_turns(preset: str, seed: int) -> Iterator[Player]:
    """Every moment at which seat 2 has to decide, through one hand that bots play."""
    rng = random.Random(seed)
    seat = Seat(seed=seed, rules=PRESETS[preset])
    one = Player(seat)
    while seat.position.turn is not None:
        turn = seat.position.turn
        known = {slot: seat.faces[slot] for slot in seat.position.hands[turn]}
        known.update(dict(seat.position.discards))
        if turn == 2:
            one.follow(wait=5.0)
            yield one
            if seat.position.turn != 2:
                continue
            known = {slot: seat.faces[slot] for slot in seat.position.hands[2]}
            known.update(dict(seat.position.discards))
        seen = seen_by(seat.position, turn, known)
        seat.move(turn, choose(seen, legal_moves(seen), rng))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_item_8_every_illegal_key_says_why_in_one_line(preset: str) -> None:
    refused = set()
    for seed in range(4):
        for one in own_turns(preset, seed):
            for keys in ("t", "f", "y", "n", ("left", " ", "right", "right", " ", "enter"), "d"):
                height = one.seat.height
                for key in keys:
                    press(one.desk, key, one.now)
                    one.now += 5.0
                ui = one.desk.ui
                if one.note:
                    assert "\n" not in one.note
                    assert "{" not in one.note
                    refused.add(one.note)
                else:
                    acts = one.seat.height != height or ui.question is not None or ui.typing is not None
                    assert acts or len(keys) > 1, (one.mode(), keys)
                layout = replace(ui.layout, marks=frozenset())
                one.desk.change(
                    replace(ui, question=None, sent=False, layout=layout, picked=None, typing=None)
                )
                if one.seat.height != height:
                    break
    assert len(refused) >= 6


def test_item_8_a_key_in_the_turn_of_another_names_whose_turn_it_is() -> None:
    one = player()
    one.press("d", "enter")
    for key in ("d", "t", "f", "y", "1", "enter"):
        one.press(key)
        assert one.note == "It is not your turn: Ana moves now."
    assert one.seat.done == ["submit", "submit"]


def test_item_8_a_marked_card_that_is_no_meld_is_named_with_its_rule() -> None:
    one = player()
    one.press("d", "/", "a", "c", " ", "/", "2", "h", " ", "enter")
    assert one.note.endswith(".")
    assert len(one.note) > 20
    assert one.seat.position.melds == ()


def test_item_9_the_count_on_the_screen_is_the_least_possible() -> None:
    seat = Seat(faces=dealt(2, 0, "QC QD QH QS JC JD JH JS 8C 9C TC 3H"))
    assert split(seat.view).owed == 3


def test_item_10_a_turn_is_two_keys_in_every_rule_set() -> None:
    for preset in PRESETS:
        seat = Seat(seed=3, rules=PRESETS[preset])
        while seat.position.phase is Play.SPREAD and seat.position.turn is not None:
            seat.move(seat.position.turn, Pass())
        one = Player(seat)
        one.others()
        one.press("d", "enter")
        assert seat.position.turn != 2, preset


@pytest.mark.parametrize("preset", list(PRESETS))
def test_item_10_what_the_screen_suggests_is_not_questioned(preset: str) -> None:
    fitting = 0
    for seed in range(12):
        for one in own_turns(preset, seed):
            if one.mode() is not Mode.ACTION:
                continue
            slot = one.desk.ui.layout.cursor
            enter = next(text for text in shown(one).splitlines() if "| Enter  " in text)
            number = re.search(r", or (\d) lays it off", enter)
            if number is not None:
                move = one.desk.ui.choices[int(number[1]) - 1].move
                assert isinstance(move, Sapaw)
                assert [held for held, _ in move.cards] == [slot]
                fitting += 1
            one.press("enter")
            assert one.mode() is not Mode.CONFIRM, enter
    assert fitting or PRESETS[preset].discard_fit_ban, "no suggested card fitted: other seeds are needed"


def test_item_11_a_key_in_the_same_write_never_acts_on_the_new_card() -> None:
    one = player()
    one.seat.hidden.add(one.seat.position.stock[0])
    press(one.desk, "d", one.now)
    one.follow()
    press(one.desk, "enter", one.now)
    assert one.seat.position.turn == 2
    assert one.seat.position.discards[-1][1] == cards("8D")[0]
    one.seat.hidden.clear()
    one.seat.show()
    one.follow()
    press(one.desk, "enter", one.now + 0.05)
    assert one.seat.position.turn == 2, "deaf right after the card is seen"


@pytest.mark.parametrize("title", list(SCREENS))
def test_item_12_the_suits_are_told_apart_without_colour_and_unicode(title: str) -> None:
    picture = SCREENS[title](LETTERS, (80, 24))
    assert picture.isascii()
    if title in ("draw", "play", "laid"):
        assert {"AC", "2H", "7S", "KD"} <= set(picture.replace("*", " ").split())


def test_item_16_the_new_card_is_marked_until_the_next_turn() -> None:
    one = player()
    one.press("d")
    assert "8C*" in shown(one)
    one.press("s")
    assert "8C*" in shown(one), "sorting keeps the mark"
    one.press("enter")
    assert "*" not in shown(one)


def test_item_16_an_own_order_survives_draws_and_turns() -> None:
    one = player()
    one.press("g", "left", "<", "<")
    order = one.desk.ui.layout.order
    one.press("d")
    assert one.desk.ui.layout.order[:-1] == order
    one.press("/", "k", "d", "enter")
    left = [slot for slot in one.desk.ui.layout.order if slot in order]
    assert left == [slot for slot in order if slot in left]
    one.others()
    one.press("d")
    assert [slot for slot in one.desk.ui.layout.order if slot in left] == left


def test_item_17_the_list_holds_legal_moves_only_and_suggestions_can_be_off() -> None:
    for preset in PRESETS:
        for one in own_turns(preset, 5):
            assert {choice.move for choice in one.desk.ui.choices} <= set(one.seat.view.legal)
    strict = player(hints=False)
    strict.press("d")
    assert "Enter  discard" not in shown(strict)
    assert "choose the card to discard" in shown(strict)
    strict.press("h")
    assert "without hints" in strict.note


def test_item_18_everybody_sees_the_time_of_the_turn() -> None:
    one = player(turn_seconds=60)
    one.desk.tick(one.now)
    one.desk.tick(one.now + 39.0)
    assert "0:21" in shown(one, turn_seconds=one.desk.turn_seconds)
    one.press("d", "enter")
    one.desk.tick(one.now)
    one.desk.tick(one.now + 10.0)
    assert one.seat.position.turn == 0
    assert one.desk.turn_seconds == 50


def test_item_19_an_ordinary_discard_is_not_asked_about() -> None:
    one = player()
    one.press("d", "enter")
    assert one.seat.position.turn == 0


def test_item_19_leaving_is_asked_about_and_names_its_cost() -> None:
    one = player()
    one.press("q")
    assert "the table stays pending" in shown(one)
    assert forfeit_cost(PRESETS["pagat"]).split(" and ")[0] in " ".join(shown(one).split())
    assert one.seat.done == []


def test_item_20_bell_title_and_words_each_with_its_switch() -> None:
    one = player()
    assert window_title(Screen(80, 24, one.desk.ui, one.desk.view)) == "* Tongits: YOUR TURN"
    assert "YOUR TURN" in shown(one)
    one.press("o", "2", "3", "escape")
    assert one.desk.ui.settings == Settings(bell=False, title=False)
    one.press("d", "enter")
    one.desk.take_wants()
    one.others()
    assert Want.BELL not in one.desk.take_wants()
    one.press("o", "2", "escape", "d", "enter")
    one.desk.take_wants()
    one.others()
    assert one.desk.take_wants().count(Want.BELL) == 1


def test_item_20_T16_the_own_turn_has_a_colour_of_its_own_beside_its_word() -> None:
    def styles(one: Player) -> set[str]:
        screen = Screen(80, 24, one.desk.ui, one.desk.view)
        return {name for line in render(screen) for name, text in line if "TURN" in text.upper()}

    one = player()
    assert "class:turn" in styles(one)
    rules = dict(style(colored=True).style_rules)
    assert "ansi" in rules["turn"]
    one.press("d", "enter")
    assert "class:turn" not in styles(one)


@pytest.mark.parametrize("colored", [True, False])
def test_item_20_the_colour_of_the_turn_can_be_switched_off(colored: bool) -> None:
    def looks(one: Player) -> str:
        settings = one.desk.ui.settings
        return dict(style(Look(turn_color=settings.turn_color), colored=colored).style_rules)["turn"]

    one = player()
    assert looks(one) != "bold"
    number = next(
        n for n, switch in enumerate(switches(one.desk.ui, one.desk.view), 1) if "colour that" in switch.label
    )
    one.press("o", str(number), "escape")
    assert looks(one) == "bold"
    assert "YOUR TURN" in shown(one)


def test_item_22_chat_is_cleaned_cut_and_can_be_muted_for_one_player() -> None:
    one = player()
    one.desk.heard(ChatHeard(0, "a\x1b[2J\u202eb\x07" + "x" * 900, None), one.now)
    (line,) = [line.text for line in one.desk.ui.log if line.kind == "chat"]
    assert line.startswith("Ana: a[2Jb")
    assert len(line) <= CHAT_MAX + len("Ana: ")
    number = next(
        n for n, row in enumerate(shown(_with_options(one)).splitlines()) if f"chat of {NAMES[0]}" in row
    )
    one.press(str(number), "escape")
    assert one.desk.ui.settings.muted == KEYS[0].hex()
    one.desk.heard(ChatHeard(0, "hello", None), one.now)
    one.desk.heard(ChatHeard(1, "teka lang", None), one.now)
    said = [line.text for line in one.desk.ui.log if line.kind == "chat"]
    assert said[1:] == ["Ben: teka lang"]
    for number, phrase in enumerate(("Bilis naman!", "Teka lang.", "Ang galing!", "Sayang."), 1):
        one.press("!", str(number))
        assert one.seat.done[-1] == f"chat {phrase}"
    one.press("c", *("x" * (CHAT_MAX + 50)), "enter")
    assert one.seat.done[-1] == "chat " + "x" * CHAT_MAX
    later = player()
    later.desk.change(replace(later.desk.ui, settings=one.desk.ui.settings))
    later.seat.view = msgspec.structs.replace(later.seat.view, names=("Other", "Ben", "Carlo"))
    later.follow()
    later.desk.heard(ChatHeard(0, "me again", None), later.now)
    assert not any("me again" in line.text for line in later.desk.ui.log), "a key stays muted at every table"
    assert "muted" in shown(_with_options(later))
    assert shown(later).count("muted") == 1


def _with_options(one: Player) -> Player:
    one.press("o")
    assert one.desk.ui.overlay is Overlay.OPTIONS
    return one


def test_item_23_the_score_lists_every_hand_and_the_streak() -> None:
    one = finished(wait=5.0)
    assert "Enter  next hand" in shown(one)
    one.press("r")
    text = shown(one)
    assert "You won hand 1 with Tongits." in text
    assert "hands won" in text
    assert "the hitter is you with 1 win" in text
    one.press("r")
    assert one.desk.ui.overlay is None
    one.press("enter")
    assert one.seat.done[-1] == "go_on", "ready for the next hand"


def test_item_23_a_match_has_its_number_of_hands() -> None:
    assert "hand 1 of 10" in shown(player(hands=10))
    assert "hand 1 of" not in shown(player())


@pytest.mark.parametrize("mode", [mode for mode in Mode if act_of(mode, "?") is Act.HELP])
def test_item_27_each_line_of_help_works_in_its_screen_and_none_is_missing(mode: Mode) -> None:
    bindings = [binding for binding in BINDINGS if mode in binding.modes and binding.help]
    assert [line.split(None, 1)[0] for line in help_lines(mode)] == [b.shown.split()[0] for b in bindings]
    for binding in bindings:
        assert all(act_of(mode, key) is binding.act for key in binding.keys)
    assert {Act.REDRAW, Act.SUSPEND} <= {act_of(mode, key) for key in ("c-l", "c-z")}
    is_open = act_of(mode, "escape") is Act.CLOSE
    assert is_open or mode is Mode.CODE or act_of(mode, "q") is Act.QUIT


def _helped(view: LobbyView | TableView) -> str:
    return text_of(Screen(100, 50, Ui(overlay=Overlay.HELP), view))


_LOBBY = LobbyView(hosting=False, me=0, seats=(), rules=None, countdown=None, addresses=(), message=None)
_SEAT = LobbySeat("Ana", ("dagat", "mangga", "bituin", "walis"), False, False, None)


def test_item_27_help_opens_on_every_screen_with_its_own_keys() -> None:
    views: dict[Mode, LobbyView | TableView] = {
        Mode.LOBBY: _LOBBY,
        Mode.TABLES: replace(_LOBBY, looking=True),
        Mode.ACCEPT: replace(_LOBBY, question=Question("open", "Ana", bytes(32))),
        Mode.START: player().seat.view,
        Mode.WORDS: Seat().show(can_confirm_words=True, position=None, legal=()),
        Mode.RESULT: player().seat.show(phase=Phase.SETTLE, legal=(), can_go_on=True, can_leave=True),
    }
    for mode, view in views.items():
        assert mode_of(Ui(), view) is mode
        idle = idle_in_lobby(view) if isinstance(view, LobbyView) else idle_at_table(view)
        lines = help_lines(mode, idle)
        assert len(lines) > 5
        assert all(line.strip() in _helped(view) for line in lines), mode
        left_out = {line.strip() for line in help_lines(mode)} - {line.strip() for line in lines}
        assert not [line for line in left_out if line in _helped(view)], mode


def test_item_27_help_in_the_lobby_has_the_hosts_keys_for_the_host_alone() -> None:
    guest = replace(_LOBBY, me=1, seats=(_SEAT, _SEAT), unfinished="Monday")
    host = replace(guest, hosting=True, me=0, can_seat_bot=True)
    keys = (
        "seat a bot",
        "ask somebody to leave",
        "go on with the unfinished table",
        "the new key of somebody",
    )
    assert not [key for key in keys if key in _helped(guest)]
    assert [key for key in keys if key in _helped(host)] == list(keys[:3])
    doubtful = replace(guest, seats=(replace(_SEAT, doubted=True), _SEAT))
    assert [key for key in keys if key in _helped(doubtful)] == [keys[3]]
    assert "join the table with" not in _helped(replace(_LOBBY, looking=True))


def test_item_27_help_at_the_table_has_what_can_be_done_now() -> None:
    assert "a hint" in _helped(player().seat.view)
    assert "a hint" not in _helped(player(hints=False).seat.view)
    one = player()
    one.press("d", "enter")
    assert "keep waiting" not in _helped(one.seat.view)
    assert "begin another table" not in _helped(one.seat.view)
    away = one.seat.show(links=(Reach("away"), Reach("direct"), Reach("me")), grace_over=True)
    assert "keep waiting" in _helped(away)
    assert "begin another table" in _helped(away)
    for can in (True, False):
        over = one.seat.show(phase=Phase.SETTLE, legal=(), can_go_on=can, can_leave=can)
        assert ("leave the table for good" in _helped(over)) == can
        assert ("go on to the next hand" in _helped(over)) == can


@pytest.mark.parametrize("mode", [m for m in Mode if m.value in ("start", "action", "answer", "waiting")])
def test_item_27_help_has_only_the_keys_that_work_there(mode: Mode) -> None:
    lines = help_lines(mode)
    assert lines
    assert any("draw from the stock" in line for line in lines) == (mode is Mode.START)
    assert any("fight back" in line for line in lines) == (mode is Mode.ANSWER)


def test_item_29_one_sentence_a_player_and_the_time_each_took() -> None:
    one = player()
    one.desk.heard(HandBegan(1, 0), 10.0, "20:14:01")
    one.desk.heard(DeckLocked(2), 11.0, "20:14:02")
    for seat in range(3):
        one.desk.heard(ProofsAccepted(seat), 12.0 + seat / 2, f"20:14:0{3 + seat}")
    assert "fair: 3/3 proofs" in shown(one)
    one.press("p")
    text = " ".join(shown(one).replace("|", " ").split())
    assert "Ana's shuffle is proved; the proof was checked on this machine at 20:14:03, 1.00 s" in text
    assert "Ben's shuffle is proved; the proof was checked on this machine at 20:14:04, 0.50 s" in text
    assert "Your shuffle is proved" in text
    one.desk.heard(HandBegan(2, 0), 99.0, "20:15:00")
    assert "20:14" not in shown(one), "the proofs of another hand say nothing of this one"
    assert "the proof was checked on this machine." in shown(one)


def test_the_advice_ends_after_three_turns_for_good() -> None:
    one = player()
    for turn in range(1, TIP_TURNS + 1):
        assert one.desk.ui.turns == turn
        assert "Tip: " in shown(one), turn
        one.press("d", "enter")
        one.others()
    assert "Tip: " not in shown(one)
    assert one.desk.ui.settings.tips is False
    quiet = Desk(one.seat, LETTERS, Settings(tips=False))
    assert "Tip: " not in text_of(Screen(80, 24, quiet.ui, quiet.view))


def test_item_6_who_is_away_is_said_and_the_box_closes_by_itself() -> None:
    one = player()
    one.press("d", "enter")
    away = (Reach("away"), Reach("direct"), Reach("me"))
    one.seat.show(awaited_since=1.0, due=Due(0, ("draw",)), links=away)
    one.follow()
    text = shown(one, away_seconds=9)
    assert "Ana IS AWAY" in text
    assert "0:09" in text
    assert "keep waiting" not in text
    one.seat.show(awaited_since=1.0, due=Due(0, ("draw",)), links=away, grace_over=True)
    one.follow()
    assert "w  keep waiting" in shown(one, away_seconds=97)
    one.seat.show()
    one.follow()
    assert "AWAY" not in shown(one)
    assert "Ana's turn" in shown(one)


def test_item_4_a_fault_says_who_what_where_and_what_becomes_of_the_chips() -> None:
    picture = SCREENS["fault"](LETTERS, (80, 24))
    for said in ("Ben's shuffle proof does not hold", "Who      Ben", "Chips", ".evidence", "tongits verify"):
        assert said in picture.replace("\n", "")


def test_T11_four_colours_are_a_choice_and_every_suit_has_its_sign() -> None:
    one = player()
    one.press("o", "1", "escape")
    assert one.desk.ui.settings.four_colors
    styles = {name for line in render(Screen(80, 24, one.desk.ui, one.desk.view)) for name, _ in line}
    suits = {word for name in styles for word in name.split() if "suit-" in word}
    assert suits == {"class:suit-c", "class:suit-d", "class:suit-h", "class:suit-s"}
    plain, four = (dict(style(Look(four), colored=True).style_rules) for four in (False, True))
    assert plain["suit-d"] == plain["suit-h"]
    assert len({four[f"suit-{suit}"] for suit in "cdh"}) == 3
    assert not any("ansi" in rule for _, rule in style(Look(four_colors=True), colored=False).style_rules)
    assert not any("bg:" in rule for rule in four.values()), "nothing is painted behind letters"


def test_a_screen_is_the_same_value_for_the_same_moment() -> None:
    one = player()
    view = msgspec.structs.replace(one.seat.view)
    assert text_of(Screen(80, 24, one.desk.ui, view)) == shown(one)
