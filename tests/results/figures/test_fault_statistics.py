"""What a suite about faults asked, counted here record by record."""

from __future__ import annotations

from pytest_codereason.results.figures.fault_statistics import FaultStatistics
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise_twice
from tests.results.figures.rows import Shown, show

VALUES = ["none", "dead-code"]


def finds_even(question: Question, value: str, step: int) -> bool:
    return question.program % 2 == 0


def test_requests_tasks_lines_and_tokens() -> None:
    questions = list_questions(programs=6, languages=("python", "java"))
    rows = localise_twice("s", "m", questions, finds_even, VALUES)
    for i, row in enumerate(rows):
        row["metrics"]["lines_shown"] = 40.0 + 60 * int(row["family"]) + (row["axes"]["perturbation"] != "none")
        row["usage"] = {"prompt": 100 + i, "completion": 7}
    rows[0] = {**rows[0], "outcome": "error"}
    of = describe_run({"s": ("fault-robustness", VALUES)}, ["m"], ("python", "java"))
    (picture,) = show(FaultStatistics(), rows, of)
    kept = rows[1:]
    for language in ("all", "python", "java"):
        mine = [row for row in kept if language in ("all", row["language"])]
        asked = [1 + int(row["metrics"]["first"]) for row in mine]
        lines = [row["metrics"]["lines_shown"] for row in mine]
        tokens = sum(row["usage"]["prompt"] + row["usage"]["completion"] for row in mine)
        (shown,) = [row for row in picture.rows if row[1] == language]
        assert shown == (
            "1 model",
            language,
            f"{sum(asked):,}",
            f"{len(mine):,}",
            "6",
            f"{sum(lines) / len(lines):.1f}",
            f"{int(sum(lines)):,}",
            f"{tokens:,}",
        )


def test_the_lengths_of_programs_are_those_before_a_change() -> None:
    rows = localise_twice("s", "m", list_questions(programs=4), finds_even, VALUES)
    for row in rows:
        row["metrics"]["lines_shown"] = 45.0 * (1 + int(row["family"])) + 500 * (row["axes"]["perturbation"] != "none")
    (picture,) = pictures(rows)
    (panel,) = picture.panels  # 45, 90, 135 and 180 lines
    assert {point.x: point.value for point in panel.lines["programs"]} == dict.fromkeys((0, 50, 100, 150), 0.25)


def test_records_without_lines_say_so() -> None:
    (picture,) = pictures(localise_twice("s", "m", list_questions(programs=2), finds_even, VALUES))
    assert picture.rows[0][5:] == ("unknown", "unknown", "unknown")
    assert not picture.panels


def pictures(rows: list[dict[str, object]]) -> list[Shown]:
    return show(FaultStatistics(), rows, describe_run({"s": ("fault-robustness", VALUES)}, ["m"]))


def test_scales_and_models_without_answers_are_not_counted() -> None:
    questions = list_questions(programs=2)
    rows = [row for m in ("a", "b", "base") for row in localise_twice("s", m, questions, finds_even, VALUES)]
    of = describe_run({"s": ("fault-robustness", VALUES)}, ["a", "b", "late"], baselines=["base"])
    (picture,) = show(FaultStatistics(), rows, of)
    ((models, _, _, tasks, programs, *_),) = picture.rows
    assert (models, tasks, programs) == ("2 models", "64", "2")
    assert not show(FaultStatistics(), [row for row in rows if row["model"] == "base"], of)


def test_a_run_without_answers_counts_nothing() -> None:
    rows = [row | {"outcome": "error"} for row in localise_twice("s", "m", list_questions(1), finds_even, VALUES)]
    for row in rows:
        row["metrics"]["lines_shown"] = 10.0
    (picture,) = pictures(rows)
    assert picture.rows == (("1 model", "python", "0", "0", "0", "unknown", "unknown", "unknown"),)
    assert not picture.panels
    assert [key for key, _ in picture.columns] == [
        *["model", "language", "requests", "tasks", "programs", "mean_lines", "lines", "tokens"]
    ]
