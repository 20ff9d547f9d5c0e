"""Every message as a frozen struct: the bodies of entries, and what links carry.

Owns field names, order and types (docs/protocol.md, "Phases", "Play entries", "Link messages") and what
can be told of one without a position. Must not know who may send what when, nor check any signature.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, assert_never, get_args

import msgspec
from msgspec import Meta, Struct

from tongits_lan.errors import Code, Fault
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.limits import (
    ADDRESS_MAX,
    ADDRESSES_PER_SEAT,
    CHAT_MAX,
    ENTRIES_PER_MESSAGE,
    INT_MAX,
    MELDS_MAX,
    NAME_MAX,
    SEATS,
    SLOTS_MAX,
)

Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32, description="bin of 32 bytes")]
Bytes32s = Annotated[bytes, Meta(description="bin of a multiple of 32 bytes")]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64, description="bin of 64 bytes")]
Slot = Annotated[int, Meta(ge=0, lt=SLOTS_MAX, description="place in the dealt deck")]
Slots = Annotated[tuple[Slot, ...], Meta(max_length=SLOTS_MAX, description="ascending and distinct")]
Keys = Annotated[tuple[Bytes32, ...], Meta(max_length=SLOTS_MAX, description="one scalar for each slot")]
Wild = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=51)], ...],
    Meta(max_length=2, description="card codes the jokers laid now stand for"),
]
MeldIndex = Annotated[int, Meta(ge=0, lt=MELDS_MAX)]
SeatNo = Annotated[int, Meta(ge=0, lt=SEATS)]
Count = Annotated[int, Meta(ge=0, le=INT_MAX)]
Height = Annotated[int, Meta(ge=0, le=INT_MAX, description="entries held before this one")]
Name = Annotated[str, Meta(max_length=NAME_MAX)]
Text = Annotated[str, Meta(max_length=CHAT_MAX)]
Address = Annotated[str, Meta(max_length=ADDRESS_MAX, description="host:port")]
RulesMap = dict[str, bool | int | str | None]

Word = Literal["challenge", "fold"]
RefusedCode = Literal["version", "code", "full", "stranger", "busy", "identity"]
ByeCode = Literal["left", "kicked", "full", "closing", "protocol"]
PresenceState = Literal["here", "away", "quit"]


class _Fields(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An array of fields in the order they are written here, after the kind where there is one."""


# Bodies of entries.


class Sit(_Fields, frozen=True, tag="sit"):
    """Signs the descriptor: SHA-256 of it."""

    digest: Bytes32


class Open(_Fields, frozen=True, tag="open"):
    """Opens the nonce committed to in the descriptor."""

    nonce: Bytes32


class Commit(_Fields, frozen=True, tag="commit"):
    """Commits to a seed: c, A = a*B and the n labels k[j]*B (n x 32 bytes)."""

    c: Bytes32
    A: Bytes32
    labels: Bytes32s


class ShuffleDeck(_Fields, frozen=True, tag="shuffle"):
    """The deck after this seat's shuffle, n x 32 bytes."""

    deck: Bytes32s


class LockDeck(_Fields, frozen=True, tag="lock"):
    """The deck after this seat's lock, n x 32 bytes."""

    deck: Bytes32s


class Prove(_Fields, frozen=True, tag="prove"):
    """The proofs of this seat's shuffle and lock."""

    shuffle_proof: Bytes32s
    lock_proof: Bytes32s


class Ready(_Fields, frozen=True, tag="ready"):
    """This seat has accepted all six proofs itself."""


class Deal(_Fields, frozen=True, tag="deal"):
    """Own keys for every dealt slot that is not the writer's, by ascending slot (keys x 32 bytes)."""

    keys: Bytes32s


class PassSpread(_Fields, frozen=True, tag="pass"):
    """Claims no spread."""


class ClaimSpread(_Fields, frozen=True, tag="spread"):
    """Claims a spread: own keys for all own slots, by ascending slot (keys x 32 bytes)."""

    keys: Bytes32s


class DrawStock(_Fields, frozen=True, tag="draw"):
    """Draws the top of the stock, or ends the hand where it is empty and the rules say so."""


class ReleaseKey(_Fields, frozen=True, tag="key"):
    """The writer's key of a slot another seat has drawn."""

    slot: Slot
    key: Bytes32


class TakeDiscard(_Fields, frozen=True, tag="take"):
    """Takes the top discard into a new meld (target None) or onto the meld of that index."""

    target: MeldIndex | None
    slots: Slots
    keys: Keys
    wild: Wild


class LayMeld(_Fields, frozen=True, tag="meld"):
    """Lays a meld from the hand."""

    slots: Slots
    keys: Keys
    wild: Wild


class HideSet(_Fields, frozen=True, tag="hide"):
    """Lays a set of four face down; no keys, it is judged at the reveal."""

    slots: Slots


class LayOff(_Fields, frozen=True, tag="sapaw"):
    """Lays cards off on the meld of that index."""

    meld: MeldIndex
    slots: Slots
    keys: Keys
    wild: Wild


class ThrowCard(_Fields, frozen=True, tag="discard"):
    """Discards one card and ends the turn."""

    slot: Slot
    key: Bytes32


class CallDraw(_Fields, frozen=True, tag="call"):
    """Calls a draw; shows the cards that entitle the caller, none where the position does."""

    slots: Slots
    keys: Keys


class AnswerDraw(_Fields, frozen=True, tag="answer"):
    """Challenges or folds; a challenger who needs a special shows it."""

    word: Word
    slots: Slots
    keys: Keys


class EndHand(_Fields, frozen=True, tag="end"):
    """No further key will leave this seat in this hand."""


class RevealSeed(_Fields, frozen=True, tag="reveal"):
    """The seed behind this seat's commit."""

    seed: Bytes32


class NextHand(_Fields, frozen=True, tag="next"):
    """Confirms the result of the hand."""

    result: Bytes32


class LeaveTable(_Fields, frozen=True, tag="leave"):
    """Confirms the result of the hand and closes the table."""

    result: Bytes32


class ForfeitHand(_Fields, frozen=True, tag="forfeit"):
    """Gives the hand up instead of writing what is due."""


_Preparing = Sit | Open | Commit | ShuffleDeck | LockDeck | Prove | Ready | Deal | PassSpread | ClaimSpread
_Playing = (
    DrawStock | ReleaseKey | TakeDiscard | LayMeld | HideSet | LayOff | ThrowCard | CallDraw | AnswerDraw
)
_Ending = EndHand | RevealSeed | NextHand | LeaveTable | ForfeitHand
Body = _Preparing | _Playing | _Ending

# What links carry.


class Hello(_Fields, frozen=True, tag="hello"):
    """A client's first message."""

    protocols: Annotated[tuple[Text, ...], Meta(min_length=1)]
    app_version: Text
    name: Name
    pk: Bytes32
    nonce: Bytes32


class HelloBack(_Fields, frozen=True, tag="hello"):
    """A server's first message."""

    protocol: Text
    app_version: Text
    name: Name
    pk: Bytes32
    nonce: Bytes32
    needs_code: bool


class RefusedLink(_Fields, frozen=True, tag="refused"):
    """The link is not accepted."""

    code: RefusedCode
    text: Text


class Auth(_Fields, frozen=True, tag="auth"):
    """Signature that binds an identity to this link."""

    sig: Signature


class Pake(_Fields, frozen=True, tag="pake"):
    """One message of the password-authenticated key exchange."""

    data: Annotated[bytes, Meta(max_length=256)]


class Confirm(_Fields, frozen=True, tag="confirm"):
    """Shows knowledge of the exchanged key."""

    mac: Bytes32


class Welcome(_Fields, frozen=True, tag="welcome"):
    """The link is accepted."""

    table_tag: Annotated[bytes, Meta(min_length=8, max_length=8)]


class TakeSeat(_Fields, frozen=True, tag="seat"):
    """Asks for a seat of the table to come."""

    nonce_commit: Bytes32


class SetReady(_Fields, frozen=True, tag="ready"):
    """Ready for a table under the rules of this digest (`chain.rules_digest`); None: not (any more)."""

    agreed: Bytes32 | None


class LobbyPlace(_Fields, frozen=True):
    """One taken place of the lobby; `operator_pk` is None for a person."""

    pk: Bytes32
    name: Name
    operator_pk: Bytes32 | None
    ready: bool


class Lobby(_Fields, frozen=True, tag="lobby"):
    """The whole lobby, sent on every change; `countdown` in seconds."""

    rules_map: RulesMap
    seats: Annotated[tuple[LobbyPlace, ...], Meta(max_length=SEATS)]
    countdown: Count | None


class Bye(_Fields, frozen=True, tag="bye"):
    """The sender closes this link."""

    code: ByeCode
    text: Text


class TableOffer(_Fields, frozen=True, tag="table"):
    """The descriptor of the table."""

    descriptor: bytes


class RosterSeat(_Fields, frozen=True):
    """Where one seat may be dialled."""

    pk: Bytes32
    addresses: Annotated[tuple[Address, ...], Meta(max_length=ADDRESSES_PER_SEAT)]


class Roster(_Fields, frozen=True, tag="roster"):
    """Where the sender knows the three seats to be."""

    seats: tuple[RosterSeat, RosterSeat, RosterSeat]


class Have(_Fields, frozen=True, tag="have"):
    """How many entries the sender holds, and the head after them."""

    height: Height
    head: Bytes32


class Get(_Fields, frozen=True, tag="get"):
    """Asks for entries from this height on."""

    first: Height


class Entries(_Fields, frozen=True, tag="entries"):
    """Entries as signed, from this height on."""

    first: Height
    entries: Annotated[tuple[bytes, ...], Meta(max_length=ENTRIES_PER_MESSAGE)]


class Reject(_Fields, frozen=True, tag="reject"):
    """Why an entry was refused; for the receiver's log and screen only."""

    height: Height
    code: Text
    text: Text


class Ping(_Fields, frozen=True, tag="ping"):
    """Asks for a sign of life."""

    n: Count


class Pong(_Fields, frozen=True, tag="pong"):
    """Answers the ping of the same number."""

    n: Count


class Presence(_Fields, frozen=True, tag="presence"):
    """Whether the player of a seat is at the table; unsigned."""

    seat: SeatNo
    state: PresenceState


class Chat(_Fields, frozen=True, tag="chat"):
    """What a player says; unsigned, to be cleaned before it is shown."""

    seat: SeatNo
    text: Text


class Differ(_Fields, frozen=True, tag="differ"):
    """The player of a seat says that the table words differ; unsigned."""

    seat: SeatNo


_Opening = RefusedLink | Auth | Pake | Confirm | Bye
_AtTable = Roster | Have | Get | Entries | Reject | Ping | Pong | Presence | Chat | Differ
FromClient = Hello | TakeSeat | SetReady | _Opening | _AtTable
FromServer = HelloBack | Welcome | Lobby | TableOffer | _Opening | _AtTable
Message = FromClient | FromServer

# One struct for each kind: to convert to one struct is ten times as fast as to the union.
_BODIES = {kind.__struct_config__.tag: kind for kind in get_args(Body)}
_FROM_CLIENT = {kind.__struct_config__.tag: kind for kind in get_args(FromClient)}
_FROM_SERVER = {kind.__struct_config__.tag: kind for kind in get_args(FromServer)}


def decode_body(value: list[Any]) -> Body:
    """The body in this array; raises Fault(BODY) for whatever is wrong with it in any position of a hand."""
    body: Body = _convert(value, _BODIES, Code.BODY)
    problem = _form_problem(body)
    if problem is not None:
        raise Fault(Code.BODY, f"{kind_of(body)}: {problem}")
    return body


def encode_body(body: Body) -> list[Any]:
    """The array of a body, its kind first."""
    value = msgspec.to_builtins(body, builtin_types=(bytes,))
    assert isinstance(value, list)
    return value


def kind_of(body: Body) -> str:
    """The kind that stands first in a body."""
    tag = body.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def encode_message(message: Message) -> bytes:
    """The canonical bytes of a link message, without its frame."""
    return pack(msgspec.to_builtins(message, builtin_types=(bytes,)))


def decode_message(data: bytes, *, from_server: bool) -> Message:
    """The link message in these bytes, which came from the server or the client side of the link.

    Raises Fault(DECODE) for anything that is no message of that side, Fault(CANONICAL) as `unpack`.
    """
    value = unpack(data, allow_map=True)
    message: Message = _convert(value, _FROM_SERVER if from_server else _FROM_CLIENT, Code.DECODE)
    return message


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of bodies and link messages; bin stands as base64 text."""
    parts = {"Body": Body, "FromClient": FromClient, "FromServer": FromServer}
    unions, structs = msgspec.json.schema_components(tuple(parts.values()), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tongits-lan/1 bodies of entries and link messages",
        "$defs": {**structs, **dict(zip(parts, unions, strict=True))},
    }


def _convert(value: Any, structs: Mapping[str, Any], code: Code) -> Any:
    """The struct of the kind that stands first in this array; raises Fault(code)."""
    kind = value[0] if isinstance(value, list) and value else None
    struct = structs.get(kind) if isinstance(kind, str) else None
    if struct is None:
        raise Fault(code, f"no known kind: {ascii(kind)[:40]}")
    try:
        return msgspec.convert(value, struct, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        # The library's text may hold a stranger's string.
        raise Fault(code, f"{kind}: {ascii(str(error))[1:200]}") from error


def _form_problem(body: Body) -> str | None:
    """What the field types of the structs do not say: whole elements, ascending slots."""
    match body:
        case Commit(labels=part) | ShuffleDeck(deck=part) | LockDeck(deck=part):
            return _parts_problem(part)
        case Deal(keys=part) | ClaimSpread(keys=part):
            return _parts_problem(part)
        case Prove():
            return _parts_problem(body.shuffle_proof) or _parts_problem(body.lock_proof)
        case TakeDiscard() | LayMeld() | HideSet() | LayOff() | CallDraw() | AnswerDraw():
            return _slots_problem(body.slots)
        case Sit() | Open() | Ready() | PassSpread() | DrawStock() | ReleaseKey() | ThrowCard():
            return None
        case EndHand() | RevealSeed() | NextHand() | LeaveTable() | ForfeitHand():
            return None
        case _:
            assert_never(body)


def _parts_problem(data: bytes) -> str | None:
    return f"{len(data)} bytes are no multiple of 32" if len(data) % 32 else None


def _slots_problem(slots: tuple[int, ...]) -> str | None:
    if any(later <= earlier for earlier, later in pairwise(slots)):
        return f"slots {list(slots)} are not ascending and distinct"
    return None
