"""Writes `protocol/messages.schema.json` from the message types: `python -m tests.make_schema`."""

import json
from pathlib import Path

from tongits_lan.ledger.messages import schema

SCHEMA = Path(__file__).parents[1] / "protocol" / "messages.schema.json"


def text() -> str:
    """The whole file."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(text())
