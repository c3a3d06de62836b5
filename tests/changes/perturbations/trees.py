"""Whole packages changed file by file, as modules that others import: without an entry call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.errors import Skip


def perturb_files(
    language: str, root: Path, files: Iterable[Path], target: Path, text: str, call: str = ""
) -> Counter[str]:
    """Writes each file, changed where it can be, to the same place under ``target``; counts files by what came of them.

    Keys are ``emitted`` and the reasons of those that stay as they are. With a ``call`` a file is no script, so that it
    may get prints.
    """
    parts, speaker = parse(text), registry.language(language)
    counts: Counter[str] = Counter()
    for path in files:
        source = path.read_bytes().decode()
        name = str(path.relative_to(root))
        try:
            program = Program.from_source(language=language, source=source, call=call)
            variant = perturb(program, parts, 0, name, "output").source
            counts["emitted"] += 1
        except Skip as skip:
            variant = source
            counts[str(skip)] += 1
        if language == "python":
            assert speaker.syntax.check(variant) == "", f"{path} under {text}"
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(variant.encode())
    return counts
