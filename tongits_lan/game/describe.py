"""Rule sets in sentences for players, made from the options alone, so that they cannot drift from the engine.

Owns the wording of everything but chips (that is in `describe_chips`); knows the options and nothing of play.
Every sentence names the options it speaks of, so that two rule sets can be compared sentence by sentence.
"""

from collections.abc import Iterator

import msgspec

from tongits_lan.game.dealing import DEALT
from tongits_lan.game.describe_chips import giving_up, payments, pot
from tongits_lan.game.options import Rules
from tongits_lan.game.sentences import Phrase, Sentence, chips, counted, mark, phrase, said

__all__ = ["Chapter", "Sentence", "chapters", "describe", "only_in", "summary"]


class Chapter(msgspec.Struct, frozen=True):
    """A heading and its sentences, in the order in which they are read."""

    title: str
    sentences: tuple[Sentence, ...]


def chapters(rules: Rules) -> tuple[Chapter, ...]:
    """The whole rules of a table in words, from the cards to the pot."""
    parts = (
        ("The cards", _cards(rules)),
        ("The deal", _deal(rules)),
        ("A turn", _turn(rules)),
        ("Calling a fight", _call(rules)),
        ("The end of a hand", _end(rules)),
        ("Who wins", _winner(rules)),
        ("What is paid", payments(rules)),
        ("The pot", pot(rules)),
        ("Giving up and going away", giving_up(rules)),
        ("This table", _table(rules)),
    )
    return tuple(Chapter(title, tuple(said)) for title, said in parts)


def describe(rules: Rules) -> list[str]:
    """The sentences of all chapters; the first one is a summary."""
    return [summary(rules), *(s.text for chapter in chapters(rules) for s in chapter.sentences)]


def only_in(rules: Rules, against: Rules) -> list[str]:
    """The sentences of a rule set that another one does not have, the summaries left out."""
    known = set(describe(against)[1:])
    return [text for text in describe(rules)[1:] if text not in known]


def summary(rules: Rules) -> str:
    """A rule set in one sentence."""
    deck = phrase("52 cards") if rules.jokers == 0 else phrase("54 cards with {n} jokers", n=rules.jokers)
    off = rules.burned_rule == "off"
    least = phrase("at least {chips}", chips=chips(rules.base))
    return phrase(
        "{deck}; a win pays {base}, {tongits} for tongits; {burned}; {wins} straight wins take the pot.",
        deck=deck,
        base=least if rules.variable_payout == "difference" else chips(rules.base),
        tongits=rules.tongits,
        burned=phrase("nobody is burned") if off else phrase("a loser without a meld of his own is burned"),
        wins=rules.jackpot_wins,
    )


def _special(rules: Rules) -> Phrase:
    match rules.special_definition:
        case "set4":
            return phrase("a natural four of a kind in hand")
        case "set4_or_run4":
            return phrase("a natural four of a kind or a natural run of four or more in hand")
        case "set4_or_run5":
            return phrase("a natural four of a kind or a natural run of five or more in hand")


def _cards(rules: Rules) -> Iterator[Sentence]:
    deck = phrase("52 cards") if rules.jokers == 0 else phrase("52 cards and {n} jokers", n=rules.jokers)
    yield said("Three players use {deck}; the ace is low, the king is high.", "jokers", deck=deck)
    yield said("In hand an ace counts 1, a two to ten its number, a jack, queen or king 10.")
    if rules.jokers:
        count = rules.joker_deadwood
        yield said("A joker left over in hand counts {count}.", "joker_deadwood", count=count)
    yield said("A set is three or four cards of one rank; a run is three or more of one suit in order.")
    yield said("A card is in one meld at a time, and no run goes on from the king to the ace.")
    if rules.jokers:
        yield from _jokers(rules)


def _jokers(rules: Rules) -> Iterator[Sentence]:
    yield said(
        "A joker stands for any card that is not in its meld; what it stands for is said when it is laid "
        "and stays so.",
        "jokers",
    )
    least = counted(rules.joker_min_naturals, "{count} natural card", "{count} natural cards")
    yield said("A meld with a joker has at least {cards}.", "joker_min_naturals", cards=least)
    if rules.joker_max_per_meld:
        most = counted(rules.joker_max_per_meld, "{count} joker", "{count} jokers")
        yield said("A meld holds at most {jokers}.", "joker_max_per_meld", jokers=most)
    else:
        yield said("No meld may hold a joker.", "joker_max_per_meld")


def _deal(rules: Rules) -> Iterator[Sentence]:
    yield said(
        "The dealer gets 13 cards, the others 12; {stock} are the stock and no card is turned up.",
        "jokers",
        stock=rules.n - DEALT,
    )
    match rules.first_dealer:
        case "random":
            yield said("The first dealer is drawn by lot.", "first_dealer")
        case "chosen":
            yield said("Who opens the table deals the first hand.", "first_dealer")
    match rules.next_dealer:
        case "winner":
            yield said("The winner of a hand deals the next one.", "next_dealer")
        case "third_place":
            yield said("Who came third deals the next hand.", "next_dealer")
        case "rotate":
            yield said("The deal goes round in turn order.", "next_dealer")
    yield said("After a hand without a winner the same dealer deals again.")
    if rules.spread == "jackpot":
        yield said(
            "Spread: a hand that is all melds right after the deal wins at once and takes the pot; "
            "it pays as tongits, and nobody is burned. The dealer is asked first.",
            "spread",
        )
    else:
        yield said("A hand that is all melds right after the deal is played like any other.", "spread")


def _turn(rules: Rules) -> Iterator[Sentence]:
    yield said("The dealer begins without drawing: he lays down what he likes and discards one card.")
    yield said(
        "Everybody else draws a card or takes the discard, lays down what he likes and discards one card."
    )
    yield from _take(rules)
    yield said("Laying a meld of your own on the table opens the hand; any number of melds may be laid.")
    yield said(
        "Sapaw (laying off): a run goes on at either end, a set gets its fourth card; the meld stays "
        "its owner's."
    )
    if rules.sapaw_before_open:
        yield said(
            "You may lay off before you have a meld of your own; that does not open.", "sapaw_before_open"
        )
    else:
        yield said("You may lay off only with a meld of your own on the table.", "sapaw_before_open")
    face_down = rules.secret_face_down
    if face_down == "set4":
        yield said(
            "A set of four from your hand may be laid face down: it opens the hand and keeps its bonus.",
            "secret_face_down",
        )
    else:
        yield said("All melds lie face up.", "secret_face_down")
    if rules.discard_fit_ban:
        yield said(
            "A card that fits a meld on the table may not be discarded while you hold one that does not.",
            "discard_fit_ban",
        )
    else:
        yield said("Any card may be discarded.", "discard_fit_ban")


def _take(rules: Rules) -> Iterator[Sentence]:
    match rules.discard_take:
        case "new_meld":
            text = mark(
                "You may take the top discard only to lay a new meld with two or more cards of your hand."
            )
        case "new_meld_or_own":
            text = mark("You may take the top discard for a new meld, or to lay it off on your own meld.")
        case "new_meld_or_any":
            text = mark("You may take the top discard for a new meld, or to lay it off on anybody's meld.")
        case "none":
            text = mark("Discards are never taken: cards come from the stock only.")
    yield said(text, "discard_take")


def _call(rules: Rules) -> Iterator[Sentence]:
    special = _special(rules)
    yield said(
        "A fight (also called a draw) is called at the start of your turn, before you draw; it ends the hand."
    )
    match rules.draw_call_requirement:
        case "opened":
            yield said("You may call with a meld of your own on the table.", "draw_call_requirement")
        case "opened_or_special":
            yield said(
                "You may call with a meld of your own on the table, or, locked or not, by showing {special}.",
                "draw_call_requirement",
                "special_definition",
                special=special,
            )
        case "opened_and_special":
            yield said(
                "You may call only with a meld of your own on the table and by showing {special}.",
                "draw_call_requirement",
                "special_definition",
                special=special,
            )
    if rules.draw_call_min_own_turns:
        yield said("You may not call before you have completed a turn.", "draw_call_min_own_turns")
    else:
        yield said("You may call at the start of your very first turn.", "draw_call_min_own_turns")
    yield from _locks(rules)
    yield from _zero(rules)
    yield said("The player to the caller's right answers first, then the other: fight back or fold.")
    match rules.challenge_requirement:
        case "opened":
            yield said(
                "Only a player with a meld of his own on the table may fight back; the others fold.",
                "challenge_requirement",
            )
        case "opened_or_special":
            yield said(
                "You may fight back with a meld of your own on the table, or by showing {special}.",
                "challenge_requirement",
                "special_definition",
                special=special,
            )
        case "anyone":
            yield said("Anybody may fight back.", "challenge_requirement")


def _locks(rules: Rules) -> Iterator[Sentence]:
    match rules.lock_by_others:
        case "next_turn":
            text = mark(
                "Somebody's lay-off on one of your melds locks you: you may not call at your next turn."
            )
        case "rest_of_round":
            text = mark(
                "Somebody's lay-off on one of your melds locks you: you may not call in this hand any more."
            )
        case "none":
            text = mark("Lay-offs of others on your melds never keep you from calling.")
    yield said(text, "lock_by_others")
    match rules.lock_by_self:
        case "own_meld":
            text = mark("Laying off on your own meld keeps you from calling at your next turn, too.")
        case "any_meld":
            text = mark("Laying off on any meld keeps you from calling at your next turn, too.")
        case "none":
            yield said("Your own lay-offs never keep you from calling.", "lock_by_self")
            return
    yield said(text, "lock_by_self")
    if rules.meld4_is_self_sapaw:
        yield said("So does laying a meld of four or more cards at once.", "meld4_is_self_sapaw")


def _zero(rules: Rules) -> Iterator[Sentence]:
    match rules.zero_count_fight:
        case "off":
            return
        case "waive_lock":
            text = mark(
                "With a hand that counts zero you may call although you are locked, showing it; a caller "
                "who wins with zero is paid as for tongits by who fought back."
            )
        case "only_zero":
            text = mark("You may call only with a hand that counts zero, and you show it.")
    yield said(text, "zero_count_fight")


def _end(rules: Rules) -> Iterator[Sentence]:
    if rules.tongits_final_discard == "required":
        text = mark("Tongits: who discards his last card wins at once; the last card is never laid down.")
    else:
        text = mark("Tongits: who has no card left wins at once, with or without a last discard.")
    yield said(text, "tongits_final_discard")
    if rules.tongits_without_own_meld:
        text = mark("Tongits needs no meld of your own: lay-offs alone will do.")
    else:
        text = mark(
            "Nobody goes out without a meld of his own: "
            "until then a lay-off leaves at least two cards in hand."
        )
    yield said(text, "tongits_without_own_meld")
    match rules.stock_end:
        case "after_last_drawer_turn":
            text = mark("Otherwise the hand ends after the turn in which the last stock card was drawn.")
        case "on_last_draw":
            text = mark("Otherwise the hand ends the moment the last stock card is drawn.")
        case "on_failed_draw":
            text = mark("Otherwise the hand ends when somebody draws from the empty stock.")
    yield said(text, "stock_end")


def _winner(rules: Rules) -> Iterator[Sentence]:
    yield said("Cards are then counted in hand, those in melds left out: the lowest count wins.")
    if rules.showdown_layoff:
        text = mark("Before that each hand lays off what fits the melds on the table.")
    else:
        text = mark("What fits a meld on the table counts all the same.")
    yield said(text, "showdown_layoff")
    yield said("In a fight the caller and who fought back are compared; who folded is out of it.")
    yield from _ties(rules)
    match rules.burned_rule:
        case "never_opened":
            text = mark("A loser without a meld of his own is burned; he cannot win when the stock runs out.")
        case "never_opened_and_no_special":
            text = phrase(
                "A loser without a meld of his own and without {special} is burned; "
                "he cannot win when the stock runs out.",
                special=_special(rules),
            )
        case "off":
            yield said("Nobody is burned; when the stock runs out everybody is compared.", "burned_rule")
            return
    yield said(text, "burned_rule", "special_definition")
    if rules.stock_nobody_eligible == "lowest":
        text = mark("If that would burn all three, the lowest count wins.")
    else:
        text = mark("If that burns all three, nobody wins.")
    yield said(text, "stock_nobody_eligible")


def _ties(rules: Rules) -> Iterator[Sentence]:
    match rules.tie_caller:
        case "challenger":
            text = mark("A caller who ties with somebody who fought back loses.")
        case "caller":
            text = mark("A caller who ties with somebody who fought back wins.")
        case "no_winner":
            text = mark("When the caller ties for the lowest count nobody wins.")
    yield said(text, "tie_caller")
    match rules.tie_challengers:
        case "right_of_caller":
            text = mark("Of two who fought back with the same count the one to the caller's right wins.")
        case "last_challenger":
            text = mark("Of two who fought back with the same count the last one to do so wins.")
    yield said(text, "tie_challengers")
    match rules.stock_tie:
        case "last_drawer_then_right":
            text = mark(
                "When the stock runs out a tie goes to who drew its last card, else to the right of him."
            )
        case "no_winner":
            text = mark("When the stock runs out nobody wins a tie.")
        case "high_card":
            text = mark(
                "When the stock runs out a tie goes to the highest card in hand, then to who drew the last "
                "stock card, else to the right of him."
            )
    yield said(text, "stock_tie")


def _table(rules: Rules) -> Iterator[Sentence]:
    if rules.hands:
        hands = counted(rules.hands, "{count} hand", "{count} hands")
        text: str = phrase("The table closes by itself after {hands}.", hands=hands)
    else:
        text = mark("The table stays open until somebody leaves it after a hand.")
    yield said(text, "hands")
    yield said(
        "When somebody has been away for {seconds}, the others are asked what to do.",
        "grace_seconds",
        seconds=counted(rules.grace_seconds, "{count} second", "{count} seconds"),
    )
    if rules.turn_seconds:
        text = phrase(
            "Who does not move within {seconds} seconds has a plain move played for him.",
            seconds=rules.turn_seconds,
        )
    else:
        text = mark("There is no clock: a turn takes as long as it takes.")
    yield said(text, "turn_seconds")
    yield said("Programs may suggest moves." if rules.hints else "Programs suggest no moves.", "hints")
