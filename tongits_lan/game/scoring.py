"""From the end of a hand to chips: antes, payments, the pot, the streak, the next dealer.

Owns every transfer of chips, each one a line (from, to, chips, reason) that screens and verifiers can
explain. Knows of the play only its last position and the faces of all slots. Sources: rules.md 6 to 10.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from tongits_lan.game.moves import EndKind
from tongits_lan.game.payments import Line, payments
from tongits_lan.game.position import Faces, Position
from tongits_lan.game.rules import Rules
from tongits_lan.game.sentences import mark
from tongits_lan.game.showdown import (
    Counts,
    challengers,
    counts_of,
    fouls,
    open_hands,
    places_of,
    seats_from,
    take_back,
    unworthy,
    winner_of,
)

__all__ = [
    "Line",
    "Match",
    "Result",
    "Settlement",
    "ante",
    "close",
    "conclude",
    "fresh_match",
    "settle",
    "settle_forfeit",
    "start_match",
]

End = Literal["tongits", "draw", "stock", "spread", "forfeit", "closed"]
AnteKind = Literal["first", "next", "jackpot"]
Chips = tuple[int, int, int]

_ENDS: dict[EndKind, End] = {
    EndKind.TONGITS: "tongits",
    EndKind.DRAW: "draw",
    EndKind.STOCK: "stock",
    EndKind.SPREAD: "spread",
}


class Match(msgspec.Struct, frozen=True):
    """What goes from hand to hand. Chips may be below zero: they are a count, not a balance."""

    chips: Chips
    pot: int
    streak_seat: int | None
    streak_length: int
    dealer: int | None
    """Who deals the next hand; None before the first dealer is known."""
    ante: AnteKind
    """Which ante the next hand pays."""


class Settlement(msgspec.Struct, frozen=True):
    """How a hand (or the table) was settled. `net`, `lines` and `pot_paid` are chips."""

    end: End
    winner: int | None
    challenged: bool
    counts: Counts | None
    burned: tuple[int, ...]
    places: tuple[int, int, int] | None
    net: Chips
    """Chips won or lost without antes and pot, Sagasa included."""
    lines: tuple[Line, ...]
    pot_paid: int
    fouls: tuple[tuple[int, str], ...]
    """(seat, sentence); `{0}` to `{2}` in the sentence stand for names."""
    match: Match
    """The match after this."""


def fresh_match() -> Match:
    """A table that starts from nothing."""
    return start_match((0, 0, 0), 0, None, 0, None)


def start_match(
    chips: Chips, pot: int, streak_seat: int | None, streak_length: int, dealer: int | None
) -> Match:
    """A table that starts with what an earlier one left; with chips in the pot it pays `ante_next`."""
    return Match(chips, pot, streak_seat, streak_length, dealer, "next" if pot else "first")


def ante(rules: Rules, match: Match) -> int:
    """What each player puts into the pot before the next hand (chips)."""
    kind = match.ante
    match kind:
        case "first":
            return rules.ante_first
        case "next":
            return rules.ante_next
        case "jackpot":
            return rules.ante_after_jackpot
        case _:
            assert_never(kind)


def settle(rules: Rules, match: Match, position: Position, faces: Faces) -> Settlement:
    """Settles a hand whose play is over; `faces` = slot -> card of all slots."""
    assert position.end is not None, "play of the hand is not over"
    seen = open_hands(position, faces)
    found = fouls(position, seen, faces)
    foulers = sorted({seat for seat, _ in found})
    winner = winner_of(position, seen, counts_of(seen, rules))
    undone = winner in foulers
    if undone:
        winner = None
    end = take_back(seen)
    counts = counts_of(end, rules)
    losers = set() if position.end is EndKind.SPREAD else unworthy(end, rules) - {winner}
    burned = tuple(sorted(losers))
    places = None if winner is None else places_of(position, winner, counts)
    paid = [
        Line(o, s, rules.sagasa_bonus, mark("sagasa")) for s in position.sagasas for o in seats_from(s)[1:]
    ]
    if places is not None:
        paid += payments(position, end, places, counts, burned)
    price = rules.tongits * (2 if undone else 1)
    paid += [Line(f, to, price, mark("foul")) for f in foulers for to in seats_from(f)[1:]]
    spread = position.end is EndKind.SPREAD
    result = VOID if undone else Result(winner, places, spread)
    after, lines, net, pot_paid = conclude(rules, match, result, paid)
    return Settlement(
        end=_ENDS[position.end],
        winner=winner,
        challenged=bool(challengers(position)),
        counts=counts,
        burned=burned,
        places=places,
        net=net,
        lines=lines,
        pot_paid=pot_paid,
        fouls=found,
        match=after,
    )


def settle_forfeit(rules: Rules, match: Match, seat: int) -> Settlement:
    """Settles a hand that `seat` gave up: it pays each of the others `tongits`, nothing else is paid."""
    paid = [Line(seat, to, rules.tongits, mark("forfeit")) for to in seats_from(seat)[1:]]
    after, lines, net, _ = conclude(rules, match, VOID, paid)
    return _without_hand("forfeit", net, lines, after)


def close(rules: Rules, match: Match) -> Settlement:
    """Splits the pot of a table that closes; chips over go one each to the next dealer and his right."""
    share, over = divmod(match.pot, 3)
    lines = [Line(None, seat, share, mark("pot split")) for seat in range(3)]
    first = 0 if match.dealer is None else match.dealer
    lines += [Line(None, seat, 1, mark("pot split")) for seat in seats_from(first)[:over]]
    kept = tuple(line for line in lines if line.chips)
    after = replace(match, chips=_moved(match.chips, kept), pot=0)
    return _without_hand("closed", (0, 0, 0), kept, after)


def _without_hand(end: End, net: Chips, lines: tuple[Line, ...], after: Match) -> Settlement:
    return Settlement(
        end=end,
        winner=None,
        challenged=False,
        counts=None,
        burned=(),
        places=None,
        net=net,
        lines=lines,
        pot_paid=0,
        fouls=(),
        match=after,
    )


class Result(msgspec.Struct, frozen=True):
    """What the pot, the streak and the deal need to know of a hand; `void` = streak and dealer stay."""

    winner: int | None
    places: tuple[int, int, int] | None = None
    spread: bool = False
    void: bool = False


VOID = Result(winner=None, void=True)


def conclude(
    rules: Rules, match: Match, result: Result, paid: Sequence[Line]
) -> tuple[Match, tuple[Line, ...], Chips, int]:
    """The match after a hand in which `paid` changed hands, all lines in order, the net and the pot paid.

    Order: antes, payments, second-win bonus, pot (rules.md 7.5, 10).
    """
    antes = [Line(seat, None, ante(rules, match), mark("ante")) for seat in range(3)]
    length = 0
    if result.winner is not None:
        length = match.streak_length + 1 if match.streak_seat == result.winner else 1
    played = [line for line in (*paid, *_second_win(rules, result.winner, length)) if line.chips]
    jackpot = result.winner is not None and (result.spread or length >= rules.jackpot_wins)
    pot = match.pot + sum(line.chips for line in (*antes, *played) if line.to is None)
    payout = [Line(None, result.winner, pot, mark("pot"))] if jackpot else []
    lines = tuple(line for line in (*antes, *played, *payout) if line.chips)
    seat, wins = _streak(rules, match, result, length, jackpot)
    after = Match(
        chips=_moved(match.chips, lines),
        pot=0 if jackpot else pot,
        streak_seat=seat,
        streak_length=wins,
        dealer=_next_dealer(rules, match, result),
        ante="jackpot" if jackpot else "next",
    )
    return after, lines, _moved((0, 0, 0), played), pot if jackpot else 0


def _second_win(rules: Rules, winner: int | None, length: int) -> list[Line]:
    """Where three straight wins take the pot, the second one may be paid for (rules.md 7.3)."""
    if winner is None or rules.jackpot_wins != 3 or length != 2:
        return []
    bonus = rules.jackpot_second_win_bonus
    return [Line(seat, winner, bonus, mark("second straight win")) for seat in seats_from(winner)[1:]]


def _streak(rules: Rules, match: Match, result: Result, length: int, jackpot: bool) -> tuple[int | None, int]:
    if result.winner is None:
        kept = result.void or rules.no_winner_streak == "unchanged"
        return (match.streak_seat, match.streak_length) if kept else (None, 0)
    if not jackpot:
        return result.winner, length
    if result.spread or rules.jackpot_streak_after == 0:
        return None, 0
    return result.winner, rules.jackpot_streak_after


def _next_dealer(rules: Rules, match: Match, result: Result) -> int | None:
    """Rules.md 2.4 and 2.5: without a winner the same seat deals again."""
    if result.winner is None:
        return match.dealer
    option = rules.next_dealer
    match option:
        case "winner":
            return result.winner
        case "third_place":
            assert result.places is not None
            return result.places[2]
        case "rotate":
            return None if match.dealer is None else (match.dealer + 1) % 3
        case _:
            assert_never(option)


def brought(settlement: Settlement) -> Chips:
    """What a hand brought each seat in all (chips): its payments, its ante, the pot."""
    return _moved((0, 0, 0), settlement.lines)


def _moved(chips: Chips, lines: Iterable[Line]) -> Chips:
    out = [*chips]
    for line in lines:
        if line.from_ is not None:
            out[line.from_] -= line.chips
        if line.to is not None:
            out[line.to] += line.chips
    return (out[0], out[1], out[2])
