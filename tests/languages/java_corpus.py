"""The shipped programs of Java that begin in a class ``Main``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_codereason.core import Program

CORPUS = Path(__file__).parents[2] / "corpus" / "java"


def list_corpus() -> Iterator[tuple[str, Program]]:
    for folder in sorted(CORPUS.iterdir()):
        files = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.java")}
        if entry := next((file for file in files if Path(file).stem == "Main"), ""):
            yield folder.name, Program(language="java", files=files, entry=entry, call="")
