"""The direction of imports, read from the source: wherever in a module they stand, and those for type checkers too."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pytest_codereason
from pytest_codereason import registry

ROOT = Path(pytest_codereason.__file__).parent
#: The folders whose files are one part each; no part knows another of another kind. But texts are written for
#: perturbations.
KINDS = set(registry.FOLDERS.values()) - {"questions.authoring"}
#: What lies among languages and is none of them.
BESIDE_LANGUAGES = f"{pytest_codereason.__name__}.languages.call_graphs"
#: The rooms from the foundation up. A room imports itself and what stands before it; two rooms of one line know
#: nothing of each other.
ROOMS = [
    {"errors"},
    {"core"},
    {"languages"},
    {"registry"},
    {"programs", "models"},
    {"changes", "sandbox"},
    {"questions", "options"},
    {"engine"},
    {"results"},
    {"reports", "harvest"},
    {"fuzzing"},
    {"strategies", "session"},
    {"commands"},
    {"plugin", "cli", "__init__"},
]
#: What starts or configures the whole, and what users import; everything else lies in a room.
LOOSE = {"__init__", "cli", "errors", "options", "plugin", "registry", "strategies"}


def imports(path: Path) -> set[str]:
    """The rooms that a module imports, wherever in it."""
    return {name.split(".")[1] for name in imported_names(path) if "." in name}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imported_names(path: Path) -> set[str]:
    """What a module imports of the package, by full name: ``pytest_codereason.core.Model``."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.split(".")[0] == ROOT.name}


def module_name(path: Path) -> str:
    """``pytest_codereason.core`` for ``core/__init__.py``."""
    parts = [ROOT.name, *path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph() -> dict[str, set[str]]:
    """Which modules each module imports. The package itself holds its version alone and counts for nothing."""
    graph = {module_name(path): set[str]() for path in MODULES}
    for path in MODULES:
        mine = module_name(path)
        for name in imported_names(path):
            target = name if name in graph else name.rpartition(".")[0]
            if target in graph and target not in (mine, ROOT.name):
                graph[mine].add(target)
    return graph


def part(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


MODULES = sorted(ROOT.rglob("*.py"))


def test_imports_point_to_the_core() -> None:
    def allowed(path: Path) -> set[str]:
        layer = next(i for i, names in enumerate(ROOMS) if part(path) in names)
        return set().union(*ROOMS[:layer], {part(path), "__version__"})

    assert {str(path): outer for path in MODULES if (outer := imports(path) - allowed(path))} == {}


def test_no_module_imports_itself_by_way_of_others() -> None:
    try:
        TopologicalSorter(import_graph()).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_only_what_starts_or_configures_the_whole_lies_loose() -> None:
    assert {path.stem for path in ROOT.glob("*.py")} == LOOSE


def test_kinds_never_import_each_other() -> None:
    def find_kind(name: str) -> str:
        if name.startswith(BESIDE_LANGUAGES):
            return ""
        return next((kind for kind in KINDS if f"{name}.".startswith(f"{ROOT.name}.{kind}.")), "")

    others = {
        str(path): kinds
        for path in MODULES
        if (mine := find_kind(module_name(path)))
        and (kinds := {find_kind(name) for name in imported_names(path)} - {mine, ""})
    }
    assert others == {}


@pytest.mark.parametrize("name", ["plugin", "options", "errors"])
def test_pytest_loads_the_standard_library_alone_beside_itself(name: str) -> None:
    body = tree(ROOT / f"{name}.py").body
    names = {alias.name for node in body if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in body if isinstance(node, ast.ImportFrom)}
    known = {*sys.stdlib_module_names, "pytest"}
    ours = {f"{ROOT.name}.options", f"{ROOT.name}.errors"}
    assert {name for name in names if name.split(".")[0] not in known} <= ours


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.2, which Debian 12 has, then matches something else (gh-100061)."""
    assert not [str(p) for p in MODULES if re.search(r"\)[*+?]\+", p.read_text())]


def test_text_is_executed_in_the_sandbox_alone() -> None:
    """Pytest's own process never executes a text, be it a program or an answer."""
    modules = {
        str(path.relative_to(ROOT))
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name) and node.id in {"eval", "exec", "__import__"}
    }
    assert modules == {"sandbox/keeper/main.py", "languages/python/harness.py", "languages/python/probe.py"}


def test_files_are_short() -> None:
    assert not {str(p): n for p in MODULES if (n := len(p.read_text().splitlines())) > 400}


@pytest.mark.slow
def test_without_the_extras_all_but_the_search_for_counterexamples_is_imported() -> None:
    script = """
import importlib, pkgutil, sys
import pytest_codereason
sys.modules.update(dict.fromkeys(["hypothesis", "matplotlib", "pyarrow", "vllm", "xdist", "xllamacpp"]))
for module in pkgutil.walk_packages(pytest_codereason.__path__, "pytest_codereason.", onerror=lambda name: None):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error.name)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout.split("\n")[:-1] == [
        "pytest_codereason.fuzzing.search hypothesis",
        "pytest_codereason.fuzzing.strategies.cases hypothesis",
        "pytest_codereason.fuzzing.strategies.compositions hypothesis",
        "pytest_codereason.fuzzing.strategies.generated hypothesis",
        "pytest_codereason.fuzzing.strategies.semtrace hypothesis",
        "pytest_codereason.strategies hypothesis",
    ]


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.name != "harness.py":  # runs alone, in the sandbox
            for node in tree(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
