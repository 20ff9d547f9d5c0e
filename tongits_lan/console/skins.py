"""How cards and frames look: suit letters or suit symbols, plain or drawn lines.

Owns the choice between the two skins and the text of one card on a screen; knows no game state and no
prompt_toolkit. Suit symbols are one cell wide; a variation selector is never added to them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tongits_lan.game.cards import is_joker, rank, suit

_RANKS = ("?", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS_SYMBOLS = "\N{BLACK CLUB SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK HEART SUIT}\N{BLACK SPADE SUIT}"
_LINES = "\u2500\u2502\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c"
_JOKERS_FROM = 52
_UNUSABLE_TERMS = ("linux", "dumb", "vt52")


@dataclass(frozen=True, slots=True)
class Skin:
    """`suits` has one character per suit 0..3 (C D H S); `lines` holds - | and nine joints of a frame."""

    suits: str
    lines: str

    def card(self, code: int) -> str:
        """The card as people write it, `10C`; a joker is `X1` or `X2`."""
        if is_joker(code):
            return f"X{code - _JOKERS_FROM + 1}"
        return _RANKS[rank(code)] + self.suits[suit(code)]

    def cards(self, codes: Iterable[int]) -> str:
        """Cards with a blank between them, in the order given."""
        return " ".join(self.card(code) for code in codes)


LETTERS = Skin("CDHS", "-|+++++++++")
SYMBOLS = Skin(_SUITS_SYMBOLS, _LINES)


def skin_for(encoding: str | None, environ: Mapping[str, str], *, ascii_only: bool) -> Skin:
    """The skin an output of this encoding can show; letters when asked for or when in doubt."""
    if ascii_only or environ.get("TERM", "") in _UNUSABLE_TERMS:
        return LETTERS
    try:
        (_SUITS_SYMBOLS + _LINES).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return LETTERS
    return SYMBOLS
