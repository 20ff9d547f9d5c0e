"""A sentence about a rule set and the small words it is made of. Owns no rule."""

import msgspec


class Sentence(msgspec.Struct, frozen=True):
    """One sentence for players and the options it speaks of (none: it is the same at every table)."""

    text: str
    options: tuple[str, ...]


def said(text: str, *options: str) -> Sentence:
    """A sentence with the options it speaks of."""
    return Sentence(text, options)


def counted(count: int, thing: str) -> str:
    """A number and its noun: 1 chip, 2 chips."""
    return f"{count} {thing}{'s' * (count != 1)}"


def chips(count: int) -> str:
    """An amount of chips in words."""
    return counted(count, "chip")
