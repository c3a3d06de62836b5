"""The direction of imports, read from the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_codereason

ROOT = Path(pytest_codereason.__file__).parent
KINDS = {"languages", "perturbations", "sources", "stages", "tasks", "models", "reporters"}

#: From the foundation up: a module imports its own layer and those before it.
LAYERS = [
    {"core", "errors", "files", "__init__"},
    {"templates", "languages", "text", "replies"},
    {"registry", "contexts", "perturbations", "sources", "stages", "tasks", "models"},
    {"sandbox"},
    {"strategies", "authoring", "suites"},
    {"engine"},
    {"statistics", "results", "figures", "reporters"},
    {"plugin", "session", "fuzzing", "commands", "cli"},
]


def imports(path: Path) -> set[str]:
    """The top-level parts of the package that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == ROOT.name:
            parts = node.module.split(".")[1:]
            found |= {parts[0]} if parts else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            found |= {parts[1] for parts in names if parts[0] == ROOT.name and len(parts) > 1}
    return found


def part(path: Path) -> str:
    relative = path.relative_to(ROOT)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_to_the_core(path: Path) -> None:
    mine = part(path)
    layer = next(i for i, names in enumerate(LAYERS) if mine in names)
    allowed = set().union(*LAYERS[: layer + 1]) | {"__version__"}
    assert imports(path) <= allowed


@pytest.mark.parametrize("path", [p for p in MODULES if part(p) in KINDS], ids=lambda p: str(p.relative_to(ROOT)))
def test_kinds_never_import_each_other(path: Path) -> None:
    assert not imports(path) & (KINDS - {part(path)})


def test_the_plugin_imports_only_pytest_at_the_top() -> None:
    tree = ast.parse((ROOT / "plugin.py").read_text())
    names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert names <= {"__future__", "os", "pathlib", "typing", "pytest"}


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.2, which Debian 12 has, then matches something else (gh-100061)."""
    assert not [str(p) for p in MODULES if re.search(r"\)[*+?]\+", p.read_text())]


def test_files_are_short() -> None:
    assert not {str(p): n for p in MODULES if (n := len(p.read_text().splitlines())) > 350}


def test_without_the_extras_all_but_the_search_for_counterexamples_is_imported() -> None:
    script = """
import importlib, pkgutil, sys
import pytest_codereason
sys.modules.update(dict.fromkeys(["hypothesis", "matplotlib", "openvino_genai", "pyarrow", "vllm", "xdist"]))
for module in pkgutil.walk_packages(pytest_codereason.__path__, "pytest_codereason.", onerror=lambda name: None):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error.name)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == [
        "pytest_codereason.fuzzing.search hypothesis",
        "pytest_codereason.strategies hypothesis",
    ]
