"""Faults lost after a mutation, for models whose answers are known."""

from __future__ import annotations

import pytest

from pytest_codereason.reports.words.axis_sentences import describe_axis
from pytest_codereason.results.figures.faults_lost import FaultsLost
from pytest_codereason.results.figures.languages import LanguageDrops
from pytest_codereason.results.figures.robustness import Robustness
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.values import Undefined, Why
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise, localise_twice
from tests.results.figures.localisers import MUTATIONS, flips, mutated, perfect, trusts_comments
from tests.results.figures.rows import data, show


def test_one_that_trusts_comments_loses_what_they_mislead_about_and_no_more() -> None:
    (picture,) = mutated(FaultsLost(), trusts_comments)
    lost = {row[2]: (row[3], row[4].partition(" ")[0]) for row in picture.rows}
    assert lost == {
        "any change": ("320", "50.00"),
        "misleading-comments": ("160", "100.00"),
        "rename": ("160", "0.00"),
        "no change, asked again": ("160", "0.00"),
    }
    assert picture.sentence.startswith("After a change that keeps meaning, m loses 50 % [")
    assert picture.sentence.endswith("faults that it had found; asked again without a change it loses 0 % [0, 16].")


def test_one_that_flips_loses_as_much_without_a_change() -> None:
    (picture,) = mutated(FaultsLost(), flips)
    lost = {row[2]: float(row[4].partition(" ")[0]) for row in picture.rows}
    assert lost["any change"] == pytest.approx(30, abs=8)
    assert lost["no change, asked again"] == pytest.approx(30, abs=10)
    assert picture.sentence.endswith(", and the difference is not clear of chance.")


def test_without_a_control_the_sentence_says_what_is_missing() -> None:
    (picture,) = mutated(FaultsLost(), flips, ["rename", "misleading-comments"])
    assert [row[2] for row in picture.rows] == ["any change", "rename", "misleading-comments"]
    assert "it was not asked again without a change, so its own changes of mind are part" in picture.sentence


def test_one_that_finds_nothing_can_lose_nothing() -> None:
    (picture,) = mutated(FaultsLost(), lambda *_: False)
    assert {row[4] for row in picture.rows} == {"never right"}
    assert picture.sentence == "m found no fault before, so it could lose none."


def test_what_is_lost_is_compared_with_the_unchanged_question_once() -> None:
    languages = ("python", "java")
    rows = localise_twice("s", "m", list_questions(languages=languages), trusts_comments, MUTATIONS)
    answers = data(rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, ["m"], languages))
    summary = summarise(answers).suites["s"]
    (sweep,) = (each for each in summary.models["m"].sweeps if each.axis == "perturbation")
    assert [entry.value for entry in sweep.entries] == ["misleading-comments", "rename"]
    assert [entry.metrics["lost"].value for entry in sweep.entries] == [1, 0]
    assert {entry.deltas["lost"] for entry in sweep.entries} == {Undefined(Why.POOLED)}
    lost = answers.suites["s"].headline
    assert describe_axis("perturbation", {"m": sweep}, lost, summary.claims).startswith(
        "Lost after mutation: each value of perturbation"
    )
    assert not list(Robustness().pictures(answers))
    assert not list(LanguageDrops().pictures(answers))


def test_the_second_model_is_told_of_in_fewer_words() -> None:
    models = {"a": trusts_comments, "b": perfect}
    asked = list_questions()
    rows = [row for name, model in models.items() for row in localise_twice("s", name, asked, model, MUTATIONS)]
    (picture,) = show(FaultsLost(), rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, list(models)))
    assert picture.sentence.endswith("it loses 0 % [0, 16]. b loses 0 % [0, 16]; asked again 0 % [0, 16].")


def test_mutations_of_a_quarter_stand_side_by_side() -> None:
    values = ["none", *(f"dead-code(strength=2,place={quarter})" for quarter in (1, 2, 3, 4))]

    def misled_at_the_top(question: Question, value: str, step: int) -> bool:
        return "place=1" not in value

    _, places = mutated(FaultsLost(), misled_at_the_top, values)
    ((_, _, mutation, *cells),) = places.rows
    assert mutation == "dead-code(strength=2)"
    assert [cell.partition(" ")[0] for cell in cells] == ["100.00", "0.00", "0.00", "0.00"]


def test_one_that_is_perfect_loses_nothing() -> None:
    (lost,) = mutated(FaultsLost(), perfect)
    assert all(row[4].startswith("0.00") for row in lost.rows)


def test_one_that_was_not_asked_is_not_said_to_find_nothing() -> None:
    rows = localise_twice("s", "m", list_questions(), perfect, MUTATIONS)
    (lost,) = show(FaultsLost(), rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, ["m", "late"]))
    assert any(row[0] == "late" for row in lost.rows)
    assert "late" not in lost.sentence


def test_every_row_names_what_it_is_compared_with() -> None:
    (picture,) = mutated(FaultsLost(), trusts_comments)
    assert picture.columns == (
        *[("model", "value"), ("language", "value"), ("mutation", "value"), ("first", "value")],
        *[("lost", "percent"), ("change", "value"), ("stale", "percent")],
    )
    cells = {row[2]: [cell.partition(" ")[0] for cell in row[5:]] for row in picture.rows}
    assert cells == {
        "any change": ["+0.500", "0.00"],
        "misleading-comments": ["+1.000", "0.00"],
        "rename": ["0.000", "0.00"],
        "no change, asked again": ["reference", "reference"],
    }
    assert picture.of == {"suite": "s", "control": "none"}
    assert (picture.picture.in_terminal, picture.picture.in_markdown) == (True, True)
    (alone,) = mutated(FaultsLost(), trusts_comments, ["rename"])
    assert [row[5] for row in alone.rows] == ["not asked", "not asked"]
    assert alone.of["control"] == ""


def test_an_answer_that_names_the_line_before_is_counted() -> None:
    rows = localise_twice("s", "m", list_questions(), trusts_comments, MUTATIONS)
    for number, row in enumerate(rows):
        if row["axes"]["perturbation"] == "misleading-comments":
            row["metrics"]["stale"] = float(number % 2)
    (picture,) = show(FaultsLost(), rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, ["m"]))
    stale = {row[2]: row[6].partition(" ")[0] for row in picture.rows}
    assert stale["rename"] == "0.00"
    marked = sum(row["metrics"].get("stale", 0) for row in rows)
    assert stale["misleading-comments"] == f"{100 * marked / 160:.2f}"
    assert stale["any change"] == f"{100 * marked / 320:.2f}"


def test_a_suite_without_mutations_or_of_one_step_loses_nothing() -> None:
    assert not mutated(FaultsLost(), perfect, ["none"])
    rows = localise("s", "m", list_questions(), perfect, MUTATIONS)
    assert not show(FaultsLost(), rows, describe_run({"s": ("fault-localization", MUTATIONS)}, ["m"]))


def test_quarters_that_were_not_mutated_are_not_asked() -> None:
    values = ["none", "dead-code(place=2)", "dead-code(place=4)"]
    _, places = mutated(FaultsLost(), lambda question, value, step: "place=4" not in value, values)
    ((*start, first, second, third, last),) = places.rows
    assert start == ["m", "python", "dead-code"]
    assert [cell.partition(" ")[0] for cell in (second, last)] == ["0.00", "100.00"]
    assert (first, third) == ("not asked", "not asked")
    assert places.columns[3:] == tuple((f"quarter-{quarter}", "percent") for quarter in (1, 2, 3, 4))
    assert places.picture.table is not None
    assert places.picture.table.heat
    assert places.sentence.endswith("by the lines of the program.")
