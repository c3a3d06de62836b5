"""What each language finds in the programs of ``corpus/``, as digests: a change of them is wanted, or a mistake.

``python -m tests.languages.frozen`` writes ``frozen.txt`` anew and says which digests have changed. A line is a
program; behind its path stands a digest for each of :data:`ASPECTS`. So the difference of two versions of the file
says of which programs what has changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_codereason import registry
from pytest_codereason.core import Language
from tests.corpus.upkeep import CORPUS

PATH = Path(__file__).with_name("frozen.txt")
ASPECTS = ("functions", "statements", "blocks", "sites", "insertions", "units", "bindings", "comments", "layout")


def list_programs() -> Iterator[tuple[Language, Path]]:
    """The files of the corpus, each with its language."""
    for name in registry.list_shipped(Language):
        language = registry.language(name)
        for path in sorted((CORPUS / name).rglob("*")):
            if path.suffix in language.suffixes:
                yield language, path


def describe(language: Language, path: Path) -> str:
    """The line of a program."""
    syntax, source = language.syntax, path.read_text()
    code = syntax.parse(source)
    units = [(*unit[:-1], sorted(unit.needs)) for unit in code.units]  # a set has no order
    found = {**{aspect: getattr(code, aspect) for aspect in ASPECTS[:-1]}, "units": units}
    found["layout"] = syntax.normalise(source).text
    digests = [hashlib.sha256(repr(found[aspect]).encode()).hexdigest()[:8] for aspect in ASPECTS]
    return " ".join([path.relative_to(CORPUS).as_posix(), *digests])


def read_frozen() -> dict[str, list[str]]:
    """The digests of each program, by its path."""
    lines = PATH.read_text().splitlines() if PATH.exists() else []
    return {path: digests for path, *digests in map(str.split, lines)}


def compare(old: dict[str, list[str]], new: dict[str, list[str]]) -> list[str]:
    """For each language and aspect, how many programs in both have another digest."""
    changed = Counter(
        f"{path.partition('/')[0]}: {aspect}"
        for path in old.keys() & new.keys()
        for aspect, before, after in zip(ASPECTS, old[path], new[path], strict=True)
        if before != after
    )
    return [f"{what} of {count} programs" for what, count in sorted(changed.items())]


def main() -> None:
    """Writes the file."""
    old = read_frozen()
    PATH.write_text("".join(f"{describe(*program)}\n" for program in list_programs()))
    print(*compare(old, read_frozen()) or ["nothing has changed"], sep="\n")


if __name__ == "__main__":
    main()
