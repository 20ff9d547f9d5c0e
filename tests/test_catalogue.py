"""The catalogues: no text is missing in any language, no field is lost, the file read is the one written."""

import ast
import gettext
import io
import itertools
import re
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.make_catalogue import PACKAGE, collected, mo_bytes, read, texts_of
from tongits_lan.console.speech import LANGUAGES, catalogue, speaking, told
from tongits_lan.game.describe import chapters, summary
from tongits_lan.game.rules import OPTIONS, PRESETS, Rules, values_of
from tongits_lan.game.sentences import Phrase

OTHERS = [language for language in LANGUAGES if language != "en"]
FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
CASES = {"", "ang", "ng", "sa", "si"}


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing_and_none_is_left_over(language: str) -> None:
    written = {_key(message.id): message.string for message in read(language) if message.id}
    wanted = set(collected())
    assert wanted - set(written) == set(), "run: python -m tests.make_catalogue"
    assert set(written) - wanted == set(), "run: python -m tests.make_catalogue"
    empty = [text for text, said in written.items() if not all(_forms(said))]
    assert empty == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_field_is_lost_and_the_edges_stay(language: str) -> None:
    for message in read(language):
        if not message.id:
            continue
        english = _forms(message.id)
        fields = {name for text in english for name, _ in FIELD.findall(text)}
        for text in _forms(message.string):
            found = FIELD.findall(text)
            assert {name for name, _ in found} == fields, text
            assert {case for _, case in found} <= CASES, text
            assert text.count("{") == text.count("}") == len(found), text
            blanks = [len(text) - len(text.lstrip()), len(text) - len(text.rstrip())]
            assert blanks == [
                len(english[0]) - len(english[0].lstrip()),
                len(english[0]) - len(english[0].rstrip()),
            ]


@pytest.mark.parametrize("language", OTHERS)
def test_the_file_the_program_reads_is_made_of_the_one_people_write(language: str) -> None:
    made = gettext.GNUTranslations(io.BytesIO(mo_bytes(read(language))))
    for text in collected():
        if isinstance(text, str):
            assert catalogue(language).gettext(text) == made.gettext(text)
            continue
        for count in (1, 2):
            assert catalogue(language).ngettext(*text, count) == made.ngettext(*text, count)


def test_filipino_can_be_shown_everywhere() -> None:
    for message in read("fil"):
        for text in _forms(message.string):
            assert text.isascii(), text  # a terminal in ASCII shows it, too


def test_rules_are_said_in_full_whatever_the_options() -> None:
    """Every sentence of every value of every option, and every pair of those a sentence speaks of."""
    english = catalogue("en").gettext
    with speaking("fil"):
        for rules in _rule_sets():
            for sentence in (summary(rules), *(s.text for c in chapters(rules) for s in c.sentences)):
                assert isinstance(sentence, Phrase)
                for part in _parts(sentence):
                    assert catalogue("fil").gettext(part) != english(part), part
                assert "{" not in told(sentence)


def _rule_sets() -> list[Rules]:
    base = PRESETS["pagat"]
    single = [{option: value} for option in OPTIONS for value in _few(option)]
    jokers = [{"jokers": 2, **one} for one in single]
    paying = [{"variable_payout": "difference", **one} for one in single]
    folding = [{"fold_fee": 2, **one} for one in single]
    changes = itertools.chain(single, jokers, paying, folding)
    return [*PRESETS.values(), *(msgspec.structs.replace(base, **change) for change in changes)]


def _few(option: str) -> list[object]:
    values: list[object] = list(values_of(option))
    return values if len(values) < 8 else [values[0], values[1], values[2], values[-1]]


def _parts(sentence: Phrase) -> list[str]:
    inner = [part for _, value in sentence.fields if isinstance(value, Phrase) for part in _parts(value)]
    words = FIELD.sub("", sentence.template).strip(string.punctuation + " ")
    return [*([sentence.template] if words and not _alike(sentence.template) else []), *inner]


def _alike(text: str) -> bool:
    return FIELD.sub("", text).strip(string.punctuation + " ").lower() in {"chip", "joker", "tongits"}


def test_the_collector_sees_what_is_said() -> None:
    source = """
tr("a {x}", x=1)
tr("b" if y else "c")
trn("{count} d", "{count} ds", 2)
counted(2, "{count} e", "{count} es")
desk.note("f")
raise Refused("g")
Binding(("k",), Act.K, (Mode.K,), "k", "h")
tr(name)
tr("{only}: {fields}")
print("not said")
"""
    found = {text for _, text in texts_of(source)}
    assert found == {"a {x}", "b", "c", ("{count} d", "{count} ds"), "{count} e", "{count} es", "f", "g", "h"}


SAID = {  # calls whose texts are looked up in the catalogue, or are no sentences for players
    *("tr", "trn", "mark", "phrase", "said", "told", "note", "counted", "count_of", "Binding", "ReelKey"),
    *("Refused", "UserError", "NoAnswerError", "wrong", "add_argument", "add_argument_group", "add_parser"),
    *("LinkLost", "NotOurs", "NotEncryptedError", "Fault", "PeerFault", "Bye", "end", "Asks"),
    *("RefusedLink", "gaierror", "BrokenResourceError", "TimeoutError", "__init__"),
    *("KeyError", "RuntimeError", "ValueError", "AssertionError", "form", "from_dict", "getLogger"),
    *("debug", "info", "warning", "error", "critical", "log"),
}
KNOWN = {  # names of acts, styles and values; what is said alike in every language
    *("move left", "move right", "keep waiting", "give up", "next hand", "last hand", "begin another"),
    *("wrong code", "other key", "rule set", "turn time", "Bilis naman!", "Teka lang.", "Ang galing!"),
    *("Up Down Enter", "Left Right", "Sayang.", "ang pot", "Ang pot", "language / wika", " class:", "drew "),
    *("ang kung sino", "ng kung sino", "sa kung sino", "Kung sino", "Tongits, :  ()"),
    # command lines and what systems call things
    *("tongits play", "tongits host", "tongits join", "tongits join 192.168.1.20"),
    *("--rules house", "--diff pagat house", "[--json] [--interface NAME]", "tongits verify --proofs "),
    *("[--json] [--interface NAME] [--port P]", "[--hands N] [--rules R] [--dir DIR] [--json]"),
    *(
        "tongits ",
        "tongits COMMAND [options]",
        "tongits \n",
        "python: ",
        "tongits_lan.cli.",
        "Windows Defender",
    ),
    *(
        "`sudo ufw allow /tcp`",
        "`sudo ufw allow /udp`",
        "tongits-.local.",
        "identity key of ",
        "pipx upgrade tongits-lan",
    ),
    *("`sudo firewall-cmd --add-port=/tcp --add-service=mdns`", "free to share"),
    # first lines of files, and what a parser of Python says
    *("tongits-lan identity ", "tongits-lan known 1", "(at end of document)"),
}
WITHOUT_SENTENCES = {
    "cli/completion.py": "shell code",
    "cli/secret_search.py": "names of secrets in a report on the program itself",
    "cli/usage.py": "what argparse says, to be found and replaced",
    "store/history.py": "SQL",
}
ROOMS = ("console", "cli", "net", "store")


@pytest.mark.parametrize(
    "path",
    [
        path
        for room in ROOMS
        for path in sorted((PACKAGE / room).glob("*.py"))
        if f"{room}/{path.name}" not in WITHOUT_SENTENCES
    ],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_sentence_escapes_the_catalogue(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert [text for text in _unmarked(tree, said=False) if text not in KNOWN] == []


def test_no_refusal_is_a_text_with_its_values_already_in_it() -> None:
    """An f-string or a format loses the template, and with it every other language."""
    lost = [
        f"{path.name}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and _name(node) in {"UserError", "NoAnswerError", "Refused", "tr", "phrase"}
        and node.args
        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert lost == []


def _name(node: ast.Call) -> str:
    return str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))


def _unmarked(node: ast.AST, *, said: bool) -> Iterator[str]:
    """English words that are put together or shown without a look into the catalogue."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return  # a docstring
        case ast.Call(func=func):
            said = said or (getattr(func, "id", None) or getattr(func, "attr", "")) in SAID
        case ast.JoinedStr(values=values) if not said:
            text = "".join(str(part.value) for part in values if isinstance(part, ast.Constant))
            if re.search(r"[A-Za-z]{3}", text):
                yield text
            for part in values:
                if isinstance(part, ast.FormattedValue):
                    yield from _unmarked(part.value, said=False)
            return
        case ast.Constant(value=str() as text) if not said and re.search(r"[A-Za-z]{3,} [A-Za-z]{2}", text):
            yield text
    for inner in ast.iter_child_nodes(node):
        yield from _unmarked(inner, said=said)


def _key(text: str | tuple[str, ...] | list[str]) -> str | tuple[str, ...]:
    return text if isinstance(text, str) else tuple(text)


def _forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)
