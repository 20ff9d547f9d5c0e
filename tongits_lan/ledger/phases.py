"""Who writes next and what: the one legal writer after any beginning of a ledger.

Owns the rows of docs/protocol.md, "Phases", as one table, and the questions about a state whose answer
follows from it. Must not know how an entry changes a state (accept.py) nor any secret.
"""

import msgspec

from tongits_lan.deck import secrets
from tongits_lan.deck.shuffle import first_deck
from tongits_lan.game import engine, scoring
from tongits_lan.game.dealing import DEALT
from tongits_lan.game.scoring import Match
from tongits_lan.ledger.chain import coin, result_digest
from tongits_lan.ledger.messages import (
    AnswerDraw,
    Body,
    CallDraw,
    ClaimSpread,
    Commit,
    Deal,
    DrawStock,
    EndHand,
    ForfeitHand,
    HideSet,
    LayMeld,
    LayOff,
    LeaveTable,
    LockDeck,
    NextHand,
    Open,
    PassSpread,
    Prove,
    Ready,
    ReleaseKey,
    RevealSeed,
    ShuffleDeck,
    Sit,
    TakeDiscard,
    ThrowCard,
)
from tongits_lan.ledger.state import Deck, Due, Hand, Phase, State
from tongits_lan.ledger.state import begin as begin
from tongits_lan.limits import HANDS_MAX, SEATS

BodyKinds = tuple[type[Body], ...]

ROWS: dict[Phase, BodyKinds] = {
    Phase.SIT: (Sit,),
    Phase.OPEN: (Open,),
    Phase.COMMIT: (Commit, ForfeitHand),
    Phase.SHUFFLE: (ShuffleDeck, ForfeitHand),
    Phase.LOCK: (LockDeck, ForfeitHand),
    Phase.PROVE: (Prove, ForfeitHand),
    Phase.READY: (Ready, ForfeitHand),
    Phase.DEAL: (Deal, ForfeitHand),
    Phase.SPREAD: (PassSpread, ClaimSpread, ForfeitHand),
    Phase.END: (EndHand,),
    Phase.REVEAL: (RevealSeed,),
    Phase.SETTLE: (NextHand, LeaveTable),
    Phase.CLOSED: (),
}
"""What may be written in each phase; play is finer and stands in `PLAY_ROWS`."""

KEY_ROW: BodyKinds = (ReleaseKey, ForfeitHand)
PLAY_ROWS: dict[engine.Phase, BodyKinds] = {
    engine.Phase.START: (DrawStock, TakeDiscard, CallDraw, ForfeitHand),
    engine.Phase.ACTION: (LayMeld, HideSet, LayOff, ThrowCard, ForfeitHand),
    engine.Phase.ANSWERS: (AnswerDraw, ForfeitHand),
}
"""What the player on turn may write; while a drawn card waits for keys it is `KEY_ROW` instead."""


def begin_hand(state: State) -> State:
    """The next hand, to be committed to; `state.head` is the head before its first entry."""
    number = len(state.records) + 1
    nonce_0, nonce_1, nonce_2 = state.nonces
    assert nonce_0 is not None
    assert nonce_1 is not None
    assert nonce_2 is not None
    dealer = first_dealer(state.match, (nonce_0, nonce_1, nonce_2))
    match = msgspec.structs.replace(state.match, dealer=dealer)
    hand = Hand(
        number=number,
        hand_id=secrets.hand_id(state.table_id, number, state.head),
        dealer=dealer,
        order=(dealer, right(dealer), right(right(dealer))),
        match=match,
        ante=scoring.ante(state.descriptor.rules, match),
        first_height=state.height,
    )
    return msgspec.structs.replace(state, phase=Phase.COMMIT, done=0, hand=hand)


def first_dealer(match: Match, nonces: tuple[bytes, bytes, bytes]) -> int:
    """The dealer of the next hand; before any hand the coin, unless the start names one."""
    return coin(nonces) if match.dealer is None else match.dealer


def right(seat: int) -> int:
    """The seat that plays after `seat`."""
    return (seat + 1) % SEATS


def kinds_now(state: State) -> BodyKinds:
    """What the legal writer may write; empty when the table is closed."""
    if state.phase is not Phase.PLAY:
        return ROWS[state.phase]
    hand = hand_of(state)
    if hand.key_due is not None:
        return KEY_ROW
    assert hand.position is not None
    return PLAY_ROWS[hand.position.phase]


def writer_now(state: State) -> int:
    """The one legal writer of a table that is not closed."""
    if state.phase in (Phase.SIT, Phase.OPEN):
        return state.done
    hand = hand_of(state)
    if state.phase not in (Phase.SPREAD, Phase.PLAY):
        return hand.order[state.done]
    if hand.key_due is not None:
        return hand.key_due.seats[0]
    assert hand.position is not None
    assert hand.position.turn is not None
    return hand.position.turn


def due(state: State) -> Due | None:
    """The legal writer and the kinds of entry that may come from it; None when the table is closed."""
    kinds = kinds_now(state)
    if not kinds:
        return None
    return Due(writer_now(state), tuple(kind_name(kind) for kind in kinds))


def kind_name(kind: type[Body]) -> str:
    """The word that stands first in bodies of this kind."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def hand_of(state: State) -> Hand:
    """The running hand; calling this before the first commit is due is a bug."""
    assert state.hand is not None
    return state.hand


def pass_input(state: State) -> Deck:
    """The deck that the seat now due must shuffle or lock: n x 32 bytes."""
    hand = hand_of(state)
    if state.phase is Phase.SHUFFLE:
        return hand.shuffles[-1] if hand.shuffles else first_deck(state.n)
    assert state.phase is Phase.LOCK
    return hand.locks[-1] if hand.locks else hand.shuffles[-1]


def slots_due(state: State, seat: int) -> tuple[int, ...]:
    """The slots whose own keys `seat` puts into the `deal`, `key` or `spread` entry it is due to write.

    Ascending; empty when no such entry of this seat may come now.
    """
    if state.phase not in (Phase.DEAL, Phase.SPREAD, Phase.PLAY) or writer_now(state) != seat:
        return ()
    hand = hand_of(state)
    if state.phase is Phase.DEAL:
        own = set(hand.slots_of(seat))
        return tuple(slot for slot in range(DEALT) if slot not in own)
    if state.phase is Phase.SPREAD:
        assert hand.position is not None
        return hand.position.hands[seat]
    return () if hand.key_due is None else (hand.key_due.slot,)


def outcome(state: State) -> Match:
    """Chips, pot, streak and next dealer after the last counted hand, else the table's start.

    When the table is closed, its pot has been split.
    """
    return state.match


def result_now(state: State) -> bytes:
    """The 32-byte digest that `next` and `leave` must carry now."""
    assert state.phase is Phase.SETTLE
    return result_digest(hand_of(state).number, state.match)


def is_last_hand(state: State) -> bool:
    """Whether no hand may follow the one that is being settled."""
    return hand_of(state).number >= (state.descriptor.rules.hands or HANDS_MAX)
