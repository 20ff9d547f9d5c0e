"""Chat at a begun table: said to every linked seat, heard once, passed on to who may not hear it otherwise.

Owns how a line travels. Must not know links or what is played.
"""

from collections import deque
from collections.abc import Callable
from typing import Protocol

from tongits_lan.errors import Refused
from tongits_lan.game.sentences import mark
from tongits_lan.ledger.messages import Chat, Message
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, SEATS
from tongits_lan.net.events import ChatHeard, Herald
from tongits_lan.net.flood import Flood
from tongits_lan.net.settling import Later

UNHEARD = mark("Nobody is within reach now: say it when somebody is back.")


def worth_saying(text: str) -> str:
    """The cleaned text. Raises Refused for nothing to say."""
    said = clean(text, CHAT_MAX).strip()
    if not said:
        raise Refused("There is nothing to say: type a few words first.")
    return said


OWN_WORD_SECONDS = 1.0  # how long the copy of a third seat waits for that over the speaker's own link


class Ways(Protocol):
    """The links to the other seats."""

    def linked(self) -> tuple[int, ...]:
        """The seats with a live one."""

    def post(self, seat: int, message: Message) -> None:
        """Sends over the one to `seat`, if it is there."""


class Talk:
    """What the seat `me` hears and says."""

    def __init__(self, me: int, mesh: Ways, herald: Herald, clock: Callable[[], float], later: Later) -> None:
        self._me = me
        self._later = later
        self._mesh = mesh
        self._herald = herald
        self._clock = clock
        self._flood = Flood()
        self._waiting: deque[tuple[int, int, str]] = deque()

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
            self._show(channel, message.seat, text)
        elif message.seat in self._mesh.linked():  # its own word is better, and mostly just behind
            self._waiting.append((channel, message.seat, text))
            self._later(OWN_WORD_SECONDS, lambda: self._show(*self._waiting.popleft()))  # in their order
        else:
            self._show(channel, message.seat, text)

    def _show(self, channel: int, seat: int, text: str) -> None:
        if self._flood.hears(channel, seat, text):
            self._herald.tell(ChatHeard(seat, text, None if channel == seat else channel))
