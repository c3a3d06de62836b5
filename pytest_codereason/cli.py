"""The ``codereason`` command: what can be done without a pytest run."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from pytest_codereason import __version__
from pytest_codereason.errors import CodereasonError, UsageError
from pytest_codereason.suites import Suite

#: Where the shipped suites lie: in an installed wheel, and in a source tree.
SHIPPED = (Path(__file__).parent / "suites_shipped", Path(__file__).parent.parent / "suites")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code is 0, 1 where a gate failed, 4 for a mistake of the user."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.run(args)
    except CodereasonError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 4
    except BrokenPipeError:  # the reader, `head` say, has had enough
        sys.stderr.close()
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="codereason", description=__doc__)
    parser.add_argument("--version", action="version", version=f"pytest-codereason {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    export = commands.add_parser("export", help="write what suites would ask, one JSON row a question, asking nobody")
    export.add_argument(
        "suites", nargs="+", type=Path, metavar="SUITE", help="a *.suite.toml file, or a folder of them"
    )
    export.add_argument("-o", dest="output", type=Path, metavar="FILE", help="instead of standard output")
    export.add_argument("--eval-seed", type=int, metavar="N", help="generate other programs than the suite's own seed")
    export.add_argument("--eval-limit", type=int, metavar="N", help="only N questions of each suite")
    export.set_defaults(run=_export)

    report = commands.add_parser("report", help="write the reports of a run again from its records, and judge gates")
    report.add_argument("folder", type=Path, metavar="RUN", help="a run folder, such as reports/latest")
    report.add_argument("--gate", action="append", default=[], metavar="EXPR", help="as --eval-gate")
    report.add_argument("--allow-partial", action="store_true", help="as --eval-allow-partial")
    report.set_defaults(run=_report)

    init = commands.add_parser("init", help="write the shipped suites into a folder, to run or to change")
    init.add_argument("folder", type=Path, metavar="DIR")
    init.set_defaults(run=_init)
    return parser


def _export(args: argparse.Namespace) -> int:
    from pytest_codereason.suite_files import load

    paths = [found for path in args.suites for found in _suite_files(path)]
    loaded = [load(path, seed=args.eval_seed) for path in paths]
    if args.output is None:
        _write_rows(loaded, args.eval_limit, sys.stdout)
        return 0
    try:
        with args.output.open("w", encoding="utf-8") as file:
            _write_rows(loaded, args.eval_limit, file)
    except OSError as error:
        raise UsageError(f"-o {args.output}: cannot be written: {error}") from error
    return 0


def _write_rows(loaded: Sequence[Suite], limit: int | None, file: TextIO) -> None:
    for suite in loaded:
        for row in exported(suite, limit):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _suite_files(path: Path) -> list[Path]:
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    found = sorted(path.rglob("*.suite.toml")) if path.is_dir() else [path]
    if not found:
        raise UsageError(f"{path}: holds no *.suite.toml file")
    return found


def exported(suite: Suite, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """A row for each question of a suite: what would be asked, and what would be right."""
    from pytest_codereason.engine.previews import answered_right, preview
    from pytest_codereason.engine.selection import select

    for spec in select(suite, limit=limit):
        instance = preview(suite, spec)
        ask, expected = answered_right(suite.task.steps(instance))
        yield {
            "id": instance.id,
            "suite": suite.name,
            "family": instance.family,
            "language": instance.language,
            "source": instance.program.source,
            "original": instance.program.source,
            "call": instance.program.call,
            "expected": expected,
            "axes": dict(instance.matrix),
            "messages": [{"role": m.role, "content": m.content} for m in ask.messages],
            "prefill": ask.prefill,
        }


def _report(args: argparse.Namespace) -> int:
    from pytest_codereason import conclusion

    run = conclusion.read_run(args.folder)
    gates = conclusion.parse_gates(args.gate, run)
    result = conclusion.conclude(args.folder, run, gates, allow_partial=args.allow_partial)
    for line, _ in result.lines(shutil.get_terminal_size().columns):
        print(line)
    print(f"report: {args.folder / 'report.html'}")
    return 0 if result.passed else 1


def _init(args: argparse.Namespace) -> int:
    shipped = next(folder for folder in SHIPPED if folder.is_dir())
    files = sorted(shipped.glob("*.suite.toml"))
    if taken := [f.name for f in files if (args.folder / f.name).exists()]:
        raise UsageError(f"{args.folder / taken[0]} is already there; name another folder, or move it away")
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copyfile(file, args.folder / file.name)
    except OSError as error:
        raise UsageError(f"{args.folder}: cannot be written: {error}") from error
    print(f"{len(files)} suites in {args.folder}: {', '.join(f.name.removesuffix('.suite.toml') for f in files)}")
    print(f"next: pytest {args.folder / 'quickstart.suite.toml'} --model=local:smollm2")
    return 0


if __name__ == "__main__":
    sys.exit(main())
