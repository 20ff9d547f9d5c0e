"""Who may call or challenge a Draw, and on the strength of which cards (rules.md 4.2 to 4.5, 8.2, 10).

Owns the ways to a call as data: a way asks for a special, for a count of zero, for both or for nothing.
Where a way asks for nothing, the public position entitles and no card is shown.
"""

from collections.abc import Sequence

import msgspec

from tongits_lan.game import refusals as say
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.melds import deadwood
from tongits_lan.game.position import Position
from tongits_lan.game.rules import Rules
from tongits_lan.game.shapes import is_special, mask_of, specials

_NATURAL_MASK = (1 << NATURALS) - 1


class Way(msgspec.Struct, frozen=True, gc=False):
    """One way to be entitled to a call: by a special held, by a count of zero, by both or by neither."""

    special: bool
    zero: bool


_BY_POSITION = Way(special=False, zero=False)
_BY_SPECIAL = Way(special=True, zero=False)


def call_ways(position: Position, seat: int) -> tuple[Way, ...]:
    """Every way in which this seat could be entitled to call a Draw at the start of its turn."""
    rules = position.rules
    if position.own_turns[seat] < rules.draw_call_min_own_turns:
        return ()
    locked = position.locks[seat] is not None
    waived = rules.zero_count_fight == "waive_lock"
    both = rules.draw_call_requirement == "opened_and_special"
    ways = []
    if position.opened(seat) and (not locked or waived):
        ways.append(Way(special=both, zero=locked))
    if rules.draw_call_requirement == "opened_or_special":
        ways.append(_BY_SPECIAL)
    if rules.zero_count_fight == "only_zero":
        ways = [Way(special=way.special, zero=True) for way in ways]
    return (_BY_POSITION,) if _BY_POSITION in ways else tuple(ways)


def call_shows(position: Position, seat: int, hand: Sequence[Laid]) -> tuple[tuple[Laid, ...], ...]:
    """Every set of cards this hand (slots ascending) may show with a call, each once; none: no call."""
    found: dict[tuple[Laid, ...], None] = {}
    for way in call_ways(position, seat):
        if way == _BY_POSITION:
            return ((),)
        if way.zero:
            if _entitles(tuple(hand), way, position.rules):
                found[tuple(hand)] = None
        else:
            found.update(dict.fromkeys(special_shows(hand, position.rules)))
    return tuple(found)


def special_shows(hand: Sequence[Laid], rules: Rules) -> tuple[tuple[Laid, ...], ...]:
    """Every special in a hand, as it is shown."""
    slots = {card: slot for slot, card in hand}
    mask = mask_of(slots) & _NATURAL_MASK
    return tuple(
        tuple(sorted((slots[c], c) for c in meld)) for meld in specials(mask, rules.special_definition)
    )


def holds_special(cards: Sequence[int], rules: Rules) -> bool:
    """Whether a special is among the cards, whatever the best split does with them (rules.md 6.3)."""
    return bool(specials(mask_of(cards) & _NATURAL_MASK, rules.special_definition))


def _entitles(shown: Sequence[Laid], way: Way, rules: Rules) -> bool:
    cards = [c for _, c in shown]
    if not way.zero:
        return is_special(cards, rules.special_definition)
    return deadwood(cards, rules) == 0 and (not way.special or holds_special(cards, rules))


def call_refusal(position: Position, seat: int, shown: Sequence[Laid]) -> str | None:
    """None if a call showing these cards of the seat's hand is entitled, else the sentence."""
    rules = position.rules
    if position.own_turns[seat] < rules.draw_call_min_own_turns:
        return say.CALL_FIRST_TURN
    ways = call_ways(position, seat)
    if _BY_POSITION in ways:
        return say.CALL_SHOWS_NOTHING if shown else None
    whole = len(shown) == len(position.hands[seat])
    if any((whole or not way.zero) and _entitles(shown, way, rules) for way in ways):
        return None
    return _why_not(position, seat, ways)


def _why_not(position: Position, seat: int, ways: Sequence[Way]) -> str:
    rules = position.rules
    lock = position.locks[seat]
    reason: str | None = None
    if not position.opened(seat):
        reason = say.CALL_UNOPENED
    elif lock is not None:
        new = not 0 <= lock.meld < len(position.melds) or lock.new_meld
        where = None if new else str(position.melds[lock.meld].kind)
        reason = say.locked(lock.by, seat, lock.cards, where, lock.lasting)
    if any(way.zero for way in ways) and rules.zero_count_fight == "only_zero":
        return say.CALL_NEEDS_ZERO
    if any(way.special for way in ways):
        return say.call_needs_special(rules.special_definition, reason)
    return reason or say.CALL_UNOPENED


def may_challenge(position: Position, seat: int) -> bool:
    """Whether the open table leaves a challenge possible; who may not folds without being asked."""
    return position.rules.challenge_requirement != "opened" or position.opened(seat)


def challenge_refusal(position: Position, seat: int, shown: Sequence[Laid]) -> str | None:
    """None if a challenge showing these cards is entitled, else the sentence."""
    rules = position.rules
    if rules.challenge_requirement == "opened_or_special" and not position.opened(seat):
        if is_special([c for _, c in shown], rules.special_definition):
            return None
        return say.challenge_needs_special(rules.special_definition)
    return say.ANSWER_SHOWS_NOTHING if shown else None
