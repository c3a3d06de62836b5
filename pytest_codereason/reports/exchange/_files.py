"""Files of foreign logs: JSON and lines of JSON, with errors that name the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from pytest_codereason.core import digest
from pytest_codereason.core.files import caps
from pytest_codereason.core.files.caps import read_capped
from pytest_codereason.errors import UsageError

_LONGEST = 72  # bytes of a name; a file of a log has up to three, and systems take 255 in all
_BEGINNING = 65_536  # bytes that are looked at to recognise a file


def read_beginning(path: Path) -> str:
    """The first bytes of a file as text; what is no UTF-8 is replaced."""
    with caps.open_ordinary(path) as file:
        return file.read(_BEGINNING).decode("utf-8", "replace")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file.

    Raises:
        UsageError: it is damaged.
    """
    try:
        content = caps.parse_json(read_capped(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is damaged: it is not JSON ({error})") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path} is damaged: it holds no object")
    return content


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line's place, ``file:3``, and its object. Empty lines are left out.

    Raises:
        UsageError: a line is damaged, or there is none.
    """
    count = 0
    with caps.open_ordinary(path) as lines:
        for number, line in enumerate(read_capped_lines(path, lines), 1):
            if not line.strip():
                continue
            count += 1
            try:
                content = caps.parse_json(line)
            except (ValueError, RecursionError) as error:
                raise UsageError(f"{path}:{number}: this line is damaged, it is not JSON ({error})") from error
            if not isinstance(content, dict):
                raise UsageError(f"{path}:{number}: this line is damaged, it holds no object")
            yield f"{path}:{number}", content
    if not count:
        raise UsageError(f"{path} is empty")


def read_capped_lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file.

    Raises:
        UsageError: a line is too long.
    """
    try:
        yield from caps.read_lines(file)
    except caps.TooLarge as error:
        raise UsageError(f"{path} is damaged: {error}") from error


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    """Writes a line of JSON for each row; gives the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return path


def write_json(path: Path, content: Mapping[str, object]) -> Path:
    """Writes an object; gives the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return path


def name_file(text: str) -> str:
    """``text`` as the name of a file or folder, as lm-eval does: ``openai:gpt/x`` is ``openai_gpt_x``.

    It holds no ``..``, which viewers of other tools take for a way out of their folder.
    """
    name = re.sub(r"[^\w.-]|\.(?=\.)", "_", text).strip(".") or "_"
    if len(name.encode()) <= _LONGEST:
        return name
    return f"{name.encode()[: _LONGEST - 9].decode('utf-8', 'ignore')}-{digest(text)[:8]}"


def name_files(texts: Iterable[str]) -> dict[str, str]:
    """The name of a file for each text: :func:`name_file`, with a mark where another has it, in any case of letters."""
    names: dict[str, str] = {}
    for text in texts:
        name = name_file(text)
        taken = {other.casefold() for other in names.values()}
        names.setdefault(text, f"{name}-{digest(text)[:8]}" if name.casefold() in taken else name)
    return names
