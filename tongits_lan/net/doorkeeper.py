"""Who is let into a lobby, and who of them has to give the code.

Owns these two answers. Must not know links, what is said over them, or when a table begins.
"""

from collections.abc import Collection

from tongits_lan.game.sentences import mark, phrase
from tongits_lan.ledger.messages import RefusedCode
from tongits_lan.limits import LOBBY_LINKS, SEATS
from tongits_lan.net.helpers import Helpers
from tongits_lan.net.join_code import Gate
from tongits_lan.net.lobby import Lobby

WITHOUT_YOU = mark("{name}'s table has begun without you: ask for the next one.")


class Doorkeeper:
    """Stands at the door of a lobby; `gate` is None where no code is asked for, and `invited` need none."""

    def __init__(self, host: str, gate: Gate | None, invited: frozenset[bytes], helpers: Helpers) -> None:
        self._host = host
        self._gate = gate
        self._invited = invited
        self._helpers = helpers
        self._asked_to_leave: set[bytes] = set()

    def banish(self, pk: bytes) -> None:
        """That key was asked to leave: it is not let in again."""
        self._asked_to_leave.add(pk)

    def admit(self, pk: bytes, lobby: Lobby, here: Collection[bytes]) -> tuple[RefusedCode, str] | None:
        """None to let that key in, else why not; `here` are the keys that have a link."""
        if pk in self._asked_to_leave:
            return "stranger", phrase("{name} asked you to leave: join another table.", name=self._host)
        if lobby.place_of(pk) is not None:
            return None
        gate = self.gate_for(pk, here)
        if gate is not None and gate.waits:
            text = mark("Too many wrong codes were tried at {name}'s table: wait a minute.")
            return "busy", phrase(text, name=self._host)
        if not self.has_room(pk, lobby):
            return "full", phrase("{name}'s table is full: ask for another one.", name=self._host)
        if len(here) >= LOBBY_LINKS:
            text = mark("{name}'s table has too many visitors: try again in a moment.")
            return "busy", phrase(text, name=self._host)
        return None

    def gate_for(self, pk: bytes, here: Collection[bytes]) -> Gate | None:
        """Who has to give the code: everybody but the host's bots, the invited and who is here already."""
        return None if pk in self._helpers.keys | self._invited or pk in here else self._gate

    def has_room(self, pk: bytes, lobby: Lobby) -> bool:
        """Whether there is a place for that key; those kept for bots are no others'."""
        return pk in self._helpers.keys or self.taken(lobby) < SEATS

    def taken(self, lobby: Lobby) -> int:
        """The places that people sit in or that are kept for bots."""
        return len({place.pk for place in lobby.places} | self._helpers.keys)
