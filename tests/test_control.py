"""Keys at the desk: what each does, what is asked once more, what came too early to be heard."""

import msgspec
import pytest

from tests.screens import HAND, Player, Seat, cards, dealt, player, shown
from tongits_lan.console.control import DEAF_SECONDS
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import paste, press
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.ui import Overlay
from tongits_lan.console.wants import Want
from tongits_lan.errors import Refused
from tongits_lan.game.cards import card_text
from tongits_lan.game.moves import Answer, Call, Discard, Meld, Move
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.effects import Reach
from tongits_lan.net.events import ChatHeard, LinkNote


def thrown(one: Player) -> str:
    return card_text(one.seat.position.discards[-1][1])


def test_item_10_a_plain_turn_is_two_keys() -> None:
    one = player()
    one.press("d", "enter")
    assert thrown(one)[0] in "JQK"
    assert one.seat.position.turn == 0
    assert one.mode() is Mode.WAITING


def test_another_card_is_thrown_with_the_cursor_or_its_name() -> None:
    one = player()
    one.press("d", "/", "7", "s", "enter")
    assert thrown(one) == "7S"
    two = player()
    two.press("d", "left", "enter")
    assert thrown(two) != "7S"


def test_a_chosen_card_stays_chosen_whatever_is_told_meanwhile() -> None:
    one = player()
    one.press("d", "/", "7", "s")
    for links in (
        (Reach("away"), Reach("direct"), Reach("me")),
        (Reach("through", 1), *one.seat.view.links[1:]),
    ):
        one.seat.show(links=links)
        one.follow(wait=1.0)
        assert "Enter  discard 7S" in shown(one)
    one.desk.heard(ChatHeard(0, "bilis naman!", None), one.now)
    one.press("s", "g", "enter")
    assert thrown(one) == "7S"


def test_a_bare_number_names_a_card_when_no_choice_has_it() -> None:
    one = player()
    one.press("d", "7", "s")
    assert one.desk.ui.layout.cursor is not None
    assert card_text(one.seat.faces[one.desk.ui.layout.cursor]) == "7S"
    assert len(one.desk.ui.choices) == 2


def test_a_number_lays_its_choice() -> None:
    one = player()
    one.press("d", "1", "1", "enter")
    assert len(one.seat.position.melds) == 2
    assert one.seat.position.turn == 0


def test_the_last_cards_win_by_themselves() -> None:
    one = player("3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", stock="8D KS")
    one.press("d", "1", "1", "1", "1")
    assert str(one.seat.position.end) == "tongits"


def test_take_with_one_possible_meld_is_one_key() -> None:
    one = player("8S 8H 5D 9C 4H TS AC 2H KD QH JC 7S", stock="8D")
    assert card_text(one.seat.position.discards[-1][1]) == "8D"
    one.press("t")
    assert [card_text(c) for c in one.seat.position.melds[0].cards if c is not None] == ["8D", "8H", "8S"]


def test_C11_take_with_several_possible_melds_asks_which() -> None:
    one = player("8S 8H 8C 7D 9D TS AC 2H KD QH JC 7S", stock="8D")
    one.press("t")
    assert one.seat.position.melds == ()
    assert "number" in one.note
    one.press("1")
    assert len(one.seat.position.melds) == 1


def test_item_19_taking_asks_once_more_when_it_breaks_a_meld() -> None:
    one = player("8S 8H 9H TH 4H 2C AC 2H KD QS JC 7S", stock="8D")
    assert "breaks a meld" in shown(one)
    one.press("t")
    assert one.mode() is Mode.CONFIRM
    assert one.seat.done == []
    assert one.desk.ui.question is not None
    assert "8H 9H 10H" in one.desk.ui.question.text
    one.press("escape")
    assert one.mode() is Mode.START
    one.press("t", "enter")
    assert [card_text(c) for c in one.seat.position.melds[0].cards if c is not None] == ["8D", "8H", "8S"]


def test_item_19_laying_and_lay_offs_ask_once_more_when_they_break_a_meld() -> None:
    one = player("9C 9H 9S TS JS AC 2H KD QH JC 7S 5C", stock="8D 4C")
    one.press("d", "g", "/", "9", "c", " ", "/", "9", "h", " ", "/", "9", "s", " ", "enter")
    assert one.mode() is Mode.CONFIRM
    assert one.seat.position.melds == ()
    one = player("4H 5H 6H 7H 7S 7C 9C JD KS AD TC 8S", stock="8C 8D")
    one.press("d", "/", "4", "h", " ", "/", "5", "h", " ", "/", "6", "h", " ", "enter")
    assert [meld.slots for meld in one.seat.position.melds] != []
    number = next(n for n, item in enumerate(one.desk.ui.choices, 1) if item.label.startswith("sapaw 7H"))
    one.press(str(number))
    assert one.mode() is Mode.CONFIRM
    assert one.desk.ui.question is not None
    assert one.desk.ui.question.text.startswith("This breaks your 7")
    one.press("enter")
    assert len(one.seat.position.melds[0].slots) == 4


def test_item_19_a_card_that_fits_a_meld_on_the_table_is_thrown_after_a_question() -> None:
    one = player("4H 5H 6H 7H 9C JD KS AD TC 8S 2C QS", stock="8C 8D")
    one.press("d", "/", "4", "h", " ", "/", "5", "h", " ", "/", "6", "h", " ", "enter", "enter")
    assert len(one.seat.position.melds) == 1
    one.press("/", "7", "h", "enter")
    assert one.mode() is Mode.CONFIRM
    assert one.desk.ui.question is not None
    assert one.desk.ui.question.text == "7H fits your meld [1] on the table."
    assert one.seat.position.turn == 2
    one.press("enter")
    assert thrown(one) == "7H"


def test_take_says_why_not() -> None:
    one = player()
    one.press("t")
    assert "at least two cards" in one.note
    assert one.seat.position.turn == 2


def test_a_spread_is_claimed_with_the_first_number() -> None:
    kit = PRESETS["wikipedia"]
    one = Player(
        Seat(dealer=2, rules=kit, faces=dealt(2, 2, "3D 4D 5D 6D 9C 9H 9S 2C 2D 2H KC KD KH", rules=kit))
    )
    assert one.mode() is Mode.SPREAD
    assert [item.label for item in one.desk.ui.choices] == [
        "claim the spread: all cards are melds",
        "claim no spread",
    ]
    one.press("enter")
    assert one.note == "Press a number."
    one.press("1")
    assert str(one.seat.position.end) == "spread"


def test_item_19_C12_a_fight_is_asked_twice_with_the_count() -> None:
    one = player()
    one.press("d", "1", "enter")
    one.others()
    one.press("f")
    assert one.mode() is Mode.CONFIRM
    question = one.desk.ui.question
    assert question is not None
    assert "Nobody can fight back: you win 6 chips" in question.text
    one.press("enter", "y")
    assert one.seat.position.caller is None  # only `f` again is a yes
    one.press("f")
    assert one.seat.position.caller == 2


def test_a_fight_can_be_thought_better_of() -> None:
    one = player()
    one.press("d", "1", "enter")
    one.others()
    one.press("f", "escape")
    assert one.mode() is Mode.START
    assert one.seat.position.caller is None


def test_a_fight_that_is_not_allowed_says_why() -> None:
    one = player()
    one.press("f")
    assert "before you have completed a turn" in one.note
    assert one.desk.ui.no_call is not None


@pytest.mark.parametrize(("key", "word"), [("y", "challenge"), ("n", "fold")])
def test_a_fight_is_answered_with_one_key(key: str, word: str) -> None:
    one = with_trio(HAND)
    assert one.mode() is Mode.ANSWER
    one.press("enter")
    assert "y fights back" in one.note
    one.press(key)
    assert (2, word, False) in one.seat.position.answers


def with_trio(hand: str, **rules: object) -> Player:
    """Ana holds three fours, opens and calls; Ben folds; Carlo has opened too."""
    kit = msgspec.structs.replace(PRESETS["pagat"], **rules)
    faces = dealt(2, 0, hand, "8D 8C 5H 6H")
    seat = Seat(faces=faces, rules=kit)
    mine, hers = set(seat.position.hands[2]), seat.position.hands[0]
    for slot, card in zip(hers[:3], cards("4C 4H 4S"), strict=True):
        other = faces.index(card)
        assert other not in mine
        faces[slot], faces[other] = faces[other], faces[slot]
    one = Player(Seat(faces=faces, rules=kit))
    seat = one.seat
    seat.move(0, Meld(tuple((slot, faces[slot]) for slot in hers[:3])))
    last = seat.position.hands[0][-1]
    seat.move(0, Discard((last, faces[last])))
    one.others()
    one.press("d", "1", "enter")
    seat.move(0, Call())
    if seat.position.turn == 1:
        seat.move(1, Answer("fold"))
    one.follow()
    one.now += 1.0
    return one


def test_item_11_keys_typed_before_the_card_is_seen_do_nothing() -> None:
    one = player()
    press(one.desk, "d", one.now)
    press(one.desk, "enter", one.now)  # in the same write: the table has not answered yet
    press(one.desk, "1", one.now)
    one.follow()
    assert one.seat.position.turn == 2
    assert one.seat.position.melds == ()
    assert one.seat.done == ["submit"]


def test_what_is_sent_is_not_sent_again_before_the_table_answers() -> None:
    one = player()
    for keys in ("d", "d"), ("0", "enter", "0", "enter"), ("enter", "enter", "1"):
        one.seat.done.clear()
        for key in keys:
            one.now += 1.0
            press(one.desk, key, one.now)
        assert one.seat.done == ["submit"]
        assert one.note == "That key came too early: look, then press it again."
        one.press("escape")


def test_keys_are_not_heard_while_the_card_is_on_its_way() -> None:
    one = player()
    drawn = one.seat.position.stock[0]
    one.seat.hidden.add(drawn)
    one.press("d")
    assert one.mode() is Mode.WAITING
    one.press("enter")
    assert one.note == "Wait."
    assert one.seat.position.turn == 2
    one.seat.hidden.clear()
    one.seat.show()
    one.press("enter", every=DEAF_SECONDS / 2)
    assert one.seat.position.turn == 2


def test_enter_is_deaf_right_after_a_new_card() -> None:
    one = player()
    one.press("d")
    one.press("enter", every=0.29)
    assert one.note == "That key came too early: look, then press it again."
    assert one.seat.position.turn == 2
    one.press("enter", every=0.02)
    assert one.seat.position.turn == 0


def test_item_19_C12_breaking_a_meld_is_asked_once_more() -> None:
    one = player()
    one.press("d", "/", "4", "d", "enter")
    assert one.mode() is Mode.CONFIRM
    one.press("escape")
    assert one.seat.position.turn == 2
    one.press("enter")
    one.press("enter", every=0.1)
    assert one.seat.position.turn == 2  # too soon to be an answer
    one.press("enter")
    assert thrown(one) == "4D"


def test_marked_cards_are_laid_with_enter() -> None:
    one = player()
    one.press("d", "/", "9", "c", " ", "/", "9", "h", " ", "/", "9", "s", " ", "enter")
    assert [card_text(c) for c in one.seat.position.melds[0].cards if c is not None] == ["9C", "9H", "9S"]
    assert one.desk.ui.layout.marks == frozenset()


def test_marked_cards_that_are_no_move_say_why() -> None:
    one = player()
    one.press("d", "/", "9", "c", " ", "/", "9", "h", " ", "enter")
    assert "three or four cards of one rank" in one.note
    one.press("escape")
    assert one.desk.ui.layout.marks == frozenset()


def test_C11_marked_cards_with_two_meanings_are_asked_about() -> None:
    one = player("3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", stock="8S 9D")
    one.press("d", "/", "9", "c", " ", "/", "9", "h", " ", "/", "9", "s", " ", "enter")
    assert one.mode() is Mode.CONFIRM  # three of four nines are fewer points laid than all of them
    one.press("enter", "/", "9", "d", " ", "enter")
    picked = one.desk.ui.picked
    assert picked is not None
    assert {type(item.move).__name__ for item in picked} == {"Sapaw", "Discard"}
    one.press("1")
    assert len(one.seat.position.melds[0].cards) == 4


def test_the_whole_list_can_be_walked() -> None:
    one = player("3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2C", stock="8S AD")
    one.press("d", "0", "down", "down", "up")
    assert one.desk.ui.list_at == 1
    wanted = one.desk.ui.choices[1].move
    one.press("enter")
    if one.mode() is Mode.CONFIRM:
        one.press("enter")
    assert isinstance(wanted, Meld)
    assert one.seat.position.melds[0].slots == tuple(sorted(slot for slot, _ in wanted.cards))


def test_item_17_without_hints_enter_needs_a_move_first() -> None:
    one = player(hints=False)
    one.press("d", "enter")
    assert one.seat.position.turn == 2
    assert "Choose a card" in one.note
    assert one.desk.ui.layout.cursor == one.desk.ui.layout.new
    one.press("h")
    assert "without hints" in one.note
    one.press("left", "right", "enter")
    assert one.seat.position.turn == 0


def test_a_hint_names_a_move() -> None:
    one = player()
    one.press("h")
    assert one.note.startswith("Perhaps: ")


def test_what_the_session_refuses_becomes_a_note() -> None:
    class Stubborn(Seat):
        def submit(self, move: Move) -> None:
            raise Refused("{0} said no")

    one = Player(Stubborn(faces=dealt(2, 0, HAND, "8D 8C 5H")))
    one.others()
    one.press("d")
    assert one.note == "Ana said no."
    assert not one.desk.ui.sent


def test_item_20_the_bell_rings_once_a_turn() -> None:
    one = player()
    assert one.desk.take_wants() == (Want.BELL,)
    one.press("d", "1", "enter")
    assert one.desk.take_wants() == ()
    one.others()
    assert one.desk.take_wants() == (Want.BELL,)


def test_item_20_no_bell_for_the_card_that_comes_in_the_midst_of_a_turn() -> None:
    one = player()
    one.desk.take_wants()
    one.seat.hidden.add(one.seat.position.stock[0])
    one.press("d")
    assert one.mode() is Mode.WAITING
    one.seat.hidden.clear()
    one.seat.show()
    one.follow()
    assert one.mode() is Mode.ACTION
    assert one.desk.take_wants() == ()


def test_item_20_the_bell_can_be_muted() -> None:
    one = player()
    one.desk.take_wants()
    one.press("m", "d", "1", "enter")
    one.others()
    assert one.desk.take_wants() == ()
    one.press("m")
    assert one.note == "The bell is on."


def test_a_note_goes_with_the_moment_it_was_about() -> None:
    one = player()
    one.press("d", "enter", "d")
    assert one.note == "It is not your turn: Ana moves now."
    one.seat.show(links=one.seat.view.links)
    one.follow()
    assert one.note == "It is not your turn: Ana moves now."
    one.seat.others(until=1)
    one.follow(wait=1.0)
    assert one.note == ""
    one.press("d")
    assert one.note == "It is not your turn: Ben moves now."
    one.others()
    assert one.mode() is Mode.START
    assert "Ben moves now" not in shown(one)


def test_the_log_tells_what_happened() -> None:
    one = player()
    lines = [entry.text for entry in one.desk.ui.log]
    assert lines[0].startswith("Ana threw ")
    assert lines[1] == "Ben drew and threw 8D."
    one.press("d")
    assert one.desk.ui.log[-1].text.startswith("You drew ")
    assert "stock" not in one.desk.ui.log[-1].text


def test_the_drawn_card_is_told_when_it_is_seen() -> None:
    one = player()
    drawn = one.seat.position.stock[0]
    one.seat.hidden.add(drawn)
    one.press("d")
    assert one.desk.ui.log[-1].text == "You drew from the stock."
    one.seat.hidden.clear()
    one.seat.show()
    one.follow()
    assert one.desk.ui.log[-1].text == f"You drew {LETTERS.card(one.seat.faces[drawn])}."


def test_pages_open_and_close() -> None:
    one = player()
    for key, page in (
        ("v", Overlay.DISCARDS),
        ("l", Overlay.LOG),
        ("p", Overlay.PROOFS),
        ("o", Overlay.OPTIONS),
    ):
        one.press(key)
        assert one.desk.ui.overlay is page
        one.press("down", key)
        assert one.desk.ui.overlay is None
    one.press("?", "escape")
    assert one.mode() is Mode.START


def test_chat_takes_letters_that_are_keys_elsewhere() -> None:
    one = player()
    one.press("c", *"quit d", "backspace", "enter")
    assert one.seat.done == ["chat quit"]
    one.press("c", *"gusto ko", "c-w")
    assert one.desk.ui.chatting == "gusto "
    one.press("c-u", "enter", "!", "2")
    assert one.seat.done[1:] == ["chat Teka lang."]
    assert one.seat.position.turn == 2


def test_at_a_table_that_is_over_chat_needs_somebody_to_hear_it() -> None:
    one = player()
    here = one.seat.view.links
    one.seat.show(closed=True, legal=())
    one.follow(wait=5.0)
    assert "c chat" in shown(one)
    one.press("c", *"gg", "enter")
    assert one.seat.done == ["chat gg"]
    one.seat.show(closed=True, legal=(), links=(Reach("away", left=True), Reach("away"), here[2]))
    one.follow(wait=5.0)
    assert "c chat" not in shown(one)
    for key in ("c", "!"):
        one.press(key)
        assert one.mode() is Mode.CLOSED
        assert "nobody would hear it" in one.note
    assert one.seat.done == ["chat gg"]


def test_enter_right_after_chat_does_not_play() -> None:
    one = player()
    one.press("d", "c", "a", "enter")
    one.press("enter", every=0.05)
    assert one.seat.position.turn == 2


def test_pasted_text_only_goes_into_chat() -> None:
    one = player()
    paste(one.desk, "d\nq\n")
    assert one.mode() is Mode.START
    one.press("c")
    paste(one.desk, "two\nlines " + "x" * 900)
    text = one.desk.ui.chatting
    assert text is not None
    assert text.startswith("two lines")
    assert len(text) == 500


def test_item_22_others_are_heard_with_their_names_and_cleaned() -> None:
    one = player()
    one.desk.heard(ChatHeard(0, "hi\x1b[2J\u202ethere", None), one.now)
    one.desk.heard(ChatHeard(1, "hello", 0), one.now)
    one.desk.heard(LinkNote("Ben is \u200bback"), one.now)
    said = [entry.text for entry in one.desk.ui.log[-3:]]
    assert said[0].startswith("Ana: hi")
    assert not set(said[0]) & {"\x1b", "\u202e"}
    assert said[1:] == ["Ben (through Ana): hello", "Ben is back"]
