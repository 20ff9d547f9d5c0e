"""How a way to cheat is described and registered, and what the ways have in common."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.scripted import Script
from tongits_lan.errors import Code
from tongits_lan.ledger.messages import (
    Body,
)
from tongits_lan.ledger.state import Hand, Phase

Make = Callable[[Script], bytes]


@dataclass(frozen=True, slots=True)
class Cheat:
    """`make` gets a script that stands in `phase` and returns the offending entry; it may write first.

    `text` must stand in what the check that fails says, for one code stands for many; `needs_proofs` where it
    takes proofs that hold to come so far.
    """

    name: str
    phase: Phase
    make: Make
    code: Code
    text: str = ""
    needs_proofs: bool = False
    convicts: bool = True


CHEATS: list[Cheat] = []


def cheat(
    phase: Phase, code: Code, text: str = "", *, needs_proofs: bool = False, convicts: bool = True
) -> Callable[[Make], Make]:
    """Register a way to cheat under the function's name."""

    def register(make: Make) -> Make:
        name = make.__name__.replace("_", "-")
        CHEATS.append(Cheat(name, phase, make, code, text, needs_proofs, convicts))
        return make

    return register


def body_now(script: Script) -> Body:
    """What the honest writer would write."""
    body = script.due_body()
    assert body is not None
    return body


def other_seat(script: Script) -> int:
    """A seat that is not due."""
    return (script.writer() + 1) % 3


def hand_now(script: Script) -> Hand:
    """The running hand."""
    assert script.state.hand is not None
    return script.state.hand


def held(script: Script, seat: int) -> tuple[int, ...]:
    """The slots a seat holds."""
    position = hand_now(script).position
    assert position is not None
    return position.hands[seat]


def edited(data: bytes, at: int, part: bytes) -> bytes:
    """The bytes with a part written over."""
    return data[:at] + part + data[at + len(part) :]
