"""The coach: hints with reasons, discards weighed, and after a hand what the discards cost."""

import random
from dataclasses import dataclass
from itertools import combinations

import pytest
from msgspec.structs import replace

from tests.hands import play_on, random_rules, shuffled
from tests.screens import cards
from tongits_lan.bots import choose
from tongits_lan.bots.coach import Costly, Hint, Regret, Why, chance_taken, costliest, hint, meld_pairs
from tongits_lan.bots.estimate import look
from tongits_lan.game import engine, scoring
from tongits_lan.game.ban import fits_of
from tongits_lan.game.cards import NATURALS, parse_card
from tongits_lan.game.melds import deadwood, meld_kind
from tongits_lan.game.moves import Call, Discard, Draw, Meld, Move, Take
from tongits_lan.game.position import Position
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.playback import Frame, PlayedHand
from tongits_lan.ledger.state import HandDealt, HandRecord, HandSettled, Played

PAGAT = PRESETS["pagat"]


@dataclass
class Table:
    """A hand with known cards that keeps its frames; seat 0 deals."""

    faces: list[int]
    rules: Rules = PAGAT

    def __post_init__(self) -> None:
        self.position: Position = engine.deal(self.rules, 0)
        self.frames = [self._frame(None, None, (HandDealt(1),))]

    def _frame(self, seat: int | None, move: Move | None, events: tuple[HandDealt | Played, ...]) -> Frame:
        return Frame(None, seat, move, events, self.position, dict(enumerate(self.faces)))

    def move(self, move: Move) -> None:
        seat = self.position.turn
        assert seat is not None
        self.position, events = engine.apply(self.position, seat, move)
        self.frames.append(self._frame(seat, move, tuple(Played(seat, event) for event in events)))

    def slot(self, text: str) -> int:
        return self.faces.index(parse_card(text))

    def throw(self, text: str) -> None:
        self.move(Discard((self.slot(text), parse_card(text))))

    def turn(self, text: str) -> None:
        """Draws and throws."""
        self.move(Draw())
        self.throw(text)

    def lay(self, text: str) -> None:
        self.move(Meld(tuple(sorted((self.faces.index(c), c) for c in cards(text)))))

    def take(self, text: str, meld: int | None = None) -> None:
        self.move(Take(meld, tuple(sorted((self.faces.index(c), c) for c in cards(text)))))

    def legal(self) -> tuple[Move, ...]:
        seat = self.position.turn
        assert seat is not None
        return engine.legal_moves(engine.view(self.position, seat, self.faces))

    def hint(self) -> Hint:
        seat = self.position.turn
        assert seat is not None
        return hint(engine.view(self.position, seat, self.faces), self.legal())

    def played(self) -> PlayedHand:
        """The hand so far as if it were settled here: what the coach reads of it is in the frames."""
        position = replace(self.position, phase=engine.Phase.OVER, end=engine.EndKind.STOCK)
        match = replace(scoring.fresh_match(), dealer=0)
        settled = scoring.settle(self.rules, match, position, self.faces)
        record = HandRecord(1, 0, settled, tuple(self.faces), None, 0, 0, position)
        end = Frame(None, None, None, (HandSettled(record),), position, dict(enumerate(self.faces)))
        return PlayedHand(record, (*self.frames, end))


def table(*hands: str, stock: str = "", rules: Rules = PAGAT) -> Table:
    """Hands of seats 0 (13 cards, it deals), 1 and 2; those left out get what is over."""
    position = engine.deal(rules, 0)
    faces: dict[int, int] = {}
    for seat, text in enumerate(hands):
        faces.update(zip(position.hands[seat], cards(text), strict=False))
    faces.update(zip(position.stock, cards(stock), strict=False))
    left = [card for card in range(rules.n) if card not in faces.values()]
    random.Random(3).shuffle(left)
    return Table([faces[slot] if slot in faces else left.pop() for slot in range(rules.n)], rules)


# --- hints ----------------------------------------------------------------------------------------------


def every_turn(rules: Rules, seed: int) -> list[tuple[engine.View, tuple[Move, ...]]]:
    rng = random.Random(seed)
    faces = shuffled(rules, rng)
    positions, _ = play_on(engine.deal(rules, 0), faces, [choose] * 3, rng)
    views = [engine.view(p, p.turn, faces) for p in positions if p.turn is not None]
    return [(view, engine.legal_moves(view)) for view in views]


def test_a_hint_is_legal_and_counts_right_under_any_rules() -> None:
    rng = random.Random(8)
    seen: set[Why] = set()
    for seed in range(40):
        rules = random_rules(rng)
        for view, legal in every_turn(rules, seed):
            found = hint(view, legal)
            seen.add(found.why)
            assert found.move in legal
            assert found.owed == deadwood(view.faces.values(), rules) == found.best.count
            for risk in (found.thrown, found.safest, found.cheapest):
                if risk is not None:
                    rest = [c for s, c in view.faces.items() if s != risk.slot]
                    assert view.faces[risk.slot] == risk.card
                    assert risk.owed == deadwood(rest, rules)
                    assert 0.0 <= risk.chance <= 1.0
            if isinstance(found.move, Discard):
                assert found.thrown is not None
                assert found.thrown.slot == found.move.card[0]
                assert found.cheapest is not None
                assert found.cheapest.owed <= found.thrown.owed
    assert seen >= {
        Why.ONLY, Why.GOES_OUT, Why.OPENS, Why.TAKES, Why.CALLS, Why.CHALLENGES, Why.FOLDS,
        Why.DEAREST, Why.HOPELESS, Why.TOO_HIGH, Why.LAYS_OFF,
    }  # fmt: skip


def test_a_hint_knows_nothing_of_the_hidden_cards() -> None:
    rng = random.Random(2)
    faces = shuffled(PAGAT, rng)
    positions, _ = play_on(engine.deal(PAGAT, 0), faces, [choose] * 3, rng)
    for position in positions[:-1]:
        seat = position.turn
        assert seat is not None
        hidden = [*position.stock, *(s for other in range(3) if other != seat for s in position.hands[other])]
        hidden += [s for meld in position.melds if meld.face_down and meld.owner != seat for s in meld.slots]
        other = [*faces]
        for slot, card in zip(hidden, rng.sample([faces[s] for s in hidden], len(hidden)), strict=True):
            other[slot] = card
        one, two = engine.view(position, seat, faces), engine.view(position, seat, other)
        assert hint(one, engine.legal_moves(one)) == hint(two, engine.legal_moves(two))


def test_it_tells_to_lay_a_run_to_open() -> None:
    game = table("3D 4D 5D 9C JS KH 2H 7C QD AS 8H 6C JC")
    found = game.hint()
    assert found.why is Why.OPENS
    assert found.after == found.owed
    assert isinstance(found.move, Meld)


def test_it_tells_to_throw_the_dearest_hopeless_card() -> None:
    game = table("3D 4D 5D 9C JS KH 2H 7C QD AS 8H 6C JC", "KC KD KS", "QC QH QS")
    game.lay("3D 4D 5D")
    found = game.hint()
    assert isinstance(found.move, Discard)
    assert found.thrown is not None
    assert found.cheapest is not None
    assert found.owed - found.cheapest.owed == 10
    assert found.why in (Why.DEAREST, Why.HOPELESS)


def test_the_last_cards_go_out() -> None:
    game = table("3D 4D 5D 9C 9H 9S KC KD KH KS AC 2C 3C")
    found = game.hint()
    assert found.owed == 0
    for _ in range(4):
        assert game.hint().why in (Why.GOES_OUT, Why.OPENS)
        game.move(game.hint().move)
        if game.position.turn is None:
            break
    assert game.position.end is engine.EndKind.TONGITS


@pytest.mark.parametrize(
    ("hand", "thrown", "why"),
    [
        ("3D 4D 5D 9C 9H 9S AC AD AH 3H KC KD QS", "QS", Why.CALLS),
        ("3D 4D 5D 9C JS KH 8D 7C QD TS 8H 6C JC", "6C", Why.TOO_HIGH),
    ],
)
def test_a_call_is_advised_with_a_low_count_and_not_with_a_high_one(hand: str, thrown: str, why: Why) -> None:
    game = table(hand, "2C 2D 2S", stock="4H 6H 4C")
    game.lay("3D 4D 5D")
    if why is Why.CALLS:
        game.lay("9C 9H 9S")
    game.throw(thrown)
    for seat in (1, 2):
        game.move(Draw())
        if seat == 1:
            game.lay("2C 2D 2S")
        slot = game.position.drew
        assert slot is not None
        game.move(Discard((slot, game.faces[slot])))
    assert any(isinstance(move, Call) for move in game.legal())
    found = game.hint()
    assert found.rival is not None
    assert found.why is why
    assert (found.owed < found.rival) is (why is Why.CALLS)


# --- what the next player can do with a card -------------------------------------------------------------


@pytest.mark.parametrize("preset", ["pagat", "joker"])
def test_pairs_are_exactly_those_that_make_a_meld_of_three(preset: str) -> None:
    rules = PRESETS[preset]
    everything = frozenset(range(rules.n))
    for card in (0, 1, 6, 12, 13, 25, 40, 51):
        found = list(meld_pairs(card, everything - {card}, rules))
        assert len(set(found)) == len(found)
        naturals = {pair for pair in found if max(pair) < NATURALS}
        expected = {
            pair for pair in combinations(range(NATURALS), 2)
            if card not in pair and meld_kind(sorted((card, *pair))) is not None
        }  # fmt: skip
        assert naturals == expected
        with_joker = {pair for pair in found if pair[1] >= NATURALS}
        joined = {
            (other, joker) for joker in range(NATURALS, rules.n) for other in range(NATURALS) if other != card
            and any(meld_kind((*sorted((card, other)), joker), (w,)) for w in range(NATURALS)
                    if w not in (card, other))
        }  # fmt: skip
        assert with_joker == joined


def test_a_card_nobody_can_use_is_safe_and_a_gone_one_makes_it_safer() -> None:
    game = table("3D 4D 5D 9C 9H 9S KC KD KH AC 2H 7C QS")
    view = engine.view(game.position, 0, game.faces)
    sight = look(view)
    king, nine = parse_card("KH"), parse_card("9C")
    assert chance_taken(sight, nine, 0) < chance_taken(sight, parse_card("7C"), 0)
    assert 0 < chance_taken(sight, king, 0) < 0.2
    without = replace(sight, unseen=sight.unseen - {parse_card("QH"), parse_card("KS")})
    assert chance_taken(without, king, 0) == 0.0


def test_the_guess_is_near_the_truth() -> None:
    """Of many deals of the unseen cards, the share in which the next player holds a pair for the card."""
    game = table("3D 4D 5D 9C 9H 9S KC KD KH AC 2H 7C QS")
    sight = look(engine.view(game.position, 0, game.faces))
    rng = random.Random(1)
    for text in ("7C", "AC", "QS"):
        card = parse_card(text)
        pairs = [set(pair) for pair in meld_pairs(card, sight.unseen, PAGAT)]
        deals = [set(rng.sample(sorted(sight.unseen), 12)) for _ in range(3000)]
        share = sum(any(pair <= deal for pair in pairs) for deal in deals) / len(deals)
        assert chance_taken(sight, card, 0) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(("taking", "chance"), [("none", 0.0), ("new_meld_or_any", 1.0)])
def test_what_may_be_taken_is_a_rule(taking: str, chance: float) -> None:
    rules = replace(PAGAT, discard_take=taking)
    game = table("3D 4D 5D 6D 9H 9S KC KD KH AC 2H 7C QS", rules=rules)
    game.lay("3D 4D 5D")
    sight = look(engine.view(game.position, 0, game.faces))
    assert chance_taken(sight, parse_card("6D"), fits_of(game.position)) == chance


# --- after a hand ---------------------------------------------------------------------------------------


def one(game: Table, seat: int = 0) -> Costly:
    return costliest(game.played(), seat)[0]


def test_a_discard_that_was_taken_cost_what_went_with_it() -> None:
    game = table("AC 3H 5S 7D 9C JH KS 2D 4C 6H 8S TD QC", "QD QH 2C 4D")
    game.throw("QC")
    game.take("QD QH")
    found = one(game)
    assert (found.card, found.why, found.cost, found.by) == (parse_card("QC"), Regret.FED, 20, 1)
    assert set(found.cards) == set(cards("QD QH"))


def test_a_card_that_was_missed_later_is_named_with_its_meld() -> None:
    game = table("7D 8D AC 3H 5S 9C JH KS 2C 4C 6H TS QC", "2S", "4S", stock="6S TH 9D")
    game.throw("7D")
    slot = game.position.hands[1][0]
    game.move(Draw())
    game.move(Discard((slot, game.faces[slot])))
    slot = game.position.hands[2][0]
    game.move(Draw())
    game.move(Discard((slot, game.faces[slot])))
    game.move(Draw())
    found = next(c for c in costliest(game.played(), 0) if c.card == parse_card("7D"))
    assert found.why is Regret.NEEDED
    assert set(found.cards) == set(cards("7D 8D 9D"))
    assert found.instead in set(cards("JH KS TS QC"))
    assert found.cost == 17 + 10  # 8D and 9D, and the court card thrown in its place


def test_a_low_card_thrown_while_dear_ones_stay_to_the_end() -> None:
    game = table("AC 3H 5S 7D 9C JH KS 2D 4C 6H 8S TD QC")
    game.throw("AC")
    found = one(game)
    assert (found.why, found.cost) == (Regret.KEPT_DEAR, 9)
    assert found.instead in set(cards("JH KS TD QC"))


def test_a_card_that_could_have_been_laid_off() -> None:
    game = table("3D 4D 5D 6D AC 9C JH 2S 4C 7H 8S TS QC")
    game.lay("3D 4D 5D")
    game.throw("6D")
    found = one(game)
    assert found.card == parse_card("6D")
    assert found.why is Regret.FITTED
    assert found.cost == 10


def whole(seed: int, rules: Rules = PAGAT) -> tuple[Table, list[int]]:
    rng = random.Random(seed)
    game = Table(shuffled(rules, rng), rules)
    while game.position.turn is not None:
        view = engine.view(game.position, game.position.turn, game.faces)
        game.move(choose(view, engine.legal_moves(view), rng))
    return game, game.faces


@pytest.mark.parametrize("preset", list(PRESETS))
def test_two_at_most_the_dearest_first_and_all_of_them_thrown_by_that_seat(preset: str) -> None:
    for seed in range(6):
        game, _ = whole(seed, PRESETS[preset])
        for seat in range(3):
            found = costliest(game.played(), seat)
            thrown = {f.move.card[1] for f in game.frames if f.seat == seat and isinstance(f.move, Discard)}
            assert len(found) <= 2
            assert all(costly.card in thrown and costly.cost > 0 for costly in found)
            assert [costly.cost for costly in found] == sorted((c.cost for c in found), reverse=True)


def test_the_review_looks_into_no_other_hand() -> None:
    """Cards nobody else ever saw, shuffled among the others' hands and the stock, change nothing in it."""
    rng = random.Random(4)
    for seed in range(6):
        game, faces = whole(seed)
        for seat in range(3):
            hidden = _never_seen(game, seat)
            other = [*faces]
            for slot, card in zip(hidden, rng.sample([faces[s] for s in hidden], len(hidden)), strict=True):
                other[slot] = card
            changed = [replace(frame, faces=dict(enumerate(other))) for frame in game.played().frames]
            assert costliest(PlayedHand(game.played().record, tuple(changed)), seat) == costliest(
                game.played(), seat
            )


def _never_seen(game: Table, seat: int) -> list[int]:
    own = {slot for frame in game.frames for slot in frame.position.hands[seat]}
    last = game.position
    public = {slot for slot, _ in (*last.discards, *last.shown)}
    public |= {slot for meld in last.melds for slot in meld.slots}
    return [slot for slot in range(game.rules.n) if slot not in own | public]


def test_somebody_who_went_out_pays_only_for_what_was_taken() -> None:
    for seed in range(30):
        game, _ = whole(seed)
        if game.position.end is engine.EndKind.TONGITS:
            winner = game.position.end_seat
            assert winner is not None
            reasons = {costly.why for costly in costliest(game.played(), winner)}
            assert reasons <= {Regret.FED, Regret.FITTED}
