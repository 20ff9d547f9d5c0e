"""The rule options of one table as one frozen value.

Owns the names and types of the options; which values they take and what the presets assign is in `rules`.
"""

from typing import Literal

import msgspec


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """One full rule set. Amounts are chips. The meaning of every option is in rules.md section 9."""

    jokers: int
    first_dealer: Literal["random", "chosen"]
    next_dealer: Literal["winner", "third_place", "rotate"]
    discard_take: Literal["new_meld", "new_meld_or_own", "new_meld_or_any", "none"]
    discard_fit_ban: bool
    sapaw_before_open: bool
    secret_face_down: Literal["off", "set4"]
    draw_call_requirement: Literal["opened", "opened_or_special", "opened_and_special"]
    draw_call_min_own_turns: int
    lock_by_others: Literal["next_turn", "rest_of_round", "none"]
    lock_by_self: Literal["own_meld", "any_meld", "none"]
    meld4_is_self_sapaw: bool
    special_definition: Literal["set4", "set4_or_run4", "set4_or_run5"]
    challenge_requirement: Literal["opened", "opened_or_special", "anyone"]
    tie_caller: Literal["challenger", "caller", "no_winner"]
    tie_challengers: Literal["right_of_caller", "last_challenger"]
    stock_end: Literal["after_last_drawer_turn", "on_last_draw", "on_failed_draw"]
    stock_tie: Literal["last_drawer_then_right", "no_winner", "high_card"]
    stock_nobody_eligible: Literal["no_winner", "lowest"]
    burned_rule: Literal["never_opened", "never_opened_and_no_special", "off"]
    tongits_final_discard: Literal["optional", "required"]
    tongits_without_own_meld: bool
    showdown_layoff: bool
    spread: Literal["off", "jackpot"]
    sagasa_bonus: int
    ante_first: int
    ante_next: int
    ante_after_jackpot: int
    base: int
    tongits: int
    draw_unchallenged: int
    draw_challenged: int
    challenged_rate_applies_to: Literal["all_losers", "challengers_and_caller"]
    fold_fee: int | None
    fold_fee_to: Literal["winner", "caller", "pot"]
    base_payers: Literal["each_loser", "last_place"]
    ace_bonus: int
    secret_bonus: int
    secret_bonus_kinds: Literal["set4", "set4_or_run4"]
    secret_bonus_holder: Literal["winner", "any_player"]
    long_run_bonus: int
    burned_penalty: int
    variable_payout: Literal["off", "difference"]
    jackpot_wins: int
    jackpot_second_win_bonus: int
    jackpot_streak_after: int
    no_winner_streak: Literal["unchanged", "reset"]
    joker_deadwood: int
    joker_min_naturals: int
    joker_max_per_meld: int
    zero_count_fight: Literal["off", "waive_lock", "only_zero"]
    preset: str = ""
    hands: int = 0
    grace_seconds: int = 60
    turn_seconds: int = 0
    hints: bool = True

    @property
    def n(self) -> int:
        """Cards in the deck: 52, or 54 with jokers."""
        return 52 + self.jokers
