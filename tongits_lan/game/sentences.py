"""Sentences that remember what they were made of, so that a screen can say them in another language.

Owns the value `Phrase`, the sentence about a rule set and the small words it is made of. Owns no rule and
knows no language but English. Every start of the program imports this, so it imports nothing slow.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_FIELD = re.compile(r"\{([a-z]\w*)\}")

Field = str | int


class Phrase(str):
    """A finished English text that keeps its template and what was put into it.

    It is a text like any other; whoever knows another language begins with `template` and `fields`.
    """

    __slots__ = ("fields", "template")

    template: str
    """With `{name}` where a field goes; `{0}` `{1}` `{2}` are not fields but names of players."""
    fields: tuple[tuple[str, Field], ...]

    def __new__(cls, template: str, fields: tuple[tuple[str, Field], ...] = ()) -> "Phrase":
        values = dict(fields)
        made = super().__new__(cls, _FIELD.sub(lambda field: str(values[field[1]]), template))
        made.template = template
        made.fields = fields
        return made

    def __reduce__(self) -> tuple[Callable[..., "Phrase"], tuple[str, tuple[tuple[str, Field], ...]]]:
        return Phrase, (self.template, self.fields)


class Quote(str):
    """A whole sentence that came as a bare text, from a file or over the wire: its template is not with it.

    Whoever knows another language may find the template again."""

    __slots__ = ()


def phrase(template: str, /, **fields: object) -> Phrase:
    """A text made of a template and what its `{name}` stand for.

    Fields may be phrases themselves; of what is neither text nor number its text is put in."""
    return Phrase(template, tuple((name, _field(value)) for name, value in fields.items()))


def _field(value: object) -> Field:
    return value if isinstance(value, str | int) else str(value)


def mark(text: str) -> str:
    """The text itself: marked for those who translate, said somewhere else."""
    return text


SYSTEM = (
    mark("Address already in use"),
    mark("Cannot assign requested address"),
    mark("Connection refused"),
    mark("Connection reset by peer"),
    mark("File exists"),
    mark("File too large"),
    mark("Input/output error"),
    mark("Is a directory"),
    mark("Network is unreachable"),
    mark("No route to host"),
    mark("No space left on device"),
    mark("No such file or directory"),
    mark("Not a directory"),
    mark("Operation not permitted"),
    mark("Permission denied"),
    mark("Read-only file system"),
    mark("Too many open files"),
)
"""What systems say most often when they cannot do something."""


def cause(error: BaseException) -> Quote:
    """Why the system could not do something, in its own words."""
    return Quote(getattr(error, "strerror", None) or str(error) or type(error).__name__)


def choice(words: Sequence[object]) -> Phrase:
    """What may be chosen, as "a, b or c"."""
    *others, last = words
    if not others:
        return phrase("{last}", last=last)
    return phrase("{others} or {last}", others=", ".join(map(str, others)), last=last)


def in_a_row(parts: Sequence[Phrase]) -> Phrase:
    """Sentences one after the other."""
    first, *more = parts
    return phrase("{first} {more}", first=first, more=in_a_row(more)) if more else first


class Sentence(NamedTuple):
    """One sentence for players and the options it speaks of (none: it is the same at every table)."""

    text: str
    options: tuple[str, ...]


def said(text: str, *options: str, **fields: Field) -> Sentence:
    """A sentence with the options it speaks of; `text` is a template where there are fields."""
    whole = text if isinstance(text, Phrase) else Phrase(text, tuple(fields.items()))
    return Sentence(whole, options)


def counted(count: int, one: str, many: str) -> Phrase:
    """One of two templates with `{count}` in it: 1 hand, 2 hands."""
    return phrase(one if count == 1 else many, count=count)


def chips(count: int) -> Phrase:
    """An amount of chips in words."""
    return counted(count, "{count} chip", "{count} chips")
