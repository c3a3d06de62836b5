"""CodeSearchNet (Husain et al. 2019): functions with their documentation, as its authors pack them.

An archive holds ``LANGUAGE/final/jsonl/PART/LANGUAGE_PART_0.jsonl.gz``, with the parts ``train``, ``valid`` and
``test``. Each line is a JSON object with ``repo``, ``path``, ``func_name``, ``original_string``, ``code``,
``docstring`` and more.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO, cast

from pytest_codereason.core.files import fetching
from pytest_codereason.core.files.caps import check_zip
from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError, describe_file_error

#: The longest line that is read, in characters, and how many times its size a file may unpack to.
MAX_LINE, MAX_UNPACKED = 16 << 20, 100

#: The archives by language; licences differ by repository. Their authors publish no checksums: the size is checked, and
#: the digest of what is used stands in every plan.
ARCHIVES = {
    language: Remote(
        name=f"code-search-net/{language}.zip",
        url=f"https://huggingface.co/datasets/code-search-net/code_search_net/resolve/main/data/{language}.zip",
        size=size,
        others=(f"code-search-net/{language}.jsonl", f"code-search-net/{language}.jsonl.gz"),
    )
    for language, size in (
        ("python", 940_909_997),
        ("javascript", 1_664_713_350),
        ("php", 851_894_048),
        ("java", 1_060_569_153),
    )
}


def locate(language: str) -> Path | None:
    """The path of a language's functions on this machine (an archive or unpacked rows), or ``None``."""
    remote = ARCHIVES.get(language)
    return None if remote is None else fetching.locate(remote)


def find_file(language: str) -> Path:
    """The path of a language's functions; an archive that is nowhere is fetched.

    Raises:
        UsageError: CodeSearchNet lacks the language, or the archive cannot be fetched.
    """
    if language not in ARCHIVES:
        raise UsageError(f"CodeSearchNet has no {language}: it has {', '.join(ARCHIVES)}")
    return fetching.find_file(ARCHIVES[language])


def read_rows(path: Path, part: str = "") -> Iterator[Mapping[str, object]]:
    """The rows of a JSONL file, plain, compressed or in an archive. Damaged rows are left out.

    Args:
        path: the file.
        part: ``train``, ``valid`` or ``test``; every part if it is empty. A row without ``partition`` belongs to the
            part in whose folder it lies.

    Raises:
        UsageError: the file cannot be read, or is a decompression bomb.
    """
    for place, line in _read_lines(path, part):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict) and (not part or row.get("partition", place) == part):
            yield row


def _read_lines(path: Path, part: str) -> Iterator[tuple[str, str]]:
    """Each line, with the part in whose folder it lies."""
    try:
        most = MAX_UNPACKED * path.stat().st_size + MAX_LINE
        for place, file in _open_files(path, part):
            while line := file.readline(MAX_LINE + 1):
                most -= len(line)
                if len(line) > MAX_LINE:
                    raise UsageError(f"{shorten_path(path)}: a line is longer than {MAX_LINE >> 20} Mi characters")
                if most < 0:
                    raise UsageError(f"{shorten_path(path)}: unpacks to more than {MAX_UNPACKED} times its size")
                yield place, line
    except (OSError, EOFError, zipfile.BadZipFile, ValueError) as error:
        words = describe_file_error(error) if isinstance(error, OSError) else error
        raise UsageError(f"{shorten_path(path)}: cannot be read: {words}") from error


def _open_files(path: Path, part: str) -> Iterator[tuple[str, TextIO]]:
    if path.suffix != ".zip":
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield part, cast(TextIO, file)
        return
    check_zip(path)
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            place = name.rpartition("/")[0].rpartition("/")[2]
            if name.endswith(".jsonl.gz") and (not part or place == part):
                with archive.open(name) as packed, gzip.open(packed) as plain:
                    yield place, io.TextIOWrapper(plain, encoding="utf-8")
