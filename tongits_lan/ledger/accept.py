"""Acceptance: bytes and a state give a new state and what happened, or a fault with its code.

Owns the order of the checks (docs/protocol.md, "Checks and codes") and the one table from phase and kind to
what an entry changes. Total: no bytes make it raise anything but PeerFault (or NotJudged, from its judge).
Must not know links, files or secrets of a running hand.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tongits_lan.errors import UNSIGNED_CODES, Code, Fault, PeerFault
from tongits_lan.ledger import hand, messages, play
from tongits_lan.ledger.chain import Entry, check_signature, head_after, parse_entry
from tongits_lan.ledger.hand import Step, Tools, with_seat
from tongits_lan.ledger.messages import Body, decode_body
from tongits_lan.ledger.phases import (
    KEY_ROW,
    PLAY_ROWS,
    ROWS,
    begin_hand,
    due,
    kind_name,
    kinds_now,
    outcome,
    pass_input,
    result_now,
    slots_due,
    writer_now,
)
from tongits_lan.ledger.state import HandBegan, Judge, LedgerEvent, Phase, State, begin

__all__ = [
    "Acceptance",
    "accept",
    "accept_entry",
    "begin",
    "due",
    "outcome",
    "pass_input",
    "result_now",
    "slots_due",
]

Acceptance = Callable[[State, bytes, Judge], tuple[State, tuple[LedgerEvent, ...]]]
"""What `accept` is, and whatever gives the same answers (one that remembers them, say)."""

# Every handler takes the body type of its key; the table is read by that type, so Any loses nothing.
Handler = Callable[[State, int, Any, Tools], Step]

_BY_KIND: dict[type[Body], Handler] = {
    messages.Sit: hand.sit,
    messages.Open: hand.open_nonce,
    messages.Commit: hand.commit,
    messages.ShuffleDeck: hand.shuffle,
    messages.LockDeck: hand.lock,
    messages.Prove: hand.prove,
    messages.Ready: hand.ready,
    messages.Deal: hand.deal,
    messages.PassSpread: play.play,
    messages.ClaimSpread: play.play,
    messages.DrawStock: play.play,
    messages.TakeDiscard: play.play,
    messages.LayMeld: play.play,
    messages.HideSet: play.play,
    messages.LayOff: play.play,
    messages.ThrowCard: play.play,
    messages.CallDraw: play.play,
    messages.AnswerDraw: play.play,
    messages.ReleaseKey: play.release_key,
    messages.EndHand: hand.end,
    messages.RevealSeed: hand.reveal,
    messages.NextHand: hand.next_hand,
    messages.LeaveTable: hand.leave,
    messages.ForfeitHand: hand.forfeit,
}
_PLAY_KINDS = {kind for row in (KEY_ROW, *PLAY_ROWS.values()) for kind in row}
HANDLERS: dict[tuple[Phase, type[Body]], Handler] = {
    (phase, kind): _BY_KIND[kind]
    for phase, kinds in {**ROWS, Phase.PLAY: tuple(_PLAY_KINDS)}.items()
    for kind in kinds
}
"""The transitions of the match, whole: what is not here, nobody may ever write in that phase."""


def accept(state: State, raw: bytes, judge: Judge) -> tuple[State, tuple[LedgerEvent, ...]]:
    """The state after one more entry (its raw bytes) and what happened.

    Raises PeerFault with the code of the first check that fails and, from `body` on, the seat convicted;
    whatever the judge raises as NotJudged passes through, and nothing has changed.
    """
    try:
        entry = parse_entry(raw)
    except Fault as fault:
        raise PeerFault(fault.code, fault.text, seat=None, height=state.height) from fault
    return accept_entry(state, entry, Tools(judge))


def accept_entry(
    state: State, entry: Entry, tools: Tools, body: Body | None = None
) -> tuple[State, tuple[LedgerEvent, ...]]:
    """`accept` for an entry that is parsed already, its body perhaps decoded too."""
    try:
        _check_origin(state, entry, tools)
        if body is None:
            body = decode_body(entry.body_value)
        following, events = _handler(state, entry.seat, body)(state, entry.seat, body, tools)
    except Fault as fault:
        convicted = None if fault.code in UNSIGNED_CODES or fault.code is Code.OPENING else entry.seat
        raise PeerFault(fault.code, fault.text, seat=convicted, height=state.height) from fault
    following = replace(
        following,
        height=state.height + 1,
        head=head_after(state.table_id, entry.payload),
        tips=with_seat(state.tips, entry.seat, state.height),
    )
    if following.phase is Phase.COMMIT and following.hand is None:
        following = begin_hand(following)
        assert following.hand is not None
        events = (*events, HandBegan(following.hand.number, following.hand.dealer))
    return following, events


def _check_origin(state: State, entry: Entry, tools: Tools) -> None:
    """Signature, then height and prev: a failure convicts nobody."""
    pk = state.descriptor.seats[entry.seat].pk
    checked = tools.known is not None and entry.raw in tools.known.signed
    if not checked and not check_signature(pk, state.table_id, entry.payload, entry.sig):
        raise Fault(Code.SIGNATURE, f"no signature of seat {entry.seat} over this payload")
    if entry.height != state.height or entry.prev != state.head:
        raise Fault(
            Code.CHAIN,
            f"entry of height {entry.height} after {entry.prev.hex()[:16]}.., "
            f"due is height {state.height} after {state.head.hex()[:16]}..",
        )


def _handler(state: State, seat: int, body: Body) -> Handler:
    """The handler of a body that may come now; raises Fault(PHASE | WRITER)."""
    kinds = kinds_now(state)
    if type(body) not in kinds:
        allowed = ", ".join(kind_name(kind) for kind in kinds) or "nothing, the table is closed"
        raise Fault(Code.PHASE, f"{kind_name(type(body))} in phase {state.phase}: due is {allowed}")
    writer = writer_now(state)
    if seat != writer:
        raise Fault(Code.WRITER, f"seat {seat} wrote, seat {writer} is due")
    return HANDLERS[state.phase, type(body)]
