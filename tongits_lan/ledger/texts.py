"""Names and other texts of strangers, made fit to be shown.

Owns what is taken out of them (docs/protocol.md, "Identities and link"). Must not know screens or widths.
"""

import functools
import unicodedata

from tongits_lan.limits import NAME_MAX

# Control, format, surrogate and private-use characters; the two separators break a line like a control.
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def clean(text: str, limit: int) -> str:
    """The text in NFC, without characters that steer a screen, cut to `limit` code points.

    What is dropped goes first: a character between a letter and its accent must not keep them apart.
    Cleaning twice changes nothing.
    """
    kept = "".join(char for char in text if unicodedata.category(char) not in _DROPPED)
    return unicodedata.normalize("NFC", kept)[:limit]


def alike(name: str) -> str:
    """Names that people take for the same one are equal here."""
    return " ".join(unicodedata.normalize("NFKC", clean(name, NAME_MAX)).casefold().split())


@functools.lru_cache(maxsize=64)  # every picture of a table asks
def shown_names(names: tuple[str, str, str]) -> tuple[str, str, str]:
    """The names of the seats as they are shown; where two are alike, each with the number of its seat from 1.

    Any key may come under any name: who did what must be told apart all the same."""
    first, second, third = (clean(name, NAME_MAX) for name in names)
    if len({alike(name) for name in names}) == len(names):
        return first, second, third
    return f"{first} (1)", f"{second} (2)", f"{third} (3)"
