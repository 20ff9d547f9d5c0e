"""Three real tables in one process, joined by queues: what crosses a link here is what would cross a wire.

`Cast` is who sits where, `Shelf` what one seat has stored, `Circle` drives the tables until nothing is left
to do. No time passes unless a test lets it pass; the same label gives the same bytes.
"""

import functools
import hashlib
import random
from collections import deque
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests import remembered
from tests.scripted import Script
from tongits_lan.errors import Fault
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Meld, Move, Pass, Sapaw, Take
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.scoring import Match, fresh_match
from tongits_lan.ledger.accept import Acceptance, accept
from tongits_lan.ledger.chain import SeatEntry, build_descriptor, nonce_commitment, parse_entry, public_bytes
from tongits_lan.ledger.jobs import JudgeJob, PrepareJob, ProofJob
from tongits_lan.ledger.messages import decode_message, encode_message
from tongits_lan.ledger.state import ProofClaim
from tongits_lan.ledger.table import (
    AppendEntry,
    EraseSecrets,
    HandSecret,
    Job,
    SaveEvidence,
    SaveSecret,
    StoreOp,
    Table,
    TableEvent,
    TableMessage,
    TableView,
)
from tongits_lan.limits import SEATS

NAMES = ("Ana", "Ben", "Carlo")
UNIX_SECONDS = 1_790_000_000
MESH = ((0, 1), (0, 2), (1, 2))
CHAIN = ((0, 1), (1, 2))
Verdicts = MutableMapping[ProofClaim, Fault | None]
Wire = Callable[[int, int, TableMessage], Iterable[bytes]]
"""What arrives (encoded) of a message on its way from one seat to another."""
Chooser = Callable[[TableView, random.Random], Move]


class Entropy:
    """Random bytes that follow from a label, different on every call."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(f"{self._label}/{self._count}".encode()).digest(size)


class Cast:
    """Three players with their keys and nonces, and the descriptor of their table."""

    def __init__(
        self,
        label: str,
        *,
        rules: Rules = PRESETS["pagat"],
        start: Match | None = None,
        previous: tuple[bytes, bytes] | None = None,
        bots: bool = False,
        keys: Sequence[Ed25519PrivateKey] = (),
    ) -> None:
        self.label = label
        draw = Entropy(f"{label}/cast")
        self.keys = list(keys) or [Ed25519PrivateKey.from_private_bytes(draw(32)) for _ in range(SEATS)]
        self.nonces = [draw(32) for _ in range(SEATS)]
        pks = [public_bytes(key) for key in self.keys]
        seats = [
            SeatEntry(pk, name, nonce_commitment(pk, nonce), pks[0] if bots else pk)
            for pk, name, nonce in zip(pks, NAMES, self.nonces, strict=True)
        ]
        self.descriptor = build_descriptor(
            UNIX_SECONDS, rules, (seats[0], seats[1], seats[2]), start or fresh_match(), previous
        )

    @classmethod
    def of_script(cls, script: Script) -> "Cast":
        """Those who sit in a script."""
        cast = cls(script.label)
        cast.keys, cast.nonces, cast.descriptor = script.keys, script.nonces, script.descriptor
        return cast


@dataclass
class Shelf:
    """What one seat has stored; survives the table it belongs to."""

    entries: list[bytes] = field(default_factory=list)
    secrets: dict[int, HandSecret] = field(default_factory=dict)
    evidence: bytes | None = None
    most_secrets: int = 0

    def apply(self, ops: Iterable[StoreOp]) -> None:
        """Do what a table asked for."""
        for op in ops:
            match op:
                case AppendEntry(raw):
                    self.entries.append(raw)
                case SaveSecret(secret):
                    self.secrets[secret.hand_no] = HandSecret.from_bytes(secret.to_bytes())
                case EraseSecrets(up_to_hand):
                    self.secrets = {no: kept for no, kept in self.secrets.items() if no > up_to_hand}
                case SaveEvidence(data):
                    self.evidence = data
        self.most_secrets = max(self.most_secrets, len(self.secrets))


def lively(view: TableView, rng: random.Random) -> Move:
    """A careless player: draws, often lays what it can, throws anything, and seldom calls."""
    kinds: dict[type[Move], list[Move]] = {}
    for move in view.legal:
        kinds.setdefault(type(move), []).append(move)
    weights = {Draw: 8, Discard: 3, Take: 3, Meld: 4, Sapaw: 4, Call: 1, Answer: 2, Pass: 2}
    names = list(kinds)
    kind = rng.choices(names, [weights.get(name, 1) for name in names])[0]
    return rng.choice(kinds[kind])


def encoded(_: int, __: int, message: TableMessage) -> Iterable[bytes]:
    """A link that loses nothing."""
    return (encode_message(message),)


def result_of(job: Job) -> object:
    """What a job returns; the same computation for another circle is done once."""
    match job:
        case ProofJob(prepared=None):
            return _result(replace(job, id=0))
        case JudgeJob():
            return _result(replace(job, id=0))
        case _:
            return job()


@functools.cache
def _result(job: ProofJob | JudgeJob) -> object:
    return job()


class Circle:
    """Three tables, the links between them, and time that stands still until `pass_time`."""

    def __init__(
        self,
        label: str = "circle",
        *,
        cast: Cast | None = None,
        rules: Rules = PRESETS["pagat"],
        links: Iterable[tuple[int, int]] = MESH,
        wire: Wire = encoded,
        choose: Chooser = lively,
        waits_for_words: bool = False,
        verdicts: Verdicts | None = None,
        shelves: Iterable["Shelf"] | None = None,
        prepares: bool = True,
        acceptance: Acceptance = accept,
    ) -> None:
        self.cast = cast or Cast(label, rules=rules)
        self.rng = random.Random(f"{label}/moves")
        self.wire = wire
        self.choose = choose
        self.waits_for_words = waits_for_words
        self.verdicts = verdicts
        self.acceptance = acceptance
        self.prepares = prepares
        """Whether the part of a proof that needs no deck is made ahead; that only saves time later."""
        self.now = 100.0
        self.starts = 0
        self.shelves = list(shelves) if shelves is not None else [Shelf() for _ in range(SEATS)]
        self.alive = set(range(SEATS))
        self.doomed: int | None = None
        """The seat whose program dies after it has stored its next entry, before it sends it."""
        self.events: list[list[TableEvent]] = [[] for _ in range(SEATS)]
        self.sent: list[tuple[int, int, TableMessage]] = []
        self.closed: list[tuple[int, int, str]] = []
        self.links: set[tuple[int, int]] = set()
        self._queues: dict[tuple[int, int], deque[bytes]] = {}
        loaded = shelves is not None
        self.tables: list[Table] = [self.make(seat, loaded=loaded) for seat in range(SEATS)]
        for table in self.tables:
            table.start(self.now)
        for one, other in links:
            self.join(one, other)

    def make(self, seat: int, *, loaded: bool) -> Table:
        """A table for this seat from what it has stored."""
        shelf = self.shelves[seat]
        self.starts += 1
        return Table(
            me=seat,
            key=self.cast.keys[seat],
            descriptor=self.cast.descriptor,
            nonce=self.cast.nonces[seat],
            entropy=Entropy(f"{self.cast.label}/{seat}/{self.starts}"),
            entries=tuple(shelf.entries),
            secrets=tuple(shelf.secrets.values()),
            loaded=loaded,
            waits_for_words=self.waits_for_words,
            verdicts=self.verdicts,
            evidence=shelf.evidence,
            acceptance=self.acceptance,
        )

    # Links.

    def join(self, one: int, other: int) -> None:
        """Put up the link between two seats."""
        self.links.add((min(one, other), max(one, other)))
        for a, b in ((one, other), (other, one)):
            self._queues[a, b] = deque()
            self.tables[a].link_up(b, self.now)

    def cut(self, one: int, other: int) -> None:
        """Take down the link between two seats; what is under way on it is lost."""
        self.links.discard((min(one, other), max(one, other)))
        for a, b in ((one, other), (other, one)):
            self._queues.pop((a, b), None)
            self.tables[a].link_down(b, self.now)

    def kill(self, seat: int) -> None:
        """The program of a seat is gone; its store stays."""
        self.alive.discard(seat)
        for other in range(SEATS):
            if other != seat and (min(seat, other), max(seat, other)) in self.links:
                self.cut(seat, other)

    def restart(self, seat: int, links: Iterable[int] | None = None) -> None:
        """The program of a seat starts again from its store."""
        self.kill(seat)
        self.alive.add(seat)
        self.tables[seat] = self.make(seat, loaded=True)
        self.tables[seat].start(self.now)
        for other in range(SEATS) if links is None else links:
            if other != seat and other in self.alive:
                self.join(seat, other)

    def puppet(self, seat: int) -> None:
        """The program of a seat is replaced by the test: the others have links to it, nobody answers."""
        self.kill(seat)
        for other in self.alive:
            self.tables[other].link_up(seat, self.now)

    def say(self, seat: int, to: int, message: TableMessage) -> None:
        """A puppet sends a message."""
        assert seat not in self.alive
        self.tables[to].receive(seat, message, self.now)

    # Driving.

    def collect(self, seat: int) -> bool:
        """Do what the table of a seat asks for; True if there was anything."""
        if seat not in self.alive:
            return False
        effects = self.tables[seat].take()
        self.shelves[seat].apply(effects.store)
        self.events[seat] += effects.events
        if seat == self.doomed and any(isinstance(op, AppendEntry) for op in effects.store):
            self.doomed = None
            self.kill(seat)
            return True
        for to, message in effects.send:
            self.sent.append((seat, to, message))
            if (seat, to) in self._queues:
                self._queues[seat, to].extend(self.wire(seat, to, message))
        for other, reason in effects.close:
            self.closed.append((seat, other, reason))
            self.cut(seat, other)
        for job in effects.jobs:
            if self.prepares or not isinstance(job, PrepareJob):
                self.tables[seat].finish(job, result_of(job), self.now)
        return bool(effects)

    def deliver(self, source: int, to: int) -> bool:
        """Hand over the oldest message on a link; True if there was one."""
        queue = self._queues.get((source, to))
        if not queue:
            return False
        message = decode_message(queue.popleft(), from_server=source < to)
        assert isinstance(message, TableMessage)
        self.tables[to].receive(source, message, self.now)
        return True

    def settle(self) -> None:
        """Until no table asks for anything and no message is under way."""
        busy = True
        while busy:
            asked = [self.collect(seat) for seat in range(SEATS)]
            busy = any(asked)
            for pair in list(self._queues):
                while self.deliver(*pair):
                    busy = True
                    self.collect(pair[1])

    def pass_time(self, seconds: float) -> None:
        """Let time pass, ticking each table when it asked for it."""
        end = self.now + seconds
        while True:
            times = [self.tables[seat].next_deadline() for seat in self.alive]
            self.now = min([end, *(max(self.now, at) for at in times if at is not None)])
            for seat in sorted(self.alive):
                self.tables[seat].tick(self.now)
                deadline = self.tables[seat].next_deadline()
                assert deadline is not None
                assert deadline > self.now, "a table must not ask to be ticked at once again"
            self.settle()
            if self.now >= end:
                return

    # Playing.

    def view(self, seat: int) -> TableView:
        """What a seat sees."""
        return self.tables[seat].view(self.now)

    def step(self) -> bool:
        """One move of whoever may move, or one confirmation; False when there is none."""
        self.settle()
        for seat in sorted(self.alive):
            view = self.view(seat)
            if view.legal:
                self.tables[seat].submit(self.choose(view, self.rng), self.now)
                return True
        for seat in sorted(self.alive):
            if self.view(seat).can_go_on:
                self.tables[seat].go_on(self.now)
                return True
        return False

    def until(self, reached: Callable[[TableView], bool], seat: int = 0, most: int = 5_000) -> None:
        """Play until what `seat` sees is `reached`."""
        self.settle()
        for _ in range(most):
            if reached(self.view(seat)):
                return
            assert self.step(), f"nobody can go on: {self.view(seat).due}"
            self.settle()
        raise AssertionError(f"not reached in {most} steps")

    def play_hand(self) -> None:
        """Until one more hand is settled on every table."""
        counted = self.view(0).records_count
        self.until(lambda view: view.records_count > counted and view.phase == "settle")

    def leave(self) -> None:
        """The first in order leaves after the settled hand: the table closes."""
        for table in self.tables:
            if not table.view(self.now).closed and table.view(self.now).can_leave:
                table.leave(self.now)
        self.settle()

    def assert_level(self) -> None:
        """Same height and head everywhere, also in the stores."""
        views = [self.view(seat) for seat in range(SEATS)]
        assert len({(view.height, view.head) for view in views}) == 1
        assert self.shelves[0].entries == self.shelves[1].entries == self.shelves[2].entries
        assert len(self.shelves[0].entries) == views[0].height


class Recording(Circle):
    """A circle that remembers what every seat had stored at every height."""

    def __init__(self, label: str) -> None:
        self.secrets: list[dict[int, tuple[HandSecret, ...]]] = [{0: ()} for _ in range(SEATS)]
        super().__init__(label, verdicts={}, acceptance=remembered.Acceptance())

    def collect(self, seat: int) -> bool:
        """Also remember what is stored now."""
        busy = super().collect(seat)
        shelf = self.shelves[seat]
        self.secrets[seat].setdefault(len(shelf.entries), tuple(shelf.secrets.values()))
        return busy

    def shelf(self, seat: int, height: int) -> Shelf:
        """What a seat would have had if the table had stopped at `height`."""
        known = [at for at in self.secrets[seat] if at <= height]
        shelf = Shelf(list(self.shelves[seat].entries[:height]))
        shelf.secrets = {secret.hand_no: secret for secret in self.secrets[seat][max(known)]}
        return shelf


@functools.cache
def recorded(label: str = "recorded") -> Recording:
    """One hand of three calm players, to its third reveal and the three `next`."""
    circle = Recording(label)
    circle.play_hand()
    circle.until(lambda view: view.hand_no == 2)
    circle.settle()
    return circle


def resumed(
    height: int,
    label: str = "recorded",
    *,
    links: Iterable[tuple[int, int]] = MESH,
    wire: Wire = encoded,
) -> Circle:
    """Three tables loaded from what a recorded hand had stored at `height`, before anything is delivered."""
    record = recorded(label)
    return Circle(
        f"{label} from {height}",
        cast=record.cast,
        links=links,
        wire=wire,
        verdicts=record.verdicts,
        prepares=False,
        acceptance=record.acceptance,
        shelves=[record.shelf(seat, height) for seat in range(SEATS)],
    )


def height_of(kind: str, seat: int | None = None, label: str = "recorded") -> int:
    """The height of the first entry of this kind (by this seat) in a recorded hand."""
    for height, raw in enumerate(recorded(label).shelves[0].entries):
        entry = parse_entry(raw)
        if entry.body_value[0] == kind and seat in (None, entry.seat):
            return height
    raise AssertionError(f"no {kind} of seat {seat} in the recorded hand")


def writer_of(height: int, label: str = "recorded") -> int:
    """The seat that wrote the entry of this height in a recorded hand."""
    return parse_entry(recorded(label).shelves[0].entries[height]).seat
