"""Who is called in to a practice table: any neighbours, and the same ones when it goes on."""

import argparse
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.bots import NEIGHBOURS
from tongits_lan.cli import arguments, seats
from tongits_lan.cli.seats import company
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import fresh_match
from tongits_lan.ledger.chain import SeatEntry, build_descriptor, nonce_commitment, public_bytes
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Journal


def options(folder: Path, **changes: object) -> argparse.Namespace:
    return argparse.Namespace(**{**arguments.DEFAULTS, "data_dir": str(folder), **changes})


def sit_down(folder: Path, names: tuple[str, str], *, persons: tuple[str, ...] = ()) -> bytes:
    """An unfinished table of this folder's identity with two others, bots but for `persons`; the own key."""
    identity = load_or_make_identity(folder)
    nonce = bytes(32)
    entries = [SeatEntry(identity.pk, "Me", nonce_commitment(identity.pk, nonce), identity.pk)]
    for at, name in enumerate(names, 1):
        pk = public_bytes(Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32))
        operator = pk if name in persons else identity.pk
        entries.append(SeatEntry(pk, name, nonce_commitment(pk, bytes([at]) * 32), operator))
    table = (entries[0], entries[1], entries[2])
    descriptor = build_descriptor(1_790_000_000, PRESETS["pagat"], table, fresh_match(), None)
    Journal.create(folder, descriptor, nonce, 0, b"its tag.").close()
    return identity.pk


def test_any_two_of_them_come_to_practice(tmp_path: Path) -> None:
    pk = load_or_make_identity(tmp_path).pk
    met: set[frozenset[str]] = set()
    for seed in range(40):
        names = company(options(tmp_path), pk, seats.BOTS, random.Random(seed))
        assert len(set(names)) == 2
        met.add(frozenset(names))
    assert len(met) == 3
    assert frozenset.union(*met) == {one.name for one in NEIGHBOURS}
    assert company(options(tmp_path), pk, 0, random.Random(0)) == []
    assert company(options(tmp_path), pk, None, random.Random(0)) == []


@pytest.mark.parametrize("names", [("Kuya Jun", "Mang Berto"), ("Aling Nena", "Kuya Jun")])
def test_a_table_goes_on_with_the_same_neighbours(tmp_path: Path, names: tuple[str, str]) -> None:
    pk = sit_down(tmp_path, names)
    for seed in range(5):
        assert company(options(tmp_path), pk, 2, random.Random(seed)) == list(names)


def test_a_table_goes_on_with_the_bot_that_was_called_in_its_lobby(tmp_path: Path) -> None:
    """`tongits host` alone finds it: its player never asked for a bot on the command line."""
    pk = sit_down(tmp_path, ("Mang Berto", "Dora"), persons=("Dora",))
    assert company(options(tmp_path), pk, None, random.Random(0)) == ["Mang Berto"]
    assert company(options(tmp_path), pk, 0, random.Random(0)) == []


def test_practice_is_not_what_a_host_goes_on_with(tmp_path: Path) -> None:
    pk = sit_down(tmp_path, ("Mang Berto", "Kuya Jun"))
    assert company(options(tmp_path), pk, None, random.Random(0)) == []


def test_somebody_unknown_at_an_older_table_comes_back_too(tmp_path: Path) -> None:
    pk = sit_down(tmp_path, ("Lola Ising", "Mang Berto"))
    assert company(options(tmp_path), pk, 2, random.Random(0)) == ["Lola Ising", "Mang Berto"]


def test_a_new_table_or_one_with_fewer_bots_does_not_look_back(tmp_path: Path) -> None:
    pk = sit_down(tmp_path, ("Lola Ising", "Lolo Ben"))
    known = {one.name for one in NEIGHBOURS}
    assert set(company(options(tmp_path, new=True), pk, 2, random.Random(0))) < known
    (other,) = company(options(tmp_path), pk, 1, random.Random(0))
    assert other in known
