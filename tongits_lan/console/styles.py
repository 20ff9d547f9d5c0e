"""What the style names of the pictures look like, and whether there is a terminal to show them on.

Owns the colours: 16 base ones on the terminal's own background, each beside a word or mark. Knows no picture.
"""

import os
import sys
from dataclasses import dataclass

from prompt_toolkit.styles import Style

from tongits_lan.errors import Exit, UserError

_STYLE = Style.from_dict(
    {
        "frame": "",
        "title": "bold",
        "name": "bold",
        "turn": "bold underline",
        "key": "bold",
        "note": "reverse",
        "warn": "bold",
        "chat": "italic",
        "cursor": "reverse",
        "cursor-line": "bold",
        "mark": "underline",
        "new": "bold",
        "top": "bold",
    }
)
_COLORS = Style.from_dict(
    {
        "suit-d": "ansired",
        "suit-h": "ansired",
        "frame": "dim",
        "dim": "dim",
        "turn": "bold ansigreen nounderline",
        "key": "bold ansicyan",
        "warn": "bold ansiyellow",
        "chat": "ansicyan",
        "new": "bold ansiyellow",
    }
)


_FOUR = Style.from_dict({"suit-c": "ansigreen", "suit-d": "ansibrightblue", "suit-h": "ansired"})


@dataclass(frozen=True, slots=True)
class Look:
    """What a player has chosen: a colour for each suit, and whether whose turn it is stands out."""

    four_colors: bool = False
    turn_color: bool = True


USUAL = Look()


def style(look: Look = USUAL, *, colored: bool) -> Style:
    """The styles, with or without colours."""
    rules = [*_STYLE.style_rules]
    if colored:
        rules += [*_COLORS.style_rules, *(_FOUR.style_rules if look.four_colors else ())]
    if not look.turn_color:
        rules = [*((name, rule) for name, rule in rules if name != "turn"), ("turn", "bold")]
    return Style(rules)


def require_terminal() -> None:
    """Raises UserError(USAGE) where a full screen cannot be shown."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise UserError(
            "There is no terminal for a full screen here: use --plain or --json, or another terminal.",
            Exit.USAGE,
        )
