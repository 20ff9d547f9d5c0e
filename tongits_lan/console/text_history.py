"""What is said of tables played before: a line each, the sums, the deals, and a summary to paste.

Owns wording; counts nothing (ledger/past.py and ledger/deals.py do). Days come in ready made: no clock here.
"""

from collections.abc import Sequence

from tongits_lan.console.notices import fault_words
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.speech import told, tr, trn
from tongits_lan.console.text import Voice, count_of, listing, net_text
from tongits_lan.game.sentences import Quote, mark
from tongits_lan.ledger.deals import LEAST_HANDS, Deals, Spread
from tongits_lan.ledger.past import Opponent, PastHand, PastTable, Totals, longest_streak
from tongits_lan.limits import SEATS

_STRANGE = 0.01  # below this a distance is called unusual
_ENDS = {
    "tongits": mark("Tongits by {name}"),
    "draw": mark("a fight, {name} won"),
    "stock": mark("the stock ran out, {name} won"),
    "spread": mark("a spread by {name}"),
}


def _state(table: PastTable) -> str:
    """How a table stands that holds no fault itself."""
    if table.stop_code is not None:
        voice = Voice(table.names, None, LETTERS)
        return tr("stopped: {what}", what=fault_words(voice, table.stop_code, table.stop_seat))
    return tr("closed") if table.closed else tr("not finished")


def table_line(table: PastTable, day: str) -> str:
    """One table: day, who else sat there, what was won, how it stands."""
    others = listing([f"{table.names[seat]}{_bot(table, seat)}" for seat in table.others])
    hands = count_of(len(table.hands), "hand", "hands")
    if table.status == "faulty":
        verdict = told(Quote(table.verdict))
        return f"{day}  " + tr("with {names}: not counted. {verdict}", names=others, verdict=verdict)
    state = _state(table)
    if table.me is None:
        text = tr("{names} (you did not sit there): {hands}, {state}", names=others, hands=hands, state=state)
        return f"{day}  {text}"
    return f"{day}  " + tr(
        "with {names}: {hands}, won {won}, chips {chips}, {state}",
        names=others,
        hands=hands,
        won=sum(hand.winner == table.me for hand in table.hands),
        chips=net_text(table.chips[table.me]),
        state=state,
    )


def _bot(table: PastTable, seat: int) -> str:
    return " (bot)" if table.bots[seat] else ""


def totals_lines(totals: Totals) -> list[str]:
    """The own record, then everybody met."""
    if not totals.hands:
        return [tr("No hand has been played to its end yet.")]
    tables = count_of(totals.tables, "table", "tables")
    hands = count_of(totals.hands, "hand", "hands")
    lines = [
        tr(
            "In all {tables}, {hands}: won {won}, {tongits} with Tongits, {net} chips, antes and "
            "pot left out; longest streak {streak}.",
            tables=tables,
            hands=hands,
            won=totals.wins,
            tongits=totals.tongits,
            net=net_text(totals.net),
            streak=totals.streak,
        )
    ]
    if totals.forfeits:
        lines.append(trn("You gave up {count} hand.", "You gave up {count} hands.", totals.forfeits))
    return [*lines, *(_opponent_line(one) for one in totals.opponents)]


def _opponent_line(one: Opponent) -> str:
    bot = " (bot)" if one.bot else ""
    together = count_of(one.hands, "hand", "hands")
    return "  " + tr(
        "{name}: {hands} together, won {won}, {tongits} with Tongits, {net} chips",
        name=f"{one.name}{bot}",
        hands=together,
        won=one.wins,
        tongits=one.tongits,
        net=net_text(one.net),
    )


# --- the deals ------------------------------------------------------------------------------------------


def deals_lines(found: Deals | None) -> list[str]:
    """Whether the deals were even, with the figures."""
    if found is None:
        return [tr("From {n} finished hands on, there is something to say of the deals.", n=LEAST_HANDS)]
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    strange = [
        name
        for name, share in (
            (tr("your ranks"), found.ranks.share),
            (tr("your suits"), found.suits.share),
            (tr("the places of the cards"), found.places.share),
            (tr("your points"), found.points_share),
        )
        if share < _STRANGE
    ]
    return [
        tr("The deals of {n} finished hands, against what a fair deck gives:", n=found.hands),
        tr(
            "Your cards by rank: {counts}; each about {about}. {share}",
            counts=_counts(ranks, found.ranks),
            about=f"{found.ranks.expected[0]:.0f}",
            share=_share(found.ranks.share),
        ),
        tr(
            "Your cards by suit: {counts}; each about {about}. {share}",
            counts=_counts("CDHS", found.suits),
            about=f"{found.suits.expected[0]:.0f}",
            share=_share(found.suits.share),
        ),
        tr(
            "Every card at every place of the deck: chi-square {found}, about {expected} expected. {share}",
            found=f"{found.places.chi_square:.0f}",
            expected=found.places.degrees,
            share=_share(found.places.share),
        ),
        tr(
            "Points at the deal: you {own} on average, the others {others}; chance alone makes {error} of "
            "difference. {share}",
            own=f"{found.own_points:.1f}",
            others=f"{found.others_points:.1f}",
            error=f"{found.points_error:.1f}",
            share=_share(found.points_share),
        ),
        _verdict(strange),
    ]


def _verdict(strange: Sequence[str]) -> str:
    if not strange:
        return tr("Everything is as even as a fair deck makes it.")
    return tr(
        "Unusual: {what}. One history in a hundred looks so by chance; more hands will tell.",
        what=listing(strange),
    )


def _counts(names: Sequence[str], spread: Spread) -> str:
    return " ".join(f"{name}:{count}" for name, count in zip(names, spread.counts, strict=True))


def _share(share: float) -> str:
    if share < 0.005:
        return tr("Fewer than 1 in 200 fair decks stray so far.")
    return tr("{n} in 100 fair decks stray so far or farther.", n=max(1, round(share * 100)))


# --- a summary to paste ---------------------------------------------------------------------------------


def summary_lines(table: PastTable, day: str) -> list[str]:
    """The score of every hand, Tongits, the longest streak and what proves it; for a chat, so no frames."""
    names = table.names
    room = max(5, *(len(name) for name in names)) + 1
    head = f"{tr('hand'):<4}" + "".join(f"{name:>{room}}" for name in names)
    lines = [f"Tongits, {day}: {listing(names)} ({table.preset})", head]
    for hand in table.hands:
        net = "".join(f"{net_text(hand.net[seat]):>{room}}" for seat in range(SEATS))
        lines.append(f"{hand.number:>4}{net}   {_ending(hand, names)}")
    lines.append(
        f"{tr('now'):<4}"
        + "".join(f"{net_text(table.chips[seat]):>{room}}" for seat in range(SEATS))
        + f"   {tr('with antes and pot')}"
    )
    tongits = [
        f"{names[seat]} {sum(h.winner == seat and h.end == 'tongits' for h in table.hands)}"
        for seat in range(SEATS)
    ]
    lines.append(tr("Tongits: {names}", names=", ".join(tongits)))
    longest = max(range(SEATS), key=lambda seat: longest_streak(table.hands, seat))
    streak = longest_streak(table.hands, longest)
    if streak:
        hands = count_of(streak, "hand", "hands")
        lines.append(tr("Longest streak: {name}, {hands}", name=names[longest], hands=hands))
    lines.append(told(Quote(table.verdict)))
    lines.append(tr("Proof: {head}", head=table.head.hex()))
    return lines


def _ending(hand: PastHand, names: Sequence[str]) -> str:
    if hand.forfeited_by is not None:
        return tr("given up by {name}", name=names[hand.forfeited_by])
    if hand.winner is None:
        return tr("nobody won")
    return tr(_ENDS[hand.end], name=names[hand.winner])
