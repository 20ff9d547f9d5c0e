"""What a host's table is made of: the one he goes on with, or what a new one needs beside the lobby.

Owns the host's own nonce, the tag, and the journal of a table that goes on until somebody sits there. Must
not know links, nor who is in the lobby.
"""

from tongits_lan.ledger.chain import nonce_commitment
from tongits_lan.net.base import Base
from tongits_lan.net.before import Before
from tongits_lan.net.lobby import Lobby
from tongits_lan.net.node import Node
from tongits_lan.net.reading import read_past, read_table
from tongits_lan.net.sitting import going_on, lay_table
from tongits_lan.store.journal import Journal, PendingTable


class Makings:
    """Of one lobby, or of the pending table it is given. Raises UserError(FAILED) for files that cannot go
    on."""

    def __init__(self, base: Base, pending: PendingTable | None) -> None:
        self._base = base
        self._nonce = base.config.entropy(32)
        self._before: Before | None = None
        self._journal = None if pending is None else Journal.open(pending.path)
        self._welcome = None if pending is None else going_on(pending)
        self.nonce_commit = nonce_commitment(base.identity.pk, self._nonce)
        """32 bytes; what the host's own place in the lobby promises."""
        self.tag = base.config.entropy(8)
        """8 bytes by which the lobby is found."""

    @property
    def goes_on(self) -> bool:
        """Whether there is a table already."""
        return self._journal is not None

    async def open(self) -> Node | None:
        """The host's seat at the table that goes on; without one None, when what a new one may continue is
        read. Raises UserError(FAILED)."""
        if self._journal is not None and self._welcome is not None:
            self._base.note(self._welcome)
            return Node(self._base, self._journal, await read_table(self._base, self._journal))
        if self._base.config.again is not None:
            past = await read_past(self._base, self._base.config.again.path)
            self._before = None if past is None else past.as_it_stands()
        return None

    async def lay(self, lobby: Lobby) -> Node:
        """The host's seat at a new table of these three places. Raises UserError."""
        return lay_table(self._base, lobby, self._nonce, self.tag, self._before)

    def close(self) -> None:
        """Gives the files back; for a table at which nobody has sat down."""
        if self._journal is not None:
            self._journal.close()
