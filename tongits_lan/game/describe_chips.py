"""What a hand costs, in sentences for players, made from the options alone.

Owns the wording of rates, bonuses, the pot and of a hand given up; knows nothing of play.
"""

from collections.abc import Iterator

from tongits_lan.game.options import Rules
from tongits_lan.game.sentences import Sentence, chips, said


def payments(rules: Rules) -> Iterator[Sentence]:
    """Who pays whom how much after a hand (rules.md 7)."""
    if rules.base_payers == "last_place":
        yield said(
            "Of the losers only the last-placed one who did not fold pays the winner base and bonuses.",
            "base_payers",
        )
    else:
        yield said("Each loser pays the winner.", "base_payers")
    if rules.variable_payout == "difference":
        yield said(
            f"He pays the difference of the two counts, but at least {chips(rules.base)}.",
            "variable_payout",
            "base",
        )
    else:
        yield said(f"The base is {chips(rules.base)}, whatever the counts.", "base", "variable_payout")
    yield from _rates(rules)
    yield from _folders(rules)
    yield from _bonuses(rules)
    yield said("When nobody wins, nothing is paid.")


def _rates(rules: Rules) -> Iterator[Sentence]:
    yield said(f"Tongits: {_rate(rules, rules.tongits)}.", "tongits")
    who = "" if not _apart(rules) or rules.base_payers == "last_place" else "from the caller and challengers "
    yield said(f"A challenged draw: {who}{_rate(rules, rules.draw_challenged)}.", "draw_challenged")
    if rules.fold_fee is None:
        yield said(
            f"A draw that nobody challenged: {_rate(rules, rules.draw_unchallenged)}.", "draw_unchallenged"
        )
    last = "the base" if rules.variable_payout == "off" else "the difference and no more"
    yield said(f"An empty stock: {last}.", "variable_payout")


def _apart(rules: Rules) -> bool:
    """Whether folders pay something else than those who fought."""
    return rules.fold_fee is not None or rules.challenged_rate_applies_to == "challengers_and_caller"


def _rate(rules: Rules, rate: int) -> str:
    if rules.variable_payout == "off":
        return f"{rate} in place of the base"
    surplus = rate - rules.base
    if surplus == 0:
        return "the difference and no more"
    return f"the difference and {surplus} more" if surplus > 0 else f"{-surplus} less than the difference"


def _folders(rules: Rules) -> Iterator[Sentence]:
    if rules.fold_fee is not None:
        to = {"winner": "the winner", "caller": "the caller", "pot": "the pot"}[rules.fold_fee_to]
        yield said(
            f"Who folds pays {chips(rules.fold_fee)} to {to}, and no base, difference or bonus.",
            "fold_fee",
            "fold_fee_to",
            "challenged_rate_applies_to",
        )
    elif rules.challenged_rate_applies_to == "challengers_and_caller":
        yield said(
            "Who folds while another challenges pays the base only.", "challenged_rate_applies_to", "fold_fee"
        )
    else:
        yield said("Who folds pays as if he had fought.", "challenged_rate_applies_to", "fold_fee")


def _bonuses(rules: Rules) -> Iterator[Sentence]:
    if rules.ace_bonus:
        yield said(
            f"Each ace that the winner holds or laid in his own melds earns {chips(rules.ace_bonus)} more.",
            "ace_bonus",
        )
    else:
        yield said("Aces earn nothing.", "ace_bonus")
    yield from _secrets(rules)
    if rules.long_run_bonus:
        yield said(
            f"Each run of five or more of the winner earns {chips(rules.long_run_bonus)} more.",
            "long_run_bonus",
        )
    if rules.burned_rule != "off" and rules.burned_penalty:
        yield said(
            f"A burned loser pays the winner {chips(rules.burned_penalty)} more.",
            "burned_penalty",
            "burned_rule",
        )
    if rules.sagasa_bonus:
        yield said(
            "Sagasa: who completes his trio on the table with the card just drawn from the stock gets "
            f"{chips(rules.sagasa_bonus)} from each of the others at once.",
            "sagasa_bonus",
        )


def _secrets(rules: Rules) -> Iterator[Sentence]:
    if not rules.secret_bonus:
        yield said("Sets of four kept in hand earn nothing.", "secret_bonus")
        return
    kinds, face_down, holder = rules.secret_bonus_kinds, rules.secret_face_down, rules.secret_bonus_holder
    what = "set of four" if kinds == "set4" else "set of four or run of four or more"
    where = "in hand or face down" if face_down == "set4" else "in hand"
    yield said(
        f"Each {what} that the winner has {where} at the end earns {chips(rules.secret_bonus)} more.",
        "secret_bonus",
        "secret_bonus_kinds",
        "secret_face_down",
    )
    if holder == "any_player":
        yield said(
            "The losers collect for such melds, too, from both others except from one who pays for folding.",
            "secret_bonus_holder",
        )
    else:
        yield said("The losers earn nothing for such melds.", "secret_bonus_holder")


def pot(rules: Rules) -> Iterator[Sentence]:
    """What goes into the pot and who takes it (rules.md 7.5)."""
    yield said(
        f"Everybody puts {chips(rules.ante_first)} into the pot before the first hand, {rules.ante_next} "
        f"before the next ones and {rules.ante_after_jackpot} before the hand after the pot was won.",
        "ante_first",
        "ante_next",
        "ante_after_jackpot",
    )
    yield said(f"Who wins {rules.jackpot_wins} hands in a row takes the pot.", "jackpot_wins")
    if rules.jackpot_wins == 3 and rules.jackpot_second_win_bonus:
        yield said(
            f"A second straight win earns {chips(rules.jackpot_second_win_bonus)} from each of the others.",
            "jackpot_second_win_bonus",
        )
    if rules.jackpot_streak_after:
        yield said("The win that takes the pot counts as the first of a new row.", "jackpot_streak_after")
    else:
        yield said("After the pot was won everybody starts a new row from nothing.", "jackpot_streak_after")
    if rules.no_winner_streak == "reset":
        yield said("A hand without a winner ends the row.", "no_winner_streak")
    else:
        yield said("A hand without a winner leaves the row as it is.", "no_winner_streak")
    yield said("When the table closes the pot is split equally.")


def giving_up(rules: Rules) -> Iterator[Sentence]:
    """What a hand costs that is given up or played falsely (rules.md 10)."""
    yield said(
        f"Who gives a hand up before its end pays each of the others {chips(rules.tongits)}; "
        "nothing else in it is paid, and the pot stays.",
        "tongits",
    )
    face_down = rules.secret_face_down
    if face_down == "set4":
        yield said(
            "Four cards laid face down that are no natural set of four are a foul: "
            f"{chips(rules.tongits)} to each of the others, twice that if the fouler would have won.",
            "secret_face_down",
            "tongits",
        )
    if rules.discard_fit_ban:
        yield said(
            "A discard that the open cards show to have been forbidden is a foul and costs as much: "
            f"{chips(rules.tongits)} to each of the others, twice that from a winner, who then wins nothing.",
            "discard_fit_ban",
            "tongits",
        )
    yield said("A hand whose player is away waits for him; nothing is counted until it is finished.")
