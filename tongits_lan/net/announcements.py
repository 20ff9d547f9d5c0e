"""What one table says of itself on the network, and the list made of what was heard.

Owns the form of an announcement, how far a stranger's one is believed, and when a row is stale: pure, the
time comes in. Must not know how announcements travel. Nothing here is authenticated: a row is a hint where
to dial, never who answers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tongits_lan.ledger.texts import clean
from tongits_lan.limits import ADDRESSES_PER_SEAT, NAME_MAX, SEATS
from tongits_lan.net.handshake import PROTOCOL, PROTOCOLS
from tongits_lan.net.interfaces import Interface, in_order
from tongits_lan.net.transport import join_address

SERVICE = "_tongits._tcp.local."
TAG_BYTES = 8
STALE_SECONDS = 8.0  # without a word from a table before its row goes
GOODBYE_SECONDS = 1.0  # a goodbye that is taken back within this time never happened (RFC 6762, 10.1)
ROWS_MAX = 64
DOORS_PER_ROW = 4  # three seats of a begun table say the same tag
HEARD_MAX = 32  # addresses looked at in one announcement
_TEXT_MAX = 64  # characters of a version, protocol or preset name


@dataclass(frozen=True, slots=True)
class Notice:
    """What a table of this machine wants to be known of: never a code or a key."""

    tag: bytes
    """8 random bytes, the same on all machines of one table."""
    host: str
    """Who hosts, as people read it."""
    seats: int
    """Seats taken, 1 to 3; 3: nobody else can sit down."""
    preset: str
    port: int
    version: str
    protocol: str = PROTOCOL

    def texts(self) -> dict[str, str]:
        """The TXT record, key by key; the port goes into the SRV record."""
        return {
            "protocol": self.protocol[:_TEXT_MAX],
            "version": self.version[:_TEXT_MAX],
            "host": clean(self.host, NAME_MAX),
            "seats": str(self.seats),
            "preset": clean(self.preset, _TEXT_MAX),
            "tag": self.tag.hex(),
        }


@dataclass(frozen=True, slots=True)
class Heard:
    """An announcement as it arrived: nothing of it is checked."""

    instance: str
    texts: Mapping[bytes, bytes | None]
    hosts: tuple[str, ...]
    port: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement that has the right form, its texts fit to be shown."""

    instance: str
    tag: bytes
    host: str
    seats: int
    preset: str
    version: str
    protocol: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One table of the network: one row, whatever the number of addresses it is heard from."""

    tag: bytes
    host: str
    seats: int
    preset: str
    version: str
    protocol: str
    addresses: tuple[str, ...]
    """"host:port", the best first: dial all of them at once, whoever answers first."""
    ping_ms: float | None = None
    """Milliseconds until its port answered, None if it was not asked or does not."""

    @property
    def fits(self) -> bool:
        """Whether this program speaks that table's protocol."""
        return self.protocol in PROTOCOLS

    @property
    def full(self) -> bool:
        """Whether all seats are taken: only who holds one of them gets in."""
        return self.seats >= SEATS


def parse(heard: Heard, known: Iterable[Interface]) -> Announcement | None:
    """The announcement in `heard`, or None when it is none of this program's or cannot be used."""
    try:
        tag = bytes.fromhex(_text(heard.texts, b"tag", 2 * TAG_BYTES + 1))
        seats = int(_text(heard.texts, b"seats", 2))
    except ValueError:
        return None
    hosts = in_order(heard.hosts[:HEARD_MAX], known)[:ADDRESSES_PER_SEAT]
    if len(tag) != TAG_BYTES or not 1 <= seats <= SEATS or not 0 < heard.port < 65_536 or not hosts:
        return None
    protocol = _text(heard.texts, b"protocol", _TEXT_MAX)
    if not protocol:
        return None
    return Announcement(
        instance=heard.instance,
        tag=tag,
        host=_text(heard.texts, b"host", NAME_MAX).strip() or "Player",
        seats=seats,
        preset=_text(heard.texts, b"preset", _TEXT_MAX).strip() or "?",
        version=_text(heard.texts, b"version", _TEXT_MAX).strip() or "?",
        protocol=protocol,
        addresses=tuple(join_address(host, heard.port) for host in hosts),
    )


def _text(texts: Mapping[bytes, bytes | None], key: bytes, limit: int) -> str:
    raw = texts.get(key) or b""
    return clean(raw.decode("utf-8", "replace"), limit)


@dataclass(frozen=True, slots=True)
class _Door:
    """One machine's word about a table, believed until `ends`; `leaving` after its goodbye."""

    said: Announcement
    ends: float
    leaving: bool = False


@dataclass(slots=True)
class _Row:
    doors: dict[str, _Door]
    ping_ms: float | None = None


class Rows:
    """The live list: one row per table tag, in the order they were first heard.

    `stale` seconds without a word end a row."""

    def __init__(self, stale: float = STALE_SECONDS) -> None:
        self._stale = stale
        self._rows: dict[bytes, _Row] = {}

    def heard(self, said: Announcement, now: float) -> None:
        """Takes in an announcement: a new row, or news of an old one. A flood of rows adds none."""
        self._forget(said)
        row = self._rows.get(said.tag)
        if row is None:
            if len(self._rows) >= ROWS_MAX:
                return
            row = self._rows[said.tag] = _Row({})
        if said.instance in row.doors or len(row.doors) < DOORS_PER_ROW:
            row.doors[said.instance] = _Door(said, now + self._stale)

    def goodbye(self, instance: str, now: float) -> None:
        """A machine took its word back; it has a second to say otherwise."""
        for row in self._rows.values():
            door = row.doors.get(instance)
            if door is not None:
                row.doors[instance] = replace(door, ends=min(door.ends, now + GOODBYE_SECONDS), leaving=True)

    def answered(self, tag: bytes, address: str, ping_ms: float, now: float) -> None:
        """The port at one of the row's addresses took a connection: whoever announced it still lives."""
        row = self._rows.get(tag)
        if row is None:
            return
        row.ping_ms = ping_ms
        for instance, door in row.doors.items():
            if address in door.said.addresses and not door.leaving:
                row.doors[instance] = replace(door, ends=max(door.ends, now + self._stale))

    def silent(self, tag: bytes) -> None:
        """None of the row's addresses took a connection."""
        row = self._rows.get(tag)
        if row is not None:
            row.ping_ms = None

    def expire(self, now: float) -> None:
        """Drops what nobody has vouched for in time."""
        for tag, row in tuple(self._rows.items()):
            row.doors = {instance: door for instance, door in row.doors.items() if door.ends > now}
            if not row.doors:
                del self._rows[tag]

    def next_deadline(self) -> float | None:
        """When `expire` has something to do, if nothing is heard until then."""
        return min((door.ends for row in self._rows.values() for door in row.doors.values()), default=None)

    def found(self) -> tuple[Found, ...]:
        """The rows as people are to see them; what a row says is the word of the machine heard first."""
        return tuple(_found(tag, row) for tag, row in self._rows.items())

    def _forget(self, said: Announcement) -> None:
        """One machine's port holds one table: what it said before of another is over."""
        for tag, row in tuple(self._rows.items()):
            if tag == said.tag:
                continue
            for instance, door in tuple(row.doors.items()):
                if instance == said.instance or door.said.addresses == said.addresses:
                    del row.doors[instance]
            if not row.doors:
                del self._rows[tag]


def _found(tag: bytes, row: _Row) -> Found:
    first = next(iter(row.doors.values())).said
    addresses = dict.fromkeys(address for door in row.doors.values() for address in door.said.addresses)
    return Found(
        tag=tag,
        host=first.host,
        seats=max(door.said.seats for door in row.doors.values()),
        preset=first.preset,
        version=first.version,
        protocol=first.protocol,
        addresses=tuple(addresses),
        ping_ms=row.ping_ms,
    )
