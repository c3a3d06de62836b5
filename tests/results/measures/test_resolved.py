"""A model that leaves every sum to the reader is not ahead of one that works them out."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from pytest_codereason.reports.comparing.comparison import compare_runs
from pytest_codereason.reports.comparing.leaderboard import rank_runs
from pytest_codereason.reports.comparing.text_page import write_text
from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.results.measures.resolved import fill_resolved
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import judge_gates

#: What each model does with 40 programs: a sum (s) and a value (v) are right, w is wrong.
SUMS, VALUES = "s" * 40, "v" * 24 + "w" * 16


def make_data(models: dict[str, str], *, recorded: bool = True, baseline: str = "") -> RunData:
    """A run of this version, or one whose records and metrics lack ``exact_resolved``."""
    metrics = [
        m.describe() for m in OutputPrediction.metrics if not m.only and (recorded or m.name != "exact_resolved")
    ]
    rows = [
        {
            "suite": "sums", "model": model, "id": f"python/{place}", "family": str(place), "language": "python",
            "axes": {}, "sample": 0, "outcome": "wrong" if kind == "w" else "correct",
            "metrics": {
                "exact": float(kind != "w"), "partial": float(kind != "w"), "exact_answered": float(kind != "w"),
                "unresolved": float(kind == "s"), **({"exact_resolved": float(kind == "v")} if recorded else {}),
            },
        }
        for model, kinds in models.items() for place, kind in enumerate(kinds)
    ]  # fmt: skip
    suite = {"task": "output-prediction", "metrics": metrics, "axes": {"language": ["python"]}}
    run = {
        "suites": {"sums": suite},
        "models": {m: {"identity": {"baseline": m} if m == baseline else {}} for m in models},
    }
    return RunData.build({"run": (parse_run(run), rows)})


@pytest.mark.parametrize("recorded", [True, False])
def test_who_works_the_sums_out_leads(recorded: bool) -> None:
    data = make_data({"lazy": SUMS, "able": VALUES}, recorded=recorded)
    suite = summarise(data).suites["sums"]
    assert [metric.name for metric in suite.metrics[:2]] == ["exact_resolved", "exact"]
    scores = {label: model.headlines[0].metrics for label, model in suite.models.items()}
    assert {label: (each["exact_resolved"].value, each["exact"].value) for label, each in scores.items()} == {
        "lazy": (0.0, 1.0),
        "able": (0.6, 0.6),
    }
    (lead,) = suite.leads
    assert describe_lead(lead).startswith("Best model: able. It is clearly ahead of lazy (+0.600 [")
    assert describe_lead(lead).endswith(" Right answers that are left as sums do not count.")
    (board,) = rank_runs(data)
    assert board.summary.headline.name == "exact_resolved"


def test_without_such_answers_nothing_is_said_of_them() -> None:
    suite = summarise(make_data({"able": VALUES, "other": "v" * 40})).suites["sums"]
    assert "exact_resolved" not in [metric.name for metric in suite.metrics]
    (lead,) = suite.leads
    assert lead.best == "other"
    assert "sums" not in describe_lead(lead)


def test_records_that_do_not_mark_sums_stay_as_they_are() -> None:
    whole = make_data({"able": "vs"}, recorded=False).records.drop(columns="metrics.exact_resolved", errors="ignore")
    assert fill_resolved(whole)["metrics.exact_resolved"].tolist() == [1.0, 0.0]
    for name in ("exact", "unresolved"):
        part = whole.drop(columns=f"metrics.{name}")
        assert fill_resolved(part) is part
    half = whole.assign(**{"metrics.exact_resolved": [0.5, float("nan")]})
    assert fill_resolved(half)["metrics.exact_resolved"].tolist() == [0.5, 0.0], "what is recorded is believed"


def test_a_wrong_sum_and_a_sum_of_a_baseline_change_no_ranking() -> None:
    data = make_data({"able": VALUES, "baseline:x": SUMS}, baseline="baseline:x")
    assert summarise(data).suites["sums"].headline.name == "exact"


def test_a_comparison_begins_with_what_is_resolved_and_counts_its_flips() -> None:
    text = " ".join(write_text(compare_runs(make_data({"able": "v" * 40, "lazy": SUMS})), 200).split())
    assert "B is worse than A: exact_resolved falls from 1.000 to 0.000 (" in text
    assert "on 40 answers about 40 programs; 40 lost, 0 won." in text
    assert "Of 40 answers lost in all conditions: 40 unresolved." in text


def test_a_gate_on_exact_says_how_many_answers_are_sums() -> None:
    data = make_data({"lazy": SUMS[:30] + "v" * 10})
    (exact, resolved) = judge_gates(check_gates(["sums.exact >= 0.8", "sums.exact_resolved >= 0.8"], data.run), data)
    assert exact.sentence.endswith("; 30 of 40 right answers are left as sums; exact and resolved is 0.250")
    assert resolved.verdict == "FAIL"
    assert "sums" not in resolved.sentence.replace("sums.exact_resolved", "")
