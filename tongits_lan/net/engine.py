"""The mDNS library at work: opened on the interfaces there are, opened anew when those change.

Owns the zeroconf engine, which lives in threads of its own and is imported when first used; whatever goes
wrong in it is a note, never an end. Must not know what is announced or heard.
"""

import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import trio

from tongits_lan.game.sentences import cause
from tongits_lan.net.announcements import STALE_SECONDS
from tongits_lan.net.interfaces import Interface, Kind

if TYPE_CHECKING:
    from zeroconf import Zeroconf

_CLOSING_SECONDS = 2.0

_log = logging.getLogger(__name__)

Look = Callable[[], tuple[Interface, ...]]
"""Lists the interfaces to use now; may raise."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often things are done, in seconds."""

    questions: tuple[float, ...] = (0.3, 0.7, 2.0)
    """Between the questions of a browser; the last one goes on."""
    stale: float = STALE_SECONDS
    ping: float = 4.0
    watch: float = 3.0
    """Between two looks at the interfaces of this machine."""
    retry: float = 5.0
    """After the library failed."""


PACE = Pace()


class Serve(Protocol):
    """Works on an open engine until cancelled."""

    def __call__(self, engine: "Zeroconf", known: tuple[Interface, ...], /) -> Awaitable[None]: ...


async def keep_open(look: Look, pace: Pace, serve: Serve, note: Callable[[str | None], None]) -> None:
    """Serves on an open engine for ever; a new one when the interfaces change or the library fails."""
    while True:
        try:
            known = await trio.to_thread.run_sync(look)
            if known:
                async with _engine(known) as engine, trio.open_nursery() as nursery:
                    note(None)
                    nursery.start_soon(_watch, look, known, pace, nursery.cancel_scope)
                    await serve(engine, known)
                continue
            note("there is no network")
        except Exception as error:  # a foreign library and the network: neither may end a game
            _log.info("discovery failed, again in %s s", pace.retry, exc_info=error)
            note(_reason(error))
        await trio.sleep(pace.retry)


async def _watch(look: Look, known: tuple[Interface, ...], pace: Pace, serving: trio.CancelScope) -> None:
    """Ends the serving when this machine has other interfaces than `known`."""
    while True:
        await trio.sleep(pace.watch)
        if await trio.to_thread.run_sync(look) != known:
            serving.cancel()


@contextlib.asynccontextmanager
async def _engine(known: tuple[Interface, ...]) -> AsyncIterator["Zeroconf"]:
    engine = await trio.to_thread.run_sync(_open, known)
    try:
        yield engine
    finally:
        with trio.move_on_after(_CLOSING_SECONDS, shield=True):
            await trio.to_thread.run_sync(_close, engine, abandon_on_cancel=True)


def _open(known: tuple[Interface, ...]) -> "Zeroconf":
    """An engine on these interfaces, in a thread that has no loop: the library starts one of its own."""
    from zeroconf import Zeroconf

    fours = [host for interface in known for host in _speaking(interface, 4)]
    sixes = [host for interface in known for host in _speaking(interface, 6)]
    try:
        return Zeroconf(interfaces=[*fours, *sixes])
    except (OSError, RuntimeError):  # the library's own word for an address that has gone
        if not fours or not sixes:
            raise
        return Zeroconf(interfaces=fours)  # IPv6 that is there and does not work


def _speaking(interface: Interface, version: int) -> tuple[str, ...]:
    """The address the library is to speak from on this interface, if any. Of IPv6 the link-local one: only
    then does who hears it know which interface a link-local address belongs to."""
    own = [address.ip for address in interface.addresses if address.version == version]
    if version == 6:
        own = [] if interface.kind is Kind.LOOPBACK else sorted(own, key=lambda ip: not ip.is_link_local)
    return tuple(str(ip) for ip in own[:1])


def _close(engine: "Zeroconf") -> None:
    try:
        engine.close()
    except Exception as error:  # goodbyes that could not be said
        _log.info("discovery did not close well", exc_info=error)


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return cause(error)
