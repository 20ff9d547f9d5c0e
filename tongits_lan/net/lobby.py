"""The lobby as values: who sits, who is ready, what a guest agreed to and whether a table is that.

Owns the seats before a table begins and the descriptor made of them. Must not know sockets, files or time
(the hour of the descriptor and the countdown come in).
"""

from dataclasses import dataclass, field, replace

from tongits_lan.errors import Refused
from tongits_lan.game.rules import Rules, from_map, to_map
from tongits_lan.game.scoring import Match, start_match
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger import messages
from tongits_lan.ledger.chain import (
    Descriptor,
    SeatEntry,
    build_descriptor,
    fingerprint,
    good_public_key,
    rules_digest,
)
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX, SEATS
from tongits_lan.net.announcements import Found
from tongits_lan.net.before import Before
from tongits_lan.net.company import Company
from tongits_lan.net.handshake import Question
from tongits_lan.store.known import Person


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """One taken place of the lobby as a screen shows it."""

    name: str
    fingerprint: tuple[str, str, str, str]
    ready: bool
    bot: bool
    operator: str | None
    """Who runs the bot: his name, or the words of his key when he does not sit here. None for a person."""
    known: Person | None = None
    """What this player knows of that key from earlier tables."""
    doubted: bool = False
    """Somebody of that name had another key: compare the words, then say yes (Session.accept)."""


@dataclass(frozen=True, slots=True)
class LobbyView:
    """What a screen shows before a table begins. `me` is my place in `seats`, None before I have one."""

    hosting: bool
    me: int | None
    seats: tuple[LobbySeat, ...]
    rules: Rules | None
    """None for a guest who has not heard from the host yet."""
    countdown: float | None
    """Seconds until the table begins, once three are ready."""
    addresses: tuple[str, ...]
    """Where this session listens ("host:port")."""
    message: str | None
    looking: bool = False
    """A guest without an address: he chooses among `tables` (see Session.choose)."""
    tables: tuple[Found, ...] = ()
    hints: tuple[str, ...] = ()
    """While looking: lines that say why nothing is found."""
    can_seat_bot: bool = False
    """Host: there is an empty place, and a bot that could sit there."""
    unfinished: str | None = None
    """The day of a table that these three have not finished: the host may go on with it (Session.resume)."""
    code: str | None = field(default=None, repr=False)
    """Host: the join code to read aloud; None where none is needed."""
    question: Question | None = None
    """Guest: what he has to say first (Session.enter_code, Session.accept)."""
    host: int | None = None
    """The place of who hosts, None before that is known."""

    @property
    def needs_code(self) -> bool:
        """Whether the player has to type the code."""
        return self.question is not None and self.question.asks in ("code", "wrong code")

    @property
    def doubts(self) -> tuple[int, ...]:
        """The places whose names come with other keys than before."""
        return tuple(place for place, seat in enumerate(self.seats) if seat.doubted)


@dataclass(frozen=True, slots=True)
class Place:
    """One taken seat of a lobby: whole keys (32 bytes), cleaned name."""

    pk: bytes
    name: str
    operator_pk: bytes | None
    ready: bool
    nonce_commit: bytes | None = None
    """32 bytes; a guest does not know those of the others."""

    @property
    def operator(self) -> bytes:
        """The key the descriptor will name as operator: a person's own one."""
        return self.operator_pk if self.operator_pk is not None else self.pk


@dataclass(frozen=True, slots=True)
class Lobby:
    """The host's own lobby, and a guest's copy of it."""

    rules: Rules
    places: tuple[Place, ...] = ()
    countdown: int | None = None
    order: tuple[bytes, ...] = ()
    """Host: keys that keep the seats they had; the others come behind."""

    def place_of(self, pk: bytes) -> int | None:
        """Which place the key holds, if any."""
        return next((i for i, place in enumerate(self.places) if place.pk == pk), None)

    def with_place(self, place: Place) -> "Lobby":
        """The lobby with one more place, or the same key's place renewed (not ready any more)."""
        at = self.place_of(place.pk)
        if at is None:
            rank = {pk: seat for seat, pk in enumerate(self.order)}
            places = sorted((*self.places, place), key=lambda one: rank.get(one.pk, len(rank)))
            return replace(self, places=tuple(places))
        return replace(self, places=(*self.places[:at], place, *self.places[at + 1 :]))

    def without(self, pk: bytes) -> "Lobby":
        """The lobby after that key has left."""
        return replace(self, places=tuple(place for place in self.places if place.pk != pk))

    def with_ready(self, pk: bytes, value: bool) -> "Lobby":
        """The lobby after that key said whether it is ready."""
        return replace(self, places=tuple(replace(p, ready=value) if p.pk == pk else p for p in self.places))

    def with_rules(self, rules: Rules) -> "Lobby":
        """The lobby under other rules: nobody has said yes to those."""
        return replace(self, rules=rules, places=tuple(replace(p, ready=False) for p in self.places))

    def keys(self) -> list[tuple[bytes, bytes]]:
        """Key and operator key of each place."""
        return [(place.pk, place.operator) for place in self.places]

    def people(self) -> list[tuple[bytes, bytes, str]]:
        """Key, operator key and name of each place."""
        return [(place.pk, place.operator, place.name) for place in self.places]

    @property
    def all_ready(self) -> bool:
        """Three seats, all ready."""
        return len(self.places) == SEATS and all(place.ready for place in self.places)

    def message(self) -> messages.Lobby:
        """The `lobby` message that says all this."""
        seats = tuple(messages.LobbyPlace(p.pk, p.name, p.operator_pk, p.ready) for p in self.places)
        return messages.Lobby(to_map(self.rules), seats, self.countdown)

    def view(
        self,
        *,
        me: bytes,
        host: bytes | None,
        addresses: tuple[str, ...],
        message: str | None,
        company: Company | None = None,
    ) -> LobbyView:
        """What the screen of `me` shows of it, with what he knows of the others; `host` = the host's key."""
        seats = [self._seat(place) for place in self.places]
        if company is not None:
            doubted = self._doubted(me, company)
            seats = [
                replace(seat, known=company.person(place.pk), doubted=place.pk in doubted)
                for seat, place in zip(seats, self.places, strict=True)
            ]
        return LobbyView(
            hosting=host == me,
            me=self.place_of(me),
            seats=tuple(seats),
            rules=self.rules,
            countdown=None if self.countdown is None else float(self.countdown),
            addresses=addresses,
            message=message,
            host=None if host is None else self.place_of(host),
        )

    def _doubted(self, me: bytes, company: Company) -> dict[bytes, str]:
        """The keys, with their names, that come with names known by other keys; bots go by their operator."""
        return {
            place.pk: place.name
            for place in self.places
            if place.pk != me and place.operator_pk is None and company.is_doubted(place.name, place.pk)
        }

    def refuse_doubts(self, me: bytes, company: Company) -> None:
        """Raises Refused while a known name comes with another key and nobody has said yes to it."""
        for pk, name in self._doubted(me, company).items():
            raise Refused(
                phrase(
                    "{name} comes with another key than before ({words}): ask whether that is so and say yes "
                    "first.",
                    name=name,
                    words=" ".join(fingerprint(pk)),
                )
            )

    def accept_doubts(self, me: bytes, company: Company) -> None:
        """The player says yes to all of them. Raises Refused where there are none."""
        doubted = self._doubted(me, company)
        if not doubted:
            raise Refused("There is nothing to say yes to now.")
        for pk in doubted:
            company.accept(pk)

    def _seat(self, place: Place) -> LobbySeat:
        operator = None
        if place.operator_pk is not None:
            at = self.place_of(place.operator_pk)
            operator = self.places[at].name if at is not None else " ".join(fingerprint(place.operator_pk))
        return LobbySeat(place.name, fingerprint(place.pk), place.ready, operator is not None, operator)


def lobby_of(message: messages.Lobby) -> Lobby:
    """A guest's copy of what the host says. Raises Refused with a sentence when it cannot be played."""
    rules = from_map(message.rules_map)
    places = tuple(
        Place(seat.pk, clean(seat.name, NAME_MAX) or "Player", seat.operator_pk, seat.ready)
        for seat in message.seats
    )
    keys = [place.pk for place in places]
    if len(set(keys)) != len(keys) or not all(
        good_public_key(key) for place in places for key in (place.pk, place.operator)
    ):
        raise Refused("The host's list of seats holds a key that cannot be: leave this table.")
    return Lobby(rules, places, message.countdown)


def rules_mark(rules: Rules) -> str:
    """A rule set in eight hexadecimal digits for people to compare; programs compare the whole digest."""
    return rules_digest(rules)[:4].hex()


def descriptor_of(lobby: Lobby, unix_seconds: int, before: Before | None = None) -> Descriptor:
    """The table that three ready places make. It continues `before` if the same sit in the same seats, else
    chips start from zero. Raises Fault(DESCRIPTOR)."""
    seats = []
    for place in lobby.places:
        assert place.nonce_commit is not None
        seats.append(SeatEntry(place.pk, place.name, place.nonce_commit, place.operator))
    first, second, third = seats
    start, previous = first_start(lobby.rules), None
    if before is not None and before.seats == tuple(lobby.keys()):
        start, previous = before.outcome, before.reference
    return build_descriptor(unix_seconds, lobby.rules, (first, second, third), start, previous)


def first_start(rules: Rules) -> Match:
    """Where a table begins that continues none; a chosen first dealer is the host."""
    return start_match((0, 0, 0), 0, None, 0, 0 if rules.first_dealer == "chosen" else None)


def check_table(descriptor: Descriptor, agreed: Lobby, me: bytes, nonce_commit: bytes) -> None:
    """Whether a table is the one its guest agreed to. Raises Refused with a sentence for him.

    What needs no local knowledge was checked when the descriptor was read; where a table starts that
    continues another is for `before.check_start`."""
    if descriptor.rules != agreed.rules:
        raise Refused("The table's rules are not those of the lobby you agreed to: nothing was signed.")
    mine = next((seat for seat in descriptor.seats if seat.pk == me), None)
    if mine is None or [seat.pk for seat in descriptor.seats] != [place.pk for place in agreed.places]:
        raise Refused("The table seats other players than the lobby you agreed to: nothing was signed.")
    if [seat.operator_pk for seat in descriptor.seats] != [place.operator for place in agreed.places]:
        raise Refused("The table says otherwise than the lobby who runs a bot: nothing was signed.")
    if [seat.name for seat in descriptor.seats] != [place.name for place in agreed.places]:
        raise Refused("The table names the players otherwise than the lobby did: nothing was signed.")
    if mine.nonce_commit != nonce_commit:
        raise Refused("The table carries another promise of chance than yours: nothing was signed.")
    if descriptor.previous is None and descriptor.start != first_start(agreed.rules):
        raise Refused("The table does not start from zero as the lobby said: nothing was signed.")
