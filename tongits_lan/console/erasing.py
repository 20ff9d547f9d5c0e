"""What a key takes away from a line being typed.

Owns the three keys that do; knows no line and no screen.
"""

import re

ERASERS = frozenset({"backspace", "c-w", "c-u"})
_LAST_WORD = re.compile(r"\w*\W*\Z")


def erased(text: str, key: str) -> str:
    """The text without its last letter (backspace), its last word (Ctrl-W), or anything (Ctrl-U).

    A word goes with what stands behind it: "42-mangga-" becomes "42-". KeyError for another key."""
    return {"backspace": text[:-1], "c-w": _LAST_WORD.sub("", text, count=1), "c-u": ""}[key]
