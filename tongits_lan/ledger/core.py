"""The inside of one seat's table: its parts, and what follows from one another after every input.

Owns the order in which things happen: an entry is held, stored and sent; what this seat must write is
written; what is missed is told; a fault stops everything. Must not know: who calls, sockets, files, clocks.
"""

from collections.abc import Callable, MutableMapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.errors import Fault, PeerFault
from tongits_lan.game.moves import Move
from tongits_lan.game.scoring import Match
from tongits_lan.ledger.absence import Absence
from tongits_lan.ledger.accept import Acceptance
from tongits_lan.ledger.book import Book, Proven
from tongits_lan.ledger.chain import Descriptor, sign_entry
from tongits_lan.ledger.dispute import Dispute
from tongits_lan.ledger.effects import (
    AppendEntry,
    EraseSecrets,
    Loaded,
    Outbox,
    SaveEvidence,
    SaveSecret,
    SecretsLost,
    Stop,
    Stopped,
)
from tongits_lan.ledger.exhibit import Exhibit
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.intake import Intake
from tongits_lan.ledger.jobs import Workshop
from tongits_lan.ledger.messages import Body, Get
from tongits_lan.ledger.own import PLAYERS_KINDS, Author, Wishes, legal
from tongits_lan.ledger.phases import due
from tongits_lan.ledger.private import HandSecret, Private
from tongits_lan.ledger.reach import Links
from tongits_lan.ledger.state import (
    Hand,
    HandForfeited,
    HandSettled,
    LedgerEvent,
    Phase,
    ProofClaim,
    State,
    TableClosed,
)
from tongits_lan.ledger.sync import Sync
from tongits_lan.limits import SILENCE_SECONDS


class Core:
    """The parts of the table of seat `me`. Times are seconds of one monotonic clock."""

    def __init__(
        self,
        *,
        me: int,
        key: Ed25519PrivateKey,
        descriptor: Descriptor,
        nonce: bytes,
        entropy: Callable[[int], bytes],
        entries: Sequence[bytes],
        secrets: Sequence[HandSecret],
        loaded: bool,
        waits_for_words: bool,
        verdicts: MutableMapping[ProofClaim, Fault | None] | None,
        acceptance: Acceptance,
    ) -> None:
        self.me = me
        self._key = key
        self.box = Outbox()
        self.book = Book(descriptor, entries, acceptance)
        state = self.book.state
        self.private = Private(me, state.n, entropy, secrets, self._save_secret)
        self.workshop = Workshop(me, entropy, self.box.jobs.append, verdicts)
        self.links = Links(me, self.box)
        self.sync = Sync(self.book, self.box)
        self.exhibit = Exhibit(self.sync, self.box)
        self.dispute = Dispute(me, self.links, self.sync, self.box)
        self.intake = Intake(self.book, self.sync, self.workshop, self.box, self._accepted, self.convicted)
        self.absence = Absence(descriptor.rules.grace_seconds)
        self.wishes = Wishes(words_confirmed=not waits_for_words or _has_committed(state, me))
        self.author = Author(me, nonce, self.private, self.workshop, self.wishes)
        self._started = False
        self._compared = not loaded
        self._basis: tuple[State | None, bool, bool, bool] = (None, False, False, False)
        """What `_look` last looked at: nothing else changes what it finds."""
        self._lost_in = 0
        self.now = 0.0
        self.trouble: str | None = None
        """Why this seat signs nothing more in the running hand: its stored secrets do not fit it."""
        self.faces: dict[int, int] = {}
        self.legal: tuple[Move, ...] = ()
        self.stop: Stop | None = None
        self.outcome: Match | None = None
        """The outcome where the table stopped below its height."""

    @property
    def state(self) -> State:
        """What the ledger of this seat says."""
        return self.book.state

    @property
    def running(self) -> bool:
        """Whether anything may still be written."""
        return self._started and self.goes_on and not self.state.closed

    @property
    def goes_on(self) -> bool:
        """Whether entries are still taken in: not where the table has stopped or was called off."""
        return self.stop is None and self.dispute.by is None

    @property
    def may_sign(self) -> bool:
        """Whether this seat may sign the next entry if it is the one to write it."""
        return self.running and self._compared and not self.intake.pending

    @property
    def secrets_lost(self) -> bool:
        """Whether the trouble is real: a ledger not compared yet may only lack what the others hold."""
        return self._compared and self.trouble is not None

    @property
    def spoiled(self) -> bool:
        """Whether not even a `forfeit` may be signed: the stored seed was used, but not for this ledger."""
        hand = self.state.hand
        return hand is not None and self.secrets_lost and not self.private.missing(hand)

    def start(self, now: float) -> None:
        """Begin to act."""
        self._started = True
        self.now = now
        self.sync.tick(now)
        if self.state.records:
            self._erase(self.state.records[-1].number)
        self.advance()

    def pass_time(self, now: float) -> None:
        """It is `now`. Time in which this machine slept is nobody's absence."""
        deadline = self.deadline()
        if deadline is not None and now > deadline + SILENCE_SECONDS:
            self.absence.shift(now - self.now)
        self.now = max(self.now, now)

    def deadline(self) -> float | None:
        """When the next thing happens by time alone; None before `start`."""
        if not self._started:
            return None
        absence = self.absence.deadline()
        sync = self.sync.deadline(comparing=self.running and not self._compared)
        return sync if absence is None else min(absence, sync)

    def advance(self) -> None:
        """Write everything that is this seat's to write now, then see what a screen must know."""
        self._look()
        while (body := self._next_body()) is not None:
            self.write(body)
        self._miss()

    def _next_body(self) -> Body | None:
        if self.running and not self._compared and self.sync.compared(self.now, self.links.others()):
            self._compared = True
            self.box.events.append(Loaded(self.book.height))
            self._look()
        if not self.may_sign:
            return None
        return self.author.body(self.state, self.faces)

    def write(self, body: Body) -> None:
        """Sign an entry and take it the way of all entries.

        Raises PeerFault, and nothing has changed, if the entry convicts this seat itself.
        """
        state = self.state
        raw = sign_entry(self._key, state.table_id, self.me, state.height, state.head, body)
        try:
            events = self.book.append(raw, self.workshop.judge)
        except PeerFault as fault:
            if fault.seat == self.me:
                raise
            # The third reveal shows that another seat's pass was false: the proof is in that entry.
            self.convicted(Proven(fault, self.book.height, (raw,)), None)
        else:
            self._accepted(raw, None, events)

    def _accepted(self, raw: bytes, source: int | None, events: tuple[LedgerEvent, ...]) -> None:
        self.box.store.append(AppendEntry(raw))
        self.box.events += events
        self.sync.flood(self.book.height - 1, raw, source)
        for event in events:
            match event:
                case HandSettled(record) | HandForfeited(record):
                    self._erase(record.number)
                case TableClosed():
                    self.sync.announce()
                case _:
                    pass
        self._look()

    def _look(self) -> None:
        """Prepare own proofs and open own cards, as far as the ledger now allows."""
        state, hand = self.state, self.state.hand
        basis = (state, self.running, self._compared, self.wishes.words_confirmed)
        if self.stop is not None or all(old is new for old, new in zip(self._basis, basis, strict=True)):
            return
        self._basis = basis
        self.trouble = self.author.trouble(state)
        self.faces, self.legal = ({} if hand is None else dict(hand.faces)), ()
        if not self.running:
            return
        if hand is None:
            self.workshop.prepare(state.n)
            return
        if self.trouble is not None:
            if self._compared and self._lost_in != hand.number:
                self._lost_in = hand.number
                self.box.events.append(SecretsLost(hand.number, self.trouble))
            return
        self._work_ahead(state, hand)
        try:
            self.faces = self.private.faces(hand)
        except Fault as fault:  # all proofs held, so this is nobody's fault that can be told
            self._halt(Stop(fault.code, fault.text, None, hand.number, state.height))
            return
        self.legal = legal(state, self.me, self.faces)

    def _work_ahead(self, state: State, hand: Hand) -> None:
        """Begin what takes long as soon as the ledger allows it, not when the entry is due."""
        if state.phase is Phase.COMMIT and self._compared and self.wishes.words_confirmed:
            self.private.draw(hand)
        if state.phase in (Phase.SHUFFLE, Phase.LOCK, Phase.PROVE):
            self.workshop.prove(hand, self.private, state.n)
        elif state.phase not in (Phase.READY, Phase.DEAL):  # nothing may delay the deal
            self.workshop.prepare(state.n)

    def _miss(self) -> None:
        writer = due(self.state) if self.running else None
        if writer is not None and writer.seat == self.me:
            writer = None
        away = writer is not None and self.links.reach(writer.seat).kind == "away"
        automatic = writer is not None and self._writes_by_itself(writer.kinds)
        self.box.events += self.absence.update(
            writer, self.state.height, self.now, away=away, automatic=automatic and not self.intake.pending
        )

    def _writes_by_itself(self, kinds: tuple[str, ...]) -> bool:
        """Whether no player has to think before one of these is written."""
        first_commit = self.state.phase is Phase.COMMIT and not self.state.records
        return not first_commit and not PLAYERS_KINDS.union(("next", "leave")).intersection(kinds)

    def convicted(self, proven: Proven, source: int | None) -> None:
        """An entry is proof against a seat: keep it, tell the others, stop."""
        self.box.store.append(SaveEvidence(self.book.evidence(proven)))
        self.exhibit.found(proven, source)
        self._halt_at(proven)

    def answer(self, seat: int, message: Get) -> None:
        """Send what a linked seat asks for, and behind the last of it what proves why the table stopped."""
        self.exhibit.answered(seat, self.sync.answer(seat, message))

    def _halt_at(self, proven: Proven) -> None:
        fault = proven.fault
        before = self.state if proven.height == self.book.height else self.book.beginning(proven.height)
        self.outcome = before.match
        number = None if before.hand is None else before.hand.number
        self._halt(Stop(fault.code, fault.text, fault.seat, number, fault.height))

    def _halt(self, stop: Stop) -> None:
        self.stop = stop
        self.legal = ()
        self.intake.stop()
        self.box.events.append(Stopped(stop))

    def stop_again(self, evidence: bytes) -> None:
        """Stop for the evidence stored for this table. Raises Fault if it convicts nobody of it."""
        proven = self.book.convicted_by(parse_file(evidence))
        self.exhibit.kept(proven)
        self._halt_at(proven)

    def _save_secret(self, secret: HandSecret) -> None:
        self.box.store.append(SaveSecret(secret))

    def _erase(self, up_to_hand: int) -> None:
        if self.private.forget(up_to_hand):
            self.box.store.append(EraseSecrets(up_to_hand))


def _has_committed(state: State, me: int) -> bool:
    """Whether this seat has signed a `commit` at this table, so that its player has compared the words."""
    return bool(state.records) or (state.hand is not None and state.hand.commits[me] is not None)
