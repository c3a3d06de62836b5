"""Models that find planted faults in known ways, and what a figure shows of them."""

from __future__ import annotations

from random import Random

from pytest_codereason.results.figure import Figure
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise, localise_twice
from tests.results.figures.rows import Shown, show

MUTATIONS = ["none", "misleading-comments", "rename"]


def perfect(question: Question, value: str, step: int) -> bool:
    return True


def finds_swaps(question: Question, value: str, step: int) -> bool:
    return question.fault == "operator-swap"


def finds_odd(question: Question, value: str, step: int) -> bool:
    return question.program % 2 == 1


def reads_the_first_quarter(question: Question, value: str, step: int) -> bool:
    return question.quarter == 1


def trusts_comments(question: Question, value: str, step: int) -> bool:
    return "comments" not in value


def flips(question: Question, value: str, step: int) -> bool:
    """Right in 7 of 10 cases, whatever is asked, each time anew."""
    return Random(f"{question.program}{question.fault}{question.quarter}{value}{step}").random() < 0.7


def localised(figure: Figure, *models: tuple[str, object], languages: tuple[str, ...] = ("python",)) -> list[Shown]:
    questions = list_questions(languages=languages)
    rows = [row for name, model in models for row in localise("s", name, questions, model)]  # type: ignore[arg-type]
    names = [name for name, _ in models]
    return show(figure, rows, describe_run({"s": ("fault-localization", ())}, names, languages))


def mutated(figure: Figure, model: object, values: list[str] = MUTATIONS) -> list[Shown]:
    rows = localise_twice("s", "m", list_questions(), model, values)  # type: ignore[arg-type]
    return show(figure, rows, describe_run({"s": ("fault-robustness", values)}, ["m"]))
