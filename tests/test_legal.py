"""The generator of legal moves against `check`, over moves made up by brute force."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from msgspec.structs import replace

from tests.hands import any_move, play_on, random_rules, shuffled
from tongits_lan.game import engine
from tongits_lan.game.ban import banned, fits_of
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.engine import Phase, Position
from tongits_lan.game.moves import (
    Answer,
    Call,
    Discard,
    Draw,
    Hide,
    Meld,
    Move,
    Pass,
    Sapaw,
    Spread,
    Take,
)
from tongits_lan.game.rules import PRESETS, Rules


def _parts(hand: Sequence[Laid], largest: int) -> Iterator[tuple[Laid, ...]]:
    for size in range(min(largest, len(hand)) + 1):
        yield from combinations(hand, size)
    if len(hand) > largest:
        yield tuple(hand)


def _wilds(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every statement worth a try for the jokers among these cards: each natural card for each joker."""
    jokers = sum(c >= NATURALS for c in cards)
    yield from product(range(NATURALS), repeat=jokers) if jokers < 2 else _pairs(cards)


def _pairs(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    near = {c for card in cards if card < NATURALS for c in range(NATURALS) if _near(card, c)}
    yield from product(sorted(near), repeat=2)


def _near(card: int, other: int) -> bool:
    return abs(card - other) <= 5 or (card - other) % 13 == 0


def _naive(position: Position, hand: Sequence[Laid], largest: int) -> Iterator[Move]:
    """Moves of every kind, legal and not: all small parts of the hand with all statements for jokers."""
    yield from (Draw(), Pass(), Answer("fold"))
    top = position.discards[-1][1] if position.discards else 0
    for part in _parts(hand, largest):
        cards = [c for _, c in part]
        yield from (Call(part), Answer("challenge", part), Answer("fold", part), Spread(part))
        if len(part) == 1:
            yield Discard(part[0])
        if len(part) == 4:
            yield Hide(tuple(s for s, _ in part))
        for wild in _wilds(cards):
            yield Meld(part, wild)
            for index in range(len(position.melds) + 1):
                yield Sapaw(index, part, wild)
        for wild in _wilds([top, *cards]):
            yield Take(None, part, wild)
            for index in range(len(position.melds) + 1):
                yield Take(index, part, wild)


def _true(position: Position, faces: Sequence[int], seat: int, move: Move) -> bool:
    """What only the seat's own hidden cards tell."""
    match move:
        case Hide():
            cards = [faces[s] for s in move.slots]
            return max(cards) < NATURALS and len({c % 13 for c in cards}) == 1
        case Discard() if position.rules.discard_fit_ban:
            held = [faces[s] for s in position.hands[seat]]
            return not banned(held, fits_of(position)) >> move.card[1] & 1
        case _:
            return True


def _agree(position: Position, faces: Sequence[int], largest: int) -> int:
    seat = position.turn
    assert seat is not None
    view = engine.view(position, seat, faces)
    listed = engine.legal_moves(view)
    assert len(set(listed)) == len(listed), "a move is listed twice"
    assert listed, "the seat on turn has no move"
    for move in listed:
        assert engine.check(position, seat, move) is None, move
        assert _true(position, faces, seat, move), move
    tried = 0
    known = set(listed)
    hand = [(s, faces[s]) for s in position.hands[seat]]
    for move in _naive(position, hand, largest):
        tried += 1
        accepted = engine.check(position, seat, move) is None and _true(position, faces, seat, move)
        assert accepted == (move in known), (move, engine.check(position, seat, move))
        if tried % 10 == 0 or not accepted:
            assert (engine.why_not(view, move) is None) == accepted, move
    return tried


def _short(position: Position, rng: random.Random, rules: Rules) -> Position:
    """The position with the hand on turn cut to a few cards, the rest put under the stock."""
    seat = position.turn
    assert seat is not None
    hand = position.hands[seat]
    kept = tuple(sorted(rng.sample(hand, min(len(hand), rng.randint(1, 6)))))
    hands = [*position.hands]
    hands[seat] = kept
    spare = tuple(s for s in hand if s not in kept)
    return replace(
        position, rules=rules, hands=(hands[0], hands[1], hands[2]), stock=(*position.stock, *spare)
    )


def test_listed_is_accepted_in_short_hands_under_random_rules() -> None:
    rng = random.Random(3)
    tried = positions = 0
    phases = set()
    while positions < 240:
        rules = random_rules(rng)
        faces = shuffled(rules, rng)
        walked, _ = play_on(engine.deal(rules, 0), faces, [any_move] * 3, rng)
        for position in rng.sample(walked[:-1], min(2, len(walked) - 1)):
            if position.phase is not Phase.SPREAD:
                position = _short(position, rng, rules)
            tried += _agree(position, faces, 4)
            phases.add(position.phase)
            positions += 1
    assert tried > 150_000
    assert phases == {Phase.SPREAD, Phase.START, Phase.ACTION, Phase.ANSWERS}


def test_listed_is_accepted_in_whole_hands() -> None:
    rng = random.Random(4)
    for preset in ("pagat", "house", "wikipedia"):
        rules = PRESETS[preset]
        faces = shuffled(rules, rng)
        walked, _ = play_on(engine.deal(rules, 1), faces, [any_move] * 3, rng)
        tried = sum(_agree(position, faces, 4) for position in walked[-6:-1])
        assert tried > 1_000


def test_a_seat_not_on_turn_has_no_moves() -> None:
    position = engine.deal(PRESETS["pagat"], 0)
    faces = list(range(52))
    assert engine.legal_moves(engine.view(position, 1, faces)) == ()


def test_only_the_canonical_form_is_accepted() -> None:
    """Slots in another order, twice, or a joker's card left unsaid are other bytes, so they are refused."""
    position = replace(engine.deal(PRESETS["joker"], 0), phase=Phase.ACTION)
    faces = [52, 4, 5, *range(4), *range(6, 52), 53]
    position = replace(position, hands=((0, 1, 2), *position.hands[1:]))
    assert engine.check(position, 0, Meld(((0, 52), (1, 4), (2, 5)), (3,))) is None
    assert engine.check(position, 0, Meld(((0, 52), (1, 4), (2, 5)), (6,))) is None
    assert engine.check(position, 0, Meld(((0, 52), (1, 4), (2, 5)))) is not None
    assert engine.check(position, 0, Meld(((0, 52), (1, 4), (2, 5)), (3, 6))) is not None
    assert engine.check(position, 0, Meld(((1, 4), (0, 52), (2, 5)), (3,))) is not None
    assert engine.check(position, 0, Meld(((0, 52), (1, 4), (1, 4)), (3,))) is not None
    listed = engine.legal_moves(engine.view(position, 0, faces))
    assert [m for m in listed if isinstance(m, Meld)] == [
        Meld(((0, 52), (1, 4), (2, 5)), (3,)),
        Meld(((0, 52), (1, 4), (2, 5)), (6,)),
    ]
