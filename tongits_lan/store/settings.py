"""The player's own choices in `config.toml`: a comment above each key, edited by hand or by the program.

Owns the form of the file and what may stand in it. A line that the program does not change stays as its
player wrote it. Must not know what the choices mean to a screen.
"""

import dataclasses
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import Phrase, cause, choice, mark, phrase
from tongits_lan.limits import NAME_MAX
from tongits_lan.store.files import make_folder, replace_private, telling

FILE_NAME = "config.toml"
SIZE_MAX = 32_768  # bytes
Value = str | bool


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player has chosen for this machine."""

    name: str = ""
    """Empty: not asked yet."""
    four_colors: bool = False
    bell: bool = True
    title: bool = True
    turn_color: bool = True
    letters: bool = False
    tips: bool = True
    muted: str = ""
    """The public keys, as hex, of those whose chat is not shown, the latest last."""
    lang: str = ""
    """A code of LANGUAGES; empty: as the system speaks."""


LANGUAGES = ("en", "fil")
COMMENTS = {
    "name": phrase(
        "What the others call you, at most {count} letters. Empty: you are asked.", count=NAME_MAX
    ),
    "four_colors": mark("A colour for each suit: clubs green, diamonds blue, hearts red, spades plain."),
    "bell": mark("Ring the terminal's bell when your turn begins."),
    "title": mark("Say in the window's title whose turn it is."),
    "turn_color": mark("Show in a colour (or underlined) whose turn it is; a word says it in any case."),
    "letters": mark("Letters (S H D C) for suits and plain lines, also where the terminal could do better."),
    "tips": mark("One line of advice under your choices; the program switches it off after three turns."),
    "muted": mark("Whose chat is not shown: keys, parted by blanks. The page of options (o) writes them."),
    "lang": mark('The language: "en" English, "fil" Filipino. Empty: as your system speaks.'),
}
_HEAD = mark("Settings of tongits. What you change here counts from the next start.")


def load(path: Path) -> Settings:
    """The settings of a file; defaults where there is none. Raises UserError(USAGE) naming key and file."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_MAX + 1)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise UserError(
            phrase(
                "The settings {path} cannot be read ({why}): allow it, or move the file away.",
                path=path,
                why=cause(error),
            ),
            Exit.FAILED,
        ) from None
    found = _document(path, data)
    known = {field.name: field.default for field in dataclasses.fields(Settings)}
    chosen: dict[str, Any] = {}  # of the type of its field each
    for key, value in found.items():
        if key not in known:
            continue  # of another version of the program
        if type(value) is not type(known[key]):
            wanted = phrase("true or false") if isinstance(known[key], bool) else phrase("a text in quotes")
            _refuse(
                path,
                phrase("{key} must be {wanted}", key=key, wanted=wanted),
            )
        if key == "lang" and value not in ("", *LANGUAGES):
            _refuse(
                path,
                phrase(
                    "lang must be {languages}, not {value}",
                    languages=choice(LANGUAGES),
                    value=repr(value),
                ),
            )
        chosen[key] = value
    return Settings(**chosen)


def _document(path: Path, data: bytes) -> dict[str, Value]:
    if len(data) > SIZE_MAX:
        _refuse(
            path,
            phrase("the file is larger than {size} bytes", size=SIZE_MAX),
        )
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        _refuse(path, phrase("it is no UTF-8 text"))
    except (ValueError, RecursionError):  # no TOML, or a number of thousands of digits, or nested as deep
        _refuse(path, phrase('options stand one a line, as bell = true or name = "Ana"'))


def _refuse(path: Path, what: Phrase) -> NoReturn:
    raise UserError(
        phrase(
            "The settings in {path} are not right, {what}: mend it, or remove the file.", path=path, what=what
        ),
        Exit.USAGE,
    )


def keep(path: Path, settings: Settings, say: Callable[[str], str] = str) -> None:
    """Writes what differs from the file, in its place; a key it lacks comes last with its comment, as `say`
    puts it into the language of the player.

    Raises UserError(FAILED) for a file that cannot be written."""
    make_folder(path.parent)
    with telling(path):
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            text = f"# {say(_HEAD)}\n"
        before = dataclasses.asdict(load(path))
        for key, value in dataclasses.asdict(settings).items():
            if value != before[key] or not _line(key).search(text):
                text = _with(text, key, value, say(COMMENTS[key]))
        replace_private(path, text.encode("utf-8"))


def _with(text: str, key: str, value: Value, comment: str) -> str:
    written = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    if _line(key).search(text):
        return _line(key).sub(lambda _: written, text, count=1)
    gap = "" if text.endswith("\n") or not text else "\n"
    return f"{text}{gap}\n# {comment}\n{written}\n"


def _line(key: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*{key}[ \t]*=.*$", re.MULTILINE)
