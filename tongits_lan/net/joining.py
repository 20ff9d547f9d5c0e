"""The first link of a guest: from a typed address to an authenticated host, or one clear sentence.

Owns how each failure on that way is told. Must not know lobbies or tables.
"""

import contextlib
import logging
import socket
import sys

import trio

from tongits_lan.errors import Exit, Fault, LinkLost, UserError
from tongits_lan.game.sentences import Quote, phrase
from tongits_lan.limits import DIAL_SECONDS, HANDSHAKE_SECONDS
from tongits_lan.net.causes import permission_missing
from tongits_lan.net.handshake import Asks, Declined, Me, NotOurs, Peer, Terms, greet_server
from tongits_lan.net.link import Link
from tongits_lan.net.tls import NotEncryptedError
from tongits_lan.net.transport import dial, is_loopback, join_address, parse_address, secure

_log = logging.getLogger(__name__)


class NoAnswerError(UserError):
    """Nothing that can be a host answers at the address (now)."""


async def reach(
    me: Me, address: str | None, expect_pk: bytes | None, terms: Terms | None = None
) -> tuple[Link, Peer]:
    """A link up to `welcome`. Raises NoAnswerError, UserError(NO_TABLE), UserError(USAGE), Asks."""
    if address is None:
        raise NoAnswerError(
            "There is no unfinished table to go on with: give the address of a host.", Exit.NO_TABLE
        )
    host, port = parse_address(address)
    where = join_address(host, port)
    return await _greeted(await _connected(host, port, where), me, expect_pk, terms, where)


async def _greeted(
    stream: trio.SocketStream, me: Me, expect_pk: bytes | None, terms: Terms | None, where: str
) -> tuple[Link, Peer]:
    expects = None if expect_pk is None else expect_pk.__eq__
    link: Link | None = None
    try:
        with trio.fail_after(HANDSHAKE_SECONDS):
            link = Link(await secure(stream, server=False), server=False)
            peer = await greet_server(link, me, expects, terms)
    except BaseException as error:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(stream)
        told = _told(error, where)
        if told is None:
            raise
        raise told from error
    return link, peer


async def reach_first(
    me: Me, addresses: tuple[str, ...], expect_pk: bytes | None, terms: Terms | None = None
) -> tuple[Link, Peer]:
    """As `reach`, for the addresses of one host: all are dialled at once, and whoever answers is greeted one
    after the other, so that a host is not asked twice. Raises as `reach`, for the last that did not work."""
    streams, answered = trio.open_memory_channel[tuple[str, trio.SocketStream]](len(addresses))
    failure: UserError | Asks = NoAnswerError(
        "No address of that table answers: type the one the host's screen shows.", Exit.NO_TABLE
    )
    try:
        async with trio.open_nursery() as nursery:
            with streams:
                for address in addresses:
                    nursery.start_soon(_dial_into, streams.clone(), address)
            async for where, stream in answered:
                try:
                    greeted = await _greeted(stream, me, expect_pk, terms, where)
                except (UserError, Asks) as error:
                    failure = error
                    if _is_final(error):
                        break
                else:
                    nursery.cancel_scope.cancel()
                    return greeted
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await _close_all(answered)
    raise failure


async def reach_one(me: Me, addresses: tuple[str, ...], terms: Terms, past: bytes) -> tuple[Link, Peer]:
    """A link to whoever of these hosts a table now that is not the one of the tag `past`, where somebody may
    still sit. Raises NoAnswerError where nobody does (yet), Asks."""
    for address in addresses:
        try:
            link, peer = await reach(me, address, None, terms)
        except UserError as error:
            _log.debug("no table yet: %s", error)
            continue
        if peer.tag != past:
            return link, peer
        await link.close()
    raise NoAnswerError(
        "Nobody of the last table has opened another one: ask who does, then join it.", Exit.NO_TABLE
    )


async def _dial_into(streams: trio.MemorySendChannel[tuple[str, trio.SocketStream]], address: str) -> None:
    host, port = parse_address(address)
    with streams, contextlib.suppress(NoAnswerError):
        streams.send_nowait((address, await _connected(host, port, address)))


async def _close_all(answered: trio.MemoryReceiveChannel[tuple[str, trio.SocketStream]]) -> None:
    with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel):
        while True:
            _, stream = answered.receive_nowait()
            await trio.aclose_forcefully(stream)


def _is_final(error: UserError | Asks) -> bool:
    """Whether the host itself has answered; anybody else at one of its addresses is only in the way."""
    if isinstance(error, Asks):
        return True
    cause = error.__cause__
    return isinstance(cause, Declined) and cause.code in ("full", "version", "code", "busy")


async def _connected(host: str, port: int, where: str) -> trio.SocketStream:
    try:
        with trio.fail_after(DIAL_SECONDS):
            return await dial(host, port)
    except trio.TooSlowError:
        text: str = phrase(
            "{where} does not answer: check the address, and that both computers are on one network.",
            where=where,
        )
    except OSError as error:
        text = why_unreachable(error, host, where)
    raise NoAnswerError(text, Exit.NO_TABLE)


def why_unreachable(error: OSError, host: str, where: str, *, system: str = sys.platform) -> str:
    """What a failed dial means for the player of a `system` (as sys.platform names it), in a sentence."""
    if _is_about(error, socket.gaierror):
        return phrase(
            "There is no computer called {host} on this network: use the address on the host's screen.",
            host=host,
        )
    if _is_about(error, ConnectionRefusedError):
        return phrase(
            "Nobody hosts a table at {where}: check address and port, and that the host has started.",
            where=where,
        )
    permission = permission_missing(error, system=system)
    if permission is not None and not is_loopback(host):
        return phrase("{where} cannot be reached: {permission}", where=where, permission=permission)
    return phrase(
        "{where} cannot be reached: check the address, and that both computers are on one network.",
        where=where,
    )


def _is_about(error: BaseException | None, kind: type[OSError]) -> bool:
    """Whether the error, what caused it, or one of the tries it sums up is of that kind."""
    match error:
        case None:
            return False
        case BaseExceptionGroup():
            return any(_is_about(inner, kind) for inner in error.exceptions)
        case _:
            return isinstance(error, kind) or _is_about(error.__cause__, kind)


def _told(error: BaseException, where: str) -> UserError | None:
    match error:
        case Asks():
            return None
        case Declined():
            return UserError(Quote(str(error)), Exit.NO_TABLE)
        case NotOurs() | NotEncryptedError() | Fault() | trio.TooSlowError():
            return UserError(
                phrase(
                    "What answers at {where} is not a Tongits table: check the port the host's screen shows.",
                    where=where,
                ),
                Exit.NO_TABLE,
            )
        case LinkLost():
            return NoAnswerError(
                phrase(
                    "The host at {where} broke off ({reason}): try again.",
                    where=where,
                    reason=Quote(str(error)),
                ),
                Exit.NO_TABLE,
            )
        case _:
            return None
