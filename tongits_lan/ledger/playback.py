"""Finished hands of a verified ledger played again, move by move, with every card open.

Owns the frames of a hand: what happened and the position after it. Takes the cards from the records that
verification made, so nothing is opened or judged again. Must not know signatures, keys, files or screens.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import msgspec

from tongits_lan.game import engine
from tongits_lan.game.cards import Laid
from tongits_lan.game.moves import Move
from tongits_lan.game.position import Position, View
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.messages import Body, ClaimSpread, decode_body
from tongits_lan.ledger.play import PlayBody, move_with
from tongits_lan.ledger.state import HandDealt, HandRecord, HandSettled, LedgerEvent, Played

_PLAY = get_args(PlayBody)


class Frame(msgspec.Struct, frozen=True):
    """One step of a hand: the move that was made, what it brought about, and the position after it."""

    height: int | None
    """Of the entry in the ledger; None for the deal itself."""
    seat: int | None
    """Who moved; None for the deal and the settlement."""
    move: Move | None
    events: tuple[LedgerEvent, ...]
    position: Position
    faces: Mapping[int, int]
    """Slot -> card, of every slot."""


class PlayedHand(msgspec.Struct, frozen=True):
    """A settled hand: its record, and its frames from the deal to the settlement."""

    record: HandRecord
    frames: tuple[Frame, ...]


def played_hands(
    rules: Rules, entries: Sequence[bytes], records: Sequence[HandRecord]
) -> tuple[PlayedHand, ...]:
    """The hands that were settled, in order; one that was given up has no open cards and is left out.

    `entries` are the raw entries of a ledger and `records` what verification counted in it.
    """
    return tuple(
        played_hand(rules, entries[record.first_height : record.last_height + 1], record)
        for record in records
        if record.faces is not None
    )


def played_hand(rules: Rules, entries: Sequence[bytes], record: HandRecord) -> PlayedHand:
    """One settled hand; `entries` are those from its first `commit` to its third `reveal`.

    Raises Refused or Fault only for entries that no verification has accepted.
    """
    assert record.faces is not None, "a hand that was given up has no open cards"
    faces = dict(enumerate(record.faces))
    position = engine.deal(rules, record.dealer)
    frames = [Frame(None, None, None, (HandDealt(record.number),), position, faces)]
    for height, seat, body in _moves(entries, record.first_height):
        move = move_with(body, _laid(body, position, faces))
        position, happened = engine.apply(position, seat, move)
        events = tuple(Played(seat, event) for event in happened)
        frames.append(Frame(height, seat, move, events, position, faces))
    frames.append(Frame(record.last_height, None, None, (HandSettled(record),), position, faces))
    return PlayedHand(record, tuple(frames))


def seen_by(frame: Frame, seat: int) -> View:
    """What a seat could see at that moment: the position and its own cards, nobody else's."""
    return engine.view(frame.position, seat, frame.faces)


def _moves(entries: Sequence[bytes], first: int) -> Iterator[tuple[int, int, PlayBody]]:
    for height, raw in enumerate(entries, first):
        entry = parse_entry(raw)
        body: Body = decode_body(entry.body_value)
        if isinstance(body, _PLAY):
            yield height, entry.seat, body


def _laid(body: PlayBody, position: Position, faces: Mapping[int, int]) -> tuple[Laid, ...]:
    """The cards a body lays, shows or throws, as (slot, card)."""
    slots: tuple[int, ...]
    if isinstance(body, ClaimSpread):
        assert position.turn is not None
        slots = position.hands[position.turn]
    elif hasattr(body, "slot"):
        slots = (body.slot,)
    else:
        slots = getattr(body, "slots", ())
    return tuple((slot, faces[slot]) for slot in slots)
