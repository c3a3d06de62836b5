"""Faults by kind, as asked and after the ambiguity filter, for models whose answers are known."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.fault_types import FaultTypes
from pytest_codereason.results.pictures import PublishedRow
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.studies.published_facts import load_texts
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise
from tests.results.figures.localisers import finds_odd, finds_swaps, localised, mutated, perfect
from tests.results.figures.rows import data, show


def test_each_kind_of_fault_has_its_column() -> None:
    (picture,) = localised(FaultTypes(), ("m", finds_swaps))
    assert picture.header == ("model", "language", "tasks", "all faults", "off-by-one", "operator-swap")
    ((_, language, tasks, *scores),) = picture.rows
    assert (language, tasks) == ("python", "all")
    assert [score.partition(" ")[0] for score in scores] == ["50.00", "0.00", "100.00"]


def test_one_model_gets_no_filtered_figure_and_is_told_why() -> None:
    (picture,) = localised(FaultTypes(), ("m", finds_swaps))
    assert [row[2] for row in picture.rows] == ["all"]
    assert "One model was asked, so there is no filtered figure" in picture.sentence


def test_a_fault_stays_if_some_model_finds_it() -> None:
    (picture,) = localised(FaultTypes(), ("swaps", finds_swaps), ("odd", finds_odd))
    scores = {(row[0], row[2]): row[3].partition(" ")[0] for row in picture.rows}
    assert scores == {  # swaps finds 1 of 2, odd 1 of 2, both together 3 of 4
        ("swaps", "all"): "50.00",
        ("swaps", "found by a model"): "66.67",
        ("odd", "all"): "50.00",
        ("odd", "found by a model"): "66.67",
    }
    assert "swaps finds the faulty line of 50 % [" in picture.sentence
    assert "keeps a fault if at least one of 2 models found it" in picture.sentence


def test_a_baseline_is_no_model_of_the_filter() -> None:
    questions = list_questions()
    rows = [*localise("s", "m", questions, finds_swaps), *localise("s", "truth", questions, perfect)]
    of = describe_run({"s": ("fault-localization", ())}, ["m"], baselines=["truth"])
    (picture,) = show(FaultTypes(), rows, of)
    assert {row[2] for row in picture.rows} == {"all"}


def test_earlier_runs_count_for_the_filter() -> None:
    questions, suites = list_questions(), {"s": ("fault-localization", ())}
    now = (parse_run(describe_run(suites, ["m"])), localise("s", "m", questions, finds_swaps))
    earlier = (parse_run(describe_run(suites, ["odd"])), localise("s", "odd", questions, finds_odd))
    both = RunData.build({"now": now, "earlier": earlier})
    (picture,) = FaultTypes().pictures(replace(RunData.build({"now": now}), beside=both))
    worded = word_picture(picture)
    assert [(row[2], row[3].partition(" ")[0]) for row in worded.rows] == [
        ("all", "50.00"),
        ("found by a model", "66.67"),
    ]


def test_several_languages_stand_below_their_sum() -> None:
    def knows_python(question: Question, value: str, step: int) -> bool:
        return question.language == "python"

    (picture,) = localised(FaultTypes(), ("m", knows_python), languages=("python", "java"))
    assert [(row[1], row[3].partition(" ")[0]) for row in picture.rows] == [
        ("all", "50.00"),
        ("python", "100.00"),
        ("java", "0.00"),
    ]
    assert picture.sentence.startswith("m finds the faulty line of 50 % [")


def test_the_papers_table_stands_below_the_filtered_rows() -> None:
    questions = list_questions(languages=("python", "java"))
    rows = [*localise("faults", "a", questions, finds_swaps), *localise("faults", "b", questions, finds_odd)]
    of = describe_run({"faults": ("fault-localization", ())}, ["a", "b"], ("python", "java"))
    (complete,), remarks = add_published(
        list(FaultTypes().pictures(data(rows, of))), load_texts(["fault-localizability"])
    )
    assert not remarks
    published = [row for row in complete.published if isinstance(row, PublishedRow)]
    assert len(published) == 20
    cells = next(row.cells for row in published if row.model == "Claude-4.5-Sonnet" and row.cells["language"] == "java")
    assert cells["tasks"] == "found by a model"
    assert (str(cells["off-by-one"]), str(cells["operator-swap"])) == ("0.8333", "0.3174")


def test_one_that_is_perfect_is_so_everywhere() -> None:
    (picture,) = localised(FaultTypes(), ("m", perfect))
    assert all(cell.startswith("100.00") for row in picture.rows for cell in row[3:])


def test_the_terminal_shows_faults_to_find_and_not_those_to_find_again() -> None:
    (asked,) = localised(FaultTypes(), ("m", finds_swaps))
    (again,) = mutated(FaultTypes(), finds_swaps)
    assert again.rows == asked.rows, "what was found before a mutation"
    assert [each.picture.in_terminal for each in (asked, again)] == [True, False]
    assert [each.picture.in_markdown for each in (asked, again)] == [True, True]
    assert asked.of == {"suite": "s", "models": "1"}
    assert asked.columns[2:] == (
        ("tasks", "value"),
        ("all", "percent"),
        ("off-by-one", "percent"),
        ("operator-swap", "percent"),
    )


def test_a_model_without_answers_is_none_that_was_asked() -> None:
    rows = localise("s", "m", list_questions(), finds_swaps)
    (picture,) = show(FaultTypes(), rows, describe_run({"s": ("fault-localization", ())}, ["m", "late"]))
    assert picture.of["models"] == "1"
    assert picture.rows[-1] == ("late", "python", "all", "not asked", "not asked", "not asked")
