"""Takes a file of Python, or a slice of it, out of its repository, with the modules that it imports."""

from __future__ import annotations
import __future__

import ast
import dis
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from types import CodeType
from typing import NamedTuple

from pytest_codereason.core.language.driving import Excerpt
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.errors import DoesNotParse, Refused
from pytest_codereason.languages.frame.files import add_file

#: Most files of one program, and most lines of a slice in all of them.
MOST_FILES = 10
MOST_LINES = 300
_LOADS = frozenset({"LOAD_NAME", "LOAD_GLOBAL"})
_STORES = frozenset({"STORE_NAME", "STORE_GLOBAL"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
NO_LIBRARY = "needs a package that is no standard library"
NOT_TAKEN = "needs a module of its repository that is not taken"
#: Folders of a repository from which its packages are imported, besides those above a file.
_SOURCES = ("src/", "lib/", "python/")


class Item(NamedTuple):
    """A statement at the top of a module."""

    node: ast.stmt
    text: str  #: its lines, with the comments directly above
    binds: frozenset[str]
    needs: frozenset[str]  #: names outside of it that it reads


class Import(NamedTuple):
    """One name that a module imports from a module."""

    module: str  #: absolute: ``shop.prices``
    name: str  #: empty where the module itself is imported
    alias: str  #: what it is called here


class PythonModule:
    """A module with its top-level statements."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        try:
            self.tree = parse(text)
            flags = __future__.annotations.compiler_flag if _defers_annotations(self.tree) else 0
            self.items = tuple(_list_items(self.tree, text, flags))
        except NO_TREE as error:
            raise DoesNotParse(f"{path}: {error}") from error

    @cached_property
    def names(self) -> frozenset[str]:
        """The names at the top of the module."""
        return frozenset().union(*(item.binds for item in self.items))

    @cached_property
    def definitions(self) -> Mapping[str, ast.stmt]:
        """The functions and classes at the top of the module."""
        return {item.node.name: item.node for item in self.items if isinstance(item.node, _DEFINITIONS)}

    def close(self, roots: frozenset[str]) -> tuple[Item, ...]:
        """The statements that definitions need, with the definitions, in the order of the file."""
        kept: set[int] = set()
        names = set(roots)
        while True:
            before = len(kept), len(names)
            for number, item in enumerate(self.items):
                if number not in kept and (item.binds & names or _find_changed(item.node) in names):
                    kept.add(number)
                    names |= item.needs & self.names
            if (len(kept), len(names)) == before:
                return tuple(self.items[number] for number in sorted(kept))


@lru_cache(maxsize=32)
def read_module(path: str, text: str) -> PythonModule:
    """The module of a file.

    Raises:
        DoesNotParse: The text is no Python.
    """
    return PythonModule(path, text)


def list_parts(path: str, text: str) -> list[str]:
    """The definitions around which slices are cut: those that no other such slice contains.

    A slice has at most :data:`MOST_LINES` lines and at least two functions.
    """
    module = read_module(path, text)
    slices = {}
    for name in module.definitions:
        items = module.close(frozenset({name}))
        if sum(item.text.count("\n") + 1 for item in items) <= MOST_LINES and _count_functions(items) >= 2:
            slices[name] = {item.node.name for item in items if isinstance(item.node, _DEFINITIONS)}
    inner = {other for name, inside in slices.items() for other in inside - {name} if name not in slices.get(other, ())}
    parts: list[str] = []
    for name in slices:
        if name not in inner and not any(name in slices[part] for part in parts):
            parts.append(name)
    return parts


def cut(path: str, text: str, siblings: Mapping[str, str], part: str = "") -> Excerpt:
    """The file with the modules of its repository that it imports, or the slice of it around a definition."""
    files = add_file(siblings, path, text)
    roots = {path: _find_root(path, files)}
    wanted: dict[str, set[str] | None] = {path: {part} if part else None}
    texts: dict[str, str] = {}
    while missing := [name for name in wanted if name not in texts]:
        for name in missing:
            module = read_module(name, files[name])
            asked = wanted[name]
            texts[name], imports = _write(module, asked, roots, files)
            for found, names in imports.items():
                known = wanted.get(found, set())
                grown = None if known is None or names is None else known | names
                if found not in wanted or grown != known:
                    wanted[found] = grown
                    texts.pop(found, None)
        if len(wanted) > MOST_FILES:
            raise Refused(f"needs too many files of its package: more than {MOST_FILES}")
    changes: tuple[str, ...] = (f"cut to {part} and what it needs",) if part else ()
    if len(texts) == 1:
        if part or PurePosixPath(path).name != "main.py":
            changes += ("the file is called main.py",)
        return Excerpt({"main.py": texts[path]}, "main.py", part, changes)
    places = {name: name.removeprefix(roots[name]) for name in sorted(texts)}
    if "main.py" in places.values():
        raise Refused("has a file called main.py besides")
    if len({*places.values()}) < len(places):
        raise Refused("needs two files of one name")
    named = {place: texts[name] for name, place in places.items()}
    if any("/" in name for name in named):
        changes += ("packages have no __init__.py",)
    if part and sum(text.count("\n") for text in named.values()) > 2 * MOST_LINES:
        raise Refused("needs too much of its package")
    if len({roots[name] for name in texts}) > 1:
        changes += ("files of several folders lie in one",)
    return Excerpt(named, places[path], part, changes)


def _find_root(path: str, files: Mapping[str, str]) -> str:
    """The folder from which the file's package is imported, with ``/`` at the end unless it is the repository."""
    folder = PurePosixPath(path).parent
    while folder.name and f"{folder}/__init__.py" in files:
        folder = folder.parent
    return f"{folder}/" if folder.name else ""


def _list_roots(path: str, own: str) -> list[str]:
    """The folders from which a file may import, the most likely first: that of its package, its own, those above."""
    above = [f"{folder}/" if folder.name else "" for folder in PurePosixPath(path).parents]
    return [*dict.fromkeys((own, *above, *_SOURCES))]


def _write(
    module: PythonModule, names: set[str] | None, roots: dict[str, str], files: Mapping[str, str]
) -> tuple[str, dict[str, set[str] | None]]:
    """The text that is taken of a module, and the files that it needs with the names that it needs of each.

    ``roots`` has the folder from which each file is imported. It learns those of the files that are needed.
    """
    root = roots[module.path]
    items = module.items if names is None else module.close(frozenset(names))
    used = frozenset().union(*(item.needs for item in items), names or ())
    texts, imports = [], dict[str, set[str] | None]()
    for item in items:
        text = item.text
        for node, guarded in _list_imports(item.node):
            kept = []
            for imported in _read_import(node, module.path, root):
                library = imported.module.partition(".")[0]
                inside = bool(getattr(node, "level", 0))  # of the package, by a relative name
                alone = inside or library in sys.stdlib_module_names
                for start in (root,) if alone else _list_roots(module.path, root):
                    file, name = _find_file(imported, start, files)
                    if file:
                        break
                if not file:
                    if guarded or (library in sys.stdlib_module_names and not inside):
                        kept.append(imported)
                        continue
                    own = inside or module.path.startswith(f"{root}{library}/")
                    raise Refused(f"{NOT_TAKEN}: {imported.module or '.'}" if own else f"{NO_LIBRARY}: {library}")
                roots.setdefault(file, start)
                if names is not None and imported.alias not in used and node is item.node:
                    continue
                kept.append(imported)
                if name and (known := imports.get(file, set())) is not None:
                    imports[file] = known | {name}
                elif not name:
                    imports[file] = None
            if names is not None and node is item.node and len(kept) < len(node.names):
                text = _write_import(node, {imported.alias for imported in kept})
        texts.append((item.node, text))
    if names is None:
        return module.text, dict.fromkeys(imports)
    future = [(item.node, item.text) for item in module.items if _is_future(item.node) and item not in items]
    return _join([*future, *texts]), imports


def _join(texts: list[tuple[ast.stmt, str]]) -> str:
    parts = []
    last: ast.stmt | None = None
    for node, text in texts:
        if last is not None:
            near = type(last) is type(node) and not isinstance(node, _DEFINITIONS)
            near = near or (isinstance(last, _IMPORTS) and isinstance(node, _IMPORTS))
            parts.append("\n" if near else "\n\n\n")
        parts.append(text)
        last = node
    return "".join(parts) + "\n"


def _list_imports(node: ast.stmt, guarded: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports that run when a module is loaded, and whether the module goes on if one fails."""
    if isinstance(node, _IMPORTS):
        if not _is_future(node):
            yield node, guarded
    elif isinstance(node, ast.Try):
        for child in node.body:
            yield from _list_imports(child, guarded=True)
        for child in (*node.orelse, *node.finalbody, *(step for handler in node.handlers for step in handler.body)):
            yield from _list_imports(child, guarded)
    elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
        for child in (*node.body, *node.orelse):
            yield from _list_imports(child, guarded or "version_info" in ast.dump(node.test))


def _read_import(node: ast.Import | ast.ImportFrom, path: str, root: str) -> Iterator[Import]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield Import(alias.name, "", alias.asname or alias.name.partition(".")[0])
            continue
        module = node.module or ""
        if node.level:
            package = PurePosixPath(path.removeprefix(root)).parent.parts
            around = package[: len(package) - node.level + 1]
            module = ".".join((*around, module) if module else around)
        yield Import(module, alias.name, alias.asname or alias.name)


def _find_file(imported: Import, root: str, files: Mapping[str, str]) -> tuple[str, str]:
    """The file of the repository that is imported, and the name that is wanted of it; empty for the module itself.

    Raises:
        Refused: The name is defined in the ``__init__.py`` of a package, or is a star.
    """
    base = root + imported.module.replace(".", "/")
    if imported.name and f"{base}/{imported.name}.py" in files:
        return f"{base}/{imported.name}.py", ""
    if f"{base}.py" in files:
        if imported.name == "*":
            return f"{base}.py", ""
        return f"{base}.py", imported.name
    if f"{base}/__init__.py" in files:
        raise Refused(f"imports from the __init__.py of a package: {imported.module}")
    return "", ""


def _write_import(node: ast.Import | ast.ImportFrom, kept: set[str]) -> str:
    """The import of some of its names."""
    names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in kept]
    copy = type(node)(**{**{field: getattr(node, field) for field in node._fields}, "names": names})
    return ast.unparse(copy)


def _list_items(tree: ast.Module, text: str, flags: int) -> Iterator[Item]:
    lines = text.splitlines(keepends=True)
    end = 0
    for node in tree.body:
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]) - 1
        while start > end and lines[start - 1].startswith("#"):
            start -= 1
        begin, end = max(start, end), node.end_lineno or node.lineno
        if _is_docstring(node) or _is_own_start(node) or _names_all(node):
            continue
        code = compile(ast.Module([node], []), "", "exec", flags=flags, dont_inherit=True)
        binds = {i.argval for i in dis.get_instructions(code) if i.opname in _STORES}
        yield Item(node, "".join(lines[begin:end]).rstrip("\n"), frozenset(binds), frozenset(_list_loads(code)))


def _list_loads(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in _LOADS:
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _list_loads(constant)


def _count_functions(items: tuple[Item, ...]) -> int:
    return sum(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for item in items
        for node in ast.walk(item.node)
    )


def _find_changed(node: ast.stmt) -> str:
    """The name whose attributes or elements a statement changes: ``Cart`` of ``Cart.total = total``; else empty."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        targets = [node.value.func]
    target = targets[0] if len(targets) == 1 else None
    if not isinstance(target, (ast.Attribute, ast.Subscript)):
        return ""
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_own_start(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "'__name__'" in ast.dump(node.test)


def _names_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _defers_annotations(tree: ast.Module) -> bool:
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    return any(alias.name == "annotations" for node in futures for alias in node.names)
