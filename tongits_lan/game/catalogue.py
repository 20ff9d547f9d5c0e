"""What each option is about, what each of its values does, and whose rule that is.

Owns these words for people who make a rule set of their own. Which values exist, and what the presets assign,
is in `rules`; a test holds the two together. The short names of the sources are told in `SOURCES`.
"""

import msgspec

from tongits_lan.game.rules import Value, values_of
from tongits_lan.game.sentences import Phrase, choice, mark, phrase

SOURCES: dict[str, str] = {
    "S0": "the chip game with roles and fold fees (preset house)",
    "S1": "the rules as most players know them (preset pagat)",
    "S2": "the encyclopedia article (preset wikipedia)",
    "pagat": "the payments on which two collections of rules agree",
    "ARI CLA CPP JAE JPO KJV KND LOU ORI PAU PRI ROB ROM RUL": "open programs and their rule pages",
    "CAS DEN GNS JILI LEE PINOY SHR SOC TNET": "rule pages of Tongits sites",
    "own": "this program's own choice where the sources are silent",
}

ORIGINS: dict[str, str] = {
    "pagat": "as most players know the game",
    "wikipedia": "as the encyclopedia tells it: spread, and specials may fight back",
    "house": "the chip game: a big pot, roles, a fee for folding, nobody burned",
    "joker": "two jokers, and each loser pays the difference of the counts",
}
"""What each preset is, in a few words."""


class About(msgspec.Struct, frozen=True):
    """One option: what it settles, and (value, what that means, source) for each value or for any amount."""

    what: str
    values: tuple[tuple[Value, str, str], ...] = ()
    source: str = ""
    """Whose amounts these are, where the values are amounts."""


def _about(what: str, *values: tuple[Value, str, str], source: str = "") -> About:
    return About(what, values, source)


_PLAY: dict[str, About] = {
    "jokers": _about(
        "How many jokers are in the deck.",
        (0, "52 cards", "S0 S1"),
        (2, "54 cards, two jokers", "S2"),
    ),
    "first_dealer": _about(
        "Who deals the first hand.",
        ("random", "drawn by lot", "S1 KJV SOC TNET"),
        ("chosen", "who opens the table", "S0"),
    ),
    "next_dealer": _about(
        "Who deals the next hand.",
        ("winner", "the winner of the last one", "S1 pagat SOC TNET PINOY LOU RUL JAE"),
        ("third_place", "who came third", "S0"),
        ("rotate", "the next in turn order", "SHR"),
    ),
    "discard_take": _about(
        "What the top discard may be taken for.",
        ("new_meld", "a new meld with two cards of the hand", "S1 pagat KJV JAE RUL JPO LOU SOC PINOY"),
        ("new_meld_or_own", "also to lay it off on a meld of your own", "S2"),
        ("new_meld_or_any", "also to lay it off on anybody's meld", "PAU"),
        ("none", "nothing: cards come from the stock only", "S0 to the letter"),
    ),
    "discard_fit_ban": _about(
        "Whether a card that fits a meld on the table may be discarded.",
        (False, "any card may be discarded", "S0 S1 S2"),
        (True, "not while another card of the hand does not fit", "CAS ARI"),
    ),
    "sapaw_before_open": _about(
        "Whether cards may be laid off before the first meld of your own.",
        (True, "yes, but that does not open the hand", "S1 pagat KJV KND"),
        (False, "no, a meld of your own comes first", "own"),
    ),
    "secret_face_down": _about(
        "Whether a set of four may be laid face down.",
        ("off", "all melds lie face up", "S0 S2"),
        ("set4", "a set of four may: it opens and keeps its bonus", "S1 pagat"),
    ),
    "draw_call_requirement": _about(
        "Who may call a fight (a draw).",
        ("opened", "who has a meld of his own on the table", "S1 S2 pagat TNET SOC PINOY KND JAE PAU CPP"),
        ("opened_or_special", "or who shows a special, though unopened or locked", "S0"),
        ("opened_and_special", "only with both", "S0 in another reading"),
    ),
    "draw_call_min_own_turns": _about(
        "How many own turns must be completed before a call.",
        (1, "one", "own"),
        (0, "none", "own"),
    ),
    "lock_by_others": _about(
        "How long somebody's lay-off on your meld keeps you from calling.",
        ("next_turn", "at your next turn", "S0 S1 S2 pagat and most"),
        ("rest_of_round", "to the end of the hand", "PAU"),
        ("none", "never", "RUL"),
    ),
    "lock_by_self": _about(
        "Which lay-offs of your own keep you from calling at your next turn.",
        ("own_meld", "those on your own melds", "pagat KJV TNET JAE CPP"),
        ("any_meld", "those on any meld", "KND"),
        ("none", "none", "S2"),
    ),
    "meld4_is_self_sapaw": _about(
        "Whether a new meld of four or more cards counts as a lay-off on it.",
        (False, "no", "S0 S1 S2"),
        (True, "yes: it locks as lock_by_self says", "TNET"),
    ),
    "special_definition": _about(
        "What a special is (without jokers).",
        ("set4", "four of a kind", "S2"),
        ("set4_or_run4", "four of a kind or a run of four or more", "S0"),
        ("set4_or_run5", "four of a kind or a run of five or more", "CPP"),
    ),
    "challenge_requirement": _about(
        "Who may fight back; the others fold.",
        ("opened", "who has a meld of his own on the table", "pagat JPO KJV KND JAE PAU"),
        ("opened_or_special", "or who shows a special", "S2 CPP"),
        ("anyone", "anybody", "S0"),
    ),
    "tie_caller": _about(
        "Who wins when the caller ties with who fought back.",
        ("challenger", "who fought back", "S2 pagat JPO JAE KND LOU PAU ROB"),
        ("caller", "who called", "own"),
        ("no_winner", "nobody", "RUL"),
    ),
    "tie_challengers": _about(
        "Who wins when two who fought back tie.",
        ("right_of_caller", "the one to the caller's right", "pagat KJV JPO JAE PINOY"),
        ("last_challenger", "the last to fight back", "S2 KND"),
    ),
    "stock_end": _about(
        "When the empty stock ends the hand.",
        ("after_last_drawer_turn", "after the turn of who drew the last card", "pagat KJV JAE"),
        ("on_last_draw", "the moment the last card is drawn", "CPP"),
        ("on_failed_draw", "when somebody draws from the empty stock", "PAU"),
    ),
    "stock_tie": _about(
        "Who wins a tie when the stock has run out.",
        ("last_drawer_then_right", "who drew the last card, else the one to the right", "S2 pagat"),
        ("no_winner", "nobody", "RUL"),
        ("high_card", "the highest card in hand, then as above", "ROB"),
    ),
    "stock_nobody_eligible": _about(
        "What happens when the stock has run out and all three are burned.",
        ("no_winner", "nobody wins", "JAE"),
        ("lowest", "the lowest count wins", "own"),
    ),
    "burned_rule": _about(
        "Which losers are burned.",
        ("never_opened", "those without a meld of their own", "S1 pagat KJV JAE LOU"),
        ("never_opened_and_no_special", "those without a meld of their own and without a special", "S2 CPP"),
        ("off", "none", "S0 RUL"),
    ),
    "tongits_final_discard": _about(
        "Whether the last card of a tongits must be discarded.",
        ("optional", "no", "pagat KJV RUL JPO PAU S2"),
        ("required", "yes", "SOC GNS LOU TNET"),
    ),
    "tongits_without_own_meld": _about(
        "Whether one may go out by lay-offs alone.",
        (True, "yes", "JPO"),
        (False, "no: without a meld of your own a lay-off leaves two cards in hand", "own"),
    ),
    "showdown_layoff": _about(
        "Whether hands lay off before they are counted.",
        (False, "no", "own"),
        (True, "yes, each on its own", "own"),
    ),
    "spread": _about(
        "Whether a dealt hand that is all melds wins at once.",
        ("off", "no", "S0 S1"),
        ("jackpot", "yes, and it takes the pot", "S2"),
    ),
}

_CHIPS: dict[str, About] = {
    "sagasa_bonus": _about("For completing the own trio with the card just drawn, from each.", source="CPP"),
    "ante_first": _about("Into the pot before the first hand, from each.", source="pagat 2, S0 100, PAU 20"),
    "ante_next": _about("Into the pot before each later hand.", source="pagat 2, S0 50, PAU 10"),
    "ante_after_jackpot": _about("Before the hand after the pot was won.", source="pagat 2, S0 100, PAU 20"),
    "base": _about("What a loser pays when nothing else is said.", source="pagat 1, S0 100"),
    "tongits": _about("In place of the base: the winner had no card left.", source="pagat 3, S0 200"),
    "draw_unchallenged": _about("In place of the base: a fight that nobody took up.", source="pagat 1, S0 0"),
    "draw_challenged": _about("In place of the base: a fight.", source="pagat 3, S0 100"),
    "challenged_rate_applies_to": _about(
        "Who pays the rate of a fight.",
        ("all_losers", "every loser", "KJV ROB"),
        ("challengers_and_caller", "not who folded: he pays the base", "SOC TNET"),
    ),
    "fold_fee": _about(
        "What who folds pays in place of base, difference and bonuses.", source="S0 100, PAU 10, JAE 5"
    ),
    "fold_fee_to": _about(
        "Who gets the fold fee.",
        ("winner", "the winner of the hand", "own"),
        ("caller", "who called", "PAU"),
        ("pot", "the pot", "own"),
    ),
    "base_payers": _about(
        "Which losers pay base and bonuses.",
        ("each_loser", "each of them", "pagat and most"),
        ("last_place", "the last-placed one who did not fold", "S0"),
    ),
    "ace_bonus": _about("For each ace the winner holds or laid, from each loser.", source="pagat 1, CPP"),
    "secret_bonus": _about("For each secret meld in hand, from each loser.", source="pagat 3, S0 200, ROM 2"),
    "secret_bonus_kinds": _about(
        "Which melds in hand earn the secret bonus.",
        ("set4", "sets of four", "pagat"),
        ("set4_or_run4", "runs of four or more, too", "S0"),
    ),
    "secret_bonus_holder": _about(
        "Who earns the secret bonus.",
        ("winner", "who won", "pagat KJV"),
        ("any_player", "the losers, too, from both others", "S0 in another reading"),
    ),
    "long_run_bonus": _about("For each run of five or more of the winner.", source="KJV 3, CPP"),
    "burned_penalty": _about("What a burned loser pays on top.", source="pagat 1, JAE 10, CPP"),
    "variable_payout": _about(
        "Whether the counts decide what is paid.",
        ("off", "no: the base is paid", "S0 S1 pagat"),
        ("difference", "the difference of the counts, at least the base", "S2 JAE CPP PRI"),
    ),
    "jackpot_wins": _about(
        "How many wins in a row take the pot.",
        (2, "two", "S0 S2 pagat SOC TNET RUL PAU CPP"),
        (3, "three", "S2 ROM"),
    ),
    "jackpot_second_win_bonus": _about("Where it takes three: for the second win, from each.", source="S2"),
    "jackpot_streak_after": _about(
        "How the row stands after the pot was won.",
        (0, "at nothing", "CPP RUL"),
        (1, "at one win", "PAU"),
    ),
    "no_winner_streak": _about(
        "What a hand without a winner does to the row.",
        ("unchanged", "nothing", "RUL"),
        ("reset", "it ends the row", "own"),
    ),
    "joker_deadwood": _about(
        "What a joker left over in hand counts.",
        (0, "nothing", "own"),
        (10, "ten", "own"),
    ),
    "joker_min_naturals": _about("How many natural cards a meld with a joker needs.", source="own"),
    "joker_max_per_meld": _about(
        "How many jokers a meld may hold.",
        (0, "none", "own"),
        (1, "one", "own"),
        (2, "two", "own"),
    ),
    "zero_count_fight": _about(
        "What a hand that counts zero may do (S2 names it and says no more).",
        ("off", "nothing special", "S0 S1"),
        ("waive_lock", "call although locked; a caller who wins so is paid as for tongits", "S2 CPP own"),
        ("only_zero", "a fight is called with such a hand only", "S2 own"),
    ),
}

_TABLE: dict[str, About] = {
    "hands": _about("After how many hands the table closes; 0: when somebody leaves.", source="own"),
    "grace_seconds": _about("How long somebody may be away before the others are asked.", source="own"),
    "turn_seconds": _about(
        "How long a turn may take.",
        (0, "as long as it takes", "own"),
        (30, "half a minute", "own"),
        (60, "a minute", "own"),
        (90, "a minute and a half", "own"),
    ),
    "hints": _about(
        "Whether programs may suggest moves.",
        (True, "yes", "own"),
        (False, "no", "own"),
    ),
}

CATALOGUE: dict[str, About] = {**_PLAY, **_CHIPS, **_TABLE}
"""Every option of the game and of the table, in the order in which the rules name them."""


def spelled(value: Value) -> str:
    """A value as it is written in a rules file; the absent fold fee is "none"."""
    if value is None:
        return '"none"'
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def allowed(option: str) -> Phrase:
    """The values an option takes, as they are written in a rules file."""
    values = values_of(option)
    if isinstance(values, range):
        text = mark("a number from {low} to {high}")
        if option == "fold_fee":
            text = mark('a number from {low} to {high}, or "none"')
        return phrase(text, low=values[0], high=values[-1])
    return choice([spelled(value) for value in values])
