"""Functions cut out of source files, for pools of distractors."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_codereason.core import Language
from pytest_codereason.core.language.structure import Span
from pytest_codereason.errors import DoesNotParse, UsageError
from pytest_codereason.programs.contexts.pool import Distractor
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
        for file in list_files(path, lang):
            for function in _read_functions(file, lang):
                yield function
                count += 1
                if count == MAX_FUNCTIONS:
                    return


def list_files(path: Path, lang: Language) -> Iterator[Path]:
    """A file itself, or the files of a language below a folder, sorted, without tests and copies of other code."""
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
        text = cut_text(source, function.span, lang)
        if _is_valid(text, lang):
            yield Distractor(function.name.rpartition(".")[2], text, file.name)


def cut_text(source: str, span: Span, lang: Language) -> str:
    """The text of a function or method as it is written at the top of a file."""
    start = source.rfind("\n", 0, span.start) + 1
    text = source[span.start : span.end]
    if not source[start : span.start].strip():
        text = textwrap.dedent(source[start : span.end].expandtabs(4))
    return lang.syntax.detach_method(text.replace("\r\n", "\n"))


def cut_documented(source: str, lang: Language) -> Iterator[tuple[str, str, str]]:
    """The name, the documentation and the text of each function and method of a file that has documentation.

    The text is a program that holds the function alone, without its documentation. A nested function belongs to the
    outer one.

    Raises:
        DoesNotParse: the file is no program of the language.
    """
    code, end = lang.syntax.parse(source), 0
    for function in code.functions:
        if function.span.start < end:
            continue  # inside the one before
        end = function.span.end
        documentation = code.find_documentation(function)
        if documentation is None:
            continue
        text = remove_documentation(lang.syntax.wrap_function(cut_text(source, function.span, lang)), lang)
        try:
            names = [each.name for each in lang.syntax.parse(text).functions]
        except DoesNotParse:
            continue  # the function is its documentation and nothing else, or has no name of its own
        if function.name.rpartition(".")[2] in (name.rpartition(".")[2] for name in names[:1]):
            yield function.name, documentation.text, text


def remove_documentation(source: str, lang: Language) -> str:
    """A program without the documentation at its top and in its first function; the text as it is if there is none."""
    try:
        code = lang.syntax.parse(source)
    except DoesNotParse:
        return source
    documented = [code.find_documentation(), *map(code.find_documentation, code.functions[:1])]
    for documentation in sorted(filter(None, documented), key=lambda each: each.span.start, reverse=True):
        start, end = documentation.span
        line_start, line_end = source.rfind("\n", 0, start) + 1, source.find("\n", end) + 1 or len(source)
        if not (source[line_start:start] + source[end:line_end]).strip():
            start, end = line_start, line_end  # nothing else stands on its lines
        source = source[:start] + source[end:]
    return source


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
