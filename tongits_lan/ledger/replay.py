"""A finished hand computed again from its three revealed seeds.

Owns the comparison of both passes of every seat with what it published, and `Foresight`: the same work done
ahead of acceptance when a whole hand lies in a file, so that nothing is computed twice. Must not know whose
turn it is, signatures, or rules of the game.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tongits_lan.deck.opening import check_key, open_element, replayed_faces
from tongits_lan.deck.secrets import HandSecrets, check_commitment, check_seed
from tongits_lan.deck.shuffle import check_deck, first_deck, replays_lock, replays_shuffle, split
from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.messages import Commit, LockDeck, RevealSeed, ShuffleDeck
from tongits_lan.ledger.state import Commitment, Deck, Hand

MapLike = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""`map`, or one that works on several items at once and gives the results in their order."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """What the seeds of a hand give, known to be what its commitments, decks and labels say.

    Answers equal to the full checks: an element that equals one computed here is valid, a key whose
    label was computed from it fits. Whatever differs from it is checked in full.
    """

    hand_id: bytes
    opened: tuple[HandSecrets, HandSecrets, HandSecrets] = field(repr=False)
    decks: Mapping[bytes, Deck] = field(repr=False)
    sealed: Deck = field(repr=False)
    faces: tuple[int, ...] = field(repr=False)


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
    if known is not None and hand.locks[-1] is known.sealed:
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
    if known is None or known.opened != opened or hand.locks[-1] is not known.sealed:
        bad = _first_bad_pass(hand.order, opened, hand.shuffles, hand.locks, n, map)
        if bad is not None:
            raise _replay_fault(hand, *bad)
    return replayed_faces([opened[seat] for seat in hand.order])


def _replay_fault(hand: Hand, seat: int, is_lock: bool) -> PeerFault:
    height = hand.passes[seat][is_lock]
    assert height is not None
    name = "lock" if is_lock else "shuffle"
    return PeerFault(
        Code.REPLAY, f"the {name} does not follow from the revealed seed", seat=seat, height=height
    )


def _first_bad_pass(
    order: tuple[int, ...],
    opened: tuple[HandSecrets, ...],
    shuffles: tuple[Deck, ...],
    locks: tuple[Deck, ...],
    n: int,
    spread: MapLike,
) -> tuple[int, bool] | None:
    """The seat and whether it is its lock of the first pass that does not replay, or None."""
    decks = (first_deck(n), *shuffles, *locks)
    works = [(opened[order[i % 3]], i >= 3, *ends) for i, ends in enumerate(pairwise(decks))]
    for (secrets, is_lock, _, _), good in zip(works, spread(_replays, works), strict=True):
        if not good:
            return secrets.seat, is_lock
    return None


def _replays(work: tuple[HandSecrets, bool, Deck, Deck]) -> bool:
    secrets, is_lock, deck_in, deck_out = work
    return (replays_lock if is_lock else replays_shuffle)(secrets, deck_in, deck_out)


FinishedBodies = Mapping[int, tuple[Commit, ShuffleDeck, LockDeck, RevealSeed]]
"""By seat, the entries of a hand from which it can be computed again."""


def foresee(hand: Hand, bodies: FinishedBodies, n: int, spread: MapLike = map) -> Foresight | None:
    """Compute a whole hand ahead of acceptance; None unless every seed, label and pass agrees."""
    wire = [bodies[seat][1].deck for seat in hand.order] + [bodies[seat][2].deck for seat in hand.order]
    labels = {seat: bodies[seat][0].labels for seat in bodies}
    if any(len(data) != 32 * n for data in (*wire, *labels.values())):
        return None
    try:
        opened = tuple(spread(lambda seat: _secrets(hand, seat, bodies[seat], n), sorted(bodies)))
    except Fault:
        return None
    decks = [split(data) for data in wire]
    if any(len(set(deck)) != n for deck in decks):
        return None
    if _first_bad_pass(hand.order, opened, tuple(decks[:3]), tuple(decks[3:]), n, spread) is not None:
        return None
    return Foresight(
        hand_id=hand.hand_id,
        opened=(opened[0], opened[1], opened[2]),
        decks=dict(zip(wire, decks, strict=True)),
        sealed=decks[-1],
        faces=replayed_faces([opened[seat] for seat in hand.order]),
    )


def _secrets(
    hand: Hand, seat: int, bodies: tuple[Commit, ShuffleDeck, LockDeck, RevealSeed], n: int
) -> HandSecrets:
    commit, _, _, reveal = bodies
    return check_seed(reveal.seed, hand.hand_id, seat, n, commit.c, commit.A, split(commit.labels))
