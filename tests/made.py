"""What the makers of vectors share: the valid bytes they start from, and plain encoders of their own.

Owns nothing of the program and asks it for nothing.
"""

from typing import Any

import msgpack

from tests.vectors import crypto, hexed

Made = list[dict[str, Any]]
Cases = list[tuple[str, str, Any]]
"""(expect, what, bytes or fields)."""

LEDGER = crypto()["ledger"]
DESCRIPTOR = hexed(LEDGER["descriptor"])
TABLE_ID = hexed(LEDGER["table_id"])
ENTRY = hexed(LEDGER["entries"][0]["entry"])
PAYLOAD = hexed(LEDGER["entries"][0]["payload"])
SIG = hexed(LEDGER["entries"][0]["sig"])
PK = hexed(LEDGER["pk"][0])
B32 = bytes(range(32))


def packed(value: object) -> bytes:
    """MessagePack in shortest forms, map keys as they stand."""
    data = msgpack.packb(value)
    assert isinstance(data, bytes)
    return data


def rows(prefix: str, field: str, cases: Cases) -> Made:
    """Vectors of these cases, numbered; bytes go into `field` in hex."""
    made: Made = []
    for number, (expect, what, content) in enumerate(cases):
        fields = content if isinstance(content, dict) else {field: content.hex()}
        made.append({"id": f"{prefix}{number:02}", "what": what, "expect": expect, **fields})
    return made


def frame(tag: str, *fields: bytes) -> bytes:
    """The frame of docs/protocol.md, written a second time."""
    name = b"tongits-lan/1/" + tag.encode()
    return len(name).to_bytes(2) + name + b"".join(len(field).to_bytes(4) + field for field in fields)
