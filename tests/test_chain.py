"""ledger.chain: signatures, entries, heads, the descriptor, nonces and words."""

import hashlib
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import edwards
from tests.vectors import Vector, crypto, hexed, load
from tongits_lan.deck.group import frame, h32
from tongits_lan.errors import Code, Fault
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import Match, fresh_match
from tongits_lan.ledger import chain
from tongits_lan.ledger.chain import SMALL_ORDER_Y, SeatEntry, parse_descriptor, parse_entry
from tongits_lan.ledger.encoding import pack
from tongits_lan.ledger.messages import Ready, Sit, decode_body, kind_of
from tongits_lan.ledger.words import WORDS

LEDGER = crypto()["ledger"]
DESCRIPTOR = hexed(LEDGER["descriptor"])
TABLE_ID = hexed(LEDGER["table_id"])
NONCES = [hexed(nonce) for nonce in LEDGER["nonces"]]
ENTRIES = [hexed(entry["entry"]) for entry in LEDGER["entries"]]
KEYS = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(3)]


def entry_verdict(raw: bytes) -> str:
    try:
        entry = parse_entry(raw)
    except Fault as fault:
        return fault.code
    assert entry.raw == raw
    assert pack([entry.payload, entry.sig]) == raw
    assert pack([entry.seat, entry.height, entry.prev, entry.body_value]) == entry.payload
    return "ok"


def descriptor_verdict(raw: bytes) -> str:
    try:
        parse_descriptor(raw)
        return "ok"
    except Fault as fault:
        found = fault
    assert found.text.isprintable(), "a stranger's text could steer the screen"
    return found.code


# Another implementation's table.


def test_the_shared_table() -> None:
    descriptor = parse_descriptor(DESCRIPTOR)
    assert descriptor.table_id == chain.table_id(DESCRIPTOR) == TABLE_ID
    assert [seat.pk for seat in descriptor.seats] == [hexed(pk) for pk in LEDGER["pk"]]
    for seat, nonce, commit in zip(descriptor.seats, NONCES, LEDGER["nonce_commits"], strict=True):
        assert chain.nonce_commitment(seat.pk, nonce) == seat.nonce_commit == hexed(commit)
    assert chain.coin(NONCES) == LEDGER["dealer0"]
    assert chain.table_words(TABLE_ID, NONCES) == tuple(WORDS[byte] for byte in LEDGER["words"])


def test_the_shared_entries_are_one_chain() -> None:
    head = TABLE_ID
    descriptor = parse_descriptor(DESCRIPTOR)
    for height, (raw, given_entry) in enumerate(zip(ENTRIES, LEDGER["entries"], strict=True)):
        entry = parse_entry(raw)
        assert (entry.height, entry.prev) == (height, head)
        assert chain.check_signature(descriptor.seats[entry.seat].pk, TABLE_ID, entry.payload, entry.sig)
        decode_body(entry.body_value)
        head = chain.head_after(TABLE_ID, entry.payload)
        assert head == hexed(given_entry["head_after"])


def test_the_shared_entries_are_signed_again_byte_for_byte() -> None:
    """Ed25519 is deterministic; the seats' private seeds are 01.., 02.., 03.."""
    for raw in ENTRIES:
        entry = parse_entry(raw)
        key = Ed25519PrivateKey.from_private_bytes(bytes([entry.seat + 1]) * 32)
        body = decode_body(entry.body_value)
        assert chain.sign_entry(key, TABLE_ID, entry.seat, entry.height, entry.prev, body) == raw


def test_the_shared_entries_of_a_hand_have_form_and_signature() -> None:
    kinds = []
    for raw in crypto()["hand"]["entries"]:
        entry = parse_entry(hexed(raw))
        pk = hexed(LEDGER["pk"][entry.seat])
        assert chain.check_signature(pk, TABLE_ID, entry.payload, entry.sig)
        kinds.append(kind_of(decode_body(entry.body_value)))
    assert kinds == ["commit"] * 3 + ["shuffle"] * 3 + ["lock"] * 3


def test_the_shared_descriptor_is_built_again_byte_for_byte() -> None:
    found = parse_descriptor(DESCRIPTOR)
    again = chain.build_descriptor(found.unix_seconds, found.rules, found.seats, found.start, found.previous)
    assert again == found


@pytest.mark.parametrize("item", crypto()["result"], ids=lambda item: item["digest"][:6])
def test_shared_results(item: dict[str, Any]) -> None:
    hand_no, chips, pot, streak_seat, streak_length, dealer = item["fields"]
    match = Match(tuple(chips), pot, streak_seat, streak_length, dealer, "next")
    assert chain.result_digest(hand_no, match).hex() == item["digest"]


@pytest.mark.parametrize(
    "item", [n for n in crypto()["negative"] if n["of"] == "entry0"], ids=lambda n: n["id"]
)
def test_shared_negatives(item: dict[str, Any]) -> None:
    parts = {
        "pk": bytearray(hexed(LEDGER["pk"][0])),
        "table_id": bytearray(TABLE_ID),
        "payload": bytearray(hexed(LEDGER["entries"][0]["payload"])),
        "sig": bytearray(hexed(LEDGER["entries"][0]["sig"])),
    }
    for name, at, value in item["edits"]:
        parts[name][int(at) : int(at) + len(hexed(value))] = hexed(value)
    pk, table, payload, sig = (bytes(part) for part in parts.values())
    assert not chain.check_signature(pk, table, payload, sig)
    assert chain.good_public_key(pk) == (item["expect"] == "signature")


# Signatures.


@pytest.mark.parametrize("vector", load("ledger/signatures.json"), ids=str)
def test_signature_vectors(vector: Vector) -> None:
    pk, sig = vector.bytes("pk"), vector.bytes("sig")
    holds = chain.check_signature(pk, vector.bytes("table_id"), vector.bytes("payload"), sig)
    assert holds == (vector.expect == "ok")
    assert chain.good_public_key(pk) == (vector.expect != "descriptor")


def test_the_keys_of_small_order_are_all_listed() -> None:
    points = edwards.torsion()
    assert len(set(points)) == 8
    assert {y for _, y in points} == SMALL_ORDER_Y
    assert all(not chain.good_public_key(edwards.encode(point)) for point in points)


def test_under_a_key_of_small_order_one_signature_fits_every_message() -> None:
    """Why such keys are refused: without that check the library accepts it."""
    key, sig = edwards.encode(edwards.NEUTRAL), edwards.encode(edwards.NEUTRAL) + bytes(32)
    public = Ed25519PublicKey.from_public_bytes(key)
    public.verify(sig, b"one")
    public.verify(sig, b"two")
    assert not chain.signature_holds(key, b"one", sig)


def test_the_equation_has_no_cofactor() -> None:
    """Two signatures that hold with the cofactor are refused: peers with other libraries would split."""
    a, message, turn = 12345, b"message", edwards.torsion()[1]
    point = edwards.mult(a, edwards.BASE)
    key = edwards.encode(point)
    sig = edwards.sign(a, key, message, nonce=77, twist=turn)
    moved_r = edwards.add(edwards.mult(77, edwards.BASE), turn)
    assert edwards.holds_with_cofactor(point, moved_r, message, sig)
    assert not chain.signature_holds(key, message, sig)
    assert chain.signature_holds(key, message, edwards.sign(a, key, message, nonce=77))

    mixed = edwards.add(point, turn)
    for nonce in range(50, 70):
        sig = edwards.sign(a, edwards.encode(mixed), message, nonce=nonce)
        r = edwards.mult(nonce, edwards.BASE)
        assert edwards.holds_with_cofactor(mixed, r, message, sig)
        h = edwards.challenge(sig[:32], edwards.encode(mixed), message)
        assert chain.signature_holds(edwards.encode(mixed), message, sig) == (h % 8 == 0)


def test_s_must_be_below_the_order() -> None:
    sig = KEYS[0].sign(b"message")
    s = int.from_bytes(sig[32:], "little")
    assert chain.signature_holds(chain.public_bytes(KEYS[0]), b"message", sig)
    for wrong in (s + edwards.L, s + 8 * edwards.L, s | 1 << 255):
        changed = sig[:32] + wrong.to_bytes(32, "little")
        assert not chain.signature_holds(chain.public_bytes(KEYS[0]), b"message", changed)


@pytest.mark.parametrize("y", [*range(edwards.P, 2**255), 2**255 - 1])
def test_y_must_be_below_the_prime(y: int) -> None:
    for sign in (0, 1 << 255):
        assert not chain.good_public_key((y | sign).to_bytes(32, "little"))


@given(st.binary(max_size=40), st.binary(max_size=70))
@settings(deadline=None)
def test_any_bytes_for_key_and_signature_are_judged(pk: bytes, sig: bytes) -> None:
    assert not chain.signature_holds(pk, b"message", sig)
    assert chain.good_public_key(pk) is False or len(pk) == 32


# Entries.


@pytest.mark.parametrize("vector", load("ledger/entries.json"), ids=str)
def test_entry_vectors(vector: Vector) -> None:
    assert entry_verdict(vector.bytes("entry")) == vector.expect


def test_a_signed_entry_holds_at_its_table_only() -> None:
    raw = chain.sign_entry(KEYS[1], TABLE_ID, 1, 300, bytes(32), Sit(h32("x")))
    entry = parse_entry(raw)
    assert (entry.seat, entry.height, entry.prev) == (1, 300, bytes(32))
    assert decode_body(entry.body_value) == Sit(h32("x"))
    pk = chain.public_bytes(KEYS[1])
    assert chain.check_signature(pk, TABLE_ID, entry.payload, entry.sig)
    assert chain.signature_holds(pk, frame("entry", TABLE_ID, entry.payload), entry.sig)
    assert not chain.check_signature(pk, bytes(32), entry.payload, entry.sig)
    assert not chain.check_signature(chain.public_bytes(KEYS[0]), TABLE_ID, entry.payload, entry.sig)


def test_the_signature_has_no_part_in_the_head() -> None:
    one = parse_entry(chain.sign_entry(KEYS[0], TABLE_ID, 0, 0, TABLE_ID, Ready()))
    two = parse_entry(pack([one.payload, bytes(64)]))
    assert chain.head_after(TABLE_ID, one.payload) == chain.head_after(TABLE_ID, two.payload)
    assert chain.head_after(bytes(32), one.payload) != chain.head_after(TABLE_ID, one.payload)


@given(st.data(), st.sampled_from(ENTRIES))
@settings(max_examples=200, deadline=None)
def test_changed_bytes_of_an_entry_never_hold(data: st.DataObject, raw: bytes) -> None:
    at = data.draw(st.integers(0, len(raw)))
    changed = raw[:at] + data.draw(st.binary(max_size=3)) + raw[at + data.draw(st.integers(0, 3)) :]
    if changed == raw:
        return
    verdict = entry_verdict(changed)
    assert verdict in {"ok", Code.DECODE, Code.CANONICAL, Code.SEAT}
    if verdict == "ok":
        entry = parse_entry(changed)
        pk = hexed(LEDGER["pk"][entry.seat])
        assert not chain.check_signature(pk, TABLE_ID, entry.payload, entry.sig)


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_are_an_entry_or_a_fault(raw: bytes) -> None:
    assert entry_verdict(raw) in {Code.DECODE, Code.CANONICAL}


def test_noise_of_a_megabyte_is_refused_by_its_size() -> None:
    assert entry_verdict(hashlib.shake_256(b"noise").digest(1_000_000)) == Code.SIZE


# The descriptor.


@pytest.mark.parametrize("vector", load("ledger/descriptors.json"), ids=str)
def test_descriptor_vectors(vector: Vector) -> None:
    raw = vector.bytes("descriptor")
    assert descriptor_verdict(raw) == vector.expect
    if vector.expect == "ok":
        assert parse_descriptor(raw).table_id == vector.bytes("table_id")


def test_every_byte_of_the_descriptor_counts() -> None:
    for at in range(0, len(DESCRIPTOR), 3):
        changed = DESCRIPTOR[:at] + bytes([DESCRIPTOR[at] ^ 1]) + DESCRIPTOR[at + 1 :]
        assert descriptor_verdict(changed) in {"ok", Code.DESCRIPTOR}
        assert chain.table_id(changed) != TABLE_ID


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_are_no_descriptor(raw: bytes) -> None:
    assert descriptor_verdict(raw) == Code.DESCRIPTOR


def test_the_hour_of_a_table_is_one_that_can_be_written() -> None:
    rules = PRESETS["pagat"]
    latest = chain.build_descriptor(2**34 - 1, rules, seats(), fresh_match(), None)
    assert datetime.fromtimestamp(latest.unix_seconds, UTC).year == 2514
    for hour in (2**34, 2**38, 2**62):
        with pytest.raises(Fault, match="17179869183") as caught:
            chain.build_descriptor(hour, rules, seats(), fresh_match(), None)
        assert caught.value.code is Code.DESCRIPTOR


def test_a_streak_at_the_start_leaves_room_to_grow() -> None:
    before = (bytes(32), bytes(32))
    longest = msgspec.structs.replace(fresh_match(), streak_seat=1, streak_length=2**53 - 1, dealer=1)
    assert chain.build_descriptor(1, PRESETS["pagat"], seats(), longest, before).start == longest
    for length in (2**53, 2**63 - 1):
        longer = msgspec.structs.replace(longest, streak_length=length)
        with pytest.raises(Fault) as caught:
            chain.build_descriptor(1, PRESETS["pagat"], seats(), longer, before)
        assert caught.value.code is Code.DESCRIPTOR


def test_a_descriptor_has_the_size_of_a_frame_at_most() -> None:
    wide = msgspec.structs.replace(PRESETS["pagat"], preset="p" * 65_536)
    with pytest.raises(Fault, match="at most 65536"):
        chain.build_descriptor(1, wide, seats(), fresh_match(), None)


def seats() -> tuple[SeatEntry, SeatEntry, SeatEntry]:
    def seat(number: int, name: str) -> SeatEntry:
        pk = chain.public_bytes(KEYS[number])
        return SeatEntry(pk, name, chain.nonce_commitment(pk, NONCES[number]), pk)

    return seat(0, "Ana"), seat(1, "Ben"), seat(2, "Carlo")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_descriptor_of_each_preset_comes_back(preset: str) -> None:
    built = chain.build_descriptor(1_700_000_000, PRESETS[preset], seats(), fresh_match(), None)
    assert parse_descriptor(built.raw) == built
    assert built.rules == PRESETS[preset]
    assert built.start.ante == "first"


def test_a_table_that_goes_on_with_a_pot_pays_the_later_ante() -> None:
    match = Match((-4, -4, -4), 12, None, 0, 2, "next")
    built = chain.build_descriptor(1, PRESETS["pagat"], seats(), match, (TABLE_ID, bytes(32)))
    assert built.start == match
    assert built.previous == (TABLE_ID, bytes(32))


def test_building_what_is_wrong_is_a_fault() -> None:
    twins = (seats()[0], seats()[0], seats()[2])
    with pytest.raises(Fault, match="one key in two seats"):
        chain.build_descriptor(1, PRESETS["pagat"], twins, fresh_match(), None)


def test_fingerprint_is_of_the_first_four_bytes() -> None:
    pk = chain.public_bytes(KEYS[0])
    expected = tuple(WORDS[byte] for byte in hashlib.sha256(frame("fingerprint", pk)).digest()[:4])
    assert chain.fingerprint(pk) == expected
