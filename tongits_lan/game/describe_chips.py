"""What a hand costs, in sentences for players, made from the options alone.

Owns the wording of rates, bonuses, the pot and of a hand given up; knows nothing of play.
"""

from collections.abc import Iterator

from tongits_lan.game.options import Rules
from tongits_lan.game.sentences import Phrase, Sentence, chips, phrase, said


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
            "He pays the difference of the two counts, but at least {chips}.",
            "variable_payout",
            "base",
            chips=chips(rules.base),
        )
    else:
        base = chips(rules.base)
        yield said("The base is {chips}, whatever the counts.", "base", "variable_payout", chips=base)
    yield from _rates(rules)
    yield from _folders(rules)
    yield from _bonuses(rules)
    yield said("When nobody wins, nothing is paid.")


def _rates(rules: Rules) -> Iterator[Sentence]:
    yield said("Tongits: {rate}.", "tongits", rate=_rate(rules, rules.tongits))
    rate = _rate(rules, rules.draw_challenged)
    if not _apart(rules) or rules.base_payers == "last_place":
        yield said("A fight: {rate}.", "draw_challenged", rate=rate)
    else:
        yield said("A fight: from the caller and who fought back {rate}.", "draw_challenged", rate=rate)
    if rules.fold_fee is None:
        rate = _rate(rules, rules.draw_unchallenged)
        yield said("A fight that nobody took up: {rate}.", "draw_unchallenged", rate=rate)
    if rules.variable_payout == "off":
        yield said("An empty stock: the base.", "variable_payout")
    else:
        yield said("An empty stock: the difference and no more.", "variable_payout")


def _apart(rules: Rules) -> bool:
    """Whether folders pay something else than those who fought."""
    return rules.fold_fee is not None or rules.challenged_rate_applies_to == "challengers_and_caller"


def _rate(rules: Rules, rate: int) -> Phrase:
    if rules.variable_payout == "off":
        return phrase("{chips} in place of the base", chips=rate)
    surplus = rate - rules.base
    if surplus == 0:
        return phrase("the difference and no more")
    if surplus > 0:
        return phrase("the difference and {chips} more", chips=surplus)
    return phrase("{chips} less than the difference", chips=-surplus)


def _folders(rules: Rules) -> Iterator[Sentence]:
    if rules.fold_fee is not None:
        to = {"winner": phrase("the winner"), "caller": phrase("the caller"), "pot": phrase("the pot")}
        yield said(
            "Who folds pays {chips} to {to}, and no base, difference or bonus.",
            "fold_fee",
            "fold_fee_to",
            "challenged_rate_applies_to",
            chips=chips(rules.fold_fee),
            to=to[rules.fold_fee_to],
        )
    elif rules.challenged_rate_applies_to == "challengers_and_caller":
        yield said(
            "Who folds while another fights back pays the base only.",
            "challenged_rate_applies_to",
            "fold_fee",
        )
    else:
        yield said("Who folds pays as if he had fought.", "challenged_rate_applies_to", "fold_fee")


def _bonuses(rules: Rules) -> Iterator[Sentence]:
    if rules.ace_bonus:
        yield said(
            "Each ace that the winner holds or laid in his own melds earns {chips} more.",
            "ace_bonus",
            chips=chips(rules.ace_bonus),
        )
    else:
        yield said("Aces earn nothing.", "ace_bonus")
    yield from _secrets(rules)
    if rules.long_run_bonus:
        yield said(
            "Each run of five or more of the winner earns {chips} more.",
            "long_run_bonus",
            chips=chips(rules.long_run_bonus),
        )
    if rules.burned_rule != "off" and rules.burned_penalty:
        yield said(
            "A burned loser pays the winner {chips} more.",
            "burned_penalty",
            "burned_rule",
            chips=chips(rules.burned_penalty),
        )
    if rules.sagasa_bonus:
        yield said(
            "Sagasa: who completes his trio on the table with the card just drawn from the stock gets "
            "{chips} from each of the others at once.",
            "sagasa_bonus",
            chips=chips(rules.sagasa_bonus),
        )


def _secrets(rules: Rules) -> Iterator[Sentence]:
    if not rules.secret_bonus:
        yield said("Sets of four kept in hand earn nothing.", "secret_bonus")
        return
    kinds, face_down, holder = rules.secret_bonus_kinds, rules.secret_face_down, rules.secret_bonus_holder
    four = phrase("set of four") if kinds == "set4" else phrase("set of four or run of four or more")
    yield said(
        "Each {what} that the winner has {where} at the end earns {chips} more.",
        "secret_bonus",
        "secret_bonus_kinds",
        "secret_face_down",
        what=four,
        where=phrase("in hand or face down") if face_down == "set4" else phrase("in hand"),
        chips=chips(rules.secret_bonus),
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
        "Everybody puts {first} into the pot before the first hand, {next} before the next ones and {after} "
        "before the hand after the pot was won.",
        "ante_first",
        "ante_next",
        "ante_after_jackpot",
        first=chips(rules.ante_first),
        next=rules.ante_next,
        after=rules.ante_after_jackpot,
    )
    wins = rules.jackpot_wins
    yield said("Who wins {wins} hands in a row takes the pot.", "jackpot_wins", wins=wins)
    if rules.jackpot_wins == 3 and rules.jackpot_second_win_bonus:
        yield said(
            "A second straight win earns {chips} from each of the others.",
            "jackpot_second_win_bonus",
            chips=chips(rules.jackpot_second_win_bonus),
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
        "Who gives a hand up before its end pays each of the others {chips}; "
        "nothing else in it is paid, and the pot stays.",
        "tongits",
        chips=chips(rules.tongits),
    )
    face_down = rules.secret_face_down
    if face_down == "set4":
        yield said(
            "Four cards laid face down that are no natural set of four are a foul: "
            "{chips} to each of the others, twice that if the fouler would have won.",
            "secret_face_down",
            "tongits",
            chips=chips(rules.tongits),
        )
    if rules.discard_fit_ban:
        yield said(
            "A discard that the open cards show to have been forbidden is a foul and costs as much: "
            "{chips} to each of the others, twice that from a winner, who then wins nothing.",
            "discard_fit_ban",
            "tongits",
            chips=chips(rules.tongits),
        )
    yield said("A hand whose player is away waits for him; nothing is counted until it is finished.")
