"""Describes a counterexample: in the failure of the test, and in a line of the summary."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.core import Program
from pytest_codereason.core.text import wording
from pytest_codereason.fuzzing.counterexample import Counterexample
from pytest_codereason.fuzzing.examiner import Answer, Tally
from pytest_codereason.fuzzing.probes import Probe

if TYPE_CHECKING:  # search.py needs Hypothesis, which an evaluation does without
    from pytest_codereason.fuzzing.search import SearchResult

#: Reasons that the summary line names.
REASONS = 3


def format_failure(example: Counterexample, result: SearchResult, model: str, seed: int) -> str:
    """The text of a search's failure: programs, change, answers, and the number of requests."""
    took = f"found with {wording.plural(result.requests, 'request')}, shrunk with {result.shrinking:,} more"
    took += f", {_count_stored(result.stored)}" if result.stored else ""
    end = f"seed {seed} · {took}" + (f", stopped at {result.stopped}" if result.stopped else "")
    return f"{format_answers(example, model)}\n{end}"


def format_answers(example: Counterexample, model: str) -> str:
    """The programs of a counterexample, the change, and the answers."""
    question, answer = example.wrong[-1]
    what = f"answers right, but wrong after {question.perturbation}" if example.fell else "answers wrong"
    lines = [f"{model} {what}: {answer.words}", ""]
    for number, (question, answer) in enumerate(example.trail):
        lines += _format_answer(
            question, answer, "original" if example.fell and number == 0 else _choose_title(question)
        )
    if question.original is not None:
        lines += ["the change:", *_indent(compare(question.original, question.program)), ""]
    if not example.fell:
        message = str(example.error).partition("\n")[0]
        lines += [f"the test: {type(example.error).__name__}: {message}"]
    return "\n".join(lines)


def _count_stored(stored: int) -> str:
    """``12 answers from the store``; these were not asked for in this run."""
    return f"{wording.plural(stored, 'answer')} from the store"


def format_replay(tally: Tally, because: str) -> str:
    """The summary line of a test that asks about given programs: what was not asked anew, and what it could not tell.

    ``because`` is of :func:`explain_inconclusive`. Empty if there is nothing to say.
    """
    stored = f"judged with {_count_stored(tally.stored)}" if tally.stored else ""
    return "; ".join(filter(None, [f"inconclusive: {because}" if because else "", stored]))


def format_summary(tally: Tally, result: SearchResult) -> str:
    """The summary line: the result, the numbers of questions and requests, and why programs were passed over."""
    asked = f"{wording.plural(len(tally.questions), 'question')}, {wording.plural(tally.requests, 'request')}"
    because = explain_inconclusive(tally) if result.smallest is None else ""
    stopped = f" (stopped at {result.stopped})" if result.stopped else ""
    if because:
        line = f"inconclusive in {asked}: {because}{stopped}"
    elif result.smallest is None:
        changes = f", {wording.plural(len(tally.right), 'changed program')}" if tally.right else ""
        line = f"no counterexample in {asked}{changes}{stopped}"
    else:
        line = f"a counterexample in {asked}"
    if tally.missed and not because:
        line += f"; {wording.plural(len(tally.missed), 'original')} not answered right"
    if tally.stored:
        line += f"; {_count_stored(tally.stored)}"
    if reasons := tally.reasons:
        most = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(REASONS))
        line += f"; passed over {reasons.total():,} ({most}{', ...' if len(reasons) > REASONS else ''})"
    return line


def explain_inconclusive(tally: Tally) -> str:
    """Why a search without a counterexample says nothing about the model; empty if it says something."""
    if tally.missed and not tally.right:
        count = len(tally.missed)
        unread = sum(outcome != "wrong" for outcome in tally.missed.values())
        none = f"none of {count:,} originals" if count > 1 else "the original"
        how = f" ({unread:,} {'has' if unread == 1 else 'have'} no readable answer)" if unread else ""
        return f"{none} was {'' if count > 1 else 'not '}answered right{how}, so no change was asked about"
    if tally.passed_over and not tally.questions:
        return f"none of {wording.plural(len(tally.passed_over), 'program')} could be asked about"
    return "" if tally.questions else "nothing was asked"


def describe_question(example: Counterexample) -> str:
    """The task, the axes, the language and the change of the failing question."""
    question, _ = example.wrong[-1]
    words = [question.task, *(f"{name} {value}" for name, value in question.axes), question.program.language]
    return ", ".join([*words, question.perturbation] if question.perturbation else words)


def compare(before: Program, after: Program) -> list[str]:
    """The lines of a unified diff of source and call."""
    old, new = ([*program.source.splitlines(), program.call] for program in (before, after))
    return list(difflib.unified_diff(old, new, "original", "changed", lineterm="", n=2))


def _choose_title(question: Probe) -> str:
    return f"changed by {question.perturbation}" if question.original is not None else "program"


def _format_answer(question: Probe, answer: Answer, title: str) -> Iterator[str]:
    program = question.program
    times = "" if answer.times == 1 else f", {answer.times} times out of {answer.times}"
    yield f"{title}:"
    yield from _indent([*program.source.rstrip("\n").splitlines(), "", program.call])
    if answer.asked:
        yield from ["", "the question:", *_indent(answer.asked.splitlines()), ""]
    worth = "right" if answer.correct else answer.outcome
    yield f"{answer.words} ({worth}{times})"
    yield ""


def _indent(lines: list[str]) -> list[str]:
    return [f"    {line}".rstrip() for line in lines]
