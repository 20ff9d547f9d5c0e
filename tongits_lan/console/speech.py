"""The language that screens and line modes speak: English sentences looked up in a catalogue and filled.

Owns which language is spoken now (one for the whole program: one program, one player) and how fields are put
into a sentence. Knows no sentence itself. Catalogues are gettext's, in `words/`; English needs none.
"""

import gettext
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from tongits_lan.game.sentences import Phrase

LANGUAGES = {"en": "English", "fil": "Filipino"}
"""Code and own name of every language."""

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
    """What another room says, in the language spoken now: a phrase part by part, any other text as a whole.

    Places of names (`{0}`) stay, with the case the language needs (`{0:ang}`)."""
    if not isinstance(text, Phrase):
        return tr(text)
    return tr(
        text.template,
        **{name: told(value) if isinstance(value, Phrase) else value for name, value in text.fields},
    )


def _filled(template: str, fields: Mapping[str, object]) -> str:
    return _FIELD.sub(lambda found: _formed(fields[found[1]], found[2]), template)


def _formed(value: object, case: str | None) -> str:
    if case is None:
        return str(value)
    if isinstance(value, Party):
        return value.form(case)
    place = _PLACE.fullmatch(str(value))
    return f"{{{place[1]}:{case}}}" if place else str(value)
