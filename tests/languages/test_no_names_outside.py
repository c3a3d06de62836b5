"""No code outside ``languages/`` knows a language by its name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest_codereason
from pytest_codereason import registry
from pytest_codereason.core import Language

ROOT = Path(pytest_codereason.__file__).parent
NAMES = registry.list_shipped(Language)
#: Files that may name languages, and why.
EXCEPTIONS = {
    "programs/sources/": "the languages of published data, and the parsers of its formats",
    "core/files/code_search_net.py": "the languages of a published corpus",
    "questions/tasks/input_prediction.py": "its examples are programs",
    "questions/tasks/output_prediction.py": "its examples are programs",
    "questions/tasks/function_retrieval.py": "its examples are programs",
    "questions/tasks/call_graph.py": "its examples are programs",
    "questions/tasks/fault_robustness.py": "its examples are programs",
    "questions/tasks/fault_localization.py": "its examples are programs",
    "questions/tasks/moment.py": "its examples are programs",
    "questions/tasks/equivalence.py": "its examples are programs",
    "questions/tasks/meaning.py": "its examples are programs",
    "questions/tasks/twins.py": "its examples are programs",
    "commands/translate.py": "translates published data from one language to others",
    "fuzzing/probes.py": "the default of an argument that users see",
    "results/studies/study_facts.py": "the languages of four papers",
    "results/studies/study_places.py": "the figures of two papers, by language",
    "session/description.py": "the version of the Python that runs pytest",
    "models/shared/weights.py": "the Python that installs packages",
    "sandbox/selftest.py": "attacks with the one interpreter that is always there: the Python that runs pytest",
}


def list_names(path: Path) -> set[str]:
    """The names of languages that stand in a module as texts of their own."""
    constants = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and value in NAMES}


def test_no_module_names_a_language() -> None:
    places = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
    outside = {place: path for place, path in places.items() if not place.startswith(("languages/", *EXCEPTIONS))}
    assert {place: names for place, path in outside.items() if (names := list_names(path))} == {}


def test_the_search_would_find_a_name() -> None:
    assert list_names(ROOT / "languages" / "php" / "__init__.py") == {"php"}
