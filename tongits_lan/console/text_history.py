"""What is said of tables played before: a line each, the sums, the deals, and a summary to paste.

Owns wording; counts nothing (ledger/past.py and ledger/deals.py do). Days come in ready made: no clock here.
"""

from collections.abc import Sequence

from tongits_lan.console.text import count_of, listing, net_text
from tongits_lan.ledger.deals import LEAST_HANDS, Deals, Spread
from tongits_lan.ledger.past import Opponent, PastHand, PastTable, Totals, longest_streak
from tongits_lan.limits import SEATS

_STRANGE = 0.01  # below this a distance is called unusual
_ENDS = {
    "tongits": "Tongits by {0}",
    "draw": "a fight, {0} won",
    "stock": "the stock ran out, {0} won",
    "spread": "a spread by {0}",
}


def table_line(table: PastTable, day: str) -> str:
    """One table: day, who else sat there, what was won, how it stands."""
    others = listing([f"{table.names[seat]}{_bot(table, seat)}" for seat in table.others])
    hands = count_of(len(table.hands), "hand", "hands")
    if table.status == "faulty":
        return f"{day}  with {others}: not counted. {table.verdict}"
    state = "closed" if table.closed else "not finished"
    if table.me is None:
        return f"{day}  {others} (you did not sit there): {hands}, {state}"
    won = sum(hand.winner == table.me for hand in table.hands)
    return f"{day}  with {others}: {hands}, won {won}, chips {net_text(table.chips[table.me])}, {state}"


def _bot(table: PastTable, seat: int) -> str:
    return " (bot)" if table.bots[seat] else ""


def totals_lines(totals: Totals) -> list[str]:
    """The own record, then everybody met."""
    if not totals.hands:
        return ["No hand has been played to its end yet."]
    tables = count_of(totals.tables, "table", "tables")
    hands = count_of(totals.hands, "hand", "hands")
    lines = [
        f"In all {tables}, {hands}: won {totals.wins}, {totals.tongits} with Tongits, "
        f"{net_text(totals.net)} chips from hands; longest streak {totals.streak}."
    ]
    if totals.forfeits:
        lines.append(f"You gave up {count_of(totals.forfeits, 'hand', 'hands')}.")
    return [*lines, *(_opponent_line(one) for one in totals.opponents)]


def _opponent_line(one: Opponent) -> str:
    bot = " (bot)" if one.bot else ""
    together = count_of(one.hands, "hand", "hands")
    return (
        f"  {one.name}{bot}: {together} together, won {one.wins}, {one.tongits} with Tongits, "
        f"{net_text(one.net)} chips"
    )


# --- the deals ------------------------------------------------------------------------------------------


def deals_lines(found: Deals | None) -> list[str]:
    """Whether the deals were even, with the figures."""
    if found is None:
        return [f"From {LEAST_HANDS} finished hands on, there is something to say of the deals."]
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    strange = [
        name
        for name, share in (
            ("your ranks", found.ranks.share),
            ("your suits", found.suits.share),
            ("the places of the cards", found.places.share),
            ("your points", found.points_share),
        )
        if share < _STRANGE
    ]
    usual = "Everything is as even as a fair deck makes it."
    odd = f"Unusual: {listing(strange)}. One history in a hundred looks so by chance; more hands will tell."
    return [
        f"The deals of {found.hands} finished hands, against what a fair deck gives:",
        f"Your cards by rank: {_counts(ranks, found.ranks)}; each about {found.ranks.expected[0]:.0f}. "
        f"{_share(found.ranks.share)}",
        f"Your cards by suit: {_counts('CDHS', found.suits)}; each about {found.suits.expected[0]:.0f}. "
        f"{_share(found.suits.share)}",
        f"Every card at every place of the deck: chi-square {found.places.chi_square:.0f}, "
        f"about {found.places.degrees} expected. {_share(found.places.share)}",
        f"Points at the deal: you {found.own_points:.1f} on average, the others {found.others_points:.1f}; "
        f"chance alone makes {found.points_error:.1f} of difference. {_share(found.points_share)}",
        odd if strange else usual,
    ]


def _counts(names: Sequence[str], spread: Spread) -> str:
    return " ".join(f"{name}:{count}" for name, count in zip(names, spread.counts, strict=True))


def _share(share: float) -> str:
    if share < 0.005:
        return "Fewer than 1 in 200 fair decks stray so far."
    return f"{max(1, round(share * 100))} in 100 fair decks stray so far or farther."


# --- a summary to paste ---------------------------------------------------------------------------------


def summary_lines(table: PastTable, day: str) -> list[str]:
    """The score of every hand, Tongits, the longest streak and what proves it; for a chat, so no frames."""
    names = table.names
    room = max(5, *(len(name) for name in names)) + 1
    head = "hand" + "".join(f"{name:>{room}}" for name in names)
    lines = [f"Tongits, {day}: {listing(names)} ({table.preset})", head]
    for hand in table.hands:
        net = "".join(f"{net_text(hand.net[seat]):>{room}}" for seat in range(SEATS))
        lines.append(f"{hand.number:>4}{net}   {_ending(hand, names)}")
    lines.append("now " + "".join(f"{net_text(table.chips[seat]):>{room}}" for seat in range(SEATS)))
    tongits = [
        f"{names[seat]} {sum(h.winner == seat and h.end == 'tongits' for h in table.hands)}"
        for seat in range(SEATS)
    ]
    lines.append(f"Tongits: {', '.join(tongits)}")
    longest = max(range(SEATS), key=lambda seat: longest_streak(table.hands, seat))
    streak = longest_streak(table.hands, longest)
    if streak:
        lines.append(f"Longest streak: {names[longest]}, {count_of(streak, 'hand', 'hands')}")
    lines.append(table.verdict)
    lines.append(f"Proof: {table.head.hex()}")
    return lines


def _ending(hand: PastHand, names: Sequence[str]) -> str:
    if hand.forfeited_by is not None:
        return f"given up by {names[hand.forfeited_by]}"
    if hand.winner is None:
        return "nobody won"
    return _ENDS[hand.end].format(names[hand.winner])
