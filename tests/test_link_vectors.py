"""The vectors of the link, judged by the program; and its SPAKE2 against a second one."""

import hashlib
import os
import re
from pathlib import Path

import pytest

from tests.edwards import encode
from tests.made_link import M, N
from tests.vectors import Vector, load
from tongits_lan.deck.group import frame
from tongits_lan.errors import Refused
from tongits_lan.ledger.chain import fingerprint, signature_holds
from tongits_lan.ledger.words import WORDS
from tongits_lan.net.join_code import Exchange, WrongCodeError, normalise

DOCUMENT = Path(__file__).parents[1] / "docs" / "protocol.md"


@pytest.mark.parametrize("vector", load("link/auths.json"), ids=str)
def test_a_signature_fits_one_role_on_one_channel(vector: Vector) -> None:
    binding = hashlib.sha256(vector.bytes("certificate")).digest()
    ends = (vector.bytes(name) for name in ("nonce_c", "nonce_s", "pk_c", "pk_s"))
    channel = frame("link", binding, *ends)
    assert channel == vector.bytes("transcript")
    role = str(vector.fields["role"])
    pk = vector.bytes("pk_c" if role == "client" else "pk_s")
    holds = signature_holds(pk, frame("auth", role.encode(), channel), vector.bytes("sig"))
    assert holds == (vector.expect == "ok")


@pytest.mark.parametrize("vector", load("link/codes.json"), ids=str)
def test_a_code_has_one_normal_form(vector: Vector) -> None:
    if vector.expect == "ok":
        assert normalise(vector.fields["typed"]) == vector.fields["code"]
    else:
        assert vector.expect == "code"
        with pytest.raises(Refused):
            normalise(vector.fields["typed"])


@pytest.mark.parametrize("vector", load("link/exchanges.json"), ids=str)
def test_an_exchange_about_a_code(vector: Vector) -> None:
    x = int.from_bytes(vector.bytes("x"), "little")
    side = Exchange(
        "client", vector.fields["code"], vector.bytes("transcript"), lambda size: x.to_bytes(size, "big")
    )
    assert side.start() == vector.bytes("client")
    if vector.expect == "ok":
        proofs = side.finish(vector.bytes("server"))
        assert (proofs.mine, proofs.theirs) == (vector.bytes("client_mac"), vector.bytes("server_mac"))
    else:
        assert vector.expect == "code"
        with pytest.raises(WrongCodeError):
            side.finish(vector.bytes("server"))


def test_a_server_takes_nothing_else_than_a_client_does() -> None:
    """The same messages, the other way round."""
    for vector in load("link/exchanges.json"):
        message = vector.bytes("server")
        turned = message.translate(bytes.maketrans(b"AB", b"BA"))[:1] + message[1:]
        side = Exchange("server", vector.fields["code"], vector.bytes("transcript"), os.urandom)
        side.start()
        if vector.expect == "ok":
            side.finish(turned)
        elif "own" not in vector.fields["what"]:
            with pytest.raises(WrongCodeError):
                side.finish(turned)


@pytest.mark.parametrize("vector", load("link/fingerprints.json"), ids=str)
def test_a_key_in_words(vector: Vector) -> None:
    assert fingerprint(vector.bytes("pk")) == tuple(WORDS[byte] for byte in vector.bytes("bytes"))


def test_the_document_names_the_points_that_a_second_implementation_finds() -> None:
    text = DOCUMENT.read_text("utf-8")
    points = dict(re.findall(r"^ +(M|N) = ([0-9a-f]{64})$", text, re.M))
    assert points == {"M": encode(M).hex(), "N": encode(N).hex()}
