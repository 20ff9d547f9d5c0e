"""The command line: words, help, usage errors, exit codes, and that nothing slow is imported for nothing."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system import with_full_disk
from tongits_lan import __version__
from tongits_lan.cli import arguments, logfile, main
from tongits_lan.console.speech import speaking
from tongits_lan.errors import Exit, UserError


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"tongits {__version__}\n"


def test_the_version_with_v_says_where_files_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["--version", "-v", "--data-dir", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert str(tmp_path / "log" / "tongits.log") in said
    assert sys.executable in said
    assert list(tmp_path.iterdir()) == [], "asking makes no file"


def test_a_python_without_the_libraries_is_told_what_to_do() -> None:
    checkout = Path(__file__).parents[1]
    bare = [sys.executable, "-S", "-m", "tongits_lan", "doctor"]  # -S: nothing of what pip installed is seen
    done = subprocess.run(bare, cwd=checkout, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (Exit.FAILED, "")
    assert done.stderr.count("\n") == 1, "one sentence, no traceback"
    assert sys.executable in done.stderr
    assert "'make play'" in done.stderr


def test_the_version_imports_no_room() -> None:
    code = (
        "import sys; from tongits_lan.cli.main import main; main(['--version']);"
        "slow = {'trio', 'msgspec', 'argparse', 'rbcl', 'cryptography', 'prompt_toolkit', 'asyncio'};"
        "sys.exit(str(slow & set(sys.modules)) if slow & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", [None, *arguments.COMMANDS])
def test_help_is_short_and_begins_with_examples(
    command: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main([*([command] if command else []), "-h"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert next(line for line in lines[1:] if line).startswith("example")


@pytest.mark.parametrize("command", [None, *arguments.COMMANDS])
def test_help_in_filipino_is_as_short(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("en"):
        assert main.main([*([command] if command else []), "--lang", "fil", "-h"]) == 0
        lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 90
    assert lines[0].startswith("gamit: tongits")
    assert any("halimbawa:" in line for line in lines)
    options = [line.split("  ")[-1] for line in lines if line.lstrip().startswith("-")]
    assert not [text for text in options if re.search(r"\b(the|and|of|an?|is|are|to)\b", text)]


def test_no_command_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([]) == 0
    assert "tongits play" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["frobnicate"],
        ["play", "--port", "0"],
        ["play", "--port", "x"],
        ["play", "--hands", "-1"],
        ["host", "--bots", "3"],
        ["demo", "--hands", "0"],
        ["verify"],
        ["show"],
        ["verify", "a", "--nope"],
        ["demo", "--rul", "pagat"],
    ],
)
def test_a_usage_error_is_one_sentence_and_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["frobnicate"], "wala ang 'frobnicate' sa 'play', 'host'"),
        (["play", "--port", "0"], "--port: ang port ay numerong 1 hanggang 65535, hindi '0'."),
        (["play", "--port"], "--port: kulang ang halaga nito."),
        (["demo", "--hands", "0"], "--hands: kailangan ng numerong 1 hanggang 10000, hindi '0'."),
        (["verify"], "tongits verify: kulang ng FILE. Tingnan: tongits verify -h"),
        (["verify", "a", "--nope"], "hindi maintindihan ang --nope."),
        (["rules", "--diff", "a"], "--diff: 2 halaga ang kailangan nito."),
        (["play", "--json=1"], "--json: walang halagang kailangan nito, hindi '1'."),
        (["completion", "tcsh"], "SHELL: wala ang 'tcsh' sa 'bash', 'zsh', 'fish'."),
    ],
)
def test_a_usage_error_is_said_in_the_language_of_the_player(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with speaking("en"):
        assert main.main(["--lang", "fil", *words]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--json", "verify", "F"], ["verify", "F", "--json"], ["verify", "--json", "F"]]
)
def test_a_common_option_may_stand_anywhere(words: list[str]) -> None:
    assert arguments.parse(words).json is True


@pytest.mark.parametrize("command", [[], ["play"], ["host"], ["join"]])
def test_the_options_of_a_seat_may_stand_before_the_command(command: list[str]) -> None:
    words = ["--name", "Ana", "--port", "15300", "--auto", "--interface", "lo", "--no-discovery"]
    parsed = arguments.parse([*words, "--lang", "fil", *command])
    assert (parsed.name, parsed.port, parsed.auto, parsed.interface) == ("Ana", 15300, True, "lo")
    assert (parsed.no_discovery, parsed.lang) == (True, "fil")
    assert parsed.command == (command[0] if command else None)


def test_common_options_have_their_defaults() -> None:
    parsed = arguments.parse(["verify", "F"])
    assert {name: getattr(parsed, name) for name in arguments.DEFAULTS} == arguments.DEFAULTS


def test_an_unknown_rule_set_names_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["rules", "poker"]) == 2
    assert "pagat" in capsys.readouterr().err


def test_no_terminal_for_the_screen_is_one_sentence(tmp_path: Path) -> None:
    for words in (["host"], ["join", "127.0.0.1:1"]):
        done = subprocess.run(
            [sys.executable, "-m", "tongits_lan", *words, "--data-dir", str(tmp_path)],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "--plain" in done.stderr
    assert list(tmp_path.iterdir()) == []


def options(**changes: object) -> argparse.Namespace:
    return argparse.Namespace(**{**arguments.DEFAULTS, **changes})


def test_a_log_that_was_asked_for_and_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError) as caught:
        logfile.start_log(options(log_file=str(tmp_path / "file" / "x.log")))
    assert caught.value.exit_code is Exit.FAILED
    assert logfile.start_log(options(data_dir=str(tmp_path / "file"))) is None, (
        "nobody asked: play without a log"
    )
    logfile.stop_log()


@pytest.mark.parametrize(
    ("verbose", "written"), [(0, "10.0.x.x:15213 fe80:0:x"), (2, "10.0.0.7:15213 fe80:0:0:1:2:3:4:5")]
)
def test_addresses_are_shortened_in_the_log(tmp_path: Path, verbose: int, written: str) -> None:
    import logging

    path = logfile.start_log(options(log_file=str(tmp_path / "x.log"), verbose=verbose))
    assert path is not None
    logging.getLogger("tongits_lan.net").info("linked %s %s", "10.0.0.7:15213", "fe80:0:0:1:2:3:4:5")
    logfile.stop_log()
    assert written in path.read_text()


@with_full_disk
def test_a_log_that_finds_the_disk_full_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """What a full disk means for the game is said once, by who keeps the ledger."""
    import logging

    assert logfile.start_log(options(log_file="/dev/full")) is not None
    for _ in range(3):
        logging.getLogger("tongits_lan.net").info("linked")
    logfile.stop_log()
    assert capsys.readouterr().err == ""


def test_a_bug_is_one_sentence_and_a_traceback_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = main._unexpected(options(command="play", data_dir=str(tmp_path)), ZeroDivisionError("x"))
    logfile.stop_log()
    log = tmp_path / "log" / "tongits.log"
    assert broken.exit_code is Exit.FAILED
    assert str(log) in broken.text
    assert "ZeroDivisionError" in log.read_text()


def test_the_log_is_rotated(tmp_path: Path) -> None:
    import logging

    assert logfile.start_log(options(log_file=str(tmp_path / "x.log"))) is not None
    for number in range(4_000):
        logging.getLogger("tongits_lan.net").info("%d %s", number, "x" * 1_000)
    logfile.stop_log()
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    assert all(file.stat().st_size <= logfile.LOG_BYTES for file in files)
