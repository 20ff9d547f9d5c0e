"""Reads `protocol/vectors`: a file is a list of flat objects, and a key its format does not know fails.

Owns the formats of the areas encoding, ledger and link (described in protocol/README.md).
"""

import functools
import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "protocol" / "vectors"

# file -> the keys its vectors may have beside id, what and expect
FORMATS = {
    "encoding/values.json": {"bytes", "map", "negative"},
    "ledger/entries.json": {"entry"},
    "ledger/signatures.json": {"pk", "table_id", "payload", "sig"},
    "ledger/bodies.json": {"body"},
    "ledger/messages.json": {"from", "bytes"},
    "ledger/descriptors.json": {"descriptor", "table_id"},
    "ledger/files.json": {"file", "kind", "entries", "offending", "torn", "oversize", "good_length"},
    "link/auths.json": {
        "role",
        "certificate",
        "nonce_c",
        "nonce_s",
        "pk_c",
        "pk_s",
        "transcript",
        "sig",
    },
    "link/codes.json": {"typed", "code"},
    "link/exchanges.json": {
        "code",
        "transcript",
        "x",
        "client",
        "server",
        "client_mac",
        "server_mac",
    },
    "link/fingerprints.json": {"pk", "bytes"},
}


class Vector:
    """One vector: one input, one expectation."""

    def __init__(self, fields: dict[str, Any], keys: set[str]) -> None:
        unknown = fields.keys() - keys - {"id", "what", "expect"}
        assert not unknown, f"unknown keys {unknown} in a vector"
        assert fields["what"], "a vector says what it shows"
        self.fields = fields
        self.expect: str = fields["expect"]

    def __str__(self) -> str:
        return str(self.fields["id"])

    def bytes(self, key: str) -> bytes:
        """The bytes of a field in hex."""
        return bytes.fromhex(self.fields[key])

    def flag(self, key: str) -> bool:
        """A field that is true or absent."""
        assert self.fields.get(key, True) is True
        return key in self.fields


def load(name: str) -> list[Vector]:
    """The vectors of a file, ids distinct."""
    vectors = [Vector(fields, FORMATS[name]) for fields in json.loads((VECTORS / name).read_bytes())]
    assert len({str(vector) for vector in vectors}) == len(vectors) > 0
    return vectors


@functools.cache
def crypto() -> dict[str, Any]:
    """The vectors of a whole hand, made by another implementation."""
    found: dict[str, Any] = json.loads((VECTORS / "crypto.json").read_bytes())
    return found


def hexed(text: str) -> bytes:
    """Bytes from hex."""
    return bytes.fromhex(text)
