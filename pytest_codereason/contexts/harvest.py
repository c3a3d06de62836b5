"""Functions harvested from source files, through the same filter as any other corpus."""

from __future__ import annotations

import re
import shutil
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_codereason.contexts.pool import Distractor
from pytest_codereason.errors import DoesNotParse, UsageError
from pytest_codereason.registry import language as language_of

EXTENSIONS = {
    "python": (".py",),
    "javascript": (".js", ".mjs", ".cjs"),
    "php": (".php",),
    "java": (".java",),
}
#: Folders that hold no code of their own, or code made by machines.
SKIPPED = frozenset({"test", "tests", "__pycache__", "site-packages", "dist-packages", "lib2to3", "dist", "build"})
#: Files longer than this are data or made by machines.
MAX_BYTES = 400_000
#: Functions looked at, so that a whole disk does not take a day.
MAX_FUNCTIONS = 100_000
#: What stands before a method of PHP and may not stand before a function.
_MODIFIERS = re.compile(r"\A(?:(?:public|protected|private|static|final|abstract)\s+)+", re.IGNORECASE)


def harvest(paths: Iterable[Path], language: str) -> Iterator[Distractor]:
    """The functions and methods in files and in all files below folders; what cannot be parsed is left out.

    Nested functions belong to the outer one. Files come in the order of their names.
    """
    count = 0
    for path in paths:
        for file in _files(path, language):
            for function in _functions(file, language):
                yield function
                count += 1
                if count == MAX_FUNCTIONS:
                    return


def _files(path: Path, language: str) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path).parts[:-1]
        if file.suffix in EXTENSIONS[language] and not SKIPPED & set(inside) and file.is_file():
            yield file


def _functions(file: Path, language: str) -> Iterator[Distractor]:
    try:
        if file.stat().st_size > MAX_BYTES:
            return
        source = file.read_text(encoding="utf-8")
        functions = language_of(language).syntax.parse(source).functions
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
        text = _MODIFIERS.sub("", text.replace("\r\n", "\n")) if language == "php" else text.replace("\r\n", "\n")
        if _stands_alone(text, language):
            yield Distractor(function.name.rpartition(".")[2], text, file.name)


def _stands_alone(text: str, language: str) -> bool:
    """Whether a function can be read outside its class; in Java none stands outside one."""
    try:
        language_of(language).syntax.parse(f"class C {{\n{text}\n}}" if language == "java" else text)
    except DoesNotParse:
        return False
    return True


def installed_paths(language: str) -> list[Path]:
    """Where this machine has code of a language.

    Raises:
        UsageError: nowhere that is known; says how to name a place.
    """
    node = shutil.which("node")
    candidates = {
        "python": [Path(sysconfig.get_path("stdlib"))],
        "javascript": [
            *([Path(node).resolve().parent.parent / "lib" / "node_modules"] if node else []),
            Path("/usr/share/nodejs"),
        ],
        "php": [Path("/usr/share/php")],
    }.get(language, [])
    found = [path for path in candidates if path.is_dir()]
    if not found:
        raise UsageError(
            f"no {language} code is installed that distractors could come from: harvest some with "
            f"'codereason harvest PATH --language {language} -o DIR' and write pool = \"DIR\" under [context], "
            'or pool = "code-search-net", which is fetched once'
        )
    return found
