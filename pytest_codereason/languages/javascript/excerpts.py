"""Takes a file of JavaScript out of its repository, with the files that it loads."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from pytest_codereason.core.language.driving import Excerpt
from pytest_codereason.errors import Refused
from pytest_codereason.languages.frame.files import add_file
from pytest_codereason.languages.frame.tree import walk
from pytest_codereason.languages.javascript.runner import is_module
from pytest_codereason.languages.javascript.syntax.tree import parse_source

#: Most files of one program.
MOST_FILES = 20
_LIBRARY = frozenset(
    "assert async_hooks buffer console constants crypto diagnostics_channel events fs os path perf_hooks process"
    " querystring readline stream string_decoder timers url util v8 vm zlib".split()
)
_ENDINGS = ("", ".js", ".cjs", ".mjs", "/index.js")


def cut(path: str, text: str, siblings: Mapping[str, str]) -> Excerpt:
    """The file with all that it loads.

    Raises:
        Refused: The file loads packages, or too many files.
        DoesNotParse: A file is no JavaScript.
    """
    files = add_file(siblings, path, text)
    taken, waiting = dict[str, str](), [path]
    loaded: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in taken:
            continue
        taken[name] = files[name]
        if len(taken) > MOST_FILES:
            raise Refused(f"needs too many files of its package: more than {MOST_FILES}")
        for asked in _list_loaded(files[name]):
            if found := _find_file(asked, name, files):
                loaded.add(found)
                waiting.append(found)
    folder = (
        posixpath.commonpath([posixpath.dirname(name) for name in taken]) if len(taken) > 1 else posixpath.dirname(path)
    )
    named = {posixpath.relpath(name, folder or "."): text for name, text in sorted(taken.items())}
    entry = posixpath.relpath(path, folder or ".")
    ending = posixpath.splitext(entry)[1]
    changes: tuple[str, ...] = ()
    if "/" not in entry and path not in loaded and entry != f"main{ending}" and f"main{ending}" not in named:
        named = {f"main{ending}" if name == entry else name: text for name, text in named.items()}
        entry = f"main{ending}"
        changes = (f"the file is called {entry}",)
    return Excerpt(named, entry, changes=changes)


def start(excerpt: Excerpt) -> tuple[Mapping[str, str], str]:
    """The files with an entry called ``main``, which loads the file that is driven."""
    entry = excerpt.entry
    if posixpath.splitext(entry)[0] == "main":
        return excerpt.files, entry
    ending = posixpath.splitext(entry)[1]
    text = f'import "./{entry}";\n' if is_module(entry, excerpt.files[entry]) else f'require("./{entry}");\n'
    if f"main{ending}" in excerpt.files:
        raise Refused("has a file called main besides")
    return {**excerpt.files, f"main{ending}": text}, f"main{ending}"


def _list_loaded(text: str) -> Iterator[str]:
    """What a file requires, imports or exports from."""
    tree = parse_source(text)
    for node in walk(tree.root):
        source = None
        if node.type in ("import_statement", "export_statement"):
            source = node.child_by_field_name("source")
        elif node.type == "call_expression":
            called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if called is not None and tree.text(called) in ("require", "import") and arguments is not None:
                source = arguments.named_children[0] if arguments.named_child_count == 1 else None
        if source is not None and source.type == "string":
            yield tree.text(source)[1:-1]


#: How names begin by which a package calls its own files, in ``package.json`` or for a bundler.
_OWN_NAMES = ("#", "@/", "~", "/")


def _find_file(asked: str, path: str, files: Mapping[str, str]) -> str:
    """The file of the repository that is loaded; empty for what comes with node.

    Raises:
        Refused: It is a package, or a file that is not there.
    """
    if not asked.startswith("."):
        if asked.removeprefix("node:").partition("/")[0] in _LIBRARY:
            return ""
        if asked.startswith(_OWN_NAMES):
            raise Refused(f"loads a file by a name that its package gives: {asked}")
        raise Refused(f"needs a package that is no standard library: {asked}")
    base = posixpath.normpath(posixpath.join(posixpath.dirname(path), asked))
    for ending in _ENDINGS:
        if base + ending in files:
            return base + ending
    raise Refused(f"loads a file that is no code: {asked}")
