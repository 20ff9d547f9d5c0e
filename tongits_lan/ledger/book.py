"""The ledger one seat holds: its entries, the head after each, and the state they lead to.

Owns appending, comparing a stranger's entry with the own one of that height, and going back to an earlier
state. Must not know: who sent an entry, secrets, time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.accept import Acceptance, accept
from tongits_lan.ledger.chain import Descriptor, Entry, check_signature, parse_entry
from tongits_lan.ledger.files import ParsedFile, evidence_bytes
from tongits_lan.ledger.phases import begin
from tongits_lan.ledger.state import Judge, LedgerEvent, ProofClaim, State

FORKED = "signed two entries, neither of them before the other"


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
    """The `offending` entry, or the two of a fork, and the beginning before `height` convict a seat."""

    fault: PeerFault
    height: int
    offending: tuple[bytes, ...]

    @property
    def forked(self) -> bool:
        """Whether only the two entries together prove anything."""
        return self.fault.code is Code.FORK

    @property
    def shown(self) -> tuple[tuple[int, bytes], ...]:
        """The offending entries with their heights, for another seat to see."""
        return tuple((parse_entry(raw).height, raw) for raw in self.offending)


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
            return self._parted(other)
        if other.seat != mine.seat:
            return self._out_of_turn(height, raw)
        return _fork(other.seat, height, (own, raw))

    def _out_of_turn(self, height: int, raw: bytes) -> Comparison:
        """The fault of an entry signed beside the own one of this height by a seat that was not due."""
        try:
            self._accept(self.beginning(height), raw, trust)
        except PeerFault as fault:
            return Proven(fault, height, (raw,))
        raise AssertionError("two seats may write at one height")

    def unlinked(self, raw: bytes, fault: Fault) -> Noise | Elsewhere | Proven:
        """What an entry says that came for the next height and does not follow the own last one, which is the
        `fault` it was refused for."""
        try:
            entry = parse_entry(raw)
        except Fault as why:
            return Noise(why)
        if entry.height != self.height or entry.prev == self.state.head or not self._signed(entry):
            return Noise(fault)
        return self._parted(entry)

    def _parted(self, entry: Entry) -> Elsewhere | Proven:
        """A signed entry after another beginning. Whoever wrote the own entry just below it has forked, for
        that is no ancestor of this one; else the place lies lower."""
        below = entry.height - 1
        if below >= 0 and parse_entry(self.entries[below]).seat == entry.seat:
            return _fork(entry.seat, below, (self.entries[below], entry.raw))
        return Elsewhere(Fault(Code.CHAIN, f"the entry of height {entry.height} follows another beginning"))

    def convicted_by(self, evidence: ParsedFile) -> Proven:
        """What an evidence file of this very table proves. Raises Fault if it convicts nobody of it."""
        if evidence.kind != "evidence" or evidence.descriptor_raw != self.descriptor.raw:
            raise Fault(Code.HEADER, "not an evidence file of this table")
        height = len(evidence.entries)
        if tuple(self.entries[:height]) != evidence.entries[: self.height]:
            raise Fault(Code.HEADER, "the evidence file has another beginning")
        try:
            for raw in evidence.entries[self.height :]:  # a crash took them from the ledger file
                self.append(raw, trust)
        except PeerFault as fault:
            raise Fault(fault.code, fault.text) from fault
        if len(evidence.offending) == 2:
            return _fork(parse_entry(evidence.offending[0]).seat, height, evidence.offending)
        for raw in evidence.offending:
            try:
                self._accept(self.beginning(height), raw, ProofClaim.check)
            except PeerFault as fault:
                return Proven(fault, height, (raw,))
        raise Fault(Code.HEADER, "the entry in the evidence file is sound")

    def _signed(self, entry: Entry) -> bool:
        pk = self.descriptor.seats[entry.seat].pk
        return check_signature(pk, self.state.table_id, entry.payload, entry.sig)

    def evidence(self, proven: Proven) -> bytes:
        """The whole evidence file."""
        return evidence_bytes(self.descriptor.raw, self.entries[: proven.height], proven.offending)


def _fork(seat: int, height: int, offending: tuple[bytes, ...]) -> Proven:
    return Proven(PeerFault(Code.FORK, FORKED, seat=seat, height=height), height, offending)
