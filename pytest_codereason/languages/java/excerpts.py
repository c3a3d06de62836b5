"""Takes a file of Java out of its repository, with the files that it needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from pytest_codereason.core.language.driving import Excerpt
from pytest_codereason.errors import Refused
from pytest_codereason.languages.frame.files import add_file
from pytest_codereason.languages.java import slicing
from pytest_codereason.languages.java.syntax.escapes import parse_program
from pytest_codereason.languages.java.syntax.grammar import CLASSES

#: Most files of one program, and most lines of a slice in all of them.
MOST_FILES = 20
_MOST_LINES = 4 * slicing.MOST_LINES  # half of the lines of the JDK are comments
_PACKAGE = re.compile(r"^(?P<before>[ \t]*)package\s+(?P<name>[\w.]+)\s*;", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;", re.MULTILINE)
_CLASS = re.compile(r"\bjavax?(?:\.[a-z]\w*)+\.[A-Z]\w*")
_WORD = re.compile(r"\b[A-Z]\w*")
#: Packages that a program cannot add to, because the modules of Java have them; those of them that it can import.
_CLOSED = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
_OPEN = ("java.", "javax.")
#: Packages that Java does not export, so that only a copy of their classes helps.
_HIDDEN = ("jdk.internal.", "sun.")
_ADVICE = re.compile(r"^[ \t]*import\s+jdk\.internal\.(?:vm\.annotation\.)?([A-Z]\w*)\s*;[ \t]*\n", re.MULTILINE)
#: Comments, and texts in which one may seem to begin.
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def read_package(text: str) -> str:
    """The package of a file, empty if it has none."""
    found = _PACKAGE.search(text)
    return found["name"] if found else ""


def cut(path: str, text: str, siblings: Mapping[str, str], part: str = "", also: Sequence[str] = ()) -> Excerpt:
    """The file, or a slice of it, with the files of its repository that it names.

    A package that belongs to Java itself is dropped, because no program can define classes in it.

    Raises:
        Refused: The file needs too many others.
        DoesNotParse: The file is no Java.
    """
    parse_program(text)
    package = read_package(text)
    folder = posixpath.dirname(path)
    root = folder.removesuffix(package.replace(".", "/")) if package else f"{folder}/" if folder else ""
    closed = package.startswith(_CLOSED)
    files = add_file(siblings, path, slicing.cut_class(path, text, part) if part else text)
    taken, waiting = dict[str, str](), [path, *also]
    while waiting:
        name = waiting.pop()
        if name in taken:
            continue
        taken[name] = _drop_annotations(files[name]) if closed else files[name]
        if len(taken) > MOST_FILES:
            raise Refused(f"needs too many files of its package: more than {MOST_FILES}")
        if part and sum(text.count("\n") for text in taken.values()) > _MOST_LINES:
            raise Refused("needs too much of its package")
        waiting += _list_needed(name, taken[name], root, files, closed=closed)
    changes = [f"cut to {posixpath.basename(path).removesuffix('.java')}.{part} and what is needed"] if part else []
    if not closed:
        named = {name.removeprefix(root): taken[name] for name in sorted(taken)}
        return Excerpt(named, path.removeprefix(root), part, tuple(changes))
    packages = sorted({read_package(text) for text in taken.values()})
    change = f"the package {packages[0]} is" if len(packages) == 1 else f"the packages {', '.join(packages)} are"
    change += " dropped"
    if any(taken[name] != files[name] for name in taken):
        changes.append("annotations of jdk.internal are dropped")
    if package.startswith(_OPEN):
        change += ", and its classes are imported" if len(packages) == 1 else f", and classes of {package} are imported"
    named = {posixpath.basename(name): _drop_package(taken[name], root, taken) for name in sorted(taken)}
    if len(named) < len(taken):
        raise Refused("needs files of the same name")
    return Excerpt(named, posixpath.basename(path), part, (*changes, change))


def blame_files(message: str, path: str, text: str, siblings: Mapping[str, str]) -> list[str]:
    """The files of classes of Java that a compiler complains about: those that only their own package can use."""
    folder = posixpath.dirname(path)
    root = folder.removesuffix(read_package(text).replace(".", "/"))
    places = {f"{root}{name.replace('.', '/')}.java" for name in _CLASS.findall(message)}
    return sorted(place for place in places if place != path and place in siblings)


def _list_needed(path: str, text: str, root: str, files: Mapping[str, str], *, closed: bool) -> list[str]:
    """The files that a file needs besides: of its own package those it names, of others those it imports.

    Args:
        path: The file.
        text: Its text.
        root: The folder of the packages.
        files: The files of the repository.
        closed: Whether packages of Java will be dropped. Public classes of packages that are open can be imported.

    Raises:
        Refused: The file imports what Java does not export and the repository does not hold.
    """
    folder = posixpath.dirname(path)
    text = _COMMENT.sub(" ", text)
    importable = closed and read_package(text).startswith(_OPEN)
    needed = []
    for word in sorted(set(_WORD.findall(text))):
        name = f"{folder}/{word}.java" if folder else f"{word}.java"
        if name in files and name != path and not (importable and _is_public(word, files[name])):
            needed.append(name)
    for _, name, _ in _IMPORT.findall(text):
        if closed and name.startswith(_OPEN):
            continue
        if place := _find_file(root, name, files):
            needed.append(place)
        elif closed and name.startswith(_HIDDEN):
            raise Refused(f"needs a package that Java does not export: {name}")
    return needed


def _find_file(root: str, name: str, files: Mapping[str, str]) -> str:
    """The file of a class, of a class within it, or of its static member; empty if the repository has none."""
    parts = name.split(".")
    places = (f"{root}{'/'.join(parts[:count])}.java" for count in range(len(parts), 1, -1))
    return next((place for place in places if place in files), "")


def _drop_annotations(text: str) -> str:
    """The text without the annotations that only the virtual machine reads, which Java does not export."""
    words = "".join(f"|{name}" for name in sorted(set(_ADVICE.findall(text))))
    annotation = rf"@(?:jdk\.internal\.(?:\w+\.)*[A-Z]\w*{words})\b(?:\(.*?\))?"
    return re.sub(rf"^[ \t]*{annotation}[ \t]*\n|{annotation}[ \t]*", "", _ADVICE.sub("", text), flags=re.MULTILINE)


def _is_public(name: str, text: str) -> bool:
    return bool(
        re.search(rf"^public\s[^;{{]*\b(class|interface|enum|record|@interface)\s+{name}\b", text, re.MULTILINE)
    )


def _drop_package(text: str, root: str, taken: Mapping[str, str]) -> str:
    """The text outside its package, where it still finds the other classes of the package."""

    def drop_import(found: re.Match[str]) -> str:
        return "" if f"{root}{found[2].replace('.', '/')}.java" in taken and not (found[1] or found[3]) else found[0]

    text = _IMPORT.sub(drop_import, text)
    found = _PACKAGE.search(text)
    if not found:
        return text
    instead = f"import {found['name']}.*;" if found["name"].startswith(_OPEN) else ""
    return text[: found.start()] + found["before"] + instead + text[found.end() :]


def names_class(text: str, name: str) -> bool:
    """Whether a file declares a class of this name at its top."""
    tree = parse_program(text)
    tops = [node for node in tree.root.named_children if node.type in CLASSES]
    return any((found := node.child_by_field_name("name")) is not None and tree.text(found) == name for node in tops)
