"""Makes a program of JavaScript of one of TypeScript: the same files, lines and names, without types.

``lib/shapes.ts`` becomes ``lib/shapes.js``. What the files import from each other is written as node looks for it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text import edits
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.tree import parse_source
from pytest_codereason.languages.typescript.blanking import blank

if TYPE_CHECKING:
    from tree_sitter import Node

_SUFFIXES = {".ts": ".js", ".mts": ".mjs", ".cts": ".cjs"}
#: What may stand behind the name of a file where it is imported, in the order in which it is looked for.
_ENDINGS = ("", ".ts", ".mts", ".cts", ".js", "/index.ts", "/index.js")


_MAY_HOLD_TYPES = re.compile(r"\b(?:as|satisfies)\b|[<!]")


class Translated(NamedTuple):
    """A program of JavaScript."""

    files: Mapping[str, str]
    entry: str
    call: str


def translate(files: Mapping[str, str], entry: str, call: str = "") -> Translated:
    """A program without types.

    Raises:
        DoesNotParse: a file is no program, or has more than types to erase.
    """
    texts: dict[str, str] = {}
    for path, text in files.items():
        if path != entry and not path.endswith(tuple(_SUFFIXES)):
            texts[path] = text
            continue
        try:
            plain = blank(text)
        except DoesNotParse as error:
            raise DoesNotParse(f"{path}: {error}" if len(files) > 1 else str(error)) from error
        texts[rename(path)] = _link(plain, path, files) if len(files) > 1 else plain
    return Translated(texts, rename(entry), blank_expression(call))


def rename(path: str) -> str:
    """The path of a file as JavaScript: ``lib/shapes.js`` for ``lib/shapes.ts``."""
    stem, suffix = posixpath.splitext(path)
    return stem + _SUFFIXES.get(suffix, suffix)


def blank_expression(text: str) -> str:
    """An expression, or the arguments of a call, without types; a text that cannot be read, as it is."""
    if not _MAY_HOLD_TYPES.search(text):
        return text
    try:
        return blank(f"f({text}\n)")[2:-2]
    except DoesNotParse:
        return text


def _link(source: str, path: str, files: Mapping[str, str]) -> str:
    """A file with the paths of what it imports as node looks for them."""
    try:
        tree = parse_source(source)
    except DoesNotParse:  # node says what is wrong
        return source
    found = []
    for node in _list_imported(tree):
        text = tree.text(node)
        if text[1:2] == "." and (linked := _find(text[1:-1], path, files)):
            start, end = tree.span(node)
            found.append(edits.Replace(Span(start + 1, end - 1), linked))
    return edits.apply(source, found).text


def _list_imported(tree: Tree) -> Iterator[Node]:
    """The strings that name what a file loads."""
    for node in tree.find_nodes("import_statement", "export_statement", "call_expression"):
        if (source := node.child_by_field_name("source")) is not None:
            yield source
        function, arguments = map(node.child_by_field_name, ("function", "arguments"))
        if function is not None and arguments is not None and tree.text(function) in ("import", "require"):
            yield from (child for child in arguments.named_children[:1] if child.type == "string")


def _find(name: str, path: str, files: Mapping[str, str]) -> str:
    """The name of an imported file with its ending; empty if none of the program's files is meant."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    return next((rename(name + ending) for ending in _ENDINGS if target + ending in files), "")
