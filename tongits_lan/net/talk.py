"""Chat at a begun table: said to every linked seat, heard once, passed on to who may not hear it otherwise.

Owns how a line travels. Must not know links or what is played.
"""

from collections.abc import Callable

from tongits_lan.errors import Refused
from tongits_lan.ledger.messages import Chat
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, SEATS
from tongits_lan.net.events import ChatHeard, Herald
from tongits_lan.net.flood import Flood
from tongits_lan.net.mesh import Mesh


def worth_saying(text: str) -> str:
    """The cleaned text. Raises Refused for nothing to say."""
    said = clean(text, CHAT_MAX).strip()
    if not said:
        raise Refused("There is nothing to say: type a few words first.")
    return said


class Talk:
    """What the seat `me` hears and says."""

    def __init__(self, me: int, mesh: Mesh, herald: Herald, clock: Callable[[], float]) -> None:
        self._me = me
        self._mesh = mesh
        self._herald = herald
        self._clock = clock
        self._flood = Flood()

    def link_up(self, seat: int) -> None:
        """A new link to `seat`."""
        self._flood.link_up(seat)

    def say(self, text: str) -> None:
        """Tells every linked seat. Inside trio only."""
        for seat in self._mesh.linked():
            self._mesh.post(seat, Chat(self._me, text))
        self._herald.tell(ChatHeard(self._me, text, None))

    def hear(self, channel: int, message: Chat) -> None:
        """A line came over the link to `channel`."""
        text = clean(message.text, CHAT_MAX)
        if message.seat == self._me or not text or not self._flood.allows(channel, self._clock()):
            return
        if channel == message.seat:  # from the speaker itself: the third seat may not hear it otherwise
            third = SEATS - self._me - channel
            self._mesh.post(third, Chat(message.seat, text))
        if self._flood.hears(channel, message.seat, text):
            via = None if channel == message.seat else channel
            self._herald.tell(ChatHeard(message.seat, text, via))
