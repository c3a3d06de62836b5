"""``codereason prepare``: texts of one kind about the programs of a suite, written beforehand and frozen in a file."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from pytest_codereason.commands._progress import SaidLate
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import Skip, UsageError, blame

if TYPE_CHECKING:
    from pytest_codereason.core import TextKind
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.engine.building.preparing import NamedRequest, PreparedText
    from pytest_codereason.questions.suites.suite import Suite


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "prepare",
        help="have a model write the hints or other texts of a suite into a file",
        description="Has a model write the hints of a suite, or other texts about its programs, into a file. Each text "
        "is checked first. A suite that names the file shows these texts in every run. If the command was stopped, run "
        "it again: it continues.",
    )
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a *.suite.toml file, or a suite that ships")
    parser.add_argument(
        "--kind",
        metavar="KIND",
        help="the kind of text: comments, dead-code, fault, hint, names, translation, or one of your own, "
        "package.module:Name (default: hint, or the only kind that the suite's questions show)",
    )
    parser.add_argument(
        "--of",
        action="append",
        default=[],
        metavar="SUBJECT",
        help="write only the texts about SUBJECT: output or input for hints, a language for translations; repeatable",
    )
    add_writer_options(
        parser,
        "the model that writes, PROVIDER:NAME or a name of your own; or rule, which asks no model. Faults are always "
        "chosen by rule",
        "",
    )
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--eval-seed", type=read_whole, metavar="N", help="the seed of generated programs (default: the suite's)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the file; the exit code is 1 where a text is missing because nobody answered."""
    from pytest_codereason.core import RULE, digest
    from pytest_codereason.engine.building.authoring import text_kind
    from pytest_codereason.engine.building.executing import Executor
    from pytest_codereason.questions.suites.reading import load
    from pytest_codereason.questions.suites.shipped import find_only_suite

    check_fresh(args.output, "texts")
    suite = load(find_only_suite(args.suite), seed=args.eval_seed)
    args.kind = args.kind or _choose_kind(suite)
    kind = text_kind(args.kind)
    if kind.by_rule:
        if args.writer not in ("", RULE):
            raise UsageError(f"--writer {args.writer}: only the rule writes texts of the kind {args.kind}: remove it")
        args.writer = RULE
    if not args.writer:
        raise UsageError("--writer is missing: name the model that writes, PROVIDER:NAME, or rule")
    if args.kind == "hint" and args.kind not in suite.text_kinds:
        raise UsageError(f"{args.suite}: no question of this suite shows a hint; add 'hint' to the axis perturbation")
    model, reasons = make_writer(args), Counter[str]()
    executor = Executor("auto")
    try:
        said = SaidLate(f"looking for texts in the suite {suite.name}")
        requests = list(_list_requests(suite, kind, args.kind, executor, reasons, said))
    finally:
        executor.close()
    if not requests:
        why = f": {reasons.most_common(1)[0][0]}" if reasons else ""
        raise UsageError(f"{args.suite}: no program of this suite takes a text of the kind {args.kind}{why}")
    subjects = list(dict.fromkeys(job.request.of for job in requests))
    for subject in args.of:
        if subject not in subjects:
            there = ", ".join(filter(None, subjects)) or f"only {args.kind} texts of no subject"
            raise UsageError(f"--of: unknown subject {subject!r}{suggest_name(subject, subjects)}: there is {there}")
    requests = [job for job in requests if not args.of or job.request.of in args.of]
    with blame(kind):
        header = kind.header(list(args.of or subjects))
    plan = digest("prepare", args.kind, kind.version, dict(suite.source.identity), sorted(header.items()))[:16]
    texts = write_texts(kind, requests, model, args, plan)
    if texts is None:
        return 130
    if troubles := Counter(text.trouble for text in texts if text.trouble):
        reason, count = troubles.most_common(1)[0]
        print(f"{troubles.total():,} texts are missing, {count:,} of them because: {reason}")
        print(f"nothing is written yet: {RESUMES}")
        return 1
    source = {"source": suite.source.name, "identity": dict(suite.source.identity), "asked": len(texts)}
    sha256 = freeze_texts(
        args.kind, kind, texts, args.output, {**header, **source, "left_out": dict(count_reasons(texts))}
    )
    _print_summary(args.kind, texts, args.output, sha256)
    if reused := describe_reused(texts):
        print(reused)
    return 0


def _choose_kind(suite: Suite) -> str:
    """The kind of text that is meant where none is named.

    Raises:
        UsageError: the suite wants several kinds, none of them hints.
    """
    kinds = sorted(suite.text_kinds)
    if len(kinds) > 1 and "hint" not in kinds:
        raise UsageError(f"--kind is missing: the questions of this suite want texts of the kinds {', '.join(kinds)}")
    return kinds[0] if len(kinds) == 1 else "hint"


def _print_summary(kind: str, texts: Sequence[PreparedText], path: Path, sha256: str) -> None:
    from pytest_codereason.core.text.wording import hints as count_authors
    from pytest_codereason.core.text.wording import plural
    from pytest_codereason.reports.words.run_notes import format_rejections

    rejections = sum((Counter(text.text.rejections) for text in texts), Counter[str]())
    authors = Counter(text.text.author for text in texts if not text.left_out)
    print(f"{plural(len(texts), 'text')}: {count_authors(authors) or 'by the rule'}: {path}, sha256 {sha256[:16]}")
    for reason, count in Counter(text.left_out for text in texts if text.left_out).most_common():
        print(f"{count:,} left out: {reason}")
    if rejections:
        print(format_rejections({kind: dict(rejections.most_common())}))
    key = {"hint": "hints", "translation": "translations"}.get(kind, "texts")
    place = "under [source] of" if kind == "translation" else "at the top of"
    print(f'next: write {key} = "{path.name}" {place} the suite (the file must be beside the suite)')


def _list_requests(
    suite: Suite, kind: TextKind, name: str, executor: Executor, reasons: Counter[str], said: SaidLate
) -> Iterator[NamedRequest]:
    """Each text that the suite's questions want, or, where they want none of this kind, one about each program.

    Outputs that the source does not know are computed first. ``reasons`` counts why programs are left out.
    """
    from pytest_codereason.core import TextRequest
    from pytest_codereason.engine.building.builder import Builder
    from pytest_codereason.engine.building.drafts import request_texts
    from pytest_codereason.engine.building.preparing import NamedRequest
    from pytest_codereason.engine.running import run_to_end

    builder = Builder(executor.run)
    wanted = name in suite.text_kinds
    seen = set[object]()
    for spec in suite.specs():
        said.wait()
        family = (spec.language, suite.family(spec), spec.axes if kind.per_question else ())
        if family in seen:
            continue
        try:
            begun = run_to_end(builder.begin(suite, spec)).instance
            if wanted:
                requests = [r for r in request_texts(suite, begun) if r.kind == name and not r.by_rule]
            else:
                with blame(kind):
                    requests = [TextRequest(name, begun.program, of) for of in kind.subjects(begun.program)]
        except Skip as skip:
            reasons[str(skip)] += 1
            continue
        for request in requests:
            seen.add(family)
            if (key := (request.program.sha, request.of)) not in seen:
                seen.add(key)
                yield NamedRequest(spec.program, request)
