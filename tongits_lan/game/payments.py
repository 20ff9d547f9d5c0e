"""What each loser pays the winner of a hand, line by line (rules.md 7).

Owns rates and bonuses. Knows the end of the hand with all cards open; knows no pot, ante or streak.
"""

from collections.abc import Iterator, Sequence

import msgspec

from tongits_lan.game.cards import ACE, NATURALS, rank
from tongits_lan.game.melds import LONG_RUN, best_split, is_long_run, is_secret
from tongits_lan.game.moves import EndKind
from tongits_lan.game.position import Position
from tongits_lan.game.sentences import counted, mark
from tongits_lan.game.shapes import MeldKind
from tongits_lan.game.showdown import Counts, Opened, challengers, folders


class Line(msgspec.Struct, frozen=True):
    """One transfer: `from_` and `to` are seats, None is the pot; `chips` is above zero."""

    from_: int | None
    to: int | None
    chips: int
    reason: str


class Bonuses(msgspec.Struct, frozen=True):
    """How many of each thing that earns extra a seat has."""

    aces: int
    secrets: int
    long_runs: int


def bonuses_of(seat: int, position: Position, end: Opened, long_run: int) -> Bonuses:
    """A seat's aces, secret melds and long runs, in hand (best split) and in its own melds (rules.md 7.1)."""
    rules = position.rules
    split = best_split(end.hands[seat], rules, rules.secret_bonus, long_run)
    natural = [m for m in split.melds if m[-1] < NATURALS]
    aces = sum(c < NATURALS and rank(c) == ACE for c in end.hands[seat])
    secrets = sum(is_secret(m, rules) for m in natural)
    long_runs = sum(_is_run(m) and is_long_run(c for c in m if c < NATURALS) for m in split.melds)
    for meld in end.melds:
        if meld.owner != seat:
            continue
        naturals = [c for c in meld.cards if c is not None and c < NATURALS]
        own = [c for c, by in zip(meld.cards, meld.by, strict=True) if c in naturals and by == seat]
        aces += sum(c is not None and rank(c) == ACE for c in own)
        secrets += meld.face_down
        if meld.kind is MeldKind.RUN and len(own) >= LONG_RUN and is_long_run(naturals):
            long_runs += 1
    return Bonuses(aces, secrets, long_runs)


def _is_run(cards: Sequence[int]) -> bool:
    return len(cards) > 1 and cards[1] - cards[0] < NATURALS // 4


def payments(
    position: Position, end: Opened, places: Sequence[int], counts: Counts, burned: Sequence[int]
) -> Iterator[Line]:
    """Every payment that follows from the result, zeros left out; `places` = the ranking, winner first."""
    rules = position.rules
    winner, *losers = places
    folded = folders(position)
    standing = [seat for seat in losers if seat not in folded]
    flat = rules.fold_fee is not None
    payers = standing[-1:] if rules.base_payers == "last_place" else losers
    for loser in losers:
        if loser in folded and flat:
            yield from _line(loser, _fee_to(position, winner), rules.fold_fee or 0, mark("fold fee"))
        elif loser in payers:
            yield from _base(position, winner, loser, counts)
            yield from _bonus_lines(position, end, winner, loser)
        if loser in burned:
            yield from _line(loser, winner, rules.burned_penalty, mark("burned"))
    holders = rules.secret_bonus_holder
    if holders == "any_player":
        for holder in losers:
            secrets = bonuses_of(holder, position, end, 0).secrets
            for payer in places:
                if payer != holder and not (payer in folded and flat):
                    yield from _line(payer, holder, secrets * rules.secret_bonus, _secrets(secrets))


def _line(from_: int, to: int | None, chips: int, reason: str) -> Iterator[Line]:
    if chips:
        yield Line(from_, to, chips, reason)


def _aces(count: int) -> str:
    return counted(count, "ace", "{count} aces")


def _secrets(count: int) -> str:
    return counted(count, "secret", "{count} secrets")


def _long_runs(count: int) -> str:
    return counted(count, "long run", "{count} long runs")


def _fee_to(position: Position, winner: int) -> int | None:
    match position.rules.fold_fee_to:
        case "winner":
            return winner
        case "caller":
            return position.caller
        case "pot":
            return None


def _rate(position: Position, winner: int, loser: int, counts: Counts) -> tuple[int, str]:
    """What replaces the base, and why (rules.md 7.1, 8.2)."""
    rules = position.rules
    match position.end:
        case EndKind.TONGITS:
            return rules.tongits, mark("tongits")
        case EndKind.SPREAD:
            return rules.tongits, mark("spread")
        case EndKind.DRAW:
            if not challengers(position):
                return rules.draw_unchallenged, mark("draw")
            if loser in folders(position):
                if rules.challenged_rate_applies_to == "all_losers":
                    return rules.draw_challenged, mark("challenged draw")
                return rules.base, mark("base")
            zero = winner == position.caller and counts[winner] == 0
            if zero and rules.zero_count_fight == "waive_lock":
                return rules.tongits, mark("draw with a count of zero")
            return rules.draw_challenged, mark("challenged draw")
        case _:
            return rules.base, mark("base")


def _base(position: Position, winner: int, loser: int, counts: Counts) -> Iterator[Line]:
    rules = position.rules
    rate, reason = _rate(position, winner, loser, counts)
    if rules.variable_payout == "off":
        yield from _line(loser, winner, rate, reason)
        return
    owed = max(rules.base, counts[loser] - counts[winner])
    surplus = rate - rules.base
    if surplus < 0:
        yield from _line(loser, winner, owed + surplus, reason)
        return
    yield from _line(loser, winner, owed, mark("difference"))
    yield from _line(loser, winner, surplus, reason)


def _bonus_lines(position: Position, end: Opened, winner: int, loser: int) -> Iterator[Line]:
    rules = position.rules
    bonus = bonuses_of(winner, position, end, rules.long_run_bonus)
    yield from _line(loser, winner, bonus.aces * rules.ace_bonus, _aces(bonus.aces))
    yield from _line(loser, winner, bonus.secrets * rules.secret_bonus, _secrets(bonus.secrets))
    long_runs = bonus.long_runs
    yield from _line(loser, winner, long_runs * rules.long_run_bonus, _long_runs(long_runs))
