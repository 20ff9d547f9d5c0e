"""The published vectors of the deck room, positive and negative: protocol/vectors/crypto.json.

The parts `ledger`, `msgpack`, `result` and the base `entry0` belong to the ledger and are judged with it.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from tests.deck_plain import stream
from tongits_lan.deck import group
from tongits_lan.deck.group import check_element, check_scalar
from tongits_lan.deck.opening import check_key, open_all, open_element, replayed_faces
from tongits_lan.deck.proofs import prove_lock, prove_shuffle, verify_lock, verify_shuffle
from tongits_lan.deck.secrets import HandSecrets, check_commitment, check_seed, derive, hand_id
from tongits_lan.deck.shuffle import (
    check_deck,
    first_deck,
    join,
    lock,
    replays_lock,
    replays_shuffle,
    shuffle,
    split,
)
from tongits_lan.errors import Code, Fault

FILE = Path(__file__).parent.parent / "protocol" / "vectors" / "crypto.json"
Fields = dict[str, bytes]
N = 52


class HashVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tag: str
    fields: list[str]
    frame: str
    H32: str
    H64: str
    Hs: str


class SeatVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    seed: str
    a: str
    A: str
    k0: str
    k51: str
    L0: str
    L51: str
    labels_sha256: str
    p: list[int]
    c: str


class DeckVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: str
    sha256: str
    first: str
    last: str
    deck: str


class HandVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand_no: int
    head_before: str
    hand_id: str
    order: list[int]
    seats: list[SeatVector]
    decks: list[DeckVector]
    faces: list[int]
    faces_text: str
    entries: list[str]


class JokerVector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    how: str
    hand_id: str
    order: list[int]
    p: list[list[int]]
    deck_sha256: list[str]
    faces: list[int]
    k53: list[str]


class Negative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    of: str
    expect: Code
    what: str
    edits: list[tuple[str, int, str]] = []
    cut: tuple[str, int] | None = None


class Vectors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    how: dict[str, str]
    hash: list[HashVector]
    cards: list[str]
    generators: list[str]
    gstar: str
    base_point: str
    ledger: dict[str, Any]
    hand: HandVector
    base: dict[str, dict[str, str]]
    negative: list[Negative]
    msgpack: dict[str, Any]
    result: list[dict[str, Any]]
    joker_hand: JokerVector


VECTORS = msgspec.json.decode(FILE.read_bytes(), type=Vectors)
OF_THE_DECK = [v for v in VECTORS.negative if v.of != "entry0"]


def base(name: str) -> Fields:
    return {key: bytes.fromhex(value) for key, value in VECTORS.base[name].items()}


def vector_hand() -> list[HandSecrets]:
    hand = VECTORS.hand
    return [derive(bytes.fromhex(s.seed), bytes.fromhex(hand.hand_id), s.seat, N) for s in hand.seats]


def deck_chain(seats: list[HandSecrets], n: int) -> list[tuple[bytes, ...]]:
    decks = [first_deck(n)]
    for s in seats:
        decks.append(shuffle(s, decks[-1]))
    for s in seats:
        decks.append(lock(s, decks[-1]))
    return decks


def judge_commit(f: Fields) -> None:
    seen = list(zip(split(f["seen_c"]), split(f["seen_A"]), strict=True))
    check_commitment(f["c"], f["A"], split(f["L"]), seen)


def judge_seed(f: Fields) -> None:
    published = base("lock0")
    check_seed(f["seed"], f["hand_id"], f["seat"][0], N, f["c"], published["A"], split(published["L"]))


def judge_shuffle(f: Fields) -> None:
    verify_shuffle(f["ctx"], f["A"], split(f["E"]), split(f["F"]), f["proof"])


def judge_lock(f: Fields) -> None:
    verify_lock(f["ctx"], f["A"], split(f["L"]), split(f["E"]), split(f["F"]), f["proof"])


JUDGES: dict[str, Callable[[Fields], object]] = {
    "element": lambda f: check_element(f["element"], "the element"),
    "scalar": lambda f: check_scalar(f["scalar"], "the scalar"),
    "deck1": lambda f: check_deck(f["deck"], N, "the deck"),
    "commit": judge_commit,
    "shuffle0": judge_shuffle,
    "lock0": judge_lock,
    "key5": lambda f: check_key(f["key"], f["label"], "the key"),
    "seed0": judge_seed,
    "opening5": lambda f: open_element(f["F"], (f["k0"], f["k1"], f["k2"]), N),
}


def test_every_base_but_the_signed_entry_is_judged_here() -> None:
    assert set(VECTORS.base) - set(JUDGES) == {"entry0"}
    assert {v.of for v in OF_THE_DECK} == set(JUDGES)
    assert len({v.id for v in VECTORS.negative}) == len(VECTORS.negative)


@pytest.mark.parametrize("vector", VECTORS.hash, ids=lambda v: f"{v.tag}-{len(v.fields)}")
def test_hash(vector: HashVector) -> None:
    fields = [bytes.fromhex(value) for value in vector.fields]
    assert group.frame(vector.tag, *fields).hex() == vector.frame
    assert group.h32(vector.tag, *fields).hex() == vector.H32
    assert group.h64(vector.tag, *fields).hex() == vector.H64
    assert group.hs(vector.tag, *fields).hex() == vector.Hs


def test_constants() -> None:
    assert [element.hex() for element in group.CARDS] == VECTORS.cards
    assert [element.hex() for element in group.GENERATORS] == VECTORS.generators
    assert group.G_STAR.hex() == VECTORS.gstar
    assert group.BASE.hex() == VECTORS.base_point


def test_hand_id() -> None:
    table_id = bytes.fromhex(VECTORS.ledger["table_id"])
    head = bytes.fromhex(VECTORS.hand.head_before)
    assert hand_id(table_id, VECTORS.hand.hand_no, head).hex() == VECTORS.hand.hand_id


@pytest.mark.parametrize("seat", range(3))
def test_secrets_of_a_seat(seat: int) -> None:
    s, vector = vector_hand()[seat], VECTORS.hand.seats[seat]
    assert (s.a.hex(), s.A.hex(), s.c.hex()) == (vector.a, vector.A, vector.c)
    assert (s.k[0].hex(), s.k[51].hex()) == (vector.k0, vector.k51)
    assert (s.labels[0].hex(), s.labels[51].hex()) == (vector.L0, vector.L51)
    assert hashlib.sha256(join(s.labels)).hexdigest() == vector.labels_sha256
    assert list(s.p) == vector.p


def test_decks_and_faces() -> None:
    seats = vector_hand()
    assert VECTORS.hand.order == [s.seat for s in seats]
    decks = deck_chain(seats, N)
    assert [join(deck).hex() for deck in decks] == [vector.deck for vector in VECTORS.hand.decks]
    for deck, vector in zip(decks, VECTORS.hand.decks, strict=True):
        assert (deck[0].hex(), deck[-1].hex()) == (vector.first, vector.last)
        assert hashlib.sha256(join(deck)).hexdigest() == vector.sha256
        assert check_deck(bytes.fromhex(vector.deck), N, "the deck") == deck
    for i, s in enumerate(seats):
        assert replays_shuffle(s, decks[i], decks[i + 1])
        assert replays_lock(s, decks[i + 3], decks[i + 4])
    faces = open_all(decks[6], tuple(s.k for s in seats), N)
    assert list(faces) == VECTORS.hand.faces
    assert replayed_faces(seats) == faces


def test_joker_hand() -> None:
    vector = VECTORS.joker_hand
    seats = [
        derive(bytes.fromhex(s.seed), bytes.fromhex(vector.hand_id), s.seat, 54) for s in VECTORS.hand.seats
    ]
    assert [list(s.p) for s in seats] == vector.p
    assert [s.k[53].hex() for s in seats] == vector.k53
    decks = deck_chain([seats[i] for i in vector.order], 54)
    assert [hashlib.sha256(join(deck)).hexdigest() for deck in decks] == vector.deck_sha256
    assert list(open_all(decks[6], tuple(s.k for s in seats), 54)) == vector.faces


def test_proofs_are_reproduced_from_their_nonces() -> None:
    s = vector_hand()[0]
    f = base("shuffle0")
    assert prove_shuffle(s, split(f["E"]), split(f["F"]), stream(b"/shuffle")) == f["proof"]
    f = base("lock0")
    assert prove_lock(s, split(f["E"]), split(f["F"]), stream(b"/lock")) == f["proof"]


def verdict(name: str, fields: Fields) -> Code | None:
    """The code of the fault that is found in these fields; None: there is none."""
    try:
        JUDGES[name](fields)
    except Fault as fault:
        return fault.code
    return None


@pytest.mark.parametrize("name", sorted(JUDGES))
def test_unchanged_base_is_accepted(name: str) -> None:
    assert verdict(name, base(name)) is None


@pytest.mark.parametrize("vector", OF_THE_DECK, ids=lambda v: v.id)
def test_negative(vector: Negative) -> None:
    fields = base(vector.of)
    for name, offset, data in vector.edits:
        new = bytes.fromhex(data)
        fields[name] = fields[name][:offset] + new + fields[name][offset + len(new) :]
    if vector.cut is not None:
        name, length = vector.cut
        fields[name] = fields[name][:length]
    assert fields != base(vector.of)
    assert verdict(vector.of, fields) is vector.expect, vector.what


@pytest.mark.parametrize("where", ["top", "negative"])
def test_an_unknown_key_in_the_vectors_fails_the_loader(where: Literal["top", "negative"]) -> None:
    data = json.loads(FILE.read_bytes())
    (data if where == "top" else data["negative"][0])["surprise"] = 1
    with pytest.raises(msgspec.ValidationError, match="surprise"):
        msgspec.json.decode(json.dumps(data), type=Vectors)
