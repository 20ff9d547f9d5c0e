"""What every stage of a session stands on: identity, listening socket, events, and how the session fails.

Owns how those are opened and closed together. Must not know lobbies or tables.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import trio

from tongits_lan.errors import UserError
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.net.beacon import Beacon
from tongits_lan.net.company import Company
from tongits_lan.net.config import SessionConfig
from tongits_lan.net.events import Bridge, Herald, LinkNote, LobbyChanged
from tongits_lan.net.flood import Allowance
from tongits_lan.net.handshake import Me
from tongits_lan.net.tls import own_certificate
from tongits_lan.net.transport import Door, open_door
from tongits_lan.store.identity import Identity, load_or_make_identity

if TYPE_CHECKING:
    from tongits_lan.net.link import Link

HEARSAY = 6.0  # notes at once
HEARSAY_PER_SECOND = 0.1


class Teller(Protocol):
    """Knows how a table ended, and who has yet to be told."""

    def waits_for(self, pk: bytes) -> bool:
        """Whether the seat of that key has yet to be told."""

    async def receive(self, link: "Link", pk: bytes) -> None:
        """Tells that seat over a link it made itself, to the link's end. Raises LinkLost, Fault."""


@dataclass
class Base:
    """The common ground of one session."""

    config: SessionConfig
    identity: Identity
    door: Door
    herald: Herald = field(default_factory=Herald)
    bridge: Bridge = field(default_factory=Bridge)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Everything the session does runs in here."""
    failure: UserError | None = None
    tellers: list[Teller] = field(default_factory=list)
    """Those at work in this session."""
    reading: str | None = None
    """What is read from the disk just now, for the view."""
    strangers: Allowance = field(default_factory=lambda: Allowance(HEARSAY, HEARSAY_PER_SECOND))
    """How many notes strangers may cause."""

    @property
    def me(self) -> Me:
        """How this session introduces itself."""
        return Me(self.identity, self.name, self.config.entropy)

    @property
    def name(self) -> str:
        """The player's name as others see it."""
        return clean(self.config.name, NAME_MAX).strip() or "Player"

    @cached_property
    def company(self) -> Company:
        """The people this player knows."""
        return Company(self.config.data_dir)

    @cached_property
    def beacon(self) -> Beacon:
        """The session's place in discovery."""
        return Beacon(self.config, self.name, self.door, lambda: self.herald.tell(LobbyChanged()))

    def addresses(self) -> tuple[str, ...]:
        """Where others reach this session ("host:port")."""
        return self.door.addresses()

    def teller_for(self, pk: bytes) -> Teller | None:
        """Who has something to tell the seat of that key."""
        return next((teller for teller in self.tellers if teller.waits_for(pk)), None)

    def note(self, text: str) -> None:
        """Tells the player something about connections."""
        self.herald.tell(LinkNote(text))

    def hearsay(self, text: str) -> None:
        """Tells the player what came of somebody who may be anybody; of a flood of it only the first."""
        if self.strangers.allows(0, trio.current_time()):
            self.note(text)

    def fail(self, error: UserError) -> None:
        """Ends the session with `error`; the first one counts."""
        if self.failure is None:
            self.failure = error
        self.scope.cancel()

    def close(self) -> None:
        """Stops listening and ends all subscriptions."""
        self.door.close()
        self.herald.close()


def open_base(config: SessionConfig, identity: Identity, preferred_port: int | None) -> Base:
    """Binds the session's port. Raises UserError(FAILED)."""
    own_certificate()
    return Base(
        config, identity, open_door(config.bind, config.port, preferred=preferred_port, only=config.interface)
    )


def identity_of(config: SessionConfig) -> Identity:
    """The identity in the session's data folder. Raises UserError(FAILED)."""
    return load_or_make_identity(config.data_dir)
