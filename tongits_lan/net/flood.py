"""Chat between seats that hear each other on two ways: each line is shown once, never too many.

Owns what counts as heard already, and how much is too much. Chat lines carry no number, so the copies that
came over each link are counted. Must not know links or screens.
"""

from collections import Counter

from tongits_lan.errors import LinkLost

LINES_PER_SECOND = 3.0
BURST = 12.0
VISITOR = 40.0, 5.0
"""Messages at once and per second of somebody in a lobby to its host: each goes to everybody there."""
HOST = 200.0, 30.0
"""The same of a host, who passes on what the others say."""
_KEPT = 512  # different lines counted before the counting starts over


class Flood:
    """Counts copies per (seat, text) and per link they came over."""

    def __init__(self) -> None:
        self._shown: Counter[tuple[int, str]] = Counter()
        self._copies: dict[int, Counter[tuple[int, str]]] = {}
        self._allowance = Allowance()

    def link_up(self, channel: int) -> None:
        """A new link to the seat `channel`: it owes no copy of what was shown before."""
        self._copies[channel] = Counter(self._shown)

    def hears(self, channel: int, seat: int, text: str) -> bool:
        """A copy came over the link to `channel`; True if the line is new."""
        line = (seat, text)
        copies = self._copies.setdefault(channel, Counter())
        copies[line] += 1
        if copies[line] <= self._shown[line]:
            return False
        if len(self._shown) >= _KEPT:
            for counter in (self._shown, *self._copies.values()):
                counter.clear()
            copies[line] = 1
        self._shown[line] = copies[line]
        return True

    def allows(self, channel: int, now: float) -> bool:
        """Whether one more line from that link is within what a person types; `now` in seconds."""
        return self._allowance.allows(channel, now)


class Pace:
    """How fast the other end of a link in a lobby may speak: whoever goes beyond that is no person."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._allowance = Allowance(burst, per_second)

    def heard(self, now: float) -> None:
        """One message more; `now` in seconds. Raises LinkLost for one too many."""
        if not self._allowance.allows(0, now):
            raise LinkLost("it says too much at once")


class Allowance:
    """How much each link may bring of what costs attention but no signature: a burst, then so much a
    second."""

    def __init__(self, burst: float = BURST, per_second: float = LINES_PER_SECOND) -> None:
        self._burst = burst
        self._per_second = per_second
        self._credit: dict[int, tuple[float, float]] = {}

    def allows(self, channel: int, now: float) -> bool:
        """Whether one more is within that; `now` in seconds."""
        credit, at = self._credit.get(channel, (self._burst, now))
        credit = min(self._burst, credit + (now - at) * self._per_second)
        self._credit[channel] = (credit - 1.0 if credit >= 1.0 else credit, now)
        return credit >= 1.0
