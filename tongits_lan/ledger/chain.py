"""Signed entries, the chain of heads, and the descriptor everything hangs on.

Owns the bytes that are signed and hashed (docs/protocol.md, "Identities and link", "Lobby and table",
"The ledger"). Must not know phases, whose turn it is, or where bytes come from.
"""

import unicodedata
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct

from tongits_lan.deck.group import frame, h32, h64
from tongits_lan.errors import Code, Fault, Refused
from tongits_lan.game.rules import Rules, from_map, to_map
from tongits_lan.game.scoring import Match, start_match
from tongits_lan.ledger.encoding import check_canonical, decode, pack, unpack
from tongits_lan.ledger.messages import Body, Bytes32, Name, RulesMap, SeatNo, encode_body
from tongits_lan.ledger.texts import shown_names
from tongits_lan.ledger.words import words_of
from tongits_lan.limits import CHIPS_MAX, ENTRY_MAX, FRAME_MAX, SEATS, UNIX_SECONDS_MAX

PROTOCOL = "tongits-lan/1"
FIELD_PRIME = 2**255 - 19
# y of the eight points of small order: 0 (order 4), 1 (neutral), -1 (order 2), and two of order 8.
SMALL_ORDER_Y = frozenset(
    {
        0,
        1,
        FIELD_PRIME - 1,
        0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
        0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    }
)

Words = tuple[str, str, str, str]


class Entry(Struct, frozen=True):
    """One entry in its parts: sizes, types, form and seat number are checked, nothing else is."""

    raw: bytes
    payload: bytes
    sig: bytes
    seat: int
    height: int
    prev: bytes
    body_value: list[Any]


class SeatEntry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat of a descriptor; `operator_pk` is `pk` for a person, for a bot the key that runs it."""

    pk: Bytes32
    name: Name
    nonce_commit: Bytes32
    operator_pk: Bytes32


Seats = tuple[SeatEntry, SeatEntry, SeatEntry]


class Descriptor(Struct, frozen=True):
    """What the three seats agree to before the first entry, and the bytes that say it."""

    raw: bytes
    table_id: bytes
    unix_seconds: int
    rules: Rules
    seats: Seats
    start: Match
    previous: tuple[bytes, bytes] | None
    """Table id and head of the table that this one continues."""

    @property
    def names(self) -> tuple[str, str, str]:
        """The names of the seats as they are shown."""
        first, second, third = self.seats
        return shown_names((first.name, second.name, third.name))


_Chips = Annotated[int, Meta(ge=-CHIPS_MAX, le=CHIPS_MAX)]
_Amount = Annotated[int, Meta(ge=0, le=CHIPS_MAX)]


class _Start(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    chips: tuple[_Chips, _Chips, _Chips]
    pot: _Amount
    streak_seat: SeatNo | None
    streak_length: _Amount
    dealer: SeatNo | None


class _Wire(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=PROTOCOL):
    unix_seconds: Annotated[int, Meta(ge=0, le=UNIX_SECONDS_MAX)]
    rules_map: RulesMap
    seats: Seats
    start: _Start
    previous: tuple[Bytes32, Bytes32] | None


# Entries.


def parse_entry(raw: bytes) -> Entry:
    """The parts of an entry; raises Fault(SIZE | DECODE | CANONICAL | SEAT), the first in this order."""
    if len(raw) > ENTRY_MAX:
        raise Fault(Code.SIZE, f"an entry of {len(raw)} bytes, at most {ENTRY_MAX} may be")
    outer = decode(raw)
    match outer:
        case [bytes(payload), bytes(sig)] if len(sig) == 64:
            pass
        case _:
            raise Fault(Code.DECODE, "an entry is [payload (bin), signature (bin of 64 bytes)]")
    inner = decode(payload)
    match inner:
        case [int(seat), int(height), bytes(prev), [str(), *_] as body_value] if len(prev) == 32:
            if isinstance(seat, bool) or isinstance(height, bool):
                raise Fault(Code.DECODE, "true or false for the seat or the height")
        case _:
            raise Fault(Code.DECODE, "a payload is [seat, height, prev (bin of 32 bytes), [kind, ..]]")
    check_canonical(outer, raw)
    check_canonical(inner, payload)
    if seat >= SEATS:
        raise Fault(Code.SEAT, f"seat {seat} of {SEATS}")
    return Entry(raw, payload, sig, seat, height, prev, body_value)


def sign_entry(
    key: Ed25519PrivateKey, table_id: bytes, seat: int, height: int, prev: bytes, body: Body
) -> bytes:
    """The bytes of an entry with this body, signed."""
    return sign_payload(key, table_id, pack([seat, height, prev, encode_body(body)]))


def sign_payload(key: Ed25519PrivateKey, table_id: bytes, payload: bytes) -> bytes:
    """The bytes of an entry with this payload, signed."""
    return pack([payload, key.sign(frame("entry", table_id, payload))])


def check_signature(pk: bytes, table_id: bytes, payload: bytes, sig: bytes) -> bool:
    """Whether the seat with this key signed this payload at this table."""
    return signature_holds(pk, frame("entry", table_id, payload), sig)


def signature_holds(pk: bytes, data: bytes, sig: bytes) -> bool:
    """Ed25519 as in RFC 8032 with S < l and without the cofactor: S*B - h*A must encode to R's bytes.

    False for a key that `good_public_key` refuses, one that is no point, and a wrong length of either.
    """
    if not good_public_key(pk):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(pk).verify(sig, data)
    except InvalidSignature:
        return False
    return True


def good_public_key(pk: bytes) -> bool:
    """Whether these are 32 bytes with y < p of a point that is not of small order, if of a point at all.

    Under a key of small order one constant signature fits every message.
    """
    if len(pk) != 32:
        return False
    y = int.from_bytes(pk, "little") & (2**255 - 1)  # the top bit is the sign of x
    return y < FIELD_PRIME and y not in SMALL_ORDER_Y


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key."""
    return key.public_key().public_bytes_raw()


def head_after(table_id: bytes, payload: bytes) -> bytes:
    """The head (32 bytes) after an entry; the signature has no part in it."""
    return h32("head", table_id, payload)


# Table, nonces, words.


def table_id(descriptor_raw: bytes) -> bytes:
    """The identity (32 bytes) of a table, and `prev` of its first entry."""
    return h32("table", descriptor_raw)


def nonce_commitment(pk: bytes, nonce: bytes) -> bytes:
    """What a seat publishes of its nonce (32 bytes) before it sees the descriptor."""
    return h32("nonce", pk, nonce)


def coin(nonces: Sequence[bytes]) -> int:
    """The seat that deals first, from the three nonces in seat order."""
    return int.from_bytes(h64("coin", *nonces)[:8]) % SEATS


def table_words(table_id: bytes, nonces: Sequence[bytes]) -> Words:
    """The words that three people compare, from the three nonces in seat order."""
    return words_of(h32("words", table_id, *nonces)[:4])


def fingerprint(pk: bytes) -> Words:
    """A key as words: a name tag, not a proof."""
    return words_of(h32("fingerprint", pk)[:4])


def rules_digest(rules: Rules) -> bytes:
    """What a seat says it is ready for (32 bytes): every option of a rule set under its name, those of the
    table included."""
    return h32("rules", pack(to_map(rules)))


def result_digest(hand_no: int, match: Match) -> bytes:
    """The digest (32 bytes) of the match after hand `hand_no` that `next` and `leave` sign."""
    fields = [hand_no, match.chips, match.pot, match.streak_seat, match.streak_length, match.dealer]
    return h32("result", pack(fields))


# The descriptor.


def parse_descriptor(raw: bytes) -> Descriptor:
    """The descriptor in these bytes; raises Fault(DESCRIPTOR) for all that can be told without a store.

    Not told here: whether the keys and rules are those agreed to, and whether `start` is the outcome of
    `previous`.
    """
    if len(raw) > FRAME_MAX:
        raise _wrong(f"{len(raw)} bytes, at most {FRAME_MAX} may be")
    try:
        wire = msgspec.convert(
            unpack(raw, allow_map=True, allow_negative=True), _Wire, builtin_types=(bytes,)
        )
    except Fault as fault:
        raise _wrong(fault.text) from fault
    except msgspec.ValidationError as error:
        raise _wrong(ascii(str(error))[1:200]) from error
    try:
        rules = from_map(wire.rules_map)
    except Refused as refusal:
        raise _wrong(refusal.reason) from refusal
    _check_seats(wire.seats)
    _check_start(wire.start, rules, continues=wire.previous is not None)
    start = wire.start
    return Descriptor(
        raw=raw,
        table_id=table_id(raw),
        unix_seconds=wire.unix_seconds,
        rules=rules,
        seats=wire.seats,
        start=start_match(start.chips, start.pot, start.streak_seat, start.streak_length, start.dealer),
        previous=wire.previous,
    )


def build_descriptor(
    unix_seconds: int, rules: Rules, seats: Seats, start: Match, previous: tuple[bytes, bytes] | None
) -> Descriptor:
    """The descriptor that says this; raises Fault(DESCRIPTOR) as `parse_descriptor` does."""
    outcome = [start.chips, start.pot, start.streak_seat, start.streak_length, start.dealer]
    places = [[seat.pk, seat.name, seat.nonce_commit, seat.operator_pk] for seat in seats]
    return parse_descriptor(pack([PROTOCOL, unix_seconds, to_map(rules), places, outcome, previous]))


def _wrong(text: str) -> Fault:
    return Fault(Code.DESCRIPTOR, text)


def _check_seats(seats: Seats) -> None:
    for number, seat in enumerate(seats):
        if not good_public_key(seat.pk) or not good_public_key(seat.operator_pk):
            raise _wrong(f"seat {number} has a key of small order or with y >= p")
        if not unicodedata.is_normalized("NFC", seat.name):
            raise _wrong(f"the name of seat {number} is not in NFC")
    if len({seat.pk for seat in seats}) < SEATS:
        raise _wrong("one key in two seats")
    if len({seat.nonce_commit for seat in seats}) < SEATS:
        raise _wrong("two seats with one nonce_commit")


def _check_start(start: _Start, rules: Rules, *, continues: bool) -> None:
    if (start.streak_seat is None) != (start.streak_length == 0):
        raise _wrong(f"a streak of {start.streak_length} of seat {start.streak_seat}")
    if sum(start.chips) + start.pot != 0:
        raise _wrong(f"chips {list(start.chips)} and pot {start.pot} do not sum to zero")
    if continues:
        return
    if any(start.chips) or start.streak_seat is not None:
        raise _wrong("a table that continues none starts with no chips moved and no streak")
    if (start.dealer is None) == (rules.first_dealer == "chosen"):
        raise _wrong(f"first_dealer is {rules.first_dealer}, the dealer {start.dealer}")
