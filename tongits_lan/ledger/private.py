"""What one seat alone may know in a hand: its seed, what follows from it, and the faces it may see.

Owns the value stored beside the ledger, the bodies that are made from a seed, and the check that seed and
ledger still belong together. Must not know: links, time, the play of the others, where a store keeps things.
"""

from collections.abc import Callable, Sequence

import msgspec

from tongits_lan.deck.opening import open_element
from tongits_lan.deck.secrets import HandSecrets, derive, seed_commitment
from tongits_lan.deck.shuffle import check_input, first_deck, join, lock, shuffle
from tongits_lan.errors import Code, Fault, Refused
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.ledger.messages import Commit, LockDeck, ShuffleDeck
from tongits_lan.ledger.state import Deck, Hand
from tongits_lan.limits import SEATS

SEED_BYTES = 32


class HandSecret(msgspec.Struct, frozen=True):
    """The seed of one hand (32 bytes) and the SHA-256 of the decks it was applied to, once they are known."""

    hand_no: int
    seed: bytes
    shuffle_input: bytes | None = None
    lock_input: bytes | None = None

    def __repr__(self) -> str:
        return f"HandSecret(hand_no={self.hand_no}, ...)"

    def to_bytes(self) -> bytes:
        """The stored form: canonical MessagePack [hand_no, seed, shuffle_input | nil, lock_input | nil]."""
        return pack([self.hand_no, self.seed, self.shuffle_input, self.lock_input])

    @staticmethod
    def from_bytes(data: bytes) -> "HandSecret":
        """Read the stored form. Raises Fault(DECODE | CANONICAL | BODY), which never shows the seed."""
        fields = unpack(data)
        if not isinstance(fields, list | tuple) or len(fields) != 4:
            raise Fault(Code.BODY, "a hand secret has four fields")
        number, seed, *inputs = fields
        if isinstance(number, bool) or not isinstance(number, int) or not _is_digest(seed):
            raise Fault(Code.BODY, "a hand secret starts with its hand number and a seed of 32 bytes")
        if not all(value is None or _is_digest(value) for value in inputs):
            raise Fault(Code.BODY, "the inputs of a hand secret are nil or 32 bytes")
        return HandSecret(number, seed, *inputs)


def _is_digest(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == SEED_BYTES


def shuffle_input(hand: Hand, seat: int, n: int) -> Deck:
    """The deck `seat` shuffles: what the seat before it made, or the untouched one."""
    turn = hand.order.index(seat)
    return hand.shuffles[turn - 1] if turn else first_deck(n)


def lock_input(hand: Hand, seat: int) -> Deck:
    """The deck `seat` locks: what the seat before it locked, or the last shuffle."""
    turn = hand.order.index(seat)
    return hand.locks[turn - 1] if turn else hand.shuffles[-1]


def _fits(deck: Deck, stored: bytes | None) -> bool:
    """Whether the hash stored of a pass's input is there and is that of this deck."""
    try:
        check_input(deck, stored)
    except Refused:
        return False
    return stored is not None


class Private:
    """The secrets of seat `me` in the hands that are not over, and everything made from them."""

    def __init__(
        self,
        me: int,
        n: int,
        entropy: Callable[[int], bytes],
        secrets: Sequence[HandSecret],
        save: Callable[[HandSecret], None],
    ) -> None:
        self._me = me
        self._n = n
        self._entropy = entropy
        self._kept = {secret.hand_no: secret for secret in secrets}
        self._save = save
        self._derived: HandSecrets | None = None
        self._faces: dict[int, int] = {}

    def keep(self, secret: HandSecret) -> None:
        """Remember `secret` and have it stored."""
        self._kept[secret.hand_no] = secret
        self._save(secret)

    def forget(self, up_to_hand: int) -> bool:
        """Drop the secrets of finished hands; True if there were any."""
        old = [number for number in self._kept if number <= up_to_hand]
        for number in old:
            del self._kept[number]
        if old:
            self._derived = None
            self._faces = {}
        return bool(old)

    def missing(self, hand: Hand) -> bool:
        """Whether this seat has committed in `hand` to a seed that is not stored here."""
        return hand.commits[self._me] is not None and hand.number not in self._kept

    def trouble(self, hand: Hand) -> str | None:
        """Why this seat must sign nothing more in `hand`: its stored secret and the ledger do not fit."""
        kept = self._kept.get(hand.number)
        committed = hand.commits[self._me]
        if kept is None:
            return None if committed is None else "the seed committed to is not stored here"
        if committed is None:
            return None if kept.shuffle_input is None else "the stored seed was used, but not in the ledger"
        if seed_commitment(hand.hand_id, self._me, kept.seed) != committed.c:
            return "the stored seed is not the one committed to"
        return self._wrong_input(hand, kept)

    def _wrong_input(self, hand: Hand, kept: HandSecret) -> str | None:
        """A pass in the ledger must have its input stored; a stored input must be the one in the ledger."""
        turn = hand.order.index(self._me)
        shuffles, locks = len(hand.shuffles), len(hand.locks)
        judged = shuffles > turn or (shuffles == turn and kept.shuffle_input is not None)
        if judged and not _fits(shuffle_input(hand, self._me, self._n), kept.shuffle_input):
            return "the stored seed shuffled another deck than the one in the ledger"
        judged = locks > turn or (shuffles == SEATS and locks == turn and kept.lock_input is not None)
        if judged and not _fits(lock_input(hand, self._me), kept.lock_input):
            return "the stored seed locked another deck than the one in the ledger"
        return None

    def derived(self, hand: Hand) -> HandSecrets:
        """What follows from the seed of `hand`; there must be one."""
        seed = self._kept[hand.number].seed
        if self._derived is None or self._derived.hand_id != hand.hand_id or self._derived.seed != seed:
            self._derived = derive(seed, hand.hand_id, self._me, self._n)
            self._faces = {}
        return self._derived

    def draw(self, hand: Hand) -> None:
        """Draw the seed of this hand, store it and derive from it, unless that has been done before."""
        if hand.number not in self._kept:
            self.keep(HandSecret(hand.number, self._entropy(SEED_BYTES)))
        self.derived(hand)

    def commit(self, hand: Hand) -> Commit:
        """The `commit` of this hand; its seed is stored first."""
        self.draw(hand)
        s = self.derived(hand)
        return Commit(s.c, s.A, join(s.labels))

    def shuffle(self, hand: Hand) -> ShuffleDeck:
        """The `shuffle` of this hand; the hash of its input is stored first."""
        deck = shuffle_input(hand, self._me, self._n)
        kept = self._kept[hand.number]
        digest = check_input(deck, kept.shuffle_input)
        if kept.shuffle_input is None:
            self.keep(msgspec.structs.replace(kept, shuffle_input=digest))
        return ShuffleDeck(join(shuffle(self.derived(hand), deck)))

    def lock(self, hand: Hand) -> LockDeck:
        """The `lock` of this hand; the hash of its input is stored first."""
        deck = lock_input(hand, self._me)
        kept = self._kept[hand.number]
        digest = check_input(deck, kept.lock_input)
        if kept.lock_input is None:
            self.keep(msgspec.structs.replace(kept, lock_input=digest))
        return LockDeck(join(lock(self.derived(hand), deck)))

    def key(self, hand: Hand, slot: int) -> bytes:
        """This seat's key of one slot. Whoever asks answers for its being due."""
        return self.derived(hand).k[slot]

    def faces(self, hand: Hand) -> dict[int, int]:
        """Slot -> card of all this seat may know: what everybody has seen, and its own hand.

        Raises Fault(OPENING) if under the locks of an own slot there is no card.
        """
        if hand.position is None or hand.number not in self._kept:
            return dict(hand.faces)
        own = {}
        for slot in hand.position.hands[self._me]:
            if slot in hand.faces:
                continue
            card = self._open(hand, slot)
            if card is not None:
                own[slot] = card
        return {**hand.faces, **own}

    def _open(self, hand: Hand, slot: int) -> int | None:
        """The card of an own slot once the two others have given their keys; opened once."""
        s = self.derived(hand)
        if slot in self._faces:
            return self._faces[slot]
        keys = [s.k[slot] if seat == self._me else given.get(slot) for seat, given in enumerate(hand.keys)]
        known = [key for key in keys if key is not None]
        if len(known) < len(keys):
            return None
        self._faces[slot] = open_element(hand.locks[-1][slot], known, self._n)
        return self._faces[slot]
