"""Functions cut out of source files, for pools of distractors."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_codereason.contexts.pool import Distractor
from pytest_codereason.core import Language
from pytest_codereason.errors import DoesNotParse, UsageError
from pytest_codereason.registry import language as find_language

#: Folders that hold no code of their own, or code made by machines.
SKIPPED = frozenset({"test", "tests", "__pycache__", "site-packages", "dist-packages", "lib2to3", "dist", "build"})
#: Files longer than this are data or made by machines.
MAX_BYTES = 400_000
#: The most functions that are read, so that a whole disk does not take a day.
MAX_FUNCTIONS = 100_000


def cut_functions(paths: Iterable[Path], language: str) -> Iterator[Distractor]:
    """The functions and methods in files, and in all files below folders, in the order of the files' names.

    Files and functions that cannot be parsed are left out. A nested function belongs to the outer one.
    """
    lang, count = find_language(language), 0
    for path in paths:
        for file in _list_files(path, lang):
            for function in _read_functions(file, lang):
                yield function
                count += 1
                if count == MAX_FUNCTIONS:
                    return


def _list_files(path: Path, lang: Language) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        folders = file.relative_to(path).parts[:-1]
        if file.suffix in lang.suffixes and not SKIPPED & set(folders) and file.is_file():
            yield file


def _read_functions(file: Path, lang: Language) -> Iterator[Distractor]:
    try:
        if file.stat().st_size > MAX_BYTES:
            return
        source = file.read_text(encoding="utf-8")
        functions = lang.syntax.parse(source).functions
    except (OSError, UnicodeDecodeError, DoesNotParse):
        return
    end = 0
    for function in functions:
        if function.span.start < end:
            continue  # inside the one before
        end = function.span.end
        start = source.rfind("\n", 0, function.span.start) + 1
        text = source[function.span.start : end]
        if not source[start : function.span.start].strip():
            text = textwrap.dedent(source[start:end].expandtabs(4))
        text = lang.syntax.detach_method(text.replace("\r\n", "\n"))
        if _is_valid(text, lang):
            yield Distractor(function.name.rpartition(".")[2], text, file.name)


def _is_valid(text: str, lang: Language) -> bool:
    """Whether a function can be read outside its class."""
    try:
        lang.syntax.parse(lang.syntax.wrap_function(text))
    except DoesNotParse:
        return False
    return True


def find_installed_code(language: str) -> list[Path]:
    """The folders where this machine has source code of a language.

    Raises:
        UsageError: There is none; the message says how to name a folder.
    """
    lang = find_language(language)
    folders = [folder for folder in lang.runner.list_code_folders() if folder.is_dir()] if lang.has("runner") else []
    if not folders:
        raise UsageError(
            f"this machine has no {language} code for distractors: collect some with "
            f"'codereason pool PATH --language {language} -o DIR' and write pool = \"DIR\" under [context], "
            'or pool = "code-search-net", which is fetched once'
        )
    return folders
