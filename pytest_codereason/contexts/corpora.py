"""Where pools come from: frozen files, a data set, what is installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pytest_codereason.contexts.pool import Distractor, Pool
from pytest_codereason.errors import UsageError
from pytest_codereason.places import shown

#: The pools that have a name; anything else is the path of a folder.
POOLS = ("auto", "code-search-net", "installed")


def load(pool: str, language: str) -> Pool:
    """The pool of a name, or of a folder that holds ``<language>.jsonl`` as :func:`freeze` writes it.

    Raises:
        UsageError: it is not there, or damaged; says where and what to do.
    """
    path = Path(pool).expanduser() / f"{language}.jsonl"
    if not path.is_file():
        raise UsageError(
            f"there is no pool of {language} distractors at {shown(path)}: write one with "
            f"'codereason harvest PATH --language {language} -o {pool}'"
        )
    return Pool(pool, language, list(_read(path)))


def freeze(pool: Pool, folder: Path) -> Path:
    """Writes a pool as ``<language>.jsonl``: one function a line, with name, source and origin."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pool.language}.jsonl"
    lines = (json.dumps(function._asdict(), ensure_ascii=False) for function in pool.functions)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def _read(path: Path) -> Iterator[Distractor]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                yield Distractor(str(row["name"]), str(row["source"]), str(row.get("origin", "")))
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(f"{shown(path)}:{number}: no function can be read here: {error!r}") from None
