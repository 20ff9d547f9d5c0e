"""A verified ledger boiled down to what is remembered of it, and the sums over many.

Owns these values and who won how often against whom. Must not know files, databases or words for people.
"""

from collections.abc import Iterable, Sequence

import msgspec

from tongits_lan.game.dealing import dealt_round
from tongits_lan.game.melds import deadwood
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.chain import Descriptor, parse_descriptor
from tongits_lan.ledger.files import LedgerFile
from tongits_lan.ledger.report import Report, Status, sentences
from tongits_lan.ledger.state import HandRecord
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX, SEATS

Three = tuple[int, int, int]


class PastHand(msgspec.Struct, frozen=True):
    """A counted hand. `net` is in chips, antes and pot left out."""

    number: int
    dealer: int
    end: str
    """tongits, draw, stock, spread or forfeit."""
    winner: int | None
    net: Three
    forfeited_by: int | None
    faces: tuple[int, ...] | None
    """Card of every slot; None for a hand given up."""
    dealt: Three | None
    """What the first twelve cards dealt to each seat count (points)."""


class PastTable(msgspec.Struct, frozen=True):
    """One ledger: who sat there, how it was judged, what was played. Keys are 32 bytes."""

    table_id: bytes
    unix_seconds: int
    preset: str
    names: tuple[str, str, str]
    """Cleaned for display."""
    keys: tuple[bytes, bytes, bytes]
    bots: tuple[bool, bool, bool]
    me: int | None
    """The own seat; None in a ledger of others."""
    status: Status
    closed: bool
    chips: Three
    head: bytes
    verdict: str
    """The last sentence of the verification."""
    hands: tuple[PastHand, ...]
    stop_code: str | None = None
    """The fault for which the table stopped, as the evidence beside its ledger proves it; None: none."""
    stop_seat: int | None = None
    """The seat it convicts."""

    @property
    def others(self) -> tuple[int, ...]:
        """The seats that are not the own one."""
        return tuple(seat for seat in range(SEATS) if seat != self.me)


class Opponent(msgspec.Struct, frozen=True):
    """Somebody met at tables: one key, under the newest name. `net` is what that player won or lost there."""

    key: bytes
    name: str
    bot: bool
    tables: int
    hands: int
    wins: int
    tongits: int
    net: int


class Totals(msgspec.Struct, frozen=True):
    """The own record over all tables that are not faulty. Chips without antes and pot."""

    tables: int
    hands: int
    wins: int
    tongits: int
    forfeits: int
    net: int
    streak: int
    """The most hands won one after the other at one table."""
    opponents: tuple[Opponent, ...]
    """Those with the most hands first."""


def past_table(file: LedgerFile, report: Report, pk: bytes | None) -> PastTable | None:
    """What is remembered of a ledger; None where it does not even say who sat down."""
    if file.descriptor_raw is None or report.names is None or report.head is None:
        return None
    descriptor = parse_descriptor(file.descriptor_raw)
    a, b, c = (seat.pk for seat in descriptor.seats)
    return PastTable(
        table_id=descriptor.table_id,
        unix_seconds=descriptor.unix_seconds,
        preset=clean(descriptor.rules.preset, NAME_MAX),
        names=report.names,
        keys=(a, b, c),
        bots=_bots(descriptor),
        me=next((seat for seat in range(SEATS) if (a, b, c)[seat] == pk), None),
        status=report.status,
        closed=report.closed,
        chips=report.chips,
        head=report.head,
        verdict=sentences(report)[-1],
        hands=tuple(_hand(record, descriptor.rules) for record in report.records),
    )


def _bots(descriptor: Descriptor) -> tuple[bool, bool, bool]:
    a, b, c = (seat.operator_pk != seat.pk for seat in descriptor.seats)
    return a, b, c


def _hand(record: HandRecord, rules: Rules) -> PastHand:
    faces = record.faces
    return PastHand(
        number=record.number,
        dealer=record.dealer,
        end=str(record.settlement.end),
        winner=record.settlement.winner,
        net=record.settlement.net,
        forfeited_by=record.forfeited_by,
        faces=faces,
        dealt=None if faces is None else _dealt(faces, record.dealer, rules),
    )


def _dealt(faces: Sequence[int], dealer: int, rules: Rules) -> Three:
    a, b, c = (deadwood([faces[slot] for slot in dealt_round(dealer, seat)], rules) for seat in range(SEATS))
    return a, b, c


def totals(tables: Iterable[PastTable]) -> Totals:
    """The sums over the own tables that are not faulty, oldest first or in any order."""
    own = sorted(
        (t for t in tables if t.me is not None and t.status != "faulty"), key=lambda t: t.unix_seconds
    )
    played = [(table, hand) for table in own for hand in table.hands]
    return Totals(
        tables=len([table for table in own if table.hands]),
        hands=len(played),
        wins=sum(hand.winner == table.me for table, hand in played),
        tongits=sum(hand.winner == table.me and hand.end == "tongits" for table, hand in played),
        forfeits=sum(hand.forfeited_by == table.me for table, hand in played),
        net=sum(hand.net[table.me] for table, hand in played if table.me is not None),
        streak=max(
            (longest_streak(table.hands, table.me) for table in own if table.me is not None), default=0
        ),
        opponents=_opponents(own),
    )


def longest_streak(hands: Iterable[PastHand], seat: int) -> int:
    """The most hands a seat won one after the other; one without a winner ends a streak."""
    most = length = 0
    for hand in hands:
        length = length + 1 if hand.winner == seat else 0
        most = max(most, length)
    return most


def _opponents(own: Iterable[PastTable]) -> tuple[Opponent, ...]:
    met: dict[bytes, Opponent] = {}
    for table in own:
        if not table.hands:
            continue
        for seat in table.others:
            before = met.get(table.keys[seat])
            key, name, bot = table.keys[seat], table.names[seat], table.bots[seat]
            one = before or Opponent(key, name, bot, 0, 0, 0, 0, 0)
            met[key] = Opponent(
                key=key,
                name=name,
                bot=bot,
                tables=one.tables + 1,
                hands=one.hands + len(table.hands),
                wins=one.wins + sum(hand.winner == seat for hand in table.hands),
                tongits=one.tongits + sum(h.winner == seat and h.end == "tongits" for h in table.hands),
                net=one.net + sum(hand.net[seat] for hand in table.hands),
            )
    return tuple(sorted(met.values(), key=lambda one: (-one.hands, one.name, one.key)))
