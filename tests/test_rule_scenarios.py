"""Every rule scenario, one test for each id and preset; `--scenarios FILE_OR_DIR` runs other files."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests import scenarios

_RULES = Path(__file__).parent.parent / "protocol" / "vectors" / "rules"
_SCHEMA = "scenarios.schema.json"


def _files(where: str | None) -> list[Path]:
    if where is None:
        return [_RULES / "scenarios.json", _RULES / "options.json", _RULES / "more.json"]
    path = Path(where)
    return sorted(p for p in path.rglob("*.json") if _holds_scenarios(p)) if path.is_dir() else [path]


def _holds_scenarios(path: Path) -> bool:
    """A folder may hold other JSON files, such as the schema."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return isinstance(data, list) and all(isinstance(d, dict) and {"id", "kind"} <= set(d) for d in data)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    files = _files(metafunc.config.getoption("--scenarios"))
    if "file" in metafunc.fixturenames:
        metafunc.parametrize("file", files, ids=[f.name for f in files])
    if "scenario" in metafunc.fixturenames:
        cases = []
        read = {file: json.loads(file.read_text(encoding="utf-8")) for file in files}
        ids = [scenario["id"] for found in read.values() for scenario in found]
        for file, found in read.items():
            prefix = "" if len(set(ids)) == len(ids) else f"{file.stem}-"
            for scenario in found:
                for preset in scenarios.presets_of(scenario["rules"]):
                    name = f"{prefix}{scenario['id']}-{preset}"
                    cases.append(pytest.param(scenario, preset, id=name))
        metafunc.parametrize(("scenario", "preset"), cases)


def test_the_file_has_the_published_form(file: Path) -> None:
    schema = json.loads((_RULES / _SCHEMA).read_text(encoding="utf-8"))
    data = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(data, schema)
    ids = [scenario["id"] for scenario in data]
    assert len(set(ids)) == len(ids)


def test_scenario(scenario: dict[str, Any], preset: str) -> None:
    scenarios.run(scenario, preset)
