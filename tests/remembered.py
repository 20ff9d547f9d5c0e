"""What was computed once for equal bytes, remembered: verdicts on proofs, and what an entry changes.

Acceptance is a function of bytes, so seats of one process, and tests whose ledgers share a beginning, may
share its answers. Where the question is whether three machines agree, it is not to be used.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.state import Judge, LedgerEvent, ProofClaim, State

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


class Acceptance:
    """`accept`, remembering its last `most` answers. A ledger is known by its head; an entry that holds
    proofs is judged anew each time, for each seat waits for verdicts of its own, and so is a faulty one."""

    def __init__(self, most: int = 3_000) -> None:
        self._most = most
        self._known: dict[tuple[bytes, bytes], tuple[State, tuple[LedgerEvent, ...]]] = {}

    def __call__(self, state: State, raw: bytes, judge: Judge) -> tuple[State, tuple[LedgerEvent, ...]]:
        """See `tongits_lan.ledger.accept.accept`."""
        known = self._known.get((state.head, raw))
        if known is not None:
            return known
        asked = False

        def watched(claim: ProofClaim) -> None:
            nonlocal asked
            asked = True
            judge(claim)

        found = accept(state, raw, watched)
        if not asked:
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[state.head, raw] = found
        return found
