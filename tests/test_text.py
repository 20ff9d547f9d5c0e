"""Sentences: every event and move has one, names are filled in, nothing of a hostile name gets through."""

import typing
from typing import Any

import pytest
from msgspec.structs import replace

from tests.screens import NAMES, Seat, dealt
from tongits_lan.console.notices import fault_words, forfeit_cost, say_stop, say_table
from tongits_lan.console.skins import LETTERS, SYMBOLS, skin_for
from tongits_lan.console.speech import LANGUAGES, speaking
from tongits_lan.console.text import (
    Voice,
    chips,
    fill,
    grouped_lines,
    listing,
    outcome_text,
    points,
    say,
    say_due,
    say_move,
    say_played,
    sentence,
    settlement_lines,
)
from tongits_lan.errors import Code
from tongits_lan.game import moves as game
from tongits_lan.game.cards import parse_card
from tongits_lan.game.moves import EndKind
from tongits_lan.game.refusals import forbidden_discard, joker_limits, locked
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import Match, close, fresh_match, settle_forfeit
from tongits_lan.ledger import effects
from tongits_lan.ledger import state as ledger
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.ledger.state import Due, HandRecord

ME = Voice(NAMES, 2)
SEVEN = parse_card("7H")
LAID = ((4, parse_card("3D")), (9, parse_card("4D")), (12, parse_card("5D")))


def test_ten_is_written_with_two_digits() -> None:
    assert LETTERS.card(parse_card("TC")) == "10C"
    assert LETTERS.cards([52, 53]) == "X1 X2"


def test_T8_suits_are_told_apart_in_both_skins() -> None:
    for skin in (LETTERS, SYMBOLS):
        assert len({skin.card(parse_card(f"9{suit}")) for suit in "CDHS"}) == 4
    assert SYMBOLS.card(parse_card("9S")) == "9♠"


@pytest.mark.parametrize(
    ("encoding", "environ", "ascii_only", "symbols"),
    [
        ("utf-8", {"TERM": "xterm-256color"}, False, True),
        ("utf-8", {"TERM": "xterm"}, True, False),
        ("utf-8", {"TERM": "linux"}, False, False),
        ("utf-8", {"TERM": "dumb"}, False, False),
        ("ascii", {"TERM": "xterm"}, False, False),
        ("cp1252", {"TERM": "xterm"}, False, False),
        ("cp437", {}, False, False),
        (None, {}, False, False),
        ("no-such-encoding", {}, False, False),
    ],
)
def test_T9_symbols_only_where_they_can_be_shown(
    encoding: str | None, environ: dict[str, str], ascii_only: bool, symbols: bool
) -> None:
    assert (skin_for(encoding, environ, ascii_only=ascii_only) is SYMBOLS) is symbols


def test_names_replace_the_places_in_a_refusal() -> None:
    assert fill("{0} laid off on {1} and {2}", ME) == "Ana laid off on Ben and you"
    assert fill("a {brace} stays", ME) == "a {brace} stays"
    assert fill("{0}", Voice(("{1}", "Ben", "Carlo"))) == "{1}"
    assert sentence("you cannot: {1} did it", ME) == "You cannot: Ben did it."


def test_a_refusal_names_cards_as_the_screen_shows_them() -> None:
    ten = [parse_card("TD"), parse_card("JD")]
    voice = Voice(("Ana", "Ben", "Carlo"), 2, SYMBOLS)
    reason = locked(1, 2, ten, "run", lasting=False)
    said = "you cannot call a fight: Ben laid off {} on your run since your last turn"
    assert fill(reason, voice) == said.format("10♦ J♦")
    assert fill(reason, ME) == said.format("10D JD")
    foul = forbidden_discard(0, "TD", "6S")
    assert fill(foul, voice) == "Ana discarded 10♦, which fitted a meld on the table, while holding 6♠"
    assert fill(joker_limits(2, 1), voice) == joker_limits(2, 1)


def test_small_words() -> None:
    assert (points(1), points(20), chips(1), chips(3)) == ("1 point", "20 points", "1 chip", "3 chips")
    assert listing([]) == ""
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"


PLAYED: list[tuple[game.Event, str | None]] = [
    (game.Dealt(0), None),
    (game.Drew(2, 40), "You drew from the stock."),
    (game.Drew(0, 40), "Ana drew from the stock."),
    (game.Took(1, 3, SEVEN, 0), "Ben took 7H."),
    (game.Melded(2, 0, LAID, ()), "You laid 3D 4D 5D."),
    (game.Melded(1, 0, ((1, 53), (2, parse_card("4D")), (3, parse_card("5D"))), (parse_card("3D"),)), None),
    (game.Hid(0, 1, (1, 2, 3, 4)), "Ana laid a secret set face down."),
    (game.Sapawed(0, 2, LAID[:1], ()), "Ana laid off 3D on meld [3]."),
    (game.SagasaPaid(1, 5), "Sagasa: each of the others paid Ben 5 chips."),
    (game.Discarded(2, 5, SEVEN), "You threw 7H."),
    (game.LockSet(2, 0, 1), "You cannot call a fight next turn: Ana laid off there."),
    (game.LockSet(0, 0, 1), None),
    (game.Called(1, ()), "Ben called a fight."),
    (game.Called(2, LAID), "You called a fight, showing 3D 4D 5D."),
    (game.Answered(0, "challenge", False, ()), "Ana fought back."),
    (game.Answered(0, "fold", True, ()), "Ana had to fold."),
    (game.Answered(2, "fold", False, ()), "You folded."),
    (game.SpreadClaimed(1, LAID), "Ben claimed a spread, showing 3D 4D 5D."),
    (game.Passed(2), "You claimed no spread."),
    (game.Ended(EndKind.TONGITS, 1), "Tongits! Ben got rid of every card."),
    (game.Ended(EndKind.STOCK, None), "The stock is empty: the counts are compared."),
    (game.Ended(EndKind.DRAW, 1), None),
]


@pytest.mark.parametrize(("event", "text"), PLAYED)
def test_what_was_played(event: game.Event, text: str | None) -> None:
    said = say_played(ME, event)
    if isinstance(event, game.Melded) and event.wild:
        text = "Ben laid X2 4D 5D (joker as 3D)."
    assert said == text
    assert say(ME, ledger.Played(0, event)) == said


def test_every_event_of_the_game_was_tried() -> None:
    assert {type(event) for event, _ in PLAYED} == set(typing.get_args(game.Event))


def record(*, forfeited_by: int | None = None, **changes: object) -> HandRecord:
    settlement = replace(settle_forfeit(PRESETS["pagat"], dealt_by(0), 1), **changes)
    return HandRecord(3, 0, settlement, None, forfeited_by, 10, 20, None)


def dealt_by(dealer: int) -> Match:
    return replace(fresh_match(), dealer=dealer)


LEDGER: list[tuple[ledger.LedgerEvent, str | None]] = [
    (ledger.Seated(0), None),
    (ledger.NonceOpened(0), None),
    (ledger.TableOpened(("a", "b", "c", "d"), 2), "The table words are a b c d. You will deal first."),
    (ledger.HandBegan(2, 1), "Hand 2: Ben deals."),
    (ledger.HandBegan(2, 2), "Hand 2: you deal."),
    (ledger.SeedCommitted(0), None),
    (ledger.DeckShuffled(1), "Ben shuffled."),
    (ledger.DeckLocked(1), None),
    (ledger.ProofsAccepted(2), "Your shuffle is proved fair."),
    (ledger.ProofsAccepted(0), "Ana's shuffle is proved fair."),
    (ledger.SeatReady(0), None),
    (ledger.KeysDealt(0), None),
    (ledger.HandDealt(2), "Hand 2 is dealt."),
    (ledger.KeyReleased(0, 40), None),
    (ledger.HandEnding(2), "The hand is over; the cards are opened."),
    (ledger.HandEnded(0), None),
    (ledger.SeedRevealed(0), None),
    (ledger.HandSettled(record(end="tongits", winner=0)), "Ana won hand 3 with Tongits."),
    (ledger.HandForfeited(record(forfeited_by=1)), "Ben gave hand 3 up: it is void."),
    (ledger.HandConfirmed(2), "You confirmed the result."),
    (ledger.TableClosed(2, record().settlement), "The table was closed by you."),
    (ledger.TableClosed(None, record().settlement), "The table was closed after its last hand."),
    (
        ledger.TableClosed(0, close(PRESETS["pagat"], Match((0, 0, 0), 6, None, 0, 0, "next"))),
        "The table was closed by Ana. The pot was split: Ana 2, Ben 2 and you 2.",
    ),
]


@pytest.mark.parametrize(("event", "text"), LEDGER)
def test_what_the_ledger_tells(event: ledger.LedgerEvent, text: str | None) -> None:
    assert say(ME, event) == text
    assert say_table(ME, event) == text


def test_every_event_of_the_ledger_was_tried() -> None:
    tried = {type(event) for event, _ in LEDGER} | {ledger.Played}
    assert tried == set(typing.get_args(ledger.LedgerEvent))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"end": "draw", "winner": 2, "challenged": True}, "You won hand 3 in a fight."),
        ({"end": "draw", "winner": 0}, "Ana won hand 3 by a fight that nobody took up."),
        ({"end": "stock", "winner": 1}, "Ben won hand 3 with the lowest count as the stock ran out."),
        ({"end": "spread", "winner": 1}, "Ben won hand 3 with a spread."),
        ({"end": "stock", "winner": None}, "Hand 3 had no winner."),
    ],
)
def test_how_a_hand_ended(changes: dict[str, Any], text: str) -> None:
    assert outcome_text(ME, record(**changes)) == text


STOP = Stop(Code.PROOF, "shuffle proof: x", 1, 3, 61)
TABLE: list[tuple[effects.TableEvent, str | None]] = [
    (effects.Awaited(1, ("shuffle",), 3.0), "Waiting for Ben to shuffle."),
    (effects.Returned(1), "Ben is back."),
    (effects.GraceOver(1), "Ben is still away. You can keep waiting, or leave: the hand stays pending."),
    (effects.LinkChanged(1, Reach("through", 0)), "Ben is reached through Ana."),
    (effects.LinkChanged(0, Reach("away")), "Ana is out of reach."),
    (effects.LinkChanged(2, Reach("me")), None),
    (effects.RejectedByPeer(0, "rules", "x"), "Ana's program refused what was sent to it (rules)."),
    (
        effects.RejectedByPeer(0, "\x1b[2J", "x"),
        "Ana's program refused what was sent to it (for no known reason).",
    ),
    (effects.Loaded(12), "The table goes on where it was left (12 records so far)."),
    (effects.Loaded(0), None),
]


@pytest.mark.parametrize(("event", "text"), TABLE)
def test_what_the_table_tells(event: effects.TableEvent, text: str | None) -> None:
    assert say_table(ME, event) == text


def test_a_fault_names_who_and_where() -> None:
    said = say_table(ME, effects.Stopped(STOP))
    assert said == say_stop(ME, STOP)
    assert said is not None
    assert "Ben's shuffle proof does not hold" in said
    assert "hand 3, record 61" in said


@pytest.mark.parametrize("code", list(Code))
def test_every_fault_has_words_with_and_without_a_culprit(code: Code) -> None:
    assert fault_words(ME, code, 0)
    anonymous = fault_words(ME, code, None)
    assert "Ana" not in anonymous
    assert "{" not in anonymous


def test_secrets_lost_says_what_to_do() -> None:
    said = say_table(ME, effects.SecretsLost(4, "x"))
    assert said is not None
    assert "hand 4" in said
    assert "give the hand up" in said


def test_who_is_awaited() -> None:
    assert say_due(ME, Due(2, ("draw", "take"))) == "You are asked to draw."
    assert say_due(ME, Due(0, ("reveal",))) == "Waiting for Ana to open the cards."
    assert say_due(ME, Due(0, ())) == "Waiting for Ana to go on."


def test_moves_as_menu_lines() -> None:
    seat = Seat(faces=dealt(2, 0, "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", stock="8D"))
    seat.others()
    position = seat.position
    meld = game.Meld(tuple((slot, seat.faces[slot]) for slot in position.hands[2][:3]))
    assert say_move(ME, game.Draw(), position) == "draw from the stock (14 left)"
    assert say_move(ME, meld, position) == "lay run 3D 4D 5D"
    assert say_move(ME, game.Hide((1, 2, 3, 4)), position) == "lay a secret set face down"
    assert say_move(ME, game.Discard((1, SEVEN)), position) == "discard 7H"
    assert say_move(ME, game.Call(()), position) == "call a fight"
    assert say_move(ME, game.Answer("challenge", ()), position) == "fight back"
    assert say_move(ME, game.Answer("fold", ()), position) == "fold"
    assert say_move(ME, game.Pass(), position) == "claim no spread"
    assert say_move(ME, game.Spread(()), position) == "claim the spread: all cards are melds"
    top = LETTERS.card(position.discards[-1][1])
    assert say_move(ME, game.Take(None, meld.cards[:2]), position).startswith(f"take {top}, lay ")


def test_payments_one_by_one_and_together() -> None:
    settlement = settle_forfeit(PRESETS["pagat"], dealt_by(0), 2)
    lines = settlement_lines(ME, settlement)
    assert any(line.startswith("You pay Ana 3 chips: ") for line in lines)
    together = grouped_lines(ME, settlement)
    assert len(together) < len(lines)
    assert sum("pot" in line for line in together) == 1
    assert forfeit_cost(PRESETS["pagat"]).startswith("you pay 3 chips to each")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_stay_as_they_are_written_where_they_begin_a_sentence(language: str) -> None:
    small = Voice(("clear", "the", "carlo"), 2)
    with speaking(language):
        for giver in range(3):
            settlement = settle_forfeit(PRESETS["pagat"], dealt_by(0), giver)
            lines = [*settlement_lines(small, settlement), *grouped_lines(small, settlement)]
            assert not [
                line for line in lines if "Clear" in line or line.startswith(("The pays", "you", "ang "))
            ]
            assert any("clear" in line for line in lines)
    assert small.begun("the, and you") == "the, and you"
    assert small.begun("there is no card") == "There is no card"
    assert small.begun("") == ""
