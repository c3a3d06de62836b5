"""Where a model fails has one answer: in the terminal, in ``summary.md``, in the ranking and beneath the charts."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.reports.conclusion import report_run
from pytest_codereason.results.verdicts.judging import Rules
from tests.results.figures.rows import record, run
from tests.results.synthetic import build_data, make_run, write_run

LEVELS = list(range(1, 9))
VALUES = ["vanilla", "rename", "hint"]


def report(folder: Path, suites: dict[str, tuple[str, dict[str, list[Any]]]], rows: list[dict[str, Any]]) -> list[str]:
    """The terminal's summary on one line, ``summary.md``, and the page."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    described = make_run(models=models) | {"suites": run(suites, models)["suites"], "gates": []}
    data = build_data(described, write_run(folder, described, rows))
    result = report_run(folder, data, [], Rules(), output=folder)
    lines = " ".join(" ".join(text.split()) for text, _ in result.lines(100))
    summary = (folder / "summary.md").read_text().replace("\\", "")
    return [lines, summary, html.unescape((folder / "report.html").read_text())]


def climb(model: str, last: int, programs: int) -> list[dict[str, Any]]:
    """Answers of a model that is right up to the level ``last``; each level has programs of its own."""
    return [
        record("ladder", model, 100 * level + p, {"level": level}, level <= last)
        for level in LEVELS
        for p in range(programs)
    ]


@pytest.mark.slow
def test_a_change_that_is_clear_alone_is_clear_nowhere_beside_others(tmp_path: Path) -> None:
    rows = climb("alpha", 4, 6) + climb("beta", 6, 6) + climb("gamma", 0, 6)
    suites = {"ladder": ("output-prediction", {"level": LEVELS})}
    alone, *_ = report(tmp_path / "alone", suites, climb("alpha", 4, 6))
    assert "falls most: level 5: 0.000" in alone
    lines, summary, page = report(tmp_path, suites, rows)
    said = "changes with level, no single value is clear"
    assert lines.count(f"falls most: {said} (21 changes looked at together)") == 2
    assert "falls most: 12 programs are too few to tell: it takes at least 14 (21 changes looked at together)" in lines
    assert summary.count(f"| {said} |") == 2
    assert page.count(f'<td data-title="falls most">{said}</td>') == 2
    chart = "On alpha and beta, exact changes clearly with level, but no single change is clear (21 changes"
    assert chart in page


def test_the_course_over_two_values_is_their_change(tmp_path: Path) -> None:
    """Of eight levels two were asked, on five programs each: 5 are right, then 1."""
    rows = climb("m", 1, 5)[:10]
    rows[-1] |= {"outcome": "correct", "metrics": {"exact": 1.0, "partial": 1.0}}
    lines, *_ = report(tmp_path, {"ladder": ("output-prediction", {"level": LEVELS})}, rows)
    assert "falls most: none is clear (1 change)" in lines


@pytest.mark.parametrize(("programs", "clear"), [(7, False), (40, True)])
def test_the_figure_of_perturbations_judges_its_changes_with_those_of_all_axes(
    programs: int, clear: bool, tmp_path: Path
) -> None:
    """Seven programs that all fall are clear among two changes, and not among the six of a suite with another axis."""
    cells = [{"perturbation": value, "digits": digits} for value in VALUES for digits in (2, 3, 4)]
    rows = [
        record("mis", "m", p, cell, cell["perturbation"] != "hint") | {"id": f"{p}{cell}"}
        for p in range(programs)
        for cell in cells
    ]
    axes: dict[str, list[Any]] = {"perturbation": VALUES, "digits": [2, 3, 4]}
    lines, summary, page = report(tmp_path, {"mis": ("output-prediction", axes)}, rows)
    assert ("falls most (vanilla): perturbation hint: 0.000" in lines) is clear
    assert ("Largest clear drop (4 changes looked at together): m under hint" in lines) is clear
    assert ("Exact falls from 1.000 at perturbation vanilla to 0.000 at hint" in page) is clear
    assert bool(re.search(r'<td data-title="falls most">perturbation hint: 0.000', page)) is clear
    assert ("| perturbation hint: 0.000" in summary) is clear
    if not clear:
        assert "7 programs are too few to tell whether a perturbation changes anything: it takes at least 8 (4" in lines


def test_the_row_of_a_summary_counts_what_was_cut_off_in_other_conditions(tmp_path: Path) -> None:
    rows = [record("mis", "m", p, {"perturbation": v}, v != "hint" or p < 20) for v in VALUES for p in range(40)]
    rows = [row if row["outcome"] == "correct" else row | {"outcome": "truncated"} for row in rows]
    lines, summary, page = report(tmp_path, {"mis": ("output-prediction", {"perturbation": VALUES})}, rows)
    weakest = (
        "perturbation hint: 0.500 [0.352, 0.648] (−50.0\xa0%), −50.0 to 0.0 % with 20 truncated answers, not certain"
    )
    plain = weakest.replace("\xa0", " ")
    assert f"| 0 | 0, **20 in other conditions** | 0 | {plain} |" in summary
    assert f'<td data-title="falls most">{weakest}</td>' in page
    assert plain in lines
    assert "0.500 to 1.000, change −0.500 to 0.000 with 20 truncated answers" in lines
    marks = re.findall(r'<abbr class="cut" tabindex="0" title="([^"]+)">†</abbr>', page)
    assert "0.500 to 1.000 with 20 truncated answers" in marks, "the table of the page keeps its figures short"
    assert "−0.500 to 0.000 with 20 truncated answers" in marks
    assert "† Truncated answers could change this figure." in page


@pytest.mark.parametrize("models", [["m"], ["m", "n"]])
def test_the_reading_level_stands_beside_the_score(models: list[str], tmp_path: Path) -> None:
    rows = [row for model in models for row in climb(model, 3, 5)]
    _, summary, page = report(tmp_path, {"ladder": ("output-prediction", {"level": LEVELS})}, rows)
    assert "| unanswered | reading level | weakest |" in summary
    level = re.search(r"\| (3 \[\d, \d\]) \| changes with level", summary)
    assert level
    assert "At a glance" in page
    assert page.count(f'<td data-title="reading level">{level[1]}</td>') == len(models)


@pytest.mark.slow
def test_several_languages_have_one_range_of_reading_levels(tmp_path: Path) -> None:
    rows = climb("m", 3, 5) + [row | {"language": "php", "id": f"php/{row['id']}"} for row in climb("m", 5, 5)]
    axes: dict[str, list[Any]] = {"language": ["python", "php"], "level": LEVELS}
    _, summary, _ = report(tmp_path, {"ladder": ("output-prediction", axes)}, rows)
    assert "| 3 to 5 in 2 languages |" in summary
    alike = climb("m", 3, 5) + [row | {"language": "php", "id": f"php/{row['id']}"} for row in climb("m", 3, 5)]
    _, summary, _ = report(tmp_path / "alike", {"ladder": ("output-prediction", axes)}, alike)
    assert "| 3 in each of 2 languages |" in summary


def test_the_reading_level_is_of_the_condition_of_the_headline(tmp_path: Path) -> None:
    rows = [
        row | {"axes": row["axes"] | {"prompting": way}, "id": f"{way}/{row['id']}"}
        for way, last in (("direct", 2), ("cot", 6))
        for row in climb("m", last, 5)
    ]
    axes: dict[str, list[Any]] = {"level": LEVELS, "prompting": ["direct", "cot"]}
    _, summary, _ = report(tmp_path, {"ladder": ("output-prediction", axes)}, rows)
    assert re.search(r"\| m: direct \| .* \| 2 \[", summary)
    assert re.search(r"\| m: cot \| .* \| 6 \[", summary)


def test_a_suite_without_levels_has_no_reading_level(tmp_path: Path) -> None:
    rows = [record("mis", "m", p, {"perturbation": v}, right=True) for v in VALUES for p in range(4)]
    for text in report(tmp_path, {"mis": ("output-prediction", {"perturbation": VALUES})}, rows):
        assert "eading level" not in text
