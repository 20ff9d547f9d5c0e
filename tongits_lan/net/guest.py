"""A guest's stage: the way to a host, his lobby, then one seat among three.

Owns what a guest agrees to, and whether a table it is told of is that one or one it sat at before. Must
not know sockets, nor what happens at the table.
"""

import time
from dataclasses import dataclass, field, replace

import trio

from tongits_lan.errors import Exit, Fault, LinkLost, Refused, UserError
from tongits_lan.game.sentences import Quote, mark, phrase
from tongits_lan.ledger.messages import (
    Bye,
    Chat,
    Message,
    Presence,
    RefusedCode,
    TableOffer,
    TakeSeat,
)
from tongits_lan.ledger.messages import Lobby as LobbyMessage
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, HANDSHAKE_SECONDS
from tongits_lan.net.asking import Answers
from tongits_lan.net.base import Base
from tongits_lan.net.choosing import Way
from tongits_lan.net.consent import Consent
from tongits_lan.net.doorkeeper import WITHOUT_YOU
from tongits_lan.net.events import ChatHeard, LobbyChanged, RulesChanged
from tongits_lan.net.flood import HOST, Flood, Pace
from tongits_lan.net.handshake import Asks, Peer
from tongits_lan.net.joining import NoAnswerError
from tongits_lan.net.link import Link
from tongits_lan.net.lobby import Lobby, LobbyView, lobby_of
from tongits_lan.net.messenger import tell_if_dropped
from tongits_lan.net.node import Node
from tongits_lan.net.reception import Reception
from tongits_lan.net.sitting import go_on, sit_down
from tongits_lan.net.talk import UNHEARD, worth_saying
from tongits_lan.net.unfinished import Unfinished
from tongits_lan.store.journal import PendingTable

PATIENCE_SECONDS = 60.0  # how long a guest who was in the lobby looks for a host that went away
_RETRY_SECONDS = 1.0
_BROKE_OFF = mark("The host broke off ({reason}): try again, or ask the host to start anew.")
_NOT_AGREED = mark("this table is not the one agreed to")
_RULES_CHANGED = mark("The host changed the rules: look at them, then say again that you are ready.")


@dataclass(frozen=True, slots=True)
class _FromHost:
    """The owner of the link to the host while there is no table."""

    guest: "Guest"
    peer: Peer
    pace: Pace = field(default_factory=lambda: Pace(*HOST))

    def heard(self, link: Link, message: Message) -> None:
        self.pace.heard(trio.current_time())
        self.guest.heard(self.peer, link, message)

    def drained(self, link: Link) -> None:
        """Nothing was put off."""

    def ended(self, link: Link, reason: str) -> None:
        self.guest.lost(link, reason)


class Guest:
    """Joins the host at the address of its config; `pending` are tables it could go on with, best first."""

    def __init__(self, base: Base, pending: list[PendingTable]) -> None:
        self._base = base
        self._pending = pending
        self._lobby: Lobby | None = None
        self._link: Link | None = None
        self._host_pk: bytes | None = None
        self._consent = Consent(base)
        self._unfinished = Unfinished(base)
        self._message: str | None = None
        self._last_seen = None if base.config.again is None else time.monotonic()
        self._turn = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._flood = Flood()
        self.way = Way(base, looks=not pending, mine=lambda: self._consent.table)
        seated = {seat.pk for table in pending for seat in table.descriptor.seats}
        seated.update(() if base.config.again is None else base.config.again.seats)
        self.answers = Answers(base, lambda pk: pk in seated or self._consent.holds_with(pk))
        self.node: Node | None = None

    def view(self) -> LobbyView:
        """The lobby as the guest's screen shows it."""
        message = self._base.reading or self._message
        if self._lobby is None:
            addresses = self._base.addresses()
            view = self.way.shown(LobbyView(False, None, (), None, None, addresses, message))
        else:
            view = self._lobby.view(
                me=self._base.identity.pk,
                host=self._host_pk,
                addresses=self._base.addresses(),
                message=message,
                company=self._base.company,
            )
            view = replace(view, unfinished=self._unfinished.day(self._lobby))
            if self._link is None:  # nobody counts any more
                view = replace(view, countdown=None)
        return replace(view, question=self.answers.question)

    def set_ready(self, value: bool) -> None:
        """Agrees to the lobby as it is, or takes that back. Raises Refused before there is one, and while a
        known name comes with another key."""
        if self._lobby is None or self._link is None:
            raise Refused("You are not in the lobby yet: wait a moment.")
        if value and self._base.config.asks:
            self._lobby.refuse_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(lambda: self._ready(value))

    def accept(self) -> None:
        """Yes to what is asked, else to the keys that come with known names. Raises Refused."""
        if self.answers.question is not None:
            self.answers.accept()
            return
        if self._lobby is None:
            raise Refused("There is nothing to say yes to now.")
        self._lobby.accept_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(lambda: self._base.herald.tell(LobbyChanged()))

    def leave(self) -> None:
        """Leaves the lobby for good."""
        self._base.bridge.soon(self._leave)

    def _leave(self) -> None:
        if self.node is None:
            if self._link is not None:
                self._link.end("left", Bye("left", ""))
            self._base.scope.cancel()

    def chat(self, text: str) -> None:
        """Says something in the lobby. Raises Refused."""
        said = worth_saying(text)
        if self._lobby is None or self._lobby.place_of(self._base.identity.pk) is None:
            raise Refused("You have no seat in the lobby yet: wait a moment.")
        if self._link is None:
            raise Refused(UNHEARD)
        self._base.bridge.soon(lambda: self._say(said))

    async def run(self, nursery: trio.Nursery) -> None:
        """Until the table is over. Raises UserError(NO_TABLE) when there is none to reach."""
        self._nursery = nursery
        reception = Reception(self._base, tag=self._table_tag, admit=self.admit, arrived=self._arrived)
        nursery.start_soon(reception.run)
        await self.way.find()
        while self.node is None:
            await self._visit()
        await self.node.finished()

    def close(self) -> None:
        """Gives the files back."""
        if self.node is not None:
            self.node.close()

    def admit(self, pk: bytes) -> tuple[RefusedCode, str] | None:
        """Only the seats of the same table are let in."""
        if self.node is None:
            return "busy", phrase(
                "{name} does not host a table: join the one who does.", name=self._base.name
            )
        if self.node.mesh.seat_of(pk) is None:
            return "stranger", phrase(WITHOUT_YOU, name=self._base.name)
        return None

    async def _arrived(self, link: Link, peer: Peer) -> None:
        try:
            if self.node is not None:
                await self.node.receive_link(link, peer.pk)
        finally:
            await link.close()

    # the way to the host

    async def _visit(self) -> None:
        """One link to the host, to its end or to the beginning of the table."""
        try:
            link, peer = await self.way.reach(self.answers.terms())
        except Asks as asks:
            await self.answers.ask(asks.question)
            return
        except NoAnswerError:
            if self._last_seen is not None:
                if time.monotonic() - self._last_seen > PATIENCE_SECONDS:
                    raise
                await trio.sleep(_RETRY_SECONDS)
            elif self._pending:
                self._start(await go_on(self._base, self._pending[0]))
            else:
                raise
            return
        self._turn = trio.Event()
        assert self._nursery is not None
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                first = await link.receive()
                await tell_if_dropped(self._base, link, first)
            if not self._greeted(link, peer, first):
                raise LinkLost("it told neither a lobby nor a table")
        except (LinkLost, Fault, trio.TooSlowError) as error:
            await link.close()
            reason = Quote(str(error)) if str(error) else phrase("too slow")
            raise UserError(phrase(_BROKE_OFF, reason=reason), Exit.NO_TABLE) from error
        except UserError:
            await link.close()
            raise
        self._nursery.start_soon(_run, link)
        await self._turn.wait()

    def _greeted(self, link: Link, peer: Peer, first: Message) -> bool:
        """Takes in the first message after `welcome`; False if it is none that may come then."""
        match first:
            case LobbyMessage():
                link.post(TakeSeat(self._consent.promise_to(peer.pk, peer.tag)))
            case TableOffer():
                pass
            case _:
                return False
        self._link, self._host_pk = link, peer.pk
        link.owner = _FromHost(self, peer)
        link.owner.heard(link, first)
        return True

    def lost(self, link: Link, reason: str) -> None:
        """The link to the host ended before there was a table."""
        if self._link is not link:
            return
        self._link = None
        if link.last_words in ("kicked", "closing", "full"):  # meant to be the end
            self._base.fail(UserError(_sentence(reason), Exit.NO_TABLE))
            self._turn.set()
            return
        self._last_seen = time.monotonic()
        self._message = phrase("The host went away ({reason}): looking for it again.", reason=Quote(reason))
        self._base.herald.tell(LobbyChanged())
        self._turn.set()

    # the lobby

    def heard(self, peer: Peer, link: Link, message: Message) -> None:
        """One message of the host. Raises LinkLost."""
        match message:
            case LobbyMessage():
                self._hear_lobby(message)
            case TableOffer(descriptor=raw):
                self._hear_table(link, peer, raw)
            case Chat(seat=seat, text=text):
                said = clean(text, CHAT_MAX)
                if said and self._flood.allows(0, trio.current_time()):
                    self._base.herald.tell(ChatHeard(seat, said, None))
            case Presence():
                pass  # says nothing that the lobby does not say
            case _:
                raise LinkLost(f"{type(message).__name__} has no place in a lobby")

    def _hear_lobby(self, message: LobbyMessage) -> None:
        try:
            lobby = lobby_of(message)
            self._check_own_place(lobby)
        except Refused as refusal:
            self._base.fail(UserError(refusal.reason, Exit.NO_TABLE))
            return
        before, self._lobby = self._lobby, lobby
        if before is not None and before.rules != lobby.rules:
            self._base.herald.tell(RulesChanged(before.rules, lobby.rules))
        answer = self._consent.hear(lobby)
        if answer is not None and self._link is not None:
            self._link.post(answer)
        self._message = _RULES_CHANGED if self._consent.taken_back else None
        self._base.herald.tell(LobbyChanged())

    def _check_own_place(self, lobby: Lobby) -> None:
        """Raises Refused when the host says something else of this seat than is so."""
        at = lobby.place_of(self._base.identity.pk)
        if at is None:
            return
        if lobby.places[at].operator_pk != self._base.config.operator_pk:
            raise Refused("The host says otherwise than you who plays your seat: leave this table.")
        if lobby.places[at].name != self._base.name:
            text = mark("The host calls you {name} before the others: leave this table.")
            raise Refused(phrase(text, name=lobby.places[at].name))

    def _ready(self, value: bool) -> None:
        if self._lobby is not None and self._link is not None:
            self._link.post(self._consent.say(value, self._lobby))
            self._message = None if value else self._message

    def _say(self, text: str) -> None:
        if self._lobby is None or self._link is None:
            return
        place = self._lobby.place_of(self._base.identity.pk)
        if place is not None:
            self._link.post(Chat(place, text))
            self._base.herald.tell(ChatHeard(place, text, None))

    # the table

    def _hear_table(self, link: Link, peer: Peer, raw: bytes) -> None:
        """The host says that the table begins, or goes on; what it says next is for the seat there."""
        assert self._nursery is not None
        self._link = None  # whatever becomes of the link, the way back is that seat's
        link.hold()
        self._nursery.start_soon(self._take_in, link, peer, raw)

    async def _take_in(self, link: Link, peer: Peer, raw: bytes) -> None:
        """The table is judged and kept, or read; then the link is its."""
        try:
            node = await self._node_of(peer, raw)
            self._start(node)
            if not link.reason:
                node.adopt_server(link, peer.pk)
        except UserError as error:
            link.end(_NOT_AGREED, Bye("left", _NOT_AGREED))
            self._base.fail(error)
        finally:
            link.release()

    async def _node_of(self, peer: Peer, raw: bytes) -> Node:
        """The own seat at that table: one not finished here, else one that begins. Raises UserError."""
        known = self._unfinished.told(raw, peer.pk)
        if known is not None:
            return await go_on(self._base, known)
        return await sit_down(self._base, self._pending, self._consent.promised(), peer, raw)

    def _start(self, node: Node) -> None:
        assert self._nursery is not None
        self.node = node
        self._link = None
        node.begin(self._nursery)
        self._turn.set()

    def _table_tag(self) -> bytes:
        return bytes(8) if self.node is None else self.node.tag


async def _run(link: Link) -> None:
    """Carries a link for whoever owns it by then."""
    assert link.owner is not None
    await link.run(link.owner)


def _sentence(reason: str) -> str:
    """The host's last words as a sentence of their own."""
    whole = reason.endswith((".", "!", "?"))
    return Quote(reason) if whole else phrase("The host ended it: {reason}.", reason=Quote(reason))
