"""Runs rule scenarios (protocol/vectors/rules): builds positions, tries steps, compares what is expected.

In a scenario every card is known, so slot and card code are the same number here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tests.hands import readings
from tongits_lan.errors import Refused
from tongits_lan.game import engine, scoring
from tongits_lan.game.cards import NATURALS, card_text, parse_card
from tongits_lan.game.engine import Lock, Phase, Position, TableMeld
from tongits_lan.game.melds import MeldKind, deadwood
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
from tongits_lan.game.payments import Line
from tongits_lan.game.position import Locks
from tongits_lan.game.rules import OPTIONS, PRESETS, Rules, from_map, to_map
from tongits_lan.game.scoring import Match, Result, Settlement
from tongits_lan.game.shapes import kind_of
from tongits_lan.game.showdown import after_layoff, seats_from

Data = Mapping[str, Any]


def presets_of(rules: Any) -> list[str]:
    """The names of the presets a scenario runs under; they may not exist."""
    if rules == "*":
        return list(PRESETS)
    if isinstance(rules, str):
        return [rules]
    return list(rules) if isinstance(rules, list) else [rules["preset"]]


def rules_of(scenario: Data, preset: str) -> Rules:
    """The preset with the scenario's replaced options."""
    rules = scenario["rules"]
    if not isinstance(rules, dict):
        return PRESETS[preset]
    unknown = set(rules) - set(OPTIONS) - {"preset"}
    assert not unknown, f"the scenario replaces options that do not exist: {sorted(unknown)}"
    return from_map({**to_map(PRESETS[preset]), **rules})


def run(scenario: Data, preset: str) -> None:
    """Runs one scenario under one preset; AssertionError says what differs."""
    rules = rules_of(scenario, preset)
    match scenario["kind"]:
        case "meld":
            _run_meld(scenario, rules)
        case "deadwood":
            _run_deadwood(scenario, rules)
        case "deal":
            _run_deal(scenario, rules)
        case "play":
            _run_play(scenario, rules)
        case "session":
            _run_session(scenario, rules)
        case kind:
            raise AssertionError(f"unknown kind {kind!r}")


def codes(texts: Sequence[str]) -> list[int]:
    return [parse_card(t) for t in texts]


def texts(cards: Sequence[int]) -> list[str]:
    return sorted(card_text(c) for c in cards)


def _kinds(cards: Sequence[int], rules: Rules) -> set[MeldKind | None]:
    if any(c >= rules.n for c in cards):
        return {None}
    naturals = [c for c in cards if c < NATURALS]
    kinds: set[MeldKind | None] = {kind_of(sorted((*naturals, *w))) for w in readings(cards, rules)}
    return kinds or {None}


def _run_meld(scenario: Data, rules: Rules) -> None:
    kinds = _kinds(codes(scenario["cards"]), rules)
    assert scenario["expect"]["kind"] in kinds, kinds


def _run_deadwood(scenario: Data, rules: Rules) -> None:
    hand = codes(scenario["cards"])
    melds = [table_meld(m, rules) for m in scenario.get("melds", ())]
    count = after_layoff(hand, melds, rules) if rules.showdown_layoff else deadwood(hand, rules)
    assert count == scenario["expect"]["count"]


def _run_deal(scenario: Data, rules: Rules) -> None:
    deck = codes(scenario.get("deck", [card_text(c) for c in range(rules.n)]))
    assert sorted(deck) == list(range(rules.n)), "the deck of the scenario is not the deck of these rules"
    position = engine.deal(rules, scenario["dealer"])
    found = {
        "hand_sizes": [len(h) for h in position.hands],
        "hands": [texts([deck[s] for s in hand]) for hand in position.hands],
        "stock_size": len(position.stock),
        "stock": [card_text(deck[s]) for s in position.stock],
        "discards_size": len(position.discards),
        "turn": position.turn,
        "phase": str(position.phase),
    }
    expect = dict(scenario["expect"])
    if "hands" in expect:
        expect["hands"] = [sorted(h) for h in expect["hands"]]
    assert {name: found[name] for name in expect} == expect


def table_meld(data: Data, rules: Rules) -> TableMeld:
    """A meld of a position; its reading must be stated or be the only one. Face down anything may lie."""
    cards = codes(data["cards"])
    owner: int = data["owner"]
    by: dict[int, int] = {parse_card(c): seat for c, seat in data.get("by", {}).items()}
    assert set(by) <= set(cards), "`by` names a card that is not in the meld"
    if data.get("face_down", False):
        return TableMeld(
            owner, MeldKind.SET, tuple(sorted(cards)), (None,) * len(cards), (), (owner,) * len(cards), True
        )
    possible = readings(cards, rules)
    fitting = [w for w in possible if "wild" not in data or list(w) == codes(data["wild"])]
    assert len(fitting) == 1, f"the meld {data['cards']} has {len(fitting)} readings"
    roles = dict(zip([c for c in cards if c >= NATURALS], fitting[0], strict=True))
    order = sorted((roles.get(c, c), c) for c in cards)
    stands = tuple(s for s, _ in order)
    kind = kind_of(stands)
    assert kind is not None
    laid = tuple(c for _, c in order)
    return TableMeld(owner, kind, laid, laid, stands, tuple(by.get(c, owner) for c in laid))


def position_of(state: Data, rules: Rules) -> Position:
    """The position a scenario describes; cards named nowhere go where `rest` says."""
    hands = [tuple(sorted(codes(h))) for h in state["hands"]]
    melds = tuple(table_meld(m, rules) for m in state.get("melds", ()))
    discards, stock = codes(state.get("discards", ())), codes(state.get("stock", ()))
    named = [*(c for h in hands for c in h), *(c for m in melds for c in m.slots), *discards, *stock]
    assert len(set(named)) == len(named), "a card is in two places"
    assert max(named) < rules.n, "a joker where the rules have none"
    rest = [c for c in range(rules.n) if c not in named]
    if state.get("rest", "stock") == "stock":
        stock = [*stock, *rest]
    else:
        discards = [*rest, *discards]
    dealer, turn = state.get("dealer", 0), state["turn"]
    phase = Phase(state["phase"])
    assert ("caller" in state) == (phase is Phase.ANSWERS)
    first, second, third = hands
    turns = state.get("own_turns", [1, 1, 1])
    return Position(
        rules=rules,
        dealer=dealer,
        turn=turn,
        phase=phase,
        hands=(first, second, third),
        melds=melds,
        discards=tuple((c, c) for c in discards),
        stock=tuple(stock),
        last_drawer=state.get("last_drawer"),
        drew=parse_card(state["drew"]) if "drew" in state else None,
        melds_at_draw=len(melds),
        caller=state.get("caller"),
        answers=tuple((a["seat"], a["answer"], False) for a in state.get("answers", ())),
        locks=_locks(state, melds, rules),
        own_turns=(turns[0], turns[1], turns[2]),
        passes=(turn - dealer) % 3 if phase is Phase.SPREAD else 0,
    )


def _locks(state: Data, melds: Sequence[TableMeld], rules: Rules) -> Locks:
    """A lock given in a position ends when the seat draws, unless another's lay-off lasts for the hand."""
    out: list[Lock | None] = []
    for seat in range(3):
        others = any(m.owner == seat and any(by != seat for by in m.by) for m in melds)
        lasting = others and rules.lock_by_others == "rest_of_round"
        lock = Lock((seat + 1) % 3, -1, (), lasting)
        out.append(lock if seat in state.get("locked", ()) else None)
    return (out[0], out[1], out[2])


def legal(position: Position, seat: int) -> tuple[Move, ...]:
    return engine.legal_moves(engine.view(position, seat, range(position.rules.n)))


def _cards_in(move: Move) -> list[int]:
    match move:
        case Take() | Meld() | Sapaw():
            return sorted(c for _, c in move.cards)
        case Hide():
            return sorted(move.slots)
        case Discard():
            return [move.card[1]]
        case _:
            return []


def _wild_in(position: Position, move: Move) -> dict[int, int]:
    match move:
        case Take():
            cards = [position.discards[-1][1], *(c for _, c in move.cards)]
        case Meld() | Sapaw():
            cards = [c for _, c in move.cards]
        case _:
            return {}
    return dict(zip([c for c in cards if c >= NATURALS], move.wild, strict=True))


_NAMES: dict[str, type[Any]] = {
    "draw": Draw,
    "take": Take,
    "meld": Meld,
    "hide": Hide,
    "sapaw": Sapaw,
    "discard": Discard,
    "call": Call,
    "answer": Answer,
    "spread": Spread,
    "pass": Pass,
}


def choices(position: Position, step: Data) -> list[Move]:
    """The legal moves a step can mean."""
    found = []
    cards = codes(step.get("cards", ()))
    laid = [c for c in cards if c >= NATURALS]
    if step["move"] == "take" and position.discards and position.discards[-1][1] >= NATURALS:
        laid.insert(0, position.discards[-1][1])
    for move in legal(position, step["seat"]):
        if not isinstance(move, _NAMES[step["move"]]) or _cards_in(move) != sorted(cards):
            continue
        if isinstance(move, Take | Sapaw) and move.meld != step["meld"]:
            continue
        if isinstance(move, Answer) and move.word != step["answer"]:
            continue
        if "wild" in step and _wild_in(position, move) != _stated(laid, codes(step["wild"])):
            continue
        found.append(move)
    return found


def _stated(jokers: Sequence[int], wild: Sequence[int]) -> dict[int, int] | None:
    return dict(zip(jokers, wild, strict=True)) if len(jokers) == len(wild) else None


def chosen(position: Position, step: Data) -> Move | None:
    """The one legal move a step means; None if it is illegal or ambiguous."""
    found = choices(position, step)
    shows = step["move"] in ("call", "answer")
    return found[0] if len(found) == 1 or (found and shows) else None


def direct(position: Position, step: Data) -> Move | None:
    """The move a step spells out word for word; None where it leaves something open."""
    laid = tuple((c, c) for c in sorted(codes(step.get("cards", ()))))
    if any(c >= NATURALS for c, _ in laid):
        return None
    match step["move"]:
        case "draw":
            return Draw()
        case "take":
            return Take(step["meld"], laid)
        case "meld":
            return Meld(laid)
        case "sapaw":
            return Sapaw(step["meld"], laid)
        case "discard":
            return None if position.rules.discard_fit_ban else Discard(laid[0])
        case "pass":
            return Pass()
        case _:
            return None


def play(position: Position, steps: Sequence[Data]) -> Position:
    """The position after the steps; an illegal step must be refused and changes nothing."""
    for number, step in enumerate(steps):
        move = chosen(position, step)
        allowed = step.get("legal", True)
        assert (move is not None) == allowed, f"step {number} {step}: legal is {move is not None}"
        if move is not None:
            position = _fold_the_ineligible(engine.apply(position, step["seat"], move)[0])
            continue
        spelled = direct(position, step)
        if spelled is not None:
            reason = engine.check(position, step["seat"], spelled)
            assert reason, f"step {number} {step}: listed as illegal but not refused"
            assert reason.format("Ana", "Ben", "Carlo").strip()
            try:
                engine.apply(position, step["seat"], spelled)
            except Refused:
                continue
            raise AssertionError(f"step {number} {step}: refused and applied")
    return position


def _fold_the_ineligible(position: Position) -> Position:
    """Where all cards are known, a player who could only fold is not asked."""
    while position.phase is Phase.ANSWERS:
        assert position.turn is not None
        only = legal(position, position.turn)
        if only != (Answer("fold"),):
            break
        position, _ = engine.apply(position, position.turn, only[0])
    return position


def _streak_of(match: Match) -> Data | None:
    if match.streak_seat is None:
        return None
    return {"seat": match.streak_seat, "wins": match.streak_length}


def settled(state: Data, position: Position, rules: Rules) -> Settlement:
    """The settlement of an ended position; the state's pot holds this hand's antes already."""
    paid = replace(rules, ante_first=0, ante_next=0, ante_after_jackpot=0)
    streak = state.get("streak") or {"seat": None, "wins": 0}
    match = Match((0, 0, 0), state.get("pot", 0), streak["seat"], streak["wins"], position.dealer, "next")
    return scoring.settle(paid, match, position, range(rules.n))


def _found(position: Position) -> dict[str, Any]:
    return {
        "turn": position.turn,
        "phase": str(position.phase),
        "hands": [texts(h) for h in position.hands],
        "hand_sizes": [len(h) for h in position.hands],
        "opened": [seat for seat in range(3) if position.opened(seat)],
        "locked": [seat for seat in range(3) if position.locked[seat]],
        "stock_size": len(position.stock),
        "discards_size": len(position.discards),
        "discard_top": card_text(position.discards[-1][1]) if position.discards else None,
        "last_drawer": position.last_drawer,
        "caller": position.caller,
    }


def _found_at_end(settlement: Settlement) -> dict[str, Any]:
    match = settlement.match
    return {
        "end": settlement.end,
        "winner": settlement.winner,
        "challenged": settlement.challenged,
        "counts": list(settlement.counts or ()),
        "burned": list(settlement.burned),
        "net": list(settlement.net),
        "places": None if settlement.places is None else list(settlement.places),
        "pot_paid": settlement.pot_paid,
        "pot": match.pot,
        "streak": _streak_of(match),
        "next_dealer": match.dealer,
    }


def _run_play(scenario: Data, rules: Rules) -> None:
    state = scenario["state"]
    position = play(position_of(state, rules), scenario.get("steps", ()))
    expect = dict(scenario["expect"])
    for step in expect.pop("legal_moves_include", ()):
        assert chosen(position, step) is not None, f"{step} is illegal"
    for step in expect.pop("legal_moves_exclude", ()):
        assert chosen(position, step) is None, f"{step} is legal"
    if "melds" in expect:
        _compare_melds(position.melds, expect.pop("melds"))
    found = _found(position)
    if position.phase is Phase.OVER:
        found |= _found_at_end(settled(state, position, rules))
    if "hands" in expect:
        wanted = expect["hands"]
        expect["hands"] = [sorted(h) if h is not None else found["hands"][i] for i, h in enumerate(wanted)]
    assert {name: found.get(name, "not known before the end") for name in expect} == expect


def _compare_melds(melds: Sequence[TableMeld], expected: Sequence[Data]) -> None:
    assert len(melds) == len(expected)
    for meld, want in zip(melds, expected, strict=True):
        assert meld.owner == want["owner"]
        assert sorted(meld.slots) == sorted(codes(want["cards"]))
        assert meld.face_down == want.get("face_down", False)
        if "wild" in want:
            roles = dict(zip([c for c in meld.slots if c >= NATURALS], meld.wild, strict=True))
            jokers = [c for c in codes(want["cards"]) if c >= NATURALS]
            assert [roles[j] for j in jokers] == codes(want["wild"])


def _transfers(net: Sequence[int]) -> Iterator[Line]:
    """Some lines that come to a net; what the seats lose together goes to the pot."""
    owed = [[seat, -n] for seat, n in enumerate(net) if n < 0]
    due: list[list[Any]] = [[seat, n] for seat, n in enumerate(net) if n > 0]
    if sum(net) < 0:
        due.append([None, -sum(net)])
    for debt in owed:
        for claim in due:
            chips = min(debt[1], claim[1])
            debt[1] -= chips
            claim[1] -= chips
            yield Line(debt[0], claim[0], chips, "net")


def _run_session(scenario: Data, rules: Rules) -> None:
    match = replace(scoring.fresh_match(), dealer=scenario["first_dealer"])
    found: dict[str, list[Any]] = {
        "dealers": [match.dealer],
        "antes": [],
        "pots": [],
        "pot_paid": [],
        "streaks": [],
    }
    for hand in scenario["hands"]:
        ante = scoring.ante(rules, match)
        found["antes"].append(ante)
        found["pots"].append(match.pot + 3 * ante)
        match, paid = _after_hand(rules, match, hand)
        found["pot_paid"].append(paid)
        found["dealers"].append(match.dealer)
        found["streaks"].append(_streak_of(match))
    everything = {**found, "chips": list(match.chips), "pot": match.pot}
    expect = scenario["expect"]
    assert {name: everything[name] for name in expect} == expect


def _after_hand(rules: Rules, match: Match, hand: Data) -> tuple[Match, int]:
    if "void" in hand:
        settlement = scoring.settle_forfeit(rules, match, hand["void"])
        return settlement.match, settlement.pot_paid
    winner: int | None = hand["winner"]
    places = None
    if winner is not None:
        first, second, third = hand.get("places", seats_from(winner))
        places = (first, second, third)
    result = Result(winner=winner, places=places, spread=hand.get("end") == "spread")
    after, _, _, paid = scoring.conclude(rules, match, result, list(_transfers(hand.get("net", [0, 0, 0]))))
    return after, paid
