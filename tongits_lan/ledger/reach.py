"""Which seat is reached how: over an own link, through the third seat, or not at all.

Owns the links that are up and what `presence` tells of the others' (unsigned; it never affects play). Must
not know: addresses, sockets, entries.
"""

from tongits_lan.ledger.effects import LinkChanged, Outbox, Reach
from tongits_lan.ledger.messages import Presence, PresenceState
from tongits_lan.limits import SEATS

AWAY = Reach("away")
LEFT = Reach("away", left=True)


class Links:
    """The links of seat `me`."""

    def __init__(self, me: int, box: Outbox) -> None:
        self._me = me
        self._box = box
        self._up: set[int] = set()
        self._relayed: dict[int, int] = {}
        self._quit: set[int] = set()
        """Seats whose programs said that they are being closed."""
        self._shown: dict[int, Reach] = {}

    def others(self) -> tuple[int, ...]:
        """The two other seats, ascending."""
        return tuple(seat for seat in range(SEATS) if seat != self._me)

    def third(self, seat: int) -> int:
        """The seat that is neither `me` nor `seat`."""
        return SEATS - self._me - seat

    def is_up(self, seat: int) -> bool:
        """Whether the own link to `seat` is up."""
        return seat in self._up

    def reach(self, seat: int) -> Reach:
        """How `seat` is reached now."""
        if seat == self._me:
            return Reach("me")
        if seat in self._up:
            return Reach("direct")
        via = self._relayed.get(seat)
        if via is not None and via in self._up:
            return Reach("through", via)
        return LEFT if seat in self._quit else AWAY

    def link_up(self, seat: int) -> None:
        """A link to `seat` is up: both sides of it and the third seat get to know."""
        self._up.add(seat)
        self._quit.discard(seat)
        self.tell()

    def link_down(self, seat: int) -> None:
        """The link to `seat` is gone."""
        self._up.discard(seat)
        self._relayed = {far: via for far, via in self._relayed.items() if via != seat}
        self._tell_third(self.third(seat))
        self._show()

    def tell(self) -> None:
        """Tell every linked seat that this one is here, and whether its link to the third is up."""
        for seat in sorted(self._up):
            self._box.send(seat, Presence(self._me, "here"))
            self._tell_third(seat)
        self._show()

    def quit(self) -> None:
        """Tell every linked seat that this program is being closed."""
        for seat in sorted(self._up):
            self._box.send(seat, Presence(self._me, "quit"))

    def heard(self, sender: int, message: Presence) -> None:
        """A linked seat told of itself or of the third one."""
        if message.seat != self._me and message.state == "quit":
            self._quit.add(message.seat)
        if message.seat not in (self._me, sender):
            if message.state == "here":
                self._relayed[message.seat] = sender
                self._quit.discard(message.seat)
            elif self._relayed.get(message.seat) == sender:
                del self._relayed[message.seat]
        elif message.seat == sender and message.state == "quit":
            self._tell(self.third(sender), sender, "quit")
        self._show()

    def _tell_third(self, seat: int) -> None:
        """Tell `seat` whether the other seat can be reached through this one."""
        third = self.third(seat)
        self._tell(seat, third, "here" if third in self._up else "away")

    def _tell(self, seat: int, about: int, state: PresenceState) -> None:
        if seat in self._up:
            self._box.send(seat, Presence(about, state))

    def _show(self) -> None:
        for seat in self.others():
            how = self.reach(seat)
            if how != self._shown.get(seat, AWAY):
                self._box.events.append(LinkChanged(seat, how))
            self._shown[seat] = how
