"""Averages over models of the figures about faults, computed here by hand from the answers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from statistics import mean

import pytest

from pytest_codereason.results.figures.fault_averages import FaultAverages
from pytest_codereason.results.figures.fault_statistics import FaultStatistics
from pytest_codereason.results.pictures import PublishedRow
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.studies.published_facts import load_texts
from pytest_codereason.results.values import Estimate, Label
from tests.results.figures.fault_rows import Localiser, Question, describe_run, list_questions, localise, localise_twice
from tests.results.figures.rows import Shown, data, show

MUTATIONS = ["none", "dead-code", "misleading-comments"]
STRENGTHS = ["none", *(f"{name}(strength={n})" for name in ("dead-code", "misleading-names") for n in (1, 3, 8))]


def first_half(question: Question, value: str, step: int) -> bool:
    """Finds faults of 5 of 20 programs; then loses all under comments."""
    return question.program < 5 and not (step and "comments" in value)


def second_half(question: Question, value: str, step: int) -> bool:
    """Finds those of all programs, loses one in four under dead code, and half of all when asked again unchanged."""
    if not step:
        return True
    return question.quarter != 1 if value == "dead-code" else question.quarter > 2 if value == "none" else True


def fades(question: Question, value: str, step: int) -> bool:
    strength = int(value.partition("strength=")[2].rstrip(")") or 0)
    return question.program % 10 >= strength


def show_twice(models: Mapping[str, Localiser], values: list[str], baselines: tuple[str, ...] = ()) -> dict[str, Shown]:
    questions = list_questions()
    rows = [row for name, each in models.items() for row in localise_twice("s", name, questions, each, values)]
    names = [name for name in models if name not in baselines]
    run = describe_run({"s": ("fault-robustness", values)}, names, baselines=baselines)
    return {picture.name: picture for picture in show(FaultAverages(), rows, run)}


def read(picture: Shown, *labels: str) -> list[str]:
    (row,) = [row for row in picture.rows if tuple(row[: len(labels)]) == labels]
    return [cell.partition(" ")[0] for cell in row[len(labels) :]]


def percent(share: float | Fraction) -> str:
    return f"{100 * float(share):.2f}"


def test_lost_on_average_and_of_all_answers() -> None:
    picture = show_twice({"a": first_half, "b": second_half}, MUTATIONS)["s-fault-averages"]
    # a found 40 questions and b 160; each was asked after two mutations
    lost = {"dead-code": (Fraction(0), Fraction(1, 4)), "misleading-comments": (Fraction(1), Fraction(0))}
    for mutation, (a, b) in lost.items():
        average, pooled = mean([a, b]), (40 * a + 160 * b) / 200
        for name, share in (("average of 2 models", average), ("pooled over 2 models", pooled)):
            assert read(picture, name, "python", mutation) == [percent(1 - share), percent(share)]
    anything = [Fraction(1, 2), Fraction(1, 8)]
    assert read(picture, "average of 2 models", "python", "any change")[1] == percent(mean(anything))
    assert read(picture, "pooled over 2 models", "python", "any change")[1] == percent(Fraction(80, 400))
    assert read(picture, "average of 2 models", "python", "no change, asked again")[1] == percent(Fraction(1, 4))
    assert "each model counts alike" in picture.sentence


def test_one_model_has_no_average_and_a_baseline_is_no_model() -> None:
    assert show_twice({"a": first_half}, MUTATIONS) == {}
    assert show_twice({"a": first_half, "baseline": second_half}, MUTATIONS, ("baseline",)) == {}
    both = show_twice({"a": first_half, "b": second_half}, MUTATIONS)
    three = {"a": first_half, "b": second_half, "baseline": fades}
    assert show_twice(three, MUTATIONS, ("baseline",))["s-fault-averages"].rows == both["s-fault-averages"].rows


def test_the_slope_of_the_study_over_all_mutations() -> None:
    picture = show_twice({"a": fades, "b": fades}, STRENGTHS)["s-python-fault-average-strength"]
    for mutation in ("all", "dead-code", "misleading-names"):
        for name in ("average of 2 models", "pooled over 2 models"):
            shown = read(picture, name, mutation)
            assert shown == ["90.00", "70.00", "20.00", "−10.00"]
    (panel, *_) = picture.panels
    assert [point.x for point in panel.lines["average of 2 models"]] == [1, 3, 8]


def test_a_slope_needs_both_of_its_ends() -> None:
    def late(question: Question, value: str, step: int) -> bool:
        return not step or "strength=1)" not in value

    questions = [question for question in list_questions() if question.program < 2]
    values = [f"dead-code(strength={n})" for n in (1, 3)]
    run = describe_run({"s": ("fault-robustness", values)}, ["a", "b"])
    for lacking in values:
        rows = [row for name in "ab" for row in localise_twice("s", name, questions, late, values)]
        for row in rows:
            if row["axes"]["perturbation"] == lacking:
                row |= {"outcome": "error", "metrics": {}}
        (picture,) = [
            each for each in show(FaultAverages(), rows, run) if each.name == "s-python-fault-average-strength"
        ]
        for name, word in (("average of 2 models", "never"), ("pooled over 2 models", "none")):
            *shown, slope = read(picture, name, "dead-code")
            assert slope == shown[values.index(lacking)] == word
            assert shown[1 - values.index(lacking)] in ("0.00", "100.00")


def test_found_faults_by_quarter() -> None:
    questions = list_questions()
    models: dict[str, Localiser] = {
        "a": lambda question, value, step: question.quarter == 1,
        "b": lambda question, value, step: question.quarter in (1, 4) and question.program < 5,
    }
    rows = [row for name, each in models.items() for row in localise("s", name, questions, each)]
    run = describe_run({"s": ("fault-localization", ())}, models)
    pictures = {picture.name: picture for picture in show(FaultAverages(), rows, run)}
    heat, shares = pictures["s-fault-average-quarters"], pictures["s-fault-average-shares"]
    drawn = {picture.kind: picture for picture in FaultAverages().pictures(data(rows, run))}
    assert {kind: picture.table.heat for kind, picture in drawn.items() if picture.table is not None} == {
        "fault-average-quarters": True,
        "fault-average-shares": False,
    }
    assert read(heat, "average of 2 models", "python", "all") == ["62.50", "0.00", "0.00", "12.50"]
    # a found 40 in the first quarter; b found 10 in the first and 10 in the last
    assert read(shares, "pooled over 2 models", "python", "faults found") == [
        percent(Fraction(5, 6)),
        "0.00",
        "0.00",
        "16.67",
    ]
    assert read(shares, "average of 2 models", "python", "faults found") == ["75.00", "0.00", "0.00", "25.00"]
    assert read(shares, "average of 2 models", "python", "faults planted") == ["25.00"] * 4


def test_a_model_that_found_nothing_leaves_no_average() -> None:
    def never(question: Question, value: str, step: int) -> bool:
        return False

    picture = show_twice({"a": first_half, "c": never}, MUTATIONS)["s-fault-averages"]
    assert read(picture, "average of 2 models", "python", "dead-code") == ["never", "never"]
    assert read(picture, "pooled over 2 models", "python", "dead-code")[1] == "0.00"


@pytest.mark.slow
def test_the_papers_numbers_stand_beside_each_of_these_pictures() -> None:
    """Each fact of the file finds its picture, under the names of the shipped suites and their mutations."""
    shipped = Path(__file__).parents[3] / "suites"
    suites = {
        name: tomllib.loads((shipped / f"{name}.suite.toml").read_text())["matrix"]["perturbation"]
        for name in ("faults-robustness", "faults-quarter", "faults-strength")
    }
    languages = ("python", "java")
    questions = list_questions(programs=4, languages=languages)
    models: dict[str, Localiser] = {"a": fades, "b": second_half}
    rows = [row for name, each in models.items() for row in localise("faults", name, questions, each)]
    for suite, values in suites.items():
        rows += [row for name, each in models.items() for row in localise_twice(suite, name, questions, each, values)]
    for row in rows:
        row["metrics"]["lines_shown"] = 60.0
    tasks = {"faults": ("fault-localization", ()), **{name: ("fault-robustness", v) for name, v in suites.items()}}
    run_data = data(rows, describe_run(tasks, models, languages))
    pictures = [*FaultAverages().pictures(run_data), *FaultStatistics().pictures(run_data)]
    complete, _ = add_published(pictures, load_texts(["fault-localizability"]))
    found = {(p.kind, p.of["suite"], p.of.get("language", "")): len(p.published) for p in complete if p.published}
    assert found == {
        ("fault-averages", "faults-robustness", ""): 5,
        ("fault-averages", "faults-quarter", ""): 5,
        ("fault-average-shares", "faults", ""): 1,
        ("fault-average-strength", "faults-strength", "python"): 1,
        ("fault-average-strength", "faults-strength", "java"): 1,
        ("fault-statistics", "faults-quarter", ""): 1,
    }
    for picture in complete:
        assert picture.table is not None
        labels = {tuple(cell.text for cell in row if isinstance(cell, Label)) for row in picture.table.rows}
        for published in picture.published:
            assert isinstance(published, PublishedRow)
            words = [cell for cell in published.cells.values() if isinstance(cell, str)]
            assert any({*words} <= {*each} for each in labels), published


def test_what_is_found_again_has_the_interval_of_what_is_lost_turned_round() -> None:
    """Of the faults that both models found, a loses all under comments and b none: half on average, 0 to 1."""
    questions = list_questions()
    models: dict[str, Localiser] = {"a": first_half, "b": second_half}
    rows = [row for name, each in models.items() for row in localise_twice("s", name, questions, each, MUTATIONS)]
    (picture, *_) = FaultAverages().pictures(data(rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, models)))
    assert picture.table is not None
    assert [column.key for column in picture.table.columns] == ["model", "language", "mutation", "kept", "lost"]
    for row in picture.table.rows:
        kept, lost = row[3:]
        assert isinstance(kept, Estimate)
        assert isinstance(lost, Estimate)
        assert kept.value == pytest.approx(1 - (lost.value or 0))
        assert (kept.low, kept.high) == pytest.approx((1 - (lost.high or 0), 1 - (lost.low or 0)))
        assert (kept.n, kept.families) == (lost.n, lost.families)
