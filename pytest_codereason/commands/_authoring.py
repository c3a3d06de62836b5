"""What the commands that have texts written share: their options, the writing, the file."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.commands._progress import ProgressCount
from pytest_codereason.errors import UsageError, blame, describe_file_error

if TYPE_CHECKING:
    from pytest_codereason.core import Model, TextKind
    from pytest_codereason.engine.building.preparing import NamedRequest, PreparedText

RESUMES = "the answers so far are stored; run the same command again to continue"


def add_writer_options(parser: argparse.ArgumentParser, who: str, default: str | None = None) -> None:
    """Declares the options that say who writes and where replies are kept. Without a default a writer must be named."""
    parser.add_argument("--writer", required=default is None, default=default, metavar="SPEC", help=who)
    parser.add_argument("--writer-url", metavar="URL", help="the endpoint of a writer that has no url of its own")
    parser.add_argument(
        "--writer-arg",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the writer, as pytest --model-arg; repeatable",
    )
    parser.add_argument(
        "--eval-models",
        type=Path,
        metavar="FILE",
        help="a TOML file with a table [models.NAME] for each model, instead of pyproject.toml",
    )
    parser.add_argument(
        "--eval-reuse",
        metavar="AGE",
        help="take texts that this writer wrote before from the store, up to this age: 30m, 12h, 7d; 0 has every text "
        "written anew (default: any age)",
    )
    parser.add_argument(
        "--eval-max-cost",
        metavar="USD",
        help="stop asking when the writer has cost so many US dollars (default: no limit); its price must be known",
    )
    parser.add_argument(
        "--eval-store", type=Path, metavar="DIR", help="the folder of stored answers (default: in your cache folder)"
    )


def make_writer(args: argparse.Namespace) -> Model | None:
    """The model that the options name, ``None`` for the rule.

    Raises:
        UsageError: there is no such model, or an argument cannot be.
    """
    from pytest_codereason.core import RULE
    from pytest_codereason.core.text.settings import parse_dollars
    from pytest_codereason.session.checking.model_tables import load_tables
    from pytest_codereason.session.checking.models import ModelMaker

    pairs = [pair.partition("=") for pair in args.writer_arg]
    if not all(key and equals for key, equals, _ in pairs):
        raise UsageError("--writer-arg without '=': write KEY=VALUE")
    if args.writer == RULE:
        return None
    values = {key: value for key, _, value in pairs}
    tables = load_tables(args.eval_models, Path.cwd())
    maker = ModelMaker(tables, args.writer_url, {}, {args.writer: values}, own_option="--writer-arg ")
    writer = maker.make_writer(args.writer, "--writer")
    if parse_dollars(args.eval_max_cost) is not None and writer.price is None:
        raise UsageError(
            f"--eval-max-cost: the price of the writer {writer.label} is unknown; give --writer-arg price_in=USD and "
            "--writer-arg price_out=USD, dollars per million tokens"
        )
    return writer


def write_texts(
    kind: TextKind, requests: Sequence[NamedRequest], model: Model | None, args: argparse.Namespace, plan: str
) -> list[PreparedText] | None:
    """What came of each request; ``None`` if the user stopped the writing.

    Raises:
        UsageError: the model cannot be asked, or an interpreter is missing.
    """
    from pytest_codereason.core.files.locations import cache_folder
    from pytest_codereason.core.text.settings import parse_age, parse_dollars
    from pytest_codereason.engine.building.preparing import Preparation

    store, reuse_s = args.eval_store or cache_folder() / "store", parse_age(args.eval_reuse)
    preparation = Preparation(kind, model, store, plan, reuse_s=reuse_s, max_cost=parse_dollars(args.eval_max_cost))
    try:
        return preparation.write_all(requests, ProgressCount(len(requests), "text"))
    except KeyboardInterrupt:
        print(f"stopped: {RESUMES}", file=sys.stderr)
        return None


def freeze_texts(
    name: str, kind: TextKind, texts: Sequence[PreparedText], path: Path, header: Mapping[str, object]
) -> str:
    """Writes the file and gives its digest. ``name`` is that of the kind, as suites and commands know it.

    Raises:
        UsageError: it cannot be written.
    """
    from pytest_codereason.core.files.frozen import freeze

    with blame(kind):
        rows = [(text.text.by, kind.row(text.name, text.request, text.text)) for text in texts if not text.left_out]
    writers = sorted({by for by, row in rows if row is not None})
    try:
        return freeze(path, name, [row for _, row in rows if row is not None], writers=writers, **header)
    except OSError as error:
        raise UsageError(f"-o {path}: cannot be written: {describe_file_error(error)}") from error


def describe_reused(texts: Sequence[PreparedText]) -> str:
    """How many texts an earlier run has paid for, and how old they are; empty if all are new."""
    from pytest_codereason.core.text.wording import plural
    from pytest_codereason.reports.words.formatting import format_duration

    times = [text.text.written for text in texts if text.text.written is not None]
    if not times:
        return ""
    verb = "was" if len(times) == 1 else "were"
    return (
        f"REUSED  {plural(len(times), 'text')} {verb} written before and taken from the store; the oldest is "
        f"{format_duration(time.time() - min(times))} old; to have every text written anew, add --eval-reuse=0"
    )


def count_reasons(texts: Sequence[PreparedText]) -> Counter[str]:
    """How many programs have no text of a writer, by reason."""
    reasons = (text.left_out or text.text.reason for text in texts if not text.trouble)
    return Counter(reason for reason in reasons if reason)
