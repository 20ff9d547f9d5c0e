"""What is said of tables played before: every kind of line, and names that stay harmless."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from tests.test_deals import history, no_aces
from tests.test_history import hand, table
from tongits_lan.console.text_history import deals_lines, summary_lines, table_line, totals_lines
from tongits_lan.ledger.past import PastHand, PastTable, totals

DAY = "2026-11-30"


@dataclass(frozen=True)
class Said:
    table: PastTable
    text: str


@pytest.mark.parametrize(
    "said",
    [
        Said(table(hand(0), hand(1), chips=(5, -2, -3)),
             "2026-11-30  with Ben and Bot (bot): 2 hands, won 1, chips +5, closed"),
        Said(table(hand(1), closed=False),
             "2026-11-30  with Ben and Bot (bot): 1 hand, won 0, chips 0, not finished"),
        Said(table(hand(1), me=None),
             "2026-11-30  Me, Ben and Bot (bot) (you did not sit there): 1 hand, closed"),
        Said(table(status="faulty", verdict="Ben's shuffle proof does not hold."),
             "2026-11-30  with Ben and Bot (bot): not counted. Ben's shuffle proof does not hold."),
    ],
)  # fmt: skip
def test_a_table_is_a_line(said: Said) -> None:
    assert table_line(said.table, DAY) == said.text


def test_sums_are_said_with_everybody_met() -> None:
    given_up = PastHand(3, 0, "forfeit", None, (-6, 3, 3), 0, None, None)
    lines = totals_lines(totals([table(hand(0, "tongits", (6, -3, -3)), given_up)]))
    assert lines == [
        "In all 1 table, 2 hands: won 1, 1 with Tongits, 0 chips, antes and pot left out; longest streak 1.",
        "You gave up 1 hand.",
        "  Ben: 2 hands together, won 0, 0 with Tongits, 0 chips",
        "  Bot (bot): 2 hands together, won 0, 0 with Tongits, 0 chips",
    ]
    assert totals_lines(totals([])) == ["No hand has been played to its end yet."]


def test_an_even_history_is_called_even_and_a_rigged_one_unusual() -> None:
    even = deals_lines(history(60, 4))
    assert even[-1] == "Everything is as even as a fair deck makes it."
    assert "Points at the deal: you " in even[4]
    rigged = deals_lines(history(60, 4, no_aces))
    assert rigged[-1].startswith("Unusual: your ranks")
    assert "Fewer than 1 in 200 fair decks stray so far." in rigged[1]
    assert len(deals_lines(None)) == 1


def test_a_summary_has_every_hand_tongits_streak_and_proof() -> None:
    hands = [
        replace(hand(end=end, winner=winner, net=(3, -1, -2)), number=at)
        for at, (end, winner) in enumerate(
            [("tongits", 0), ("draw", 0), ("stock", 1), ("spread", 2), ("stock", None)], 1
        )
    ]
    hands.append(PastHand(6, 0, "forfeit", None, (-6, 3, 3), 0, None, None))
    lines = summary_lines(table(*hands, chips=(9, -2, -7), head=bytes(range(32))), DAY)
    assert lines == [
        "Tongits, 2026-11-30: Me, Ben and Bot (pagat)",
        "hand    Me   Ben   Bot",
        "   1    +3    -1    -2   Tongits by Me",
        "   2    +3    -1    -2   a fight, Me won",
        "   3    +3    -1    -2   the stock ran out, Ben won",
        "   4    +3    -1    -2   a spread by Bot",
        "   5    +3    -1    -2   nobody won",
        "   6    -6    +3    +3   given up by Me",
        "now     +9    -2    -7   with antes and pot",
        "Tongits: Me 1, Ben 0, Bot 0",
        "Longest streak: Me, 2 hands",
        "Fair.",
        f"Proof: {bytes(range(32)).hex()}",
    ]
