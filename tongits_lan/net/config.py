"""What a session is asked to be. Owns the settings of one session; must not know how they are carried out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tongits_lan.game.rules import PRESETS, Rules


@dataclass(frozen=True, slots=True)
class Again:
    """The table just played, for the next one with the same people."""

    path: Path
    """Its ledger."""
    seats: tuple[bytes, ...]
    """The keys of its seats: they need no code, and keep their seats."""
    tag: bytes
    """The 8 bytes of the table: whoever still announces them has not opened the next one."""
    addresses: tuple[str, ...]
    """Guest: where the others were ("host:port")."""
    port: int
    """Where this player's program listened; taken again if it is free."""


@dataclass(frozen=True, slots=True)
class Summons:
    """A bot is called to a host's table."""

    operator_pk: bytes
    """The host's key."""
    port: int
    """Where the host listens."""
    taken: frozenset[str]
    """Names that sit there already."""
    name: str | None
    """Who is to come; None: anybody."""


class Bot(Protocol):
    """A bot of this machine, with a key and files of its own; net does not know how it plays."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def pk(self) -> bytes:
        """Its 32-byte public key."""

    async def play(self) -> None:
        """Joins the host and plays until cancelled. Raises UserError."""

    def close(self) -> None:
        """Gives back what it holds; for one that never played."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What a host may choose in his lobby."""

    name: str
    """A preset, or the name of a file."""
    rules: Rules | None
    problem: str = ""
    """Why the file cannot be used, where `rules` is None."""


def presets() -> tuple[RuleSet, ...]:
    """The rule sets of the program alone."""
    return tuple(RuleSet(name, rules) for name, rules in PRESETS.items())


@dataclass(frozen=True, slots=True)
class SessionConfig:
    """One host or guest on this machine."""

    name: str
    data_dir: Path
    entropy: Callable[[int], bytes]
    """n -> n fresh random bytes (os.urandom)."""
    bind: str = "127.0.0.1"
    """Address to listen on; "" for every interface and both versions of IP."""
    port: int | None = None
    """None: 15213, else the next free one."""
    address: str | None = None
    """Guest: "host:port" (or "host") of the table."""
    found: tuple[str, ...] = ()
    """Guest: all addresses of the table chosen from a list, dialled at once; in place of `address`."""
    rules: Rules = PRESETS["pagat"]
    """Host: the rules of a new table."""
    rule_sets: Callable[[], tuple[RuleSet, ...]] = presets
    """Host: what he may choose from in the lobby; read anew each time."""
    bots: int = 0
    """Host: how many bots of this machine sit at the unfinished table that may go on."""
    call_bot: Callable[[Summons], Bot] | None = None
    """Host: makes a bot of this machine (see Session.add_bot). Raises UserError."""
    waits_for_words: bool = True
    """Whether the first `commit` waits until the player has compared the table words."""
    fresh: bool = False
    """Host: open a new table even where an unfinished one could go on."""
    operator_pk: bytes | None = None
    """Guest: this seat is a bot, run by whoever holds that key."""
    expect_pk: bytes | None = None
    """Guest: the host must hold this key."""
    code: str | None = field(default=None, repr=False)
    """Guest: the join code he was told, as he types it. Host: the code of a new table; None: a fresh one."""
    open_table: bool = False
    """Host: who joins needs no code. Guest: he joins a host that asks for none, without being asked."""
    again: Again | None = None
    """Play on with the same people (Session.next_config); goes with `fresh`."""
    asks: bool = True
    """Whether a player is there to answer questions; without one a question of a guest ends the session, and
    a name that comes with another key is only told."""
    lingers: bool = False
    """Whether a player who reads a screen stays at a table that is over until he parts (or the session is
    cancelled): the links are up until then, so that those who are still there can talk."""
    discovery: bool = False
    """Announce the table on the network, look for tables and for seats that are missed."""
    interface: str | None = None
    """Name or address of the only network interface to announce on and tell addresses of; None: all."""
    countdown: int | None = None
    """Host: whole seconds between three ready seats and the table; None: 5 when people joined, else 0."""
