"""One link: messages in frames over a byte stream, kept alive, ended with a reason.

Owns framing (u32be length, then the message), the send queue, ping and pong, and what ends a link. Must
not know which message means what beyond `ping`, `pong` and `bye`, nor tables or files.
"""

import logging
import time
from collections.abc import Callable
from typing import Protocol

import trio

from tongits_lan.errors import Fault, LinkLost
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.encoding import frame_bytes
from tongits_lan.ledger.messages import Bye, Message, Ping, Pong, decode_message, encode_message
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, FRAME_MAX, PING_SECONDS, SILENCE_SECONDS, UNAUTHENTICATED_MAX
from tongits_lan.net.transport import Secured, is_loopback

_LENGTH = 4  # bytes before each message
_CHUNK = 65_536  # bytes asked of the system at once
_QUEUE_MAX = 16 * 1024 * 1024  # bytes waiting to be sent before the other end counts as not reading
_TOGETHER = 64  # messages heard before they are acted on and others get their turn
_LAST_WORDS_SECONDS = 0.5

_log = logging.getLogger(__name__)


class Owner(Protocol):
    """Who a running link belongs to; a lobby hands its links over to the table."""

    def heard(self, link: "Link", message: Message) -> None:
        """A message came. Raises LinkLost to end the link as one that breaks the protocol."""

    def drained(self, link: "Link") -> None:
        """Everything that had arrived was heard, or much of it: now is the time to act on it."""

    def ended(self, link: "Link", reason: str) -> None:
        """The link is gone for good."""


class Link:
    """One end of a link. First `send` and `receive` in turn (handshake), then `run`."""

    def __init__(
        self,
        secured: Secured,
        *,
        server: bool,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.server = server
        self.binding = secured.binding
        self.own_host, other_host = secured.hosts
        self.on_loopback = other_host is None or is_loopback(other_host)
        self.rtt: float | None = None
        self.owner: Owner | None = None
        self.reason = ""
        self.last_words: str | None = None
        """The code of the `bye` the other end said."""
        self._stream = secured.stream
        self._trust = secured.trust
        self._clock = clock
        self._wall = wall
        self._received = bytearray()
        self._budget: int | None = UNAUTHENTICATED_MAX
        self._queue = bytearray()
        self._bell = trio.Event()
        self._writing = trio.CancelScope(shield=True)
        self._finishing = False
        self._scope: trio.CancelScope | None = None
        self._held: trio.Event | None = None
        self._heard_at = clock()
        self._pings: dict[int, float] = {}

    def trust(self) -> None:
        """The other end is authenticated: it may send as much as it likes."""
        self._budget = None
        self._trust()

    async def send(self, message: Message) -> None:
        """Sends at once; only before `run`. Raises LinkLost."""
        try:
            await self._stream.send_all(frame_bytes(encode_message(message)))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise LinkLost("the connection was cut") from None

    async def receive(self) -> Message:
        """The next message; only before `run`. Raises LinkLost (cut, `bye`), Fault for bytes that are
        none."""
        while True:
            data = self._next_frame()
            if data is not None:
                return self._decode(data)
            await self._fill()

    def post(self, message: Message) -> None:
        """Puts a message into the send queue of a running link; one that has ended sends nothing more. Inside
        trio only."""
        if self.reason:
            return
        self._queue += frame_bytes(encode_message(message))
        if len(self._queue) > _QUEUE_MAX:
            self.end("the other end does not read")
        self._bell.set()

    def hold(self) -> None:
        """Hears nothing more until `release`: its owner is busy with what it heard last. It is kept alive."""
        self._held = trio.Event()

    def release(self) -> None:
        """Hears on. Inside trio only."""
        if self._held is not None:
            self._held.set()
            self._held, self._heard_at = None, self._clock()

    def end(self, reason: str, bye: Bye | None = None) -> None:
        """Ends the link; `bye` is sent first if there is still a way. Inside trio only."""
        if self.reason:
            return
        self.reason = reason
        if bye is not None:
            self._queue += frame_bytes(encode_message(bye))
        if self._scope is not None:
            self._scope.cancel()

    async def run(self, owner: Owner) -> None:
        """Carries messages until the link ends, then tells its owner why; never raises because of the other
        end.

        Cancelled from outside it says `bye` first."""
        self.owner = owner
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                try:
                    with trio.CancelScope() as self._scope:
                        if not self.reason:
                            nursery.start_soon(self._keep_alive)
                            await self._read()
                finally:
                    self._scope = None
                    self.end("this session ended", Bye("left", ""))  # unless there was a reason before
                    nursery.cancel_scope.cancel()
                    self._finish_writing()
        finally:
            try:
                await trio.aclose_forcefully(self._stream)
            finally:
                self.owner.ended(self, self.reason)

    async def close(self) -> None:
        """Closes a link that never ran."""
        await trio.aclose_forcefully(self._stream)

    async def _read(self) -> None:
        try:
            heard = 0
            while not self.reason:
                if self._held is not None:
                    await self._held.wait()
                    continue
                data = self._next_frame() if heard < _TOGETHER else None
                if data is not None:
                    self._hear(self._decode(data))
                    heard += 1
                    continue
                assert self.owner is not None
                self.owner.drained(self)
                if heard < _TOGETHER:
                    await self._fill()
                else:
                    await trio.lowlevel.checkpoint()
                heard = 0
        except Fault as fault:
            _log.info("link closed, bytes that are no message: %s", fault)
            self.end("it sent what is no message", Bye("protocol", fault.text[:CHAT_MAX]))
        except LinkLost as lost:
            self.end(str(lost), None)

    def _hear(self, message: Message) -> None:
        match message:
            case Ping(n=n):
                self.post(Pong(n))
            case Pong(n=n):
                sent = self._pings.pop(n, None)
                if sent is not None:
                    self.rtt = self._clock() - sent
            case Bye(code=code, text=text):
                self.last_words = code
                raise LinkLost(clean(text, CHAT_MAX) or str(code))
            case _:
                assert self.owner is not None
                try:
                    self.owner.heard(self, message)
                except LinkLost as lost:
                    self.end(str(lost), Bye("protocol", str(lost)[:CHAT_MAX]))

    def _decode(self, data: bytes) -> Message:
        return decode_message(data, from_server=not self.server)

    def _next_frame(self) -> bytes | None:
        """The next whole message among the bytes received, if there is one. Raises LinkLost."""
        if len(self._received) < _LENGTH:
            return None
        length = int.from_bytes(self._received[:_LENGTH], "big")
        limit = FRAME_MAX if self._budget is None else min(FRAME_MAX, UNAUTHENTICATED_MAX)
        if length > limit:
            raise LinkLost(f"a message of {length} bytes is longer than {limit}")
        if len(self._received) < _LENGTH + length:
            return None
        data = bytes(self._received[_LENGTH : _LENGTH + length])
        del self._received[: _LENGTH + length]
        return data

    async def _fill(self) -> None:
        try:
            data = await self._stream.receive_some(_CHUNK if self._budget is None else self._budget + 1)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise LinkLost("the connection was cut") from None
        if not data:
            raise LinkLost("the connection was closed")
        self._heard_at = self._clock()
        if self._budget is not None:
            self._budget -= len(data)
            if self._budget < 0:
                raise LinkLost(f"more than {UNAUTHENTICATED_MAX} bytes before it said who it is")
        self._received += data

    async def _write(self) -> None:
        """Sends what is queued; when the link ends, the rest of it, as far as that goes quickly."""
        with self._writing:
            while not self._finishing or self._queue:
                if self._queue:
                    data, self._queue = bytes(self._queue), bytearray()
                    try:
                        await self._stream.send_all(data)
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        self.end("the connection was cut")
                        return
                else:
                    self._bell = trio.Event()
                    await self._bell.wait()

    def _finish_writing(self) -> None:
        self._finishing = True
        self._writing.deadline = trio.current_time() + _LAST_WORDS_SECONDS
        self._bell.set()

    async def _keep_alive(self) -> None:
        number = 0
        while True:
            clock, wall = self._clock(), self._wall()
            await trio.sleep(PING_SECONDS)
            late = max(self._clock() - clock, self._wall() - wall) - PING_SECONDS
            if late > SILENCE_SECONDS:
                self.end("this machine slept")
                return
            if self._held is None and self._clock() - self._heard_at > SILENCE_SECONDS:
                self.end(phrase("nothing was heard for {n} s", n=round(SILENCE_SECONDS)))
                return
            number += 1
            self._pings = {n: at for n, at in self._pings.items() if n > number - 4}
            self._pings[number] = self._clock()
            self.post(Ping(number))
