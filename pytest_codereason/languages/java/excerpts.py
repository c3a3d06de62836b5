"""Takes a file of Java out of its repository, with the files that it needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from pytest_codereason.core.driving import Excerpt
from pytest_codereason.errors import Refused
from pytest_codereason.languages.java.syntax.outline import CLASSES, parse_outline
from pytest_codereason.languages.shared.files import add_file

#: Most files of one program.
MOST_FILES = 10
_PACKAGE = re.compile(r"^(?P<before>[ \t]*)package\s+(?P<name>[\w.]+)\s*;", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;", re.MULTILINE)
_WORD = re.compile(r"\b[A-Z]\w*")
#: Packages that a program cannot add to, because the modules of Java have them; those of them that it can import.
_CLOSED = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
_OPEN = ("java.", "javax.")
_HIDDEN = re.compile(r"^[ \t]*import\s+(?:static\s+)?((?:jdk\.internal|sun)\.[\w.]+)", re.MULTILINE)


def read_package(text: str) -> str:
    """The package of a file, empty if it has none."""
    found = _PACKAGE.search(text)
    return found["name"] if found else ""


def cut(path: str, text: str, siblings: Mapping[str, str]) -> Excerpt:
    """The file with the files of its repository that it names.

    A package that belongs to Java itself is dropped, because no program can define classes in it.

    Raises:
        Refused: The file needs too many others.
        DoesNotParse: The file is no Java.
    """
    parse_outline(text)
    package = read_package(text)
    folder = posixpath.dirname(path)
    root = folder.removesuffix(package.replace(".", "/")) if package else f"{folder}/" if folder else ""
    closed = package.startswith(_CLOSED)
    files = add_file(siblings, path, text)
    taken, waiting = dict[str, str](), [path]
    while waiting:
        name = waiting.pop()
        if name in taken:
            continue
        taken[name] = files[name]
        if closed and (hidden := _HIDDEN.search(files[name])):
            raise Refused(f"needs a package that Java does not export: {hidden[1]}")
        if len(taken) > MOST_FILES:
            raise Refused(f"needs too many files of its package: more than {MOST_FILES}")
        waiting += _list_needed(name, root, files, package if closed else "")
    if not closed:
        named = {name.removeprefix(root): taken[name] for name in sorted(taken)}
        return Excerpt(named, path.removeprefix(root))
    change = f"the package {package} is dropped"
    if package.startswith(_OPEN):
        change += ", and its classes are imported"
    named = {posixpath.basename(name): _drop_package(taken[name]) for name in sorted(taken)}
    return Excerpt(named, posixpath.basename(path), changes=(change,))


def _list_needed(path: str, root: str, files: Mapping[str, str], closed: str) -> list[str]:
    """The files that a file needs besides: of its own package those it names, of others those it imports.

    Args:
        path: The file.
        root: The folder of the packages.
        files: The files of the repository.
        closed: The package that will be dropped, empty if none will. Its public classes can be imported if it is open.
    """
    text, folder = files[path], posixpath.dirname(path)
    needed = []
    for word in sorted(set(_WORD.findall(text))):
        name = f"{folder}/{word}.java" if folder else f"{word}.java"
        if name in files and name != path and not (closed.startswith(_OPEN) and _is_public(word, files[name])):
            needed.append(name)
    if not closed:
        for static, name, star in _IMPORT.findall(text):
            place = root + (name.rpartition(".")[0] if static and not star else name).replace(".", "/")
            if f"{place}.java" in files:
                needed.append(f"{place}.java")
    return needed


def _is_public(name: str, text: str) -> bool:
    return bool(
        re.search(rf"^public\s[^;{{]*\b(class|interface|enum|record|@interface)\s+{name}\b", text, re.MULTILINE)
    )


def _drop_package(text: str) -> str:
    """The text outside its package, where it still finds the other classes of the package."""
    found = _PACKAGE.search(text)
    if not found:
        return text
    instead = f"import {found['name']}.*;" if found["name"].startswith(_OPEN) else ""
    return text[: found.start()] + found["before"] + instead + text[found.end() :]


def names_class(text: str, name: str) -> bool:
    """Whether a file declares a class of this name at its top."""
    tree = parse_outline(text).tree
    tops = [node for node in tree.root.named_children if node.type in CLASSES]
    return any((found := node.child_by_field_name("name")) is not None and tree.text(found) == name for node in tops)
