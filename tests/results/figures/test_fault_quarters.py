"""Faults by quarter of the program, for models whose answers are known."""

from __future__ import annotations

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figures.fault_quarters import FaultQuarters
from tests.results.figures.fault_rows import describe_run, list_questions, localise
from tests.results.figures.localisers import localised, perfect, reads_the_first_quarter
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
