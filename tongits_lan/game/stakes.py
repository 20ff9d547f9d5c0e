"""What a called Draw can cost or bring a seat, as far as its own cards and the open table tell.

Owns the question "what if", asked of the payments themselves: every ending that is still possible is paid
out, once with nothing and once with all that earns extra in the hands nobody has seen (rules.md 4, 7).
"""

from collections.abc import Iterator, Sequence
from itertools import product

import msgspec
from msgspec.structs import replace

from tongits_lan.game.cards import RANKS
from tongits_lan.game.entitle import may_challenge
from tongits_lan.game.moves import EndKind, Word
from tongits_lan.game.payments import payments
from tongits_lan.game.position import View
from tongits_lan.game.scoring import Match, Result, conclude
from tongits_lan.game.showdown import (
    Opened,
    counts_of,
    seats_from,
    unworthy,
)

_BARE: tuple[int, ...] = ()
_RICH = (*range(0, 4 * RANKS, RANKS), 4, 5, 6, 7, 8)  # four aces and a run of five: all that earns extra
_HIGH = 130  # points; more than any hand counts

_FOLDS = ("fold", "fold")

Answers = tuple[tuple[int, Word, bool], tuple[int, Word, bool]]


class Price(msgspec.Struct, frozen=True):
    """Chips, antes and pot apart: at least `least`; `most` is None where unseen cards can add to it."""

    least: int
    most: int | None


class Stakes(msgspec.Struct, frozen=True):
    """What a seat that has to decide on a fight may pay, or win."""

    lost: Price | None
    """It calls or fights, and another wins; None: nobody can take up its call."""
    fold: Price | None = None
    """It folds while a third one fights; None: it is the caller, or the third one folds for certain."""
    fold_alone: Price | None = None
    """It folds and nobody fights; None: it is the caller, or the third one fights."""
    unchallenged: Price | None = None
    """It calls and both others fold: what it wins; None: another has called."""


class _Ending(msgspec.Struct, frozen=True):
    """One way a fight can end: who called, what was said to it, the ranking."""

    caller: int
    answers: Answers
    places: tuple[int, int, int]


def stakes(view: View, match: Match) -> Stakes:
    """The stakes of the seat of this view, which may call a Draw now or has been asked to answer one."""
    me, caller = view.seat, view.position.caller
    if caller is None:
        _, first, second = seats_from(me)
        heard = tuple(product(_words(view, first), _words(view, second)))
        fights = [((first, one, False), (second, two, False)) for one, two in heard if (one, two) != _FOLDS]
        folds: Answers = ((first, "fold", False), (second, "fold", False))
        return Stakes(
            lost=_cost(view, match, [end for said in fights for end in _endings(me, said, me)]),
            unchallenged=_gain(view, match, _Ending(me, folds, (me, first, second))),
        )
    (third,) = {0, 1, 2} - {me, caller}
    said = _words(view, third)

    def cost(mine: Word, *others: Word) -> Price | None:
        all_said: list[Answers] = [((third, word, False), (me, mine, False)) for word in others]
        return _cost(view, match, [end for each in all_said for end in _endings(caller, each, me)])

    return Stakes(
        lost=cost("challenge", *said),
        fold=cost("fold", "challenge") if "challenge" in said else None,
        fold_alone=cost("fold", "fold") if "fold" in said else None,
    )


def _words(view: View, seat: int) -> tuple[Word, ...]:
    """What another seat may say to a fight, or has said."""
    given = tuple(word for answered, word, _ in view.position.answers if answered == seat)
    if given:
        return given
    return ("challenge", "fold") if may_challenge(view.position, seat) else ("fold",)


def _endings(caller: int, answers: Answers, loser: int) -> Iterator[_Ending]:
    """Every ranking in which `loser` does not win; whoever folded cannot win and comes last."""
    folded = {seat for seat, word, _ in answers if word == "fold"}
    for winner in {0, 1, 2} - folded - {loser}:
        _, one, two = seats_from(winner)
        for second, third in ((one, two), (two, one)):
            if second not in folded or third in folded:
                yield _Ending(caller, answers, (winner, second, third))


def _cost(view: View, match: Match, endings: Sequence[_Ending]) -> Price | None:
    """What the seat pays if it does not win; None where it cannot but win."""
    if not endings:
        return None
    mine = _own_count(view)
    sure, more = [], []
    for end in endings:
        for winners in {0, mine}:
            counts = [mine if seat == view.seat else winners for seat in range(3)]
            sure.append(-_net(view, match, end, _BARE, counts))
            more.append(-_net(view, match, end, _RICH, counts))
    return Price(min(sure), None if max(more) > max(sure) else max(sure))


def _gain(view: View, match: Match, end: _Ending) -> Price:
    """What the seat wins if it wins."""
    mine = _own_count(view)
    sure = [_net(view, match, end, unseen, [mine] * 3) for unseen in (_BARE, _RICH)]
    apart = [mine if seat == view.seat else _HIGH for seat in range(3)]
    more = _net(view, match, end, _BARE, apart)
    return Price(min(sure), None if more > max(sure) else max(sure))


def _net(view: View, match: Match, end: _Ending, unseen: Sequence[int], counts: Sequence[int]) -> int:
    """The chips of the seat after this ending, if the others hold `unseen` and all count as given."""
    position = replace(view.position, end=EndKind.DRAW, caller=end.caller, answers=end.answers)
    hands = _opened(view, unseen)
    winner = end.places[0]
    burned = sorted(unworthy(hands, position.rules) - {winner})
    first, second, third = counts
    paid = tuple(payments(position, hands, end.places, (first, second, third), burned))
    _, _, net, _ = conclude(position.rules, match, Result(winner, end.places), paid)
    return net[view.seat]


def _opened(view: View, unseen: Sequence[int]) -> Opened:
    mine = tuple(view.faces[slot] for slot in view.position.hands[view.seat])
    hands = tuple(mine if seat == view.seat else tuple(unseen) for seat in range(3))
    return Opened(hands, view.position.melds)


def _own_count(view: View) -> int:
    """The own count (points), as a showdown takes it."""
    return counts_of(_opened(view, _BARE), view.position.rules)[view.seat]
