"""The question about a moment in words.

No question shows a value: small models answer with it, whatever the program does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_codereason.core import Language
from pytest_codereason.questions.moments.candidate import MomentCandidate
from pytest_codereason.questions.moments.inverse.aims import Aim
from pytest_codereason.questions.moments.kinds.branch import LENGTH
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: By kind: the question.
WORDS = {
    "value": "Line {line} is about to run for the {visit} time. What is the value of the variable {v}? Write it as a "
    "literal of {language}: {literals}.",
    "visits": "How many times does line {line} run in all?",
    "branch": "Line {line} has a condition. From the {visit} to the {last} time that the line runs: is the condition "
    "true (T) or false (F)? Write {length} letters without blanks, in the order of the run.",
    "next": "Line {line} runs for the {visit} time. Which line runs next?",
    "raise": "The run ends with an exception that nobody catches. In which line is it raised, and of which type is it? "
    "Write the number of the line, a comma, and the name of the type.",
    "writer": "Line {line} is about to run for the {visit} time. Which line gave the variable {v} the value that it "
    "has now?",
    "alias": "Line {line} is about to run for the {visit} time. Are {v} and {w} one and the same object, so that what "
    "is put into one is put into the other? Write yes or no.",
}

#: By kind: what a call is asked for.
GOALS = {
    "reach": "With this call line {line} does not run. Give a call of {function} for which line {line} runs",
    "avoid": "With this call line {line} runs. Give a call of {function} that ends without an exception and for "
    "which line {line} does not run",
    "rounds": "Give a call of {function} for which line {line} runs exactly {times} times in all",
}
#: What else is wanted of the call.
BESIDES = ", and line {other} runs exactly {times} times in all"


def word_question(kind: str, candidate: MomentCandidate, label: Callable[[ProgramLine], str], lang: Language) -> str:
    """The question about a moment.

    Args:
        kind: What it asks.
        candidate: The moment.
        label: Gives what a line is called where it is shown.
        lang: The language of the program.
    """
    names = {key: write_name(name, lang) for key, name in zip(("v", "w"), candidate.names, strict=False)}
    visit, last = order(candidate.visit), order(candidate.visit + LENGTH - 1)
    words = {"visit": visit, "last": last, "length": LENGTH, "language": lang.title}
    return WORDS[kind].format(line=label(candidate.place), literals=_describe_literals(lang), **words, **names)


def _describe_literals(lang: Language) -> str:
    """How values are written; where lists and maps are calls, how these are: ``List.of(...)``."""
    empty = {"lists": lang.values.write([]), "maps": lang.values.write({})}
    calls = [f"{name} as {text[:-1]}...)" for name, text in empty.items() if text.endswith("()")]
    return ", ".join(["text in quotes", *calls])


def write_name(name: str, lang: Language) -> str:
    """The name of a variable as a program writes it: ``$total`` in PHP."""
    return f"{lang.dialect.sigil}{name}" if lang.has("dialect") else name


def word_goal(kind: str, function: str, aim: Aim, labels: Sequence[str]) -> str:
    """The question for a call. ``labels`` are what the wanted lines are called where they are shown."""
    words = GOALS[kind] + BESIDES * (len(aim.wants) > 1)
    asked = words.format(line=labels[0], other=labels[-1], times=aim.wants[-1].least, function=function)
    return f"{asked}. Write its arguments as literals."


def order(number: int) -> str:
    """A number as an ordinal: ``21st``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
