"""Somebody in the middle of a table without a code: she hosts to Ben under Ana's name, and sits at Ana's
table under Ben's.

Every link is as authentic as she can make it: they believe the names, not the keys. What is left is what
people read to each other.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.stage import Wire, open_link, waiting
from tests.hostile.test_hosts import EVES_NONCE, RULES, BadHost, agreed, honest, somebody
from tests.sessions import Runner, config, lobby, table, until
from tongits_lan.errors import Code
from tongits_lan.ledger.chain import (
    Descriptor,
    SeatEntry,
    head_after,
    nonce_commitment,
    parse_descriptor,
    parse_entry,
    rules_digest,
    sign_entry,
)
from tongits_lan.ledger.messages import Entries, Get, Have, Lobby, Open, SetReady, Sit, TableOffer, TakeSeat
from tongits_lan.limits import SEATS
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.identity import Identity

AS_ANA, AS_CARLO, AS_BEN = (somebody(label) for label in (b"as ana", b"as carlo", b"as ben"))
CARLOS_NONCE = bytes(31) + b"\x01"  # what `agreed` commits to for the second seat
OPENED = 2 * SEATS  # entries until the words are there


@dataclass
class Puppets:
    """Her seats at one table, at the other end of one link; `keys` and `nonces` are by seat."""

    wire: Wire
    descriptor: Descriptor
    keys: Mapping[int, Identity]
    nonces: dict[int, bytes]

    async def until(self, end: int) -> list[bytes]:
        """Plays on until there are so many entries: hers as they are due, the others' as they come."""
        ledger: list[bytes] = []
        while len(ledger) < end:
            height = len(ledger)
            seat = height % SEATS
            if seat in self.keys:
                ledger.append(self.write(seat, height, ledger))
                self.wire.say(Entries(height, (ledger[-1],)))
                continue
            ledger.append(await self._next(height))
        return ledger

    async def _next(self, height: int) -> bytes:
        """The entry of that height, asked for if it was written before this link was up."""
        asked = False
        with waiting():
            while not (found := [raw for raw in self._heard() if parse_entry(raw).height == height]):
                if not asked and any(have.height > height for have in self.wire.of(Have)):
                    asked = True
                    self.wire.say(Get(height))
                await self.wire.news.wait()
        return found[0]

    def _heard(self) -> list[bytes]:
        return [raw for message in self.wire.of(Entries) for raw in message.entries]

    def write(self, seat: int, height: int, ledger: list[bytes]) -> bytes:
        """What that seat signs there."""
        table_id = self.descriptor.table_id
        head = head_after(table_id, parse_entry(ledger[-1]).payload) if ledger else table_id
        digest = hashlib.sha256(self.descriptor.raw).digest()
        body = Sit(digest) if height < SEATS else Open(self.nonces[seat])
        return sign_entry(self.keys[seat].key, table_id, seat, height, head, body)


async def at_anas(run: Runner, folder: Path) -> tuple[Session, Session, Puppets]:
    """The real Ana and Carlo at a table with somebody whom they take for Ben."""
    ana = run.start(host_session(config(folder, "Ana", words=True)))
    carlo = run.start(join_session(config(folder, "Carlo", address=ana.listening[0], words=True)))
    await until(ana, lambda s: len(lobby(s).seats) == 2)
    link = await open_link(ana, AS_BEN, "Ben")
    wire = Wire(link)
    run.nursery.start_soon(link.run, wire)
    with waiting():
        await wire.hears(Lobby)
        wire.say(TakeSeat(nonce_commitment(AS_BEN.pk, EVES_NONCE)))
        await until(ana, lambda s: [seat.name for seat in lobby(s).seats] == ["Ana", "Carlo", "Ben"])
        await until(carlo, lambda s: len(lobby(s).seats) == SEATS)
        for session in (ana, carlo):
            session.set_ready(True)
        wire.say(SetReady(rules_digest(RULES)))
        offer = await wire.hears(TableOffer)
    return ana, carlo, Puppets(wire, parse_descriptor(offer.descriptor), {2: AS_BEN}, {2: EVES_NONCE})


def at_hers(host: BadHost, seats: list[SeatEntry], nonces: dict[int, bytes]) -> Puppets:
    """Ben at a table with two whom he takes for Ana and Carlo."""
    raw = honest(seats)
    host.wires[0].say(TableOffer(raw))
    return Puppets(host.wires[0], parse_descriptor(raw), {0: AS_ANA, 1: AS_CARLO}, nonces)


async def test_the_words_of_her_two_tables_differ(tmp_path: Path) -> None:
    """She knows every nonce of Ana's table before she opens one of her own at Ben's; it does not help."""
    async with agreed(tmp_path, ("Ana", AS_ANA), ("Carlo", AS_CARLO)) as (host, ben, seats):
        ana, carlo, hers = await at_anas(host.run, tmp_path)
        await hers.until(OPENED)
        theirs = at_hers(host, seats, {0: EVES_NONCE, 1: CARLOS_NONCE})
        await theirs.until(OPENED)
        with waiting():
            for session in (ana, carlo, ben):
                await until(session, lambda s: hasattr(s.view, "words") and table(s).words is not None)
        assert [seat.name for seat in hers.descriptor.seats] == ["Ana", "Carlo", "Ben"]
        assert [seat.name for seat in theirs.descriptor.seats] == ["Ana", "Carlo", "Ben"]
        assert table(ana).words == table(carlo).words
        assert table(ana).words != table(ben).words
        ana.words_differ()
        with waiting():
            for session in (ana, carlo):
                await host.run.ended(session)
        assert table(carlo).called_off == table(ana).me
        assert host.run.errors == {}


async def test_a_nonce_taken_over_from_the_other_table_does_not_open(tmp_path: Path) -> None:
    """Ana's and Carlo's commitments stand in Ben's table for the seats of those names: whoever else holds the
    seat cannot open them, for a commitment is to a key as well."""
    async with agreed(tmp_path, ("Ana", AS_ANA), ("Carlo", AS_CARLO)) as (host, ben, seats):
        _, _, hers = await at_anas(host.run, tmp_path)
        opened = [parse_entry(raw).body_value[1] for raw in (await hers.until(OPENED))[SEATS:]]
        taken = [
            replace_commit(seat, real.nonce_commit)
            for seat, real in zip(seats[:2], hers.descriptor.seats, strict=False)
        ]
        theirs = at_hers(host, [*taken, seats[2]], {0: opened[0], 1: opened[1]})
        await theirs.until(SEATS + 1)
        with waiting():
            await until(ben, lambda s: hasattr(s.view, "stopped") and table(s).stopped is not None)
        stop = table(ben).stopped
        assert stop is not None
        assert (stop.code, stop.seat, stop.height) == (Code.COMMIT, 0, SEATS)
        assert table(ben).words is None


def replace_commit(seat: SeatEntry, commit: bytes) -> SeatEntry:
    return SeatEntry(seat.pk, seat.name, commit, seat.operator_pk)
