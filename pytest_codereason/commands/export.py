"""``codereason export``: writes the questions of suites as JSON rows. No model is asked."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from pytest_codereason.commands._command_line import read_part, read_whole
from pytest_codereason.commands._suites import list_suite_files
from pytest_codereason.core import Instance, Spec
from pytest_codereason.errors import SandboxError, Skip, UsageError, describe_file_error
from pytest_codereason.suites.suite import Suite
from pytest_codereason.text.parts import Part
from pytest_codereason.text.wording import plural


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "export",
        help="write the questions of suites to a file, without asking a model",
        description="Writes each question of suites as one line of JSON. No model is asked, so hints and other texts "
        "are those of files, or those that a rule writes. Programs are run as a run does: to check these texts "
        "(a hint must be wrong), to compute or check outputs, and to see that a changed program does what the original "
        "does.",
    )
    parser.add_argument(
        "suites", nargs="+", type=Path, metavar="SUITE", help="a *.suite.toml file, or a folder of them"
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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes a row for each question; the exit code is 0."""
    from pytest_codereason.suites.reading import load

    suites = [load(file, seed=args.eval_seed) for path in args.suites for file in list_suite_files(path)]
    if args.output is None:
        _write_rows(suites, args.eval_limit, sys.stdout)
        return 0
    try:
        with args.output.open("w", encoding="utf-8") as file:
            _write_rows(suites, args.eval_limit, file)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {describe_file_error(error)}") from error
    return 0


def _write_rows(suites: Sequence[Suite], limit: Part | None, file: TextIO) -> None:
    from pytest_codereason.engine.executing import Executor
    from pytest_codereason.engine.previews import check_preview, preview_completed
    from pytest_codereason.engine.running import OwnLoop

    unchecked: list[str] = []
    executor = Executor("auto")
    try:
        with OwnLoop() as loop:

            def build(suite: Suite, spec: Spec) -> Instance:
                instance = loop.run(preview_completed(suite, spec, executor.run))
                try:
                    loop.run(check_preview(instance, executor.run))
                except SandboxError as error:
                    unchecked.append(str(error))
                return instance

            for suite in suites:
                for row in list_rows(suite, limit, build):
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    finally:
        executor.close()
    if unchecked:
        count = plural(len(unchecked), "changed program")
        print(f"warning: {count} could not be run, so nobody has checked them: {unchecked[0]}", file=sys.stderr)


def list_rows(
    suite: Suite, limit: Part | None = None, build: Callable[[Suite, Spec], Instance] | None = None
) -> Iterator[dict[str, Any]]:
    """A row for each question of a suite, with its messages and its right answer.

    Args:
        build: builds the question of a spec; without it, texts are the first that the rule writes, unchecked.
    """
    from pytest_codereason.engine.previews import ask_in_full, preview
    from pytest_codereason.engine.selection import select
    from pytest_codereason.engine.task_steps import follow_steps

    for spec in select(suite, limit=limit):
        try:
            instance = build(suite, spec) if build else preview(suite, spec)
        except Skip:
            continue  # a run skips the question too
        (ask, *_), expected = ask_in_full(follow_steps(suite.task, instance))
        yield {
            "id": instance.id,
            "suite": suite.name,
            "family": instance.family,
            "language": instance.language,
            "source": instance.program.source,
            "original": (instance.original or instance.program).source,
            "call": instance.program.call,
            "expected": expected,
            "axes": dict(instance.matrix),
            "messages": [{"role": m.role, "content": m.content} for m in ask.messages],
            "prefill": ask.prefill,
            "forms": instance.forms,
        }
