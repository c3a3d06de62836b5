"""``codereason sft``: writes the questions of suites with their right replies, as training data."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._authoring import RESUMES, add_writer_options, describe_reused, make_writer, write_texts
from pytest_codereason.commands._command_line import read_part, read_whole
from pytest_codereason.commands._outputs import check_fresh
from pytest_codereason.commands._suites import list_suite_files
from pytest_codereason.errors import SandboxError, Skip, UsageError, describe_file_error

if TYPE_CHECKING:
    from pytest_codereason.core import Instance
    from pytest_codereason.core.text.parts import Part
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.questions.suites.suite import Suite

#: Who writes the steps before a reply, besides a model: nobody, or the trace of the program.
NONE, TRACE = "none", "trace"


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "sft",
        help="write the questions of suites with their right replies, to train a model on",
        description="Writes each question of suites as one line of JSON: a conversation that ends with the right "
        "reply. Before the reply stand the steps that lead to it, between <think> and </think>. The steps come from "
        "a run of the program, or from a model that is shown the right answers.",
    )
    parser.add_argument(
        "suites",
        nargs="+",
        type=Path,
        metavar="SUITE",
        help="a *.suite.toml file, a folder of them, or a suite that ships",
    )
    add_writer_options(
        parser,
        f"who writes the steps: {TRACE} (a run of the program, the default), {NONE}, or a model, PROVIDER:NAME",
        default=TRACE,
    )
    parser.add_argument("--eval-seed", type=read_whole, metavar="N", help="the seed of generated programs")
    parser.add_argument(
        "--eval-limit", type=read_part, metavar="PART", help="write only a part of each suite: 20, 10%%, 1/8"
    )
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the file; 1 if a model has yet to write steps."""
    from pytest_codereason.core.text.wording import plural
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.questions.suites.reading import load

    check_fresh(args.output, "training data")
    suites = [load(file, seed=args.eval_seed) for path in args.suites for file in list_suite_files(path)]
    unbuilt, left_out = Counter[str](), Counter[str]()
    executor = Executor("auto")
    try:
        instances = [*_build(suites, args.eval_limit, executor, unbuilt)]
        unexplained = dict[tuple[str, str], str]()
        if (steps := _write_steps(instances, args, executor, unexplained)) is None:
            return 130
        rows = [*_make_rows(instances, steps, unexplained, executor, left_out)]
    finally:
        executor.close()
    missing = len(instances) - len(rows) - left_out.total()
    for reason, count in (unbuilt + left_out).most_common():
        print(f"  {count:,} left out: {reason}")
    if missing > 0:
        print(f"nothing is written yet, {plural(missing, 'answer')} of the writer missing: {RESUMES}")
        return 1
    if not rows:
        advised = any(left_out[reason] for reason in unexplained.values())
        advice = f"; --writer {NONE} writes questions without steps" if advised else ""
        raise UsageError(f"no question is left, so nothing is written{advice}")
    try:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        args.output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {describe_file_error(error)}") from error
    repositories = len({row["repository"] or row["family"] for row in rows})
    where = "repository" if repositories == 1 else "repositories"
    print(f"{args.output}: {plural(len(rows), 'conversation')} of {repositories:,} {where}")
    print(f"next: codereason finetune {args.output} --base FOLDER -o adapter")
    return 0


def _build(
    suites: Sequence[Suite], limit: Part | None, executor: Executor, left_out: Counter[str]
) -> Iterator[tuple[Suite, Instance]]:
    from pytest_codereason.engine.building.builder import Builder
    from pytest_codereason.engine.running import OwnLoop
    from pytest_codereason.engine.sharing.selection import select

    builder = Builder(executor.run)
    with OwnLoop() as loop:
        for suite in suites:
            for spec in select(suite, limit=limit):
                try:
                    yield suite, loop.run(builder.build(suite, spec)).instance
                except (Skip, SandboxError) as reason:
                    left_out[str(reason)] += 1


def _write_steps(
    instances: Sequence[tuple[Suite, Instance]],
    args: argparse.Namespace,
    executor: Executor,
    unexplained: dict[tuple[str, str], str],
) -> dict[tuple[str, str], str] | None:
    """The steps of each question by its suite and id; ``None`` if the user stopped the writing.

    Why a question has none goes into ``unexplained``.
    """
    keys = [(suite.name, instance.id) for suite, instance in instances]
    if args.writer == NONE:
        return dict.fromkeys(keys, "")
    from pytest_codereason.engine.running import OwnLoop
    from pytest_codereason.harvest.training.reasoning import find_reasoning

    steps: dict[tuple[str, str], str] = {}
    kept: list[tuple[tuple[str, str], Instance]] = []
    with OwnLoop() as loop:
        for key, (_, instance) in zip(keys, instances, strict=True):
            try:
                steps[key] = loop.run(find_reasoning(instance, executor.run))
                kept.append((key, instance))
            except Skip as skip:
                unexplained[key] = str(skip)
    return steps if args.writer == TRACE else _ask_writer(kept, steps, args)


def _ask_writer(
    kept: Sequence[tuple[tuple[str, str], Instance]], steps: dict[tuple[str, str], str], args: argparse.Namespace
) -> dict[tuple[str, str], str] | None:
    """The steps that a model writes. Where it writes none that can be used, those of the trace stay."""
    from pytest_codereason.core import TextRequest, digest
    from pytest_codereason.engine.building.authoring import text_kind
    from pytest_codereason.engine.building.preparing import NamedRequest

    kind = text_kind("reasoning")
    requests = [
        NamedRequest(instance.id, TextRequest(kind.name, instance.program, "edges", (steps[key],)))
        for key, instance in kept
    ]
    plan = digest("sft", kind.version, [request.request.program.sha for request in requests])[:16]
    texts = write_texts(kind, requests, make_writer(args), args, plan)
    if texts is None:
        return None
    if reused := describe_reused(texts):
        print(reused)
    by_rule = Counter(text.text.reason for text in texts if text.text.reason)
    for reason, count in by_rule.most_common():
        print(f"  {count:,} with the steps of the trace: the writer {reason}")
    written = zip(kept, texts, strict=True)
    return {key: text.text.value or steps[key] for (key, _), text in written if not text.trouble}


def _make_rows(
    instances: Sequence[tuple[Suite, Instance]],
    steps: dict[tuple[str, str], str],
    unexplained: dict[tuple[str, str], str],
    executor: Executor,
    left_out: Counter[str],
) -> Iterator[dict[str, object]]:
    """The conversations. What nothing else explains, the task derives, if it can."""
    from pytest_codereason.engine.rehearsing import ask_in_full
    from pytest_codereason.harvest.training.conversations import make_conversation

    for suite, instance in instances:
        key = (suite.name, instance.id)
        if key in steps or key in unexplained:
            try:
                (ask, *_), _expected = ask_in_full(suite.task, instance, executor.execute)
            except (Skip, SandboxError) as reason:
                left_out[str(reason)] += 1
                continue
            if key in unexplained and not ask.derivation:
                left_out[unexplained[key]] += 1
                continue
            yield make_conversation(instance, ask, steps.get(key, "\n".join(ask.derivation))).to_row()
