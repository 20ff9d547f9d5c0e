"""What this seat writes by itself: every entry that leaves its player no choice.

Owns one body for each phase, and what the player has asked for that is written when its turn comes. Must
not know: links, time, what the others hold.
"""

import hashlib
from dataclasses import dataclass

from tongits_lan.deck.shuffle import join
from tongits_lan.game import engine
from tongits_lan.game.moves import Move, Pass
from tongits_lan.ledger.jobs import Workshop
from tongits_lan.ledger.messages import (
    Body,
    Deal,
    EndHand,
    ForfeitHand,
    LeaveTable,
    NextHand,
    Open,
    PassSpread,
    Ready,
    ReleaseKey,
    RevealSeed,
    Sit,
)
from tongits_lan.ledger.phases import due, hand_of, result_now, slots_due
from tongits_lan.ledger.private import Private
from tongits_lan.ledger.state import Phase, State

PLAYERS_KINDS = frozenset(
    {"pass", "spread", "draw", "take", "meld", "hide", "sapaw", "discard", "call", "answer"}
)
"""Kinds a player chooses; what is due beside them is written by the programs."""


@dataclass(slots=True)
class Wishes:
    """What the player of this seat has said; hands by their number."""

    words_confirmed: bool
    go_on_after: int = 0
    leave_after: int = 0
    give_up: int = 0


class Author:
    """Writes for seat `me`, whose nonce it opens."""

    def __init__(self, me: int, nonce: bytes, private: Private, workshop: Workshop, wishes: Wishes) -> None:
        self._me = me
        self._nonce = nonce
        self._private = private
        self._workshop = workshop
        self._wishes = wishes

    def trouble(self, state: State) -> str | None:
        """Why this seat signs nothing more in the running hand, if its stored secrets do not fit it."""
        if state.hand is None or state.phase in (Phase.SETTLE, Phase.CLOSED):
            return None
        return self._private.trouble(state.hand)

    def body(self, state: State, faces: dict[int, int]) -> Body | None:
        """The entry to write now without asking the player; None if there is none, or it must wait."""
        writer = due(state)
        if writer is None or writer.seat != self._me:
            return None
        if self._may_forfeit(state) and "forfeit" in writer.kinds:
            return ForfeitHand()
        if self.trouble(state) is not None:
            return None
        match state.phase:
            case Phase.SIT:
                return Sit(hashlib.sha256(state.descriptor.raw).digest())
            case Phase.OPEN:
                return Open(self._nonce)
            case Phase.SETTLE:
                return self._settle(state)
            case Phase.CLOSED:
                return None
            case _:
                return self._in_hand(state, faces)

    def _may_forfeit(self, state: State) -> bool:
        """A seat that lost its seed may still give up; one whose seed was used elsewhere signs nothing."""
        if state.hand is None or self._wishes.give_up != state.hand.number:
            return False
        return self.trouble(state) is None or self._private.missing(state.hand)

    def _settle(self, state: State) -> Body | None:
        number = hand_of(state).number
        if self._wishes.leave_after == number:
            return LeaveTable(result_now(state))
        if self._wishes.go_on_after == number:
            return NextHand(result_now(state))
        return None

    def _in_hand(self, state: State, faces: dict[int, int]) -> Body | None:
        hand, private = hand_of(state), self._private
        match state.phase:
            case Phase.COMMIT:
                return private.commit(hand) if self._wishes.words_confirmed else None
            case Phase.SHUFFLE:
                return private.shuffle(hand)
            case Phase.LOCK:
                return private.lock(hand)
            case Phase.PROVE:
                return self._workshop.proofs(hand)
            case Phase.READY:
                return Ready()
            case Phase.DEAL:
                return Deal(join(private.key(hand, slot) for slot in slots_due(state, self._me)))
            case Phase.SPREAD:
                return PassSpread() if legal(state, self._me, faces) == (Pass(),) else None
            case Phase.PLAY:
                if hand.key_due is None:
                    return None
                return ReleaseKey(hand.key_due.slot, private.key(hand, hand.key_due.slot))
            case Phase.END:
                return EndHand()
            case Phase.REVEAL:
                return RevealSeed(private.derived(hand).seed)
            case _:
                raise AssertionError(f"no hand runs in phase {state.phase}")


def legal(state: State, me: int, faces: dict[int, int]) -> tuple[Move, ...]:
    """The moves seat `me` may make now; none while another seat, or a key, is due."""
    writer = due(state)
    if writer is None or writer.seat != me or not PLAYERS_KINDS.intersection(writer.kinds):
        return ()
    position = hand_of(state).position
    assert position is not None
    if any(slot not in faces for slot in position.hands[me]):
        return ()  # the own seed is lost: nothing can be opened
    return engine.legal_moves(engine.view(position, me, faces))
