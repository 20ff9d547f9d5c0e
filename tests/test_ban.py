"""What fits a meld on the table, against the general search for lay-offs; and when the ban is lifted."""

import random

from tests.hands import any_move, play_on, random_rules, shuffled
from tongits_lan.game import engine
from tongits_lan.game.ban import banned, fits_of
from tongits_lan.game.cards import NATURALS, parse_card
from tongits_lan.game.engine import Position
from tongits_lan.game.shapes import extensions


def _by_search(position: Position) -> int:
    fits = 0
    for meld in position.melds:
        if not meld.face_down:
            has = sum(c is not None and c >= NATURALS for c in meld.cards)
            for card in range(position.rules.n):
                natural, jokers = (1 << card, ()) if card < NATURALS else (0, (card,))
                found = extensions(meld.kind, meld.stands, has, natural, jokers, position.rules)
                if any(cards == (card,) for cards, _ in found):
                    fits |= 1 << card
    return fits


def test_what_fits_is_what_could_be_laid_off_alone() -> None:
    rng = random.Random(8)
    kinds = set()
    for _ in range(40):
        rules = random_rules(rng)
        faces = shuffled(rules, rng)
        walked, _ = play_on(engine.deal(rules, 0), faces, [any_move] * 3, rng)
        for position in walked[::3]:
            assert fits_of(position) == _by_search(position)
            kinds |= {meld.kind for meld in position.melds}
    assert len(kinds) == 2


def test_the_ban_is_lifted_when_everything_fits() -> None:
    seven, eight, king = (parse_card(c) for c in ("7S", "8S", "KD"))
    fits = 1 << seven | 1 << eight
    assert banned((seven, king), fits) == 1 << seven
    assert banned((seven, eight), fits) == 0
    assert banned((king,), fits) == 0
