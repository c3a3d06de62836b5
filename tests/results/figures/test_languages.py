"""Languages side by side on their common programs, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from pytest_codereason.results.figures.languages import LanguageDrops
from tests.results.figures.rows import record, run, show

AXES = {"perturbation": ["vanilla", "hint"], "language": ["python", "javascript"]}


def test_only_programs_of_both_languages_count() -> None:
    """Programs 0 to 3 are in both languages, 4 to 9 in Python alone, where all of them fall."""
    rows = [
        record("s", "m", program, {"perturbation": value}, value == "vanilla" or right, language=language)
        for language, programs, kept in (("python", 10, (0, 1, 2)), ("javascript", 4, (0,)))
        for program in range(programs)
        for right in [program in kept]
        for value in AXES["perturbation"]
    ]
    (picture,) = show(LanguageDrops(), rows, run({"s": ("output-prediction", AXES)}, ["m"]))
    cells = [(row[1], row[2], row[3].split(" [")[0], row[4].split(" ")[0]) for row in picture.rows]
    assert cells == [("python", "4", "1.000", "−25.0"), ("javascript", "4", "1.000", "−75.0")]


def test_a_program_that_is_skipped_in_one_language_is_left_out_in_the_other() -> None:
    rows = [
        record("s", "m", program, {"perturbation": value}, value == "vanilla" or program > 0, language=language)
        for language in AXES["language"]
        for program in range(4)
        for value in AXES["perturbation"]
    ]
    for row in rows:
        if (row["language"], row["family"], row["axes"]["perturbation"]) == ("javascript", "0000", "hint"):
            row.update(outcome="skipped", metrics={})
    (picture,) = show(LanguageDrops(), rows, run({"s": ("output-prediction", AXES)}, ["m"]))
    assert [row[4].split(" ")[0] for row in picture.rows] == ["0.0", "0.0"], "program 0 fell in Python, and has no pair"


def test_one_language_makes_no_such_table() -> None:
    rows = [record("s", "m", 0, {"perturbation": value}, True) for value in AXES["perturbation"]]
    of = run({"s": ("output-prediction", {"perturbation": AXES["perturbation"]})}, ["m"])
    assert not show(LanguageDrops(), rows, of)


@pytest.mark.parametrize("values", [["hint", "rename"], ["vanilla"]])
def test_without_two_values_of_which_one_changes_nothing_there_is_none(values: list[str]) -> None:
    axes = {**AXES, "perturbation": values}
    rows = [
        record("s", "m", 0, {"perturbation": value}, True, language=each)
        for value in values
        for each in AXES["language"]
    ]
    assert not show(LanguageDrops(), rows, run({"s": ("output-prediction", axes)}, ["m"]))
