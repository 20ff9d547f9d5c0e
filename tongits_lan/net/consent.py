"""What a guest has said yes to: his promise of chance to a host, and the lobby he agreed to, if he does yet.

Owns which yes counts, and keeps it on disk, so that a table begun while the program is gone can be judged.
Must not know links; what is to be sent is handed out.
"""

from dataclasses import replace

from tongits_lan.errors import UserError
from tongits_lan.ledger.chain import nonce_commitment, rules_digest
from tongits_lan.ledger.messages import SetReady, encode_message
from tongits_lan.net.base import Base
from tongits_lan.net.lobby import Lobby
from tongits_lan.net.sitting import agreed_in
from tongits_lan.store.promise import Promise, load_promise, save_promise


class Consent:
    """One guest's consent to the table of one host at a time."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._promise: Promise | None = None
        self._agreed: Lobby | None = None
        self._wants = False
        self._told = False
        """Whether the host of this link has been told that `_wants`."""
        self.taken_back = False
        """Whether other rules have taken his yes back, and he has not said it again."""

    def promise_to(self, host_pk: bytes, tag: bytes) -> bytes:
        """A new promise of chance to the host of a new link and his table: what `seat` says of it (32 bytes).
        Raises UserError."""
        self._promise, self._told = Promise(self._base.config.entropy(32), host_pk, tag, None), False
        save_promise(self._base.config.data_dir, self._promise)
        return nonce_commitment(self._base.identity.pk, self._promise.nonce)

    def promised(self) -> tuple[Promise | None, Lobby | None]:
        """The promise and what was agreed to with it, from disk where this program made none."""
        if self._promise is None:
            self._promise = load_promise(self._base.config.data_dir)
            self._agreed = agreed_in(self._promise)
        return self._promise, self._agreed

    def holds_with(self, host_pk: bytes) -> bool:
        """Whether a yes to a table of that host stands: it may have begun without a word to this guest."""
        promise = self._standing()
        return promise is not None and promise.host_pk == host_pk

    @property
    def table(self) -> bytes | None:
        """The tag of the table that a yes stands for."""
        promise = self._standing()
        return None if promise is None else promise.tag

    def _standing(self) -> Promise | None:
        promise = self._promise or load_promise(self._base.config.data_dir)
        return None if promise is None or promise.agreed is None else promise

    def say(self, value: bool, lobby: Lobby) -> SetReady:
        """He is ready for that lobby, or not any more: what to send."""
        self._wants = self._told = value
        if not value:
            return SetReady(None)
        self.taken_back = False
        self._agree(lobby)
        return SetReady(rules_digest(lobby.rules))

    def hear(self, lobby: Lobby) -> SetReady | None:
        """What the host's lobby makes of the yes, and what to send: other rules take it back, other people do
        not."""
        at = lobby.place_of(self._base.identity.pk)
        if self._wants and self._agreed is not None and lobby.rules != self._agreed.rules:
            self.taken_back = True
            return self.say(False, lobby)
        if self._wants and at is not None:
            if self._agreed is None or self._agreed.people() != lobby.people():
                self._agree(lobby)
            return None if self._told else self.say(True, lobby)
        if at is not None and self._agreed is not None and not lobby.places[at].ready:
            self._agree(None)  # the host knows that the yes was taken back
        return None

    def _agree(self, lobby: Lobby | None) -> None:
        assert self._promise is not None
        self._agreed = lobby
        said = None if lobby is None else encode_message(lobby.message())
        self._promise = replace(self._promise, agreed=said)
        try:
            save_promise(self._base.config.data_dir, self._promise)
        except UserError as error:
            self._base.fail(error)
