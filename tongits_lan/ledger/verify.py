"""A ledger or evidence file judged again from its bytes alone, offline, by anybody.

Owns the walk over a file, the level of checking (docs/protocol.md, "Files"), and what convicts a seat in an
evidence file. Must not know where the bytes came from, nor print anything.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.ledger.accept import accept_entry
from tongits_lan.ledger.chain import (
    Descriptor,
    Entry,
    check_signature,
    head_after,
    parse_descriptor,
)
from tongits_lan.ledger.files import LedgerFile
from tongits_lan.ledger.foresight import Foresight, HandAhead, MapLike, look_ahead
from tongits_lan.ledger.hand import Tools
from tongits_lan.ledger.messages import Commit, NextHand
from tongits_lan.ledger.phases import due
from tongits_lan.ledger.reading import Reading, parsed
from tongits_lan.ledger.report import (
    FaultFound,
    Pending,
    Report,
    Status,
    as_json,
    sentences,
    without_table,
)
from tongits_lan.ledger.state import HandBegan, HandForfeited, HandSettled, Phase, ProofClaim, State, begin
from tongits_lan.limits import ENTRY_MAX

__all__ = ["Report", "as_json", "sentences", "verify"]


def verify(file: LedgerFile, *, proofs: bool, spread: MapLike = map) -> Report:
    """Judge a file. Never raises for what is in it: that is the report. A file that is being read is read two
    hands ahead, and not behind a fault.

    With `proofs` every zero-knowledge proof is checked; without it those of hands that were forfeited, are
    pending or end in a fault, the others being computed again from their revealed seeds. `spread` is `map`
    or one that works on several items at once.
    """
    if file.descriptor_raw is None:
        fault = FaultFound(Code.DESCRIPTOR, "there is no descriptor", None, None, None)
        return without_table(file.kind, fault, torn=file.torn)
    try:
        descriptor = parse_descriptor(file.descriptor_raw)
    except Fault as wrong:
        return without_table(file.kind, FaultFound(wrong.code, wrong.text, None, None, None))
    walk = _Walk(descriptor, file, proofs, spread)
    found = walk.run()
    if found is None and file.kind == "evidence":
        found = _judge_offending(walk, file.offending)
    return _report(file, walk.state, found)


def _report(file: LedgerFile, state: State, fault: FaultFound | None) -> Report:
    ends_in_hand = not _between_hands(state)
    pending: Pending | None = None
    now = due(state)
    if fault is None and now is not None and (ends_in_hand or not state.records):
        pending = Pending(None if state.hand is None else state.hand.number, now)
    return Report(
        kind=file.kind,
        status=_status(file, state, fault),
        height=state.height,
        head=state.head,
        closed=state.closed,
        chips=state.match.chips,
        pot=state.match.pot,
        words=state.words,
        names=state.descriptor.names,
        pending=pending,
        fault=fault,
        records=state.records,
        torn=file.torn,
    )


def _status(file: LedgerFile, state: State, fault: FaultFound | None) -> Status:
    """An evidence file is not there to show that a table was fair: it convicts somebody or nobody."""
    if file.kind == "evidence":
        return "faulty" if fault is not None and fault.seat is not None else "incomplete"
    if fault is not None:
        return "faulty"
    return "fair" if state.records and _between_hands(state) and not file.torn else "incomplete"


def _between_hands(state: State) -> bool:
    """Whether every hand that was begun is counted: a hand begins with its first entry."""
    if state.phase in (Phase.SETTLE, Phase.CLOSED):
        return True
    return state.phase is Phase.COMMIT and state.hand is not None and state.hand.first_height == state.height


@dataclass(frozen=True, slots=True)
class _Deferred:
    claim: ProofClaim
    before: State


class _Walk:
    """One pass over the entries of a file; `state` is where it stands."""

    def __init__(self, descriptor: Descriptor, file: LedgerFile, proofs: bool, spread: MapLike) -> None:
        self.state = begin(descriptor)
        self._heads = bytearray(self.state.head)
        self._file = file
        self._reading = Reading(file.entries)
        self._proofs = proofs
        self._spread = spread
        self._known: Foresight | None = None
        self._ahead: HandAhead | None = None
        self._ahead_at: int | None = None
        self._deferred: list[_Deferred] = []

    def run(self) -> FaultFound | None:
        """Accept all entries; the fault that stops the walk, or None."""
        while (entry := self._reading.at(self.state.height)) is not None:
            fault = self.step(entry)
            if fault is not None:
                return fault
        if self._file.oversize:
            text = f"a frame that is longer than any entry may be ({ENTRY_MAX} bytes)"
            return self._stopped(PeerFault(Code.SIZE, text, seat=None, height=self.state.height))
        needed = self._proofs or not _between_hands(self.state)
        return self.judge_deferred() if needed else None

    def head_at(self, height: int) -> bytes:
        """The head before the entry at a height of an evidence file; 32 bytes."""
        return bytes(self._heads[32 * height : 32 * height + 32])

    def step(self, entry: Entry | Fault) -> FaultFound | None:
        """Accept one more entry."""
        if isinstance(entry, Fault):
            return self._stopped(PeerFault(entry.code, entry.text, seat=None, height=self.state.height))
        read = self._reading.body(self.state.height)
        try:
            self.state, events = accept_entry(self.state, entry, Tools(self._defer, self._known), read)
        except PeerFault as fault:
            return self._stopped(fault)
        self._reading.pass_to(self.state.height)
        if self._file.kind == "evidence":
            self._heads += self.state.head
        for event in events:
            match event:
                case HandBegan():
                    self._known = self._foreseen()
                case HandSettled():
                    return self._hand_counted(needed=self._proofs or self._known is None)
                case HandForfeited():
                    return self._hand_counted(needed=True)
                case _:
                    pass
        return None

    def judge_deferred(self) -> FaultFound | None:
        """Check the proofs that were put off, in order; where one does not hold, go back to before it."""
        deferred, self._deferred = self._deferred, []
        for verdict, item in zip(self._spread(_verdict, deferred), deferred, strict=True):
            if verdict is not None:
                self.state = item.before
                return FaultFound(
                    verdict.code, verdict.text, item.claim.seat, _hand_number(self.state), self.state.height
                )
        return None

    def _hand_counted(self, *, needed: bool) -> FaultFound | None:
        """After the last entry of a hand; proofs that need not be checked are let go when the next begins."""
        return self.judge_deferred() if needed else None

    def _stopped(self, fault: PeerFault) -> FaultFound:
        """A fault ends the hand; a proof in it that does not hold comes first."""
        return self.judge_deferred() or FaultFound(
            fault.code, fault.text, fault.seat, _hand_number(self.state), fault.height
        )

    def _defer(self, claim: ProofClaim) -> None:
        self._deferred.append(_Deferred(claim, self.state))

    def _foreseen(self) -> Foresight | None:
        """What is known of the hand that begins here; the one after it is handed out before the wait."""
        self._deferred = []
        start = self.state.height
        ahead = self._ahead if self._ahead_at == start else self._hand_at(start, len(self.state.records) + 1)
        following = self._next_commit(start)
        self._ahead_at = following
        self._ahead = None if following is None else self._hand_at(following, len(self.state.records) + 2)
        known = None if ahead is None else ahead.result()
        assert self.state.hand is not None
        return known if known is not None and known.hand_id == self.state.hand.hand_id else None

    def _hand_at(self, start: int, number: int) -> HandAhead | None:
        state = self.state
        a, b, c = (seat.pk for seat in state.descriptor.seats)
        entries = self._reading.ahead(start)
        return look_ahead(state.table_id, (a, b, c), state.n, number, entries, self._spread)

    def _next_commit(self, start: int) -> int | None:
        """Where the hand after the one that begins at `start` begins, by the look of it."""
        confirmed = False
        for height, (_, body) in enumerate(self._reading.ahead(start), start):
            if confirmed and isinstance(body, Commit):
                return height
            confirmed = isinstance(body, NextHand)
        return None


def _verdict(item: _Deferred) -> Fault | None:
    try:
        item.claim.check()
    except Fault as fault:
        return fault
    return None


def _hand_number(state: State) -> int | None:
    return None if state.hand is None else state.hand.number


def _judge_offending(walk: _Walk, offending: Iterable[bytes]) -> FaultFound | None:
    """What the entries after the good beginning of an evidence file show."""
    match [parsed(raw) for raw in islice(offending, 3)]:
        case [Entry() as one, Entry() as other]:
            return _fork(walk, one, other)
        case [Entry() as one]:
            return _fork_with_beginning(walk, one) or walk.step(one) or walk.judge_deferred()
        case [Fault() as fault]:
            return walk.step(fault)
        case _:
            return None


def _fork(walk: _Walk, one: Entry, other: Entry) -> FaultFound | None:
    """Two signed entries of one seat, neither an ancestor of the other."""
    if one.seat != other.seat or one.payload == other.payload:
        return None
    if not (_signed(walk.state, one) and _signed(walk.state, other)):
        return None
    first, second = sorted((one, other), key=lambda entry: entry.height)
    same_height = first.height == second.height
    table_id = walk.state.table_id
    not_its_child = second.height == first.height + 1 and second.prev != head_after(table_id, first.payload)
    if not same_height and not not_its_child:
        return None
    return _fork_found(walk, one.seat, first.height)


def _fork_with_beginning(walk: _Walk, entry: Entry) -> FaultFound | None:
    """A signed entry beside one that the same seat signed in the good beginning."""
    tip = walk.state.tips[entry.seat]
    if tip is None or not _signed(walk.state, entry):
        return None
    beside = entry.height <= tip and head_after(walk.state.table_id, entry.payload) != walk.head_at(
        entry.height + 1
    )
    not_its_child = entry.height == tip + 1 and entry.prev != walk.head_at(tip + 1)
    return _fork_found(walk, entry.seat, entry.height) if beside or not_its_child else None


def _fork_found(walk: _Walk, seat: int, height: int) -> FaultFound:
    return FaultFound(
        Code.FORK,
        "two signed entries, neither of them before the other",
        seat,
        _hand_number(walk.state),
        height,
    )


def _signed(state: State, entry: Entry) -> bool:
    return check_signature(state.descriptor.seats[entry.seat].pk, state.table_id, entry.payload, entry.sig)
