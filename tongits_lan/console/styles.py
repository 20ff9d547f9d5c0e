"""What the style names of the pictures look like, and whether there is a terminal to show them on.

Owns the colours: 16 base ones on the terminal's own background, each beside a word or mark. Knows no picture.
"""

import os
import sys

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


def style(*, colored: bool, four: bool = False) -> Style:
    """The styles, with or without colours; `four`: one for each suit."""
    if not colored:
        return _STYLE
    return Style([*_STYLE.style_rules, *_COLORS.style_rules, *(_FOUR.style_rules if four else ())])


def require_terminal() -> None:
    """Raises UserError(USAGE) where a full screen cannot be shown."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise UserError(
            "There is no terminal for a full screen here: use --plain or --json, or another terminal.",
            Exit.USAGE,
        )
