"""``codereason prepare``: hints written by a model before any question is asked, frozen in a file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._outputs import check_fresh
from pytest_codereason.errors import ModelError, SandboxError, Skip, UsageError

if TYPE_CHECKING:
    from pytest_codereason.authoring.hints import Row
    from pytest_codereason.core import Model, Program
    from pytest_codereason.engine.asking import Asker
    from pytest_codereason.suites.suite import Suite

Job = tuple[str, "Program", str]  #: a program's name, the program as its source gave it, what is misstated


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("prepare", help="have a model write the hints of a suite, and freeze them in a file")
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a *.suite.toml file with the perturbation hint")
    parser.add_argument("--writer", required=True, metavar="SPEC", help="the model, PROVIDER:NAME")
    parser.add_argument("--writer-url", metavar="URL", help="its endpoint")
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help="where the texts go")
    parser.add_argument("--eval-seed", type=int, metavar="N", help="generate other programs than the suite's own seed")
    parser.add_argument("--eval-store", type=Path, metavar="DIR", help="where texts are kept, shared with runs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the file; the exit code is 1 where a text is missing because nobody answered."""
    from pytest_codereason import registry
    from pytest_codereason.authoring import hints
    from pytest_codereason.files.locations import cache_folder
    from pytest_codereason.suites.reading import load
    from pytest_codereason.text.wording import hints as counted
    from pytest_codereason.text.wording import plural

    check_fresh(args.output, "texts")
    suite = load(args.suite, seed=args.eval_seed)
    if not suite.hinted:
        raise UsageError(f"{args.suite}: shows no hints, so there is nothing to write; name 'hint' as a perturbation")
    model = registry.create_model(args.writer, url=args.writer_url, args={})
    rows, troubles = _write_texts(model, args.eval_store or cache_folder() / "store", list(_jobs(suite)))
    if troubles:
        reason, many = troubles.most_common(1)[0]
        print(f"{troubles.total():,} texts are missing, {many:,} of them because: {reason}")
        print("nothing is frozen; what was written is kept, and the same command goes on")
        return 1
    try:
        sha = hints.write(args.output, rows)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {error}") from error
    by = Counter(hints.Text(row.value, row.by, row.reason).author for row in rows)
    print(f"{plural(len(rows), 'text')}: {counted(by) or 'none of a writer'}: {args.output}, sha256 {sha[:16]}")
    print(f'next: write hints = "{args.output.name}" at the top of the suite, if the file lies beside it')
    return 0


def _jobs(suite: Suite) -> Iterator[Job]:
    """Each program of a suite that is shown with a hint, once."""
    seen = set()
    for spec in suite.specs():
        family = (spec.language, suite.family(spec))
        if family in seen:
            continue
        try:
            instance = suite.build(spec)
        except Skip:
            continue
        for of in dict.fromkeys(hinted.of for hinted in instance.program.facts.get("hints", ())):
            seen.add(family)
            yield spec.program, instance.reference or instance.program, of


def _write_texts(model: Model, store: Path, jobs: list[Job]) -> tuple[list[Row], Counter[str]]:
    """The texts in the order of ``jobs``, and why some are missing."""
    from pytest_codereason.authoring.hints import Row
    from pytest_codereason.engine.engine import Engine, check_models
    from pytest_codereason.engine.executing import Executor
    from pytest_codereason.engine.writing import Writer
    from pytest_codereason.text.wording import plural

    troubles = Counter[str]()

    async def write(asker: Asker, job: Job) -> Row | None:
        name, program, of = job
        try:
            text = await Writer(asker).text(program, of)
        except (ModelError, SandboxError) as error:
            troubles[str(error)] += 1
            return None
        return Row(name, program.language, program.sha, of, *text)

    check_models([model])
    rows: list[Row] = []
    with Engine({model.label: model}, store=store, executor=Executor("auto")) as engine:
        for done, row in enumerate(engine.work(model.label, jobs, write), 1):
            rows += [row] if row is not None else []
            if done * 10 // len(jobs) > (done - 1) * 10 // len(jobs):  # a line for each tenth: a writer takes its time
                print(f"{done:,} of {plural(len(jobs), 'text')}", file=sys.stderr)
    return rows, troubles
