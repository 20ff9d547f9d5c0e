"""Rule sets in sentences for players, made from the options alone.

Owns wording; knows the options and nothing of play. The first sentence sums a rule set up.
"""

from collections.abc import Iterator
from typing import assert_never

from tongits_lan.game.options import Rules


def describe(rules: Rules) -> list[str]:
    """Sentences that say how this table plays; the first one is a summary."""
    return [
        _summary(rules),
        *_deal(rules),
        *_turn(rules),
        *_fight(rules),
        *_end(rules),
        *_payments(rules),
        *_pot(rules),
    ]


def _chips(count: int) -> str:
    return f"{count} chip" if count == 1 else f"{count} chips"


def _summary(rules: Rules) -> str:
    deck = "52 cards" if rules.jokers == 0 else f"54 cards with {rules.jokers} jokers"
    burned = "nobody is burned" if rules.burned_rule == "off" else "an unopened loser is burned"
    return (
        f"{deck}, base {_chips(rules.base)}, tongits {rules.tongits}; {burned}; "
        f"{rules.jackpot_wins} straight wins take the pot."
    )


def _deal(rules: Rules) -> Iterator[str]:
    match rules.first_dealer:
        case "random":
            yield "The first dealer is drawn by lot."
        case "chosen":
            yield "The players choose the first dealer."
    match rules.next_dealer:
        case "winner":
            yield "The winner of a hand deals the next one."
        case "third_place":
            yield "Who came third deals the next hand."
        case "rotate":
            yield "The deal goes round in turn order."
    yield "After a hand without a winner the same dealer deals again."
    if rules.spread == "jackpot":
        yield "Spread: a hand that is all melds right after the deal wins at once and takes the pot."
    if rules.jokers:
        naturals = f"{rules.joker_min_naturals} natural card{'s' * (rules.joker_min_naturals != 1)}"
        yield f"A meld with a joker has at least {naturals}, and at most {rules.joker_max_per_meld} jokers."
        yield f"A joker left over counts {rules.joker_deadwood}."


def _turn(rules: Rules) -> Iterator[str]:
    match rules.discard_take:
        case "new_meld":
            yield "The top discard may be taken only to lay a new meld with at least two cards of the hand."
        case "new_meld_or_own":
            yield "The top discard may be taken for a new meld or onto an own meld on the table."
        case "new_meld_or_any":
            yield "The top discard may be taken for a new meld or onto anybody's meld on the table."
        case "none":
            yield "Cards are drawn from the stock only; discards are not taken."
        case other:
            assert_never(other)
    if rules.discard_fit_ban:
        yield "A card that fits a meld on the table may not be discarded while another card does not fit."
    yield (
        "A player may lay off before having an own meld."
        if rules.sapaw_before_open
        else "A player must have an own meld on the table before laying off."
    )
    face_down = rules.secret_face_down
    if face_down == "set4":
        yield "A set of four may be laid face down; it opens the hand and keeps its bonus."


def _special(rules: Rules) -> str:
    match rules.special_definition:
        case "set4":
            return "four of a kind in hand"
        case "set4_or_run4":
            return "four of a kind or a run of four or more in hand"
        case "set4_or_run5":
            return "four of a kind or a run of five or more in hand"
        case other:
            assert_never(other)


def _fight(rules: Rules) -> Iterator[str]:
    special = _special(rules)
    match rules.draw_call_requirement:
        case "opened":
            yield "Who has an own meld on the table may call a draw at the start of a turn."
        case "opened_or_special":
            yield f"A draw may be called with an own meld on the table, or by showing {special}."
        case "opened_and_special":
            yield f"A draw may be called with an own meld on the table and by showing {special}."
        case other:
            assert_never(other)
    if rules.draw_call_min_own_turns:
        yield "Nobody may call a draw before completing a turn."
    yield from _locks(rules)
    match rules.challenge_requirement:
        case "opened":
            yield "Who has no own meld on the table folds when a draw is called."
        case "opened_or_special":
            yield f"A draw may be challenged with an own meld on the table, or by showing {special}."
        case "anyone":
            yield "Anybody may challenge a draw."
        case last:
            assert_never(last)
    match rules.zero_count_fight:
        case "off":
            pass
        case "waive_lock":
            yield (
                "A hand that counts zero may call a draw in spite of the lock; "
                "if its caller wins with zero, challengers pay as for tongits."
            )
        case "only_zero":
            yield "A draw may be called only with a hand that counts zero, and the whole hand is shown."


def _locks(rules: Rules) -> Iterator[str]:
    match rules.lock_by_others:
        case "next_turn":
            yield "Somebody's lay-off on your melds keeps you from calling a draw at your next turn."
        case "rest_of_round":
            yield "Somebody's lay-off on your melds keeps you from calling a draw for the rest of the hand."
        case "none":
            yield "Lay-offs of others never keep you from calling a draw."
    match rules.lock_by_self:
        case "own_meld":
            yield "Your own lay-off on your own meld keeps you from calling at your next turn, too."
        case "any_meld":
            yield "Any lay-off of your own keeps you from calling at your next turn, too."
        case "none":
            return
    if rules.meld4_is_self_sapaw:
        yield "So does laying a meld of four or more cards at once."


def _end(rules: Rules) -> Iterator[str]:
    if rules.tongits_final_discard == "required":
        yield "Tongits: the last card must be discarded."
    else:
        yield "Tongits: whoever has no card left wins at once, with or without a last discard."
    if not rules.tongits_without_own_meld:
        yield "Nobody goes out without an own meld on the table."
    match rules.stock_end:
        case "after_last_drawer_turn":
            yield "The hand ends after the turn in which the last stock card was drawn."
        case "on_last_draw":
            yield "The hand ends the moment the last stock card is drawn."
        case "on_failed_draw":
            yield "The hand ends when a player must draw from the empty stock."
    yield from _ties(rules)
    match rules.burned_rule:
        case "never_opened":
            yield "Burned: a loser who never laid an own meld; he cannot win when the stock runs out."
        case "never_opened_and_no_special":
            yield f"Burned: a loser who never laid an own meld and has not {_special(rules)}."
        case "off":
            yield "Nobody is burned; the lowest count wins when the stock runs out."
    if rules.burned_rule != "off" and rules.stock_nobody_eligible == "lowest":
        yield "If everybody would be burned then, the lowest count wins."
    if rules.showdown_layoff:
        yield "Before the counts are compared each hand lays off what fits the melds on the table."


def _ties(rules: Rules) -> Iterator[str]:
    match rules.tie_caller:
        case "challenger":
            yield "The caller of a draw loses a tie."
        case "caller":
            yield "The caller of a draw wins a tie."
        case "no_winner":
            yield "When the caller of a draw ties for the lowest count nobody wins."
    match rules.tie_challengers:
        case "right_of_caller":
            yield "Of two challengers with the same count the one on the caller's right wins."
        case "last_challenger":
            yield "Of two challengers with the same count the last one to challenge wins."
    match rules.stock_tie:
        case "last_drawer_then_right":
            yield "When the stock runs out a tie goes to who drew its last card, else to the right of him."
        case "no_winner":
            yield "When the stock runs out nobody wins a tie."
        case "high_card":
            yield "When the stock runs out a tie goes to the highest card in hand."


def _payments(rules: Rules) -> Iterator[str]:
    if rules.base_payers == "last_place":
        yield "Only the last-placed player who did not fold pays base and bonuses."
    else:
        yield "Each loser pays the winner."
    if rules.variable_payout == "difference":
        yield (
            f"The base is the difference in points, at least {_chips(rules.base)}; "
            "what a rate below has over the base is paid on top."
        )
    yield (
        f"The base is {_chips(rules.base)}; it becomes {rules.tongits} for tongits, {rules.draw_challenged} "
        f"for a challenged draw and {rules.draw_unchallenged} for an unchallenged one."
    )
    if rules.fold_fee is not None:
        to = {"winner": "the winner", "caller": "the caller", "pot": "the pot"}[rules.fold_fee_to]
        yield f"Who folds pays {_chips(rules.fold_fee)} to {to} and no base, difference or bonus."
    elif rules.challenged_rate_applies_to == "challengers_and_caller":
        yield "Who folds pays the base when another player challenges."
    yield from _bonuses(rules)


def _bonuses(rules: Rules) -> Iterator[str]:
    if rules.ace_bonus:
        yield f"Each ace in the winner's hand or laid in his own melds earns {_chips(rules.ace_bonus)}."
    if rules.secret_bonus:
        kinds = rules.secret_bonus_kinds
        what = "set of four" if kinds == "set4" else "set of four or run of four or more"
        holders = rules.secret_bonus_holder
        whose = "the winner's" if holders == "winner" else "any player's"
        face_down = rules.secret_face_down
        where = "hand or face down" if face_down == "set4" else "hand"
        yield f"Each {what} in {whose} {where} earns {_chips(rules.secret_bonus)}."
    if rules.long_run_bonus:
        yield f"Each run of five or more of the winner earns {_chips(rules.long_run_bonus)}."
    if rules.burned_rule != "off" and rules.burned_penalty:
        yield f"A burned loser pays {_chips(rules.burned_penalty)} more."
    if rules.sagasa_bonus:
        yield (
            "Sagasa: who completes an own trio on the table with the card just drawn gets "
            f"{_chips(rules.sagasa_bonus)} from each of the others at once."
        )


def _pot(rules: Rules) -> Iterator[str]:
    yield (
        f"Everybody puts {_chips(rules.ante_first)} into the pot before the first hand, "
        f"{rules.ante_next} before the next ones and {rules.ante_after_jackpot} after the pot was won."
    )
    yield f"Who wins {rules.jackpot_wins} hands in a row takes the pot."
    if rules.jackpot_streak_after:
        yield "The win that takes the pot counts as the first of a new row."
    if rules.jackpot_wins == 3 and rules.jackpot_second_win_bonus:
        yield f"A second straight win earns {_chips(rules.jackpot_second_win_bonus)} from each of the others."
    if rules.no_winner_streak == "reset":
        yield "A hand without a winner ends the row."
    else:
        yield "A hand without a winner leaves the row as it is."
