"""The values of a match as every peer sees it: phases, the running hand, finished hands, what happened.

Owns the shape of the public state and nothing that changes it (accept.py does). Must not know: secrets of
a running hand, time, files, links.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Literal

import msgspec

from tongits_lan.deck.proofs import verify_lock, verify_shuffle
from tongits_lan.deck.secrets import HandSecrets
from tongits_lan.errors import TongitsError
from tongits_lan.game.dealing import dealt_to
from tongits_lan.game.engine import Position
from tongits_lan.game.moves import Event
from tongits_lan.game.scoring import Match, Settlement
from tongits_lan.ledger.chain import Descriptor

Deck = tuple[bytes, ...]
"""n x 32 bytes, slot order."""


class Phase(StrEnum):
    """What the table is doing (docs/protocol.md, "Phases"); each phase is one row of writers."""

    SIT = "sit"
    OPEN = "open"
    COMMIT = "commit"
    SHUFFLE = "shuffle"
    LOCK = "lock"
    PROVE = "prove"
    READY = "ready"
    DEAL = "deal"
    SPREAD = "spread"
    PLAY = "play"
    END = "end"
    REVEAL = "reveal"
    SETTLE = "settle"
    CLOSED = "closed"


class Due(msgspec.Struct, frozen=True):
    """The one legal writer and the kinds of entry it may write."""

    seat: int
    kinds: tuple[str, ...]


class Commitment(msgspec.Struct, frozen=True):
    """A seat's `commit`: c (32 bytes), A = a*B (32 bytes), labels L[j] = k[j]*B (n x 32 bytes)."""

    c: bytes
    A: bytes
    labels: Deck


class KeyDue(msgspec.Struct, frozen=True):
    """A drawn slot and the seats that have still to give their key for it, the next one first."""

    slot: int
    seats: tuple[int, ...]


class ProofClaim(msgspec.Struct, frozen=True):
    """One proof and all it speaks of, equal for equal bytes: a key for remembered verdicts."""

    seat: int
    kind: Literal["shuffle", "lock"]
    ctx: bytes
    A: bytes
    labels: Deck
    deck_in: Deck
    deck_out: Deck
    proof: bytes

    def check(self) -> None:
        """Judge the proof; pure CPU. Raises Fault(ELEMENT | SCALAR | PROOF)."""
        if self.kind == "shuffle":
            verify_shuffle(self.ctx, self.A, self.deck_in, self.deck_out, self.proof)
        else:
            verify_lock(self.ctx, self.A, self.labels, self.deck_in, self.deck_out, self.proof)


class NotJudged(TongitsError):
    """The verdict on `claims` is not known yet; nothing has changed."""

    def __init__(self, claims: tuple[ProofClaim, ...]) -> None:
        super().__init__(f"{len(claims)} proofs not judged yet")
        self.claims = claims


Judge = Callable[[ProofClaim], None]
"""Returns on a proof that holds, raises Fault on one that does not, NotJudged when it cannot say yet."""

PassHeights = tuple[int | None, int | None]
"""Heights of one seat's `shuffle` and `lock` entries."""


class Hand(msgspec.Struct, frozen=True):
    """The running (or just settled) hand. Triples are per seat, `shuffles` and `locks` in order of turns."""

    number: int
    hand_id: bytes
    dealer: int
    order: tuple[int, int, int]
    match: Match
    """As the hand began, `dealer` set to this hand's dealer, antes not yet paid."""
    ante: int
    """Chips each seat puts in."""
    first_height: int
    commits: tuple[Commitment | None, Commitment | None, Commitment | None] = (None, None, None)
    shuffles: tuple[Deck, ...] = ()
    locks: tuple[Deck, ...] = ()
    passes: tuple[PassHeights, PassHeights, PassHeights] = ((None, None), (None, None), (None, None))
    proved: tuple[bool, bool, bool] = (False, False, False)
    keys: tuple[Mapping[int, bytes], Mapping[int, bytes], Mapping[int, bytes]] = ({}, {}, {})
    """Published lock keys, slot -> 32-byte scalar."""
    faces: Mapping[int, int] = {}
    """Cards everybody has seen, slot -> card code; every slot after the third `reveal`."""
    position: Position | None = None
    key_due: KeyDue | None = None
    seeds: tuple[bytes | None, bytes | None, bytes | None] = (None, None, None)
    opened: tuple[HandSecrets | None, HandSecrets | None, HandSecrets | None] = (None, None, None)
    """What the revealed seeds give; public by then."""

    def slots_of(self, seat: int) -> tuple[int, ...]:
        """The slots dealt to `seat`, ascending (13 to the dealer, 12 to the others)."""
        return dealt_to(self.dealer, seat)


class HandRecord(msgspec.Struct, frozen=True):
    """A counted hand: settled on its third `reveal`, or forfeited (`faces` stay None)."""

    number: int
    dealer: int
    settlement: Settlement
    faces: tuple[int, ...] | None
    """Card of every slot, slot order."""
    forfeited_by: int | None
    first_height: int
    last_height: int
    """Height of the third `reveal` or of the `forfeit`."""
    position: Position | None


class State(msgspec.Struct, frozen=True):
    """Everything a ledger says, as a value; `height` is the number of entries it holds."""

    descriptor: Descriptor
    table_id: bytes
    height: int
    head: bytes
    phase: Phase
    done: int
    """How many seats have written in the row of this phase."""
    match: Match
    """Outcome after the last counted hand; `dealer` is None before the first."""
    hand: Hand | None
    records: tuple[HandRecord, ...]
    nonces: tuple[bytes | None, bytes | None, bytes | None]
    words: tuple[str, str, str, str] | None
    tips: tuple[int | None, int | None, int | None]
    """Height of each seat's own last entry."""
    closed: bool = False
    closing: Settlement | None = None
    """How the pot was split when the table closed."""

    @property
    def n(self) -> int:
        """Cards in the deck: 52 or 54."""
        return self.descriptor.rules.n


def begin(descriptor: Descriptor) -> State:
    """The state of an empty ledger: seat 0 is to sign the descriptor."""
    return State(
        descriptor=descriptor,
        table_id=descriptor.table_id,
        height=0,
        head=descriptor.table_id,
        phase=Phase.SIT,
        done=0,
        match=descriptor.start,
        hand=None,
        records=(),
        nonces=(None, None, None),
        words=None,
        tips=(None, None, None),
    )


class Seated(msgspec.Struct, frozen=True):
    """`seat` signed the descriptor."""

    seat: int


class NonceOpened(msgspec.Struct, frozen=True):
    """`seat` opened its nonce."""

    seat: int


class TableOpened(msgspec.Struct, frozen=True):
    """All nonces are open: the four words to compare and the first dealer."""

    words: tuple[str, str, str, str]
    dealer: int


class HandBegan(msgspec.Struct, frozen=True):
    """A hand may be committed to."""

    number: int
    dealer: int


class SeedCommitted(msgspec.Struct, frozen=True):
    """`seat` committed to its seed."""

    seat: int


class DeckShuffled(msgspec.Struct, frozen=True):
    """`seat` shuffled the deck."""

    seat: int


class DeckLocked(msgspec.Struct, frozen=True):
    """`seat` locked the deck."""

    seat: int


class ProofsAccepted(msgspec.Struct, frozen=True):
    """Both proofs of `seat` hold."""

    seat: int


class SeatReady(msgspec.Struct, frozen=True):
    """`seat` accepted all proofs itself."""

    seat: int


class KeysDealt(msgspec.Struct, frozen=True):
    """`seat` gave its keys for the cards dealt to the others."""

    seat: int


class HandDealt(msgspec.Struct, frozen=True):
    """Every seat can see its cards."""

    number: int


class KeyReleased(msgspec.Struct, frozen=True):
    """`seat` gave its key for a drawn slot."""

    seat: int
    slot: int


class Played(msgspec.Struct, frozen=True):
    """A move of `seat` had this effect."""

    seat: int
    event: Event


class HandEnding(msgspec.Struct, frozen=True):
    """The last card has been played; cards will be opened."""

    number: int


class HandEnded(msgspec.Struct, frozen=True):
    """`seat` agreed that play is over."""

    seat: int


class SeedRevealed(msgspec.Struct, frozen=True):
    """`seat` revealed its seed and it fits its commitments."""

    seat: int


class HandSettled(msgspec.Struct, frozen=True):
    """All cards are open, everything was recomputed, chips moved."""

    record: HandRecord


class HandForfeited(msgspec.Struct, frozen=True):
    """A seat gave the hand up; it is void at its cost."""

    record: HandRecord


class HandConfirmed(msgspec.Struct, frozen=True):
    """`seat` signed the result."""

    seat: int


class TableClosed(msgspec.Struct, frozen=True):
    """By the leave of `seat`, or (None) because the last hand is confirmed; the pot was split."""

    seat: int | None
    settlement: Settlement


LedgerEvent = (
    Seated
    | NonceOpened
    | TableOpened
    | HandBegan
    | SeedCommitted
    | DeckShuffled
    | DeckLocked
    | ProofsAccepted
    | SeatReady
    | KeysDealt
    | HandDealt
    | KeyReleased
    | Played
    | HandEnding
    | HandEnded
    | SeedRevealed
    | HandSettled
    | HandForfeited
    | HandConfirmed
    | TableClosed
)
