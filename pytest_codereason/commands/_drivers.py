"""Where ``codereason harvest`` takes drivers from that no rule finds: a writer, or a file of an earlier harvest."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.commands._authoring import make_writer, write_texts
from pytest_codereason.errors import UsageError, describe_file_error

if TYPE_CHECKING:
    from pytest_codereason.engine.building.preparing import NamedRequest, PreparedText

FILE = "drivers.jsonl"
_MISSING = "is not in the file of drivers"


class DriverSupply(NamedTuple):
    """Who writes drivers."""

    label: str = ""  #: the model, or the file with its digest; empty if nobody writes
    write: Callable[[Sequence[NamedRequest]], Sequence[PreparedText]] | None = None


def open_supply(args: argparse.Namespace) -> DriverSupply:
    """Who writes drivers, as the options say. Nobody is asked yet.

    Raises:
        UsageError: There is no such model or file, or both are given.
    """
    if args.drivers and args.writer:
        raise UsageError("--drivers and --writer: give one of them")
    if args.drivers:
        return _open_file(args.drivers)
    if not args.writer:
        for option in ("writer_url", "writer_arg", "eval_models", "eval_max_cost"):
            if getattr(args, option):
                raise UsageError(f"--{option.replace('_', '-')} has no effect: no --writer names the model that writes")
        return DriverSupply()
    model = make_writer(args)
    if model is None:
        raise UsageError("--writer rule: drivers by rule need no writer; leave the option out")

    def write(requests: Sequence[NamedRequest]) -> Sequence[PreparedText]:
        from pytest_codereason.core import digest
        from pytest_codereason.engine.building.authoring import text_kind

        kind = text_kind("driver")
        plan = digest("harvest", kind.version, str(args.out.absolute()))[:16]
        texts = write_texts(kind, requests, model, args, plan)
        if texts is None:
            raise KeyboardInterrupt
        _freeze(args.out / FILE, texts)
        return texts

    return DriverSupply(model.label, write)


def _open_file(path: Path) -> DriverSupply:
    from pytest_codereason.engine.building.preparing import PreparedText
    from pytest_codereason.questions.authoring.frozen_texts import load

    texts = load(path, "driver")

    def take(requests: Sequence[NamedRequest]) -> Sequence[PreparedText]:
        return [
            PreparedText(*each, text=text) if text.by != "rule" else PreparedText(*each, left_out=_MISSING)
            for each in requests
            for text in [texts.text(each.request)]
        ]

    return DriverSupply(f"{path.name}, sha256 {texts.sha[:16]}", take)


def _freeze(path: Path, texts: Sequence[PreparedText]) -> None:
    """Adds texts to the file of drivers.

    Raises:
        UsageError: The file cannot be read or written.
    """
    from pytest_codereason.core.files.frozen import freeze, open_frozen
    from pytest_codereason.engine.building.authoring import text_kind

    kind = text_kind("driver")
    rows = {row["program"]: row for row in open_frozen(path, kind.name).rows(kind.columns)} if path.is_file() else {}
    for text in texts:
        row = kind.row(text.name, text.request, text.text) if text.text.value else None
        if row is not None:
            rows[text.name] = row
    try:
        freeze(path, kind.name, list(rows.values()), writers=sorted({row["by"] for row in rows.values()}))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {describe_file_error(error)}") from error
