"""What every screen looks like, letter by letter, in every size and both skins; and those the README shows.

After a change that is meant: `python -m tests.make_screens`, then look at what has become of them.
"""

import re
from functools import cache

import pytest
from prompt_toolkit.utils import get_cwidth

from tests.make_screens import GOLDEN, NAMES, README, SCREENS, files, readme


@cache
def made() -> dict[str, str]:
    return files()


def parts(text: str) -> dict[str, str]:
    """Title -> picture."""
    found = re.split(r"^==== (.+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def test_there_is_a_file_for_every_size_and_skin_and_no_other() -> None:
    assert {path.name for path in GOLDEN.glob("screens-*.txt")} == set(NAMES)
    assert list(made()) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_screen_is_as_it_was(name: str) -> None:
    kept, now = parts((GOLDEN / name).read_text("utf-8")), parts(made()[name])
    changed = [title for title in SCREENS if kept.get(title) != now[title]]
    shown = "\n".join(f"==== {title}\n{now[title]}" for title in changed)
    assert not changed, f"other than in {name}; if that is meant: python -m tests.make_screens\n{shown}"
    assert kept.keys() == now.keys()


@pytest.mark.parametrize("name", NAMES)
def test_every_line_fits_the_window(name: str) -> None:
    found = re.search(r"(\d+)x(\d+)", name)
    assert found is not None
    for title, picture in parts(made()[name]).items():
        lines = picture.rstrip("\n").split("\n")
        assert len(lines) <= int(found[2]), title
        assert max(get_cwidth(text) for text in lines) <= int(found[1]), title


CUT = {"menu", "tables"}  # lists of names that may be longer than any line
CUT_WHERE_SMALL = CUT | {"name", "code"}  # what stands there says the keys below once more


@pytest.mark.parametrize("name", [name for name in NAMES if "ascii" in name])
def test_no_sentence_is_cut_off(name: str) -> None:
    may_be = CUT_WHERE_SMALL if "60x16" in name else CUT
    cut = {title for title, picture in parts(made()[name]).items() if "~" in picture}
    assert cut <= may_be


@pytest.mark.parametrize("name", [name for name in NAMES if "ascii" in name])
def test_item_12_letters_are_enough_for_every_screen(name: str) -> None:
    assert made()[name].isascii()


def test_the_screens_in_the_readme_are_real() -> None:
    text = README.read_text("utf-8")
    assert text.count("<!-- screen: ") >= 2
    assert readme(text) == text, "the README shows an old picture: python -m tests.make_screens"
