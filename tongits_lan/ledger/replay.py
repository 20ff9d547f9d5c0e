"""A finished hand computed again from its three revealed seeds.

Owns the comparison of both passes of every seat with what it published, and the checks of decks, keys and
faces, each of which is spared what `Foresight` has computed already. Must not know whose turn it is,
signatures, or rules of the game.
"""

from itertools import pairwise

from tongits_lan.deck.opening import check_key, open_element, replayed_faces
from tongits_lan.deck.secrets import HandSecrets, check_commitment, check_seed
from tongits_lan.deck.shuffle import check_deck, first_deck, replays_lock, replays_shuffle
from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.foresight import Foresight
from tongits_lan.ledger.messages import Commit
from tongits_lan.ledger.state import Commitment, Deck, Hand


def check_commit(body: Commit, seat: int, hand: Hand, labels: Deck, known: Foresight | None) -> Commitment:
    """The commitment in a `commit`; raises Fault(ELEMENT | COMMIT)."""
    seen = [(other.c, other.A) for other in hand.commits if other is not None]
    if known is not None and known.opened[seat].A == body.A and known.opened[seat].labels == labels:
        check_commitment(body.c, body.A, (), seen)
    else:
        check_commitment(body.c, body.A, labels, seen)
    return Commitment(body.c, body.A, labels)


def check_pass(data: bytes, n: int, what: str, known: Foresight | None) -> Deck:
    """The deck in a `shuffle` or `lock`; raises Fault(BODY | ELEMENT | DECK)."""
    if known is not None and data in known.decks:
        return known.decks[data]
    return check_deck(data, n, what)


def check_slot_key(hand: Hand, seat: int, slot: int, key: bytes, known: Foresight | None) -> None:
    """Raises Fault(KEY) for a key published before, Fault(SCALAR), or Fault(KEY) against its label."""
    if slot in hand.keys[seat]:
        raise Fault(Code.KEY, f"the key of slot {slot} was published before")
    commitment = hand.commits[seat]
    assert commitment is not None
    label = commitment.labels[slot]
    if known is not None and known.opened[seat].k[slot] == key and known.opened[seat].labels[slot] == label:
        return
    check_key(key, label, f"the key of slot {slot}")


def face_of(hand: Hand, slot: int, keys: tuple[bytes, ...], n: int, known: Foresight | None) -> int:
    """The card of a slot all of whose keys fit their labels; raises Fault(OPENING) if it is none."""
    if known is not None and (*hand.shuffles, *hand.locks) == known.passes and hand.order == known.order:
        return known.faces[slot]
    return open_element(hand.locks[-1][slot], keys, n)


def check_reveal(hand: Hand, seat: int, seed: bytes, n: int, known: Foresight | None) -> HandSecrets:
    """The secrets of a revealed seed; raises Fault(SEED) unless they were committed to."""
    commitment = hand.commits[seat]
    assert commitment is not None
    if known is not None:
        secrets = known.opened[seat]
        if (secrets.seed, secrets.c, secrets.A) == (seed, commitment.c, commitment.A) and (
            secrets.labels == commitment.labels
        ):
            return secrets
    return check_seed(seed, hand.hand_id, seat, n, commitment.c, commitment.A, commitment.labels)


def replay(hand: Hand, n: int, known: Foresight | None) -> tuple[int, ...]:
    """The card of every slot of a hand whose seeds are all revealed.

    Raises PeerFault(REPLAY) naming the seat and height of the first pass that does not follow from its
    seed. Where all follow, slot j of the last lock is k_0 k_1 k_2 times the card element that the three
    permutations put there: opening it anew could only give that card, so it costs no multiplication.
    """
    opened = tuple(secrets for secrets in hand.opened if secrets is not None)
    assert len(opened) == len(hand.opened)
    passes = (*hand.shuffles, *hand.locks)
    if known is None or (known.opened, known.order, known.passes) != (opened, hand.order, passes):
        decks = (first_deck(n), *passes)
        for turn, (deck_in, deck_out) in enumerate(pairwise(decks)):
            is_lock = turn >= len(hand.order)
            secrets = opened[hand.order[turn % len(hand.order)]]
            if not (replays_lock if is_lock else replays_shuffle)(secrets, deck_in, deck_out):
                raise _replay_fault(hand, secrets.seat, is_lock)
    return replayed_faces([opened[seat] for seat in hand.order])


def _replay_fault(hand: Hand, seat: int, is_lock: bool) -> PeerFault:
    height = hand.passes[seat][is_lock]
    assert height is not None
    name = "lock" if is_lock else "shuffle"
    return PeerFault(
        Code.REPLAY, f"the {name} does not follow from the revealed seed", seat=seat, height=height
    )
