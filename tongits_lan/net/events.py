"""What a session tells the one who watches it, and the bridge that lets him act from any thread context.

Owns the events of lobby and links (those of the table come from the ledger room) and how they are handed
out. Must not know sockets, files or how a table works.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from tongits_lan.game.rules import Rules
from tongits_lan.ledger.effects import LinkChanged, RejectedByPeer, TableEvent


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """The lobby is another one now: read `Session.view`."""


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The host has changed the rules of the lobby: nobody is ready any more."""

    before: Rules
    after: Rules


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """`seat` said `text` (cleaned); `via` is the seat that passed it on, None over the speaker's own link.

    In the lobby, seat is the place in the lobby list."""

    seat: int
    text: str
    via: int | None


@dataclass(frozen=True, slots=True)
class TableBegan:
    """The table stands and is kept in the ledger file `path`; from now on `Session.view` is a TableView."""

    path: Path


@dataclass(frozen=True, slots=True)
class LinkNote:
    """Something about connections that a player may want to read: one sentence."""

    text: str


SessionEvent = TableEvent | LobbyChanged | RulesChanged | ChatHeard | TableBegan | LinkNote


Hearsay = LobbyChanged | RulesChanged | ChatHeard | LinkNote | LinkChanged | RejectedByPeer
"""Events that nobody had to sign, so that others can cause as many as they like."""
UNREAD_MAX = 1_000  # events in front of a subscriber who does not read: no hearsay is put behind so many


class _Subscriber:
    """The channel to one reader. What stands in a ledger or ends a table is never lost on it."""

    def __init__(self) -> None:
        self._send, self.receive = trio.open_memory_channel[SessionEvent](math.inf)
        self._sent = 0
        self._last_lobby = 0

    def tell(self, event: SessionEvent) -> None:
        """Raises BrokenResourceError when nobody reads any more."""
        if isinstance(event, Hearsay) and self._is_spared(event):
            return
        self._send.send_nowait(event)
        self._sent += 1
        if isinstance(event, LobbyChanged):
            self._last_lobby = self._sent

    def _is_spared(self, event: Hearsay) -> bool:
        unread = self._send.statistics().current_buffer_used
        if isinstance(event, LobbyChanged):  # it only says that there is another view: one is enough
            return self._last_lobby > self._sent - unread
        return unread >= UNREAD_MAX

    def close(self) -> None:
        self._send.close()


class Herald:
    """Hands every event to every subscriber and wakes those who wait for any change."""

    def __init__(self) -> None:
        self._subscribers: list[_Subscriber] = []
        self._changed = trio.Event()

    def subscribe(self) -> trio.MemoryReceiveChannel[SessionEvent]:
        """A channel with the events from now on; close it when done. Of LobbyChanged no second one is put
        behind an unread one, and of other hearsay none where there is too much to read already."""
        subscriber = _Subscriber()
        self._subscribers.append(subscriber)
        return subscriber.receive

    def tell(self, event: SessionEvent) -> None:
        """Inside trio only."""
        for subscriber in tuple(self._subscribers):
            try:
                subscriber.tell(event)
            except trio.BrokenResourceError:
                self._subscribers.remove(subscriber)
        self.wake()

    def wake(self) -> None:
        """Something visible changed. Inside trio only."""
        self._changed.set()
        self._changed = trio.Event()

    async def wait_changed(self) -> None:
        """Returns after the next change."""
        await self._changed.wait()

    def close(self) -> None:
        """Ends every subscription: readers see the end of the channel."""
        for subscriber in self._subscribers:
            subscriber.close()
        self._subscribers.clear()


class Bridge:
    """Runs small functions inside trio, at once when the caller is inside already.

    A console whose own loop hosts trio as a guest calls actions from outside any trio task."""

    def __init__(self) -> None:
        self._token: trio.lowlevel.TrioToken | None = None
        self._early: list[Callable[[], None]] = []

    def open(self) -> None:
        """Call inside the trio run that everything is to happen in."""
        self._token = trio.lowlevel.current_trio_token()
        early, self._early = self._early, []
        for act in early:
            act()

    def soon(self, act: Callable[[], None]) -> None:
        """Runs `act` inside trio: now, or as soon as the run goes on; before `open`, then."""
        if self._token is None:
            self._early.append(act)
        elif _inside():
            act()
        else:
            self._token.run_sync_soon(act)


def _inside() -> bool:
    try:
        trio.lowlevel.current_trio_token()
    except RuntimeError:
        return False
    return True
