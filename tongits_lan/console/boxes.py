"""Lines of styled text and the frames around them: cut, pad, put side by side.

Owns the arithmetic of cells (a Chinese letter is two, a combining mark none); knows nothing of the game.
A line is a tuple of (style, text) fragments, as prompt_toolkit takes them.
"""

from collections.abc import Iterable, Sequence

from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import tr

Fragment = tuple[str, str]
Line = tuple[Fragment, ...]

BLANK: Line = ()
LEAST = (60, 16)


def width(text: str) -> int:
    """How many terminal cells the text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    # Here and not above: programs without a screen never come to it, and a third of their start is spared.
    from prompt_toolkit.utils import get_cwidth

    return get_cwidth(text)


def spelled(text: str, encoding: str) -> str:
    """The text as an output of this encoding shows it, in as many cells: a question mark for each cell of
    what it has no letter for."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        if len(text) > 1:
            return "".join(spelled(letter, encoding) for letter in text)
        return "?" * width(text)
    return text


def line(*parts: str | Fragment) -> Line:
    """A line of parts, plain strings unstyled."""
    return tuple(("", part) if isinstance(part, str) else part for part in parts)


def cells(content: Line) -> int:
    """How many terminal cells the line takes."""
    return sum(width(text) for _, text in content)


def plain(content: Line) -> str:
    """The line without its styles."""
    return "".join(text for _, text in content)


def cut_text(text: str, room: int) -> str:
    """The beginning of the text that fits into so many cells."""
    if width(text) <= room:
        return text
    taken = 0
    for index, letter in enumerate(text):
        taken += width(letter)
        if taken > room:
            return text[:index]
    return text


def fit(content: Line, room: int) -> Line:
    """The line cut or padded to exactly `room` cells; a cut line ends in a tilde."""
    wide = cells(content)
    if wide <= room:
        return (*content, ("", " " * (room - wide)))
    kept: list[Fragment] = []
    left = room - 1
    for style, text in content:
        part = cut_text(text, left)
        kept.append((style, part))
        left -= width(part)
        if part != text:
            break
    return (*kept, ("", " " * left + "~"))[: len(kept) + 1] if room > 0 else BLANK


def first_fitting(texts: Iterable[str], room: int) -> str:
    """The first of the texts, the longest first, that fits into so many cells; else the last, cut."""
    text = ""
    for text in texts:
        if width(text) <= room:
            break
    return cut_text(text, room)


def wrap(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` cells, broken at blanks; a longer word is broken inside."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        joined = f"{current} {word}" if current else word
        if width(joined) <= room:
            current = joined
            continue
        if current:
            lines.append(current)
        while width(word) > room:
            part = cut_text(word, room) or word[:1]
            lines.append(part)
            word = word[len(part) :]
        current = word
    return [*lines, current] if current or not lines else lines


def flowing(parts: Iterable[Line], room: int, gap: int = 6) -> list[Line]:
    """The parts beside each other, in as few lines as they fit."""
    lines: list[Line] = []
    for part in parts:
        beside = (*lines[-1], ("", " " * gap), *part) if lines else part
        if lines and cells(beside) <= room:
            lines[-1] = beside
        else:
            lines.append(part)
    return lines


def row(skin: Skin, columns: Iterable[tuple[Line, int]]) -> Line:
    """One framed row: each column is its content and its inner width; a bar on both ends and between."""
    bar = skin.lines[1]
    parts: list[Fragment] = [("class:frame", bar)]
    for content, room in columns:
        parts.append(("", " "))
        parts.extend(fit(content, room - 2))
        parts.append(("", " "))
        parts.append(("class:frame", bar))
    return tuple(parts)


def border(
    skin: Skin, widths: Sequence[int], titles: Sequence[tuple[Line, Line]], joints: str = "+++"
) -> Line:
    """A horizontal border over columns of these inner widths, each with a left and a right title.

    `joints` names three kinds of joint (left end, between, right end) by their place in the frame:
    `t` top, `m` middle, `b` bottom edge.
    """
    dash = skin.lines[0]
    parts: list[Fragment] = [("class:frame", joints[0])]
    for index, (room, (left, right)) in enumerate(zip(widths, titles, strict=True)):
        body: list[Fragment] = [("class:frame", dash)]
        left = _titled(left, room - 2)
        right = _titled(right, max(0, room - 2 - cells(left)))
        body.extend(left)
        body.append(("class:frame", dash * (room - 2 - cells(left) - cells(right))))
        body.extend(right)
        body.append(("class:frame", dash))
        parts.extend(body)
        parts.append(("class:frame", joints[1] if index + 1 < len(widths) else joints[2]))
    return tuple(parts)


def _titled(title: Line, room: int) -> Line:
    if not plain(title):
        return BLANK
    framed = (("class:frame", " "), *title, ("class:frame", " "))
    return framed if cells(framed) <= room else fit(framed, room) if room > 1 else BLANK


def beside(skin: Skin, left: Line, right: Line) -> Line:
    """Two framed lines that share the frame between them: the last cell of one is the first of the other."""
    ends = (left[-1][1], right[0][1])
    return (*left[:-1], ("class:frame", _joined(skin).get(ends, ends[1])), *right[1:])


def _joined(skin: Skin) -> dict[tuple[str, str], str]:
    bar = skin.lines[1]
    top_left, top_right, low_left, low_right, tee_right, tee_left, tee_down, tee_up, cross = tuple(
        skin.lines[2:]
    )
    return {
        (tee_left, bar): tee_left,
        (tee_left, tee_right): cross,
        (top_right, top_left): tee_down,
        (low_right, low_left): tee_up,
    }


def joints(skin: Skin, kind: str) -> str:
    """The three joints (left, between, right) of a `top`, `middle`, `down`, `up` or `bottom` border.

    `down`: columns begin below a full line; `up`: columns end above it.
    """
    top_left, top_right, low_left, low_right, tee_right, tee_left, tee_down, tee_up, cross = tuple(
        skin.lines[2:]
    )
    return {
        "top": top_left + tee_down + top_right,
        "middle": tee_right + cross + tee_left,
        "bottom": low_left + tee_up + low_right,
    }[kind]


def framed(
    skin: Skin, columns: int, rows: int, title: Line, body: Sequence[Line], foot: Line = BLANK
) -> list[Line]:
    """A page in one frame of exactly this size, the foot under it."""
    inner = columns - 2
    height = rows - 3
    lines = [*body[:height], *[BLANK] * (height - len(body))]
    return [
        border(skin, (inner,), ((title, BLANK),), joints(skin, "top")),
        *(row(skin, ((content, inner),)) for content in lines),
        border(skin, (inner,), ((BLANK, BLANK),), joints(skin, "bottom")),
        foot,
    ]


def fits(columns: int, rows: int) -> bool:
    """Whether a window of this size shows more than that it is too small."""
    return columns >= LEAST[0] and rows >= LEAST[1]


def too_small() -> list[Line]:
    """What a window shows in which nothing fits."""
    return [line(tr("Window too small")), line(tr("make it {size} or larger", size=f"{LEAST[0]}x{LEAST[1]}"))]


def exactly(lines: list[Line], columns: int, rows: int) -> list[Line]:
    """The lines cut and padded to `rows` lines of `columns` cells."""
    fitted = [fit(content, columns) for content in lines[:rows]]
    return [*fitted, *[fit(BLANK, columns)] * (rows - len(fitted))]
