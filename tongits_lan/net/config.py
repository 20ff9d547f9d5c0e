"""What a session is asked to be. Owns the settings of one session; must not know how they are carried out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tongits_lan.game.rules import PRESETS, Rules


@dataclass(frozen=True, slots=True)
class Again:
    """The table just played, for the next one with the same people."""

    path: Path
    """Its ledger."""
    seats: tuple[bytes, ...]
    """The keys of its seats: they need no code, and keep their seats."""
    addresses: tuple[str, ...]
    """Guest: where the others were ("host:port")."""
    port: int
    """Where this player's program listened; taken again if it is free."""


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
    rules: Rules = PRESETS["pagat"]
    """Host: the rules of a new table."""
    bots: int = 0
    """Host: seats kept for bots of this machine (see Session.seat_bot)."""
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
    discovery: bool = False
    """Announce the table on the network, look for tables and for seats that are missed."""
    interface: str | None = None
    """Name or address of the only network interface to announce on and tell addresses of; None: all."""
    countdown: int | None = None
    """Host: whole seconds between three ready seats and the table; None: 5 when people joined, else 0."""
