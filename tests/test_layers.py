"""The shape of the code: layers, style, types and sizes, judged by the tools that own them."""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system import ROOT

PACKAGE = ROOT / "tongits_lan"
FUNCTION_LINES = 50
CLASS_LINES = 300
FILE_LINES = 500

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def run_tool(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}{done.stderr}"


def test_the_rooms_stand_in_layers() -> None:
    run_tool("-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache")


def test_ruff_finds_nothing() -> None:
    run_tool("-m", "ruff", "check", "--quiet", ".")


def test_the_code_is_formatted() -> None:
    run_tool("-m", "ruff", "format", "--check", "--quiet", ".")


@pytest.mark.slow
def test_the_types_hold() -> None:
    run_tool("-m", "mypy", "--no-error-summary")


def sources(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)


@functools.cache
def tree(path: Path) -> ast.Module:
    """The code of a file, parsed once."""
    return ast.parse(path.read_text("utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements within, at any depth; expressions define nothing that counts here."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from statements(child)


def sizes() -> Iterator[tuple[str, int, int]]:
    """(what, its lines, its budget) of every file, class and function, those of the tests included."""
    for path in (*sources(PACKAGE), *sources(ROOT / "tests")):
        name = path.relative_to(ROOT).as_posix()
        yield name, len(path.read_text("utf-8").splitlines()), FILE_LINES
        for node in statements(tree(path)):
            if isinstance(node, Definition):
                assert node.end_lineno is not None
                budget = CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES
                yield f"{name}:{node.name}", node.end_lineno - node.lineno + 1, budget


def test_nothing_grows_over_its_budget() -> None:
    over = {what: lines for what, lines, budget in sizes() if lines > budget}
    assert over == {}


def imported(path: Path) -> set[str]:
    """The top names of all modules a file imports, at any depth of the code."""
    names: set[str] = set()
    for node in statements(tree(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", list(sources(PACKAGE / "console")), ids=lambda path: path.name)
def test_only_the_bridge_of_the_console_knows_loops_and_clocks(path: Path) -> None:
    if path.name not in ("app.py", "bridge.py", "door_app.py", "outlet.py", "reel_app.py"):
        assert imported(path) & {"trio", "asyncio", "time", "datetime", "secrets"} == set()


@pytest.mark.parametrize("room", ["game", "deck", "ledger", "bots"])
def test_pure_rooms_import_nothing_that_differs_from_run_to_run(room: str) -> None:
    forbidden = {
        "time",
        "datetime",
        "os",
        "pathlib",
        "secrets",
        "socket",
        "threading",
        "asyncio",
        "trio",
        "tempfile",
    }
    found = {path.name: imported(path) & forbidden for path in sources(PACKAGE / room)}
    assert {name: names for name, names in found.items() if names} == {}


def test_every_module_says_what_it_owns() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in sources(PACKAGE)
        if path.read_text("utf-8").strip() and ast.get_docstring(tree(path)) is None
    ]
    assert silent == []
