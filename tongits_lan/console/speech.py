"""The language that screens and line modes speak: English sentences looked up in a catalogue and filled.

Owns which language is spoken now (one for the whole program: one program, one player) and how fields are put
into a sentence. Knows no sentence itself. Catalogues are gettext's, in `words/`; English needs none.
"""

import gettext
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from tongits_lan.game.sentences import Phrase, Quote

LANGUAGES = {"en": "English", "fil": "Filipino"}
"""Code and own name of every language."""
IN_BOTH = "language / wika"
"""What a choice of language is called, for who cannot read the other one."""

FOLDER = Path(__file__).with_name("words")
_FIELD = re.compile(r"\{([a-z]\w*)(?::(\w+))?\}")
_PLACE = re.compile(r"\{([0-2])\}")

Kind = Literal["me", "other", "nobody", "pot"]

_spoken = "en"


class Party(str):
    """Who takes part in a sentence: a text like any other, and all forms that some language needs.

    `{who}` is the text itself; `{who:ang}`, `{who:ng}`, `{who:sa}` and `{who:si}` are the Filipino ones:
    "ka"/"si Ana", "mo"/"ni Ana", "sa iyo"/"kay Ana", "Ikaw"/"Si Ana".
    """

    __slots__ = ("kind", "name")

    name: str
    kind: Kind

    def __new__(cls, text: str, name: str, kind: Kind) -> "Party":
        made = super().__new__(cls, text)
        made.name = name
        made.kind = kind
        return made

    def form(self, case: str) -> str:
        """The party in one case; KeyError for one that no language has."""
        return _CASES[self.kind][case].format(self.name)


_CASES: dict[Kind, dict[str, str]] = {
    "me": {"ang": "ka", "ng": "mo", "sa": "sa iyo", "si": "Ikaw"},
    "other": {"ang": "si {}", "ng": "ni {}", "sa": "kay {}", "si": "Si {}"},
    "nobody": {"ang": "ang kung sino", "ng": "ng kung sino", "sa": "sa kung sino", "si": "Kung sino"},
    "pot": {"ang": "ang pot", "ng": "ng pot", "sa": "sa pot", "si": "Ang pot"},
}


def speak(language: str) -> None:
    """From now on this language. KeyError for one that there is not."""
    global _spoken
    if language not in LANGUAGES:
        raise KeyError(language)
    _spoken = language


def spoken() -> str:
    """The language that is spoken now."""
    return _spoken


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """This language for a while."""
    before = _spoken
    speak(language)
    try:
        yield
    finally:
        speak(before)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The sentences of a language, loaded once."""
    if language == "en":
        return gettext.NullTranslations()
    with (FOLDER / f"{language}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def tr(text: str, /, **fields: object) -> str:
    """A sentence in the language spoken now, with its fields put in by name; other braces stay."""
    translated = catalogue(_spoken).gettext(text) if text else text
    return _filled(translated, fields) if fields else translated


def trn(one: str, many: str, count: int, /, **fields: object) -> str:
    """The form of a sentence that goes with a number; `{count}` is that number."""
    return _filled(catalogue(_spoken).ngettext(one, many, count), {"count": count, **fields})


def told(text: str) -> str:
    """What another room says, in the language spoken now: a phrase part by part, a quote by the template it
    was made of, any other text as a whole.

    Places of names (`{0}`) stay, with the case the language needs (`{0:ang}`)."""
    match text:
        case Phrase(template=template, fields=fields):
            return tr(template, **{name: _told(value) for name, value in fields})
        case Quote():
            return _heard(text, _WHOLE)
        case _:
            return tr(text)


def knows(text: str) -> bool:
    """Whether a bare text can be said in the language spoken now."""
    return _spoken == "en" or told(Quote(text)) != text


def _told(value: str | int) -> str | int:
    return told(value) if isinstance(value, Phrase | Quote) else value


_WHOLE, _PART = 12, 4
"""So many letters of a bare text, or of a part of one, have to be a template's for it to be taken for it."""


def _heard(text: str, letters: int) -> str:
    """A bare text by the template it fits best; as it is where it fits none."""
    if _spoken == "en" or _spoken_as_it_is(text):
        return tr(text)
    best: tuple[int, str, dict[str, str]] | None = None
    for template, pieces in _templates(_spoken):
        size = sum(map(len, pieces[::2]))
        if size >= letters and (best is None or size > best[0]):
            fields = _fields(text, pieces)
            best = best if fields is None else (size, template, fields)
    if best is None:
        return text
    _, template, fields = best
    return tr(template, **{name: _heard(value, _PART) for name, value in fields.items()})


def _spoken_as_it_is(text: str) -> bool:
    return bool(text) and catalogue(_spoken).gettext(text) != text


@cache
def _templates(language: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every sentence with fields, and its pieces: text, field, text, .., text; fields that touch could not be
    told apart, so such sentences are left out."""
    found = []
    for text in _sources((FOLDER / f"{language}.mo").read_bytes()):
        pieces = tuple(re.split(r"\{([a-z]\w*)\}", text))
        if len(pieces) > 1 and all(pieces[2:-1:2]):
            found.append((text, pieces))
    return tuple(found)


def _sources(data: bytes) -> Iterator[str]:
    """The English texts of a .mo file (GNU gettext manual, 10.3), those with a plural by their first form."""
    order = "<" if data.startswith(b"\xde\x12\x04\x95") else ">"
    count, table = struct.unpack_from(f"{order}2I", data, 8)
    for number in range(count):
        length, at = struct.unpack_from(f"{order}2I", data, table + 8 * number)
        yield data[at : at + length].partition(b"\0")[0].decode("utf-8")


def _fields(text: str, pieces: tuple[str, ...]) -> dict[str, str] | None:
    """What stands where the fields of a template are, or None; one look at the text, left to right."""
    first, last = pieces[0], pieces[-1]
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return None
    found: dict[str, str] = {}
    rest = text[len(first) : len(text) - len(last)]
    for name, after in zip(pieces[1:-2:2], pieces[2:-1:2], strict=True):
        value, piece, rest = rest.partition(after)
        if not piece or found.setdefault(name, value) != value:
            return None
    return found if found.setdefault(pieces[-2], rest) == rest else None


def _filled(template: str, fields: Mapping[str, object]) -> str:
    return _FIELD.sub(lambda found: _formed(fields[found[1]], found[2]), template)


def _formed(value: object, case: str | None) -> str:
    if case is None:
        return str(value)
    if isinstance(value, Party):
        return value.form(case)
    place = _PLACE.fullmatch(str(value))
    return f"{{{place[1]}:{case}}}" if place else _CASES["other"][case].format(value)
