"""Two honest programs at a begun table, and a modified one that holds the third seat.

A script brings the table to any point and its ledger is laid into the files of the honest seats; they start
as after any restart and talk over real sockets. The third seat is whatever a test makes of a link.
"""

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.remembered import remembering
from tests.scripted import NAMES, Script
from tests.sessions import Runner, config, ledgers, runner, table, until
from tongits_lan.deck.shuffle import check_input
from tongits_lan.errors import Code, LinkLost
from tongits_lan.game.scoring import Match
from tongits_lan.ledger.chain import parse_entry, public_bytes
from tongits_lan.ledger.effects import AppendEntry, SaveSecret, StoreOp
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import Entries, Have, Message, Reject, TableOffer
from tongits_lan.ledger.private import HandSecret, lock_input, shuffle_input
from tongits_lan.ledger.report import Report, as_json, sentences
from tongits_lan.ledger.state import Hand, Phase
from tongits_lan.ledger.verify import verify
from tongits_lan.limits import SEATS
from tongits_lan.net.handshake import Me, greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.net.transport import dial, parse_address, secure
from tongits_lan.store.files import make_folder
from tongits_lan.store.identity import Identity
from tongits_lan.store.journal import Journal

TAG = b"the tag."
LONG = 60.0  # seconds a test waits for something that comes at once
M = TypeVar("M", bound=Message)


# The files of an honest seat.


def lay_down(folder: Path, script: Script, seat: int, entries: Sequence[bytes]) -> None:
    """What the program of this seat would have on disk: identity, ledger, nonce and seeds."""
    home = folder / NAMES[seat]
    make_folder(home)
    key = script.keys[seat].private_bytes_raw().hex()
    (home / "identity.key").write_text(f"tongits-lan identity {key}\n", encoding="ascii")
    journal = Journal.create(home, script.descriptor, script.nonces[seat], seat, TAG)
    ops: list[StoreOp] = [SaveSecret(secret) for secret in secrets_of(script, seat)]
    journal.apply([*ops, *(AppendEntry(raw) for raw in entries)])
    journal.close()


def secrets_of(script: Script, seat: int) -> list[HandSecret]:
    """The seed of the running hand once it is committed to, with the inputs it was used on."""
    hand = script.state.hand
    over = script.state.phase in (Phase.SETTLE, Phase.CLOSED)
    if hand is None or over or hand.commits[seat] is None:
        return []
    return [
        HandSecret(
            hand.number,
            script.secrets(seat).seed,
            check_input(shuffle_input(hand, seat, script.rules.n), None) if _did(hand, seat, 0) else None,
            check_input(lock_input(hand, seat), None) if _did(hand, seat, 1) else None,
        )
    ]


def _did(hand: Hand, seat: int, which: int) -> bool:
    """Whether the seat has made its shuffle (0) or lock (1)."""
    return len((hand.shuffles, hand.locks)[which]) > hand.order.index(seat)


# The link of a modified client.


@dataclass
class Wire:
    """A link at work in the hands of a test: all it hears is kept, it says what it is told."""

    link: Link
    heard_all: list[Message] = field(default_factory=list)
    reason: str | None = None
    news: trio.Event = field(default_factory=trio.Event)

    def heard(self, link: Link, message: Message) -> None:
        self.heard_all.append(message)
        self._tell()

    def drained(self, link: Link) -> None:
        """Nothing was put off."""

    def ended(self, link: Link, reason: str) -> None:
        self.reason = reason
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.news = trio.Event()

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.link.post(message)

    def of(self, kind: type[M]) -> list[M]:
        """The messages of a kind that came so far."""
        return [message for message in self.heard_all if isinstance(message, kind)]

    async def hears(self, kind: type[M], times: int = 1) -> M:
        """The message of this kind that comes as the `times`-th."""
        with waiting():
            while len(self.of(kind)) < times:
                assert self.reason is None, self.reason
                await self.news.wait()
        return self.of(kind)[times - 1]

    async def gone(self) -> str:
        """Why the link ended, when it has."""
        with waiting():
            while self.reason is None:
                await self.news.wait()
        return self.reason


@contextmanager
def waiting() -> Iterator[None]:
    """A bound for what comes at once on an idle machine."""
    with trio.fail_after(LONG):
        yield


async def channel(session: Session) -> tuple[trio.abc.Stream, Link]:
    """A secured stream to the session's door and the link over it, on which nothing has been said yet."""
    return await knock(session.listening[0])


async def knock(address: str) -> tuple[trio.abc.Stream, Link]:
    """The same to whatever listens at an address."""
    secured = await secure(await dial(*parse_address(address)), server=False)
    return secured.stream, Link(secured, server=False)


async def answer(stream: trio.abc.Stream) -> Link:
    """The accepting end of a link."""
    return Link(await secure(stream, server=True), server=True)


async def open_link(session: Session, identity: Identity, name: str = "Eve") -> Link:
    """A link to the session's door, greeted with this identity; not yet running."""
    _, link = await channel(session)
    await greet_server(link, Me(identity, name, os.urandom))
    return link


def stranger(label: bytes = b"stranger") -> Identity:
    key = Ed25519PrivateKey.from_private_bytes(label.ljust(32, b"."))
    return Identity(key, public_bytes(key))


async def last_word(link: Link) -> Message | None:
    """The last message before the other end hangs up."""
    last: Message | None = None
    with waiting():
        try:
            while True:
                last = await link.receive()
        except LinkLost:
            return last
        finally:
            await link.close()


# The stage.


@dataclass
class Stage:
    """The honest sessions by seat, and what the third seat is made of."""

    run: Runner
    folder: Path
    script: Script
    """Stands where the honest ledgers end, or a few entries of the bad seat further."""
    bad: int
    height: int
    match: Match
    honest: dict[int, Session] = field(default_factory=dict)

    @property
    def identity(self) -> Identity:
        """That of the bad seat: it holds a real key."""
        return Identity(self.script.keys[self.bad], self.script.descriptor.seats[self.bad].pk)

    @property
    def first(self) -> Session:
        """The honest seat that hosts."""
        return self.honest[min(self.honest)]

    @property
    def second(self) -> Session:
        """The other honest seat."""
        return self.honest[max(self.honest)]

    async def wire(self, session: Session) -> Wire:
        """A link of the bad seat to an honest one, at work, its own height told."""
        link = await open_link(session, self.identity)
        wire = Wire(link)
        self.run.nursery.start_soon(link.run, wire)
        await wire.hears(TableOffer)
        return wire

    async def greeted(self, session: Session) -> tuple[trio.abc.Stream, Link]:
        """A link of the bad seat that was let in, and the stream under it for bytes of any kind."""
        stream, link = await channel(session)
        await greet_server(link, Me(self.identity, NAMES[self.bad], os.urandom))
        assert isinstance(await link.receive(), TableOffer)
        return stream, link

    async def wires(self) -> tuple[Wire, Wire]:
        """Links to both, that have told the head the honest ledgers have."""
        pair = await self.wire(self.first), await self.wire(self.second)
        for wire in pair:
            wire.say(await wire.hears(Have))
        return pair

    async def show(self, *raws: bytes, first: int | None = None) -> Wire:
        """Sends entries to the hosting honest seat, by default those behind its ledger."""
        wire = await self.wire(self.first)
        wire.say(Entries(self.height if first is None else first, raws))
        return wire

    def name(self, session: Session) -> str:
        return NAMES[table(session).me]

    # What must be true afterwards.

    async def convicted(self, code: Code, text: str = "") -> Report:
        """Both stopped and blame the bad seat for this; nothing else has changed. Returns the verdict."""
        with waiting():
            for session in self.honest.values():
                await self.run.ended(session)
        assert self.run.errors == {}
        for session in self.honest.values():
            stop = table(session).stopped
            assert stop is not None, self.name(session)
            assert (stop.code, stop.seat) == (code, self.bad), stop
        self.nothing_moved()
        reports = {self._verdict(session, code) for session in self.honest.values()}
        report = reports.pop()
        fault = as_json(report)["fault"]
        assert isinstance(fault, dict)
        assert text in fault["text"]
        return report

    def _verdict(self, session: Session, code: Code) -> Report:
        report = judged(self.evidence(session))
        fault = report.fault
        assert fault is not None
        assert (report.status, fault.code, fault.seat) == ("faulty", code, self.bad)
        good = parse_file(self.evidence(session)).entries
        for ledger in self.ledgers():  # what was judged to be good before the fault is what both hold
            assert parse_file(ledger).entries[: len(good)] == good
        verdict = sentences(report)[-1]
        assert verdict.startswith(NAMES[self.bad]), verdict
        assert f"height {fault.height}" in verdict, verdict
        assert report.chips == self.match.chips
        return report

    def evidence(self, session: Session) -> bytes:
        """The one evidence file of that seat."""
        (path,) = (self.folder / self.name(session) / "tables").glob("*.evidence")
        return path.read_bytes()

    def nothing_moved(self) -> None:
        """No chips, and no honest ledger holds more or other than it may."""
        for session in self.honest.values():
            assert table(session).match == self.match
        one, other = (parse_file(data).entries for data in self.ledgers())
        assert self._agree(one, other), "two honest ledgers part"

    def ledgers(self) -> list[bytes]:
        """The ledger files of the honest seats."""
        return ledgers(self.folder, [self.name(session) for session in self.honest.values()])

    def _agree(self, one: Sequence[bytes], other: Sequence[bytes]) -> bool:
        """Whether one is the beginning of the other, or they part at an entry of the bad seat."""
        parted = next(((left, right) for left, right in zip(one, other, strict=False) if left != right), None)
        return parted is None or {parse_entry(raw).seat for raw in parted} == {self.bad}

    def goes_on(self) -> None:
        """Nobody was convicted, and everybody is still there."""
        assert self.run.errors == {}
        for session in self.honest.values():
            assert not self.run.is_over(session)
            assert table(session).stopped is None
            assert not list((self.folder / self.name(session) / "tables").glob("*.evidence"))

    async def reach(self, height: int) -> None:
        """Waits until both honest ledgers have so many entries."""
        with waiting():
            for session in self.honest.values():
                await until(session, lambda s: table(s).height >= height)


_VERDICTS: dict[bytes, Report] = {}


def judged(evidence: bytes) -> Report:
    """What the offline check says; two equal files are judged once."""
    if evidence not in _VERDICTS:
        _VERDICTS.clear()
        _VERDICTS[evidence] = verify(parse_file(evidence), proofs=False, spread=remembering)
    return _VERDICTS[evidence]


@asynccontextmanager
async def stage(
    folder: Path, script: Script, bad: int, *, words: bool = False, cut: int | None = None
) -> AsyncIterator[Stage]:
    """Both honest seats at the table, linked. Their ledgers lack the entries that `bad` wrote last, or those
    from `cut` on."""
    entries = script.entries[:cut]
    while cut is None and entries and parse_entry(entries[-1]).seat == bad:
        entries.pop()
    async with runner() as run:
        made = Stage(run, folder, script, bad, len(entries), script.state.match)
        seats = [seat for seat in range(SEATS) if seat != bad]
        for seat in seats:
            lay_down(folder, script, seat, entries)
        first = run.start(host_session(config(folder, NAMES[seats[0]], words=words)))
        address = first.listening[0]
        second = run.start(join_session(config(folder, NAMES[seats[1]], address=address, words=words)))
        made.honest = {seats[0]: first, seats[1]: second}
        with waiting():
            for session in made.honest.values():
                await until(session, lambda s: hasattr(s.view, "links"))
            await until(first, lambda s: table(s).links[seats[1]].kind == "direct")
        yield made


def rejected(wire: Wire) -> list[str]:
    """The codes with which the other end refused something."""
    return [message.code for message in wire.of(Reject)]
