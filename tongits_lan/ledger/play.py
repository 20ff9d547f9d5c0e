"""Play entries: keys become faces, and faces make the moves that the rule engine judges.

Owns the translation between bodies and moves and what a play entry changes. Must not know any rule of the
game: the engine does.
"""

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from tongits_lan.deck.shuffle import join, split
from tongits_lan.errors import Code, Fault, Refused
from tongits_lan.game import engine
from tongits_lan.game.cards import Laid
from tongits_lan.game.moves import (
    Answer,
    Call,
    Discard,
    Draw,
    Hide,
    Meld,
    Move,
    Pass,
    Sapaw,
    Spread,
    Take,
)
from tongits_lan.game.position import Phase as GamePhase
from tongits_lan.game.position import Position
from tongits_lan.ledger.foresight import Foresight
from tongits_lan.ledger.hand import Keys, Step, Tools, publish
from tongits_lan.ledger.messages import (
    AnswerDraw,
    CallDraw,
    ClaimSpread,
    DrawStock,
    HideSet,
    LayMeld,
    LayOff,
    PassSpread,
    ReleaseKey,
    TakeDiscard,
    ThrowCard,
)
from tongits_lan.ledger.phases import hand_of, right, slots_due, writer_now
from tongits_lan.ledger.replay import check_slot_key, face_of
from tongits_lan.ledger.state import Hand, HandEnding, KeyDue, KeyReleased, LedgerEvent, Phase, Played, State

PlayBody = (
    DrawStock
    | TakeDiscard
    | LayMeld
    | HideSet
    | LayOff
    | ThrowCard
    | CallDraw
    | AnswerDraw
    | PassSpread
    | ClaimSpread
)
HIDDEN_SET = 4


def body_of(state: State, move: Move, keys: Callable[[int], bytes]) -> PlayBody:
    """The body of a move; `keys` gives the mover's own key (32 bytes) of a slot it holds."""
    match move:
        case Draw():
            return DrawStock()
        case Take(meld, cards, wild):
            return TakeDiscard(meld, *_with_keys(cards, keys), wild)
        case Meld(cards, wild):
            return LayMeld(*_with_keys(cards, keys), wild)
        case Hide(slots):
            return HideSet(slots)
        case Sapaw(meld, cards, wild):
            return LayOff(meld, *_with_keys(cards, keys), wild)
        case Discard((slot, _)):
            return ThrowCard(slot, keys(slot))
        case Call(cards):
            return CallDraw(*_with_keys(cards, keys))
        case Answer(word, cards):
            return AnswerDraw(word, *_with_keys(cards, keys))
        case Spread():
            return ClaimSpread(join(keys(slot) for slot in slots_due(state, writer_now(state))))
        case Pass():
            return PassSpread()
        case _:
            assert_never(move)


def play(state: State, seat: int, body: PlayBody, tools: Tools) -> Step:
    """A move: its keys are judged, its cards opened, and the engine has the last word.

    Raises Fault(BODY | SLOT | SCALAR | KEY | OPENING | RULES).
    """
    hand, move = _opened(state, seat, body, tools.known)
    before = hand.position
    assert before is not None
    try:
        after, happened = engine.apply(before, seat, move)
    except Refused as refusal:
        raise Fault(Code.RULES, refusal.reason) from refusal
    events: tuple[LedgerEvent, ...] = tuple(Played(seat, event) for event in happened)
    hand = replace(hand, position=after, key_due=_key_due(before, after, seat))
    return _go_on(replace(state, hand=hand), events)


def release_key(state: State, seat: int, body: ReleaseKey, tools: Tools) -> Step:
    """A seat gives its key for the card another one drew. Raises Fault(SLOT | SCALAR | KEY)."""
    hand = hand_of(state)
    waiting = hand.key_due
    assert waiting is not None
    if body.slot != waiting.slot:
        raise Fault(Code.SLOT, f"the key is due for slot {waiting.slot}, not for slot {body.slot}")
    check_slot_key(hand, seat, body.slot, body.key, tools.known)
    left = waiting.seats[1:]
    hand = publish(hand, seat, {body.slot: body.key})
    hand = replace(hand, key_due=KeyDue(body.slot, left) if left else None)
    return _go_on(replace(state, hand=hand), (KeyReleased(seat, body.slot),))


def _key_due(before: Position, after: Position, seat: int) -> KeyDue | None:
    """Two keys are due for a card that has left the stock."""
    if len(after.stock) == len(before.stock):
        return None
    return KeyDue(before.stock[0], (right(seat), right(right(seat))))


def _go_on(state: State, events: tuple[LedgerEvent, ...]) -> Step:
    """Find the phase after a play entry: more play, or the end once no key is due any more."""
    hand = hand_of(state)
    assert hand.position is not None
    if hand.key_due is None and hand.position.phase is GamePhase.OVER:
        return replace(state, phase=Phase.END, done=0), (*events, HandEnding(hand.number))
    phase = Phase.SPREAD if hand.position.phase is GamePhase.SPREAD else Phase.PLAY
    return replace(state, phase=phase, done=0), events


def _opened(state: State, seat: int, body: PlayBody, known: Foresight | None) -> tuple[Hand, Move]:
    """The hand with the keys and faces of the body made public, and the move they make."""
    hand = hand_of(state)
    slots, keys = _slots_and_keys(state, seat, body)
    assert hand.position is not None
    held = hand.position.hands[seat]
    for slot in slots:
        if slot not in held:
            raise Fault(Code.SLOT, f"slot {slot} is not in the hand of seat {seat}")
    if isinstance(body, HideSet) or not slots:
        return hand, move_with(body, ())
    for slot, key in zip(slots, keys, strict=True):
        check_slot_key(hand, seat, slot, key, known)
    hand = publish(hand, seat, dict(zip(slots, keys, strict=True)))
    cards = tuple((slot, face_of(hand, slot, _all_keys(hand.keys, slot), state.n, known)) for slot in slots)
    return replace(hand, faces={**hand.faces, **dict(cards)}), move_with(body, cards)


def _all_keys(keys: tuple[Keys, Keys, Keys], slot: int) -> tuple[bytes, ...]:
    return tuple(of_seat[slot] for of_seat in keys)


def _slots_and_keys(state: State, seat: int, body: PlayBody) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    """What the body lays or shows, one key for each slot except face down; raises Fault(BODY)."""
    match body:
        case DrawStock() | PassSpread():
            return (), ()
        case HideSet(slots):
            if len(slots) != HIDDEN_SET:
                raise Fault(Code.BODY, f"a hidden set of {len(slots)} slots instead of {HIDDEN_SET}")
            return slots, ()
        case ThrowCard(slot, key):
            return (slot,), (key,)
        case ClaimSpread(keys):
            return _one_key_each(slots_due(state, seat), split(keys))
        case TakeDiscard() | LayMeld() | LayOff() | CallDraw() | AnswerDraw():
            return _one_key_each(body.slots, body.keys)
        case _:
            assert_never(body)


def _one_key_each(
    slots: tuple[int, ...], keys: tuple[bytes, ...]
) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    if len(slots) != len(keys):
        raise Fault(Code.BODY, f"{len(keys)} keys for {len(slots)} slots")
    return slots, keys


def move_with(body: PlayBody, cards: tuple[Laid, ...]) -> Move:
    """The move a body makes once the cards of its slots are known, as (slot, card) in its order."""
    match body:
        case DrawStock():
            return Draw()
        case TakeDiscard(target, _, _, wild):
            return Take(target, cards, wild)
        case LayMeld(_, _, wild):
            return Meld(cards, wild)
        case HideSet(slots):
            return Hide(slots)
        case LayOff(meld, _, _, wild):
            return Sapaw(meld, cards, wild)
        case ThrowCard():
            return Discard(cards[0])
        case CallDraw():
            return Call(cards)
        case AnswerDraw(word):
            return Answer(word, cards)
        case PassSpread():
            return Pass()
        case ClaimSpread():
            return Spread(cards)
        case _:
            assert_never(body)


def _with_keys(
    cards: tuple[Laid, ...], keys: Callable[[int], bytes]
) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    slots = tuple(slot for slot, _ in cards)
    return slots, tuple(keys(slot) for slot in slots)
