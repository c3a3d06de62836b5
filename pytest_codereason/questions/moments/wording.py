"""The question about a moment in words, and what stands for the answer in the form of the reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pytest_codereason.core import Language
from pytest_codereason.questions.moments.candidate import MomentCandidate
from pytest_codereason.questions.moments.inverse.aims import Aim
from pytest_codereason.questions.moments.kinds.branch import LENGTH
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine


class Worded(NamedTuple):
    """A question, and the form of its answer."""

    question: str
    form: str


#: By kind: the question, and what stands for its answer.
WORDS = {
    "value": (
        "Line {line} is about to run for the {visit} time. What is the value of the variable {v}? Write it as a "
        "literal of {language}, such as {examples}.",
        "value",
    ),
    "visits": ("How many times does line {line} run in all?", "number"),
    "branch": (
        "Line {line} has a condition. From the {visit} to the {last} time that the line runs: is the condition true "
        "(T) or false (F)? Write {length} letters without blanks, in the order of the run.",
        "letters",
    ),
    "next": ("Line {line} runs for the {visit} time. Which line runs next?", "line"),
    "raise": (
        "The run ends with an exception that nobody catches. In which line is it raised, and of which type is it? "
        "Write the number of the line, a comma, and the name of the type.",
        "line, type",
    ),
    "writer": (
        "Line {line} is about to run for the {visit} time. Which line gave the variable {v} the value that it has now?",
        "line",
    ),
    "alias": (
        "Line {line} is about to run for the {visit} time. Are {v} and {w} one and the same object, so that a change "
        "of one is a change of the other? Write yes or no.",
        "yes or no",
    ),
}

#: Values whose literals show how an answer is written.
LITERALS = (7, "ab", [1, 2], {"a": 1})

#: By kind: what a call is asked for.
GOALS = {
    "reach": "With this call line {line} does not run. Give a call of {function} for which line {line} runs",
    "avoid": "With this call line {line} runs. Give a call of {function} that ends without an exception and for "
    "which line {line} does not run",
    "rounds": "Give a call of {function} for which line {line} runs exactly {times} times in all",
}
#: What else is wanted of the call.
BESIDES = ", and line {other} runs exactly {times} times in all"


def word_question(kind: str, candidate: MomentCandidate, label: Callable[[ProgramLine], str], lang: Language) -> Worded:
    """The question about a moment.

    Args:
        kind: What it asks.
        candidate: The moment.
        label: Gives what a line is called where it is shown.
        lang: The language of the program.
    """
    names = {key: write_name(name, lang) for key, name in zip(("v", "w"), candidate.names, strict=False)}
    question, form = WORDS[kind]
    visit, last = order(candidate.visit), order(candidate.visit + LENGTH - 1)
    *some, other = map(lang.values.write, LITERALS)
    examples = f"{', '.join(some)} or {other}"
    words = {"visit": visit, "last": last, "length": LENGTH, "language": lang.title, "examples": examples}
    return Worded(question.format(line=label(candidate.place), **words, **names), form)


def write_name(name: str, lang: Language) -> str:
    """The name of a variable as a program writes it: ``$total`` in PHP."""
    return f"{lang.dialect.sigil}{name}" if lang.has("dialect") else name


def word_goal(kind: str, function: str, aim: Aim, labels: Sequence[str]) -> Worded:
    """The question for a call. ``labels`` are what the wanted lines are called where they are shown."""
    words = GOALS[kind] + BESIDES * (len(aim.wants) > 1)
    asked = words.format(line=labels[0], other=labels[-1], times=aim.wants[-1].least, function=function)
    return Worded(f"{asked}. Write its arguments as literals.", f"{function}(...)")


def order(number: int) -> str:
    """A number as an ordinal: ``21st``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
