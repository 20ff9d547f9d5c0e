"""A modified host: the table it begins is not the one its guest agreed to, or not the only one."""

import hashlib
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.hostile.stage import TAG, Wire, answer, waiting
from tests.sessions import Runner, config, lobby, runner, table, until
from tongits_lan.errors import Exit, LinkLost, UserError
from tongits_lan.game.rules import PRESETS, to_map
from tongits_lan.ledger.chain import (
    SeatEntry,
    build_descriptor,
    head_after,
    nonce_commitment,
    parse_descriptor,
    parse_entry,
    public_bytes,
    rules_digest,
    sign_entry,
)
from tongits_lan.ledger.encoding import pack, unpack
from tongits_lan.ledger.messages import Entries, Lobby, LobbyPlace, SetReady, Sit, TableOffer, TakeSeat
from tongits_lan.net.handshake import Me, greet_client
from tongits_lan.net.lobby import first_start
from tongits_lan.net.session import Session, join_session
from tongits_lan.net.transport import join_address
from tongits_lan.store.identity import Identity
from tongits_lan.store.journal import Journal
from tongits_lan.store.promise import Promise, load_promise

RULES = PRESETS["pagat"]
NOW = 1_790_000_000


def somebody(label: bytes) -> Identity:
    key = Ed25519PrivateKey.from_private_bytes(label.ljust(32, b"."))
    return Identity(key, public_bytes(key))


EVE, DORA = somebody(b"eve"), somebody(b"dora")
EVES_NONCE = bytes(32)


@dataclass
class BadHost:
    """Listens, greets, and shows a lobby in which the host and another one wait for a guest."""

    run: Runner
    me: tuple[str, Identity]
    other: tuple[str, Identity]
    guest: str
    wires: list[Wire] = field(default_factory=list)
    came: trio.Event = field(default_factory=trio.Event)
    address: str = ""
    offer: bytes | None = None
    """The table told to whoever comes, once there is one."""

    async def serve(self, stream: trio.SocketStream) -> None:
        link = await answer(stream)
        try:
            await greet_client(link, Me(self.me[1], self.me[0], os.urandom), TAG, lambda pk: None)
        except LinkLost:
            return
        wire = Wire(link)
        self.wires.append(wire)
        wire.say(self.lobby() if self.offer is None else TableOffer(self.offer))
        self.came.set()
        await link.run(wire)

    def lobby(self, guest: bytes | None = None, *, operator: bytes | None = None) -> Lobby:
        """The lobby, with the guest in it or not yet."""
        places = [LobbyPlace(who.pk, name, None, True) for name, who in (self.me, self.other)]
        if guest is not None:
            places.append(LobbyPlace(guest, self.guest, operator, False))
        return Lobby(to_map(RULES), tuple(places), None)


@asynccontextmanager
async def agreed(
    folder: Path,
    me: tuple[str, Identity] = ("Eve", EVE),
    other: tuple[str, Identity] = ("Dora", DORA),
    guest: str = "Ben",
) -> AsyncIterator[tuple[BadHost, Session, list[SeatEntry]]]:
    """A guest that has said yes to the lobby, and the seats the table would honestly have."""
    async with runner() as run:
        host = BadHost(run, me, other, guest)
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        run.nursery.start_soon(trio.serve_listeners, host.serve, [listener])
        address = join_address(*listener.socket.getsockname()[:2])
        host.address = address
        made = replace(config(folder, guest, address=address), expect_pk=host.me[1].pk, fresh=True)
        session = run.start(join_session(made))
        with waiting():
            await host.came.wait()
            commit = (await host.wires[0].hears(TakeSeat)).nonce_commit
            host.wires[0].say(host.lobby(session.identity_pk))
            await until(session, lambda s: len(lobby(s).seats) == 3)
            session.set_ready(True)
            assert (await host.wires[0].hears(SetReady)).agreed == rules_digest(RULES)
        seats = [
            SeatEntry(who.pk, name, nonce_commitment(who.pk, nonce), who.pk)
            for (name, who), nonce in ((host.me, EVES_NONCE), (host.other, bytes(31) + b"\x01"))
        ]
        yield host, session, [*seats, SeatEntry(session.identity_pk, guest, commit, session.identity_pk)]


def honest(seats: list[SeatEntry], *, seconds: int = NOW) -> bytes:
    """The table of these three seats."""
    first, second, third = seats
    return build_descriptor(seconds, RULES, (first, second, third), first_start(RULES), None).raw


def bent(seats: list[SeatEntry], /, **fields: object) -> bytes:
    """The table with other fields, put together by hand."""
    names = ("protocol", "seconds", "rules", "seats", "start", "previous")
    values = dict(zip(names, unpack(honest(seats), allow_map=True, allow_negative=True), strict=True))
    assert fields.keys() <= values.keys()
    return pack(list({**values, **fields}.values()))


def changed(seat: SeatEntry, **fields: bytes) -> SeatEntry:
    return msgspec.structs.replace(seat, **fields)


def renamed(seat: SeatEntry, name: str) -> SeatEntry:
    return msgspec.structs.replace(seat, name=name)


def one_nonce(seats: list[SeatEntry]) -> list[list[bytes | str]]:
    """Two seats with the same commitment."""
    commits = [seats[0].nonce_commit, seats[2].nonce_commit, seats[2].nonce_commit]
    return [[s.pk, s.name, commit, s.operator_pk] for s, commit in zip(seats, commits, strict=True)]


X = somebody(b"x").pk
AHEAD = [[9, 0, -9], 0, None, 0, 0]
NEVER = [bytes(32), bytes(32)]
TABLES: dict[str, Callable[[list[SeatEntry]], bytes]] = {
    "another rule": lambda seats: bent(seats, rules={**to_map(RULES), "base": 5}),
    "another preset": lambda seats: bent(seats, rules=to_map(PRESETS["house"])),
    "a rule that does not exist": lambda seats: bent(seats, rules={**to_map(RULES), "zzz": 1}),
    "other places": lambda seats: honest([seats[1], seats[0], seats[2]]),
    "another player": lambda seats: honest([seats[0], changed(seats[1], pk=X, operator_pk=X), seats[2]]),
    "another name": lambda seats: honest([seats[0], renamed(seats[1], "Dan"), seats[2]]),
    "names that change places": lambda seats: honest(
        [seats[0], renamed(seats[1], seats[2].name), renamed(seats[2], seats[1].name)]
    ),
    "a name that steers a screen": lambda seats: honest([renamed(seats[0], "\x1b]0;x\x07Eve"), *seats[1:]]),
    "a bot on the guest's seat": lambda seats: honest([*seats[:2], changed(seats[2], operator_pk=EVE.pk)]),
    "a person called a bot": lambda seats: honest([seats[0], changed(seats[1], operator_pk=X), seats[2]]),
    "another nonce": lambda seats: honest([*seats[:2], changed(seats[2], nonce_commit=bytes(32))]),
    "one nonce for two": lambda seats: bent(seats, seats=one_nonce(seats)),
    "chips from nowhere": lambda seats: bent(seats, start=AHEAD),
    "chips that do not sum to zero": lambda seats: bent(seats, start=[[9, 9, 9], 0, None, 0, None]),
    "a dealer of its choice": lambda seats: bent(seats, start=[[0, 0, 0], 0, None, 0, 0]),
    "a table before that never was": lambda seats: bent(seats, previous=NEVER),
    "chips of a table that never was": lambda seats: bent(seats, start=AHEAD, previous=NEVER),
    "another protocol": lambda seats: bent(seats, protocol="tongits-lan/0"),
    "bytes behind it": lambda seats: honest(seats) + b"\x00",
    "noise": lambda seats: b"\xc1" * 40,
}


@pytest.mark.parametrize("what", TABLES)
async def test_a_table_nobody_agreed_to_is_not_signed(tmp_path: Path, what: str) -> None:
    async with agreed(tmp_path) as (host, guest, seats):
        wire = host.wires[0]
        wire.say(TableOffer(TABLES[what](seats)))
        with waiting():
            await host.run.ended(guest)
            await wire.gone()
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert error.exit_code in (Exit.NO_TABLE, Exit.FAULT)
        assert "igned" in error.text
        assert wire.of(Entries) == []
        assert list((tmp_path / "Ben").glob("tables/*")) == []


async def test_the_table_agreed_to_is_signed_and_no_other(tmp_path: Path) -> None:
    """A host that tries tables until the words fit gets one signature; neither a second table on the same
    link nor one on the next is believed."""
    async with agreed(tmp_path) as (host, guest, seats):
        raw, other = honest(seats), honest(seats, seconds=NOW + 1)
        wire = host.wires[0]
        wire.say(TableOffer(raw), Entries(0, two_sits(host, raw)))
        with waiting():
            while not (signed := signed_by_guest(host)):
                await wire.news.wait()
            host.offer = other
            wire.say(TableOffer(other), Entries(0, two_sits(host, other)))
            await wire.gone()
            while len(host.wires) < 3:  # it comes again, hears of another table, and comes again
                host.came = trio.Event()
                await host.came.wait()
            await host.wires[1].gone()
        assert signed_by_guest(host) == signed
        assert {parse_entry(entry).body_value[0] for entry in signed} == {"sit"}
        assert table(guest).table_id == parse_descriptor(raw).table_id
        assert len(list((tmp_path / "Ben").glob("tables/*"))) == 1
        assert host.run.errors == {}


def two_sits(host: BadHost, raw: bytes) -> tuple[bytes, bytes]:
    """The host and the other one sit down at that table."""
    table_id = parse_descriptor(raw).table_id
    sit = Sit(hashlib.sha256(raw).digest())
    first = sign_entry(host.me[1].key, table_id, 0, 0, table_id, sit)
    head = head_after(table_id, parse_entry(first).payload)
    return first, sign_entry(host.other[1].key, table_id, 1, 1, head, sit)


def signed_by_guest(host: BadHost) -> set[bytes]:
    """Whatever entries of its own the guest has sent over any link."""
    sent = [raw for wire in host.wires for message in wire.of(Entries) for raw in message.entries]
    return {raw for raw in sent if parse_entry(raw).seat == 2}


async def test_a_guest_is_not_made_a_bot_in_the_lobby(tmp_path: Path) -> None:
    async with agreed(tmp_path) as (host, guest, _):
        host.wires[0].say(host.lobby(guest.identity_pk, operator=EVE.pk))
        with waiting():
            await host.run.ended(guest)
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert "who plays your seat" in error.text


async def test_a_guest_is_not_given_another_name_in_the_lobby(tmp_path: Path) -> None:
    """What the others would be told of him, and his seat be accused by."""
    async with agreed(tmp_path) as (host, guest, _):
        *others, mine = host.lobby(guest.identity_pk).seats
        host.wires[0].say(Lobby(to_map(RULES), (*others, msgspec.structs.replace(mine, name="Zoe")), None))
        with waiting():
            await host.run.ended(guest)
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert "calls you Zoe" in error.text


async def test_rules_changed_after_the_yes_need_another_yes(tmp_path: Path) -> None:
    async with agreed(tmp_path) as (host, guest, seats):
        wire = host.wires[0]
        places = host.lobby(guest.identity_pk).seats
        wire.say(Lobby({**to_map(RULES), "base": 5}, places, None))
        with waiting():
            assert (await wire.hears(SetReady, times=2)).agreed is None
        wire.say(TableOffer(bent(seats, rules={**to_map(RULES), "base": 5})))
        with waiting():
            await host.run.ended(guest)
        assert list((tmp_path / "Ben").glob("tables/*")) == []


@pytest.mark.parametrize("rules", ["as agreed", "changed"])
async def test_a_yes_taken_back_is_no_yes_any_more(tmp_path: Path, rules: str) -> None:
    """Neither for the rules of that time nor for those that came after."""
    async with agreed(tmp_path) as (host, guest, seats):
        wire = host.wires[0]
        places = host.lobby(guest.identity_pk).seats
        changed = {**to_map(RULES), "base": 5}
        if rules == "changed":
            wire.say(Lobby(changed, places, None))
        else:
            guest.set_ready(False)
        with waiting():
            assert (await wire.hears(SetReady, times=2)).agreed is None
            wire.say(Lobby(changed if rules == "changed" else to_map(RULES), places, None))
            wire.say(TableOffer(honest(seats)))
            await host.run.ended(guest)
        error = host.run.errors[guest]
        assert isinstance(error, UserError)
        assert "before you were ready" in error.text
        assert wire.of(Entries) == []
        assert list((tmp_path / "Ben").glob("tables/*")) == []


def promised(folder: Path) -> Promise:
    promise = load_promise(folder / "Ben")
    assert promise is not None
    return promise


async def test_the_promise_on_disk_forgets_a_yes_taken_back_too(tmp_path: Path) -> None:
    """Who is killed after it and comes back to a table that has begun signs nothing either."""
    async with agreed(tmp_path) as (host, guest, seats):
        wire = host.wires[0]
        guest.set_ready(False)
        with waiting():
            assert (await wire.hears(SetReady, times=2)).agreed is None
            wire.say(host.lobby(guest.identity_pk))
            await until(guest, lambda _: promised(tmp_path).agreed is None)
            await host.run.stop(guest)
            host.offer = honest(seats)
            again = replace(config(tmp_path, "Ben", address=host.address), expect_pk=EVE.pk)
            back = host.run.start(join_session(again))
            await host.run.ended(back)
        error = host.run.errors[back]
        assert isinstance(error, UserError)
        assert "before you were ready" in error.text


@pytest.mark.parametrize("called_off", [False, True])
async def test_a_promise_of_chance_is_good_for_one_table_whenever_its_guest_is_killed(
    tmp_path: Path, called_off: bool
) -> None:
    """He has the files of a table and has not forgotten the promise yet, when he is killed: else his host
    could try one table after another until the words fit."""
    async with agreed(tmp_path) as (host, guest, seats):
        await host.run.stop(guest)
        nonce = promised(tmp_path).nonce
        journal = Journal.create(tmp_path / "Ben", parse_descriptor(honest(seats)), nonce, 2, TAG)
        if called_off:
            journal.drop(0, [])
        journal.close()
        kept = {path: path.read_bytes() for path in (tmp_path / "Ben" / "tables").iterdir()}
        host.offer = honest(seats, seconds=NOW + 1)
        again = replace(config(tmp_path, "Ben", address=host.address), expect_pk=EVE.pk)
        back = host.run.start(join_session(again))
        with waiting():
            await host.run.ended(back)
        error = host.run.errors[back]
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.FAULT
        assert "a second table" in error.text
        assert signed_by_guest(host) == set()
        assert {path: path.read_bytes() for path in (tmp_path / "Ben" / "tables").iterdir()} == kept
