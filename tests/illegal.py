"""Illegal moves of every kind the rules know, as signed entries at tables where nothing else is wrong.

Each row is a position in the language of the rule scenarios, a move of Ana's in it and the refusal it meets.
The cards of a position lie in the slots in which a scripted deal really put them, so that an entry opens them
with real keys; no ledger need lead to the position.
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from tests import scenarios
from tests.scripted import Script
from tongits_lan.errors import Code
from tongits_lan.game import refusals as say
from tongits_lan.game.cards import Laid, parse_card
from tongits_lan.game.moves import Answer, Call, Discard, Draw, EndKind, Hide, Meld, Move, Sapaw, Spread, Take
from tongits_lan.game.position import Lock, Position, TableMeld
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.game.rules import PRESETS, Rules, from_map, to_map
from tongits_lan.game.sentences import Phrase
from tongits_lan.ledger.play import body_of
from tongits_lan.ledger.state import Phase, State

Options = Mapping[str, Any]
ME = 0


@dataclass(frozen=True, slots=True)
class Illegal:
    """`options` replace those of pagat, `fields` those of the position every row starts from.

    `code` is another than `rules` where the protocol refuses such an entry before it asks them."""

    what: str
    refusal: str
    move: Move
    options: Options = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    lock: Lock | None = None
    end: EndKind | None = None
    code: Code = Code.RULES


def laid(text: str) -> tuple[Laid, ...]:
    """Cards in a move, each in the slot of its own number until it is `placed`."""
    return tuple(sorted((parse_card(t), parse_card(t)) for t in text.split()))


def _slots(text: str) -> tuple[int, ...]:
    return tuple(slot for slot, _ in laid(text))


def _card(text: str) -> int:
    return parse_card(text)


_HAND = "9S 9H 9D 9C 8S QC QS 2H"
_OTHERS = [["8D", "6C", "4D"], ["8C", "6D", "4C"]]
_MELDS = [
    {"owner": 1, "cards": ["5S", "6S", "7S"]},
    {"owner": 2, "cards": ["TC", "TD", "TH"]},
    {"owner": 1, "cards": ["AC", "AD", "AH", "AS"], "face_down": True},
]
_OWN = {"owner": 0, "cards": ["KC", "KD", "KH"]}
_START: Options = {"phase": "start"}
_FIT: Options = {"phase": "start", "discards": ["TS"]}
_OPENED: Options = {"phase": "start", "melds": [*_MELDS, _OWN]}
_ASKED: Options = {"phase": "answers", "caller": 2}
_SPREAD: Options = {"phase": "spread", "melds": [], "discards": []}
_ONE: Options = {"hands": [["8S"], ["8D"], ["8C"]]}
_KINGS: Options = {"hands": [["KC", "KD", "KH"], *_OTHERS]}
_LOCK = Lock(by=1, meld=3, cards=(_card("KS"),))
_JOKERS: Options = {"jokers": 2}


def _by_special(reason: str | None) -> str:
    """Where only a natural four of a kind would entitle to a call."""
    return say.call_needs_special("set4", reason)


def _locked(by: int, *, where: str | None, lasting: bool = False, cards: str = "KS") -> str:
    return say.locked(by, ME, [parse_card(c) for c in cards.split()], where, lasting)


_MELDING = (
    Illegal("three cards of nothing", say.NOT_A_MELD, Meld(laid("9S 9H QC"))),
    Illegal("two of a kind", say.NOT_A_MELD, Meld(laid("9S 9H"))),
    Illegal("a joker that stands for nothing", say.JOKER_STANDS, Meld(laid("9S 9H X1")), _JOKERS),
    Illegal("a joker for a card that is there", say.JOKER_STANDS, Meld(laid("9S 9H X1"), (_card("9S"),)),
            _JOKERS),
    Illegal(
        "too few natural cards beside a joker",
        say.joker_limits(3, 1),
        Meld(laid("9S 9H X1"), (_card("9C"),)),
        {"jokers": 2, "joker_min_naturals": 3},
    ),
    Illegal("all cards where the last is discarded", say.LAST_CARD, Meld(laid("KC KD KH")),
            {"tongits_final_discard": "required"}, _KINGS),
    Illegal("a hidden set where there are none", say.HIDE_OFF, Hide(_slots("9S 9H 9D 9C")),
            {"secret_face_down": "off"}),
    Illegal("a hidden set of the last four cards", say.LAST_CARD, Hide(_slots("9S 9H 9D 9C")),
            {"tongits_final_discard": "required"}, {"hands": [["9S", "9H", "9D", "9C"], *_OTHERS]}),
    Illegal("a hidden set of three", say.HIDE_FOUR, Hide(_slots("9S 9H 9D")), code=Code.BODY),
)  # fmt: skip
_LAYING_OFF = (
    Illegal("onto no meld", say.NO_MELD_THERE, Sapaw(7, laid("8S"))),
    Illegal("nothing", say.SAPAW_NOTHING, Sapaw(0, ())),
    Illegal("onto a meld that lies face down", say.SAPAW_FACE_DOWN, Sapaw(2, laid("8S"))),
    Illegal("with a gap in the run", say.SAPAW_MISFIT, Sapaw(0, laid("9S"))),
    Illegal("another rank onto a set", say.SAPAW_MISFIT, Sapaw(1, laid("9S"))),
    Illegal("a joker that stands for nothing", say.JOKER_STANDS, Sapaw(0, laid("X1")), _JOKERS),
    Illegal("a joker where a meld holds none", say.joker_limits(1, 0), Sapaw(0, laid("X1"), (_card("8S"),)),
            {"jokers": 2, "joker_min_naturals": 1, "joker_max_per_meld": 0}),
    Illegal("before opening", say.SAPAW_UNOPENED, Sapaw(0, laid("8S")), {"sapaw_before_open": False}),
    Illegal("the last card without a meld", say.SAPAW_KEEPS_TWO, Sapaw(0, laid("8S")),
            {"tongits_without_own_meld": False}, _ONE),
    Illegal("the last card where it is discarded", say.LAST_CARD, Sapaw(0, laid("8S")),
            {"tongits_final_discard": "required"}, _ONE),
)  # fmt: skip
_TAKING = (
    Illegal("where nobody takes", say.TAKE_OFF, Take(None, laid("QC QS")), {"discard_take": "none"}, _START),
    Illegal("from no pile", say.TAKE_NOTHING, Take(None, laid("QC QS")), {}, {**_START, "discards": []}),
    Illegal("with one card", say.TAKE_NOT_A_MELD, Take(None, laid("QC")), {}, _START),
    Illegal("with cards it does not fit", say.NOT_A_MELD, Take(None, laid("QC 2H")), {}, _START),
    Illegal("to lay it off", say.TAKE_NEW_ONLY, Take(1, ()), {}, _FIT),
    Illegal("onto another's meld", say.TAKE_OWN_ONLY, Take(1, ()), {"discard_take": "new_meld_or_own"}, _FIT),
    Illegal("onto no meld", say.NO_MELD_THERE, Take(7, ()), {"discard_take": "new_meld_or_any"}, _FIT),
    Illegal("from an empty stock", say.STOCK_EMPTY, Draw(), {},
            {"phase": "start", "rest": "discards", "discards": ["QD"]}),
)  # fmt: skip
_CALLING = (
    Illegal("before a turn was completed", say.CALL_FIRST_TURN, Call(), {},
            {**_START, "own_turns": [0, 1, 1]}),
    Illegal("before opening", say.CALL_UNOPENED, Call(), {}, _START),
    Illegal("with cards nobody asked for", say.CALL_SHOWS_NOTHING, Call(laid("2H")), {}, _OPENED),
    Illegal("locked, nobody knows by what", _locked(1, where=None, cards=""), Call(), {},
            {**_OPENED, "locked": [0]}),
    Illegal("locked by another", _locked(1, where="set"), Call(), {}, _OPENED, _LOCK),
    Illegal("locked by another on a run", _locked(1, where="run", cards="8S"), Call(), {},
            {"phase": "start", "melds": [{"owner": 0, "cards": ["5S", "6S", "7S"]}]},
            Lock(by=1, meld=0, cards=(_card("8S"),))),
    Illegal("locked for the hand", _locked(1, where="set", lasting=True), Call(),
            {"lock_by_others": "rest_of_round"}, _OPENED, replace(_LOCK, lasting=True)),
    Illegal("locked by an own lay-off", _locked(0, where="set"), Call(), {}, _OPENED, replace(_LOCK, by=0)),
    Illegal("locked by an own meld of four", _locked(0, where=None), Call(), {"meld4_is_self_sapaw": True},
            _OPENED, replace(_LOCK, by=0, new_meld=True)),
    Illegal("with more than nothing in hand", say.CALL_NEEDS_ZERO, Call(), {"zero_count_fight": "only_zero"},
            _OPENED),
    Illegal("without the special that replaces opening", _by_special(say.CALL_UNOPENED), Call(),
            {"draw_call_requirement": "opened_or_special"}, _START),
    Illegal("with three for a special", _by_special(say.CALL_UNOPENED), Call(laid("9S 9H 9D")),
            {"draw_call_requirement": "opened_or_special"}, _START),
    Illegal("without the special besides", _by_special(None), Call(),
            {"draw_call_requirement": "opened_and_special"}, _OPENED),
    Illegal("in mid-turn", say.CALL_TOO_LATE, Call(), code=Code.PHASE),
)  # fmt: skip
_ANSWERING = (
    Illegal("a challenge without a special", say.challenge_needs_special("set4"), Answer("challenge"),
            {"challenge_requirement": "opened_or_special"}, _ASKED),
    *(
        Illegal(f"a challenge without {length}", say.challenge_needs_special(length), Answer("challenge"),
                {"challenge_requirement": "opened_or_special", "special_definition": length}, _ASKED)
        for length in ("set4_or_run4", "set4_or_run5")
    ),
    Illegal("a challenge with three for a special", say.challenge_needs_special("set4"),
            Answer("challenge", laid("9S 9H 9D")), {"challenge_requirement": "opened_or_special"}, _ASKED),
    Illegal("a challenge with cards nobody asked for", say.ANSWER_SHOWS_NOTHING,
            Answer("challenge", laid("2H")), {"challenge_requirement": "anyone"}, _ASKED),
    Illegal("a fold with cards", say.ANSWER_SHOWS_NOTHING, Answer("fold", laid("2H")), {}, _ASKED),
    Illegal("a draw instead of an answer", say.ANSWER_FIRST, Draw(), {}, _ASKED, code=Code.PHASE),
    Illegal("an answer to nobody", say.NO_DRAW_CALLED, Answer("fold"), {}, _START, code=Code.PHASE),
)  # fmt: skip
_OUT_OF_PLACE = (
    Illegal("a spread that is none", say.SPREAD_COUNT, Spread(laid(_HAND)), {"spread": "jackpot"}, _SPREAD),
    Illegal("a discard before a spread", say.SPREAD_FIRST, Discard(laid("2H")[0]), {"spread": "jackpot"},
            _SPREAD, code=Code.PHASE),
    Illegal("a spread in mid-hand", say.NO_SPREAD_NOW, Spread(laid(_HAND)), code=Code.PHASE),
    Illegal("a meld before a card", say.START_FIRST, Meld(laid("9S 9H 9D")), {}, _START, code=Code.PHASE),
    Illegal("a second card", say.ACTION_NOW, Draw(), code=Code.PHASE),
    Illegal("a card for the dealer's first turn", say.DEALER_BEGINS, Draw(), {},
            {"own_turns": [0, 0, 0], "discards": []}, code=Code.PHASE),
    Illegal("a card that is not held", say.NOT_HELD, Discard(laid("KS")[0]), code=Code.SLOT),
    Illegal("another's turn", say.not_your_turn(1), Draw(), {}, {**_START, "turn": 1}, code=Code.WRITER),
)  # fmt: skip
_ENDED = tuple(
    Illegal(f"by {end}", say.over(end), Draw(), end=end, code=Code.PHASE)
    for end in (EndKind.TONGITS, EndKind.DRAW, EndKind.STOCK, EndKind.SPREAD)
)
GROUPS = {
    "melding": _MELDING,
    "laying off": _LAYING_OFF,
    "taking": _TAKING,
    "calling": _CALLING,
    "answering": _ANSWERING,
    "out of place": _OUT_OF_PLACE,
    "when it has ended": _ENDED,
}
ILLEGAL = {f"{group}: {row.what}": row for group, rows in GROUPS.items() for row in rows}


def templates(text: str) -> Iterator[str]:
    """The sentence a refusal is, before anything was put into it, and those that were put into it."""
    if not isinstance(text, Phrase):
        yield text
        return
    yield text.template
    for _, value in text.fields:
        if isinstance(value, str):
            yield from templates(value)


def _whole(text: str) -> str:
    return next(templates(text))


UNMET = {
    say.NO_CALL: "the beginning of others",
    say.FORM: "the form of an entry is judged before its move",
    say.SPREAD_WHOLE: "the form of an entry is judged before its move",
    say.FACES: "an entry names slots, and a slot opens as the card that was shuffled there",
    say.FIT_BAN: "only the opened cards show it: then it is a foul",
    _whole(say.forbidden_discard(ME, "", "")): "that foul",
    _whole(say.false_set(ME, "")): "a foul, too: nobody sees what lies face down",
    _whole(say.over(None)): "a hand that has ended has ended somehow",
}
"""What no row can run into, and why."""


def rules_of(options: Options) -> Rules:
    """pagat with these options."""
    return from_map({**to_map(PRESETS["pagat"]), **options})


def position_of(row: Illegal) -> Position:
    """The position of a row, its slots the numbers of the cards."""
    rules = rules_of(row.options)
    hand = f"{_HAND} X1" if rules.jokers and "hands" not in row.fields else _HAND
    state = {
        "hands": [hand.split(), *_OTHERS],
        "turn": ME,
        "phase": "action",
        "melds": _MELDS,
        "discards": ["QD"],
    }
    position = scenarios.position_of({**state, **row.fields}, rules)
    if row.lock is not None:
        return replace(position, locks=(row.lock, None, None))
    if row.end is not None:
        return replace(position, phase=GamePhase.OVER, turn=None, end=row.end, end_seat=ME)
    return position


@functools.cache
def _dealt(options: tuple[tuple[str, Any], ...]) -> Script:
    script = Script("illegal", rules=rules_of(dict(options)))
    while script.state.phase not in (Phase.SPREAD, Phase.PLAY):
        script.step(lambda view, legal: legal[0])
    return script


def dealt(row: Illegal) -> Script:
    """A table with the rules of the row, dealt, that stands at its position."""
    script = _dealt(tuple(row.options.items())).clone()
    script.state = _standing(script, position_of(row))
    return script


def entry(script: Script, row: Illegal) -> bytes:
    """The move of a row as Ana would sign it."""
    secrets = script.secrets(ME)
    move = placed(row.move, script.faces())
    return script.sign(body_of(script.state, move, lambda slot: secrets.k[slot]), seat=ME)


def _standing(script: Script, position: Position) -> State:
    """The state with its cards where the position wants them: each in the slot the deal put it."""
    hand = script.state.hand
    assert hand is not None
    faces = script.faces()
    there = _there(position, faces)
    a, b, c = (
        {slot: key for slot, key in enumerate(script.secrets(seat).k) if slot not in there.hands[seat]}
        for seat in range(3)
    )
    phase = {GamePhase.SPREAD: Phase.SPREAD, GamePhase.OVER: Phase.END}.get(there.phase, Phase.PLAY)
    return replace(script.state, phase=phase, hand=replace(hand, position=there, keys=(a, b, c)))


def _there(position: Position, faces: tuple[int, ...]) -> Position:
    at = faces.index
    a, b, c = (tuple(sorted(map(at, hand))) for hand in position.hands)
    return replace(
        position,
        hands=(a, b, c),
        melds=tuple(_meld_there(meld, faces) for meld in position.melds),
        discards=tuple((at(card), card) for _, card in position.discards),
        stock=tuple(map(at, position.stock)),
    )


def _meld_there(meld: TableMeld, faces: tuple[int, ...]) -> TableMeld:
    return replace(meld, slots=tuple(faces.index(card) for card in meld.slots))


def placed(move: Move, faces: tuple[int, ...]) -> Move:
    """The move with its cards in the slots of a deal."""
    match move:
        case Hide(slots):
            return Hide(tuple(sorted(map(faces.index, slots))))
        case Discard((_, card)):
            return Discard((faces.index(card), card))
        case Meld() | Sapaw() | Take() | Call() | Answer() | Spread():
            cards = tuple(sorted((faces.index(card), card) for _, card in move.cards))
            return msgspec.structs.replace(move, cards=cards)
        case _:
            return move
