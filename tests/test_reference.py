"""The tables of ``docs/reference.md`` say what the code has."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from pytest_codereason.core import Outcome
from pytest_codereason.core.answers import SCORED
from pytest_codereason.results.verdicts.verdict import NOT_KNOWN
from tests.reference import PAGE, SCHEMA, draw_page, draw_schema, list_axes, list_suite_keys
from tests.stored import find_small, read_rows


def test_the_tables_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert page == draw_page(page), "draw the tables anew: python -m tests.reference"


def test_the_schema_is_that_of_the_code() -> None:
    assert SCHEMA.read_text("utf-8") == draw_schema(), "draw the schema anew: python -m tests.reference"


@pytest.mark.slow
def test_every_key_that_a_run_writes_is_in_the_schema() -> None:
    definitions = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    run = json.loads((find_small() / "run.json").read_text())
    (suite,) = run["suites"].values()
    record, *_ = read_rows(find_small())
    written = {
        "Record": record,
        "RecordStep": record["steps"][0],
        "RunInfo": run,
        "ModelInfo": next(iter(run["models"].values())),
        "SuiteInfo": suite,
        "Metric": suite["metrics"][0],
    }
    for name, content in written.items():
        assert content.keys() - definitions[name]["properties"].keys() == set(), name
        assert set(definitions[name].get("required", ())) <= content.keys(), name


def test_every_key_of_the_schema_is_explained() -> None:
    definitions = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    keys = [(of, key, value) for of, each in definitions.items() for key, value in each["properties"].items()]
    assert [f"{of}.{key}" for of, key, value in keys if "description" not in value] == []


def test_every_variable_of_the_environment_is_listed() -> None:
    code = (path.read_text() for path in (PAGE.parent.parent / "pytest_codereason").rglob("*.py"))
    used = {name for text in code for name in re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", text)}
    # between processes of a run, and what no user sets for this package
    own = {"CODEREASON_RESULT", "CODEREASON_WORKER_INDEX", "PATH", "PYTEST_XDIST_WORKER_COUNT"}
    listed = PAGE.read_text("utf-8")
    assert {name for name in used - own if f"`{name}`" not in listed} == set()


def test_every_exit_code_is_listed() -> None:
    section = PAGE.read_text("utf-8").partition("## Exit codes\n")[2].partition("\n## ")[0]
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)}
    of_pytest = {int(code) for code in pytest.ExitCode if code <= pytest.ExitCode.NO_TESTS_COLLECTED}
    assert listed == of_pytest | {NOT_KNOWN}


def test_every_key_of_a_suite_file_is_explained() -> None:
    pages = "".join(page.read_text("utf-8") for page in PAGE.parent.glob("*.md") if page != PAGE)
    keys = list_suite_keys()
    assert len(keys) > 30
    explained = set(re.findall(r"`(\w+)(?: = \w+)?`|\[(\w+)\]|^ *(\w+) = ", pages, re.MULTILINE))
    assert keys - {name for names in explained for name in names} == set()


def test_every_axis_is_listed_with_its_default() -> None:
    section = PAGE.with_name("suites.md").read_text("utf-8").partition("## Axes\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    listed = {
        axis: default for axes, _, *last in rows for axis, default in zip(_split(axes), _split(*last), strict=True)
    }
    drawn = {"removed"}  # by [ablation], never written in a suite file
    assert {axis.name: str(axis.default) for axis in list_axes() if axis.name not in drawn}.items() <= listed.items()


def test_every_outcome_is_listed_with_whether_it_counts() -> None:
    section = PAGE.with_name("scores.md").read_text("utf-8").partition("## What is counted\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+`) \| .+ \| (yes|no) \|$", section, re.MULTILINE)
    listed = {name: counts == "yes" for names, counts in rows for name in _split(names)}
    assert listed == {name: name in SCORED for name in get_args(Outcome)}


def _split(cell: str = "") -> list[str]:
    return [name.strip("`") for name in cell.split(", ")]
