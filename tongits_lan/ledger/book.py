"""The ledger one seat holds: its entries, the head after each, and the state they lead to.

Owns appending, comparing a stranger's entry with the own one of that height, and going back to an earlier
state. Must not know: who sent an entry, secrets, time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.accept import Acceptance, accept
from tongits_lan.ledger.chain import Descriptor, Entry, check_signature, parse_entry
from tongits_lan.ledger.files import evidence_bytes
from tongits_lan.ledger.phases import begin
from tongits_lan.ledger.state import Judge, LedgerEvent, ProofClaim, State

FORKED = "signed two entries for one height"


def trust(claim: ProofClaim) -> None:
    """The judge for entries that were judged before they were stored."""


@dataclass(frozen=True, slots=True)
class Same:
    """The entry is the own one of that height."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The entry proves nothing about a seat: nobody signed it as an entry of this height."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A seat signed the entry, but it follows another beginning: the chains part lower down."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Proven:
    """The entry and the beginning before `height` convict a seat; `evidence` is the whole file."""

    fault: PeerFault
    height: int
    evidence: bytes


Comparison = Same | Noise | Elsewhere | Proven


class Book:
    """Entries from height 0 on; it only grows.

    `heads[h]` is the head of the first h entries, `acceptance` judges them. Raises PeerFault when the entries
    given are no ledger.
    """

    def __init__(
        self, descriptor: Descriptor, entries: Sequence[bytes], acceptance: Acceptance = accept
    ) -> None:
        self.descriptor = descriptor
        self._accept = acceptance
        self.state = begin(descriptor)
        self.entries: list[bytes] = []
        self.heads: list[bytes] = [self.state.head]
        for raw in entries:
            self.append(raw, trust)

    @property
    def height(self) -> int:
        """The number of entries held."""
        return len(self.entries)

    def append(self, raw: bytes, judge: Judge) -> tuple[LedgerEvent, ...]:
        """Accept and hold one more entry. Raises PeerFault, or NotJudged; then nothing has changed."""
        self.state, events = self._accept(self.state, raw, judge)
        self.entries.append(raw)
        self.heads.append(self.state.head)
        return events

    def holds(self, height: int, head: bytes) -> bool:
        """Whether a ledger of that height and head is a beginning of this one, or all of it."""
        return height <= self.height and self.heads[height] == head

    def beginning(self, height: int) -> State:
        """The state after the first `height` entries."""
        state = begin(self.descriptor)
        for raw in self.entries[:height]:
            state, _ = self._accept(state, raw, trust)
        return state

    def compare(self, height: int, raw: bytes) -> Comparison:
        """What an entry says that came for a height this ledger already has."""
        own = self.entries[height]
        if raw == own:
            return Same()
        try:
            other, mine = parse_entry(raw), parse_entry(own)
        except Fault as fault:
            return Noise(fault)
        if not self._signed(other):
            return Noise(Fault(Code.SIGNATURE, f"not signed by seat {other.seat}"))
        if other.payload == mine.payload:
            return Same()
        if other.height != height:
            return Noise(Fault(Code.CHAIN, f"an entry of height {other.height} came for height {height}"))
        if other.prev != self.heads[height]:
            return Elsewhere(Fault(Code.CHAIN, f"the entry of height {height} follows another beginning"))
        if other.seat != mine.seat:
            return self._out_of_turn(height, raw)
        forked = PeerFault(Code.FORK, FORKED, seat=other.seat, height=height)
        return Proven(forked, height, self.evidence(height, (own, raw)))

    def _out_of_turn(self, height: int, raw: bytes) -> Comparison:
        """The fault of an entry signed beside the own one of this height by a seat that was not due."""
        try:
            self._accept(self.beginning(height), raw, trust)
        except PeerFault as fault:
            return Proven(fault, height, self.evidence(height, (raw,)))
        raise AssertionError("two seats may write at one height")

    def stray(self, raw: bytes) -> bool:
        """Whether a seat signed this entry for the next height, but after another beginning."""
        try:
            entry = parse_entry(raw)
        except Fault:
            return False
        return entry.height == self.height and entry.prev != self.state.head and self._signed(entry)

    def _signed(self, entry: Entry) -> bool:
        pk = self.descriptor.seats[entry.seat].pk
        return check_signature(pk, self.state.table_id, entry.payload, entry.sig)

    def evidence(self, height: int, offending: tuple[bytes, ...]) -> bytes:
        """The evidence file that convicts the writer of `offending` after the first `height` entries."""
        return evidence_bytes(self.descriptor.raw, self.entries[:height], offending)
