"""Foreign logs beside a run of ours: questions match by id, else by prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.comparing.comparison import compare_runs
from pytest_codereason.reports.comparing.reading import read_runs
from tests.reports.exchange.words import INSPECT, LM_EVAL, OURS, SAMPLES, edit_lines


def compare(*paths: Path) -> Any:
    return compare_runs(read_runs(paths)).pairs


def test_samples_are_compared_with_our_run_by_id() -> None:
    ((suite,),) = (pair.suites for pair in compare(OURS, LM_EVAL))
    assert suite.name == "mine"
    assert suite.overlap.shared == 8
    assert suite.overlap.differing == ("scorer",)
    assert [(row.metric.name, row.where) for row in suite.rows] == [
        ("exact", {}),
        ("exact", {"language": "python"}),
        ("exact", {"language": "php"}),
    ]
    assert suite.rows[0].difference.before == suite.rows[0].difference.after == 7 / 8


def test_without_ids_questions_match_by_their_prompt(tmp_path: Path) -> None:
    ((suite,),) = (pair.suites for pair in compare(OURS, edit_lines(tmp_path, lambda line: line["doc"].clear())))
    assert (suite.overlap.shared, suite.overlap.only) == (8, (0, 0))


def test_a_question_of_another_prompt_is_not_shared(tmp_path: Path) -> None:
    def edit(line: dict[str, Any]) -> None:
        line["doc"].clear()
        if line["doc_id"] == 0:
            line["arguments"]["gen_args_0"]["arg_0"] = ["What is the meaning of this?"]

    ((suite,),) = (pair.suites for pair in compare(OURS, edit_lines(tmp_path, edit)))
    assert (suite.overlap.shared, suite.overlap.only) == (7, (1, 1))


def test_a_wrong_answer_of_the_other_tool_is_a_lost_one(tmp_path: Path) -> None:
    def edit(line: dict[str, Any]) -> None:
        line["exact_match"] = 0.0

    ((suite,),) = (pair.suites for pair in compare(OURS, edit_lines(tmp_path, edit)))
    assert suite.rows[0].difference.after == 0
    assert suite.flips.lost == 7


@pytest.mark.slow  # inspect_ai takes seconds to be imported
def test_three_tools_are_compared_in_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("inspect_ai")
    assert main(["compare", str(OURS), str(SAMPLES), str(INSPECT)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "asked by lm-eval 0.4.13, whose exact_match counts as exact" in out
    assert "asked by Inspect 0.3.285, whose pattern counts as exact" in out
    assert out.count("No difference: exact is 0.875 in both") == 2


def test_two_foreign_logs_of_one_task_are_of_one_plan() -> None:
    ((suite,),) = (pair.suites for pair in compare(LM_EVAL, SAMPLES))
    assert suite.overlap.same_plan
    assert [row.metric.name for row in suite.rows] == ["exact_match"] * 3


def test_scores_that_mean_something_else_are_not_compared(tmp_path: Path) -> None:
    def edit(line: dict[str, Any]) -> None:
        line["metrics"], line["bleu"] = ["bleu"], 31.5

    with pytest.raises(UsageError, match=r"mine: nothing can be compared, .* share no score: .* has bleu"):
        compare(OURS, edit_lines(tmp_path, edit))


def test_gates_are_judged_on_a_foreign_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(LM_EVAL), "--gate", "mine_lm.exact_match >= 0.1"]) == 0
    assert "PASS  mine_lm.exact_match = 0.875" in capsys.readouterr().out
    assert main(["judge", str(LM_EVAL), "--gate", "mine_lm.truncated <= 0.1"]) == 4
    assert "no metric of mine_lm is called 'truncated'" in capsys.readouterr().err


def test_a_foreign_log_is_a_baseline_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gate = ["--gate", "mine_lm.exact_match >= baseline - 5%", "--baseline", str(LM_EVAL)]
    assert main(["judge", str(SAMPLES), *gate]) in (0, 10)
    assert "0.875" in capsys.readouterr().out
    other = edit_lines(tmp_path, lambda line: line.update(target="another"))
    assert main(["judge", str(other), *gate]) == 4
    assert "the baseline asked other questions" in capsys.readouterr().err


def test_what_is_no_log_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    assert main(["compare", str(OURS), str(path)]) == 4
    err = capsys.readouterr().err
    assert "notes.txt is not a run folder: it has no run.json. It is no log of another tool either" in err
    assert "samples of lm-eval" in err
