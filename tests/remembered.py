"""Verdicts on proofs, remembered for the life of a test process: equal claims are computed once."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tongits_lan.ledger.state import ProofClaim

_VERDICTS: dict[ProofClaim, Any] = {}


def remembering(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """`map`, to be given to `verify`: what it says of an item with a proof claim is said again for an equal
    one. The ledgers of many tests share their beginnings."""
    for item in items:
        claim = getattr(item, "claim", None)
        if not isinstance(claim, ProofClaim):
            yield function(item)
            continue
        if claim not in _VERDICTS:
            _VERDICTS[claim] = function(item)
        yield _VERDICTS[claim]
