"""The host's stage: a lobby until three are ready, then one seat among three.

Owns who sits in the lobby and when the table begins. Must not know sockets, nor what happens at the table.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import trio

from tongits_lan.errors import Exit, Fault, LinkLost, Refused, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.chain import fingerprint, nonce_commitment
from tongits_lan.ledger.messages import Bye, Chat, Message, Presence, RefusedCode, SetReady, TakeSeat
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, LOBBY_LINKS, SEATS
from tongits_lan.net.base import Base
from tongits_lan.net.before import load_before
from tongits_lan.net.countdown import Countdown
from tongits_lan.net.events import ChatHeard, LobbyChanged
from tongits_lan.net.flood import Flood
from tongits_lan.net.handshake import Peer
from tongits_lan.net.join_code import Gate, gate_of
from tongits_lan.net.link import Link
from tongits_lan.net.lobby import Lobby, LobbyView, Place, descriptor_of
from tongits_lan.net.node import Node
from tongits_lan.net.reception import Reception
from tongits_lan.net.sitting import going_on
from tongits_lan.store.journal import Journal, PendingTable

COUNTDOWN_SECONDS = 5


@dataclass(frozen=True, slots=True)
class _Visitor:
    """The owner of a link in the lobby."""

    host: "Host"
    peer: Peer

    def heard(self, link: Link, message: Message) -> None:
        self.host.heard(self.peer, link, message)

    def drained(self, link: Link) -> None:
        """Nothing was put off."""

    def ended(self, link: Link, reason: str) -> None:
        self.host.left(self.peer, link)


class Host:
    """Opens a lobby, or the pending table it is given. Raises UserError(FAILED) for files that cannot go
    on."""

    def __init__(self, base: Base, pending: PendingTable | None) -> None:
        self._base = base
        self._nonce = base.config.entropy(32)
        self._tag = base.config.entropy(8)
        commit = nonce_commitment(base.identity.pk, self._nonce)
        again = base.config.again
        self._invited = frozenset(again.seats if again is not None else ())
        self._before = None if again is None else load_before(again.path)
        order = again.seats if again is not None else ()
        self._lobby = Lobby(base.config.rules, order=order).with_place(
            Place(base.identity.pk, base.name, None, False, commit)
        )
        self._links: dict[bytes, Link] = {}
        self._bots: set[bytes] = set()
        self._asked_to_leave: set[bytes] = set()
        self._flood = Flood()
        self._countdown = Countdown(self._tick, self._begin)
        self._begun = trio.Event()
        self._nursery: trio.Nursery | None = None
        self._pending = None if pending is None else Journal.open(pending.path)
        self._welcome_back = None if pending is None else going_on(pending)
        closed_door = not base.config.open_table and pending is None
        self._gate = gate_of(base.config, base.note) if closed_door else None
        self.node: Node | None = None

    def view(self) -> LobbyView:
        """The lobby as the host's screen shows it."""
        base = self._base
        view = self._lobby.view(
            me=base.identity.pk,
            hosting=True,
            addresses=base.addresses(),
            message=base.beacon.problem,
            company=base.company,
        )
        return view if self._gate is None else replace(view, code=self._gate.code)

    def set_ready(self, value: bool) -> None:
        """The host's own flag. Raises Refused while a known name comes with another key."""
        if value and self._base.config.asks:
            self._lobby.refuse_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(lambda: self._ready(self._base.identity.pk, value))

    def seat_bot(self, pk: bytes) -> None:
        """Keeps a seat for a bot of this machine. Raises Refused when there is none left."""
        if pk not in self._bots and len(self._bots) >= self._base.config.bots:
            raise Refused("All seats for bots are given away: ask for more of them when the table is opened.")
        self._bots.add(pk)

    def accept(self) -> None:
        """The keys that came with known names are all right. Raises Refused where there is none."""
        self._lobby.accept_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(self._tell)

    def kick(self, place: int) -> None:
        """Asks whoever has that place to leave, for as long as this lobby lasts. Raises Refused."""
        if not 0 <= place < len(self._lobby.places):
            raise Refused("There is nobody to ask to leave in that seat.")
        pk = self._lobby.places[place].pk
        if pk == self._base.identity.pk:
            raise Refused("That is your own seat: leave the table instead.")
        if pk in self._bots:
            raise Refused("That seat is a bot's: open the table again with fewer bots.")
        self._base.bridge.soon(lambda: self._kick(pk))

    def leave(self) -> None:
        """Closes the lobby; the guests are told."""
        self._base.bridge.soon(self._close_lobby)

    def chat(self, text: str) -> None:
        """Says something in the lobby. Raises Refused for nothing to say."""
        said = clean(text, CHAT_MAX).strip()
        if not said:
            raise Refused("There is nothing to say: type a few words first.")
        self._base.bridge.soon(lambda: self._pass_on(self._base.identity.pk, said))

    async def run(self, nursery: trio.Nursery) -> None:
        """Until the table is over."""
        self._nursery = nursery
        reception = Reception(
            self._base,
            tag=self._table_tag,
            admit=self.admit,
            arrived=_quietly(self._arrived),
            gate_for=self.gate_for,
        )
        if self._welcome_back is not None:
            self._base.note(self._welcome_back)
        if self._pending is not None:
            self._start(Node(self._base, self._pending, loaded=True))
        nursery.start_soon(reception.run)
        self._announce()
        await self._begun.wait()
        if self.node is not None:
            await self.node.finished()

    def close(self) -> None:
        """Gives the files back."""
        if self.node is not None:
            self.node.close()
        elif self._pending is not None:
            self._pending.close()

    # who comes in

    def admit(self, pk: bytes) -> tuple[RefusedCode, str] | None:
        """None to let that key in, else why not."""
        if self.node is not None:
            if self.node.mesh.seat_of(pk) is None:
                return "stranger", f"{self._base.name}'s table has begun without you: ask for the next one."
            return None
        if pk in self._asked_to_leave:
            return "stranger", f"{self._base.name} asked you to leave: join another table."
        if self._lobby.place_of(pk) is not None:
            return None
        gate = self.gate_for(pk)
        if gate is not None and gate.waits:
            return "busy", f"Too many wrong codes were tried at {self._base.name}'s table: wait a minute."
        if not self._has_room(pk):
            return "full", f"{self._base.name}'s table is full: ask for another one."
        if len(self._links) >= LOBBY_LINKS:
            return "busy", f"{self._base.name}'s table has too many visitors: try again in a moment."
        return None

    def gate_for(self, pk: bytes) -> Gate | None:
        """Who has to give the code: in the lobby everybody but its bots and who is there already."""
        if self.node is not None or pk in self._bots | self._invited or pk in self._links:
            return None
        return self._gate

    def _has_room(self, pk: bytes) -> bool:
        if pk in self._bots:
            return True
        people = sum(place.pk not in self._bots for place in self._lobby.places)
        return people < SEATS - self._base.config.bots and len(self._lobby.places) < SEATS

    async def _arrived(self, link: Link, peer: Peer) -> None:
        if self.node is not None:
            await self.node.receive_link(link, peer.pk)
            return
        older = self._links.get(peer.pk)
        self._links[peer.pk] = link
        if older is not None:
            older.end("a newer link took its place", Bye("closing", "a newer link took its place"))
        link.post(self._lobby.message())
        await link.run(_Visitor(self, peer))

    def left(self, peer: Peer, link: Link) -> None:
        """A link of the lobby ended."""
        if self._links.get(peer.pk) is not link:
            return
        del self._links[peer.pk]
        if self.node is None and self._lobby.place_of(peer.pk) is not None:
            self._lobby = self._lobby.without(peer.pk)
            self._changed()

    def _kick(self, pk: bytes) -> None:
        link = self._links.get(pk)
        if self.node is None and link is not None:
            self._asked_to_leave.add(pk)
            text = f"{self._base.name} asked you to leave the table."
            link.end("asked to leave", Bye("kicked", text[:CHAT_MAX]))

    def _close_lobby(self) -> None:
        if self.node is None:
            text = f"{self._base.name} closed the table before it began."
            for link in tuple(self._links.values()):
                link.end("the table was closed", Bye("closing", text[:CHAT_MAX]))
            self._begun.set()

    # what they say

    def heard(self, peer: Peer, link: Link, message: Message) -> None:
        """One message of a visitor. Raises LinkLost."""
        match message:
            case TakeSeat(nonce_commit=commit):
                self._seat(peer, link, commit)
            case SetReady(value=value) if self._lobby.place_of(peer.pk) is not None:
                self._ready(peer.pk, value)
            case Chat(seat=seat, text=text) if seat == self._lobby.place_of(peer.pk):
                said = clean(text, CHAT_MAX)
                if said and self._flood.allows(seat, trio.current_time()):
                    self._pass_on(peer.pk, said)
            case Presence():
                pass  # says nothing that the link does not say
            case _:
                raise LinkLost(f"{type(message).__name__} has no place in a lobby")

    def _seat(self, peer: Peer, link: Link, commit: bytes) -> None:
        if self._lobby.place_of(peer.pk) is None and not self._has_room(peer.pk):
            link.end("the table is full", Bye("full", f"{self._base.name}'s table is full: ask for another."))
            return
        if any(place.nonce_commit == commit for place in self._lobby.places if place.pk != peer.pk):
            raise LinkLost("this nonce_commit is another seat's")
        operator = self._base.identity.pk if peer.pk in self._bots else None
        name = peer.name or "Player"
        self._lobby = self._lobby.with_place(Place(peer.pk, name, operator, False, commit))
        if operator is None and self._base.company.is_doubted(name, peer.pk):
            self._warn(name, peer.pk)
        self._changed()

    def _warn(self, name: str, pk: bytes) -> None:
        """A known name with another key: the host says yes before he is ready, where he is there to."""
        words = " ".join(fingerprint(pk))
        self._base.note(
            phrase(
                "{name} comes with another key than before ({words}): ask whether that is so.",
                name=name,
                words=words,
            )
        )
        if self._base.config.asks:
            self._lobby = self._lobby.with_ready(self._base.identity.pk, False)

    def _ready(self, pk: bytes, value: bool) -> None:
        if self.node is None:
            self._lobby = self._lobby.with_ready(pk, value)
            self._changed()

    def _pass_on(self, pk: bytes, text: str) -> None:
        place = self._lobby.place_of(pk)
        if place is None:
            return
        for other, link in self._links.items():
            if other != pk and self._lobby.place_of(other) is not None:
                link.post(Chat(place, text))
        self._base.herald.tell(ChatHeard(place, text, None))

    # the countdown and the beginning

    def _changed(self) -> None:
        if self._lobby.all_ready and not self._countdown.runs:
            assert self._nursery is not None
            self._countdown.start(self._nursery, self._seconds())
        elif not self._lobby.all_ready:
            self._countdown.stop()
        self._tell()

    def _tick(self, seconds: int | None) -> None:
        self._lobby = replace(self._lobby, countdown=seconds)
        self._tell()

    def _tell(self) -> None:
        if self.node is None:
            self._announce()
            message = self._lobby.message()
            for link in self._links.values():
                link.post(message)
            self._base.herald.tell(LobbyChanged())

    def _announce(self) -> None:
        """Lets the lobby be found; a table that has begun announces itself."""
        if self.node is None:
            people = sum(place.pk not in self._bots for place in self._lobby.places)
            taken = min(SEATS, people + self._base.config.bots)
            self._base.beacon.say(self._tag, taken, self._lobby.rules)

    def _seconds(self) -> int:
        config = self._base.config
        if config.countdown is not None:
            return config.countdown
        people = sum(place.pk not in self._bots for place in self._lobby.places)
        return COUNTDOWN_SECONDS if people > 1 and config.waits_for_words else 0

    def _begin(self) -> None:
        """Makes the table of the three places and hands the links over to it."""
        pk = self._base.identity.pk
        try:
            descriptor = descriptor_of(self._lobby, int(time.time()), self._before)
            journal = Journal.create(
                self._base.config.data_dir, descriptor, self._nonce, self._lobby.place_of(pk) or 0, self._tag
            )
            node = Node(self._base, journal, loaded=False)
        except UserError as error:
            self._base.fail(error)
            return
        except Fault as fault:
            self._base.fail(UserError(f"These three cannot sit at one table: {fault.text}.", Exit.FAILED))
            return
        self._start(node)
        for other, link in tuple(self._links.items()):
            node.offer(link, other)

    def _start(self, node: Node) -> None:
        assert self._nursery is not None
        self.node = node
        node.begin(self._nursery)
        self._begun.set()

    def _table_tag(self) -> bytes:
        return self._tag if self.node is None else self.node.tag


def _quietly(arrived: Callable[[Link, Peer], Awaitable[None]]) -> Callable[[Link, Peer], Awaitable[None]]:
    """Runs a link to its end and closes it whatever becomes of it."""

    async def run(link: Link, peer: Peer) -> None:
        try:
            await arrived(link, peer)
        finally:
            await link.close()

    return run
