"""``codereason export``: writes the questions of suites as JSON rows. No model is asked."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from pytest_codereason.commands._command_line import read_count, read_part, read_whole
from pytest_codereason.commands._suites import list_suite_files
from pytest_codereason.commands._tasks import add_task_options, describe_skipped, open_tasks
from pytest_codereason.core import Instance, Spec, digest
from pytest_codereason.core.text.parts import Part
from pytest_codereason.core.text.wording import one_line, plural
from pytest_codereason.errors import PartError, SandboxError, Skip, UsageError, describe_file_error
from pytest_codereason.questions.suites.suite import Suite

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Execution, Run
    from pytest_codereason.engine.rehearsing import Execute

T = TypeVar("T")
LONGEST_NOTE = 400  #: characters of a reason that are shown


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "export",
        help="write the questions of suites to a file, without asking a model",
        description="Writes each question of suites as one line of JSON. No model is asked, so hints and other texts "
        "are those of files, or those that a rule writes. Programs are run as a run does: to check these texts "
        "(a hint must be wrong), to compute or check outputs, and to see that a changed program does what the original "
        "does. Questions that a run would skip are left out: standard error says how many and why, and the exit code "
        "is 1. With --tasks the rows are tasks to train on, about programs that are made without end.",
    )
    parser.add_argument(
        "suites",
        nargs="+",
        type=Path,
        metavar="SUITE",
        help="a *.suite.toml file, or a folder of them; with --tasks also a suite that ships, such as horizon",
    )
    parser.add_argument(
        "-o", dest="output", type=Path, metavar="FILE", help="the file to write (default: standard output)"
    )
    parser.add_argument(
        "--eval-seed", type=read_whole, metavar="N", help="the seed of generated programs (default: the suite's)"
    )
    parser.add_argument(
        "--eval-limit", type=read_part, metavar="PART", help="write only a part of each suite: 20, 10%%, 1/8"
    )
    parser.add_argument(
        "--tasks", type=read_count, metavar="N", help="write N tasks to train on for each suite of generated programs"
    )
    add_task_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes a row for each question, and says which are left out; the exit code is then 1."""
    from pytest_codereason.questions.suites.reading import load

    if args.tasks is not None:
        return _export_tasks(args)
    if args.difficulty is not None or args.split is not None:
        raise UsageError("--difficulty and --split are about tasks: give --tasks N too")
    suites = [load(file, seed=args.eval_seed) for path in args.suites for file in list_suite_files(path)]
    return _write_to(args.output, lambda file: _write_rows(suites, args.eval_limit, file))


def _export_tasks(args: argparse.Namespace) -> int:
    """Writes tasks, and says how many of them differ. The exit code is 0."""
    if args.eval_limit is not None:
        raise UsageError("--eval-limit takes a part of a suite, and tasks have no end: give their number by --tasks")
    series = [open_tasks(suite, args, args.tasks) for suite in args.suites]

    def write(file: TextIO) -> None:
        questions = set[str]()
        for tasks in series:
            for task in tasks:
                questions.add(digest(task["question"]))
                file.write(json.dumps(task, ensure_ascii=file is sys.stdout) + "\n")
        written = sum(map(len, series))
        different = "" if len(questions) == written else f", {len(questions):,} of them different"
        print(f"{plural(written, 'task')} written{different}", file=sys.stderr)
        for tasks in series:
            if tasks.skipped:
                print(f"{tasks.name}: {describe_skipped(tasks.skipped)}", file=sys.stderr)

    _write_to(args.output, write)
    return 0


def _write_to(output: Path | None, write: Callable[[TextIO], T]) -> T:
    """Writes to a file, or to standard output."""
    if output is None:
        return write(sys.stdout)
    try:
        with output.open("w", encoding="utf-8") as file:
            return write(file)
    except OSError as error:
        raise UsageError(f"-o {output}: cannot be written: {describe_file_error(error)}") from error


def _write_rows(suites: Sequence[Suite], limit: Part | None, file: TextIO) -> int:
    from pytest_codereason.engine.building.builder import Builder
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.engine.running import OwnLoop

    unchecked: list[str] = []
    left_out = LeftOut()
    written = 0
    executor = Executor("auto")
    builder = Builder(executor.run)
    try:
        with OwnLoop() as loop:

            def build(suite: Suite, spec: Spec) -> Instance:
                question = loop.run(builder.complete(suite, spec))
                try:
                    question = loop.run(builder.verify(question))
                except SandboxError as error:
                    unchecked.append(str(error))
                return question.instance

            def execute(run: Run) -> Execution:
                return loop.run(executor.run(run))  # which remembers what questions about one program have in common

            for suite in suites:
                for row in list_rows(suite, limit, build, left_out, execute):
                    # A terminal shows control characters written out, as no reader of JSON knows them.
                    file.write(json.dumps(row, ensure_ascii=file is sys.stdout) + "\n")
                    written += 1
    finally:
        executor.close()
    if unchecked:
        count = plural(len(unchecked), "changed program")
        print(f"warning: {count} could not be run, so nobody has checked them: {unchecked[0]}", file=sys.stderr)
    for note in dict.fromkeys(note for suite in suites for note in suite.list_left_out()):
        print(one_line(note, LONGEST_NOTE), file=sys.stderr)
    return left_out.report(written)


class LeftOut:
    """The questions that are left out, by the reason."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, spec: Spec, reason: str) -> None:
        """Counts a question."""
        self._counts[reason] += 1
        self._first.setdefault(reason, spec.id)

    def report(self, written: int) -> int:
        """Says how many questions are left out, and why. The exit code: 1 if there is one, else 0."""
        if not (many := self._counts.total()):
            return 0
        print(f"{written:,} of {plural(written + many, 'question')} written; left out, as in a run:", file=sys.stderr)
        for reason, count in self._counts.most_common():
            print(f"  {count:,}: {one_line(reason, LONGEST_NOTE)} (the first: {self._first[reason]})", file=sys.stderr)
        return 1


def list_rows(
    suite: Suite,
    limit: Part | None = None,
    build: Callable[[Suite, Spec], Instance] | None = None,
    left_out: LeftOut | None = None,
    execute: Execute | None = None,
) -> Iterator[dict[str, object]]:
    """A row for each question of a suite, with its messages and its right answer.

    Args:
        build: builds the question of a spec; without it, texts are the first that the rule writes, unchecked.
        left_out: counts the questions that a run would skip, or get no answer to.
        execute: runs the programs that a task runs before its question; without it, none is run.
    """
    from pytest_codereason.engine.building.drafts import draft
    from pytest_codereason.engine.rehearsing import ask_in_full
    from pytest_codereason.engine.sharing.selection import select

    for spec in select(suite, limit=limit):
        try:
            instance = build(suite, spec) if build else draft(suite, spec)
            (ask, *_), expected = ask_in_full(suite.task, instance, execute)
        except (Skip, SandboxError, PartError) as error:
            if left_out is not None:
                left_out.add(spec, str(error))
            continue
        original = instance.original or instance.program
        yield {
            "id": instance.id,
            "suite": suite.name,
            "family": instance.family,
            "language": instance.language,
            "source": instance.program.source,
            "original": original.source,
            "files": dict(instance.program.files),
            "original_files": dict(original.files),
            "entry": instance.program.entry,
            "call": instance.program.call,
            "expected": expected,
            "axes": dict(instance.matrix),
            "messages": [{"role": m.role, "content": m.content} for m in ask.messages],
            "prefill": ask.prefill,
            "forms": instance.forms,
        }
