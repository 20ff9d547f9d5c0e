"""Advice to a player: what to do now and why, and after a hand what its discards have cost.

Owns reasons and figures, from what the player's own seat may know: its cards, the position, and after the
hand what everybody saw. Says nothing in words (the console does) and decides no rule.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import assert_never

import msgspec

from tongits_lan.bots.estimate import Sight, guessed_count, look, worth
from tongits_lan.bots.player import choose
from tongits_lan.bots.temper import SOUND
from tongits_lan.game.ban import fits_of
from tongits_lan.game.cards import NATURALS, RANKS, Laid
from tongits_lan.game.engine import legal_moves, right
from tongits_lan.game.entitle import may_challenge
from tongits_lan.game.melds import Arrangement, arrange, deadwood
from tongits_lan.game.moves import (
    Answer,
    Call,
    Discard,
    Draw,
    Hide,
    Meld,
    Melded,
    Move,
    Pass,
    Sapaw,
    Sapawed,
    Spread,
    Take,
)
from tongits_lan.game.position import Position, View
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.playback import Frame, PlayedHand, seen_by
from tongits_lan.ledger.state import Played

_SHOWN = 2  # discards named after a hand


class Why(StrEnum):
    """The reason for a hint."""

    ONLY = "only"
    """Nothing else is legal."""
    SPREAD = "spread"
    GOES_OUT = "goes out"
    """It empties the hand, or leads there this turn."""
    OPENS = "opens"
    """It is the first own meld: with it a fight can be called and nobody is burned."""
    LAYS = "lays"
    LAYS_OFF = "lays off"
    TAKES = "takes"
    LEAVES_CARD = "leaves card"
    """The discard could be taken, but that would leave more points."""
    CALLS = "calls"
    TOO_HIGH = "too high"
    """A fight could be called, but somebody probably owes less."""
    CHALLENGES = "challenges"
    FOLDS = "folds"
    DEAREST = "dearest"
    """The loose card with the most points goes."""
    HOPELESS = "hopeless"
    """A dearer card stays, as it may still become a meld."""


class Risk(msgspec.Struct, frozen=True):
    """One possible discard: what throwing it leaves and what the next player can do with it."""

    slot: int
    card: int
    owed: int
    """The own count (points) without it."""
    chance: float
    """A guess, 0 to 1, that the next player can take it."""


class Hint(msgspec.Struct, frozen=True):
    """What to do now. Counts are points; `rival` is a guess: the caller, or the lowest who may fight."""

    move: Move
    why: Why
    owed: int
    after: int
    """The own count after the move (a card drawn is not known yet)."""
    rival: int | None
    best: Arrangement
    """The best split of the own hand."""
    thrown: Risk | None = None
    safest: Risk | None = None
    """Among the loose cards, what the next player can least use."""
    cheapest: Risk | None = None
    """What leaves the fewest points."""


class Regret(StrEnum):
    """Why a discard was a costly one."""

    FED = "fed"
    """The next player took it and laid cards with it."""
    NEEDED = "needed"
    """At the end it would have made a meld with the cards in hand."""
    KEPT_DEAR = "kept dear"
    """A dearer card stayed in hand to the end instead."""
    FITTED = "fitted"
    """It could have been laid off, and a dearer card thrown."""


class Costly(msgspec.Struct, frozen=True):
    """A discard and what it cost (points, the own or those the next player got rid of)."""

    turn: int
    """Which of the own turns, from 1."""
    card: int
    why: Regret
    cost: int
    instead: int | None = None
    """The card that would have been better thrown."""
    cards: tuple[int, ...] = ()
    """FED: what the next player laid with it; NEEDED: the meld it would have made."""
    by: int | None = None
    """FED: who took it."""


# --- now -----------------------------------------------------------------------------------------------


def hint(view: View, legal: Sequence[Move]) -> Hint:
    """The advice for a seat that is to move; `legal` holds at least one move."""
    sight = look(view)
    move = choose(view, legal, random.Random(0), SOUND)
    risks = tuple(_risks(sight, legal))
    loose = [risk for risk in risks if risk.card in sight.split.loose] or list(risks)
    thrown = next((risk for risk in risks if isinstance(move, Discard) and risk.slot == move.card[0]), None)
    return Hint(
        move=move,
        why=_why(sight, legal, move, loose),
        owed=sight.split.count,
        after=sight.without(_cards(view, move)),
        rival=_rival(sight),
        best=sight.split,
        thrown=thrown,
        safest=min(loose, key=lambda risk: (risk.chance, risk.owed, risk.slot), default=None),
        cheapest=min(risks, key=lambda risk: (risk.owed, risk.chance, risk.slot), default=None),
    )


def _why(sight: Sight, legal: Sequence[Move], move: Move, loose: Sequence[Risk]) -> Why:
    if len(legal) == 1:
        return Why.ONLY
    match move:
        case Spread() | Pass():
            return Why.SPREAD
        case Answer(word=word):
            return Why.CHALLENGES if word == "challenge" else Why.FOLDS
        case Call():
            return Why.CALLS
        case Draw():
            return _why_draw(legal)
        case Take() | Meld() | Hide() | Sapaw():
            return _why_lay(sight, move)
        case Discard(card=(slot, _)):
            mine = next((risk for risk in loose if risk.slot == slot), None)
            joker = sight.position.rules.joker_deadwood
            dearer = mine is None or any(worth(o.card, joker) > worth(mine.card, joker) for o in loose)
            return Why.HOPELESS if dearer else Why.DEAREST
        case _:
            assert_never(move)


def _why_draw(legal: Sequence[Move]) -> Why:
    """Besides drawing a card there was one to take, or a fight to call."""
    takes = any(isinstance(other, Take) for other in legal)
    return Why.LEAVES_CARD if takes else Why.TOO_HIGH


def _why_lay(sight: Sight, move: Take | Meld | Hide | Sapaw) -> Why:
    left = len(sight.hand) - len(_cards(sight.view, move))
    if left <= 1 or (sight.opened and sight.without(_cards(sight.view, move)) == 0):
        return Why.GOES_OUT
    opens = not sight.opened and (
        isinstance(move, Meld | Hide) or (isinstance(move, Take) and move.meld is None)
    )
    if opens:
        return Why.OPENS
    if isinstance(move, Take):
        return Why.TAKES
    return Why.LAYS_OFF if isinstance(move, Sapaw) else Why.LAYS


def _cards(view: View, move: Move) -> tuple[int, ...]:
    """The own cards that leave the hand with a move."""
    match move:
        case Take(cards=cards) | Meld(cards=cards) | Sapaw(cards=cards):
            return tuple(card for _, card in cards)
        case Hide(slots=slots):
            return tuple(view.faces[slot] for slot in slots)
        case Discard(card=(_, card)):
            return (card,)
        case Draw() | Call() | Answer() | Spread() | Pass():
            return ()
        case _:
            assert_never(move)


def _rival(sight: Sight) -> int | None:
    position, me = sight.position, sight.view.seat
    if position.caller is not None:
        return round(guessed_count(position, position.caller))
    guesses = [guessed_count(position, s) for s in range(3) if s != me and may_challenge(position, s)]
    return round(min(guesses)) if guesses else None


def _risks(sight: Sight, legal: Iterable[Move]) -> Iterator[Risk]:
    fits = fits_of(sight.position)
    for move in legal:
        if isinstance(move, Discard):
            slot, card = move.card
            yield Risk(slot, card, sight.without((card,)), chance_taken(sight, card, fits))


def chance_taken(sight: Sight, card: int, fits: int) -> float:
    """A guess (0 to 1) that the next player can take a card; `fits` is the mask of `game.ban.fits_of`.

    Each pair of unseen cards that would make a meld with it lies in the next hand with the chance of two
    given cards; the pairs are held for independent.
    """
    position = sight.position
    rules = position.rules
    if rules.discard_take == "none":
        return 0.0
    if card >= NATURALS:
        return 1.0  # a joker goes with nearly any two cards
    taker = right(sight.view.seat)
    if fits >> card & 1 and _may_extend(position, taker, card):
        return 1.0
    unseen, held = len(sight.unseen), len(position.hands[taker])
    if unseen < 2 or held < 2:
        return 0.0
    one = held * (held - 1) / (unseen * (unseen - 1))
    return 1.0 - (1.0 - one) ** sum(1 for _ in meld_pairs(card, sight.unseen, rules))


def _may_extend(position: Position, taker: int, card: int) -> bool:
    """Whether a card that fits some meld on the table fits one that the taker may take it onto."""
    match position.rules.discard_take:
        case "new_meld_or_any":
            return True
        case "new_meld_or_own":
            own = tuple(meld for meld in position.melds if meld.owner == taker)
            return bool(fits_of(msgspec.structs.replace(position, melds=own)) >> card & 1)
        case "new_meld" | "none":
            return False


def meld_pairs(card: int, cards: frozenset[int], rules: Rules) -> Iterator[tuple[int, int]]:
    """Every two of these cards that make a meld of three with a natural card."""
    same = [c for c in range(card % RANKS, NATURALS, RANKS) if c != card]
    sets = [(a, b) for at, a in enumerate(same) for b in same[at + 1 :]]
    low, high = card // RANKS * RANKS, card // RANKS * RANKS + RANKS
    runs = [(card - 2, card - 1), (card - 1, card + 1), (card + 1, card + 2)]
    for a, b in (*sets, *((a, b) for a, b in runs if low <= a and b < high)):
        if a in cards and b in cards:
            yield a, b
    if rules.joker_max_per_meld and rules.joker_min_naturals <= 2:
        near = [
            c for c in (*same, *range(max(low, card - 2), min(high, card + 3))) if c != card and c in cards
        ]
        for joker in range(NATURALS, rules.n):
            if joker in cards:
                yield from ((other, joker) for other in near)


# --- after a hand ---------------------------------------------------------------------------------------


def costliest(played: PlayedHand, seat: int) -> tuple[Costly, ...]:
    """The one or two discards of a seat that cost it most, the dearest first; none if none cost anything.

    Judged by what the seat could know when the hand was over without looking into the other hands: its own
    cards, and what was laid, taken and thrown before everybody.
    """
    frames = played.frames
    left = seen_by(frames[-1], seat).faces
    found = []
    for at, (before, after) in enumerate(pairwise(frames), 1):
        if after.seat == seat and isinstance(after.move, Discard):
            turn = before.position.own_turns[seat] + 1
            view = seen_by(before, seat)
            judged = [
                *_fed(after.move.card, frames[at + 1 :], seat, turn),
                *_fitted(view, after.move.card, turn),
                *_regretted(view, after.move.card, left, turn),
            ]
            found += [max(judged, key=lambda costly: costly.cost)] if judged else []
    found.sort(key=lambda costly: -costly.cost)
    return tuple(found[:_SHOWN])


def _fed(thrown: Laid, following: Sequence[Frame], seat: int, turn: int) -> Iterator[Costly]:
    """The next player took it: the points that left his hand with it."""
    if not following or not isinstance(following[0].move, Take):
        return
    for event in following[0].events:
        if isinstance(event, Played) and isinstance(event.event, Melded | Sapawed):
            cards = tuple(card for _, card in event.event.cards if card != thrown[1])
            joker = following[0].position.rules.joker_deadwood
            cost = sum(worth(card, joker) for card in cards)
            if cost:
                yield Costly(turn, thrown[1], Regret.FED, cost, cards=cards, by=following[0].seat)


def _fitted(view: View, thrown: Laid, turn: int) -> Iterator[Costly]:
    """It could have been laid off by itself, and then another card thrown."""
    if not any(isinstance(move, Sapaw) and move.cards == (thrown,) for move in legal_moves(view)):
        return
    rules = view.position.rules
    rest = [card for card in view.faces.values() if card != thrown[1]]
    found = _best_without(rest, rules)
    if found is not None:
        yield Costly(turn, thrown[1], Regret.FITTED, found[1], instead=found[0])


def _regretted(view: View, thrown: Laid, left: Mapping[int, int], turn: int) -> Iterator[Costly]:
    """At the end: had one of the cards that stayed to the end been thrown in its place."""
    rules = view.position.rules
    end = list(left.values())
    stayed = [left[slot] for slot in left if slot in view.faces and slot != thrown[0]]
    owed = deadwood(end, rules)
    best: tuple[int, int] | None = None
    for other in stayed:
        saved = owed - deadwood([thrown[1], *(card for card in end if card != other)], rules)
        if saved > 0 and (best is None or saved > best[1]):
            best = (other, saved)
    if best is None:
        return
    split = arrange([thrown[1], *(card for card in end if card != best[0])], rules)
    meld = next((meld for meld in split.melds if thrown[1] in meld), ())
    why = Regret.NEEDED if meld else Regret.KEPT_DEAR
    yield Costly(turn, thrown[1], why, best[1], instead=best[0], cards=meld)


def _best_without(cards: Sequence[int], rules: Rules) -> tuple[int, int] | None:
    """The card whose absence saves most, and how many points; None if none saves anything."""
    owed = deadwood(cards, rules)
    saved = [(card, owed - deadwood([c for c in cards if c != card], rules)) for card in cards]
    best = max(saved, key=lambda pair: pair[1], default=None)
    return best if best is not None and best[1] > 0 else None
