"""Who is called in to a practice table: any neighbours, and the same ones when it goes on."""

import argparse
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.bots import NEIGHBOURS, Neighbour
from tongits_lan.cli import arguments, seats
from tongits_lan.cli.seats import neighbours
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import fresh_match
from tongits_lan.ledger.chain import SeatEntry, build_descriptor, nonce_commitment, public_bytes
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Journal


def options(folder: Path, **changes: object) -> argparse.Namespace:
    return argparse.Namespace(**{**arguments.DEFAULTS, "data_dir": str(folder), **changes})


def sit_down(folder: Path, names: tuple[str, str]) -> bytes:
    """An unfinished table of this folder's identity with two bots of these names; returns the own key."""
    identity = load_or_make_identity(folder)
    nonce = bytes(32)
    entries = [SeatEntry(identity.pk, "Me", nonce_commitment(identity.pk, nonce), identity.pk)]
    for at, name in enumerate(names, 1):
        pk = public_bytes(Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32))
        entries.append(SeatEntry(pk, name, nonce_commitment(pk, bytes([at]) * 32), identity.pk))
    table = (entries[0], entries[1], entries[2])
    descriptor = build_descriptor(1_790_000_000, PRESETS["pagat"], table, fresh_match(), None)
    Journal.create(folder, descriptor, nonce, 0, bytes(8)).close()
    return identity.pk


def test_any_two_of_them_come_to_practice(tmp_path: Path) -> None:
    pk = load_or_make_identity(tmp_path).pk
    met: set[frozenset[str]] = set()
    for seed in range(40):
        company = neighbours(options(tmp_path), pk, seats.BOTS, random.Random(seed))
        assert len(set(company)) == 2
        assert set(company) <= set(NEIGHBOURS)
        met.add(frozenset(one.name for one in company))
    assert len(met) == 3
    assert neighbours(options(tmp_path), pk, 0, random.Random(0)) == []


@pytest.mark.parametrize("names", [("Kuya Jun", "Mang Berto"), ("Aling Nena", "Kuya Jun")])
def test_a_table_goes_on_with_the_same_neighbours(tmp_path: Path, names: tuple[str, str]) -> None:
    pk = sit_down(tmp_path, names)
    for seed in range(5):
        company = neighbours(options(tmp_path), pk, 2, random.Random(seed))
        assert [one.name for one in company] == list(names)
        assert set(company) <= set(NEIGHBOURS)


def test_somebody_unknown_at_an_older_table_comes_back_too(tmp_path: Path) -> None:
    pk = sit_down(tmp_path, ("Lola Ising", "Mang Berto"))
    company = neighbours(options(tmp_path), pk, 2, random.Random(0))
    assert [one.name for one in company] == ["Lola Ising", "Mang Berto"]
    assert all(isinstance(one, Neighbour) for one in company)


def test_a_new_table_or_one_with_fewer_bots_does_not_look_back(tmp_path: Path) -> None:
    pk = sit_down(tmp_path, ("Lola Ising", "Mang Berto"))
    for company in (
        neighbours(options(tmp_path, new=True), pk, 2, random.Random(0)),
        neighbours(options(tmp_path), pk, 1, random.Random(0)),
    ):
        assert set(company) <= set(NEIGHBOURS)
