"""``codereason show``: one question as it is asked, what was changed in its program, and the right answer."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._command_line import read_whole
from pytest_codereason.errors import SandboxError, Skip, UsageError

if TYPE_CHECKING:
    from pytest_codereason.core import Instance, Program, Spec
    from pytest_codereason.engine.rehearsing import Execute
    from pytest_codereason.questions.suites.enumeration import Questions
    from pytest_codereason.questions.suites.suite import Suite

#: How many steps of a run are printed: the last.
MOST_STEPS = 40


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "show",
        help="print one question of a suite as it is asked, and its right answer",
        description="Prints one question of a suite: every message that a model gets, how its program differs from the "
        "original, and the right answer. If a run would skip the question, its reason is printed instead: programs are "
        "run as a run does it. No model is asked. Hints and other texts are those of files or of the rule.",
    )
    parser.add_argument(
        "suite", type=Path, metavar="SUITE", help="a *.suite.toml file, a folder with one, or a suite that ships"
    )
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help="the question, such as python/sample_0[perturbation:rename] or its number from 1 (default: 1)",
    )
    parser.add_argument(
        "--eval-seed", type=read_whole, metavar="N", help="the seed of generated programs (default: the suite's)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the question; the exit code is 0, 1 where a run would skip it.

    Raises:
        UsageError: the suite cannot be read, or has no such question.
    """
    from pytest_codereason.questions.suites.enumeration import Questions
    from pytest_codereason.questions.suites.reading import load
    from pytest_codereason.questions.suites.shipped import find_only_suite

    suite = load(find_only_suite(args.suite), seed=args.eval_seed)
    questions = Questions(suite)
    spec = _find(questions, args.id or "1")
    print(f"question {questions.index(spec) + 1:,} of {len(questions):,}: {suite.name} {spec.id}")
    lines, is_asked = _describe(suite, spec)
    print("\n".join(lines))
    return 0 if is_asked else 1


def _find(questions: Questions, wanted: str) -> Spec:
    """The question of an id, as ids stand in reports and in pytest, or of a number."""
    if wanted.isdecimal():
        if not 1 <= int(wanted) <= len(questions):
            raise UsageError(f"the suite has {len(questions):,} questions, from 1 on; there is none of number {wanted}")
        return questions[int(wanted) - 1]
    try:
        return questions.find(wanted.rpartition("::")[2])
    except KeyError:
        first, last = questions[0].id, questions[-1].id
        raise UsageError(f"the suite has no question {wanted}: its questions go from {first} to {last}") from None


def _describe(suite: Suite, spec: Spec) -> tuple[list[str], bool]:
    """The lines about a question, and whether a run asks it."""
    from pytest_codereason.engine.building.builder import Builder
    from pytest_codereason.engine.building.drafts import begin
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.engine.running import OwnLoop

    origin: list[str] = []
    instance: Instance | None = None
    executor = Executor("auto")
    builder = Builder(executor.run)
    try:
        origin += _format_origin(begin(suite, spec).program, spec)
        with OwnLoop() as loop:
            question = loop.run(builder.complete(suite, spec))
            instance = question.instance
            doubt: tuple[str, ...] = ()
            try:
                loop.run(builder.verify(question))
            except SandboxError as error:
                doubt = ("", f"--- the changed program was not checked: {error}")
            return [*origin, *format_question(suite, instance, executor.execute), *doubt], True
    except Skip as skip:
        return [*origin, f"skipped: {skip}", *(_format_changes(instance) if instance else ())], False
    finally:
        executor.close()


def format_question(suite: Suite, instance: Instance, execute: Execute) -> Iterator[str]:
    """The lines of a question: its messages, the differences to the original program, the right answer."""
    from pytest_codereason.engine.rehearsing import ask_in_full

    asks, expected = ask_in_full(suite.task, instance, execute)
    for number, ask in enumerate(asks, 1):
        for message in ask.messages:
            yield from ("", f"--- {message.role}{f' (step {number}, after a right answer)' if number > 1 else ''}")
            yield message.content
        if ask.prefill:
            yield from ("", "--- the reply begins with", ask.prefill)
    yield from _format_changes(instance)
    for ask in asks:
        if ask.notes or ask.derivation:
            yield from ("", "--- how it comes about", *ask.notes, *_shorten(ask.derivation))
    yield from ("", "--- the right answer", expected)


def _format_origin(program: Program, spec: Spec) -> Iterator[str]:
    """The place where the program was found, if the id does not say it: ``shop/tax.py:price``."""
    if "/" in program.origin and spec.program not in program.origin:
        yield f"its program is from {program.origin}"


def _shorten(steps: Sequence[str]) -> Iterator[str]:
    """The last steps: a run may have a thousand, and the question stands above them."""
    if (left := len(steps) - MOST_STEPS) > 0:
        yield f"  ... {left:,} before"
    yield from steps[-MOST_STEPS:]


def _format_changes(instance: Instance) -> Iterator[str]:
    """What stages changed in the program, or why they changed nothing."""
    if differences := list(_compare(instance)):
        yield from ("", "--- what was changed in the program", *differences)
    elif instance.unchanged:
        yield from ("", f"--- nothing was changed in the program: {instance.unchanged}")


def _compare(instance: Instance) -> Iterator[str]:
    """The lines in which the program that is shown differs from the original, as a unified diff."""
    if instance.original is None:
        return
    for name, shown in instance.program.files.items():
        before = instance.original.files.get(name, "").splitlines()
        lines = list(difflib.unified_diff(before, shown.splitlines(), "original", "shown", lineterm=""))
        if lines:
            yield from ([name] if len(instance.program.files) > 1 else [])
            yield from lines
