"""What a paper says of a run."""

from __future__ import annotations

from typing import Any

from pytest_codereason.engine.storage.seals import Seal
from pytest_codereason.reports.words.citation import write_citation
from pytest_codereason.results.runs.run_info import RunInfo, parse_run
from tests.results.synthetic import make_run


def make_info(**changes: Any) -> RunInfo:
    run = make_run(models=["local:a"], **changes)
    run["models"]["local:a"] |= {"spec": "local:a", "identity": {"model": "local", "weights": "b179"}}
    run["suites"]["semtrace"] |= {
        "task_version": 6,
        "resolved": {
            "source": {"name": "semtrace", "version": 2, "sha256": "8368"},
            "seed": 2026,
            "sampling": {"direct": {"temperature": 0.0, "top_p": None}},
            "stages": [],
        },
    }
    return parse_run(run)


def test_versions_digests_seeds_and_the_seal_are_told() -> None:
    seal = Seal(run="r", chain="c" * 64, marks=b"123456" * 2)
    lines = write_citation(make_info(), seal).splitlines()
    assert "asked        2026-11-21 with pytest-codereason 0.1.0" in lines
    assert "versions     python 3.11.9, pytest 9.2.0" in lines
    assert f"seal         {'c' * 64} over 2 records" in lines
    assert lines[lines.index("model local:a") :][:4] == [
        "model local:a",
        "  spec       local:a",
        "  model      local",
        "  weights    b179",
    ]
    assert lines[lines.index("suite semtrace") :][:7] == [
        "suite semtrace",
        "  task       output-prediction, version 6",
        f"  plan       {'3f2a' * 16}",
        "  source     name semtrace, version 2, sha256 8368",
        "  sampling   direct (temperature 0.0)",
        "  seed       2026",
        "  questions  1,200",
    ]


def test_an_entry_of_bibtex_for_the_tool_and_one_for_the_run() -> None:
    text = write_citation(make_info(), Seal(run="r", chain="c" * 64, marks=b""))
    assert "@misc{pytest-codereason,\n" in text
    assert "  version = {0.1.0},\n  year    = {2026},\n}\n" in text
    entry = text.partition("@misc{semtrace-2026-11-21T100000,\n")[2]
    assert entry.startswith("  key    = {semtrace-2026-11-21T100000},\n  title  = {{Answers of local:a}},\n")
    assert f"  note   = {{semtrace (plan {'3f2a' * 16}), seal {'c' * 16}}},\n" in entry
    assert entry.endswith("  year   = {2026},\n  month  = {11},\n}\n")


def test_braces_of_a_name_end_no_entry() -> None:
    run = make_run(models=["openai:{x}\\%"], started="", suites={"a b": {"language": ["python"]}})
    text = write_citation(parse_run(run), None)
    assert "{{Answers of openai:-x---}}" in text
    assert "@misc{a-b,\n" in text
    assert "seal" not in text
    assert "year" not in text


def test_a_part_is_said_to_be_one() -> None:
    assert "\npartial      10 of 40 questions\n" in write_citation(make_info(selection="10 of 40 questions"), None)
