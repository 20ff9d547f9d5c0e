"""The host's stage: a lobby until three are ready, then one seat among three.

Owns who sits in the lobby and when the table begins. Must not know sockets, nor what happens at the table.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial

import trio

from tongits_lan.errors import LinkLost, Refused, UserError
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark, phrase
from tongits_lan.ledger.chain import fingerprint, rules_digest
from tongits_lan.ledger.messages import Bye, Chat, Message, Presence, RefusedCode, SetReady, TakeSeat
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX, SEATS
from tongits_lan.net.base import Base
from tongits_lan.net.code_keeper import CodeKeeper
from tongits_lan.net.config import Bot, Summons
from tongits_lan.net.countdown import Countdown
from tongits_lan.net.doorkeeper import WITHOUT_YOU, Doorkeeper
from tongits_lan.net.events import ChatHeard, LobbyChanged, RulesChanged
from tongits_lan.net.flood import VISITOR, Flood, Pace
from tongits_lan.net.handshake import Peer
from tongits_lan.net.helpers import Helpers
from tongits_lan.net.join_code import Gate
from tongits_lan.net.link import Link
from tongits_lan.net.lobby import Lobby, LobbyView, Place
from tongits_lan.net.makings import Makings
from tongits_lan.net.node import Node
from tongits_lan.net.reception import Reception
from tongits_lan.net.sitting import go_on
from tongits_lan.net.talk import worth_saying
from tongits_lan.net.unfinished import Unfinished
from tongits_lan.net.visitors import Visitors
from tongits_lan.store.journal import PendingTable

COUNTDOWN_SECONDS = 5
_OTHER_KEY = mark("{name} comes with another key than before ({words}): ask whether that is so.")


@dataclass(frozen=True, slots=True)
class _Visitor:
    """The owner of a link in the lobby."""

    host: "Host"
    peer: Peer
    pace: Pace = field(default_factory=lambda: Pace(*VISITOR))

    def heard(self, link: Link, message: Message) -> None:
        self.pace.heard(trio.current_time())
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
        self._makings = Makings(base, pending)
        self._beginning = False
        order = base.config.again.seats if base.config.again is not None else ()
        self._lobby = Lobby(base.config.rules, order=order).with_place(
            Place(base.identity.pk, base.name, None, False, self._makings.nonce_commit)
        )
        self._visitors = Visitors()
        self._helpers = Helpers(base.config.call_bot, base.fail)
        self._unfinished = Unfinished(base)
        self._flood = Flood()
        self._countdown = Countdown(self._tick, self._begin)
        self._begun = trio.Event()
        self._nursery: trio.Nursery | None = None
        closed_door = not base.config.open_table and pending is None
        self._keeper = CodeKeeper(base) if closed_door else None
        self._gate = None if self._keeper is None else self._keeper.gate()
        self._doorkeeper = Doorkeeper(base.name, self._gate, frozenset(order), self._helpers)
        self.node: Node | None = None

    def view(self) -> LobbyView:
        """The lobby as the host's screen shows it."""
        base = self._base
        view = self._lobby.view(
            me=base.identity.pk,
            host=base.identity.pk,
            addresses=base.addresses(),
            message=base.reading or base.beacon.problem,
            company=base.company,
        )
        return replace(
            view,
            code=None if self._gate is None else self._gate.code,
            can_seat_bot=self._helpers.can_call and self._doorkeeper.taken(self._lobby) < SEATS,
            unfinished=self._unfinished.day(self._lobby),
        )

    def set_ready(self, value: bool) -> None:
        """The host's own flag. Raises Refused while a known name comes with another key."""
        if value and self._base.config.asks:
            self._lobby.refuse_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(lambda: self._ready(self._base.identity.pk, value))

    def set_rules(self, rules: Rules) -> None:
        """The lobby is under these rules now, and nobody is ready any more."""
        self._base.bridge.soon(lambda: self._change_rules(rules))

    def resume(self) -> None:
        """Goes on with the table that these three have not finished. Raises Refused where there is none."""
        table = self._unfinished.of(self._lobby)
        if table is None:
            raise Refused("These three have no unfinished table here.")
        self._base.bridge.soon(lambda: self._seat_all(partial(go_on, self._base, table)))

    def add_bot(self, name: str | None) -> None:
        """Calls in a bot of this machine, of that name or any. Raises Refused where no place is empty."""
        if not self._makings.goes_on and self._doorkeeper.taken(self._lobby) >= SEATS:
            raise Refused("No place is empty: ask somebody to leave first.")
        taken = self._helpers.names | {place.name for place in self._lobby.places}
        port = int(self._base.addresses()[0].rpartition(":")[2])
        bot = self._helpers.call_in(Summons(self._base.identity.pk, port, taken, name))
        self._base.bridge.soon(lambda: self._come(bot))

    def accept(self) -> None:
        """The keys that came with known names are all right. Raises Refused where there is none."""
        self._lobby.accept_doubts(self._base.identity.pk, self._base.company)
        self._base.bridge.soon(self._tell)

    def kick(self, place: int) -> None:
        """Asks whoever has that place to leave, for as long as this lobby lasts; a bot just goes. Raises
        Refused."""
        if not 0 <= place < len(self._lobby.places):
            raise Refused("There is nobody to ask to leave in that seat.")
        pk = self._lobby.places[place].pk
        if pk == self._base.identity.pk:
            raise Refused("That is your own seat: leave the table instead.")
        self._base.bridge.soon(lambda: self._kick(pk))

    def leave(self) -> None:
        """Closes the lobby; the guests are told."""
        self._base.bridge.soon(self._close_lobby)

    def chat(self, text: str) -> None:
        """Says something in the lobby. Raises Refused for nothing to say."""
        said = worth_saying(text)
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
        node = await self._makings.open()
        if node is not None:
            self._start(node)
        nursery.start_soon(reception.run)
        self._helpers.open(nursery)
        if self._keeper is not None and self._gate is not None:
            nursery.start_soon(self._keeper.run, self._gate, self._begun)
        self._announce()
        await self._begun.wait()
        if self.node is not None:
            await self.node.finished()

    def close(self) -> None:
        """Gives the files back."""
        self._helpers.close()
        if self.node is not None:
            self.node.close()
        else:
            self._makings.close()

    # who comes in

    def admit(self, pk: bytes) -> tuple[RefusedCode, str] | None:
        """None to let that key in, else why not."""
        if self.node is not None:
            if self.node.mesh.seat_of(pk) is None:
                return "stranger", phrase(WITHOUT_YOU, name=self._base.name)
            return None
        return self._doorkeeper.admit(pk, self._lobby, self._visitors.keys)

    def gate_for(self, pk: bytes) -> Gate | None:
        """The gate that key has to pass; at a begun table none."""
        return None if self.node is not None else self._doorkeeper.gate_for(pk, self._visitors.keys)

    async def _arrived(self, link: Link, peer: Peer) -> None:
        if self.node is not None:
            await self.node.receive_link(link, peer.pk)
            return
        self._visitors.came(peer.pk, link)
        link.post(self._lobby.message())
        await link.run(_Visitor(self, peer))

    def left(self, peer: Peer, link: Link) -> None:
        """A link of the lobby ended."""
        gone = self._visitors.went(peer.pk, link)
        if gone and self.node is None and self._lobby.place_of(peer.pk) is not None:
            self._lobby = self._lobby.without(peer.pk)
            self._changed()

    def _kick(self, pk: bytes) -> None:
        link = self._visitors.link_of(pk)
        if self.node is not None or link is None:
            return
        if pk in self._helpers.keys:
            self._helpers.send_away(pk)
        else:
            self._doorkeeper.banish(pk)
        text = phrase("{name} asked you to leave the table.", name=self._base.name)
        link.end("asked to leave", Bye("kicked", text[:CHAT_MAX]))

    def _come(self, bot: Bot) -> None:
        if self.node is None:
            self._helpers.start(bot)
            self._tell()

    def _close_lobby(self) -> None:
        if self.node is None:
            text = phrase("{name} closed the table before it began.", name=self._base.name)
            self._visitors.close(mark("the table was closed"), Bye("closing", text[:CHAT_MAX]))
            self._begun.set()
            if self._base.reading is not None:  # nobody waits for what is not wanted any more
                self._base.scope.cancel()

    # what they say

    def heard(self, peer: Peer, link: Link, message: Message) -> None:
        """One message of a visitor. Raises LinkLost."""
        match message:
            case TakeSeat(nonce_commit=commit):
                self._seat(peer, link, commit)
            case SetReady(agreed=agreed) if self._lobby.place_of(peer.pk) is not None:
                # what was said of rules that have changed meanwhile is no yes to these
                self._ready(peer.pk, agreed == rules_digest(self._lobby.rules))
            case Chat(seat=seat, text=text) if seat == self._lobby.place_of(peer.pk):
                said = clean(text, CHAT_MAX)
                if said and self._flood.allows(seat, trio.current_time()):
                    self._pass_on(peer.pk, said)
            case Presence():
                pass  # says nothing that the link does not say
            case _:
                raise LinkLost(f"{type(message).__name__} has no place in a lobby")

    def _seat(self, peer: Peer, link: Link, commit: bytes) -> None:
        if self._lobby.place_of(peer.pk) is None and not self._doorkeeper.has_room(peer.pk, self._lobby):
            text = phrase("{name}'s table is full: ask for another one.", name=self._base.name)
            link.end("the table is full", Bye("full", text[:CHAT_MAX]))
            return
        if any(place.nonce_commit == commit for place in self._lobby.places if place.pk != peer.pk):
            raise LinkLost("this nonce_commit is another seat's")
        operator = self._base.identity.pk if peer.pk in self._helpers.keys else None
        name = peer.name or "Player"
        self._lobby = self._lobby.with_place(Place(peer.pk, name, operator, False, commit))
        if operator is None and self._base.company.is_doubted(name, peer.pk):
            self._warn(name, peer.pk)
        self._changed()

    def _warn(self, name: str, pk: bytes) -> None:
        """A known name with another key: the host says yes before he is ready, where he is there to."""
        self._base.hearsay(phrase(_OTHER_KEY, name=name, words=" ".join(fingerprint(pk))))
        if self._base.config.asks:
            self._lobby = self._lobby.with_ready(self._base.identity.pk, False)

    def _ready(self, pk: bytes, value: bool) -> None:
        if self.node is None:
            self._lobby = self._lobby.with_ready(pk, value)
            self._changed()

    def _change_rules(self, rules: Rules) -> None:
        before = self._lobby.rules
        if self.node is not None or rules == before:
            return
        self._countdown.forget()
        self._lobby = self._lobby.with_rules(rules)
        self._base.herald.tell(RulesChanged(before, rules))
        self._tell()

    def _pass_on(self, pk: bytes, text: str) -> None:
        place = self._lobby.place_of(pk)
        if place is None:
            return
        seated = [other.pk for other in self._lobby.places]
        self._visitors.tell(Chat(place, text), but=pk, among=seated)
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
            self._visitors.tell(self._lobby.message())
            self._base.herald.tell(LobbyChanged())

    def _announce(self) -> None:
        """Lets the lobby be found; a table that has begun announces itself."""
        if self.node is None:
            self._base.beacon.say(self._makings.tag, self._doorkeeper.taken(self._lobby), self._lobby.rules)

    def _seconds(self) -> int:
        config = self._base.config
        people = sum(place.pk not in self._helpers.keys for place in self._lobby.places)
        usual = COUNTDOWN_SECONDS if people > 1 and config.waits_for_words else 0
        return usual if config.countdown is None else config.countdown

    def _begin(self) -> None:
        """Makes the table of the three places."""
        self._seat_all(partial(self._makings.lay, self._lobby))

    def _seat_all(self, sit: Callable[[], Awaitable[Node]]) -> None:
        """Begins the table at which all three sit now, once."""
        if self.node is None and not self._beginning:
            assert self._nursery is not None
            self._beginning = True
            self._countdown.stop()
            self._nursery.start_soon(self._sit, sit)

    async def _sit(self, sit: Callable[[], Awaitable[Node]]) -> None:
        try:
            node = await sit()
        except UserError as error:
            self._base.fail(error)
            return
        self._start(node)
        for other, link in self._visitors:
            node.offer(link, other)

    def _start(self, node: Node) -> None:
        assert self._nursery is not None
        self.node = node
        node.begin(self._nursery)
        self._begun.set()

    def _table_tag(self) -> bytes:
        return self._makings.tag if self.node is None else self.node.tag


def _quietly(arrived: Callable[[Link, Peer], Awaitable[None]]) -> Callable[[Link, Peer], Awaitable[None]]:
    """Runs a link to its end and closes it whatever becomes of it."""

    async def run(link: Link, peer: Peer) -> None:
        try:
            await arrived(link, peer)
        finally:
            await link.close()

    return run
