"""Whole matches written straight through `accept` with fixed keys, nonces and seeds.

For tests and golden ledgers: no tables, no links, no chance. The same arguments give the same bytes.
"""

import copy
import functools
import hashlib
from collections.abc import Callable, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.deck.opening import replayed_faces
from tongits_lan.deck.proofs import lock_proof_length, prove_lock, prove_shuffle, shuffle_proof_length
from tongits_lan.deck.secrets import HandSecrets, derive
from tongits_lan.deck.shuffle import first_deck, join, lock, shuffle
from tongits_lan.game import engine
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Hide, Meld, Move, Pass, Sapaw, Spread, Take
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.scoring import Match, fresh_match
from tongits_lan.ledger.accept import accept, begin, due, pass_input, result_now, slots_due
from tongits_lan.ledger.chain import SeatEntry, build_descriptor, nonce_commitment, public_bytes, sign_entry
from tongits_lan.ledger.messages import (
    Body,
    Commit,
    Deal,
    EndHand,
    LeaveTable,
    LockDeck,
    NextHand,
    Open,
    Prove,
    Ready,
    ReleaseKey,
    RevealSeed,
    ShuffleDeck,
    Sit,
)
from tongits_lan.ledger.play import body_of
from tongits_lan.ledger.state import Deck, Judge, LedgerEvent, Phase, ProofClaim, State

NAMES = ("Ana", "Ben", "Carlo")
UNIX_SECONDS = 1_790_000_000
Chooser = Callable[[View, Sequence[Move]], Move]


def trust(_: ProofClaim) -> None:
    """A judge for tests that are not about proofs."""


class Draws:
    """Entropy for tests: the bytes follow from a label."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(f"{self._label}/{self._count}".encode()).digest(size)


class Script:
    """Three seats and the ledger they write; `proved` = with real proofs, else with any bytes."""

    def __init__(
        self,
        label: str = "script",
        *,
        rules: Rules = PRESETS["pagat"],
        start: Match | None = None,
        previous: tuple[bytes, bytes] | None = None,
        proved: bool = False,
        judge: Judge | None = None,
        names: tuple[str, str, str] = NAMES,
    ) -> None:
        self.label = label
        self.rules = rules
        self.proved = proved
        self.judge = judge or (check if proved else trust)
        self.keys = [Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32) for seat in range(3)]
        self.nonces = [self._draw(f"nonce {seat}") for seat in range(3)]
        pks = [public_bytes(key) for key in self.keys]
        seats = [
            SeatEntry(pk, name, nonce_commitment(pk, nonce), pk)
            for pk, name, nonce in zip(pks, names, self.nonces, strict=True)
        ]
        self.descriptor = build_descriptor(
            UNIX_SECONDS, rules, (seats[0], seats[1], seats[2]), start or fresh_match(), previous
        )
        self.state: State = begin(self.descriptor)
        self.entries: list[bytes] = []
        self.events: list[LedgerEvent] = []
        self.replaced: dict[tuple[int, int], HandSecrets] = {}
        """(hand, seat) -> secrets used for the passes instead of those of the seed: for cheats."""

    def clone(self) -> "Script":
        """A second script at the same place, to go on differently."""
        other = copy.copy(self)
        other.entries, other.events = list(self.entries), list(self.events)
        other.replaced = dict(self.replaced)
        return other

    # What the seats know.

    def secrets(self, seat: int) -> HandSecrets:
        """The secrets of a seat in the running hand."""
        hand = self.state.hand
        assert hand is not None
        return _derive(self._seed(seat), hand.hand_id, seat, self.rules.n)

    def faces(self) -> tuple[int, ...]:
        """The card of every slot of the running hand, as nobody may know them before the end."""
        hand = self.state.hand
        assert hand is not None
        return replayed_faces(
            [self.replaced.get((hand.number, seat), self.secrets(seat)) for seat in hand.order]
        )

    def view(self, seat: int) -> View:
        """What a seat sees."""
        hand = self.state.hand
        assert hand is not None
        assert hand.position is not None
        faces = self.faces()
        return engine.view(hand.position, seat, {slot: faces[slot] for slot in hand.position.hands[seat]})

    def writer(self) -> int:
        """The seat that is due."""
        now = due(self.state)
        assert now is not None
        return now.seat

    # Writing.

    def sign(self, body: Body, *, seat: int | None = None, height: int | None = None) -> bytes:
        """An entry that fits the end of the ledger, by default of the seat that is due."""
        seat = self.writer() if seat is None else seat
        height = self.state.height if height is None else height
        return sign_entry(self.keys[seat], self.state.table_id, seat, height, self.state.head, body)

    def write(self, body: Body) -> None:
        """Accept a body of the seat that is due."""
        self.put(self.sign(body))

    def put(self, raw: bytes) -> None:
        """Accept an entry."""
        self.state, events = accept(self.state, raw, self.judge)
        self.entries.append(raw)
        self.events.extend(events)

    def move(self, move: Move) -> None:
        """Accept a move of the seat that is due."""
        secrets = self.secrets(self.writer())
        self.write(body_of(self.state, move, lambda slot: secrets.k[slot]))

    def until(self, phase: Phase, choose: Chooser | None = None) -> None:
        """Write what is due until this phase is reached."""
        while self.state.phase is not phase:
            self.step(choose or plain_choice)

    def step(self, choose: Chooser) -> None:
        """Write one entry: what is due, or the chosen move."""
        body = self.due_body()
        if body is not None:
            self.write(body)
            return
        view = self.view(self.writer())
        self.move(choose(view, engine.legal_moves(view)))

    def play_hand(self, choose: Chooser | None = None) -> None:
        """From the first commit (or before it) to the third reveal."""
        while self.state.phase is not Phase.SETTLE:
            self.step(choose or plain_choice)

    def next_hand(self) -> None:
        """Three `next`."""
        for _ in range(3):
            self.write(NextHand(result_now(self.state)))

    def leave(self) -> None:
        """One `leave` of the seat that is due."""
        self.write(LeaveTable(result_now(self.state)))

    def due_body(self) -> Body | None:
        """The body that is due without anybody's choice, or None."""
        seat = self.writer()
        match self.state.phase:
            case Phase.SIT:
                return Sit(hashlib.sha256(self.descriptor.raw).digest())
            case Phase.OPEN:
                return Open(self.nonces[seat])
            case Phase.READY:
                return Ready()
            case Phase.END:
                return EndHand()
            case Phase.REVEAL:
                return RevealSeed(self._seed(seat))
            case Phase.SETTLE:
                return NextHand(result_now(self.state))
            case Phase.PLAY:
                return self._key_body(seat)
            case Phase.COMMIT | Phase.SHUFFLE | Phase.LOCK | Phase.PROVE | Phase.DEAL:
                return self._deck_body(seat)
            case _:
                return None

    def _key_body(self, seat: int) -> Body | None:
        slots = slots_due(self.state, seat)
        return ReleaseKey(slots[0], self.secrets(seat).k[slots[0]]) if slots else None

    def _deck_body(self, seat: int) -> Body:
        hand = self.state.hand
        assert hand is not None
        honest = self.secrets(seat)
        acting = self.replaced.get((hand.number, seat), honest)
        match self.state.phase:
            case Phase.COMMIT:
                return Commit(honest.c, honest.A, join(honest.labels))
            case Phase.SHUFFLE:
                return ShuffleDeck(join(shuffle(acting, pass_input(self.state))))
            case Phase.LOCK:
                return LockDeck(join(lock(acting, pass_input(self.state))))
            case Phase.DEAL:
                return Deal(join(honest.k[slot] for slot in slots_due(self.state, seat)))
            case _:
                return self._prove(seat, acting)

    def _prove(self, seat: int, secrets: HandSecrets) -> Prove:
        n = self.rules.n
        if not self.proved:
            return Prove(bytes(shuffle_proof_length(n)), bytes(lock_proof_length(n)))
        hand = self.state.hand
        assert hand is not None
        turn = hand.order.index(seat)
        ends = (first_deck(n), *hand.shuffles, *hand.locks)
        label = f"{self.label}/proofs/{hand.number}/{seat}"
        return Prove(
            _proof(prove_shuffle, secrets, ends[turn], ends[turn + 1], label),
            _proof(prove_lock, secrets, ends[turn + 3], ends[turn + 4], label),
        )

    def _seed(self, seat: int) -> bytes:
        assert self.state.hand is not None
        return self._draw(f"seed {self.state.hand.number} {seat}")

    def _draw(self, what: str) -> bytes:
        return hashlib.sha256(f"{self.label}/{what}".encode()).digest()


class Spreading(Script):
    """A script in whose first hand seat 2 is dealt nothing but melds; a search found this seed of seat 0."""

    def __init__(self) -> None:
        super().__init__("spread", rules=PRESETS["joker"])

    def _seed(self, seat: int) -> bytes:
        hand = self.state.hand
        assert hand is not None
        return (802).to_bytes(32, "big") if (hand.number, seat) == (1, 0) else super()._seed(seat)


_derive = functools.cache(derive)
Prover = Callable[[HandSecrets, Deck, Deck, Draws], bytes]


@functools.cache
def _proof(prover: Prover, secrets: HandSecrets, deck_in: Deck, deck_out: Deck, label: str) -> bytes:
    """Scripts of one label share their beginnings, and so their proofs."""
    return prover(secrets, deck_in, deck_out, Draws(label))


@functools.cache
def check(claim: ProofClaim) -> None:
    """The judge that computes; what holds once holds again."""
    claim.check()


def plain_choice(view: View, legal: Sequence[Move]) -> Move:
    """A player who lays what it can, draws from the stock and throws its highest card."""
    return min(legal, key=_preference)


def _preference(move: Move) -> tuple[int, tuple[int, ...]]:
    """Smaller comes first; equal only for equal moves, whatever the order they are listed in."""
    match move:
        case Meld(cards, _) | Sapaw(_, cards, _):
            return (0, (-len(cards), *(slot for slot, _ in cards)))
        case Hide(slots):
            return (1, slots)
        case Draw():
            return (2, ())
        case Pass():
            return (2, ())
        case Discard((slot, card)):
            return (3, (-(card % 13), slot))
        case Answer(word, cards):
            return (4, (word != "fold", *(slot for slot, _ in cards)))
        case Take(_, cards, _):
            return (5, tuple(slot for slot, _ in cards))
        case Call(cards) | Spread(cards):
            return (6, tuple(slot for slot, _ in cards))
