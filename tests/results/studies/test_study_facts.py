"""Which facts of a paper hold for a figure."""

from __future__ import annotations

import pytest

from pytest_codereason.results.studies.study_conditions import Only
from pytest_codereason.results.studies.study_facts import ROWS, StudyRow, select_facts


@pytest.mark.parametrize(
    ("after", "task", "way", "reasons", "key", "allowed"),
    [
        ("CodeCrash, table 7", "output-prediction", "direct", False, "shots", (2,)),
        ("CodeCrash, table 7", "output-prediction", "cot", False, "shots", (1,)),
        ("CodeCrash, table 4", "output-prediction", "direct", False, "samples", (1,)),
        ("CodeCrash, table 6", "output-prediction", "direct", False, "samples", (3,)),
        ("CodeCrash, table 6", "output-prediction", "direct", True, "samples", (1,)),
        ("CodeCrash, table 6", "output-prediction", "cot", True, "max_tokens", (2000,)),
        ("Sense and Sensitivity", "function-retrieval", "direct", False, "layout", ("keys",)),
        ("Sense and Sensitivity", "output-prediction", "direct", False, "layout", ("plain",)),
        ("TraceEval, table 3", "call-graph", "direct", False, "temperature", (0,)),
    ],
)
def test_a_later_row_replaces_facts(
    after: str, task: str, way: str, reasons: bool, key: str, allowed: tuple[object, ...]
) -> None:
    assert select_facts(after, task, way, reasons=reasons)[key] == Only(allowed)


def test_what_a_paper_leaves_open_is_no_fact() -> None:
    facts = select_facts("Sense and Sensitivity, tables 1 and 2", "output-prediction", "direct", reasons=False)
    assert "distractors" not in facts
    assert "digits" not in facts
    assert "distractors" in select_facts("Sense and Sensitivity", "output-prediction", "direct", reasons=False)


def test_other_papers_have_no_facts() -> None:
    assert select_facts("Another, table 1", "output-prediction", "direct", reasons=False) == {}


@pytest.mark.parametrize("place", ["section V", "section V-A", "section V-B", "figure 6", "figure 8", "figure 10"])
def test_figures_of_mutations_have_facts_of_their_own(place: str) -> None:
    facts = select_facts(f"Haroon et al., {place}", "fault-robustness", "direct", reasons=False)
    assert {"perturbation", "order", "writers"} <= facts.keys()
    assert "order" not in select_facts("Haroon et al., table II", "fault-robustness", "direct", reasons=False)


def test_a_row_is_about_what_it_names() -> None:
    row = StudyRow(paper="x", places=("table 1",), tasks=("t",), ways=("cot",), facts={})
    assert row.is_about("table 1", "t", {"cot", "direct"})
    assert not row.is_about("table 2", "t", {"cot"})
    assert not row.is_about("table 1", "u", {"cot"})
    assert not row.is_about("table 1", "t", {"direct"})
    assert StudyRow(paper="x", facts={}).is_about("", "", ())


def test_four_papers_have_rows() -> None:
    assert len({row.paper for row in ROWS}) == 4
