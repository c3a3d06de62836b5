"""Which facts of a paper hold for a figure."""

from __future__ import annotations

from typing import Any

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


_CODE, _POOL = "code-instructions", "code-search-net"
_LCB = ("livecodebench", "python", 479)
_FOUR = ("psc-all", "comments", "prints", "hint")
_SEVEN = (*_FOUR, "rename", "conditions", "dead-code")
#: What the papers say, one line each, and something else: the figure, the way, the fact, the paper's values, others.
STATED: list[tuple[str, str, str, list[Any], list[Any]]] = [
    # Sense and Sensitivity, section 4: 800 programs of SemTrace and CRUXEval; CRUXEval-X as far as it can be read.
    ("Sense and Sensitivity", "direct", "programs", [("semtrace", "php", 800)], [("semtrace", "php", 799)]),
    ("Sense and Sensitivity", "direct", "programs", [("cruxeval", "python", 800)], [("cruxeval", "python", 801)]),
    ("Sense and Sensitivity", "direct", "programs", [("cruxeval-x", "javascript", 743)], [("cruxeval-x", "php", 744)]),
    ("Sense and Sensitivity", "direct", "programs", [("cruxeval-x", "php", 745)], [("cruxeval-x", "php", 746)]),
    # "zero-shot", greedy, 11 positions, "20, 40, 60, or 80 distractors" of "~ 200 tokens each" from CodeSearchNet
    ("Sense and Sensitivity", "direct", "language", ["python", "javascript", "php"], ["java"]),
    ("Sense and Sensitivity", "direct", "shots", [0], [1]),
    ("Sense and Sensitivity", "direct", "samples", [1], [2]),
    ("Sense and Sensitivity", "direct", "temperature", [0], [0.2]),
    ("Sense and Sensitivity", "direct", "top_p", [None, 1], [0.95]),
    ("Sense and Sensitivity", "direct", "prefill", [True], [False]),
    ("Sense and Sensitivity", "direct", "max_tokens", [100, None], [99]),
    ("Sense and Sensitivity", "direct", "tokens", [0], [1000]),
    ("Sense and Sensitivity", "direct", "distractors", [0, 20, 40, 60, 80], [20, 40, 60, 81]),
    ("Sense and Sensitivity", "direct", "position", [*range(0, 101, 10)], [*range(0, 91, 10)]),
    ("Sense and Sensitivity", "direct", "pool", [("code-search-net", 200)], [("installed", 200)]),
    ("Sense and Sensitivity", "direct", "pool", [("code-search-net", 150)], [("code-search-net", 149)]),
    ("Sense and Sensitivity", "direct", "pool", [("code-search-net", 250)], [("code-search-net", 251)]),
    ("Sense and Sensitivity", "direct", "questions", [(9, 9)], [(8, 9)]),
    # figure 4: numbers of 2 to 6 digits among 80 functions
    ("Sense and Sensitivity, figure 4", "direct", "digits", [2, 3, 4, 5, 6], [2, 3, 4, 5]),
    ("Sense and Sensitivity, section 5.3", "direct", "distractors", [0, 80], [40, 80]),
    ("Sense and Sensitivity, figure 4", "direct", "language", ["python"], ["php"]),
    # equation 1: every version of 12 lines or fewer
    ("Sense and Sensitivity, equation 1, figure 3", "direct", "versions", [4096], [4095]),
    ("Sense and Sensitivity, equation 1, figure 3", "direct", "pool", [], [("code-search-net", 200)]),
    # CodeCrash, section 3: temperature 0.2, top-p 0.95; "2-shot for direct inference", 200 tokens, three candidates;
    # "1-shot for CoT", 2,000 tokens, one; 800 and 479 programs
    ("CodeCrash, table 2", "direct", "temperature", [0.2], [0]),
    ("CodeCrash, table 2", "direct", "top_p", [0.95], [1]),
    ("CodeCrash, table 2", "direct", "shots", [2], [1]),
    ("CodeCrash, table 2", "direct", "samples", [3], [1]),
    ("CodeCrash, table 2", "direct", "max_tokens", [200], [2000]),
    ("CodeCrash, table 2", "cot", "shots", [1], [2]),
    ("CodeCrash, table 2", "cot", "samples", [1], [3]),
    ("CodeCrash, table 2", "cot", "max_tokens", [2000], [200]),
    ("CodeCrash, table 2", "direct", "prefill", [False], [True]),
    ("CodeCrash, table 2", "direct", "programs", [("cruxeval", "python", 800)], [("cruxeval", "python", 801)]),
    ("CodeCrash, table 2", "direct", "programs", [_LCB], [("livecodebench", "python", 478)]),
    ("CodeCrash, table 7", "direct", "programs", [("livecodebench", "javascript", 479)], [("cruxeval", "python", 800)]),
    ("CodeCrash, table 5", "direct", "programs", [("cruxeval", "python", 800)], [_LCB]),
    ("CodeCrash, tables 1 and 2", "direct", "perturbation", [*_FOUR], [*_FOUR[1:]]),
    ("CodeCrash, tables 1, 2 and 10", "direct", "perturbation", [*_SEVEN], [*_FOUR]),
    ("CodeCrash, table 5", "direct", "perturbation", [*_FOUR], ["rename", *_FOUR[1:]]),
    ("CodeCrash, table 4", "direct", "max_tokens", [None], [200]),
    ("CodeCrash, figure 3", "direct", "samples", [1], [3]),
    ("CodeCrash, tables 8 and 9", "direct", "defence", ["none", "ignore-comments", "refactor"], ["none", "refactor"]),
    ("CodeCrash, table 2", "direct", "writers", [("hint", "m", "x")], [("hint", "rule", "x")]),
    # Haroon et al., section IV: 637 Python and 670 Java programs; the model itself writes what mutations say
    ("Haroon et al., table II", "direct", "programs", [(_CODE, "python", 637)], [(_CODE, "python", 636)]),
    ("Haroon et al., table II", "direct", "programs", [(_CODE, "python", 637)], [(_CODE, "python", 638)]),
    ("Haroon et al., table II", "direct", "programs", [(_POOL, "java", 670)], [(_POOL, "java", 671)]),
    ("Haroon et al., table II", "direct", "programs", [(_POOL, "java", 670)], [("cruxeval", "java", 670)]),
    ("Haroon et al., table II", "direct", "shots", [0], [1]),
    ("Haroon et al., section V-A", "direct", "writers", [("comments", "m", "m")], [("comments", "n", "m")]),
    ("Haroon et al., section V-A", "direct", "order", ["java"], ["python"]),
    # TraceEval, section 5: temperature 0, three languages
    ("TraceEval, table 3", "direct", "temperature", [0], [0.2]),
    ("TraceEval, table 3", "direct", "language", ["python", "javascript", "java"], ["php"]),
]  # fmt: skip


@pytest.mark.parametrize(("after", "way", "key", "values", "others"), STATED)
def test_a_run_like_the_papers_differs_in_nothing_and_another_does(
    after: str, way: str, key: str, values: list[Any], others: list[Any]
) -> None:
    fact = select_facts(after, "output-prediction", way, reasons=False)[key]
    assert list(fact.judge(key, values)) == []
    assert list(fact.judge(key, others)) != []
