"""Keys typed for what was on the screen a moment ago: none of them acts on what has just taken its place."""

import msgspec
import pytest

from tests.screens import HAND, Player, Seat, dealt, player
from tests.test_control import with_trio
from tests.test_lobby_screen import ANA, BEN, BOT, CARLO, asked, hosting
from tests.test_press import Door
from tongits_lan.console.control import DEAF_SECONDS, PAGE_SECONDS, Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import press
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.wants import Want
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.state import Phase
from tongits_lan.net.announcements import Found
from tongits_lan.net.lobby import LobbyView

ACTING = ("d", "t", "f", "y", "n", "enter", "1", "2", "3", "a", "w")


def waiting_then(mode: Mode) -> Player:
    """A desk before which `mode` has just appeared."""
    match mode:
        case Mode.ANSWER:
            one = with_trio(HAND)
        case Mode.SPREAD:
            kit = PRESETS["wikipedia"]
            hand = "3D 4D 5D 6D 9C 9H 9S 2C 2D 2H KC KD KH"
            one = Player(Seat(dealer=2, rules=kit, faces=dealt(2, 2, hand, rules=kit)))
        case Mode.ACTION:
            one = player()
            one.press("d")
        case _:
            one = player()
    match mode:
        case Mode.WORDS:
            shown = one.seat.seen(can_confirm_words=True)
        case Mode.RESULT:
            shown = one.seat.seen(phase=Phase.SETTLE, legal=(), can_go_on=True, can_leave=True)
        case Mode.CLOSED:
            shown = one.seat.seen(phase=Phase.CLOSED, legal=(), closed=True)
        case _:
            shown = one.seat.view
    one.seat.show(legal=(), position=msgspec.structs.replace(one.seat.position, turn=0))
    one.follow(wait=5.0)
    assert one.mode() is Mode.WAITING
    one.seat.view = shown
    one.seat.done.clear()
    one.desk.take_wants()
    one.follow()
    assert one.mode() is mode
    return one


@pytest.mark.parametrize(
    "mode",
    [Mode.START, Mode.ACTION, Mode.ANSWER, Mode.SPREAD, Mode.WORDS, Mode.RESULT, Mode.CLOSED],
)
def test_item_11_a_key_that_came_before_the_question_is_no_answer(mode: Mode) -> None:
    for key in ACTING:
        one = waiting_then(mode)
        press(one.desk, key, one.now + 0.01)
        one.follow()
        assert one.seat.done == [], key
        assert one.desk.ui.question is None, key
        assert one.desk.take_wants() in ((), (Want.BELL,)), key


@pytest.mark.parametrize(
    ("mode", "key"),
    [(Mode.START, "d"), (Mode.ANSWER, "n"), (Mode.ANSWER, "y"), (Mode.SPREAD, "1"), (Mode.WORDS, "enter")],
)
def test_a_moment_later_the_same_key_is_heard(mode: Mode, key: str) -> None:
    one = waiting_then(mode)
    press(one.desk, key, one.now + max(DEAF_SECONDS, PAGE_SECONDS) + 0.01)
    assert one.seat.done != []


TABLE = Found(b"a" * 8, "Ana", 1, "pagat", "1.0", "1", ("192.168.1.20:15213",))


@pytest.mark.parametrize(
    ("before", "after", "keys", "meant"),
    [
        (
            hosting(looking=True, tables=(TABLE,), hosting=False, me=None),
            hosting(ANA, hosting=False),
            ["enter"],
            [True],
        ),
        (hosting(ANA, hosting=False), asked("open"), ["enter"], ["accept"]),
        (asked("open"), asked("other key"), ["y"], ["accept"]),
        (hosting(CARLO), hosting(CARLO, BEN), ["a"], ["accept"]),
        (hosting(CARLO, BOT, ANA), hosting(CARLO, ANA), ["k", "2"], ["kick 1"]),
    ],
    ids=["table", "question", "other question", "doubts", "places"],
)
def test_before_the_table_too(
    before: LobbyView, after: LobbyView, keys: list[str], meant: list[object]
) -> None:
    for early in (True, False):
        door = Door(before)
        desk = Desk(door, LETTERS)
        *first, last = keys
        for key in first:
            press(desk, key, 100.0)
        door.view = after
        desk.changed(200.0)
        press(desk, last, 200.01 if early else 201.0)
        assert door.done == ([] if early else meant)
