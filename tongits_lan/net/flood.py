"""Chat between seats that hear each other on two ways: each line is shown once, never too many.

Owns what counts as heard already, and how much is too much. Chat lines carry no number, so the copies that
came over each link are counted. Must not know links or screens.
"""

from collections import Counter

LINES_PER_SECOND = 3.0
BURST = 12.0
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
