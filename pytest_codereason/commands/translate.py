"""``codereason translate``: the programs of a data set in another language, written by a model and frozen."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.commands._outputs import check_fresh
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from pytest_codereason.core import Model, Record
    from pytest_codereason.suites.suite import Suite

#: Room for a program, and for a writer that thinks.
MAX_TOKENS = 4_096
SOURCES = ("livecodebench", "cruxeval")
_GOES_ON = "what was answered is kept, and the same command goes on"


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "translate", help="have a model translate a data set; keep what returns what the original does"
    )
    parser.add_argument("source", metavar="SOURCE", help=f"{' or '.join(SOURCES)}")
    parser.add_argument("--to", required=True, metavar="L", help="javascript, php or java")
    parser.add_argument("--writer", required=True, metavar="SPEC", help="the model that translates, openai:NAME")
    parser.add_argument("--writer-url", metavar="URL", help="where it is asked, as --model-url")
    parser.add_argument("--writer-arg", action="append", default=[], metavar="KEY=VALUE", help="as --model-arg")
    parser.add_argument("--path", metavar="DIR", help="where the data set lies, instead of CODEREASON_DATA")
    parser.add_argument("--count", type=int, metavar="N", help="only the first N programs")
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help="where translations go")
    parser.add_argument("--eval-store", type=Path, metavar="DIR", help="where answers are kept, shared with runs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the file once there is an answer for every program; 1 where there is not yet."""
    from pytest_codereason import registry
    from pytest_codereason.files.locations import cache_folder

    suite = _suite(args)
    check_fresh(args.output, "translations")
    pairs = [pair.partition("=") for pair in args.writer_arg]
    if wrong := [key for key, equals, _ in pairs if not (key and equals)]:
        raise UsageError(f"--writer-arg {wrong[0]!r}: write KEY=VALUE")
    model = registry.create_model(args.writer, url=args.writer_url, args={key: value for key, _, value in pairs})
    try:
        records = _ask(suite, model, args.eval_store or cache_folder() / "store")
    except KeyboardInterrupt:
        print(f"stopped: {_GOES_ON}", file=sys.stderr)
        return 130
    return _written(suite, model, records, args.output)


def _suite(args: argparse.Namespace) -> Suite:
    """What is asked, as a suite: the store then knows where a run has stopped."""
    from pytest_codereason import registry
    from pytest_codereason.core import Sampling, Source
    from pytest_codereason.errors import BadSetting
    from pytest_codereason.suites.suite import Suite
    from pytest_codereason.tasks._translation import TARGETS, Translation

    if args.source not in SOURCES:
        raise UsageError(f"{args.source}: choose one of {', '.join(SOURCES)}")
    if args.to not in TARGETS:
        raise UsageError(f"--to {args.to}: choose one of {', '.join(TARGETS)}")
    kind = registry.find(Source, args.source)
    settings = {"path": args.path, "count": args.count}
    try:
        source = kind.create({k: v for k, v in settings.items() if v is not None}, seed=0)
    except BadSetting as error:
        raise UsageError(f"--{error.key}: {error}") from error
    next(source.names("python"), None)  # said now where it is not there
    return Suite(
        name=f"{args.source}-{args.to}",
        path=Path(),
        task=Translation(),
        source=source,
        languages=("python",),
        matrix={},
        fixed={"prompting": "direct", "target": args.to},
        sampling={"": Sampling(max_tokens=MAX_TOKENS)},
        samples={"": 1},
        template=None,
        seed=0,
        checks=True,
    )


def _ask(suite: Suite, model: Model, folder: Path) -> list[Record]:
    """One record a program; what the store holds of an earlier run that was stopped is not asked again."""
    from pytest_codereason.engine.engine import Engine, Job, check_models
    from pytest_codereason.engine.executing import Executor

    check_models([model])
    executor = Executor("auto")
    with Engine({model.label: model}, store=folder, executor=executor) as engine:
        if missing := next(executor.find_missing(("python", str(suite.fixed["target"]))), None):
            raise UsageError(missing)
        jobs = [Job(model.label, suite, spec) for spec in suite.specs()]
        records: list[Record] = []
        for done, group in enumerate(engine.records(jobs), 1):
            records += group
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{done:,} of {len(jobs):,} programs" + "\n" * (done == len(jobs)))
                sys.stderr.flush()
        if not any(record.outcome == "error" for record in records):
            engine.end_runs(model.label, [suite.plan])
        return records


def _written(suite: Suite, model: Model, records: Sequence[Record], path: Path) -> int:
    from pytest_codereason.registry import language
    from pytest_codereason.sources._rows import Entry
    from pytest_codereason.sources._translations import freeze
    from pytest_codereason.tasks._translation import carry

    target = str(suite.fixed["target"])
    unanswered = [record for record in records if record.outcome == "error"]
    kept = [record for record in records if record.outcome == "correct"]
    fell = Counter(_kind(record) for record in records if record.outcome not in ("error", "correct"))
    print(f"{len(records):,} programs: {len(kept):,} kept")
    for reason, count in sorted(fell.items(), key=lambda pair: (-pair[1], pair[0])):
        print(f"  {count:,} left out: {reason}")
    if unanswered:
        print(f"  {len(unanswered):,} without an answer: {unanswered[0].reason}")
        print(f"nothing is written yet: {_GOES_ON}")
        return 1
    if not kept:
        raise UsageError("no translation was kept, so nothing is written")
    entries = []
    for record in kept:
        name = record.id.partition("/")[2]
        carried = carry(suite.source.program("python", name, {}), language(target))
        entries.append(Entry(name, record.answer or "", carried.call, carried.given, carried.output))
    try:
        sha = freeze(
            path,
            entries,
            source=suite.source.name,
            language=target,
            writer=model.label,
            of=dict(suite.source.identity),
            asked=len(records),
            left_out=dict(fell),
        )
    except OSError as error:
        raise UsageError(f"-o {path}: cannot be written: {error}") from error
    print(f"{os.fspath(path)}, sha256 {sha[:16]}")
    print(f'next: write translations = "{path}" under [source] with name = "{suite.source.name}"')
    return 0


def _kind(record: Record) -> str:
    """Why a program fell, as it is counted."""
    from pytest_codereason.tasks._translation import UNCALLABLE

    if record.outcome != "skipped":
        return record.reason
    return UNCALLABLE if record.reason.startswith(UNCALLABLE) else "the original does not return what is recorded"
