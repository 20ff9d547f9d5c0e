"""The manual page and the completion of shells: they tell of this command line and no other."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.make_manual import PAGE, page
from tongits_lan.cli import main
from tongits_lan.cli.arguments import DEFAULTS, LANGUAGES, SHELLS
from tongits_lan.cli.completion import SCRIPTS
from tongits_lan.cli.grammar import command_line
from tongits_lan.cli.main import MODULES
from tongits_lan.console import speech
from tongits_lan.game.rules import PRESETS

COMMANDS = command_line()


def test_the_page_is_the_one_this_command_line_makes() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.make_manual"


def test_the_page_tells_every_command_and_option() -> None:
    text = page().replace("\\-", "-")
    for command in COMMANDS:
        assert f"tongits {command.name}".strip() in text
        for option in command.options:
            assert option.help
            assert option.help in text
            assert all(name in text for name in option.names)


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here to read the page")
def test_the_page_can_be_read_without_a_complaint(tmp_path: Path) -> None:
    made = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", "-P-c", str(PAGE)], capture_output=True, text=True, timeout=60
    )
    assert made.stderr == ""
    assert made.returncode == 0
    shown = re.sub(".\x08", "", made.stdout)  # bold is a letter struck twice
    assert "tongits - Tongits for three friends" in shown
    assert "EXIT STATUS" in shown


def test_every_command_is_known_to_the_grammar() -> None:
    assert {command.name for command in COMMANDS} == {"", *MODULES} - {"home"}
    program = COMMANDS[0]
    names = {name for option in program.named for name in option.names}
    assert {f"--{name.replace('_', '-')}" for name in ("lang", "json", "plain", "data_dir")} <= names
    assert "lang" in DEFAULTS
    assert tuple(speech.LANGUAGES) == LANGUAGES


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_offers_every_command_and_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert script == "\n".join(SCRIPTS[shell]()) + "\n"
    for command in COMMANDS:
        assert command.name in script
        for option in command.named:
            for name in option.names:
                assert (name if shell != "fish" else name.lstrip("-")) in script
    assert " ".join(PRESETS) in script


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_read_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here to read the script")
    script = tmp_path / "script"
    script.write_text("\n".join(SCRIPTS[shell]()) + "\n", "utf-8")
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_tongits
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here to complete in")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["ver"], ["verify"]),
        (["host", "--ru"], ["--rules"]),
        (["host", "--rules", "ho"], ["house"]),
        (["rules", "pa"], ["pagat"]),
        (["--lang", ""], ["en", "fil"]),
        (["play", "--lang", "f"], ["fil"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["verify", "some-led"], ["some-ledger.tongits"]),
        (["verify", "--pro"], ["--proofs"]),
        (["host", "--name", ""], [""]),
        (["--pl"], ["--plain"]),
    ],
)
def test_bash_completes(typed: list[str], offered: list[str], tmp_path: Path) -> None:
    (tmp_path / "some-ledger.tongits").touch()
    script = tmp_path / "script"
    script.write_text("\n".join(SCRIPTS["bash"]()) + "\n", "utf-8")
    done = subprocess.run(
        ["bash", "-c", BASH, "bash", str(script), "tongits", *typed],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == offered
