"""`python -m tests.make_catalogue`: collects every text to translate, updates fil.po and writes fil.mo.

Reads the source itself, so that no text is listed anywhere by hand. A text without a translation stays empty
in the .po (and test_catalogue fails) until somebody writes one; one that is no longer said is dropped.
"""

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tongits_lan.console.speech import FOLDER, LANGUAGES
from tongits_lan.game import refusals
from tongits_lan.game.catalogue import CATALOGUE, ORIGINS, SOURCES
from tongits_lan.game.describe import chapters
from tongits_lan.game.rules import PRESETS

PACKAGE = Path(refusals.__file__).parents[1]
ARGUMENTS = {
    "tr": 0,
    "mark": 0,
    "phrase": 0,
    "said": 0,
    "note": 0,
    "Refused": 0,
    "UserError": 0,
    "LinkLost": 0,
    "end": 0,
    "NoAnswerError": 0,
    "add_argument_group": 0,
    "wrong": 0,
    "Binding": 4,
    "ReelKey": 3,
}
"""Which argument of a call is a text to translate."""
KEYWORDS = {"help"}
"""Which named argument of a call is one."""
PAIRS = {"trn": (0, 1), "counted": (1, 2), "count_of": (1, 2)}
"""Calls with a text for one and a text for many."""
ONES = {"counted"}
"""Of these, each text is looked up by itself (the room that says it knows no gettext)."""

_FIELDS = re.compile(r"\{\w+\}")
_NEEDED = {"Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}

Text = str | tuple[str, str]


def texts_of(source: str) -> Iterator[tuple[int, Text]]:
    """Every text to translate in a module, with its line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        for keyword in node.keywords:
            if keyword.arg in KEYWORDS:
                yield from ((node.lineno, text) for text in _constants(keyword.value))
        if name in ARGUMENTS and len(node.args) > ARGUMENTS[name]:
            for text in _constants(node.args[ARGUMENTS[name]]):
                yield node.lineno, text
        elif name in PAIRS and len(node.args) > max(PAIRS[name]):
            one, many = ([*_constants(node.args[at]), ""][0] for at in PAIRS[name])
            if name in ONES:
                yield from ((node.lineno, text) for text in (one, many) if text)
            elif one and many:
                yield node.lineno, (one, many)


def _constants(node: ast.expr) -> Iterator[str]:
    """The texts an argument can be: one, or either arm of a condition."""
    match node:
        case ast.Constant(value=str() as text) if _FIELDS.sub("", text).strip(" .:,\n"):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _constants(body)
            yield from _constants(orelse)


def collected() -> dict[Text, list[tuple[str, int]]]:
    """Every text to translate and where it is said."""
    found: dict[Text, list[tuple[str, int]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE.parent).as_posix()
        for line, text in texts_of(path.read_text("utf-8")):
            found.setdefault(text, []).append((place, line))
    for name, text in vars(refusals).items():
        if name.isupper() and isinstance(text, str):
            found.setdefault(text, []).append(("tongits_lan/game/refusals.py", 0))
    for text in (*ORIGINS.values(), *SOURCES.values(), *_options()):
        found.setdefault(text, []).append(("tongits_lan/game/catalogue.py", 0))
    for chapter in chapters(PRESETS["pagat"]):
        found.setdefault(chapter.title, []).append(("tongits_lan/game/describe.py", 0))
    pairs = {text[0] for text in found if isinstance(text, tuple)}
    return {text: places for text, places in found.items() if isinstance(text, tuple) or text not in pairs}


def _options() -> Iterator[str]:
    """What a rules file says of its options and their values."""
    for about in CATALOGUE.values():
        yield about.what
        yield from (meaning for _, meaning, _ in about.values)
        for source in (about.source, *(source for _, _, source in about.values)):
            if set(re.findall(r"[a-z]+", source)) - set(" ".join(SOURCES).split()):
                yield source


def read(language: str) -> Catalog:
    """The translations as people write them."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


class _Texts(Catalog):
    """Its header says what a reader needs and nothing of the day: the same texts are the same file."""

    def _needed(self) -> list[tuple[str, str]]:
        return [field for field in self._get_mime_headers() if field[0] in _NEEDED]

    mime_headers = property(_needed, Catalog._set_mime_headers)


def updated(language: str) -> Catalog:
    """The translations with exactly the texts of the source: new ones empty, others as they were."""
    before = read(language)
    after = _Texts(locale=language, fuzzy=False, charset="utf-8", header_comment=before.header_comment)
    for text, places in collected().items():
        old = before.get(text[0] if isinstance(text, tuple) else text)
        files = sorted({place for place, _ in places})
        after.add(text, old.string if old is not None else None, locations=[(file, 0) for file in files])
    return after


def po_bytes(catalog: Catalog) -> bytes:
    """The .po file: sorted by place, so that a change shows where it was made."""
    out = io.BytesIO()
    write_po(out, catalog, sort_by_file=True, include_lineno=False, width=110)
    return out.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """The .mo file the program reads."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def main() -> int:
    """Updates every language; says what is missing."""
    missing = 0
    for language in LANGUAGES:
        if language == "en":
            continue
        catalog = updated(language)
        (FOLDER / f"{language}.po").write_bytes(po_bytes(catalog))
        (FOLDER / f"{language}.mo").write_bytes(mo_bytes(catalog))
        empty = [message.id for message in catalog if message.id and not _has(message.string)]
        missing += len(empty)
        for text in empty:
            print(f"{language}: not translated: {text!r}")
        print(f"{language}: {len(catalog)} texts, {len(empty)} of them not translated")
    return 1 if missing else 0


def _has(string: object) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


if __name__ == "__main__":
    sys.exit(main())
