"""Names and other texts of strangers, made fit to be shown.

Owns what is taken out of them (docs/protocol.md, "Identities and link"). Must not know screens or widths.
"""

import unicodedata

# Control, format, surrogate and private-use characters; the two separators break a line like a control.
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def clean(text: str, limit: int) -> str:
    """The text in NFC, without characters that steer a screen, cut to `limit` code points.

    What is dropped goes first: a character between a letter and its accent must not keep them apart.
    Cleaning twice changes nothing.
    """
    kept = "".join(char for char in text if unicodedata.category(char) not in _DROPPED)
    return unicodedata.normalize("NFC", kept)[:limit]
