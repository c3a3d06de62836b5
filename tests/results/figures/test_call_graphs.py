"""Precision, recall and F1 over edges by language, against numbers worked out by hand, and beside the paper's."""

from __future__ import annotations

from typing import Any

from pytest_codereason.questions.tasks.call_graph import CallGraph
from pytest_codereason.results.figures.call_graphs import CallGraphScores
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.studies.published_facts import load_texts
from pytest_codereason.results.values import Estimate, Label, Undefined
from tests.results.figures.rows import data

#: By language: the counts of two programs, tp, fp and fn.
COUNTS = {"python": [(7, 1, 2), (3, 3, 0)], "java": [(1, 3, 5), (0, 0, 2)]}


def make_data(**axes: Any) -> RunData:
    suite = {
        "task": "call-graph",
        "metrics": [metric.describe() for metric in CallGraph.metrics],
        "axes": {"language": list(COUNTS), **{name: list(values) for name, values in axes.items()}},
    }
    cells: list[dict[str, Any]] = [{name: value} for name, values in axes.items() for value in values] or [{}]
    rows = [
        {
            "suite": "call-graph", "model": "m", "id": f"{language}/{i}{cell}", "family": str(i), "language": language,
            "axes": cell, "sample": 0, "outcome": "wrong",
            "metrics": {
                "f1": 0, "tp": tp, "fp": fp, "fn": fn, "exact": 0, "tp_strict": 0, "fp_strict": tp + fp,
                "fn_strict": tp + fn, "exact_strict": 0, "edges_direct": tp + fn, "found_direct": tp,
            },
        }
        for cell in cells for language, counts in COUNTS.items() for i, (tp, fp, fn) in enumerate(counts)
    ]  # fmt: skip
    return data(rows, {"suites": {"call-graph": suite}, "models": {"m": None}})


def read_cell(cell: object) -> object:
    return round(cell.value or 0, 4) if isinstance(cell, Estimate) else cell.text if isinstance(cell, Label) else cell


def test_edges_are_summed_by_language_and_languages_averaged() -> None:
    scores, kinds = CallGraphScores().pictures(make_data())
    assert scores.table is not None
    study, strict = ({k: read_cell(v) for k, v in row.items()} for row in scores.table.named_rows())
    assert [study[f"python-{name}"] for name in ("precision", "recall", "f1")] == [0.7143, 0.8333, 0.7692]
    assert [study[f"java-{name}"] for name in ("precision", "recall", "f1")] == [0.25, 0.125, 0.1667]
    assert [study[f"average-{name}"] for name in ("precision", "recall", "f1")] == [0.4821, 0.4792, 0.4679]
    assert (strict["names"], strict["average-f1"], strict["average-exact"]) == ("strict", 0, 0)
    assert kinds.table is not None
    python, java = kinds.table.named_rows()
    assert (read_cell(python["direct"]), read_cell(java["direct"])) == (0.8333, 0.125)
    assert isinstance(java["closure"], Undefined)


def test_each_perturbation_has_its_rows() -> None:
    scores, kinds = CallGraphScores().pictures(make_data(perturbation=["vanilla", "rename"]))
    assert scores.table is not None
    assert [row[1] for row in scores.table.rows] == [Label(name) for name in ("vanilla", "vanilla", "rename", "rename")]
    assert kinds.table is not None
    assert len(kinds.table.rows) == 4


def test_the_table_of_the_paper_stands_beside_it() -> None:
    complete, remarks = add_published(list(CallGraphScores().pictures(make_data())), load_texts(["traceeval"]))
    assert [len(picture.published) for picture in complete] == [13, 0]
    assert remarks == []


def test_only_programs_without_a_context_count() -> None:
    alone, _ = CallGraphScores().pictures(make_data())
    among, _ = CallGraphScores().pictures(make_data(distractors=[0, 20]))
    assert alone.table is not None
    assert among.table is not None
    other, _ = CallGraphScores().pictures(make_data(distractors=[10, 20]))
    assert other.table is not None
    ns = [
        sum(cell.n for row in table.rows for cell in row if isinstance(cell, Estimate))
        for table in (alone.table, among.table, other.table)
    ]
    assert ns[1] == ns[0], "the answers among distractors are none of these"
    assert ns[2] == 2 * ns[0], "where all have a context, all count"
