"""Three tables that stand right before an entry of any kind, loaded from what the seats would have stored."""

import functools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.circle import MESH, Cast, Circle, Shelf, Wire, encoded
from tests.hostile.stage import secrets_of
from tests.remembered import Acceptance
from tests.scripted import Script, Spreading
from tongits_lan.game import engine
from tongits_lan.game.moves import Answer, Call, Discard, Draw, Hide, Meld, Move, Pass, Sapaw, Spread, Take
from tongits_lan.game.position import View
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.state import Phase
from tongits_lan.limits import SEATS

LIKES = {Hide: 100, Sapaw: 6, Take: 6, Meld: 4, Draw: 3, Call: 3, Answer: 1, Pass: 1, Discard: 1, Spread: 1}
_ACCEPTANCE = Acceptance()


@dataclass(frozen=True)
class Moment:
    """A script that stands right before `writer` writes an entry of a kind, with `move` if it is a choice.
    `body` is what is written, kind and fields."""

    script: Script
    writer: int
    move: Move | None
    body: list[object]


class Busy:
    """A player who does whatever there is to do; the same label, the same play."""

    def __init__(self, label: str) -> None:
        self._rng = random.Random(label)
        self.last: Move | None = None

    def __call__(self, _: View, legal: Sequence[Move]) -> Move:
        kinds: dict[type[Move], list[Move]] = {}
        for move in legal:
            kinds.setdefault(type(move), []).append(move)
        names = sorted(kinds, key=lambda kind: kind.__name__)
        self.last = self._rng.choice(kinds[self._rng.choices(names, [LIKES[name] for name in names])[0]])
        return self.last


@functools.cache
def moments() -> dict[str, Moment]:
    """Every kind of entry but `leave` and `forfeit`, each with the first moment at which it is written.

    The labels are of hands in which four of a kind are dealt, and in which somebody passes his spread.
    """
    found: dict[str, Moment] = {}
    for label, preset in (("pagat 9", "pagat"), ("joker 1", "joker")):
        script, choose = Script(label, rules=PRESETS[preset]), Busy(label)
        while script.state.hand is None or script.state.hand.number == 1:
            before, writer = script.clone(), script.writer()
            choose.last = None
            script.step(choose if script.state.phase is Phase.PLAY else lambda _, legal: legal[0])
            body = parse_entry(script.entries[-1]).body_value
            found.setdefault(str(body[0]), Moment(before, writer, choose.last, body))
    return {**found, "spread": _spread()}


def _spread() -> Moment:
    script = Spreading()
    script.until(Phase.SPREAD)
    while True:
        legal = engine.legal_moves(script.view(script.writer()))
        for move in legal:
            if isinstance(move, Spread):
                after = script.clone()
                after.move(move)
                return Moment(script, script.writer(), move, parse_entry(after.entries[-1]).body_value)
        script.move(Pass())


def stored(script: Script, seat: int) -> Shelf:
    """What a seat that has written what the script says has on its shelf."""
    secrets = {secret.hand_no: secret for secret in secrets_of(script, seat)}
    return Shelf(list(script.entries), secrets)


def seated(script: Script, *, links: Iterable[tuple[int, int]] = MESH, wire: Wire = encoded) -> Circle:
    """The three tables of a script, loaded; nothing has been delivered yet."""
    return Circle(
        f"{script.label} from {script.state.height}",
        cast=Cast.of_script(script),
        links=links,
        wire=wire,
        verdicts={},
        prepares=False,
        acceptance=_ACCEPTANCE,
        shelves=[stored(script, seat) for seat in range(SEATS)],
    )
