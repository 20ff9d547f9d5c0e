"""Who knocks at the listening port: connections are greeted, strangers are shut out.

Owns the limits of connections that have not said who they are. Must not know what a link is for
afterwards.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable

import trio

from tongits_lan.errors import Fault, LinkLost
from tongits_lan.game.sentences import Quote
from tongits_lan.ledger.messages import RefusedCode
from tongits_lan.limits import HANDSHAKE_SECONDS, LOBBY_LINKS
from tongits_lan.net.base import Base
from tongits_lan.net.handshake import Admit, Declined, GateFor, Peer, greet_client
from tongits_lan.net.join_code import Gate
from tongits_lan.net.link import Link
from tongits_lan.net.transport import both_hosts, secure

_log = logging.getLogger(__name__)


class Reception:
    """Greets every connection; `arrived` gets the authenticated ones and runs them to their end."""

    def __init__(
        self,
        base: Base,
        *,
        tag: Callable[[], bytes],
        admit: Admit,
        arrived: Callable[[Link, Peer], Awaitable[None]],
        gate_for: GateFor = lambda pk: None,
    ) -> None:
        self._base = base
        self._tag = tag
        self._admit = admit
        self._arrived = arrived
        self._gate_for = gate_for
        self._greeting: list[tuple[str | None, trio.CancelScope]] = []
        """The connections that have not said who they are, oldest first, with the host they come from."""

    async def run(self) -> None:
        """Accepts connections until cancelled."""
        await trio.serve_listeners(self.meet, [self._base.door.listener()])

    async def meet(self, stream: trio.abc.Stream) -> None:
        """One connection from its first byte to its end; never raises because of what it sends."""
        met = await self._greet(stream)
        if met is None:
            return
        link, peer = met
        if self._admit(peer.pk) is None:
            await self._arrived(link, peer)
        else:
            await self._tell(link, peer)

    def _may_come(self, pk: bytes) -> tuple[RefusedCode, str] | None:
        """A seat that does not know yet how an earlier table ended may come and hear it, whatever is at hand
        here."""
        return self._admit(pk) if self._base.teller_for(pk) is None else None

    def _gate(self, pk: bytes) -> Gate | None:
        """Who comes only to hear that needs no code: he is let in nowhere."""
        return self._gate_for(pk) if self._admit(pk) is None else None

    async def _tell(self, link: Link, peer: Peer) -> None:
        teller = self._base.teller_for(peer.pk)
        try:
            if teller is not None:
                await teller.receive(link, peer.pk)
        except (LinkLost, Fault) as lost:
            _log.info("not told how a table ended: %s", lost)
        finally:
            await link.close()

    def _make_room(self) -> None:
        """Ends the oldest connection of the host that has most of them: a crowd of silent or senseless
        connections keeps no player out, least of all one who comes from another computer."""
        crowds = Counter(host for host, _ in self._greeting)
        most = max(crowds.values())
        oldest = next(one for one in self._greeting if crowds[one[0]] == most)
        self._greeting.remove(oldest)
        oldest[1].cancel()

    async def _greet(self, stream: trio.abc.Stream) -> tuple[Link, Peer] | None:
        """The authenticated link, or None after closing the stream."""
        scope = trio.CancelScope(deadline=trio.current_time() + HANDSHAKE_SECONDS)
        mine = (both_hosts(stream)[1], scope)
        self._greeting.append(mine)
        if len(self._greeting) > LOBBY_LINKS:
            self._make_room()
        try:
            with scope:
                link = Link(await secure(stream, server=True), server=True)
                return link, await greet_client(link, self._base.me, self._tag(), self._may_come, self._gate)
        except Declined as declined:
            _log.info("link refused: %s", declined)
            if declined.code in ("version", "code"):
                self._base.hearsay(Quote(str(declined)))
        except (LinkLost, Fault) as lost:
            _log.info("connection closed before it said who it is: %s", lost)
        finally:
            if mine in self._greeting:
                self._greeting.remove(mine)
        await _close_gently(stream)
        return None


async def _close_gently(stream: trio.abc.Stream) -> None:
    """Closes so that the last words arrive: what the other end sent and nobody read would cut them off."""
    with trio.move_on_after(0.2):
        try:
            if isinstance(stream, trio.abc.HalfCloseableStream):
                await stream.send_eof()
            while await stream.receive_some(4096):
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            pass
    await trio.aclose_forcefully(stream)
