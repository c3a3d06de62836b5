"""Loads pools: from a folder of frozen files, from CodeSearchNet, or from installed code."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TextIO, cast

from pytest_codereason.contexts.functions import cut_functions, find_installed_code
from pytest_codereason.contexts.pool import Distractor, Pool, keep_middle_half, thin_out
from pytest_codereason.core import digest
from pytest_codereason.errors import UsageError, describe_file_error
from pytest_codereason.files.fetching import Remote, fetch, make_once
from pytest_codereason.files.frozen import freeze as freeze_rows
from pytest_codereason.files.frozen import open_frozen
from pytest_codereason.files.locations import cache_folder, data_folders, shorten_path
from pytest_codereason.text.suggestions import suggest_name

#: The pools that have a name; anything else is the path of a folder.
POOLS = ("auto", "code-search-net", "installed")
#: Raised whenever the same data would give another pool.
VERSION = 1
#: Functions kept of a corpus: enough for contexts of a million tokens.
KEPT = 20_000
#: The longest line that is read, in characters, and how many times its size a file may unpack to.
MAX_LINE, MAX_UNPACKED = 16 << 20, 100

#: CodeSearchNet (Husain et al. 2019; licences differ by repository) as its authors pack it. They publish no
#: checksums: the size is checked, and the digest of the pool stands in every run.
CODE_SEARCH_NET = {
    language: Remote(
        name=f"code-search-net/{language}.zip",
        url=f"https://huggingface.co/datasets/code-search-net/code_search_net/resolve/main/data/{language}.zip",
        size=size,
    )
    for language, size in (
        ("python", 940_909_997),
        ("javascript", 1_664_713_350),
        ("php", 851_894_048),
        ("java", 1_060_569_153),
    )
}


def load(pool: str, language: str) -> Pool:
    """The pool of a name, or of a folder that holds ``<language>.jsonl`` as :func:`freeze` writes it.

    ``auto`` is CodeSearchNet if its files are in ``CODEREASON_DATA`` or the cache, else installed code.

    Raises:
        UsageError: the pool is missing or damaged; the message says where and what to do.
    """
    if pool == "auto":
        return load("code-search-net" if _locate_code_search_net(language) else "installed", language)
    if pool == "code-search-net":
        path = _locate_code_search_net(language)
        return _load_or_freeze(pool, language, str(path), lambda: _read_functions(path or _fetch_rows(language)))
    if pool == "installed":
        folders = find_installed_code(language)
        state = digest([(str(p), p.stat().st_mtime_ns) for p in folders])
        return _load_or_freeze(pool, language, state, lambda: cut_functions(folders, language))
    path = Path(pool).expanduser() / f"{language}.jsonl"
    if not path.is_file():
        raise UsageError(
            f"there is no pool of {language} distractors at {shorten_path(path)}{suggest_name(pool, POOLS)}: write one "
            f"with 'codereason pool PATH --language {language} -o {pool}'"
        )
    return _load_pool(pool, language, path, path.stat().st_mtime_ns)


def freeze(pool: Pool, folder: Path) -> Path:
    """Writes a pool as ``<language>.jsonl``: one function a line, with name, source and origin."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pool.language}.jsonl"
    _write(pool.functions, path, pool.language)
    return path


def _write(functions: Iterable[Distractor], path: Path, language: str) -> None:
    freeze_rows(path, "pool", (function._asdict() for function in functions), language=language)


def _read(path: Path) -> list[Distractor]:
    rows = open_frozen(path, "pool").rows(Distractor._fields, optional=("origin",))
    return [Distractor(*row.values()) for row in rows]


def _load_or_freeze(name: str, language: str, state: str, functions: Callable[[], Iterable[Distractor]]) -> Pool:
    """The pool of a corpus. It is made once and then read from the cache."""
    path = cache_folder() / "pools" / digest(VERSION, KEPT, name, language, state)[:16] / f"{language}.jsonl"

    def make(fresh: Path) -> None:
        kept = thin_out(keep_middle_half(functions()), KEPT)
        if not kept:
            raise UsageError(f"the pool {name} holds no {language} functions")
        _write(kept, fresh, language)

    if not path.is_file():
        make_once(path, make)
    return _load_pool(name, language, path, 0)


@lru_cache(maxsize=32)
def _load_pool(name: str, language: str, path: Path, _changed: int) -> Pool:
    return Pool(name, language, _read(path))


def _locate_code_search_net(language: str) -> Path | None:
    """The path of CodeSearchNet on this machine (an archive or unpacked rows, by any known name), or ``None``."""
    remote = CODE_SEARCH_NET.get(language)
    if remote is None:
        return None
    names = (remote.name, f"code-search-net/{language}.jsonl", f"code-search-net/{language}.jsonl.gz")
    known = [folder / name for folder in data_folders() for name in names] + [cache_folder() / "data" / remote.name]
    return next((path for path in known if path.is_file()), None)


def _fetch_rows(language: str) -> Path:
    if language not in CODE_SEARCH_NET:
        raise UsageError(f"CodeSearchNet has no {language}: it has {', '.join(CODE_SEARCH_NET)}")
    return fetch(CODE_SEARCH_NET[language])


def _read_functions(path: Path) -> Iterator[Distractor]:
    """The functions of CodeSearchNet's rows. Damaged rows are left out."""
    for line in _read_lines(path):
        try:
            row = json.loads(line)
            source = next(row[key] for key in ("original_string", "whole_func_string", "code") if row.get(key))
            origin = f"{row.get('repo') or row.get('repository_name', '')}/{row.get('path', '')}"
            yield Distractor(str(row["func_name"]).rpartition(".")[2], str(source), origin)
        except (ValueError, KeyError, TypeError, StopIteration, AttributeError, RecursionError):
            continue


def _open_files(path: Path) -> Iterator[TextIO]:
    if path.suffix != ".zip":
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield cast(TextIO, file)
        return
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jsonl.gz"):
                with archive.open(name) as packed, gzip.open(packed) as plain:
                    yield io.TextIOWrapper(plain, encoding="utf-8")


def _read_lines(path: Path) -> Iterator[str]:
    """The lines of a JSONL file, plain, compressed or in an archive. A decompression bomb is refused."""
    try:
        most = MAX_UNPACKED * path.stat().st_size + MAX_LINE
        for file in _open_files(path):
            while line := file.readline(MAX_LINE + 1):
                most -= len(line)
                if len(line) > MAX_LINE:
                    raise UsageError(f"{shorten_path(path)}: a line is longer than {MAX_LINE >> 20} Mi characters")
                if most < 0:
                    raise UsageError(f"{shorten_path(path)}: unpacks to more than {MAX_UNPACKED} times its size")
                yield line
    except (OSError, EOFError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise UsageError(f"{shorten_path(path)}: cannot be read: {describe_file_error(error)}") from error
