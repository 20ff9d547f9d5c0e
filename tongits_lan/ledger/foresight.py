"""A finished hand computed from its revealed seeds before it is accepted, when it lies whole in a file.

Owns the work done ahead, cut by seat so that several workers can share it, and `Foresight`, what is known
when all of it agrees. Must not know whose turn it is or rules of the game. Foresight is never believed
where a ledger differs from it: what is not equal to what was computed here gets the full check.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tongits_lan.deck.opening import replayed_faces
from tongits_lan.deck.secrets import HandSecrets, check_seed, hand_id
from tongits_lan.deck.shuffle import first_deck, replays_lock, replays_shuffle, split
from tongits_lan.errors import Fault
from tongits_lan.ledger.chain import Entry, check_signature
from tongits_lan.ledger.messages import Body, Commit, ForfeitHand, LockDeck, NextHand, RevealSeed, ShuffleDeck
from tongits_lan.ledger.state import Deck
from tongits_lan.limits import SEATS

MapLike = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""`map`, or one that works on several items at once and gives the results in their order."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """What the seeds of a hand give, known to be what its commitments, labels and decks say."""

    hand_id: bytes
    opened: tuple[HandSecrets, HandSecrets, HandSecrets] = field(repr=False)
    decks: Mapping[bytes, Deck] = field(repr=False)
    """By wire form; each follows from the one before by a replayed pass, so every element is valid."""
    order: tuple[int, ...]
    passes: tuple[Deck, ...] = field(repr=False)
    """The decks after each shuffle and each lock, made by the seats in this order."""
    faces: tuple[int, ...] = field(repr=False)
    signed: frozenset[bytes] = field(repr=False)
    """Raw entries whose signature holds."""


@dataclass(frozen=True, slots=True)
class SeatWork:
    """What one worker checks: all that one seat wrote in a hand. Plain bytes, fit to be sent elsewhere."""

    seat: int
    n: int
    hand_id: bytes
    table_id: bytes
    pk: bytes
    commit: Commit
    seed: bytes = field(repr=False)
    shuffled: tuple[Deck, Deck] = field(repr=False)
    locked: tuple[Deck, Deck] = field(repr=False)
    entries: tuple[Entry, ...] = field(repr=False)


SeatDone = tuple[HandSecrets, tuple[bytes, ...]]
"""The secrets of a seat, and its entries whose signature holds."""


def do_seat_work(work: SeatWork) -> SeatDone | None:
    """Check one seat's part of a hand; None unless its seed gives its labels and both its passes."""
    commit = work.commit
    try:
        secrets = check_seed(
            work.seed, work.hand_id, work.seat, work.n, commit.c, commit.A, split(commit.labels)
        )
    except Fault:
        return None
    if not replays_shuffle(secrets, *work.shuffled) or not replays_lock(secrets, *work.locked):
        return None
    signed = (e.raw for e in work.entries if check_signature(work.pk, work.table_id, e.payload, e.sig))
    return secrets, tuple(signed)


class HandAhead:
    """A whole hand found in a file, its work handed out; `result` waits for it."""

    def __init__(self, works: list[SeatWork], decks: tuple[Deck, ...], wire: list[bytes], spread: MapLike):
        self._hand_id = works[0].hand_id
        self._decks = decks
        self._wire = wire
        self._done: Iterable[SeatDone | None] = spread(do_seat_work, works)

    def result(self) -> Foresight | None:
        """What is known of the hand; None unless everything agrees."""
        done = list(self._done)
        good = [item for item in done if item is not None]
        if len(good) < len(done) or any(len(set(deck)) != len(deck) for deck in self._decks):
            return None
        in_turn = [secrets for secrets, _ in good]
        by_seat = sorted(in_turn, key=lambda secrets: secrets.seat)
        return Foresight(
            hand_id=self._hand_id,
            opened=(by_seat[0], by_seat[1], by_seat[2]),
            decks=dict(zip(self._wire, self._decks, strict=True)),
            order=tuple(secrets.seat for secrets in in_turn),
            passes=self._decks,
            faces=replayed_faces(in_turn),
            signed=frozenset(raw for _, raws in good for raw in raws),
        )


@dataclass(slots=True)
class _Written:
    """What the seats wrote in a hand, as far as it has been read."""

    entries: list[Entry] = field(default_factory=list)
    commits: dict[int, Commit] = field(default_factory=dict)
    shuffles: dict[int, bytes] = field(default_factory=dict)
    locks: dict[int, bytes] = field(default_factory=dict)
    seeds: dict[int, bytes] = field(default_factory=dict)

    def add(self, entry: Entry, body: Body) -> None:
        self.entries.append(entry)
        match body:
            case Commit():
                self.commits.setdefault(entry.seat, body)
            case ShuffleDeck(deck):
                self.shuffles.setdefault(entry.seat, deck)
            case LockDeck(deck):
                self.locks.setdefault(entry.seat, deck)
            case RevealSeed(seed):
                self.seeds.setdefault(entry.seat, seed)
            case _:
                pass


def look_ahead(
    table_id: bytes,
    pks: tuple[bytes, bytes, bytes],
    n: int,
    number: int,
    entries: Iterable[tuple[Entry, Body]],
    spread: MapLike,
) -> HandAhead | None:
    """Read the hand that begins with the first of `entries` and hand out its work; None if it is not whole.

    Who writes when is taken from the entries themselves: a hand in another order is not what acceptance
    will see, and then nothing here is used.
    """
    written = _Written()
    for entry, body in entries:
        written.add(entry, body)
        if len(written.seeds) == SEATS:
            break
        if isinstance(body, ForfeitHand | NextHand):
            return None
    order = tuple(written.commits)
    passes = (tuple(written.shuffles), tuple(written.locks))
    if len(written.seeds) < SEATS or len(order) < SEATS or any(seats != order for seats in passes):
        return None
    wire = [*written.shuffles.values(), *written.locks.values()]
    if any(len(data) != 32 * n for data in (*wire, *(c.labels for c in written.commits.values()))):
        return None
    decks = tuple(split(data) for data in wire)
    ends = list(pairwise((first_deck(n), *decks)))
    name = hand_id(table_id, number, written.entries[0].prev)
    works = [
        SeatWork(
            seat=seat,
            n=n,
            hand_id=name,
            table_id=table_id,
            pk=pks[seat],
            commit=written.commits[seat],
            seed=written.seeds[seat],
            shuffled=ends[turn],
            locked=ends[turn + SEATS],
            entries=tuple(entry for entry in written.entries if entry.seat == seat),
        )
        for turn, seat in enumerate(order)
    ]
    return HandAhead(works, decks, wire, spread)
