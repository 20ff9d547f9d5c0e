"""The attacks of docs/protocol.md, "Attacks", by their number there, and where each of them is tried.

A plain name is a way to cheat with an entry (tests/cheats.py), each of which test_entries.py tries over real
links; `module::test` is a test of its own, here or in the folder above.
"""

ATTACKS: dict[int, tuple[str, ...]] = {
    1: (
        "a-forged-signature", "a-signature-of-zeros", "an-entry-in-anothers-name", "a-seat-that-is-none",
        "an-entry-of-another-table", "an-entry-once-more", "an-entry-of-the-hand-before",
        "an-entry-of-a-height-to-come", "another-descriptor-signed",
    ),
    2: (
        "test_forks::test_one_to_each", "test_forks::test_both_to_one",
        "test_forks::test_the_second_shown_much_later",
        "test_forks::test_the_end_of_another_chain_is_followed_down_to_where_it_parts",
        "test_forks::test_the_next_entry_after_another_own_one_is_a_fork_by_itself",
        "test_forks::test_another_table_signed_with_the_nonce_of_this_one",
        "test_hosts::test_a_promise_of_chance_is_good_for_one_table_whenever_its_guest_is_killed",
    ),
    3: (
        "the-identity-as-a-label", "the-identity-as-a-mask", "the-identity-in-its-second-encoding",
        "a-mask-in-its-second-encoding", "a-card-in-its-second-encoding", "a-label-beyond-the-field",
        "no-element-in-the-deck", "the-identity-in-a-proof", "a-response-of-zero",
        "a-response-beyond-the-order", "a-key-of-zero", "a-key-beyond-the-order", "too-few-labels",
        "half-a-label", "a-card-too-few", "a-key-too-few", "a-proof-cut-short",
        "a-card-twice-in-the-shuffle", "a-card-twice-in-the-lock",
        "test_links::test_keys_under_which_anything_is_signed_are_refused",
    ),
    4: ("a-tagged-card", "a-card-made-of-another", "another-mask-than-the-committed-one"),
    5: (
        "a-copy-of-an-opponents-card", "a-sum-of-opponents-cards", "two-slots-exchanged-in-the-lock",
        "a-lock-without-its-label",
    ),
    6: ("a-copied-commitment", "a-copied-mask"),
    7: (
        "a-shuffle-before-all-commits", "a-commit-out-of-turn", "a-second-commit", "another-nonce",
        "a-nonce-opened-twice", "a-commitment-after-all-commitments", "ready-before-all-proofs",
        "a-next-hand-before-the-result-is-signed",
    ),
    8: (
        "test_forks::test_the_second_shown_much_later",
        "test_forks::test_a_ledger_that_lost_its_end_is_no_way_to_a_second_shuffle",
        "test_forks::test_the_decks_of_a_second_input_would_show_the_order",
    ),
    9: (
        "a-key-for-another-slot", "a-key-given-twice", "a-key-nobody-waits-for", "a-wrong-key",
        "a-wrong-key-for-a-drawn-card", "the-own-key-before-the-others-gave-theirs",
        "a-key-before-three-ready", "a-move-while-a-key-is-due",
    ),
    10: (
        "an-opponents-card-discarded", "a-stock-card-discarded", "a-lie-about-a-card",
        "the-key-of-another-card", "two-slots-and-one-key", "a-hidden-set-with-an-opponents-card",
    ),
    11: (
        "another-seed", "the-seed-of-the-hand-before", "a-seed-before-three-ends", "a-seed-in-mid-hand",
        "a-seed-instead-of-a-commitment", "an-order-of-ones-own-choice", "an-order-changed-in-two-places",
    ),
    12: (
        "proofs-of-another-seat", "a-lock-proof-of-another-seat", "proofs-of-another-hand",
        "another-challenge", "another-response", "another-first-commitment", "two-proofs-exchanged",
        "a-sum-of-zero",
    ),
    13: (
        "test_relays::test_a_hand_is_played_through_whatever_relay",
        "test_relays::test_an_altered_entry_costs_the_relay_its_link",
        "test_relays::test_what_is_withheld_is_only_late",
        "test_relays::test_two_tails_are_found_out_when_the_others_meet",
    ),
    14: (
        "test_relays::test_a_short_ledger_is_made_whole_not_believed",
        "test_relays::test_who_goes_on_from_a_short_ledger_has_forked",
        "test_relays::test_a_file_cut_short_does_not_pass_for_whole",
    ),
    15: (
        "cards-that-are-no-meld", "a-meld-of-two", "a-wild-card-without-joker", "a-lay-off-on-no-meld",
        "a-lay-off-that-does-not-fit", "a-discard-taken-for-nothing",
        "a-discard-taken-with-what-does-not-fit", "a-call-before-opening", "a-call-in-mid-turn",
        "an-answer-without-a-call", "a-challenge-to-nobody", "a-draw-in-the-first-turn",
        "a-draw-in-mid-turn", "a-second-discard", "a-discard-out-of-turn",
        "a-pass-where-nothing-is-spread", "an-end-in-mid-hand", "a-hidden-set-of-three",
        "test_illegal_moves::test_an_entry_with_it_convicts_the_mover",
        "test_illegal_moves::test_a_move_that_no_entry_can_spell_is_refused_by_its_form",
        "test_moves::test_both_stop_at_a_move_against_the_rules_of_their_table",
    ),
    16: ("another-result", "another-result-on-leaving", "the-result-of-the-hand-before"),
    17: ("test_fouls::test_it_is_found_at_the_end_and_scored", "test_scoring::test_a_hidden_joker_is_a_foul"),
    18: (
        "a-forfeit-out-of-turn", "a-forfeit-after-the-end", "a-forfeit-after-three-ends",
        "a-forfeit-of-a-hand-that-is-lost", "a-leave-in-mid-hand", "an-entry-after-a-leave",
        "test_hosts::test_a_table_nobody_agreed_to_is_not_signed",
        "test_hosts::test_the_table_agreed_to_is_signed_and_no_other",
        "test_continuing::test_a_host_that_lies_about_the_table_before_is_refused_by_name",
        "test_continuing::test_other_people_or_seats_start_from_zero",
        "test_continuing::test_a_guest_that_kept_the_end_of_the_hand_from_the_host",
        "test_links::test_a_stranger_at_the_address_of_a_seat",
    ),
    19: (
        "an-entry-too-large", "noise", "a-long-form", "a-height-in-too-many-bytes", "a-bool-for-a-seat",
        "a-number-below-zero", "a-body-in-twenty-arrays", "an-array-of-four-thousand-million",
        "a-map-for-a-body", "bytes-behind-the-entry", "a-kind-that-does-not-exist", "a-field-too-many",
        "a-text-for-a-deck", "slots-out-of-order",
        "test_links::test_a_seat_that_speaks_otherwise_loses_its_link_only",
        "test_links::test_a_hand_is_played_while_strangers_crowd_the_doors",
    ),
    20: (
        "test_links::test_nobody_sits_down_on_anothers_key",
        "test_links::test_a_key_without_a_seat_is_not_told_the_table",
        "test_pake::test_wrong_codes_on_parallel_links_share_five_tries",
        "test_pake::test_who_does_not_know_the_code_gets_no_further",
        "test_pake::test_a_host_that_does_not_know_the_code_is_not_believed",
        "test_handshake::test_ends_of_different_channels_do_not_meet",
        "test_middle::test_the_words_of_her_two_tables_differ",
        "test_middle::test_a_nonce_taken_over_from_the_other_table_does_not_open",
    ),
    21: (
        "test_links::test_a_chat_line_cannot_paint_and_not_speak_for_others_directly",
        "test_links::test_a_name_cannot_paint_either",
        "test_links::test_a_flood_of_gossip_does_not_drown_the_screen",
    ),
}  # fmt: skip
