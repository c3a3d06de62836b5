"""Faults by quarter of the program, for models whose answers are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from statsmodels.stats.proportion import proportion_confint

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.fault_quarters import FaultQuarters
from pytest_codereason.results.values import Cell, Label
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise
from tests.results.figures.localisers import localised, mutated, perfect, reads_the_first_quarter
from tests.results.figures.rows import data, show


def test_one_that_reads_the_first_quarter_finds_its_faults_there() -> None:
    heat, shares = localised(FaultQuarters(), ("m", reads_the_first_quarter))
    assert [row[2] for row in heat.rows] == ["all", "off-by-one", "operator-swap"]
    for row in heat.rows:
        assert [cell.partition(" ")[0] for cell in row[3:]] == ["100.00", "0.00", "0.00", "0.00"]
    assert "m finds 100 % [84, 100] of the faults in the first quarter of a program and 0 % [0, 16] of" in heat.sentence
    counted = {row[2]: [cell.partition(" ")[0] for cell in row[3:]] for row in shares.rows}
    assert counted == {
        "faults planted": ["25.00"] * 4,
        "faults found": ["100.00", "0.00", "0.00", "0.00"],
        "lines answered": ["100.00", "0.00", "0.00", "0.00"],
    }
    assert shares.sentence.startswith("Of the faults that m found, 100 % [")
    assert shares.sentence.endswith("in the last; of those planted, 25 % [19, 32] and 25 % [19, 32].")


def test_the_map_of_quarters_is_shaded_by_share() -> None:
    questions = list_questions()
    rows = localise("s", "m", questions, reads_the_first_quarter)
    heat, shares = FaultQuarters().pictures(data(rows, describe_run({"s": ("fault-localization", ())}, ["m"])))
    assert word_picture(heat).shades == ((-1, -1, -1, 10, 0, 0, 0),) * 3
    assert word_picture(shares).shades == ()


def test_one_that_is_perfect_is_so_everywhere() -> None:
    heat, _ = localised(FaultQuarters(), ("m", perfect))
    assert all(cell.startswith("100.00") for row in heat.rows for cell in row[3:])


def test_one_that_was_not_asked_is_not_said_to_find_nothing() -> None:
    rows = localise("s", "m", list_questions(), perfect)
    _, shares = show(FaultQuarters(), rows, describe_run({"s": ("fault-localization", ())}, ["m", "late"]))
    assert any(row[0] == "late" for row in shares.rows)
    assert "late" not in shares.sentence


def test_faults_of_one_quarter_make_no_picture() -> None:
    questions = [question for question in list_questions() if question.quarter == 2]
    of = describe_run({"s": ("fault-localization", ())}, ["m"])
    assert not show(FaultQuarters(), localise("s", "m", questions, perfect), of)
    two = [*questions, *(question for question in list_questions() if question.quarter == 4)]
    heat, _ = show(FaultQuarters(), localise("s", "m", two, perfect), of)
    assert [cell.partition(" ")[0] for cell in heat.rows[0][3:]] == ["not", "100.00", "not", "100.00"]


def test_a_share_rests_on_the_programs_that_were_asked() -> None:
    """Java has 5 of the 20 programs: 40 faults, 10 in each quarter. Those that are found stand in the first."""
    questions = [*list_questions(), *list_questions(programs=5, languages=("java",))]
    rows = localise("s", "m", questions, reads_the_first_quarter)
    of = describe_run({"s": ("fault-localization", ())}, ["m"], ("python", "java"))
    _, shares = FaultQuarters().pictures(data(rows, of))
    assert shares.table is not None
    cells = {(str(row[1]), str(row[2])): row[3:] for row in _spell(shares.table.rows)}
    planted, found = cells["java", "faults planted"], cells["java", "faults found"]
    assert [(cell.value, cell.n, cell.families) for cell in planted] == [(0.25, 40, 5)] * 4
    assert [(cell.value, cell.n, cell.families) for cell in found] == [(1, 10, 5), (0, 10, 5), (0, 10, 5), (0, 10, 5)]
    # Every program has the same share, so its answers are as good as independent: Wilson's interval of 10 in 40.
    low, high = proportion_confint(10, 40, method="wilson")
    assert (planted[0].low, planted[0].high) == pytest.approx((low, high))
    assert cells["all", "faults planted"][0].n == 200


def _spell(rows: Iterable[Sequence[Cell]]) -> Iterator[list[Any]]:
    """Rows with their labels as texts."""
    for row in rows:
        yield [cell.text if isinstance(cell, Label) else cell for cell in row]


def test_lines_that_no_answer_names_have_no_row() -> None:
    rows = localise("s", "m", list_questions(), perfect)
    for row in rows:
        del row["metrics"]["answer_quarter"]
    of = describe_run({"s": ("fault-localization", ())}, ["m"])
    heat, shares = show(FaultQuarters(), rows, of)
    assert [row[2] for row in shares.rows] == ["faults planted", "faults found"]
    assert heat.of == shares.of == {"suite": "s"}
    assert heat.columns == (
        *[("model", "value"), ("language", "value"), ("fault", "value")],
        *[(f"quarter-{quarter}", "percent") for quarter in (1, 2, 3, 4)],
    )
    assert shares.picture.in_terminal
    _, again = mutated(FaultQuarters(), perfect)
    assert not again.picture.in_terminal, "a suite that asks twice says more elsewhere"


def test_one_kind_of_fault_has_no_row_of_its_own() -> None:
    of = describe_run({"s": ("fault-localization", ())}, ["m"])
    of["suites"]["s"]["axes"]["fault"] = ["none", "off-by-one"]
    questions = [question for question in list_questions() if question.fault == "off-by-one"]
    heat, _ = show(FaultQuarters(), localise("s", "m", questions, perfect), of)
    assert [row[2] for row in heat.rows] == ["all"]


def test_a_program_with_one_found_fault_counts_like_any_other() -> None:
    """Of 20 programs 10 have one fault found, in the first quarter; another has one in the last."""

    def finds_few(question: Question, value: str, step: int) -> bool:
        if question.fault != "off-by-one":
            return False
        return question.quarter == 1 if question.program < 10 else (question.program, question.quarter) == (19, 4)

    rows = localise("s", "m", list_questions(), finds_few)
    _, shares = FaultQuarters().pictures(data(rows, describe_run({"s": ("fault-localization", ())}, ["m"])))
    assert shares.table is not None
    found = next(row for row in _spell(shares.table.rows) if row[2] == "faults found")
    first, *_, last = found[3:]
    assert (first.value, first.n, first.families) == (pytest.approx(10 / 11), 11, 11)
    assert (last.value, last.n, last.families) == (pytest.approx(1 / 11), 11, 11)
    assert (last.low, last.high) == pytest.approx(proportion_confint(1, 11, method="wilson"))
