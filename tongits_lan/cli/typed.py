"""What a line typed in the line modes chooses: a number, the key of the full screen, the name of a card.

Owns this reading alone: what a choice does is the menu's, why a move is refused the game room's.
"""

from __future__ import annotations

import re

from tongits_lan.cli.menu import Choice, Menu
from tongits_lan.console.arrange import parse_typed
from tongits_lan.console.choices import BY_LETTER
from tongits_lan.errors import Refused
from tongits_lan.game import moves as game
from tongits_lan.game.engine import check
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

_NUMBER = re.compile(r"[0-9]{1,9}")  # Python reads no number of thousands of digits
_ADDRESSED = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")


def addressed(line: str) -> tuple[int, str] | None:
    """What a script answers a certain question with, "12:3": the number of the question, and the choice."""
    found = _ADDRESSED.fullmatch(line)
    return None if found is None else (int(found[1]), found[2])


def chosen(line: str, asked: Menu) -> Choice | None:
    """The choice that a line means, None where it means none. Raises Refused where it means several."""
    if _NUMBER.fullmatch(line):
        return asked.choices[int(line) - 1] if 1 <= int(line) <= len(asked.choices) else None
    found = [choice for choice in asked.choices if line and choice.letter == line]
    if found:
        if line == "t" and len(found) > 1:
            raise Refused("several ways: type the number of one")
        return min(found, key=_shown)
    return _thrown(line, asked)


def _shown(choice: Choice) -> int:
    """How many cards a call or an answer shows; the full screen shows none where none has to be."""
    return len(choice.move.cards) if isinstance(choice.move, game.Call | game.Answer) else 0


def _thrown(line: str, asked: Menu) -> Choice | None:
    """The discard that a typed card names, "7h" or "10c"."""
    card = parse_typed(line)
    for choice in asked.choices:
        if isinstance(choice.move, game.Discard) and choice.move.card[1] == card:
            return choice
    return None


def refusal(line: str, view: LobbyView | TableView) -> str | None:
    """Why the move that a letter asks for cannot be made now; None for no such letter."""
    move = BY_LETTER.get(line)
    if move is None or not isinstance(view, TableView) or view.position is None:
        return None
    return check(view.position, view.me, move)
