"""Cards: codes, texts, ranks, suits and values.

Owns the numbering of cards (suits C, D, H, S, each A..K, then the jokers X1, X2) and nothing else;
knows no rule beyond what one card is worth. Sources: rules.md 0 and 1.1 to 1.3.
"""

Card = int
"""A card code: 0..51 natural cards, 52 and 53 the jokers."""

Laid = tuple[int, int]
"""A card shown to all: (slot, card code)."""

NATURALS = 52
RANKS = 13
SUITS = 4
ACE = 1

_RANK_LETTERS = "A23456789TJQK"
_SUIT_LETTERS = "CDHS"

TEXTS: tuple[str, ...] = (
    *(r + s for s in _SUIT_LETTERS for r in _RANK_LETTERS),
    "X1",
    "X2",
)
"""The text of every card, by code."""

_CODES = {text: code for code, text in enumerate(TEXTS)}

POINTS: tuple[int, ...] = (*(min(code % RANKS + 1, 10) for code in range(NATURALS)), 0, 0)
"""The value of every card, by code; a joker's own value is a rule option (`joker_deadwood`), so 0 here."""


def card_text(card: Card) -> str:
    """The two letters of a card, such as `7H` or `X1`."""
    return TEXTS[card]


def parse_card(text: str) -> Card:
    """The code of a card text; ValueError if there is no such card."""
    try:
        return _CODES[text]
    except KeyError:
        raise ValueError(f"no card is called {text!r}") from None


def rank(card: Card) -> int:
    """1 (ace) to 13 (king) of a natural card."""
    return card % RANKS + 1


def suit(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades of a natural card."""
    return card // RANKS


def points(card: Card) -> int:
    """Ace 1, two to ten their number, jack, queen and king 10 (rules.md 1.3); a joker 0."""
    return POINTS[card]


def is_joker(card: Card) -> bool:
    """Whether the card is X1 or X2."""
    return card >= NATURALS
