"""Looks for secrets where none may be: in outputs, logs and ledgers of a finished match.

Owns the forms a secret may hide in (raw, hexadecimal, base64 at every alignment, Python's own notations) and
the rule of when a card may be known to a seat. The truth it searches with comes from the match itself: the
seeds its ledger reveals, the keys they give, the identity keys of the players. Prints nothing.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tongits_lan.cli.as_json import event_object
from tongits_lan.cli.replay import Walk
from tongits_lan.deck.secrets import derive
from tongits_lan.game.cards import card_text
from tongits_lan.ledger.state import Hand, HandSettled, State

PREFIX = 8  # bytes of a form that must fit before the whole is compared
_CARD = re.compile(r"\b(?:[A23456789TJQK][CDHS]|X[12])\b")


@dataclass(frozen=True, slots=True)
class Secret:
    """32 bytes nobody else may see (before their time); `seat` and `slot` say whose, `what` is for people."""

    what: str
    value: bytes
    hand: int | None = None
    seat: int | None = None
    slot: int | None = None

    def __repr__(self) -> str:
        return f"Secret({self.what})"


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret found: where, which, and in which form (never the secret itself)."""

    path: Path
    place: int
    what: str
    form: str


def forms(value: bytes) -> Iterator[tuple[str, bytes]]:
    """Every notation of a secret that a careless line could carry."""
    yield "raw", value
    yield "hex", value.hex().encode()
    yield "HEX", value.hex().upper().encode()
    yield "repr", repr(value)[2:-1].encode()
    yield "list", str(list(value))[1:-1].encode()
    yield "int", str(int.from_bytes(value, "little")).encode()
    yield "big-endian int", str(int.from_bytes(value, "big")).encode()
    for shift in range(3):
        plain = base64.b64encode(bytes(shift) + value)
        # the characters that also hold neighbouring bytes are cut off at both ends
        inner = plain[(0, 2, 3)[shift] : len(plain) - (0, 3, 2)[(shift + len(value)) % 3]]
        yield f"base64+{shift}", inner
        if inner.translate(bytes.maketrans(b"+/", b"-_")) != inner:
            yield f"base64url+{shift}", inner.translate(bytes.maketrans(b"+/", b"-_"))


def secrets_of(walk: Walk) -> list[Secret]:
    """The seeds a ledger reveals, with every scalar that follows from them."""
    found: list[Secret] = []
    for step in walk.steps:
        hand = step.state.hand
        if hand is None or not any(isinstance(event, HandSettled) for event in step.events):
            continue
        for seat, seed in enumerate(hand.seeds):
            if seed is not None:
                found.extend(_hand_secrets(hand, seat, seed, step.state.n))
    return found


def _hand_secrets(hand: Hand, seat: int, seed: bytes, n: int) -> Iterator[Secret]:
    derived = derive(seed, hand.hand_id, seat, n)
    yield Secret(f"seed of seat {seat}, hand {hand.number}", seed, hand.number, seat)
    yield Secret(f"shuffle scalar of seat {seat}, hand {hand.number}", derived.a, hand.number, seat)
    for slot, key in enumerate(derived.k):
        yield Secret(f"key of slot {slot}, seat {seat}, hand {hand.number}", key, hand.number, seat, slot)


class Needles:
    """All forms of all secrets, found in one walk over the bytes."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._by_prefix: dict[bytes, list[tuple[bytes, str, Secret]]] = {}
        for secret in secrets:
            for form, needle in forms(secret.value):
                self._by_prefix.setdefault(needle[:PREFIX], []).append((needle, form, secret))

    def occurrences(self, data: bytes) -> Iterator[tuple[int, str, Secret]]:
        """(offset, form, secret) of each occurrence."""
        known = self._by_prefix
        for offset in range(len(data) - PREFIX + 1):
            if data[offset : offset + PREFIX] in known:
                for needle, form, secret in known[data[offset : offset + PREFIX]]:
                    if data.startswith(needle, offset):
                        yield offset, form, secret


def search_texts(paths: Iterable[Path], needles: Needles) -> list[Finding]:
    """Secrets in outputs and logs, where they may not be at any time."""
    return [
        Finding(path, offset, secret.what, form)
        for path in paths
        for offset, form, secret in needles.occurrences(path.read_bytes())
    ]


def search_ledger(path: Path, walk: Walk, needles: Needles) -> list[Finding]:
    """Secrets in a ledger before the entry that publishes them by the protocol's own account.

    `walk` is that of the bytes in `path`."""
    found = [
        Finding(path, offset, secret.what, form)
        for offset, form, secret in needles.occurrences(walk.file.descriptor_raw or b"")
    ]
    for step in walk.steps:
        for _, form, secret in needles.occurrences(step.raw):
            if form != "raw" or not _public(secret, step.state):
                found.append(Finding(path, step.height, secret.what, form))
    return found


def _public(secret: Secret, state: State) -> bool:
    hand = state.hand
    if hand is None or secret.seat is None or hand.number != secret.hand:
        return False
    if secret.slot is not None:
        return hand.keys[secret.seat].get(secret.slot) == secret.value
    return hand.seeds[secret.seat] == secret.value


def search_log_cards(paths: Iterable[Path]) -> list[Finding]:
    """Cards named in a log: none may be, shown or not."""
    return [
        Finding(path, match.start(), f"the card {match.group()}", "text")
        for path in paths
        for match in _CARD.finditer(path.read_text("utf-8", "replace"))
    ]


def search_faces(output: Path, walk: Walk, seat: int) -> list[Finding]:
    """Cards in the JSON lines a seat's program printed, named before this seat may know them.

    The lines that tell ledger events are matched with those of the ledger, which dates every other line."""
    dated = [(event_object(event), step.state) for step in walk.steps for event in step.events]
    state = walk.start
    ahead = iter(dated)
    expected = next(ahead, None)
    found: list[Finding] = []
    for number, line in enumerate(output.read_text("utf-8").splitlines()):
        value = json.loads(line)
        if expected is not None and all(value.get(key) == part for key, part in expected[0].items()):
            state = expected[1]
            expected = next(ahead, None)
        for slot, card in _faces_in(value):
            if not _may_know(state, seat, slot, card):
                found.append(Finding(output, number, f"the card {card} in slot {slot}", "json"))
    if expected is not None:
        found.append(
            Finding(output, -1, f"no line tells of {expected[0]['event']}: its cards cannot be dated", "json")
        )
    return found


def _faces_in(value: object) -> Iterator[tuple[int, str]]:
    """(slot, card text) pairs anywhere in a JSON line; `faces` lists a whole deck in slot order."""
    if isinstance(value, Mapping):
        slot, card = value.get("slot"), value.get("card")
        if isinstance(slot, int) and isinstance(card, str):
            yield slot, card
        slots = value.get("slots")
        for field in ("cards", "shown"):
            cards = value.get(field)
            if isinstance(slots, Sequence) and isinstance(cards, Sequence) and len(slots) == len(cards):
                yield from zip(slots, cards, strict=True)
        faces = value.get("faces")
        if isinstance(faces, Sequence) and not isinstance(faces, str):
            yield from enumerate(faces)
        for inner in value.values():
            yield from _faces_in(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from _faces_in(inner)


def _may_know(state: State, seat: int, slot: int, card: str) -> bool:
    """Whether a seat knows this slot in this state: it is public, or dealt to or drawn by this seat."""
    hand = state.hand
    if hand is None:
        return False
    face = hand.faces.get(slot)
    if face is not None:
        return card_text(face) == card
    others = [keys for other, keys in enumerate(hand.keys) if other != seat]
    return all(slot in keys for keys in others)
