"""Writes `protocol/vectors/encoding`, `ledger` and `link`: `python -m tests.make_vectors`.

Each vector is a valid value with one thing changed, and the expectation is written down here by hand: no
code of the program is asked for a verdict. Valid ones come from `crypto.json`, made by another
implementation.
"""

import json

from tests.made import Made
from tests.made_entries import bodies, entries, signatures, values
from tests.made_link import auths, codes, exchanges, fingerprints
from tests.made_tables import descriptors, files, messages
from tests.vectors import FORMATS, VECTORS


def make() -> dict[str, Made]:
    """File name under protocol/vectors -> its vectors."""
    ledger = (values, entries, signatures, bodies, messages, descriptors, files)
    makers = (*ledger, auths, codes, exchanges, fingerprints)
    return dict(zip(FORMATS, (maker() for maker in makers), strict=True))


def text_of(vectors: Made) -> str:
    """A file: one vector a line."""
    return "[\n" + ",\n".join(json.dumps(vector) for vector in vectors) + "\n]\n"


if __name__ == "__main__":
    for name, vectors in make().items():
        (VECTORS / name).parent.mkdir(exist_ok=True)
        (VECTORS / name).write_text(text_of(vectors))
