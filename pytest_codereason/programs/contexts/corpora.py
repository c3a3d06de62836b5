"""Loads pools: from a folder of frozen files, from CodeSearchNet, or from installed code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from pytest_codereason.core import digest
from pytest_codereason.core.files import code_search_net
from pytest_codereason.core.files.fetching import make_once
from pytest_codereason.core.files.frozen import freeze as freeze_rows
from pytest_codereason.core.files.frozen import open_frozen
from pytest_codereason.core.files.locations import cache_folder, expand_path, is_there, shorten_path
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.contexts.functions import cut_functions, find_installed_code
from pytest_codereason.programs.contexts.pool import Distractor, Pool, keep_middle_half, thin_out

#: The pools that have a name; anything else is the path of a folder.
POOLS = ("auto", "code-search-net", "installed")
#: Raised whenever the same data would give another pool.
VERSION = 1
#: Functions kept of a corpus: enough for contexts of a million tokens.
KEPT = 20_000


def load(pool: str, language: str) -> Pool:
    """The pool of a name, or of a folder that holds ``<language>.jsonl`` as :func:`freeze` writes it.

    ``auto`` is CodeSearchNet if its files are in ``CODEREASON_DATA`` or the cache, else installed code.

    Raises:
        UsageError: the pool is missing or damaged; the message says where and what to do.
    """
    if pool == "auto":
        return load("code-search-net" if code_search_net.locate(language) else "installed", language)
    if pool == "code-search-net":
        state = str(code_search_net.locate(language))
        return _load_or_freeze(pool, language, state, lambda: _read_functions(language))
    if pool == "installed":
        folders = find_installed_code(language)
        state = digest([(str(p), p.stat().st_mtime_ns) for p in folders])
        return _load_or_freeze(pool, language, state, lambda: cut_functions(folders, language))
    path = expand_path(pool) / f"{language}.jsonl"
    if not is_there(path):
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


def _read_functions(language: str) -> Iterator[Distractor]:
    """The functions of CodeSearchNet's rows. Damaged rows are left out."""
    for row in code_search_net.read_rows(code_search_net.find_file(language)):
        try:
            source = next(row[key] for key in ("original_string", "whole_func_string", "code") if row.get(key))
            origin = f"{row.get('repo') or row.get('repository_name', '')}/{row.get('path', '')}"
            yield Distractor(str(row["func_name"]).rpartition(".")[2], str(source), origin)
        except (KeyError, StopIteration):
            continue
