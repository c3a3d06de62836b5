"""``codereason translate``: the programs of a data set in another language, written by a model and frozen."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_codereason.commands._authoring import (
    RESUMES,
    add_writer_options,
    count_reasons,
    describe_reused,
    freeze_texts,
    make_writer,
    write_texts,
)
from pytest_codereason.commands._command_line import read_whole
from pytest_codereason.commands._outputs import check_fresh
from pytest_codereason.core import Source
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError

SOURCES = ("livecodebench", "cruxeval")
#: The language of their programs.
ORIGINAL = "python"


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "translate",
        help="have a model translate the programs of a data set",
        description="Has a model translate the Python programs of a data set into another language. A translation is "
        "kept if it returns the value of the original; otherwise the model is told the error and tries again. If "
        "the command was stopped, run it again: it continues.",
    )
    parser.add_argument("source", metavar="SOURCE", help=f"the data set: {' or '.join(SOURCES)}")
    parser.add_argument("--to", required=True, metavar="LANGUAGE", help="javascript, php or java")
    add_writer_options(parser, "the model that translates, PROVIDER:NAME or a name of your own")
    parser.add_argument("--path", metavar="DIR", help="the folder of the data set (default: under CODEREASON_DATA)")
    parser.add_argument("--count", type=read_whole, metavar="N", help="translate only the first N programs")
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the file once there is an answer for every program; 1 where there is not yet."""
    from pytest_codereason import registry
    from pytest_codereason.core import Language, TextRequest, digest
    from pytest_codereason.engine.building.authoring import text_kind
    from pytest_codereason.engine.building.preparing import NamedRequest

    source, kind = _make_source(args), text_kind("translation")
    programs = {name: source.program(ORIGINAL, name, {}) for name in source.names(ORIGINAL)}
    languages = kind.subjects(next(iter(programs.values())))
    if args.to not in languages and not (":" in args.to and registry.find(Language, args.to)):
        raise UsageError(f"--to {args.to}{suggest_name(args.to, languages)}: choose one of {', '.join(languages)}")
    check_fresh(args.output, "translations")
    model = make_writer(args)
    plan = digest("translate", args.to, kind.version, dict(source.identity))[:16]
    requests = [NamedRequest(name, TextRequest(kind.name, program, args.to)) for name, program in programs.items()]
    texts = write_texts(kind, requests, model, args, plan)
    if texts is None:
        return 130
    kept, reasons = sum(1 for text in texts if text.text.value), count_reasons(texts)
    print(f"{len(texts):,} programs: {kept:,} kept")
    for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])):
        print(f"  {count:,} left out: {reason}")
    if troubles := [text.trouble for text in texts if text.trouble]:
        print(f"  {len(troubles):,} without an answer: {troubles[0]}")
        print(f"nothing is written yet: {RESUMES}")
        return 1
    if not kept:
        raise UsageError("no translation was kept, so nothing is written")
    header = {"source": source.name, "identity": dict(source.identity), "asked": len(texts), "left_out": dict(reasons)}
    sha256 = freeze_texts(kind.name, kind, texts, args.output, {**kind.header([args.to]), **header})
    print(f"{args.output}, sha256 {sha256[:16]}")
    if reused := describe_reused(texts):
        print(reused)
    print(f'next: write translations = "{args.output}" under [source] with name = "{source.name}"')
    return 0


def _make_source(args: argparse.Namespace) -> Source:
    from pytest_codereason import registry
    from pytest_codereason.core import Source
    from pytest_codereason.errors import BadSetting

    if args.source not in SOURCES:
        raise UsageError(
            f"unknown data set {args.source!r}{suggest_name(args.source, SOURCES)}: choose one of {', '.join(SOURCES)}"
        )
    settings = {"path": args.path, "count": args.count}
    kind: type[Source] = registry.find(Source, args.source)
    try:
        return kind.create({key: value for key, value in settings.items() if value is not None}, seed=0)
    except BadSetting as error:
        raise UsageError(f"--{error.key}: {error}") from error
