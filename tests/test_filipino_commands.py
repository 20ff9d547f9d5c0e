"""What commands say in Filipino: reports of ledgers, the doctor, and sentences that arrive as bare texts."""

import dataclasses
import os
import re
from pathlib import Path

import pytest

from tests.test_doctor import LO, MINUTE, WIFI, interface, machine
from tests.test_report import ALL_ROWS, REPORT
from tongits_lan.cli import doctor, verify
from tongits_lan.cli.doctor import Check
from tongits_lan.cli.main import main
from tongits_lan.console.speech import speaking, told
from tongits_lan.errors import Code, UserError
from tongits_lan.game import refusals
from tongits_lan.game.catalogue import CATALOGUE
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.sentences import Quote, cause, phrase
from tongits_lan.ledger.phases import kind_name
from tongits_lan.ledger.report import REPLAYS, FaultFound, Pending, sentences
from tongits_lan.ledger.state import Due
from tongits_lan.net import handshake
from tongits_lan.store import house_rules, settings

ENGLISH = re.compile(r"\b(the|this|that|is|was|of|and|or|does|not|to|for|from|nobody|entry)\b")


def english(lines: list[str]) -> list[str]:
    return [line for line in lines if ENGLISH.search(line)]


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("code", list(Code))
def test_every_fault_is_told_in_filipino(code: Code, seat: int | None) -> None:
    for hand, height in ((2, 99), (None, 3), (None, None)):
        fault = FaultFound(code, "words of the check for developers", seat, hand, height)
        report = dataclasses.replace(REPORT, status="faulty", fault=fault)
        with speaking("fil"):
            said = verify.brief(report)
        assert english(said) == []
        assert height is None or f"tala {height}" in said[-1]
        assert seat is None or "Ben" in said[-1]


def test_the_words_of_a_check_are_kept_where_they_are_known() -> None:
    texts = (str(refusals.locked(0, 1, (0, 1, 2), "run", lasting=False)), *REPLAYS)
    with speaking("fil"):
        said = [
            verify.brief(
                dataclasses.replace(REPORT, status="faulty", fault=FaultFound(Code.RULES, text, 1, 1, 7))
            )[-1]
            for text in texts
        ]
    assert "isinapaw ni Ana ang AC 2C 3C sa straight mo mula noong huli mong tira" in said[0]
    assert english(said) == []


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: kind_name(row[0]))
def test_what_is_awaited_is_told_in_filipino(row: tuple[type, ...]) -> None:
    for hand in (None, 2):
        pending = Pending(hand, Due(2, tuple(kind_name(kind) for kind in row)))
        with speaking("fil"):
            said = verify.brief(dataclasses.replace(REPORT, status="incomplete", torn=True, pending=pending))
        assert english(said) == []
        assert "hinihintay si Carlo na " in said[-1]


def test_a_verdict_kept_in_english_is_found_again() -> None:
    fault = FaultFound(Code.PROOF, "the shuffle proof does not hold", 1, 3, 61)
    kept = [
        sentences(dataclasses.replace(REPORT, status="faulty", fault=fault))[-1],
        sentences(REPORT)[-1],
        sentences(dataclasses.replace(REPORT, status="incomplete"))[-1],
    ]
    with speaking("fil"):
        said = [told(Quote(text)) for text in kept]
    assert said[0] == "Hindi totoo ang patunay ng balasa ni Ben, laro 3, tala 61."
    assert said[1].startswith("Patas: 1 laro, ")
    assert said[1].endswith("; puwedeng ituloy ang mesa.")
    assert said[2].startswith("Hindi tapos: 1 laro, ")


def test_a_bare_text_that_fits_no_sentence_stays() -> None:
    with speaking("fil"):
        for text in ("", "x", "Ben", "{0}", "nothing of ours {name} %s", "a" * 10_000):
            assert told(Quote(text)) == text
    assert told(
        Quote("The disk is full, x could not be written: free some space, then start again.")
    ).isascii()


def test_a_bare_text_is_looked_at_once_whatever_it_holds() -> None:
    """No text from another program keeps this one busy: pieces are looked for from left to right."""
    with speaking("fil"):
        hostile = "The table in " + " is open in another window: close it there, then start" * 4000
        assert told(Quote(hostile)) == hostile


def checks() -> list[Check]:
    """Every check, well and not."""
    size, small = os.terminal_size((80, 24)), os.terminal_size((40, 10))
    folder = Path("/proc/nowhere")
    vpn = interface("tun0", "10.8.0.2/24")
    return [
        doctor._program(machine("linux")),
        *(doctor._network(known) for known in ((WIFI, LO), (LO,), ())),
        *(doctor._addresses(known) for known in ((WIFI, LO), (LO,))),
        doctor._port("127.0.0.1", None),
        doctor._answers((LO,)),
        doctor._multicast(),
        doctor._vpn((WIFI, vpn)),
        doctor._vpn((WIFI,)),
        *(doctor._firewall(machine(system), 15213) for system in ("linux", "darwin", "win32")),
        doctor._firewall(machine("linux", {"/etc/ufw/ufw.conf": "ENABLED=yes"}), 15213),
        doctor._firewall(machine("linux", {"/etc/ufw/ufw.conf": "ENABLED=no"}), 15213),
        doctor._clock(0, MINUTE),
        doctor._clock(2e9, (1.0, 60.0)),
        doctor._clock(2e9, MINUTE),
        doctor._terminal(False, size, {}),
        doctor._terminal(True, small, {}),
        doctor._terminal(True, size, {"TERM": "xterm"}),
        doctor._encoding("utf-8", {}, ascii_only=False),
        doctor._encoding("ascii", {}, ascii_only=False),
        doctor._folder(folder),
        doctor._folder(Path("/")),
    ]


def test_the_doctor_speaks_filipino_and_its_json_does_not() -> None:
    found = checks()
    with speaking("fil"):
        assert english(doctor.in_words(found)) == []
        objects = [check.as_object() for check in found]
    assert objects == [check.as_object() for check in found]
    assert all(type(one["check"]) is str for one in objects)


LEDGERS = Path(__file__).parents[1] / "protocol" / "ledgers"
OBJECTS = (
    ["verify", str(LEDGERS / "foul.tongits")],
    ["verify", str(LEDGERS / "another-first-line.tongits")],
    ["show", str(LEDGERS / "cheat-a-call-before-opening.tongits")],
    ["replay", str(LEDGERS / "foul.tongits")],
    ["history", "--summary", str(LEDGERS / "foul.tongits")],
    ["rules", "house"],
    ["rules", "--diff", "pagat", "joker"],
    ["rules"],
)


@pytest.mark.parametrize("words", OBJECTS, ids=lambda words: " ".join(words[:2])[:20])
def test_what_programs_read_is_the_same_in_every_language(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for language in ("en", "fil"):
        with speaking("en"):
            main(["--lang", language, "--json", *words])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != ""


def test_a_text_in_another_is_said_with_it() -> None:
    with speaking("fil"):
        inner = Quote("There is no file x: check the name.")
        assert told(phrase("{where} cannot be reached: {permission}", where="h", permission=inner)) == (
            "Hindi maabot ang h: Walang file na x: tingnan kung tama ang pangalan."
        )
        assert told(phrase("Table words: {words}.", words="the deck is dealt")).endswith("the deck is dealt.")


@pytest.mark.parametrize(
    ("english_text", "filipino"),
    [
        (handshake._version_text("Ana", "1.0", "2.0"), "Bersiyon 1.0 ang kay Ana, 2.0 ang sa sumasali"),
        (handshake._same_identity(), "Sarili itong pagkakakilanlan ng host"),
        (f"{phrase('{name} closed the table before it began.', name='Ben')}", "Isinara ni Ben ang mesa"),
        ("Ben asked you to leave the table.", "Pinaalis ka ni Ben sa mesa."),
        ("nothing was heard for 15 s", "walang narinig nang 15 s"),
    ],
)
def test_what_comes_over_the_wire_is_said_in_the_language_of_who_reads_it(
    english_text: str, filipino: str
) -> None:
    with speaking("fil"):
        assert told(Quote(str(english_text))).startswith(filipino)
        shown = told(
            phrase("The host went away ({reason}): looking for it again.", reason=Quote(english_text))
        )
        assert filipino in shown
    assert told(Quote(str(english_text))) == english_text


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_rules_file_is_explained_in_filipino_and_says_the_same(preset: str) -> None:
    with speaking("fil"):
        text = house_rules.template(preset, told)
    comments = [line for line in text.splitlines() if line.startswith("#") and " = " not in line]
    assert len(comments) > len(CATALOGUE)
    assert english(comments) == []
    opened = re.sub(r"(?m)^# (\w+ = )", r"\1", text)
    assert house_rules.parse(opened, "template") == house_rules.parse(text, "template") == PRESETS[preset]


def test_settings_are_explained_in_filipino(tmp_path: Path) -> None:
    with speaking("fil"):
        settings.keep(tmp_path / "config.toml", settings.Settings(lang="fil"), told)
    written = (tmp_path / "config.toml").read_text("utf-8")
    assert english([line for line in written.splitlines() if line.startswith("#")]) == []
    assert written.count("# ") == 1 + len(settings.COMMENTS)
    assert settings.load(tmp_path / "config.toml").lang == "fil"


def test_what_the_system_says_is_translated_where_it_is_known(tmp_path: Path) -> None:
    with pytest.raises(UserError) as raised:
        house_rules.load(tmp_path / "absent.toml")
    with speaking("fil"):
        assert "(walang ganoong file o folder)" in told(raised.value.text)
        assert told(cause(OSError(0, "something no system says"))) == "something no system says"
        assert told(cause(TimeoutError())) == "TimeoutError"
    assert "(No such file or directory)" in str(raised.value)
