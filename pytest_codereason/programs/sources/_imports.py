"""Imports that programs rely on without writing them, as on the sites where contestants submit solutions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

#: Names that stand for modules, and names taken from modules. Those of LiveCodeBench's own runner.
MODULES = frozenset(
    {"bisect", "collections", "copy", "functools", "heapq", "itertools", "math", "operator", "random", "re"}
    | {"string", "sys"}
)
MEMBERS = {
    name: module
    for module, names in {
        "bisect": "bisect_left bisect_right insort",
        "collections": "Counter OrderedDict defaultdict deque",
        "copy": "deepcopy",
        "functools": "cache lru_cache partial reduce",
        "heapq": "heapify heappop heappush merge",
        "itertools": "accumulate chain combinations count cycle groupby islice permutations product repeat zip_longest",
        "math": "ceil comb floor gcd inf isqrt log log10 log2 prod sqrt",
        "operator": "iand itemgetter sub",
        "os.path": "commonprefix",
        "random": "randrange shuffle",
        "string": "ascii_lowercase",
        "typing": "Any Callable Dict Generator Iterable Iterator List Optional Set Tuple Union",
    }.items()
    for name in names.split()
}
#: Names of libraries that are not Python's own.
FOREIGN = {"np": "numpy", "pd": "pandas"}


def list_missing(tree: ast.Module) -> set[str]:
    """The names that a program uses and does not bind anywhere."""
    used: set[str] = set()
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        else:
            bound.update(_list_bound(node))
    return used - bound


def _list_bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.arg():
            yield node.arg
        case ast.alias():
            yield (node.asname or node.name).partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def write_imports(names: set[str]) -> str:
    """The import statements for the known names among ``names``, always in the same order."""
    members: dict[str, list[str]] = {}
    for name in sorted(names & MEMBERS.keys()):
        members.setdefault(MEMBERS[name], []).append(name)
    lines = [f"import {name}" for name in sorted(names & MODULES)]
    lines += [f"from {module} import {', '.join(known)}" for module, known in sorted(members.items())]
    return "".join(f"{line}\n" for line in lines)
