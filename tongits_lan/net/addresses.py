"""Where the three seats may be dialled.

Owns the rosters said and heard: a seat's word about itself counts, about a third seat it is a hint.
Unsigned: a wrong address only costs a failed dial. Must not know links or sockets.
"""

from collections.abc import Collection, Mapping

from tongits_lan.errors import UserError
from tongits_lan.ledger.messages import Roster, RosterSeat
from tongits_lan.limits import ADDRESSES_PER_SEAT, SEATS
from tongits_lan.net.transport import is_loopback, parse_address

_ANNOUNCED_MAX = 16
_HEARD_MAX = 64  # addresses of one seat taken from others in one run
_FIRST = 6  # places for what a seat says of itself, so that a hint always has room


class AddressBook:
    """Addresses ("host:port") per seat. `kept` are those of an earlier run, by key."""

    def __init__(
        self, pks: tuple[bytes, ...], me: int, kept: Mapping[bytes, tuple[str, ...]], typed: str | None
    ) -> None:
        self._pks = pks
        self._me = me
        self._typed = typed
        self._direct: dict[int, tuple[str, ...]] = {}
        self._announced: tuple[str, ...] = ()
        self._hints = {seat: _usable(kept.get(pk, ())) for seat, pk in enumerate(pks)}
        self._heard = {seat: set(hints) for seat, hints in self._hints.items()}
        """Every hint there ever was: each is news once, so that two seats that know the same addresses of a
        third in another order do not pass them to and fro for ever."""

    def heard(self, sender: int, roster: Roster, linked: Collection[int]) -> bool:
        """Takes in a roster; True if something is known now that was not before."""
        before = [self.of(seat) for seat in range(SEATS)]
        for row in roster.seats:
            if row.pk not in self._pks:
                continue
            seat = self._pks.index(row.pk)
            if seat == sender:
                self._direct[seat] = _usable(row.addresses)[:_FIRST]
            elif seat != self._me and seat not in linked:
                self._hint(seat, _usable(row.addresses))
        return before != [self.of(seat) for seat in range(SEATS)]

    def _hint(self, seat: int, addresses: tuple[str, ...]) -> None:
        heard = self._heard[seat]
        news = tuple(address for address in addresses if address not in heard)[: _HEARD_MAX - len(heard)]
        heard.update(news)
        self._hints[seat] = _merged(news, self._hints[seat])

    def announced(self, addresses: tuple[str, ...]) -> bool:
        """This table's tag is heard at these addresses: some seat is there. True if one of them is news."""
        known, self._announced = set(self._announced), _usable(addresses)[:_ANNOUNCED_MAX]
        return not known.issuperset(self._announced)

    def of(self, seat: int) -> tuple[str, ...]:
        """What is known of `seat`, its own word first."""
        return _merged(self._direct.get(seat, ()), self._hints.get(seat, ()))

    def to_dial(self, seat: int, linked: Collection[int]) -> tuple[str, ...]:
        """Every address worth a try, among them those announced and the one the player typed, unless a
        linked seat has them."""
        typed = () if self._typed is None else (self._typed,)
        answered = {address for other in linked for address in self.of(other)}
        others = (address for address in (*self._announced, *typed) if address not in answered)
        return tuple(dict.fromkeys((*self.of(seat), *others)))

    def roster(self, own: tuple[str, ...], *, on_loopback: bool) -> Roster:
        """What to say over a link; the loopback addresses of this machine mean nothing on another."""
        rows = []
        for seat, pk in enumerate(self._pks):
            known = own if seat == self._me else self.of(seat)
            told = tuple(a for a in known if on_loopback or not is_loopback(parse_address(a)[0]))
            rows.append(RosterSeat(pk, told[:ADDRESSES_PER_SEAT]))
        first, second, third = rows
        return Roster((first, second, third))

    def kept(self) -> dict[bytes, tuple[str, ...]]:
        """What to keep for a later run, by key."""
        return {pk: self.of(seat) for seat, pk in enumerate(self._pks) if seat != self._me}


def _usable(addresses: Collection[str]) -> tuple[str, ...]:
    usable = []
    for address in addresses:
        try:
            parse_address(address)
        except UserError:
            continue
        usable.append(address)
    return tuple(usable)


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:ADDRESSES_PER_SEAT]
