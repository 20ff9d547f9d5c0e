"""House rules as a TOML file: a preset and the options that differ from it, one a line.

Owns the form of the file, the line numbers of what is wrong in it, and the template. What the options are and
which values they take is in `game`; here nothing is known of play.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.catalogue import CATALOGUE, SOURCES, About, allowed, spelled
from tongits_lan.game.combinations import changed, conflict
from tongits_lan.game.rules import PRESETS, Rules, Value, from_map, to_map, values_of
from tongits_lan.game.sentences import Phrase, cause, choice, mark, phrase

SIZE_MAX = 32_768  # bytes; the template with every option is a third of it
_SHOWN_MAX = 40  # characters of a wrong value
_WRITTEN_BITS = 1_024  # of an int: longer ones cannot be written in digits at all
_PRESET = "preset"
_DEFAULT = "pagat"
_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_END = "(at end of document)"

Say = Callable[[str], str]


class _Lines:
    """Where the statements of a TOML document begin; the document as a whole has been parsed."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._first: dict[str, int] = {}
        chunk, start = "", 1
        for number, line in enumerate(text.splitlines(keepends=True), 1):
            chunk += line
            try:
                found = tomllib.loads(chunk)
            except tomllib.TOMLDecodeError:
                continue  # a statement that goes on in the next line
            for key in found:
                self._first.setdefault(key, start)
            chunk, start = "", number + 1

    def refuse(self, key: str, sentence: Phrase) -> NoReturn:
        """Raises UserError with the line of a key and what is wrong there."""
        _refuse(self._where, self._first.get(key), sentence)


def _refuse(where: str, line: int | None, sentence: Phrase) -> NoReturn:
    place = where if line is None else phrase("{where}, line {line}", where=where, line=line)
    raise UserError(
        phrase("{place}: {sentence}.", place=place, sentence=sentence),
        Exit.USAGE,
    )


def load(path: Path) -> Rules:
    """The rule set of a file. UserError (usage) names the file, the line and what may stand there."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_MAX + 1)
    except OSError as error:
        raise UserError(
            phrase(
                "The rules file {path} cannot be read ({why}): check its name.", path=path, why=cause(error)
            ),
            Exit.USAGE,
        ) from None
    if len(data) > SIZE_MAX:
        raise UserError(
            phrase(
                "The rules file {path} is larger than {size} bytes: is it the right file?",
                path=path,
                size=SIZE_MAX,
            ),
            Exit.USAGE,
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(str(path), line, phrase("this is no UTF-8 text: save the file as UTF-8"))
    return parse(text, str(path))


def parse(text: str, where: str) -> Rules:
    """The rule set that a TOML text describes; `where` names it in sentences. UserError as in `load`."""
    document = _document(text, where)
    lines = _Lines(text, where)
    name = document.pop(_PRESET, _DEFAULT)
    if not isinstance(name, str) or name not in PRESETS:
        lines.refuse(
            _PRESET,
            phrase(
                "{option} is {value}, but it must be {allowed}",
                option=_PRESET,
                value=_shown(name),
                allowed=_presets(),
            ),
        )
    options: dict[str, Value] = to_map(PRESETS[name])
    for option, value in document.items():
        options[option] = _value(lines, option, value)
    rules = from_map(options)
    wrong = conflict(rules, changed(rules, name))
    if wrong is not None:
        # Laid to the option that was asked for, which is in the file.
        lines.refuse(wrong.option, wrong.text)
    return rules


def _document(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        _refuse(where, None, phrase("its values are nested too deeply: write one option a line"))
    except tomllib.TOMLDecodeError as error:
        told = str(error)
        at = _LINE.search(told)
        line = int(at[1]) if at else len(text.splitlines()) if told.endswith(_END) else None
        what = _LINE.sub("", told.removesuffix(_END)).strip()
        _refuse(
            where,
            line,
            phrase('{what}; options stand one a line, as next_dealer = "winner"', what=_lower(what)),
        )
    except ValueError:  # the language itself reads no number so long
        _refuse(where, None, phrase("a number in it has thousands of digits: write a smaller one"))


def _lower(text: str) -> str:
    """The message of the parser as part of a sentence, without what a terminal could take for a command."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return plain[:1].lower() + plain[1:]


def _value(lines: _Lines, option: str, value: object) -> Value:
    if isinstance(value, dict):
        lines.refuse(
            option,
            phrase(
                "{option} is a table: write options one a line, without tables or dots", option=_shown(option)
            ),
        )
    if option not in CATALOGUE:
        near = difflib.get_close_matches(option, CATALOGUE, 1)
        hint = phrase("see tongits rules --new")
        if near:
            hint = phrase(
                "did you mean {option}, which is {allowed}", option=near[0], allowed=allowed(near[0])
            )
        lines.refuse(
            option,
            phrase("there is no option {option}: {hint}", option=_shown(option), hint=hint),
        )
    if option == "base" and isinstance(value, str):
        lines.refuse(
            option,
            phrase(
                "base is {value}, but it is what a loser pays, {allowed}; the rule set to start from is"
                " named by preset, which is {presets}",
                value=_shown(value),
                allowed=allowed(option),
                presets=_presets(),
            ),
        )
    if option == "fold_fee" and value == "none":
        return None
    values = values_of(option)
    for known in values if not isinstance(values, range) else ():
        if type(known) is type(value) and known == value:
            return known
    if isinstance(values, range) and type(value) is int and value in values:
        return value
    return lines.refuse(
        option,
        phrase(
            "{option} is {value}, but it must be {allowed}",
            option=option,
            value=_shown(value),
            allowed=allowed(option),
        ),
    )


def _shown(value: object) -> str:
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and value.bit_length() > _WRITTEN_BITS:
        text = hex(value)
    else:
        text = json.dumps(value) if isinstance(value, bool | str) else str(value)
    return text if len(text) <= _SHOWN_MAX else text[: _SHOWN_MAX - 3] + "..."


def _presets() -> Phrase:
    return choice([f'"{name}"' for name in PRESETS])


def template(preset: str, say: Say = str) -> str:
    """A rules file that plays as the preset: every option, its values and their sources, commented out, as
    `say` puts the comments into the language of the player."""
    return "\n".join([*_head(preset, say), *_body(to_map(PRESETS[preset]), say)]) + "\n"


def _head(preset: str, say: Say) -> Iterator[str]:
    yield f"# {say(_TITLE)}"
    yield f"# {say(_HOW)}"
    yield "#"
    yield f"# {say(_WHOSE)}"
    for names, what in SOURCES.items():
        yield f"#   {names}: {say(what)}"
    yield ""
    yield f"# {say(phrase('The rule set to start from: {presets}.', presets=_presets()))}"
    yield f'{_PRESET} = "{preset}"'


_TITLE = mark("House rules for a table of Tongits: tongits host --rules THIS_FILE")
_HOW = mark("Take the # away from an option you want otherwise and write another value.")
_WHOSE = mark("Whose rules are whose (in brackets behind each value):")


def _body(options: Mapping[str, Value], say: Say) -> Iterator[str]:
    for option, about in CATALOGUE.items():
        yield ""
        yield f"# {say(about.what)}"
        yield from _values(option, about, say)
        yield f"# {option} = {spelled(options[option])}"


def _values(option: str, about: About, say: Say) -> Iterator[str]:
    if not about.values:
        yield f"#   {say(allowed(option))} [{say(about.source)}]"
        return
    width = max(len(spelled(value)) for value, _, _ in about.values)
    for value, meaning, source in about.values:
        yield f"#   {spelled(value):<{width}}  {say(meaning)} [{say(source)}]"
